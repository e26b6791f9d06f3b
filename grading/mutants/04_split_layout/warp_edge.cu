// 04/float4: only near columns 256, 512, …, at the border of two warps (32 lanes × 4 points of a colour)
// The last lane of the warp has no neighbouring lane: the shuffle returns its own value.
// TODO(3): load four points; the lane at the end also loads its fifth value; then store. (about 24 lines)
const int jh = (blockIdx.x * LANES + threadIdx.x) * FOUR;
const int i = blockIdx.y * FLOAT4_Y + threadIdx.y + 1;
if (i >= ny - 1)
  return; // a warp lies in one row, and leaves as a whole
const int odd = (i + colour) & 1;
const int k = i * pitch + min(jh, pitch - FOUR); // lanes beyond the row take part in the shuffle
const float4 centre = load_four(other + k);
const float4 north = load_four(other + k - pitch), south = load_four(other + k + pitch);
const float fifth = fifth_of(centre, odd);
const float4 v = gs_four(odd, fifth, centre, north, south, load_four(h2f + k));
const int j = 2 * jh + odd;
if (0 < j && j + 2 * (FOUR - 1) < nx - 1) {
  store_four(u + k, v);
} else {
  const float values[FOUR] = {v.x, v.y, v.z, v.w};
  for (int n = 0; n < FOUR; n++)
    if (0 < j + 2 * n && j + 2 * n < nx - 1)
      u[k + n] = values[n];
}
// END(3)
