// 06/cg: is each iteration counted in result->iterations?
// A local counter, for beta alone.
// TODO(2): Saad's algorithm 9.1 with multiply, solve_add and is_positive. (about 24 lines)
const int blocks = blocks_for(s->n, THREADS);
double square, rho, rho_old = 1, curvature;
if (const int part = residual(s))
  return part;
for (int iteration = 0;; iteration++) {
  int part = host_dot(s, s->r, s->r, &square);
  if (part || solve_add(s, square))
    return part;
  part = omega > 0 ? ssor_apply(s->g, omega, s->r, z) : 0;
  part = part ? part : host_dot(s, s->r, z, &rho);
  if (part || !is_positive(s, rho))
    return part;
  xpay_kernel<<<blocks, THREADS>>>(s->n, z, iteration ? rho / rho_old : 0, p);
  multiply(s, p, q);
  part = host_dot(s, p, q, &curvature);
  if (part || !is_positive(s, curvature))
    return part;
  axpy_kernel<<<blocks, THREADS>>>(s->n, rho / curvature, p, s->u);
  axpy_kernel<<<blocks, THREADS>>>(s->n, -rho / curvature, q, s->r);
  rho_old = rho;
}
// END(2)
