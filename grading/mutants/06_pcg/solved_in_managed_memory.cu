// 06/cg: bytes of the host go to the device, by copies or in managed memory
// Conjugate gradients by loops on the host; kernels copy to managed memory and back, or work on vectors
// that nobody reads.
// clang-format off
// INSTEAD OF: enum { RED, BLACK };
enum { RED, BLACK };
__global__ void move_kernel(int n, const double *first, const double *second, double *to, double *to_second) {
  const int k = blockIdx.x * 256 + threadIdx.x;
  if (k < n)
    to[k] = first[k], to_second[k] = second[k];
}
// END(0)
// TODO(2): Saad's algorithm 9.1 with multiply, solve_add and is_positive. (about 24 lines)
const pcg_grid *g = s->g;
const int n = s->n, half = g->ny * g->pitch;
double *managed, *all = new double[5 * (size_t)n](), *u = all, *f = all + n, *r = f + n, *d = r + n, *a = d + n;
CUDA_CHECK(cudaMallocManaged((void **)&managed, 2 * (size_t)n * sizeof *managed));
move_kernel<<<blocks_for(n, 256), 256>>>(n, s->u, s->h2f, managed, managed + n);
CUDA_CHECK(cudaDeviceSynchronize());
for (int k = 0; k < 2 * n; k++)
  all[k] = managed[k];
const auto apply = [&](const double *x, double *y) {
  for (int colour = 0; colour < 2; colour++)
    for (int i = 1; i < g->ny - 1; i++)
      for (int jh = 0; jh < g->pitch; jh++) {
        const int odd = (i + colour) & 1, j = 2 * jh + odd, k = i * g->pitch + jh;
        const double *o = x + (1 - colour) * half + k;
        if (0 < j && j < g->nx - 1)
          y[colour * half + k] =
              g->diagonal * x[colour * half + k] - (o[odd - 1] + o[odd] + o[-g->pitch] + o[g->pitch]);
      }
};
const auto dot = [&](const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[k] * y[k];
  return sum;
};
double rho = 0, rho_old = 1;
(void)z;
apply(u, a);
for (int k = 0; k < n; k++)
  r[k] = f[k] - a[k];
for (;; s->result->iterations++) {
  if (solve_add(s, dot(r, r)))
    break;
  apply_kernel<<<blocks_of(s->g, 2), dim3(WARP, WARPS)>>>(*s->g, p, q);
  apply_kernel<<<blocks_of(s->g, 2), dim3(WARP, WARPS)>>>(*s->g, p, q);
  rho = dot(r, r);
  if (!is_positive(s, rho))
    break;
  for (int k = 0; k < n; k++)
    d[k] = r[k] + (s->result->iterations ? rho / rho_old : 0) * d[k];
  apply(d, a);
  const double curvature = dot(d, a);
  if (!is_positive(s, curvature))
    break;
  for (int k = 0; k < n; k++)
    u[k] += rho / curvature * d[k], r[k] -= rho / curvature * a[k];
  rho_old = rho;
}
for (int k = 0; k < n; k++)
  managed[k] = u[k];
move_kernel<<<blocks_for(n, 256), 256>>>(n, managed, managed, s->u, q);
CUDA_CHECK(cudaFree(managed));
delete[] all;
return 0;
// END(2)
