// Style: the shape of a block depends on ny.
// TODO(2): blocks of 256 threads, 32 along the row; round the number of blocks up. (about 5 lines)
block[0] = 32;
block[1] = ny < 33 ? 32 : 8;
grid[0] = blocks_for(blocks_for(nx, 2), block[0]);
grid[1] = blocks_for(ny, block[1]);
return 0;
// END(2)
