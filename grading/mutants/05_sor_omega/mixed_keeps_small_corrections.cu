// 05/mixed: it equals corrections whose sweeps begin with the e of the last correction: set e to zero
// Sweeps begin with the last e as soon as the residual is small.
// INSTEAD OF: CUDA_CHECK(cudaMemsetAsync(e, 0, n * sizeof *e));
if (norm > 1e-8)
  CUDA_CHECK(cudaMemsetAsync(e, 0, n * sizeof *e));
// END(0)
