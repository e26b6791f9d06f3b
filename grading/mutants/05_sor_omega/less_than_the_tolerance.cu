// 05/solve: with the tolerance 0 and the residual 0, which is within it
// 05/mixed: with the tolerance 0 and the residual 0, which is within it
// WITH HEADERS
// INSTEAD OF: const bool met = result->relative_residual <= p->control.tolerance;
const bool met = result->relative_residual < p->control.tolerance;
// END(0)
