// 04/tile: misaligned read of 16 bytes
// n·k is a multiple of 16, but n, or k, is no multiple of four.
// TODO(4): launch it; take care when the length of a row is not a multiple of four. (about 7 lines)
const product p = {m, n, k, a, b, c};
const dim3 grid(blocks_for(n, TILE), blocks_for(m, TILE));
if (n * k % (FOUR * FOUR) == 0)
  tile_kernel<true><<<grid, TILE_THREADS>>>(p);
else
  tile_kernel<false><<<grid, TILE_THREADS>>>(p);
return 0;
// END(4)
