// 06/fused: limit reached after 22 iterations
// Stops one iteration before the limit.
// TODO(5): do nothing unless the state is RUNNING. (about 28 lines)
loop_state *s = l.state;
if (s->status != RUNNING)
  return;
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
else if (s->iteration + 1 >= s->limit)
  s->status = PCG_LIMIT;
// END(5)
