// 06/fused: the device is idle while the host waits
// The host waits for a stretch before it launches the next one.
// WITH HEADERS
// INSTEAD OF: CUDA_CHECK(cudaGraphLaunch(stretch, stream));
CUDA_CHECK(cudaGraphLaunch(stretch, stream));
while (cudaStreamQuery(stream) == cudaErrorNotReady) {
}
// END(0)
