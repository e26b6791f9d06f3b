// 01/host: the caller's memory on the device is lost
// The device is reset at the end, and with it everything that the caller has there.
// INSTEAD OF: CUDA_CHECK(cudaFree(device_f));
CUDA_CHECK(cudaFree(device_f));
CUDA_CHECK(cudaDeviceReset());
// END(6)
