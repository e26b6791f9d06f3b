// 06/cg_model: is A p computed twice, or the residual in each iteration?
// Each iteration computes a residual that nothing uses.
// INSTEAD OF: multiply(s, p, q);
residual_kernel<<<blocks_of(s->g, 2), dim3(WARP, WARPS)>>>(*s->g, s->h2f, s->u, q);
multiply(s, p, q);
// END(0)
