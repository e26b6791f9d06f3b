// 06/dot: pcg_dot: the call allocates or frees memory 2 times: expected never
// 06/ssor: ssor_apply: the call allocates or frees memory 2 times: expected never
// cudaFree waits for the device.
// INSTEAD OF: dot_kernel<<<blocks, THREADS>>>(n, x, y, partial);
double *spare = device_array<double>(1);
dot_kernel<<<blocks, THREADS>>>(n, x, y, partial);
CUDA_CHECK(cudaFree(spare));
// END(0)
// INSTEAD OF: ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, s, r, z);
double *spare = device_array<double>(1);
ssor_kernel<<<blocks, threads>>>(*g, BLACK, s, c, r, s, r, z);
CUDA_CHECK(cudaFree(spare));
// END(0)
