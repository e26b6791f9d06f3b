// Style: 1024 threads a block, 32 × 32 and 128 × 8, launch bounds, const __restrict__.
// clang-format off
// INSTEAD OF: enum { NAIVE_X = 32, NAIVE_Y = 8 };
enum { NAIVE_X = 128, NAIVE_Y = 8 };
// END(0)
// INSTEAD OF: __global__ void naive_kernel(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
__global__ void __launch_bounds__(NAIVE_X *NAIVE_Y)
    naive_kernel(int nx, int ny, float inv_h2, float kappa2, const float *__restrict__ u,
                 float *__restrict__ f) {
// END(0)
// INSTEAD OF: enum { TILE_X = 32, TILE_Y = 8, PATCH_X = TILE_X + 2, PATCH_Y = TILE_Y + 2 };
  enum { TILE_X = 32, TILE_Y = 32, PATCH_X = TILE_X + 2, PATCH_Y = TILE_Y + 2 };
// END(0)
