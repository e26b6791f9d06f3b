// Style: 1D blocks of 128 threads, the place by division; Young's formula as 1 + (ρ/(1 + √(1 − ρ²)))².
// TODO(1): keep·u + omega·u_GS where a point is unknown; one load, one store of u. (about 10 lines)
const int across = g.pitch / pack<Real>::WIDTH, n = blockIdx.x * blockDim.x + threadIdx.x;
const int i = 1 + n / across, jh = n % across * pack<Real>::WIDTH;
if (i >= g.ny - 1)
  return;
Real *own = u + index_of(g, colour, i, jh);
const Real inv_diagonal = (Real)g.inv_diagonal;
const pack<Real> sum = sums(g, colour, i, jh, h2f, u), old = load(own);
pack<Real> value;
#pragma unroll
for (int m = 0; m < pack<Real>::WIDTH; m++) {
  const Real stepped = keep * old.at[m] + omega * (sum.at[m] * inv_diagonal);
  value.at[m] = is_unknown(g, colour, i, jh + m) ? stepped : old.at[m];
}
store(own, value);
// END(1)
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
const int threads = (g->ny - 2) * (g->pitch / pack<Real>::WIDTH);
half_sweep_kernel<Real>
    <<<blocks_for(threads, 128), 128>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
return 0;
// END(1)
// TODO(2): Young's formula. (2 lines)
const double root = sqrt(1 - rho) * sqrt(1 + rho);
*omega = 1 + (rho / (1 + root)) * (rho / (1 + root));
return 0;
// END(2)
// TODO(6): one element per thread, to float. (about 3 lines)
for (int k = blockIdx.x * SUM_THREADS + threadIdx.x; k < n; k += gridDim.x * SUM_THREADS)
  to[k] = __double2float_rn(from[k] / norm);
// END(6)
// TODO(6): one element per thread, in double. (about 3 lines)
for (int k = blockIdx.x * SUM_THREADS + threadIdx.x; k < n; k += gridDim.x * SUM_THREADS)
  u[k] = u[k] + norm * e[k];
// END(6)
// TODO(6): narrow, sweep from e = 0, correct. (about 9 lines)
const int n = sor_elements(g), blocks = min(blocks_for(n, SUM_THREADS), 264);
narrow_kernel<<<blocks, SUM_THREADS>>>(n, norm, h2r, source);
CUDA_CHECK(cudaMemsetAsync(e, 0, n * sizeof *e, 0));
for (int half = 0; half < 2 * count; half++)
  if (const int part = half_sweep(g, omega, half & 1, source, e))
    return part;
correct_kernel<<<blocks, SUM_THREADS>>>(n, norm, e, u);
CUDA_CHECK(cudaGetLastError());
return 0;
// END(6)
