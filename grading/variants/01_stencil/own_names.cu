// Style: a whole file: own kernel names, a struct of arguments, a blocking stream, templates, launch bounds.
#include "stencil.h"

#include "cuda_check.h"

#include <cuda_runtime.h>

// All that a kernel of this file is given; rows and columns as the kernel sees them.
struct job {
  int columns, rows;
  float scale, shift;
  const float *in;
  float *out;

  __device__ bool holds(int i, int j) const { return i >= 0 && i < rows && j >= 0 && j < columns; }
  __device__ bool inside(int i, int j) const { return i > 0 && i < rows - 1 && j > 0 && j < columns - 1; }
  __device__ float read(int i, int j) const { return holds(i, j) ? __ldg(in + i * columns + j) : 0.0f; }
};

static __device__ __forceinline__ float laplacian(const job &work, float u, float w, float e, float n,
                                                  float s) {
  float r = 4.0f * u;
  r -= w;
  r -= e;
  r -= n;
  r -= s;
  r *= work.scale;
  return r + work.shift * u;
}

static cudaStream_t own_stream() {
  static cudaStream_t stream;
  if (!stream)
    cudaStreamCreate(&stream); // it waits for the default stream, which waits for it
  return stream;
}

static unsigned round_up(int count, int size) { return (unsigned)((count + size - 1) / size); }

__global__ void times(int n, float factor, const float *x, float *y) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
    y[k] = factor * x[k];
}

int scale(int n, float factor, const float *x, float *y) {
  times<<<round_up(n, 1024), 128, 0, own_stream()>>>(n, factor, x, y);
  return 0;
}

int csr_assemble(int nx, int ny, double inv_h2, double kappa2, int *row_start, int *column, double *value) {
  row_start[0] = 0;
  for (int k = 0; k < nx * ny; k++) { // first the lengths, then the entries
    const int i = k / nx, j = k % nx;
    const bool edge = i == 0 || j == 0 || i == ny - 1 || j == nx - 1;
    row_start[k + 1] = row_start[k] + (edge ? 1 : 5);
  }
  for (int k = 0; k < nx * ny; k++) {
    const int first = row_start[k], length = row_start[k + 1] - first;
    static const int steps[5][2] = {{-1, 0}, {0, -1}, {0, 0}, {0, 1}, {1, 0}};
    for (int n = 0; n < length; n++) {
      const int *step = steps[length == 1 ? 2 : n];
      column[first + n] = k + step[0] * nx + step[1];
      value[first + n] = length == 1 ? 1.0 : column[first + n] == k ? 4.0 * inv_h2 + kappa2 : -inv_h2;
    }
  }
  return 0;
}

__global__ void __launch_bounds__(256) five_points(job work) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (!work.holds(i, j))
    return;
  const float *p = work.in + i * work.columns + j;
  const int up = work.columns;
  work.out[i * work.columns + j] =
      work.inside(i, j) ? laplacian(work, p[0], p[-1], p[1], p[-up], p[up]) : p[0];
}

int apply_naive(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  const job work = {nx, ny, inv_h2, kappa2, u, f};
  five_points<<<dim3(round_up(nx, 64), round_up(ny, 4)), dim3(64, 4), 0, own_stream()>>>(work);
  return 0;
}

template <int X, int Y> __global__ void halo_in_shared(job work) {
  __shared__ float box[Y + 2][X + 2];
  const int i0 = blockIdx.y * Y, j0 = blockIdx.x * X, me = threadIdx.y * X + threadIdx.x;
  for (int k = me; k < (X + 2) * (Y + 2); k += X * Y)
    box[k / (X + 2)][k % (X + 2)] = work.read(i0 - 1 + k / (X + 2), j0 - 1 + k % (X + 2));
  __syncthreads();
  const int y = threadIdx.y + 1, x = threadIdx.x + 1, i = i0 + threadIdx.y, j = j0 + threadIdx.x;
  if (work.holds(i, j))
    work.out[i * work.columns + j] =
        laplacian(work, box[y][x], box[y][x - 1], box[y][x + 1], box[y - 1][x], box[y + 1][x]);
}

int apply_tiled(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  const job work = {nx - 2, ny - 2, inv_h2, kappa2, u, f};
  halo_in_shared<32, 16>
      <<<dim3(round_up(nx - 2, 32), round_up(ny - 2, 16)), dim3(32, 16), 0, own_stream()>>>(work);
  return 0;
}

// A lane holds its four columns of a row and the two beside them, which its neighbours have, or memory.
enum { ROWS_DOWN = 12 };

template <bool WIDE> static __device__ void read_row(const job &work, int i, int j, float *six) {
  const float *row = work.in + min(max(i, 0), work.rows - 1) * work.columns;
  if (WIDE) {
    const float4 v = __ldg(reinterpret_cast<const float4 *>(row + min(j, work.columns - 4)));
    six[1] = v.x, six[2] = v.y, six[3] = v.z, six[4] = v.w;
  } else {
    for (int n = 0; n < 4; n++)
      six[n + 1] = row[min(j + n, work.columns - 1)];
  }
  const int lane = threadIdx.x % 32;
  six[0] = __shfl_sync(0xffffffff, six[4], (lane + 31) % 32);
  six[5] = __shfl_sync(0xffffffff, six[1], (lane + 1) % 32);
  if (lane == 0)
    six[0] = row[min(max(j - 1, 0), work.columns - 1)];
  if (lane == 31)
    six[5] = row[min(j + 4, work.columns - 1)];
}

template <bool WIDE> __global__ void __launch_bounds__(64) down_the_rows(job work) {
  const int j = 4 * (blockIdx.x * blockDim.x + threadIdx.x), first = blockIdx.y * ROWS_DOWN;
  float above[6], here[6], below[6];
  read_row<WIDE>(work, first - 1, j, above);
  read_row<WIDE>(work, first, j, here);
#pragma unroll 4
  for (int i = first; i < min(first + ROWS_DOWN, work.rows); i++) {
    read_row<WIDE>(work, i + 1, j, below);
    float out[4];
    for (int n = 0; n < 4; n++) {
      const float value = laplacian(work, here[n + 1], here[n], here[n + 2], above[n + 1], below[n + 1]);
      out[n] = work.inside(i, j + n) ? value : here[n + 1];
    }
    if (WIDE && j < work.columns)
      *reinterpret_cast<float4 *>(work.out + i * work.columns + j) =
          make_float4(out[0], out[1], out[2], out[3]);
    for (int n = 0; n < 4 && !WIDE; n++)
      if (j + n < work.columns)
        work.out[i * work.columns + j + n] = out[n];
    for (int n = 0; n < 6; n++)
      above[n] = here[n], here[n] = below[n];
  }
}

int apply_marching(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  const job work = {nx, ny, inv_h2, kappa2, u, f};
  const dim3 grid(round_up(nx, 4 * 64), round_up(ny, ROWS_DOWN));
  if (nx % 4)
    down_the_rows<false><<<grid, 64, 0, own_stream()>>>(work);
  else
    down_the_rows<true><<<grid, 64, 0, own_stream()>>>(work);
  return 0;
}

// Memory that frees itself, and error checks with two statements.
struct device_array {
  float *values = nullptr;
  explicit device_array(size_t bytes) { CUDA_CHECK(cudaMalloc((void **)&values, bytes)); }
  ~device_array() { cudaFree(values); }
};

int apply_host(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  const size_t bytes = sizeof(float) * nx * ny;
  device_array in(bytes), out(bytes);
  CUDA_CHECK(cudaMemcpyAsync(in.values, u, bytes, cudaMemcpyHostToDevice, own_stream()));
  apply_naive(nx, ny, inv_h2, kappa2, in.values, out.values);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(f, out.values, bytes, cudaMemcpyDeviceToHost, own_stream()));
  CUDA_CHECK(cudaStreamSynchronize(own_stream()));
  return 0;
}
