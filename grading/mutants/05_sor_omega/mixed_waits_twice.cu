// 05/mixed: expected once in each, for the norm
// The host waits for the correction, too.
// INSTEAD OF: correct_kernel<<<blocks, SUM_THREADS>>>(n, norm, e, u);
correct_kernel<<<blocks, SUM_THREADS>>>(n, norm, e, u);
CUDA_CHECK(cudaDeviceSynchronize());
// END(6)
