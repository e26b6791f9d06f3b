// Style: the residual is cleared by cudaMemsetAsync, and the kernel writes interior rows only.
// TODO(4): like point_kernel, with both colours: blockIdx.z. (about 5 lines)
const int colour = blockIdx.z, jh = 2 * (blockIdx.x * SWEEP_X + threadIdx.x);
const int i = 1 + blockIdx.y * SWEEP_Y + threadIdx.y, k = index_of(g, colour, i, jh);
if (i >= g.ny - 1 || jh >= g.pitch)
  return;
const pack<double> sum = sums(g, colour, i, jh, h2f, u), own = load(u + k);
for (int m = 0; m < 2; m++)
  if (is_unknown(g, colour, i, jh + m))
    h2r[k + m] = sum.at[m] - g.diagonal * own.at[m];
// END(4)
// TODO(4): launch residual_kernel on the interior rows of both colours. (about 3 lines)
CUDA_CHECK(cudaMemsetAsync(h2r, 0, sor_elements(g) * sizeof(double)));
residual_kernel<<<blocks_of(g, 2, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
CUDA_CHECK(cudaGetLastError());
return 0;
// END(4)
