// 06/dot: 1 value of the result is copied from the host
// The result goes by way of the host.
// INSTEAD OF: dot_finish_kernel<<<1, THREADS>>>(blocks, partial, result);
double sum;
dot_finish_kernel<<<1, THREADS>>>(blocks, partial, result);
CUDA_CHECK(cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost));
CUDA_CHECK(cudaMemcpy(result, &sum, sizeof sum, cudaMemcpyHostToDevice));
// END(1)
