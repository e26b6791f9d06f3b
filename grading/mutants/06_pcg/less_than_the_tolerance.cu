// 06/cg: with the tolerance 0 and the residual 0, which is within it
// 06/pcg: with the tolerance 0 and the residual 0, which is within it
// clang-format off
// INSTEAD OF: result->status = relative <= s->control.tolerance ? PCG_CONVERGED
result->status = relative < s->control.tolerance ? PCG_CONVERGED
// END(0)
