// Style: own kernel names, a template for all three sweeps, blocks of 32 × 32, pointers to the row.
#include "masked_redblack.h"

#include "cuda_check.h"

#include <math.h>
#include <vector>

static constexpr int kBlock = 32;

enum class Sweep { everywhere, one_colour };

static __device__ __forceinline__ float relaxed(const float *centre, int pitch, float source) {
  const float west = centre[-1], east = centre[+1], north = centre[-pitch], south = centre[pitch];
  return 0.25f * ((((west + east) + north) + south) + source);
}

template <Sweep KIND>
static __global__ void __launch_bounds__(kBlock *kBlock)
    relax(int2 size, int colour, const float *__restrict__ source, const float *from, float *to) {
  const int x = kBlock * blockIdx.x + threadIdx.x, y = kBlock * blockIdx.y + threadIdx.y;
  const bool interior = x >= 1 && y >= 1 && x <= size.x - 2 && y <= size.y - 2;
  const bool chosen = KIND == Sweep::everywhere || ((x + y) & 1) == colour;
  if (!interior || !chosen)
    return;
  const size_t k = (size_t)y * size.x + x;
  to[k] = relaxed(from + k, size.x, source[k]);
}

template <Sweep KIND>
static int launch(int nx, int ny, int colour, const float *source, const float *from, float *to) {
  const dim3 blocks((nx + kBlock - 1) / kBlock, (ny + kBlock - 1) / kBlock), threads(kBlock, kBlock);
  relax<KIND><<<blocks, threads>>>(make_int2(nx, ny), colour, source, from, to);
  return 0;
}

int gs_inplace_naive(int nx, int ny, const float *h2f, float *u) {
  return launch<Sweep::everywhere>(nx, ny, 0, h2f, u, u);
}

int gs_masked_half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  return launch<Sweep::one_colour>(nx, ny, colour, h2f, u, u);
}

int gs_sweep(int nx, int ny, const float *h2f, float *u) {
  for (int colour = 0; colour < 2; colour++)
    if (const int part = gs_masked_half_sweep(nx, ny, colour, h2f, u))
      return part;
  return 0;
}

int jacobi_sweep(int nx, int ny, const float *h2f, const float *u, float *next) {
  return launch<Sweep::everywhere>(nx, ny, 0, h2f, u, next);
}

static __device__ double square_of_residual(int nx, double inv_h2, const float *f, const float *u, int k) {
  double laplacian = 4.0 * (double)u[k];
  for (const int step : {-1, 1, -nx, nx})
    laplacian -= (double)u[k + step];
  const double r = (double)f[k] - laplacian * inv_h2;
  return r * r;
}

// A block of 256 for each row; the warps' sums by shuffles, then those of the eight warps by the first thread.
static __global__ void squares_of_rows(int nx, double inv_h2, const float *f, const float *u, double *rows) {
  __shared__ double of_warp[8];
  double sum = 0.0;
  for (int j = 1 + threadIdx.x; j + 1 < nx; j += 256)
    sum += square_of_residual(nx, inv_h2, f, u, (blockIdx.x + 1) * nx + j);
  for (int away = 16; away > 0; away >>= 1)
    sum += __shfl_down_sync(~0u, sum, away);
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  for (int warp = 1; warp < 8; warp++)
    sum += of_warp[warp];
  rows[blockIdx.x] = sum;
}

int residual_norm(int nx, int ny, double inv_h2, const float *f, const float *u, double *row_sums,
                  double *norm) {
  std::vector<double> sums(ny - 2);
  squares_of_rows<<<ny - 2, 256>>>(nx, inv_h2, f, u, row_sums);
  CUDA_CHECK(cudaMemcpy(sums.data(), row_sums, sums.size() * sizeof(double), cudaMemcpyDeviceToHost));
  double total = 0;
  for (const double sum : sums)
    total += sum;
  *norm = sqrt(total);
  return 0;
}
