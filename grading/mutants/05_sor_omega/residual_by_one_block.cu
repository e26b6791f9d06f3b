// 05/solve: do few blocks or warps do the work
// One block computes the residual of all rows.
// TODO(4): both colours: blockIdx.z is the colour; boundary rows too. (about 11 lines)
const int half = g.ny * g.pitch;
for (int k = 2 * (threadIdx.y * SWEEP_X + threadIdx.x); k < 2 * half; k += 2 * SWEEP_X * SWEEP_Y) {
  const place p = {k % half / g.pitch, k % half % g.pitch, k / half};
  const bool interior_row = 0 < p.i && p.i < g.ny - 1;
  const pack<double> sum = interior_row ? sums(g, p, h2f, u) : pack<double>{};
  const pack<double> own = load(u + k);
  pack<double> residual;
  for (int m = 0; m < pack<double>::WIDTH; m++)
    residual.at[m] = is_unknown(g, p, m) ? sum.at[m] - g.diagonal * own.at[m] : 0;
  store(h2r + k, residual);
}
// END(4)
// TODO(4): launch residual_kernel on all rows of both colours. (about 4 lines)
residual_kernel<<<1, dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
CUDA_CHECK(cudaGetLastError());
return 0;
// END(4)
