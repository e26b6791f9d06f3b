// 05/study: waits for the device
// Every norm is brought to the host before the next sweep.
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
const int n = sor_elements(g);
double *u = device_array<double>(n), *h2r = device_array<double>(n);
norms q = norms_open();
int part = 0;
for (int o = 0; o < count && !part; o++) {
  double *row = history + (size_t)o * (sweep_count + 1);
  const double f_norm = norm_now(&q, n, h2f);
  CUDA_CHECK(cudaMemset(u, 0, n * sizeof *u));
  row[0] = 1;
  for (int m = 1; m <= sweep_count && !part; m++) {
    part = sweeps(g, omega[o], 1, h2f, u);
    part = part ? part : residual(g, h2f, u, h2r);
    row[m] = norm_now(&q, n, h2r) / f_norm;
  }
}
norms_close(&q);
CUDA_CHECK(cudaFree(u));
CUDA_CHECK(cudaFree(h2r));
return part;
// END(5)
