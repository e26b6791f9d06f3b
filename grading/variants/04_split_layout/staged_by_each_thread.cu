// Style: cp.async copies to a place that the thread alone reads; the thread then stores it in the tile, which all read.
// TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 18 lines)
__shared__ ::tiles tiles[2];
__shared__ float4 own[TILE_THREADS];
const places me = my_places();
const int a_row = blockIdx.y * TILE + me.a_row;
float sums[8][8] = {};
const auto fetch = [&](int k) {
  const int row = k + me.b_row, column = blockIdx.x * TILE + me.b_column;
  for (int n = 0; n < FOUR; n += ALIGNED ? FOUR : 1) {
    const bool inside = row < p.k && column + n < p.n;
    const size_t bytes = (ALIGNED ? FOUR : 1) * sizeof(float);
    __pipeline_memcpy_async((float *)&own[threadIdx.x] + n, inside ? p.b + row * p.n + column + n : p.b,
                            bytes, inside ? 0 : bytes);
  }
  __pipeline_commit();
};
fetch(0);
put_a(tiles[0], me, load_entries<ALIGNED>(p.a, p.m, p.k, a_row, me.a_column));
__pipeline_wait_prior(0);
*reinterpret_cast<float4 *>(&tiles[0].b[me.b_row][me.b_column]) = own[threadIdx.x];
__syncthreads();
#pragma unroll 2
for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 1) {
  fetch(k + TILE_K);
  const float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, a_row, k + TILE_K + me.a_column);
  calculate(tiles[now], me, sums);
  put_a(tiles[!now], me, a);
  __pipeline_wait_prior(0);
  *reinterpret_cast<float4 *>(&tiles[!now].b[me.b_row][me.b_column]) = own[threadIdx.x];
  __syncthreads();
}
store_sums<ALIGNED>(p, me, sums);
// END(5)
