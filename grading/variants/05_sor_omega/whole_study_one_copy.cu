// Style: the study keeps all histories on the device and waits once.
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
const int n = sor_elements(g), rows = sweep_count + 1;
double *u = device_array<double>(n), *h2r = device_array<double>(n);
double *partial = device_array<double>(SUM_BLOCKS), *sums = device_array<double>(rows * count);
int part = 0;
for (int o = 0; o < count && !part; o++) {
  CUDA_CHECK(cudaMemsetAsync(u, 0, n * sizeof *u));
  sor_squares(n, h2f, partial, sums + o);
  for (int m = 1; m < rows && !part; m++) {
    part = sweeps(g, omega[o], 1, h2f, u);
    part = part ? part : residual(g, h2f, u, h2r);
    sor_squares(n, h2r, partial, sums + m * count + o);
  }
}
double *all = new double[rows * count];
CUDA_CHECK(cudaMemcpy(all, sums, rows *count * sizeof *all, cudaMemcpyDeviceToHost));
for (int o = 0; o < count; o++)
  for (int m = 0; m < rows; m++)
    history[o * rows + m] = sqrt(all[m * count + o]) / sqrt(all[o]);
delete[] all;
for (double *array : {u, h2r, partial, sums})
  CUDA_CHECK(cudaFree(array));
return part;
// END(5)
