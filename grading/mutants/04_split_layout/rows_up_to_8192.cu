// 04/tile: entries of C are wrong
// The grid has at most 64 tiles of rows.
// TODO(4): launch it; take care when the length of a row is not a multiple of four. (about 7 lines)
const product p = {m, n, k, a, b, c};
const int rows = blocks_for(m, TILE);
const dim3 grid(blocks_for(n, TILE), rows < 64 ? rows : 64);
if (n % FOUR == 0 && k % FOUR == 0)
  tile_kernel<true><<<grid, TILE_THREADS>>>(p);
else
  tile_kernel<false><<<grid, TILE_THREADS>>>(p);
return 0;
// END(4)
