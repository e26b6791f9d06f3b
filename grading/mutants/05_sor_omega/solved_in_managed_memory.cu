// 05/solve: bytes of the host go to the device, by copies or in managed memory
// The solver's sweeps and norms are loops on the host in managed memory; kernels copy u there and back, and the
// others do nothing.
// clang-format off
// INSTEAD OF: enum { SWEEP_X = 32, SWEEP_Y = 8 };
enum { SWEEP_X = 32, SWEEP_Y = 8 };

__global__ void move_kernel(int n, const double *first, const double *second, double *to, double *to_second) {
  const int k = blockIdx.x * 256 + threadIdx.x;
  if (k < n)
    to[k] = first[k], to_second[k] = second[k];
}

// On the host: point(own, sum) for all unknowns of a colour; x: u and h2f.
template <class Point>
inline void all_points(const sor_grid *g, int colour, double *x, Point point) {
  const int n = sor_elements(g), half = n / 2;
  for (int i = 1; i < g->ny - 1; i++)
    for (int jh = 0; jh < g->pitch; jh++) {
      const int odd = (i + colour) & 1, j = 2 * jh + odd, k = i * g->pitch + jh;
      const double *o = x + (1 - colour) * half + k;
      if (0 < j && j < g->nx - 1)
        point(x[colour * half + k], ((o[odd - 1] + o[odd]) + o[-g->pitch]) + o[g->pitch] + x[n + colour * half + k]);
    }
}
// END(0)
// TODO(4): norms_wait for one residual while the device is busy with the next stretch. (about 14 lines)
const int n = sor_elements(g);
double *x;
(void)q;
CUDA_CHECK(cudaMallocManaged((void **)&x, 2 * (size_t)n * sizeof *x));
move_kernel<<<blocks_for(n, 256), 256>>>(n, u, h2f, x, x + n);
for (int c = 0;; c++) {
  double square = 0;
  for (int colour = 0; colour < 2; colour++)
    all_points(g, colour, x, [&](double own, double sum) { square += (sum - g->diagonal * own) * (sum - g->diagonal * own); });
  if (progress_add(p, sqrt(square)))
    break;
  for (int m = 2 * sweeps_before(p->control, c); m < 2 * sweeps_before(p->control, c + 1); m++) {
    move_kernel<<<1, 1>>>(0, u, h2f, x, x);
    all_points(g, m % 2, x, [&](double &own, double sum) { own = (1 - omega) * own + omega * (sum * g->inv_diagonal); });
  }
}
move_kernel<<<blocks_for(n, 256), 256>>>(n, x, x, u, h2r);
CUDA_CHECK(cudaFree(x));
return 0;
// END(4)
