// Style: the study runs all ω at the same time, each in its own stream with its own arrays.
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
struct run {
  cudaStream_t stream;
  double *u, *h2r, *partial, *sums;
};
const int n = sor_elements(g);
const dim3 threads(SWEEP_X, SWEEP_Y), inner = blocks_of(g, pack<double>::WIDTH, 1), all = blocks_of(g, 1, 2);
run *runs = new run[count];
for (int o = 0; o < count; o++) {
  run &r = runs[o];
  CUDA_CHECK(cudaStreamCreate(&r.stream));
  r.u = device_array<double>(n), r.h2r = device_array<double>(n);
  r.partial = device_array<double>(SUM_BLOCKS), r.sums = device_array<double>(sweep_count + 1);
  CUDA_CHECK(cudaMemsetAsync(r.u, 0, n * sizeof *r.u, r.stream));
}
for (int m = 0; m <= sweep_count; m++)
  for (int o = 0; o < count; o++) {
    const run &r = runs[o];
    for (int colour = 0; colour < 2 && m > 0; colour++)
      half_sweep_kernel<double>
          <<<inner, threads, 0, r.stream>>>(*g, 1 - omega[o], omega[o], colour, h2f, r.u);
    if (m > 0)
      residual_kernel<<<all, threads, 0, r.stream>>>(*g, h2f, r.u, r.h2r);
    squares_kernel<<<sum_blocks(n), SUM_THREADS, 0, r.stream>>>(n, m ? r.h2r : h2f, r.partial);
    squares_finish_kernel<<<1, SUM_THREADS, 0, r.stream>>>(sum_blocks(n), r.partial, r.sums + m);
  }
CUDA_CHECK(cudaGetLastError());
for (int o = 0; o < count; o++) {
  double *row = history + (size_t)o * (sweep_count + 1);
  CUDA_CHECK(cudaMemcpy(row, runs[o].sums, (sweep_count + 1) * sizeof *row, cudaMemcpyDeviceToHost));
  const double f_norm = sqrt(row[0]);
  for (int m = 0; m <= sweep_count; m++)
    row[m] = sqrt(row[m]) / f_norm;
  for (double *array : {runs[o].u, runs[o].h2r, runs[o].partial, runs[o].sums})
    CUDA_CHECK(cudaFree(array));
  CUDA_CHECK(cudaStreamDestroy(runs[o].stream));
}
delete[] runs;
return 0;
// END(5)
