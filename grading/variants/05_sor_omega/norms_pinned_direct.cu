// Style: the sum is written to mapped memory by the kernel; the host waits for an event and reads it.
// WITH HEADERS
// INSTEAD OF: CUDA_CHECK(cudaMallocHost((void **)&q.arrived, NORM_SLOTS * sizeof(double)));
CUDA_CHECK(cudaHostAlloc((void **)&q.arrived, NORM_SLOTS * sizeof(double), cudaHostAllocMapped));
// END(0)
// INSTEAD OF: sor_squares(n, x, q->partial, q->sum + slot);
double *there;
CUDA_CHECK(cudaHostGetDevicePointer((void **)&there, q->arrived, 0));
sor_squares(n, x, q->partial, there + slot);
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMemcpyAsync(q->arrived + slot, q->sum + slot, sizeof(double), cudaMemcpyDeviceToHost));
// END(0)
