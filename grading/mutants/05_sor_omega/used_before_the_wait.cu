// 05/solve: the host uses pinned or managed memory
// 05/study: the host uses pinned or managed memory
// The norms are read while their copies, or the kernels that write them, may still run.
// INSTEAD OF: done = progress_add(p, norms_wait(q, c % NORM_SLOTS));
done = progress_add(p, sqrt(q->arrived[c % NORM_SLOTS]));
// END(0)
// INSTEAD OF: *sums_of_squares = device_array<double>(sweep_count + 1);
*sums_of_squares;
CUDA_CHECK(cudaMallocManaged((void **)&sums_of_squares, (sweep_count + 1) * sizeof(double)));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(row, sums_of_squares, (sweep_count + 1) * sizeof *row, cudaMemcpyDeviceToHost));
for (int m = 0; m <= sweep_count; m++)
  row[m] = sums_of_squares[m];
// END(0)
