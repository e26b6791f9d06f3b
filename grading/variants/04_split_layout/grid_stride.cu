// Style: grid-stride loops down the rows, 1D blocks, const __restrict__, packing a thread per point of u.
// TODO(1): read both columns, 0 past the row's end; write both colours. (about 9 lines)
for (int i = blockIdx.y; i < ny; i += gridDim.y)
  for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < 2 * pitch; j += gridDim.x * blockDim.x) {
    float *colour = (i + j) % 2 ? black : red;
    colour[i * pitch + j / 2] = j < nx ? u[i * nx + j] : 0;
  }
// END(1)
// TODO(1): the inverse of pack_kernel. (about 9 lines)
for (int i = blockIdx.y; i < ny; i += gridDim.y)
  for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < nx; j += gridDim.x * blockDim.x)
    u[i * nx + j] = ((i + j) % 2 ? black : red)[i * pitch + j / 2];
// END(1)
// TODO(1): launch a thread for every place (i, jh), padding included. (about 4 lines)
pack_kernel<<<dim3(blocks_for(2 * pitch, 128), min(ny, 4096)), 128>>>(nx, ny, pitch, u, red, black);
return 0;
// END(1)
// TODO(1): launch it. (about 4 lines)
unpack_kernel<<<dim3(blocks_for(nx, 128), min(ny, 4096)), 128>>>(nx, ny, pitch, red, black, u);
return 0;
// END(1)
// TODO(2): without a branch. (1 line)
left = i * pitch + jh - ((i + colour + 1) & 1);
// END(2)
// INSTEAD OF: __global__ void half_sweep_kernel(int nx, int ny, int pitch, int colour, const float *h2f, const float *other,
__global__ void half_sweep_kernel(int nx, int ny, int pitch, int colour, const float *__restrict__ h2f, const float *__restrict__ other,
// END(0)
// TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
const int jh = blockIdx.x * blockDim.x + threadIdx.x;
for (int i = blockIdx.y + 1; i < ny - 1; i += gridDim.y) {
  const int j = 2 * jh + ((i + colour) & 1), k = i * pitch + jh;
  if (0 < j && j < nx - 1) {
    const float *row = other + left_index(i, jh, colour, pitch);
    u[k] = gs_point(row[0], row[1], other[k - pitch], other[k + pitch], h2f[k]);
  }
}
// END(2)
// TODO(2): launch it. (about 4 lines)
const dim3 grid(blocks_for((nx + 1) / 2, 128), min(ny - 2, 2048));
half_sweep_kernel<<<grid, 128>>>(nx, ny, pitch, colour, h2f, other, u);
return 0;
// END(2)
// TODO(3): ask the neighbouring lane; all 32 lanes take part. (1 line)
fifth = __shfl_sync(0xffffffff, odd ? centre.x : centre.w, (threadIdx.x + (odd ? 1 : LANES - 1)) % LANES);
// END(3)
// TODO(3): load four points; the lane at the end also loads its fifth value; then store. (about 24 lines)
const int jh = (blockIdx.x * LANES + threadIdx.x) * FOUR, safe = min(jh, pitch - FOUR);
for (int i = blockIdx.y * blockDim.y + threadIdx.y + 1; i < ny - 1; i += gridDim.y * blockDim.y) {
  const int odd = (i + colour) & 1, k = i * pitch + safe;
  const float4 centre = load_four(other + k), source = load_four(h2f + k);
  const float4 north = load_four(other + k - pitch), south = load_four(other + k + pitch);
  float fifth = fifth_of(centre, odd);
  if (odd && threadIdx.x == LANES - 1 && k + FOUR < ny * pitch)
    fifth = other[k + FOUR];
  if (!odd && threadIdx.x == 0)
    fifth = other[k - 1];
  const float4 v = gs_four(odd, fifth, centre, north, south, source);
  const int j = 2 * jh + odd;
  if (0 < j && j + 6 < nx - 1)
    store_four(u + k, v);
  else {
    if (0 < j && j < nx - 1)
      u[k] = v.x;
    if (j + 2 < nx - 1)
      u[k + 1] = v.y;
    if (j + 4 < nx - 1)
      u[k + 2] = v.z;
    if (j + 6 < nx - 1)
      u[k + 3] = v.w;
  }
}
// END(3)
// TODO(3): launch it. (about 4 lines)
const dim3 grid(blocks_for((nx + 1) / 2, WARP_POINTS), min(blocks_for(ny - 2, 4), 1024));
float4_kernel<<<grid, dim3(LANES, 4)>>>(nx, ny, pitch, colour, h2f, other, u);
return 0;
// END(3)
