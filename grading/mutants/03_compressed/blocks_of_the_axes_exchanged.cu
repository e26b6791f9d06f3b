// 03/geometry: some blocks have no point
// 03/sweep: the last rows, and the last columns of each row, were not written: are there enough blocks?
// The numbers of blocks along x and y are exchanged.
// TODO(2): blocks of 256 threads, 32 along the row; round the number of blocks up. (about 5 lines)
block[0] = 64;
block[1] = 2;
grid[0] = blocks_for(ny, block[1]);
grid[1] = blocks_for(blocks_for(nx, 2), block[0]);
return 0;
// END(2)
