// 05/mixed: it equals corrections that all use the residual of the initial guess
// TODO(6): residual, norm, correct, until progress_add returns true. (about 9 lines)
if (const int part = residual(g, h2f, u, h2r))
  return part;
const double norm = norm_now(q, sor_elements(g), h2r);
for (int c = 0; !progress_add(p, norm); c++) {
  const int count = sweeps_before(p->control, c + 1) - sweeps_before(p->control, c);
  if (const int part = correct(g, omega, count, norm, h2r, source, e, u))
    return part;
}
return 0;
// END(6)
