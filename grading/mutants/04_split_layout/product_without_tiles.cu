// 04/tile: no shared memory is used
// A thread per entry of C, from global memory.
// TODO(4): tile by tile: put, barrier, load the next, calculate, barrier; then store. (about 16 lines)
for (int n = threadIdx.x; n < TILE * TILE; n += TILE_THREADS) {
  const int row = blockIdx.y * TILE + n / TILE, column = blockIdx.x * TILE + n % TILE;
  if (row >= p.m || column >= p.n)
    continue;
  float sum = 0;
  for (int k = 0; k < p.k; k++)
    sum = fmaf(p.a[row * p.k + k], p.b[k * p.n + column], sum);
  p.c[row * p.n + column] = sum;
}
// END(4)
