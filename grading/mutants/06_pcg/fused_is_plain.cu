// 06/fused: no iteration may need the host
// cg_solve_fused is cg_solve: every scalar goes to the host.
// INSTEAD OF: part = loop_solve(&s, 2, u, s.r, square, capture_stretch<false>);
{
  double *p = device_array<double>(s.n), *q = device_array<double>(s.n);
  part = iterate(&s, 0, s.r, p, q);
  CUDA_CHECK(cudaFree(p));
  CUDA_CHECK(cudaFree(q));
}
// END(0)
