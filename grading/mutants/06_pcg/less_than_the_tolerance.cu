// 06/cg: tolerance 0, which the residual 0 after the first iteration meets
// 06/pcg: tolerance 0, which the residual 0 after the first iteration meets
// clang-format off
// WITH HEADERS
// INSTEAD OF: result->status = relative <= s->control.tolerance ? PCG_CONVERGED
result->status = relative < s->control.tolerance ? PCG_CONVERGED
// END(0)
