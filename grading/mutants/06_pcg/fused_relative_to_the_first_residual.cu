// 06/fused: this u is within the tolerance if what is compared is relative to the first residual, not to the norm of h2f
// The device stops relative to the first residual.
// WITH HEADERS
// INSTEAD OF: const double goal = s->control.tolerance * s->f_norm;
const double goal = s->control.tolerance * sqrt(square);
// END(0)
