// 06/fused: is it written to the array whose old values other threads still read?
// p is overwritten while neighbours still need the old p.
// TODO(5): do nothing unless the state is RUNNING. (about 18 lines)
loop_state *s = l.state;
if (s->status != RUNNING)
  return;
const combined direction = {l.r, l.p0, s->beta};
double *next = l.p0, curvature;
const double sum = over_places(a.g, l.t, Operator::FIRST, [=](place at) {
  const int k = a.index(at);
  const pair p = direction.two(k), q = a.apply(at, p, direction);
  store(next + k, p);
  return (is_unknown(a.g, at, 0) ? p.at[0] * q.at[0] : 0) + (is_unknown(a.g, at, 1) ? p.at[1] * q.at[1] : 0);
});
if (!grid_sum(l, sum, &curvature))
  return;
if (!(curvature > 0 && isfinite(curvature)))
  s->status = isfinite(curvature) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
s->alpha = s->rho / curvature;
// END(5)
// INSTEAD OF: const stored direction = {s->iteration % 2 ? l.p0 : l.p1};
const stored direction = {l.p0};
// END(5)
