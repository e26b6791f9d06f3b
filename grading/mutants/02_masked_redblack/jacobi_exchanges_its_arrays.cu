// 02/jacobi: nothing was written there: does a thread reach each point, or are u and next exchanged?
// INSTEAD OF: jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, next, (float *)u);
// END(4)
