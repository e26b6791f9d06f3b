// Style: the residual is cleared by cudaMemsetAsync, and the kernel writes interior rows only.
// TODO(4): both colours: blockIdx.z is the colour; boundary rows too. (about 11 lines)
const place p = this_place<double>(1, blockIdx.z);
if (p.i >= g.ny - 1 || p.jh >= g.pitch)
  return;
const int k = p.colour * g.ny * g.pitch + p.i * g.pitch + p.jh;
const pack<double> sum = sums(g, p, h2f, u), own = load(u + k);
for (int m = 0; m < 2; m++)
  if (is_unknown(g, p, m))
    h2r[k + m] = sum.at[m] - g.diagonal * own.at[m];
// END(4)
// TODO(4): launch residual_kernel on all rows of both colours. (about 4 lines)
CUDA_CHECK(cudaMemsetAsync(h2r, 0, sor_elements(g) * sizeof(double)));
residual_kernel<<<blocks_of_places<double>(g, g->ny - 2, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, h2f, u, h2r);
CUDA_CHECK(cudaGetLastError());
return 0;
// END(4)
