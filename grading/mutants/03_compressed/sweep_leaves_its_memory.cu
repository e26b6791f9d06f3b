// 03/once: calls leave memory of the host allocated
// INSTEAD OF: compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(nx, ny, colour, h2f, u);
volatile int *size = new int[2];
size[0] = nx;
compressed_kernel<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>(size[0], ny, colour, h2f, u);
// END(3)
