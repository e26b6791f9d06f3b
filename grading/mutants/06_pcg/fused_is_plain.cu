// 06/fused: no iteration may need the host
// cg_solve_fused is cg_solve: every scalar goes to the host.
// INSTEAD OF: return part || solve_add(s, square) ? part : loop_solve(s, full_operator{*g}, s->n, u, s->r, square);
if (part || solve_add(s, square))
  return part;
double *p = device_array<double>(s->n), *q = device_array<double>(s->n);
part = iterate(s, s->r, p, q, [] { return 0; });
CUDA_CHECK(cudaFree(p));
CUDA_CHECK(cudaFree(q));
return part;
// END(0)
