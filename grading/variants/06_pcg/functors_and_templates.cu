// Style: helper functions and functors: SSOR by a functor for each source, red points as a function of black ones in
// the reduced operator.
// INSTEAD OF: // Part 3: z = s·r + c·(neighbours of factor·x) at the points of a colour.
struct stored {
  const double *x;
  __device__ double operator[](int k) const { return x[k]; }
};
struct scaled {
  double s;
  const double *x;
  __device__ double operator[](int k) const { return s * x[k]; }
};
template <int COLOUR, class Other>
__global__ void pass_kernel(pcg_grid g, double s, double c, const double *r, Other other, double *z) {
  const auto pass = [&](int i, int jh) {
    const int k = index_of(g, COLOUR, i, jh), there = index_of(g, 1 - COLOUR, i, jh),
              east = there + ((i + COLOUR) & 1);
    const double sum = ((other[east - 1] + other[east]) + other[there - g.pitch]) + other[there + g.pitch];
    z[k] = is_unknown(g, COLOUR, i, jh) ? s * r[k] + c * sum : 0;
  };
  const int row = blockIdx.y * WARPS + threadIdx.y, jh = blockIdx.x * WARP + threadIdx.x;
  if (row < g.ny - 2)
    pass(1 + row, jh);
}

// Part 3: z = s·r + c·(neighbours of factor·x) at the points of a colour.
// END(0)
// TODO(3): black from s·r, then red from z. (about 5 lines)
const double c = omega / g->diagonal, s = c * (2 - omega);
const dim3 blocks = blocks_of(g, 1), threads(WARP, WARPS);
pass_kernel<BLACK><<<blocks, threads>>>(*g, s, c, r, scaled{s, r}, z);
pass_kernel<RED><<<blocks, threads>>>(*g, s, c, r, stored{z}, z);
return 0;
// END(3)
// TODO(6): nine points of x, through the four red ones between. (about 20 lines)
const int shifted = (at.i + BLACK) & 1, pitch = g.pitch;
// C x at the red point in row i and column j; black points are asked for by row and column.
const auto black = [&](int i, int j) {
  return 0 < i && i < g.ny - 1 && 0 < j && j < g.nx - 1 ? one(x, i * pitch + j / 2) : 0.0;
};
const auto red = [&](int i, int j) {
  const bool inside = 0 < i && i < g.ny - 1 && 0 < j && j < g.nx - 1;
  return inside ? ((black(i, j - 1) + black(i, j + 1)) + black(i - 1, j)) + black(i + 1, j) : 0.0;
};
for (int m = 0; m < 2; m++) {
  const int i = at.i, j = 2 * (at.jh + m) + shifted;
  const double around = ((red(i, j - 1) + red(i, j + 1)) + red(i - 1, j)) + red(i + 1, j);
  result.at[m] = g.diagonal * own.at[m] - inv_diagonal * around;
}
// END(6)
