// 06/cg: does r start as h2f?
// The initial guess is ignored.
// INSTEAD OF: if (const int part = residual(s))
CUDA_CHECK(cudaMemcpy(s->r, s->h2f, s->n * sizeof(double), cudaMemcpyDeviceToDevice));
if (const int part = 0)
// END(0)
