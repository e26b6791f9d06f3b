// Style: the kernel writes the sum to memory of cudaMallocHost at the host's own address; the host waits and reads it.
// WITH HEADERS
// INSTEAD OF: sor_squares(n, x, q->partial, q->sum + slot);
sor_squares(n, x, q->partial, q->arrived + slot);
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaMemcpyAsync(q->arrived + slot, q->sum + slot, sizeof(double), cudaMemcpyDeviceToHost));
// END(0)
