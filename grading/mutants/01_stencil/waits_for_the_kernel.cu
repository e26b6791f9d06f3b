// 01/naive: waits for the device 1 time in 1 call: expected none: stencil.h says that the caller waits
// A synchronisation after the launch.
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
const dim3 block(NAIVE_X, NAIVE_Y);
const dim3 grid(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y));
naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
cudaDeviceSynchronize();
return 0;
// END(2)
