// 04/float4_bandwidth: multiprocessors are idle
// Correct, but a column of blocks has one block, which walks down all rows.
// TODO(3): load four points; the lane at the end also loads its fifth value; then store. (about 24 lines)
const int jh = (blockIdx.x * LANES + threadIdx.x) * FOUR;
for (int i = threadIdx.y + 1; i < ny - 1; i += FLOAT4_Y) {
  const int odd = (i + colour) & 1;
  const int k = i * pitch + min(jh, pitch - FOUR); // lanes beyond the row take part in the shuffle
  const float4 centre = load_four(other + k);
  const float4 north = load_four(other + k - pitch), south = load_four(other + k + pitch);
  float fifth = fifth_of(centre, odd);
  if (threadIdx.x == (odd ? LANES - 1 : 0))
    fifth = other[odd ? k + FOUR : k - 1];
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
}
// END(3)
// TODO(3): launch it. (about 4 lines)
const dim3 block(LANES, FLOAT4_Y);
float4_kernel<<<blocks_for((nx + 1) / 2, WARP_POINTS), block>>>(nx, ny, pitch, colour, h2f, other, u);
return 0;
// END(3)
