// 07/cycle: wait
// The host waits in each cycle.
// INSTEAD OF: cudaMemsetAsync(below->u, 0, below->n * below->n * sizeof *below->u, stream);
cudaMemsetAsync(below->u, 0, below->n * below->n * sizeof *below->u, stream);
  CUDA_CHECK(cudaStreamSynchronize(stream));
// END(0)
