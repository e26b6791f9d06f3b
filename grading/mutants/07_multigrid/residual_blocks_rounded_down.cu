// 07/residual: a division rounds down: does it leave 0 blocks?
// The last rows and columns have no threads.
// INSTEAD OF: residual_kernel<<<grid_for(n), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, h2f, u, r);
residual_kernel<<<dim3(n / BLOCK_X, n / BLOCK_Y), dim3(BLOCK_X, BLOCK_Y), 0, stream>>>(n, h2f, u, r);
// END(0)
