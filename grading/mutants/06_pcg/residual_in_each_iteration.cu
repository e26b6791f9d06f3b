// 06/cg_model: is A p computed twice, or the residual in each iteration?
// Each iteration computes a residual that nothing uses.
// INSTEAD OF: multiply(s, p, q);
const tiles t = tiles_of(s->g, 2);
residual_kernel<<<tiles_count(t), THREADS>>>(*s->g, t, s->h2f, s->u, q);
multiply(s, p, q);
// END(0)
