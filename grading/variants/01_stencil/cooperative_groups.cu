// Style: cooperative groups: ranks and sync of the block, shuffles of tiled partitions in the marching kernel.
// INSTEAD OF: #include "stencil.h"
#include "stencil.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;
// END(0)
// TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
const cg::grid_group grid = cg::this_grid();
const dim3 block = cg::this_thread_block().group_dim();
const dim3 index = grid.block_index(), thread = cg::this_thread_block().thread_index();
const int j = index.x * block.x + thread.x, i = index.y * block.y + thread.y;
if (i >= ny || j >= nx)
  return;
const int k = i * nx + j;
const bool boundary = i == 0 || j == 0 || i == ny - 1 || j == nx - 1;
f[k] = boundary ? u[k] : apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2);
// END(2)
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y][PATCH_X];
const cg::thread_block block = cg::this_thread_block();
const int first_j = blockIdx.x * TILE_X - 1, first_i = blockIdx.y * TILE_Y - 1;
for (unsigned k = block.thread_rank(); k < PATCH_X * PATCH_Y; k += block.size()) {
  const int i = first_i + (int)(k / PATCH_X), j = first_j + (int)(k % PATCH_X);
  (&patch[0][0])[k] = i >= 0 && i < my && j >= 0 && j < mx ? u[i * mx + j] : 0;
}
block.sync();
const int x = threadIdx.x + 1, y = threadIdx.y + 1, j = first_j + x, i = first_i + y;
if (i < my && j < mx)
  f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x], patch[y + 1][x],
                              inv_h2, kappa2);
// END(3)
// TODO(5): constants, a lane's part of one row, and its load. (about 30 lines)
// A tile of 32 lanes owns 128 columns, four a lane, and walks down 16 rows with the last three in registers.
enum { WALK_ROWS = 16, WALK_COLUMNS = 128 };

struct four {
  float at[4];
};

// Four columns of a row; columns beyond the row repeat its last one.
static __device__ four read_four(const float *row, int nx, int j, bool aligned) {
  four v;
  if (aligned) {
    const float4 w = *reinterpret_cast<const float4 *>(row + min(j, nx - 4));
    v.at[0] = w.x, v.at[1] = w.y, v.at[2] = w.z, v.at[3] = w.w;
  } else
    for (int n = 0; n < 4; n++)
      v.at[n] = row[min(j + n, nx - 1)];
  return v;
}

static __device__ void write_four(float *row, int nx, int j, bool aligned, const four &v) {
  if (aligned && j < nx)
    *reinterpret_cast<float4 *>(row + j) = make_float4(v.at[0], v.at[1], v.at[2], v.at[3]);
  for (int n = 0; n < 4 && !aligned; n++)
    if (j + n < nx)
      row[j + n] = v.at[n];
}
// END(5)
// TODO(5): the store of a row, and four results from three rows. (about 29 lines)
// END(5)
// TODO(5): the kernel. (about 22 lines)
__global__ void walking_kernel(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = warp.thread_rank(), strip = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  const int j = strip * WALK_COLUMNS + 4 * lane, first = blockIdx.y * WALK_ROWS;
  const bool aligned = nx % 4 == 0;
  if (strip * WALK_COLUMNS >= nx)
    return;
  four north = read_four(u + max(first - 1, 0) * nx, nx, j, aligned),
       centre = read_four(u + first * nx, nx, j, aligned);
#pragma unroll 4
  for (int i = first; i < min(first + WALK_ROWS, ny); i++) {
    const four south = read_four(u + min(i + 1, ny - 1) * nx, nx, j, aligned);
    float west = warp.shfl_up(centre.at[3], 1), east = warp.shfl_down(centre.at[0], 1);
    if (lane == 0 || lane == 31) {
      const float edge = u[i * nx + (lane ? min(j + 4, nx - 1) : max(j - 1, 0))];
      lane ? east = edge : west = edge;
    }
    four result;
    for (int n = 0; n < 4; n++) {
      const bool interior = 0 < i && i < ny - 1 && 0 < j + n && j + n < nx - 1;
      const float value =
          apply_point(centre.at[n], n ? centre.at[n - 1] : west, n < 3 ? centre.at[n + 1] : east, north.at[n],
                      south.at[n], inv_h2, kappa2);
      result.at[n] = interior ? value : centre.at[n];
    }
    write_four(f + i * nx, nx, j, aligned, result);
    north = centre, centre = south;
  }
}
// END(5)
// TODO(5): launch it; take care when nx is not a multiple of four. (about 7 lines)
const int strips = blocks_for(nx, WALK_COLUMNS), warps = 2;
walking_kernel<<<dim3(blocks_for(strips, warps), blocks_for(ny, WALK_ROWS)), 32 * warps>>>(nx, ny, inv_h2,
                                                                                           kappa2, u, f);
return 0;
// END(5)
