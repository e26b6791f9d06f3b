// 04/float4_sectors: loads: 17.0 sectors per request, 4.0 would be enough: neighbouring lanes are 16 bytes apart
// at: other[
// No shuffle: every lane loads its fifth value, four bytes of a sector of 32.
// TODO(3): load four points; the lane at the end also loads its fifth value; then store. (about 24 lines)
const int jh = (blockIdx.x * LANES + threadIdx.x) * FOUR;
const int i = blockIdx.y * FLOAT4_Y + threadIdx.y + 1;
if (i >= ny - 1)
  return; // a warp lies in one row, and leaves as a whole
const int odd = (i + colour) & 1;
const int k = i * pitch + min(jh, pitch - FOUR); // lanes beyond the row take part in the shuffle
const float4 centre = load_four(other + k);
const float4 north = load_four(other + k - pitch), south = load_four(other + k + pitch);
const float fifth = other[odd ? k + FOUR : k - 1];
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
