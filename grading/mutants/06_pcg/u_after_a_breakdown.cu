// 06/cg: after a breakdown, u is the result of that iteration
// 06/fused: p·Ap overflows
// u moves before p·Ap is looked at; and where p·Ap is infinite, the status is that of a breakdown.
// INSTEAD OF: axpy_kernel<<<blocks, THREADS>>>(s->n, alpha, p, s->u);  // u = u + alpha p
// END(0)
// INSTEAD OF: s->status = isfinite(curvature) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
s->status = PCG_BREAKDOWN;
// END(0)
// INSTEAD OF: if (part || !is_positive(s, curvature))
if (!part)
  axpy_kernel<<<blocks, THREADS>>>(s->n, rho / curvature, p, s->u);
if (part || !is_positive(s, curvature))
// END(0)
