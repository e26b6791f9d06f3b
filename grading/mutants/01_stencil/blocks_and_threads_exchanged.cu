// 01/naive: the run launches naive_kernel with 32 x 8 blocks of 1 thread: are blocks and threads exchanged?
// INSTEAD OF: naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
naive_kernel<<<block, grid>>>(nx, ny, inv_h2, kappa2, u, f);
// END(2)
