// 06/fused: u after 23 iterations, first wrong value at
// The kernels queued after the last iteration still change u.
// TODO(5): do nothing unless the state is RUNNING. (about 30 lines)
loop_state *s = l.state;
const input direction = {s->iteration % 2 ? l.p0 : l.p1, false};
const double alpha = s->alpha;
double sum = 0, square;
place at;
for (int tile = blockIdx.x; tile < l.tiles; tile += gridDim.x) {
  if (!find_place<REDUCED>(g, l, tile, &at))
    continue;
  const pair p = two(direction, at.k), q = product<REDUCED>(g, l, at, p, direction);
  pair u = load(l.u + at.k), r = load(l.r + at.k);
  for (int m = 0; m < 2; m++) {
    u.at[m] += alpha * p.at[m];
    r.at[m] = is_unknown(g, at.colour, at.i, at.jh + m) ? r.at[m] - alpha * q.at[m] : 0;
  }
  store(l.u + at.k, u);
  store(l.r + at.k, r);
  sum += r.at[0] * r.at[0] + r.at[1] * r.at[1];
}
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
// TODO(5): do nothing unless the state is RUNNING. (about 20 lines)
loop_state *s = l.state;
const bool odd = s->iteration % 2;
const input direction = {odd ? l.p1 : l.p0, true, l.r, s->beta};
double *next = odd ? l.p0 : l.p1, sum = 0, curvature;
place at;
for (int tile = blockIdx.x; tile < l.tiles; tile += gridDim.x) {
  if (!find_place<REDUCED>(g, l, tile, &at))
    continue;
  const pair p = two(direction, at.k), q = product<REDUCED>(g, l, at, p, direction);
  store(next + at.k, p);
  sum += (is_unknown(g, at.colour, at.i, at.jh) ? p.at[0] * q.at[0] : 0) +
         (is_unknown(g, at.colour, at.i, at.jh + 1) ? p.at[1] * q.at[1] : 0);
}
if (!grid_sum(l, sum, &curvature))
  return;
if (!(curvature > 0 && isfinite(curvature)))
  s->status = isfinite(curvature) ? PCG_BREAKDOWN : PCG_NOT_FINITE;
s->alpha = s->rho / curvature;
// END(5)
