// 03/geometry: 33 threads are needed
// nx/2 threads: an odd nx loses its last column of red.
// INSTEAD OF: grid[0] = blocks_for(blocks_for(nx, 2), block[0]);
grid[0] = blocks_for(nx / 2, block[0]);
// END(2)
