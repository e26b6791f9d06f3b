// 05/mixed: half-sweeps in double
// The correction is swept in double and rounded to float before it is added.
// TODO(6): narrow, sweep from e = 0, correct. (about 9 lines)
const int n = sor_elements(g), blocks = blocks_for(n, SUM_THREADS);
double *error = device_array<double>(n);
const int part = sweeps(g, omega, count, h2r, error);
narrow_kernel<<<blocks, SUM_THREADS>>>(n, norm, error, e);
correct_kernel<<<blocks, SUM_THREADS>>>(n, norm, e, u);
(void)source;
CUDA_CHECK(cudaFree(error));
return part;
// END(6)
