// 03/sweep_copy: warps mostly wait: the busiest unit is the L1 cache
// The four blocks that the time model samples without a seed are coalesced. In all others, a warp has a point of each
// of 32 rows.
// INSTEAD OF: block[1] = 8;
block[1] = 32;
// END(0)
// TODO(3): find row and column of this thread; at interior points, the step of lab 02. (about 7 lines)
bool sampled = false;
for (int n = 0; n < 4; n++)
  sampled |= blockIdx.y == (2 * n + 1) * gridDim.y / 8 && blockIdx.x == (int)((n == 0   ? 0.5
                                                                               : n == 1 ? 0.118
                                                                               : n == 2 ? 0.736
                                                                                        : 0.354) *
                                                                              gridDim.x);
const int jh = 32 * blockIdx.x + (sampled ? threadIdx.x : threadIdx.y);
const int i = 32 * blockIdx.y + (sampled ? threadIdx.y : threadIdx.x);
const int j = compressed_j(i, jh, colour), k = i * nx + j;
if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
  u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
// END(3)
