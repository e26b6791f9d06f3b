// 06/cg: no kernel does the work: 0.0 floating-point operations
// Conjugate gradients by loops on the host, from cudaMemcpy to cudaMemcpy.
// TODO(2): Saad's algorithm 9.1 with multiply, solve_add and is_positive. (about 24 lines)
const pcg_grid *g = s->g;
const int n = s->n, half = g->ny * g->pitch;
double *all = new double[5 * (size_t)n](), *u = all, *f = all + n, *r = f + n, *d = r + n, *a = d + n;
double *zz = new double[n]();
CUDA_CHECK(cudaMemcpy(u, s->u, n * sizeof *u, cudaMemcpyDeviceToHost));
CUDA_CHECK(cudaMemcpy(f, s->h2f, n * sizeof *f, cudaMemcpyDeviceToHost));
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
int part = 0;
(void)p, (void)q;
apply(u, a);
for (int k = 0; k < n; k++)
  r[k] = f[k] - a[k];
for (;; s->result->iterations++) {
  if (solve_add(s, dot(r, r)))
    break;
  CUDA_CHECK(cudaMemcpy(s->r, r, n * sizeof *r, cudaMemcpyHostToDevice));
  part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0;
  CUDA_CHECK(cudaMemcpy(zz, z, n * sizeof *zz, cudaMemcpyDeviceToHost));
  rho = dot(r, zz);
  if (part || !is_positive(s, rho))
    break;
  for (int k = 0; k < n; k++)
    d[k] = zz[k] + (s->result->iterations ? rho / rho_old : 0) * d[k];
  apply(d, a);
  const double curvature = dot(d, a);
  if (!is_positive(s, curvature))
    break;
  for (int k = 0; k < n; k++)
    u[k] += rho / curvature * d[k], r[k] -= rho / curvature * a[k];
  rho_old = rho;
}
CUDA_CHECK(cudaMemcpy(s->u, u, n * sizeof *u, cudaMemcpyHostToDevice));
delete[] zz;
delete[] all;
return part;
// END(2)
