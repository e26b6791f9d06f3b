// 06/fused: is it written to the array whose old values other threads still read?
// p is overwritten while neighbours still need the old p.
// TODO(5): do nothing unless the state is RUNNING. (about 20 lines)
loop_state *s = l.state;
if (s->status != RUNNING)
  return;
const input direction = {l.p0, true, l.r, s->beta};
double *next = l.p0, sum = 0, curvature;
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
// INSTEAD OF: const input direction = {s->iteration % 2 ? l.p0 : l.p1, false};
const input direction = {l.p0, false};
// END(5)
