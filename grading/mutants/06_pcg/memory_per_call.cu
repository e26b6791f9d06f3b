// 06/dot: pcg_dot: the call allocates or frees memory 2 times: expected never
// 06/ssor: ssor_apply: the call allocates or frees memory 2 times: expected never
// cudaFree waits for the device.
// INSTEAD OF: dot_kernel<<<blocks, THREADS>>>(n, x, y, partial);
double *spare = device_array<double>(1);
dot_kernel<<<blocks, THREADS>>>(n, x, y, partial);
CUDA_CHECK(cudaFree(spare));
// END(0)
// INSTEAD OF: ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
double *spare = device_array<double>(1);
ssor_kernel<<<tiles_count(t), THREADS>>>(*g, t, BLACK, s, c, r, scaled{s, r}, z);
CUDA_CHECK(cudaFree(spare));
// END(0)
