// 01/tiled: blocks of 256 threads: are so many needed?
// As many blocks down as for a square of the larger side: nearly all of them have no point.
// TODO(3): launch one thread per interior unknown, in blocks of TILE_X x TILE_Y. (about 5 lines)
const int mx = nx - 2, my = ny - 2;
const dim3 block(TILE_X, TILE_Y);
const dim3 grid(blocks_for(mx, TILE_X), blocks_for(mx > my ? mx : my, TILE_Y));
tiled_kernel<<<grid, block>>>(mx, my, inv_h2, kappa2, u, f);
return 0;
// END(3)
