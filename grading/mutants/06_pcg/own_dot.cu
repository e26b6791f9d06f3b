// 06/cg: call control.dot for each product
// The solvers call pcg_dot, not the product that they get.
// WITH HEADERS
// INSTEAD OF: const int part = s->control.dot(s->n, x, y, s->partial, s->sum);
const int part = pcg_dot(s->n, x, y, s->partial, s->sum);
// END(0)
