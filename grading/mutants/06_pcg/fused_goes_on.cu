// 06/fused: u after 23 iterations, first wrong value at
// The kernels queued after the last iteration still change u.
// TODO(5): do nothing unless the state is RUNNING. (about 28 lines)
loop_state *s = l.state;
const stored direction = {s->iteration % 2 ? l.p0 : l.p1};
const double alpha = s->alpha;
double square;
const double sum = over_places(a.g, l.t, Operator::FIRST, [=](place at) {
  const int k = a.index(at);
  const pair p = direction.two(k), q = a.apply(at, p, direction);
  pair u = load(l.u + k), r = load(l.r + k);
  for (int m = 0; m < 2; m++) {
    u.at[m] += alpha * p.at[m];
    r.at[m] = is_unknown(a.g, at, m) ? r.at[m] - alpha * q.at[m] : 0;
  }
  store(l.u + k, u);
  store(l.r + k, r);
  return r.at[0] * r.at[0] + r.at[1] * r.at[1];
});
if (!grid_sum(l, sum, &square))
  return;
l.squares[s->iteration % l.check_every] = square;
s->iteration++;
s->beta = square / s->rho;
s->rho = square;
if (!isfinite(square))
  s->status = PCG_NOT_FINITE;
else if (square <= s->enough)
  s->status = PCG_CONVERGED;
else if (s->iteration >= s->limit)
  s->status = PCG_LIMIT;
// END(5)
// TODO(5): do nothing unless the state is RUNNING. (about 18 lines)
loop_state *s = l.state;
const bool odd = s->iteration % 2;
const combined direction = {l.r, odd ? l.p1 : l.p0, s->beta};
double *next = odd ? l.p0 : l.p1, curvature;
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
