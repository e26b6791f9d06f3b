// 06/reduced: it is relative to the norm of h2f at the black points
// Residuals are relative to the norm of h2f at the black points.
// INSTEAD OF: CUDA_CHECK(cudaMemset(s.r, 0, half * sizeof *s.r));
CUDA_CHECK(cudaMemset(s.r, 0, half * sizeof *s.r));
double fb = 0;
host_dot(&s, h2f, h2f, &fb);
control.dot(half, h2f + half, h2f + half, s.partial, s.sum);
CUDA_CHECK(cudaMemcpy(&fb, s.sum, sizeof fb, cudaMemcpyDeviceToHost));
s.f_norm = sqrt(fb);
// END(0)
