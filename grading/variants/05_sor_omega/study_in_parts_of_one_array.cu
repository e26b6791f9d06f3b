// Style: the study runs all ω at the same time, each in its own stream; each array holds the parts of all of them.
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
const int n = sor_elements(g), rows = sweep_count + 1;
const dim3 threads(SWEEP_X, SWEEP_Y), inner = blocks_of(g, pack<double>::WIDTH, 1), all = blocks_of(g, 1, 2);
double *u = device_array<double>(count * n), *h2r = device_array<double>(count * n),
       *partial = device_array<double>(count * SUM_BLOCKS), *sums = device_array<double>(count * rows);
cudaStream_t *stream = new cudaStream_t[count];
for (int o = 0; o < count; o++)
  CUDA_CHECK(cudaStreamCreate(&stream[o]));
for (int m = 0; m < rows; m++)
  for (int o = 0; o < count; o++) {
    double *own = u + o * n, *r = h2r + o * n, *part = partial + o * SUM_BLOCKS, *sum = sums + o * rows + m;
    for (int colour = 0; colour < 2 && m > 0; colour++)
      half_sweep_kernel<double>
          <<<inner, threads, 0, stream[o]>>>(*g, 1 - omega[o], omega[o], colour, h2f, own);
    if (m > 0)
      residual_kernel<<<all, threads, 0, stream[o]>>>(*g, h2f, own, r);
    squares_kernel<<<sum_blocks(n), SUM_THREADS, 0, stream[o]>>>(n, m ? r : h2f, part);
    squares_finish_kernel<<<1, SUM_THREADS, 0, stream[o]>>>(sum_blocks(n), part, sum);
  }
CUDA_CHECK(cudaDeviceSynchronize());
CUDA_CHECK(cudaMemcpy(history, sums, count *rows * sizeof *sums, cudaMemcpyDeviceToHost));
for (int o = 0; o < count; o++)
  for (int m = sweep_count; m >= 0; m--)
    history[o * rows + m] = sqrt(history[o * rows + m]) / sqrt(history[o * rows]);
for (int o = 0; o < count; o++)
  CUDA_CHECK(cudaStreamDestroy(stream[o]));
delete[] stream;
for (double *array : {u, h2r, partial, sums})
  CUDA_CHECK(cudaFree(array));
return 0;
// END(5)
