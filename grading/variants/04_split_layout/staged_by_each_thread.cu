// Style: cp.async copies to a place that the thread alone reads; the thread then stores it in the tile, which all read.
// TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 16 lines)
__shared__ ::tiles tiles[2];
__shared__ float4 own[TILE_THREADS];
float sums[8][8] = {};
const auto fetch = [&](int k) {
  const int row = k + b_row(), column = blockIdx.x * TILE + b_column();
  for (int n = 0; n < FOUR; n += ALIGNED ? FOUR : 1) {
    const bool inside = row < p.k && column + n < p.n;
    const size_t bytes = (ALIGNED ? FOUR : 1) * sizeof(float);
    __pipeline_memcpy_async((float *)&own[threadIdx.x] + n, inside ? p.b + row * p.n + column + n : p.b,
                            bytes, inside ? 0 : bytes);
  }
  __pipeline_commit();
};
fetch(0);
put_a(tiles[0], load_a<ALIGNED>(p, 0));
__pipeline_wait_prior(0);
put_b(tiles[0], own[threadIdx.x]);
__syncthreads();
#pragma unroll 2
for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 1) {
  fetch(k + TILE_K);
  const float4 a = load_a<ALIGNED>(p, k + TILE_K);
  calculate(tiles[now], sums);
  put_a(tiles[!now], a);
  __pipeline_wait_prior(0);
  put_b(tiles[!now], own[threadIdx.x]);
  __syncthreads();
}
store_sums<ALIGNED>(p, sums);
// END(5)
