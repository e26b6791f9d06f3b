// Style: both arrays are cleared by cudaMemsetAsync, then packed by a thread for each point.
// TODO(1): read both columns, 0 past the row's end; write both colours. (about 9 lines)
const int j = blockIdx.x * POINT_X + threadIdx.x, i = blockIdx.y * POINT_Y + threadIdx.y;
if (i < ny && j < nx)
  ((i + j) & 1 ? black : red)[i * pitch + j / 2] = u[i * nx + j];
// END(1)
// TODO(1): launch a thread for every place (i, jh), padding included. (about 4 lines)
const size_t bytes = sizeof(float) * pitch * ny;
cudaMemsetAsync(red, 0, bytes);
cudaMemsetAsync(black, 0, bytes);
pack_kernel<<<dim3(blocks_for(nx, POINT_X), blocks_for(ny, POINT_Y)), dim3(POINT_X, POINT_Y)>>>(nx, ny, pitch,
                                                                                                u, red,
                                                                                                black);
return 0;
// END(1)
