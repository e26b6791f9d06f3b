// 02/residual: streams, events or graphs in 4 calls are never destroyed
// INSTEAD OF: residual_kernel<<<rows, SUM_THREADS>>>(nx, inv_h2, f, u, row_sums);
cudaEvent_t done;
CUDA_CHECK(cudaEventCreate(&done));
residual_kernel<<<rows, SUM_THREADS>>>(nx, inv_h2, f, u, row_sums);
CUDA_CHECK(cudaEventRecord(done));
CUDA_CHECK(cudaEventSynchronize(done));
// END(0)
