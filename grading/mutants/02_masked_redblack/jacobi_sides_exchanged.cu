// 02/jacobi: a Jacobi sweep of a grid with nx rows of ny points: are nx and ny exchanged in a call?
// INSTEAD OF: jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(ny, nx, h2f, u, next);
// END(4)
