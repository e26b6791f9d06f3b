// 02/jacobi: the run launches jacobi_kernel with
// INSTEAD OF: jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
jacobi_kernel<<<grid_for(ny, nx), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
// END(4)
