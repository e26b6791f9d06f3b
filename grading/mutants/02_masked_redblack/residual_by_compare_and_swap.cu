// 02/residual: sums need a fixed order
// The threads of a block add by compare and swap, in the order of their arrival.
// TODO(3): each thread adds every SUM_THREADS-th column; then add their sums in pairs. (about 17 lines)
__shared__ unsigned long long bits;
const int i = blockIdx.x + 1, thread = threadIdx.x;
if (thread == 0)
  bits = 0;
__syncthreads();
double sum = 0;
for (int j = 1 + thread; j < nx - 1; j += SUM_THREADS) {
  const int k = i * nx + j;
  const double neighbours = (double)u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx];
  const double r = f[k] - (4.0 * u[k] - neighbours) * inv_h2;
  sum += r * r;
}
unsigned long long old = bits, seen;
do {
  seen = old;
  old = atomicCAS(&bits, seen, __double_as_longlong(__longlong_as_double(seen) + sum));
} while (old != seen);
__syncthreads();
if (thread == 0)
  row_sums[i - 1] = __longlong_as_double(bits);
// END(3)
