// 06/fused: the relative residual after 2 iterations is
// rho is overwritten before beta is computed from it.
// INSTEAD OF: s->iteration++;
s->iteration++;
s->rho = square;
// END(5)
// INSTEAD OF: s->rho = square;
// END(5)
