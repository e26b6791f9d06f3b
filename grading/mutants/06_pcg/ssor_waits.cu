// 06/ssor: the call must not wait
// The host waits for the first pass, which the second launch does anyway.
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
CUDA_CHECK(cudaDeviceSynchronize());
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, RED, s, c, r, stored{z}, z);
// END(3)
