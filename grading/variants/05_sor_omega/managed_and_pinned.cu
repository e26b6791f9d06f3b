// Style: the study's sums in managed memory, read after one synchronisation per ω; the iteration's arrays
// managed, too.
// TODO(3): B² is a sweep with ω = 1 and f = 0. (about 10 lines)
const int n = sor_elements(g), stretch = 16 + (g->nx + g->ny) / 10;
double *both;
CUDA_CHECK(cudaMallocManaged((void **)&both, 2 * n * sizeof *both));
CUDA_CHECK(cudaMemset(both, 0, 2 * n * sizeof *both));
start_on_grid_kernel<<<blocks_of(g, 1, 2), dim3(SWEEP_X, SWEEP_Y)>>>(*g, both + n);
const int part = power_iteration(
    n, both + n, stretch, [=] { return sweeps(g, 1.0, 1, both, both + n); }, control, result);
CUDA_CHECK(cudaFree(both));
return part;
// END(3)
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
const int n = sor_elements(g), rows = sweep_count + 1;
double *u = device_array<double>(n), *h2r = device_array<double>(n),
       *partial = device_array<double>(SUM_BLOCKS);
double *squares;
CUDA_CHECK(cudaMallocManaged((void **)&squares, rows * sizeof *squares));
int part = 0;
for (int o = 0; o < count && !part; o++) {
  CUDA_CHECK(cudaMemsetAsync(u, 0, n * sizeof *u));
  sor_squares(n, h2f, partial, squares);
  for (int m = 1; m < rows && !part; m++) {
    part = sweeps(g, omega[o], 1, h2f, u);
    if (!part)
      part = residual(g, h2f, u, h2r);
    sor_squares(n, h2r, partial, squares + m);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int m = 0; m < rows; m++)
    history[(size_t)o * rows + m] = sqrt(squares[m]) / sqrt(squares[0]);
}
for (double *array : {u, h2r, partial, squares})
  CUDA_CHECK(cudaFree(array));
return part;
// END(5)
