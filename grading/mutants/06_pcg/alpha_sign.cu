// 06/cg: look at A p, alpha, and the signs
// 06/bits: --limit 300
// 06/study: CG: expected 51 iterations, got 200
// r is moved with +alpha, as u is.
// TODO(2): Saad's algorithm 9.1 with solve_add and is_positive. (about 28 lines)
const tiles t = tiles_of(s->g, 2);
const int blocks = blocks_for(s->n, THREADS);
double square, rho, rho_old = 1, curvature;
if (const int part = residual(s))
  return part;
for (;; s->result->iterations++) {
  int part = host_dot(s, s->r, s->r, &square);
  if (part || solve_add(s, square))
    return part;
  part = precondition();                           // z = M⁻¹r
  part = part ? part : host_dot(s, s->r, z, &rho); // rho = r·z
  if (part || !is_positive(s, rho))
    return part;
  const double beta = s->result->iterations ? rho / rho_old : 0;
  xpay_kernel<<<blocks, THREADS>>>(s->n, z, beta, p);        // p = z + beta p
  apply_kernel<<<tiles_count(t), THREADS>>>(*s->g, t, p, q); // q = A p
  part = host_dot(s, p, q, &curvature);
  if (part || !is_positive(s, curvature))
    return part;
  const double alpha = rho / curvature;
  axpy_kernel<<<blocks, THREADS>>>(s->n, alpha, p, s->u); // u = u + alpha p
  axpy_kernel<<<blocks, THREADS>>>(s->n, alpha, q, s->r); // r = r − alpha A p
  rho_old = rho;
}
// END(2)
