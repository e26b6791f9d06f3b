// 02/sweep: at interior points only, rows 2047 to
// 02/jacobi: in the last rows only, rows 2048 to
// A cap of the grid's rows, such as 256 blocks of 8: the rows after 2047 keep their values.
// INSTEAD OF: jacobi_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
dim3 blocks = grid_for(nx, ny);
if (blocks.y > 256)
  blocks.y = 256;
jacobi_kernel<<<blocks, dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, h2f, u, next);
// END(0)
// INSTEAD OF: if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour)
if (is_interior(nx, ny, i, j) && (i + j) % 2 == colour && i < 2048)
// END(0)
