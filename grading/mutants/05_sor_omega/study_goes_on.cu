// 05/study: its sweeps begin with the last u of the factor before
// Every omega starts from the solution for the previous omega.
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
const int n = sor_elements(g);
double *u = device_array<double>(n), *h2r = device_array<double>(n);
double *partial = device_array<double>(SUM_BLOCKS), *sums_of_squares = device_array<double>(sweep_count + 1);
int part = 0;
for (int o = 0; o < count && !part; o++) {
  double *row = history + (size_t)o * (sweep_count + 1);
  sor_squares(n, h2f, partial, sums_of_squares); // the residual of u = 0
  for (int m = 1; m <= sweep_count && !part; m++) {
    part = sweeps(g, omega[o], 1, h2f, u);
    part = part ? part : residual(g, h2f, u, h2r);
    sor_squares(n, h2r, partial, sums_of_squares + m);
  }
  CUDA_CHECK(cudaMemcpy(row, sums_of_squares, (sweep_count + 1) * sizeof *row, cudaMemcpyDeviceToHost));
  const double f_norm = sqrt(row[0]);
  for (int m = 0; m <= sweep_count; m++)
    row[m] = sqrt(row[m]) / f_norm;
}
for (double *array : {u, h2r, partial, sums_of_squares})
  CUDA_CHECK(cudaFree(array));
return part;
// END(5)
