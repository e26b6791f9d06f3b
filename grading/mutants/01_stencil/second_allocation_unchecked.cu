// 01/host: apply_host: cudaMalloc fails, and the kernel was launched all the same, so the error is reported too late
// cudaGetLastError after the launch still reports it, but the kernel has already got a pointer that nobody has set.
// INSTEAD OF: CUDA_CHECK(cudaMalloc((void **)&device_f, bytes));
cudaMalloc((void **)&device_f, bytes);
// END(6)
