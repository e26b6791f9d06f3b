// 06/ssor: do few blocks or warps do the work
// 06/cg_model: do few blocks or warps do the work
// One block makes each pass of SSOR, and one the residual.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
ssor_kernel<<<1, THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
// END(0)
// INSTEAD OF: residual_kernel<<<tiles_count(t), THREADS>>>(*s->g, t, s->h2f, s->u, s->r);
residual_kernel<<<1, THREADS>>>(*s->g, t, s->h2f, s->u, s->r);
// END(0)
