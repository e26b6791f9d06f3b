// 05/study: may run at the same time as an earlier launch or copy of another stream that uses the same array
// The sums go to pinned memory in a stream that does not wait for the event of the default stream.
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
const int n = sor_elements(g);
double *u = device_array<double>(n), *h2r = device_array<double>(n);
double *partial = device_array<double>(SUM_BLOCKS), *squares = device_array<double>(sweep_count + 1), *pinned;
cudaStream_t copies;
CUDA_CHECK(cudaMallocHost(&pinned, (sweep_count + 1) * sizeof *pinned));
CUDA_CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
for (int o = 0; o < count; o++) {
  double *row = history + (size_t)o * (sweep_count + 1);
  CUDA_CHECK(cudaMemset(u, 0, n * sizeof *u));
  sor_squares(n, h2f, partial, squares);
  for (int m = 1; m <= sweep_count; m++) {
    sweeps(g, omega[o], 1, h2f, u);
    residual(g, h2f, u, h2r);
    sor_squares(n, h2r, partial, squares + m);
  }
  CUDA_CHECK(
      cudaMemcpyAsync(pinned, squares, (sweep_count + 1) * sizeof *row, cudaMemcpyDeviceToHost, copies));
  CUDA_CHECK(cudaStreamSynchronize(copies));
  for (int m = 0; m <= sweep_count; m++)
    row[m] = sqrt(pinned[m]) / sqrt(pinned[0]);
}
CUDA_CHECK(cudaStreamDestroy(copies));
CUDA_CHECK(cudaFreeHost(pinned));
for (double *array : {u, h2r, partial, squares})
  CUDA_CHECK(cudaFree(array));
return 0;
// END(5)
