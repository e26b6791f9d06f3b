// 01/host: apply_host: the copy before the launch fails, and the kernel was launched all the same
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice);
// END(6)
