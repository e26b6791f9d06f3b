// 05/sweep: of each row, were not written: are there enough blocks?
// The grid is fixed for 512 columns in double, and 128 rows.
// TODO(1): launch point_kernel on the interior rows; in the second step half_sweep_kernel. (about 4 lines)
const dim3 blocks(4, 16), threads(SWEEP_X, SWEEP_Y);
half_sweep_kernel<Real><<<blocks, threads>>>(*g, (Real)(1 - omega), (Real)omega, colour, h2f, u);
return 0;
// END(1)
