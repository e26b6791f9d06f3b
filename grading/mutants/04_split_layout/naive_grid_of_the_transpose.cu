// 04/naive: these entries were never written: do the blocks cover C, those in x its n columns and those in y its m rows
// m and n are exchanged in the grid.
// TODO(4): launch a thread for every entry of C. (about 4 lines)
const dim3 block(NAIVE, NAIVE), grid(blocks_for(m, NAIVE), blocks_for(n, NAIVE));
naive_kernel<<<grid, block>>>({m, n, k, a, b, c});
return 0;
// END(4)
