// 05/sequential: it equals a Jacobi sweep, in which all x_j are those from before the sweep
// A thread for each unknown: they all use old values.
// TODO(1): all sweeps over all unknowns, by one thread. (about 7 lines)
const int i = threadIdx.x;
for (int sweep = 0; sweep < sweeps; sweep++) {
  double s = b[i];
  for (int j = 0; j < n; j++)
    if (j != i)
      s -= a[i * n + j] * x[j];
  __syncthreads();
  x[i] = (1 - omega) * x[i] + omega * (s / a[i * n + i]);
  __syncthreads();
}
// END(1)
// TODO(1): launch sequential_kernel. (2 lines)
sequential_kernel<<<1, n>>>(n, a, b, omega, sweeps, x);
return 0;
// END(1)
