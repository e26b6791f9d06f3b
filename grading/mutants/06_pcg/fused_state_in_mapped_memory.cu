// 06/fused: launches write to mapped memory of the host
// The state of the loop is in mapped memory: each kernel reads and writes it across the bus.
// WITH HEADERS
// INSTEAD OF: l.state = device_array<loop_state>(1);
CUDA_CHECK(cudaHostAlloc((void **)&l.state, sizeof *l.state, cudaHostAllocMapped));
// END(0)
// INSTEAD OF: CUDA_CHECK(cudaFree(l.state));
CUDA_CHECK(cudaFreeHost(l.state));
// END(0)
