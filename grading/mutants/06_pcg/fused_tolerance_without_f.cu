// 06/fused: this u is within the tolerance if what is compared is not divided by the norm of h2f
// The device compares the norm of the residual itself.
// WITH HEADERS
// INSTEAD OF: const double goal = s->control.tolerance * s->f_norm;
const double goal = s->control.tolerance;
// END(0)
