// Style: tiles of 64 × 64 entries, 16 terms deep; a calculator owns 4 × 4 entries.
// INSTEAD OF: enum { TILE = 128, TILE_K = 8, TILE_THREADS = 256, CALCULATORS = 16, HALF_TILE = TILE / 2 };
enum { TILE = 64, TILE_K = 16, TILE_THREADS = 256, CALCULATORS = 16, OWN = 4 };
// END(0)
// INSTEAD OF: me.a_row = threadIdx.x / 2; // neighbouring threads share a row
me.a_row = threadIdx.x / (2 * LANES) * CALCULATORS + threadIdx.x % LANES / 2;
// END(0)
// INSTEAD OF: me.a_column = threadIdx.x % 2 * FOUR;
me.a_column = (threadIdx.x / LANES % 2 * 2 + threadIdx.x % 2) * FOUR;
// END(0)
// INSTEAD OF: me.b_row = threadIdx.x / LANES; // a warp has one row
me.b_row = threadIdx.x / CALCULATORS;
// END(0)
// INSTEAD OF: me.b_column = threadIdx.x % LANES * FOUR;
me.b_column = threadIdx.x % CALCULATORS * FOUR;
// END(0)
// INSTEAD OF: inline __device__ void calculate(const tiles &tiles, const places &me, float (&sums)[8][8]) {
inline __device__ void calculate(const tiles &tiles, const places &me, float (&sums)[OWN][OWN]) {
// END(0)
// TODO(4): for each k eight entries of each tile and 64 fmaf, all loops unrolled. (about 14 lines)
#pragma unroll
  for (int k = 0; k < TILE_K; k++) {
    float a[OWN], b[OWN];
    store_four(a, load_four(&tiles.a[k][me.c_row]));
    store_four(b, load_four(&tiles.b[k][me.c_column]));
#pragma unroll
    for (int r = 0; r < OWN; r++)
#pragma unroll
      for (int c = 0; c < OWN; c++)
        sums[r][c] = fmaf(a[r], b[c], sums[r][c]);
  }
  // END(4)
  // INSTEAD OF: inline __device__ void store_sums(const product &p, const places &me, const float (&sums)[8][8]) {
  inline __device__ void store_sums(const product &p, const places &me, const float(&sums)[OWN][OWN]) {
// END(0)
// TODO(4): eight rows of two times four entries; none outside C. (about 16 lines)
#pragma unroll
    for (int r = 0; r < OWN; r++) {
      const int row = blockIdx.y * TILE + me.c_row + r, column = blockIdx.x * TILE + me.c_column;
      if (row >= p.m)
        continue;
      if (ALIGNED && column < p.n)
        store_four(p.c + row * p.n + column, load_four(sums[r]));
      for (int n = 0; !ALIGNED && n < FOUR; n++)
        if (column + n < p.n)
          p.c[row * p.n + column + n] = sums[r][n];
    }
    // END(4)
    // TODO(4): tile by tile: put, barrier, load the next, calculate, barrier; then store. (about 16 lines)
    __shared__ tiles tiles;
    const places me = my_places();
    const int row = blockIdx.y * TILE + me.a_row, column = blockIdx.x * TILE + me.b_column;
    float sums[OWN][OWN] = {};
    float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, me.a_column);
    float4 b = load_entries<ALIGNED>(p.b, p.k, p.n, me.b_row, column);
    for (int k = 0; k < p.k; k += TILE_K) {
      put_a(tiles, me, a);
      store_four(&tiles.b[me.b_row][me.b_column], b);
      __syncthreads();
      a = load_entries<ALIGNED>(p.a, p.m, p.k, row, k + TILE_K + me.a_column);
      b = load_entries<ALIGNED>(p.b, p.k, p.n, k + TILE_K + me.b_row, column);
      calculate(tiles, me, sums);
      __syncthreads();
    }
    store_sums<ALIGNED>(p, me, sums);
    // END(4)
    // TODO(5): two tiles alternate: one is filled while the other is used; one barrier. (about 18 lines)
    __shared__ tiles tiles[2];
    const places me = my_places();
    const int row = blockIdx.y * TILE + me.a_row;
    float sums[OWN][OWN] = {};
    copy_b<ALIGNED>(p, me, 0, tiles[0]);
    put_a(tiles[0], me, load_entries<ALIGNED>(p.a, p.m, p.k, row, me.a_column));
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll 2
    for (int k = 0, now = 0; k < p.k; k += TILE_K, now ^= 1) {
      copy_b<ALIGNED>(p, me, k + TILE_K, tiles[!now]);
      const float4 a = load_entries<ALIGNED>(p.a, p.m, p.k, row, k + TILE_K + me.a_column);
      calculate(tiles[now], me, sums);
      put_a(tiles[!now], me, a);
      __pipeline_wait_prior(0);
      __syncthreads();
    }
    store_sums<ALIGNED>(p, me, sums);
    // END(5)
