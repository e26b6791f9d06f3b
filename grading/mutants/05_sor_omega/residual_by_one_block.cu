// 05/solve: do few blocks or warps do the work
// One block computes the residual of all rows.
// TODO(4): like point_kernel, with both colours: blockIdx.z. (about 5 lines)
const int half = g.ny * g.pitch;
for (int k = threadIdx.y * SWEEP_X + threadIdx.x; k < 2 * half; k += SWEEP_X * SWEEP_Y) {
  const int colour = k / half, i = k % half / g.pitch, jh = k % g.pitch;
  if (i > 0 && is_unknown(g, colour, i, jh))
    h2r[k] = sum_of(g, colour, i, jh, h2f, u) - g.diagonal * u[k];
}
// END(4)
// TODO(4): launch residual_kernel on the interior rows of both colours. (about 3 lines)
residual_kernel<<<1, dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
CUDA_CHECK(cudaGetLastError());
return 0;
// END(4)
