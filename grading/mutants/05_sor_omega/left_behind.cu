// 05/radius: pinned memory
// 05/study: streams, events or graphs are never destroyed
// What the calls create on the host's side stays there.
// INSTEAD OF: estimates e = {};
estimates e = {};
double *spare;
CUDA_CHECK(cudaMallocHost((void **)&spare, sizeof *spare));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(row, sums_of_squares, (sweep_count + 1) * sizeof *row, cudaMemcpyDeviceToHost));
cudaEvent_t done;
CUDA_CHECK(cudaEventCreate(&done));
CUDA_CHECK(cudaEventRecord(done));
CUDA_CHECK(cudaEventSynchronize(done));
CUDA_CHECK(cudaMemcpy(row, sums_of_squares, (sweep_count + 1) * sizeof *row, cudaMemcpyDeviceToHost));
// END(0)
