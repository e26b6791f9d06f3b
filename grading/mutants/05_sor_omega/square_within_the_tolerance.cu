// 05/mixed: this u is within the tolerance if what is compared is a square
// The tolerance is compared with the square of the relative residual.
// WITH HEADERS
// INSTEAD OF: const bool met = result->relative_residual <= p->control.tolerance;
const bool met = result->relative_residual * result->relative_residual <= p->control.tolerance;
// END(0)
