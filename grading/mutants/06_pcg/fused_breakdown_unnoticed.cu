// 06/fused: a negative operator
// p·Ap is divided by, whatever its sign.
// TODO(5): do nothing unless the state is RUNNING. (about 18 lines)
loop_state *s = l.state;
if (s->status != RUNNING)
  return;
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
s->alpha = s->rho / curvature;
// END(5)
