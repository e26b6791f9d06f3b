// 04/split: the last rows, and the last columns of each row, were not written: are there enough blocks?
// The grid is fixed for 512 columns and 128 rows.
// TODO(2): launch it. (about 4 lines)
const dim3 block(POINT_X, POINT_Y), grid(8, 16);
half_sweep_kernel<<<grid, block>>>(nx, ny, pitch, colour, h2f, other, u);
return 0;
// END(2)
