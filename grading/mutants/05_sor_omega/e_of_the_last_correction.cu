// 05/mixed: it equals corrections whose sweeps begin with the e of the last correction
// e is zero before the first correction alone.
// INSTEAD OF: CUDA_CHECK(cudaMemsetAsync(e, 0, n * sizeof *e));

// END(0)
