// Style: a grid in three dimensions, loads by PTX; a tile without columns, whose sides come by shuffles; destructors.
// TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
__shared__ float patch[PATCH_Y][TILE_X];
const int first_j = blockIdx.x * TILE_X, first_i = blockIdx.y * TILE_Y, lane = threadIdx.x;
const int j = first_j + lane, i = first_i + threadIdx.y;
const auto at = [&](int r, int c) { return 0 <= r && r < my && 0 <= c && c < mx ? u[r * mx + c] : 0.0f; };
patch[threadIdx.y + 1][lane] = at(i, j);
if (threadIdx.y == 0)
  patch[0][lane] = at(first_i - 1, j);
if (threadIdx.y == TILE_Y - 1)
  patch[PATCH_Y - 1][lane] = at(first_i + TILE_Y, j);
float side = 0;
if (lane == 0)
  side = at(i, j - 1);
if (lane == 31)
  side = at(i, j + 1);
__syncthreads();
const float c = patch[threadIdx.y + 1][lane];
float west = __shfl_up_sync(~0u, c, 1), east = __shfl_down_sync(~0u, c, 1);
west = lane == 0 ? side : west;
east = lane == 31 ? side : east;
if (i < my && j < mx)
  f[i * mx + j] =
      apply_point(c, west, east, patch[threadIdx.y][lane], patch[threadIdx.y + 2][lane], inv_h2, kappa2);
// END(3)
// TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
const int p = blockIdx.z * gridDim.y + blockIdx.y;
const int i = p * NAIVE_Y + threadIdx.z, j = blockIdx.x * NAIVE_X + threadIdx.x;
if (i < ny && j < nx) {
  float value;
  const float *at = u + i * nx + j;
  asm("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(at));
  if (i && j && i != ny - 1 && j != nx - 1)
    value = apply_point(value, __ldg(at - 1), __ldg(at + 1), __ldg(at - nx), __ldg(at + nx), inv_h2, kappa2);
  f[i * nx + j] = value;
}
// END(2)
// TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
cudaLaunchConfig_t config = {};
const int high = blocks_for(ny, NAIVE_Y);
config.gridDim = dim3(blocks_for(nx, NAIVE_X), blocks_for(high, 2), 2);
config.blockDim = dim3(NAIVE_X, 1, NAIVE_Y);
cudaLaunchKernelEx(&config, naive_kernel, nx, ny, inv_h2, kappa2, u, f);
return 0;
// END(2)
// TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
struct buffer {
  float *p = nullptr;
  explicit buffer(size_t n) { CUDA_CHECK(cudaMalloc(&p, n * sizeof(float))); }
  ~buffer() { CUDA_CHECK(cudaFree(p)); }
  operator float *() const { return p; }
};
const size_t n = (size_t)nx * ny;
buffer du(n), df(n);
cudaStream_t s;
CUDA_CHECK(cudaStreamCreate(&s));
cudaEvent_t done;
CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
CUDA_CHECK(cudaMemcpyAsync(du, u, n * sizeof(float), cudaMemcpyHostToDevice, s));
CUDA_CHECK(cudaEventRecord(done, s));
CUDA_CHECK(cudaStreamWaitEvent(0, done, 0));
const int part = apply_naive(nx, ny, inv_h2, kappa2, du, df);
CUDA_CHECK(cudaGetLastError());
CUDA_CHECK(cudaMemcpy(f, df, n * sizeof(float), cudaMemcpyDeviceToHost));
CUDA_CHECK(cudaEventDestroy(done));
CUDA_CHECK(cudaStreamDestroy(s));
return part;
// END(6)
