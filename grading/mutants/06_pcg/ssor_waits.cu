// 06/ssor: the call must not wait
// The host waits for the first pass, which the second launch does anyway.
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
CUDA_CHECK(cudaDeviceSynchronize());
ssor_kernel<<<blocks, threads>>>(*g, RED, s, c, r, 1, z, z);
// END(3)
