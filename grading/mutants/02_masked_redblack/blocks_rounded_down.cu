// 02/masked: masked_kernel refused: a grid of 0x0x1 blocks
// Too few blocks, and none on a small grid.
// TODO(2): launch it. (2 lines)
masked_kernel<<<dim3(nx / BLOCK_X, ny / BLOCK_Y), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
return 0;
// END(2)
