// Style: three tiles in turn in the pipeline instead of two.
// clang-format off
// INSTEAD OF: template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS, 2) pipelined_kernel(product p) {
template <bool ALIGNED> __global__ void __launch_bounds__(TILE_THREADS) pipelined_kernel(product p) {
// END(0)
  // TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 18 lines)
  enum { STAGES = 3 };
  __shared__ tiles stage[STAGES];
  const places me = my_places();
  const int row = blockIdx.y * TILE + me.a_row;
  float sums[8][8] = {};
  for (int s = 0; s < STAGES - 1; s++) {
    copy_b<ALIGNED>(p, me, s * TILE_K, stage[s]);
    put_a(stage[s], me, load_entries<ALIGNED>(p.a, p.m, p.k, row, s * TILE_K + me.a_column));
  }
  int now = 0;
  for (int k = 0; k < p.k; k += TILE_K) {
    const int next = (now + STAGES - 1) % STAGES;
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads(); // the tile of now is there, and nobody uses that of next any more
    copy_b<ALIGNED>(p, me, k + (STAGES - 1) * TILE_K, stage[next]);
    const float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, k + (STAGES - 1) * TILE_K + me.a_column);
    calculate(stage[now], me, sums);
    put_a(stage[next], me, a);
    now = (now + 1) % STAGES;
  }
  store_sums<ALIGNED>(p, me, sums);
  // END(5)
