// 02/residual: uses pinned or managed memory
// The copy of the sums is asynchronous, and the host does not wait for it.
// INSTEAD OF: double *sums = (double *)malloc(rows * sizeof *sums), total = 0;
double *sums, total = 0;
CUDA_CHECK(cudaMallocHost((void **)&sums, rows * sizeof *sums));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(sums, row_sums, rows * sizeof *sums, cudaMemcpyDeviceToHost));
CUDA_CHECK(cudaMemcpyAsync(sums, row_sums, rows * sizeof *sums, cudaMemcpyDeviceToHost));
// END(0)
// INSTEAD OF: free(sums);
CUDA_CHECK(cudaFreeHost(sums));
// END(0)
