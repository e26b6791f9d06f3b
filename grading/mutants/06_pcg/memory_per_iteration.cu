// 06/cg: allocates or frees memory 64 times in 32 iterations
// INSTEAD OF: xpay_kernel<<<blocks, THREADS>>>(s->n, z, beta, p); // p = z + beta p
double *spare = device_array<double>(1);
xpay_kernel<<<blocks, THREADS>>>(s->n, z, beta, p); // p = z + beta p
CUDA_CHECK(cudaFree(spare));
// END(0)
