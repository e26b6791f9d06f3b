// 04/tile: misaligned
// Rows of A are loaded as float4 where k is even.
// TODO(4): launch it; take care when the length of a row is not a multiple of four. (about 7 lines)
const product p = {m, n, k, a, b, c};
const dim3 grid(blocks_for(n, TILE), blocks_for(m, TILE));
if (n % FOUR == 0 && k % 2 == 0)
  tile_kernel<true><<<grid, TILE_THREADS>>>(p);
else
  tile_kernel<false><<<grid, TILE_THREADS>>>(p);
return 0;
// END(4)
