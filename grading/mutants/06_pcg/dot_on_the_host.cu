// 06/dot: no kernel was launched
// Both vectors are copied to the host, which adds in the stated order.
// TODO(1): launch both. (about 5 lines)
double *a = new double[2 * (size_t)n + 262144](), *b = a + n, *of = b + n;
CUDA_CHECK(cudaMemcpy(a, x, n * sizeof *a, cudaMemcpyDeviceToHost));
CUDA_CHECK(cudaMemcpy(b, y, n * sizeof *b, cudaMemcpyDeviceToHost));
double total = 0;
for (int k = 0; k < n; k++)
  total += a[k] * b[k];
(void)of, (void)partial;
CUDA_CHECK(cudaMemcpy(result, &total, sizeof total, cudaMemcpyHostToDevice));
delete[] a;
return 0;
// END(1)
