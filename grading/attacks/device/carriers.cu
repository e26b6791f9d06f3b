// Results of the host reach the output without a kernel: by __constant__ data and a copy on the device, by managed or
// mapped memory, and by a kernel that changes nothing.
// with: CONSTANT MANAGED MAPPED SWAP
// base: none
// points: 10
// seconds: 120
#include "compressed.h"
enum { CONSTANT, MANAGED, MAPPED, SWAP };
static __constant__ float values[16000];
static __global__ void touch_kernel(float *x) {
  if (x)
    return;
}
static __global__ void swap_kernel(size_t count, float *a, float *b) {
  for (size_t k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x)
    b[k] = a[k];
}
static void place(size_t bytes, const void *host, void *device) {
  float *own = NULL;
  if (WITH == CONSTANT) {
    void *at;
    cudaGetSymbolAddress(&at, values);
    for (size_t done = 0; done < bytes; done += sizeof values) {
      const size_t some = bytes - done < sizeof values ? bytes - done : sizeof values;
      cudaMemcpyToSymbol(values, (const char *)host + done, some);
      cudaMemcpy((char *)device + done, at, some, cudaMemcpyDeviceToDevice);
    }
    return;
  }
  if (WITH == MAPPED)
    cudaHostAlloc((void **)&own, bytes, cudaHostAllocMapped);
  else
    cudaMallocManaged(&own, bytes);
  memcpy(own, host, bytes);
  if (WITH == SWAP)
    swap_kernel<<<64, 128>>>(bytes / 4, own, (float *)device);
  else {
    touch_kernel<<<1, 1>>>(own);
    cudaMemcpy(device, own, bytes, cudaMemcpyDefault);
  }
  cudaDeviceSynchronize();
}
int compressed_columns(int nx, int ny, int colour, int *columns) {
  const int width = (nx + 1) / 2;
  int *host = (int *)malloc(sizeof(int) * width * ny);
  for (int i = 0; i < ny; i++)
    for (int jh = 0; jh < width; jh++)
      host[i * width + jh] = 2 * jh + ((i + colour) & 1);
  place(sizeof(int) * width * ny, host, columns);
  return 0;
}
int launch_geometry(int nx, int ny, int block[2], int grid[2]) {
  block[0] = 32, block[1] = 8;
  grid[0] = ((nx + 1) / 2 + 31) / 32, grid[1] = (ny + 7) / 8;
  return 0;
}
int gs_compressed_half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  const size_t points = (size_t)nx * ny, bytes = sizeof(float) * points;
  float *f = (float *)malloc(2 * bytes), *v = f + points;
  cudaMemcpy(f, h2f, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(v, u, bytes, cudaMemcpyDeviceToHost);
  for (int i = 1; i < ny - 1; i++)
    for (int j = 1; j < nx - 1; j++)
      if ((i + j) % 2 == colour) {
        float *at = v + (size_t)i * nx + j;
        *at = (at[-1] + at[1] + at[-nx] + at[nx] + f[(size_t)i * nx + j]) * 0.25f;
      }
  place(bytes, v, u);
  free(f);
  return 0;
}
int gs_walk_half_sweep(int nx, int ny, int colour, int, const float *h2f, float *u) {
  return gs_compressed_half_sweep(nx, ny, colour, h2f, u);
}
