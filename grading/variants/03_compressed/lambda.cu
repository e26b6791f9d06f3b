// Style: the half-sweep is a kernel of an extended lambda; C++20's constraints.
// INSTEAD OF: inline int blocks_for(int points, int points_per_block) {
#include <concepts>
template <std::invocable<int, int> F> __global__ void for_each_thread(F step) {
  step(blockIdx.y * blockDim.y + threadIdx.y, blockIdx.x * blockDim.x + threadIdx.x);
}

inline int blocks_for(int points, int points_per_block) {
  // END(0)
  // TODO(3): launch it with launch_geometry's blocks; if that returns a part, return it. (about 6 lines)
  int block[2], grid[2];
  if (const int part = launch_geometry(nx, ny, block, grid))
    return part;
  for_each_thread<<<dim3(grid[0], grid[1]), dim3(block[0], block[1])>>>([=] __device__(int i, int jh) {
    const int j = compressed_j(i, jh, colour), k = i * nx + j;
    if (0 < i && i < ny - 1 && 0 < j && j < nx - 1)
      u[k] = (u[k - 1] + u[k + 1] + u[k - nx] + u[k + nx] + h2f[k]) * 0.25f;
  });
  return 0;
  // END(3)
