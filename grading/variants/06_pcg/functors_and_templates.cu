// Style: helper functions and functors: SSOR by two functors, red points as a function of black ones in the
// reduced operator.
// TODO(3): zero at boundary and padding. (about 8 lines)
struct pass {
  pcg_grid g;
  double s, c;
  const double *r;
  Other other;
  double *z;
  __device__ void operator()(place at) const {
    const int k = index_of(g, at);
    const pair own = load(r + k), sum = neighbours(g, at, other);
    const double first = is_unknown(g, at, 0) ? s * own.at[0] + c * sum.at[0] : 0;
    const double second = is_unknown(g, at, 1) ? s * own.at[1] + c * sum.at[1] : 0;
    store(z + k, {{first, second}});
  }
};
for_places(g, t, colour, pass{g, s, c, r, other, z});
// END(3)
// TODO(3): black from s·r, then red from z. (about 5 lines)
const double c = omega / g->diagonal, s = c * (2 - omega);
const tiles t = tiles_of(g, 1);
const int blocks = min(tiles_count(t), 2 * LOOP_BLOCKS);
ssor_kernel<scaled><<<blocks, THREADS>>>(*g, t, BLACK, s, c, r, {s, r}, z);
ssor_kernel<stored><<<blocks, THREADS>>>(*g, t, RED, s, c, r, {z}, z);
return 0;
// END(3)
// TODO(6): nine points of x, through the four red ones between. (about 22 lines)
const int shifted = (at.i + BLACK) & 1, pitch = g.pitch;
// C x at the red point in row i and column j; black points are asked for by row and column.
const auto black = [&](int i, int j) {
  return 0 < i && i < g.ny - 1 && 0 < j && j < g.nx - 1 ? x.one(i * pitch + j / 2) : 0.0;
};
const auto red = [&](int i, int j) {
  const bool inside = 0 < i && i < g.ny - 1 && 0 < j && j < g.nx - 1;
  return inside ? ((black(i, j - 1) + black(i, j + 1)) + black(i - 1, j)) + black(i + 1, j) : 0.0;
};
pair result;
for (int m = 0; m < 2; m++) {
  const int i = at.i, j = 2 * (at.jh + m) + shifted;
  const double around = ((red(i, j - 1) + red(i, j + 1)) + red(i - 1, j)) + red(i + 1, j);
  result.at[m] = g.diagonal * own.at[m] - inv_diagonal * around;
}
return result;
// END(6)
