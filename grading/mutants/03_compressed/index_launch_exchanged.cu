// 03/index: with 32 blocks of 4 threads: are blocks and threads exchanged?
// INSTEAD OF: columns_kernel<<<ny, 32>>>(blocks_for(nx, 2), colour, columns);
columns_kernel<<<32, ny>>>(blocks_for(nx, 2), colour, columns);
// END(1)
