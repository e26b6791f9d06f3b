// Style: calculators of a warp as 4 × 8, fragments by outer products over r, loads by __ldg, the tile of A
// filled by columns.
// INSTEAD OF: me.c_row = threadIdx.x / CALCULATORS * FOUR;
me.c_row = (threadIdx.x / LANES / 2 * 4 + threadIdx.x % LANES / 8) * FOUR;
// END(0)
// INSTEAD OF: me.c_column = threadIdx.x % CALCULATORS * FOUR; // neighbouring threads read neighbouring 16 bytes
me.c_column = (threadIdx.x / LANES % 2 * 8 + threadIdx.x % 8) * FOUR;
// END(0)
// TODO(4): one float4, or four floats. (about 9 lines)
const float *p = matrix + (size_t)row * columns + column;
if (row >= rows || column >= columns)
  return v;
if (ALIGNED)
  return __ldg(reinterpret_cast<const float4 *>(p));
v.x = __ldg(p);
if (column + 1 < columns)
  v.y = __ldg(p + 1);
if (column + 2 < columns)
  v.z = __ldg(p + 2);
if (column + 3 < columns)
  v.w = __ldg(p + 3);
// END(4)
// TODO(4): into columns a_row of four rows. (4 lines)
float *column = &tiles.a[me.a_column][me.a_row];
const float values[FOUR] = {v.x, v.y, v.z, v.w};
for (int n = 0; n < FOUR; n++, column += TILE + 4)
  *column = values[n];
// END(4)
// TODO(4): for each k eight entries of each tile and 64 fmaf, all loops unrolled. (about 14 lines)
#pragma unroll
for (int k = 0; k < TILE_K; k++) {
  const float4 above = load_four(tiles.a[k] + me.c_row), below = load_four(tiles.a[k] + me.c_row + HALF_TILE);
  const float4 left = load_four(tiles.b[k] + me.c_column),
               right = load_four(tiles.b[k] + me.c_column + HALF_TILE);
  const float a[8] = {above.x, above.y, above.z, above.w, below.x, below.y, below.z, below.w};
  const float b[8] = {left.x, left.y, left.z, left.w, right.x, right.y, right.z, right.w};
#pragma unroll
  for (int c = 0; c < 8; c++)
#pragma unroll
    for (int r = 0; r < 8; r++)
      sums[r][c] = __fmaf_rn(a[r], b[c], sums[r][c]);
}
// END(4)
