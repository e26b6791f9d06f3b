// 07/cycle: recorded as a CUDA graph
// The coarser level is cleared in the default stream.
// INSTEAD OF: cudaMemsetAsync(below->u, 0, below->n * below->n * sizeof *below->u, stream);
CUDA_CHECK(cudaMemset(below->u, 0, below->n * below->n * sizeof *below->u));
// END(0)
