// Style: blocks of 64 × 4 points, float4 in blocks of one warp, a blocking stream, cache hints.
// INSTEAD OF: enum { POINT_X = 32, POINT_Y = 8 }; // a block's threads, one place (i, jh) each
enum { POINT_X = 64, POINT_Y = 4 }; // threads of a block with one place (i, jh) each

// A stream that waits for the default stream, which waits for it.
static cudaStream_t sweep_stream() {
  static cudaStream_t stream;
  if (!stream)
    cudaStreamCreate(&stream);
  return stream;
}
// END(0)
// TODO(1): read both columns, 0 past the row's end; write both colours. (about 9 lines)
const int jh = blockIdx.x * POINT_X + threadIdx.x, i = blockIdx.y * POINT_Y + threadIdx.y;
if (jh < pitch && i < ny)
  for (int side = 0; side < 2; side++) {
    const int j = 2 * jh + side;
    ((i + side) & 1 ? black : red)[i * pitch + jh] = j < nx ? __ldg(u + i * nx + j) : 0.0f;
  }
// END(1)
// TODO(2): find the point of this thread; leave the boundary alone; gs_point. (about 8 lines)
const int jh = blockIdx.x * POINT_X + threadIdx.x, i = 1 + blockIdx.y * POINT_Y + threadIdx.y;
const int shift = (i + colour) & 1, j = 2 * jh + shift;
if (i < ny - 1 && 0 < j && j < nx - 1) {
  const float *centre = other + i * pitch + jh, west = centre[shift - 1], east = centre[shift];
  u[i * pitch + jh] = gs_point(west, east, centre[-pitch], centre[pitch], __ldcs(h2f + i * pitch + jh));
}
// END(2)
// TODO(2): launch it. (about 4 lines)
const dim3 grid(blocks_for((nx + 1) / 2, POINT_X), blocks_for(ny - 2, POINT_Y));
half_sweep_kernel<<<grid, dim3(POINT_X, POINT_Y), 0, sweep_stream()>>>(nx, ny, pitch, colour, h2f, other, u);
return 0;
// END(2)
// INSTEAD OF: enum { LANES = 32, FOUR = 4, WARP_POINTS = LANES * FOUR, FLOAT4_Y = 8 };
enum { LANES = 32, FOUR = 4, WARP_POINTS = LANES * FOUR, FLOAT4_Y = 1 };
// END(0)
// TODO(3): launch it. (about 4 lines)
const dim3 grid(blocks_for((nx + 1) / 2, WARP_POINTS), ny - 2);
float4_kernel<<<grid, LANES, 0, sweep_stream()>>>(nx, ny, pitch, colour, h2f, other, u);
return 0;
// END(3)
