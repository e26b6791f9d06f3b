// 04/float4: gs_split_float4: 392 launches in 4 calls: expected at most 4
// Each row has a launch of its own.
// INSTEAD OF: __global__ void float4_kernel(int nx, int ny, int pitch, int colour, const float *__restrict__ h2f,
__global__ void float4_kernel(int first, int nx, int ny, int pitch, int colour, const float *__restrict__ h2f,
// END(0)
// INSTEAD OF: const int i = blockIdx.y * FLOAT4_Y + threadIdx.y + 1;
const int i = first;
// END(0)
// TODO(3): launch it. (about 4 lines)
for (int i = 1; i < ny - 1; i++)
  float4_kernel<<<blocks_for((nx + 1) / 2, WARP_POINTS), LANES>>>(i, nx, ny, pitch, colour, h2f, other, u);
return 0;
// END(3)
