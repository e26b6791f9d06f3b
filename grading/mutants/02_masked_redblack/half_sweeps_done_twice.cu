// 02/sweep: gs_masked_half_sweep: 6 launches in 3 calls: expected at most 3
// Each half-sweep is done twice: the second changes nothing.
// TODO(2): launch it. (2 lines)
for (int n = 0; n < 2; n++)
  masked_kernel<<<grid_for(nx, ny), dim3(BLOCK_X, BLOCK_Y)>>>(nx, ny, colour, h2f, u);
return 0;
// END(2)
