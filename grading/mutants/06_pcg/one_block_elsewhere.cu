// 06/ssor: do few blocks or warps do the work
// 06/cg_model: do few blocks or warps do the work
// One block makes each pass of SSOR, and one the residual.
// TODO(3): at unknown points. (about 5 lines)
for (int i = 1 + blockIdx.y * WARPS + threadIdx.y; i < g.ny - 1; i += gridDim.y * WARPS)
  for (int jh = blockIdx.x * WARP + threadIdx.x; jh < g.pitch; jh += gridDim.x * WARP) {
    const int k = index_of(g, colour, i, jh);
    if (is_unknown(g, colour, i, jh))
      z[k] = s * r[k] + c * neighbours(g, colour, i, jh, factor, x);
  }
// END(3)
// TODO(2): add neighbours and h2f first, then subtract the diagonal's product. (about 5 lines)
for (int colour = RED; colour <= BLACK; colour++)
  for (int i = 1 + blockIdx.y * WARPS + threadIdx.y; i < g.ny - 1; i += gridDim.y * WARPS)
    for (int jh = blockIdx.x * WARP + threadIdx.x; jh < g.pitch; jh += gridDim.x * WARP) {
      const int k = index_of(g, colour, i, jh);
      if (is_unknown(g, colour, i, jh))
        r[k] = (neighbours(g, colour, i, jh, 1, u) + h2f[k]) - g.diagonal * u[k];
    }
// END(2)
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, s, r, z);
ssor_kernel<<<1, threads>>>(*g, BLACK, s, c, r, s, r, z);
// END(0)
// INSTEAD OF: residual_kernel<<<blocks_of(s->g, 2), dim3(WARP, WARPS)>>>(*s->g, s->h2f, s->u, s->r);
residual_kernel<<<1, dim3(WARP, WARPS)>>>(*s->g, s->h2f, s->u, s->r);
// END(0)
