// 07/cycle: waits for the device 15 times in 3 calls
// The host waits in each cycle.
// INSTEAD OF: cudaMemsetAsync(below->u, 0, below->n * below->n * sizeof *below->u, stream);
cudaMemsetAsync(below->u, 0, below->n * below->n * sizeof *below->u, stream);
CUDA_CHECK(cudaStreamSynchronize(stream));
// END(0)
