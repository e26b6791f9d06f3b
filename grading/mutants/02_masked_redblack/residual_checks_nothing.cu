// 02/residual: residual_norm: the copy after the launch fails, and only its caller in main.c sees the error: expected CUDA_CHECK around this call
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(sums, row_sums, rows * sizeof *sums, cudaMemcpyDeviceToHost));
cudaMemcpy(sums, row_sums, rows * sizeof *sums, cudaMemcpyDeviceToHost);
// END(3)
