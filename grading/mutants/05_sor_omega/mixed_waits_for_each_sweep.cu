// 05/mixed: the host waits for the device
// The host waits for each sweep of a correction.
// INSTEAD OF: const int part = sweeps(g, omega, count, source, e);
int part = 0;
for (int m = 0; m < count && !part; m++) {
  part = sweeps(g, omega, 1, source, e);
  CUDA_CHECK(cudaDeviceSynchronize());
}
// END(0)
