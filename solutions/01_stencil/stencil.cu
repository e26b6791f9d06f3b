// Lab 01: the discrete Laplacian. stencil.h specifies what each function does.
#include "stencil.h"

#include "cuda_check.h"

inline int blocks_for(int points, int points_per_block) {
  return (points + points_per_block - 1) / points_per_block;
}

enum { SCALE_THREADS = 256 };

// One thread per element.
__global__ void scale_kernel(int count, float factor, const float *x, float *y) {
  // TODO(7): find the index of this thread's element; if there is such an element, write it. (about 3 lines)
  const int k = blockIdx.x * SCALE_THREADS + threadIdx.x;
  if (k < count)
    y[k] = factor * x[k];
  // END(7)
}

int scale(int count, float factor, const float *x, float *y) {
  // TODO(7): launch enough blocks of SCALE_THREADS threads for all elements. (about 2 lines)
  scale_kernel<<<blocks_for(count, SCALE_THREADS), SCALE_THREADS>>>(count, factor, x, y);
  return 0;
  // END(7)
}

int csr_assemble(int nx, int ny, double inv_h2, double kappa2, int *row_start, int *column, double *value) {
  // TODO(1): fill the three arrays, row by row. (about 20 lines)
  int entries = 0;
  for (int i = 0; i < ny; i++)
    for (int j = 0; j < nx; j++) {
      const int k = i * nx + j;
      row_start[k] = entries;
      if (i == 0 || i == ny - 1 || j == 0 || j == nx - 1) {
        column[entries] = k;
        value[entries++] = 1;
        continue;
      }
      const int columns[5] = {k - nx, k - 1, k, k + 1, k + nx};
      for (int n = 0; n < 5; n++) {
        column[entries] = columns[n];
        value[entries++] = columns[n] == k ? 4 * inv_h2 + kappa2 : -inv_h2;
      }
    }
  row_start[nx * ny] = entries;
  return 0;
  // END(1)
}

// A u at one interior point. Every kernel calls it, so all of them round alike.
inline __device__ float apply_point(float u, float west, float east, float north, float south, float inv_h2,
                                    float kappa2) {
  float r = 0;
  // TODO(2): the five-point Laplacian, in the order of operations of stencil.h. (1 line)
  r = (4 * u - west - east - north - south) * inv_h2;
  // END(2)
  // TODO(4): add the term with kappa2. (1 line)
  r += kappa2 * u;
  // END(4)
  return r;
}

enum { NAIVE_X = 32, NAIVE_Y = 8 };

// One thread per grid point, boundary included.
__global__ void naive_kernel(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(2): find the point of this thread; apply_point inside, a copy on the boundary. (about 8 lines)
  const int j = blockIdx.x * NAIVE_X + threadIdx.x;
  const int i = blockIdx.y * NAIVE_Y + threadIdx.y;
  if (i >= ny || j >= nx)
    return;
  const int k = i * nx + j;
  const bool interior = 0 < i && i < ny - 1 && 0 < j && j < nx - 1;
  f[k] = interior ? apply_point(u[k], u[k - 1], u[k + 1], u[k - nx], u[k + nx], inv_h2, kappa2) : u[k];
  // END(2)
}

int apply_naive(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(2): launch enough blocks of 32 x 8 threads to cover every point. (about 4 lines)
  const dim3 block(NAIVE_X, NAIVE_Y);
  const dim3 grid(blocks_for(nx, NAIVE_X), blocks_for(ny, NAIVE_Y));
  naive_kernel<<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
  return 0;
  // END(2)
}

enum { TILE_X = 32, TILE_Y = 8, PATCH_X = TILE_X + 2, PATCH_Y = TILE_Y + 2 };

// One thread per interior unknown (my rows, mx columns). A block first loads its tile and a halo
// of one point.
__global__ void tiled_kernel(int mx, int my, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(3): fill a patch of PATCH_Y x PATCH_X floats in shared memory, synchronise, apply. (about 18 lines)
  __shared__ float patch[PATCH_Y][PATCH_X];
  const int first_j = blockIdx.x * TILE_X, first_i = blockIdx.y * TILE_Y;
  // Threads fill the patch row by row: edges and corners need no special case, and there is no bank conflict.
  for (int k = threadIdx.y * TILE_X + threadIdx.x; k < PATCH_X * PATCH_Y; k += TILE_X * TILE_Y) {
    const int row = k / PATCH_X, column = k % PATCH_X;
    const int i = first_i + row - 1, j = first_j + column - 1;
    const bool stored = 0 <= i && i < my && 0 <= j && j < mx;
    patch[row][column] = stored ? u[i * mx + j] : 0;
  }
  __syncthreads();

  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  const int j = first_j + threadIdx.x, i = first_i + threadIdx.y;
  if (i < my && j < mx)
    f[i * mx + j] = apply_point(patch[y][x], patch[y][x - 1], patch[y][x + 1], patch[y - 1][x],
                                patch[y + 1][x], inv_h2, kappa2);
  // END(3)
}

int apply_tiled(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(3): launch one thread per interior unknown, in blocks of TILE_X x TILE_Y. (about 5 lines)
  const int mx = nx - 2, my = ny - 2;
  const dim3 block(TILE_X, TILE_Y);
  const dim3 grid(blocks_for(mx, TILE_X), blocks_for(my, TILE_Y));
  tiled_kernel<<<grid, block>>>(mx, my, inv_h2, kappa2, u, f);
  return 0;
  // END(3)
}

// TODO(5): constants, a lane's part of one row, and its load. (about 30 lines)
// A warp owns MARCH_WIDTH columns, four per lane, and walks down MARCH_ROWS rows, MARCH_STEP at a time: all
// their loads are in flight before the first result is computed.
enum { MARCH_X = 32, MARCH_Y = 4, MARCH_COLUMNS = 4, MARCH_WIDTH = MARCH_X * MARCH_COLUMNS };
enum { MARCH_ROWS = 8, MARCH_STEP = 4 };

// A lane's part of one row.
struct march_row {
  float u[MARCH_COLUMNS]; // its own columns
  float edge;             // the column west of the warp (lanes 0 to 15) or east of it (lanes 16 to 31)
};

// Rows and columns outside the grid repeat its edge, so that every lane loads and shuffles without a branch.
// ALIGNED: nx is a multiple of four, and a lane's columns are one float4. Otherwise rows may be misaligned, and
// the last three of four scalar loads hit the sectors that the first one brought into L1.
template <bool ALIGNED>
static __device__ march_row march_load(int nx, int ny, const float *__restrict__ u, int i, int j) {
  const float *row = u + min(max(i, 0), ny - 1) * nx;
  march_row loaded;
  if (ALIGNED) {
    const float4 v = *reinterpret_cast<const float4 *>(row + min(j, nx - MARCH_COLUMNS));
    loaded.u[0] = v.x, loaded.u[1] = v.y, loaded.u[2] = v.z, loaded.u[3] = v.w;
  } else {
    for (int n = 0; n < MARCH_COLUMNS; n++)
      loaded.u[n] = row[min(j + n, nx - 1)];
  }
  const int warp_j = j - MARCH_COLUMNS * (int)threadIdx.x;
  const int edge_j = threadIdx.x < MARCH_X / 2 ? warp_j - 1 : warp_j + MARCH_WIDTH;
  loaded.edge = row[min(max(edge_j, 0), nx - 1)];
  return loaded;
}
// END(5)

// TODO(5): the store of a row, and four results from three rows. (about 29 lines)
template <bool ALIGNED>
static __device__ void march_store(int nx, int j, float *__restrict__ row, const float *values) {
  if (ALIGNED) {
    if (j < nx)
      *reinterpret_cast<float4 *>(row + j) = make_float4(values[0], values[1], values[2], values[3]);
  } else {
    for (int n = 0; n < MARCH_COLUMNS; n++)
      if (j + n < nx)
        row[j + n] = values[n];
  }
}

// Four columns of row i of f, from the rows of u at i-1, i, i+1.
static __device__ void march_apply(int nx, int ny, float inv_h2, float kappa2, int i, int j,
                                   const march_row *rows, float *values) {
  const march_row &north = rows[0], &centre = rows[1], &south = rows[2];
  const float before = __shfl_up_sync(0xffffffff, centre.u[MARCH_COLUMNS - 1], 1);
  const float after = __shfl_down_sync(0xffffffff, centre.u[0], 1);
  for (int n = 0; n < MARCH_COLUMNS; n++) {
    const float west = n > 0 ? centre.u[n - 1] : threadIdx.x > 0 ? before : centre.edge;
    const float east = n < MARCH_COLUMNS - 1       ? centre.u[n + 1]
                       : threadIdx.x < MARCH_X - 1 ? after
                                                   : centre.edge;
    const float value = apply_point(centre.u[n], west, east, north.u[n], south.u[n], inv_h2, kappa2);
    const bool interior = 0 < i && i < ny - 1 && 0 < j + n && j + n < nx - 1;
    values[n] = interior ? value : centre.u[n];
  }
}
// END(5)

// TODO(5): the kernel. (about 22 lines)
template <bool ALIGNED>
__global__ void marching_kernel(int nx, int ny, float inv_h2, float kappa2, const float *__restrict__ u,
                                float *__restrict__ f) {
  const int j = (blockIdx.x * MARCH_X + threadIdx.x) * MARCH_COLUMNS;
  const int first_i = (blockIdx.y * MARCH_Y + threadIdx.y) * MARCH_ROWS;
  march_row rows[MARCH_STEP + 2]; // i-1, i, and the next MARCH_STEP
  rows[0] = march_load<ALIGNED>(nx, ny, u, first_i - 1, j);
  rows[1] = march_load<ALIGNED>(nx, ny, u, first_i, j);
  for (int i = first_i; i < first_i + MARCH_ROWS && i < ny; i += MARCH_STEP) {
    for (int n = 0; n < MARCH_STEP; n++)
      rows[n + 2] = march_load<ALIGNED>(nx, ny, u, i + n + 1, j);
    for (int n = 0; n < MARCH_STEP; n++) {
      float values[MARCH_COLUMNS];
      march_apply(nx, ny, inv_h2, kappa2, i + n, j, rows + n, values);
      if (i + n < ny)
        march_store<ALIGNED>(nx, j, f + (i + n) * nx, values);
    }
    rows[0] = rows[MARCH_STEP];
    rows[1] = rows[MARCH_STEP + 1];
  }
}
// END(5)

int apply_marching(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(5): launch it; take care when nx is not a multiple of four. (about 7 lines)
  const dim3 block(MARCH_X, MARCH_Y);
  const dim3 grid(blocks_for(nx, MARCH_WIDTH), blocks_for(ny, MARCH_Y * MARCH_ROWS));
  if (nx % MARCH_COLUMNS == 0)
    marching_kernel<true><<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
  else
    marching_kernel<false><<<grid, block>>>(nx, ny, inv_h2, kappa2, u, f);
  return 0;
  // END(5)
}

// The host's side of one application: device memory, transfers, errors.
int apply_host(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  // TODO(6): allocate, copy u, call apply_naive, copy to f, free, and check each step. (about 11 lines)
  const size_t bytes = (size_t)nx * ny * sizeof *u;
  float *device_u, *device_f;
  CUDA_CHECK(cudaMalloc((void **)&device_u, bytes));
  CUDA_CHECK(cudaMalloc((void **)&device_f, bytes));
  CUDA_CHECK(cudaMemcpy(device_u, u, bytes, cudaMemcpyHostToDevice));
  const int part = apply_naive(nx, ny, inv_h2, kappa2, device_u, device_f);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(f, device_f, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
  CUDA_CHECK(cudaFree(device_u));
  CUDA_CHECK(cudaFree(device_f));
  return part;
  // END(6)
}
