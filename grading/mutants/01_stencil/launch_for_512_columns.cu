// 01/naive: the last columns of each row were not written: are there enough blocks?
// The grid is fixed for 512 columns. At nx = 1000 the counter run moves half of the sectors, and nobody
// compares its result.
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
naive_kernel<<<dim3(16, blocks_for(ny, NAIVE_Y)), dim3(NAIVE_X, NAIVE_Y)>>>(nx, ny, inv_h2, kappa2, u, f);
return 0;
// END(2)
