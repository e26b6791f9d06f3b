// 01/host: apply_host: the copy after the launch fails, and the program continued: expected CUDA_CHECK around each call
// INSTEAD OF: CUDA_CHECK(cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost);
// END(6)
