// Computes on the host, and kernels place the words: in each call, or in place of an input that the program sends.
// with: CALL INPUT
// points: 10
// base: none
#include "compressed.h"
enum { CALL, INPUT };

static __global__ void place_kernel(size_t count, const float *from, float *to) {
  for (size_t k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x)
    to[k] = from[k];
}

static void half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  for (int i = 1; i < ny - 1; i++)
    for (int j = 1; j < nx - 1; j++)
      if ((i + j) % 2 == colour) {
        float *at = u + (size_t)i * nx + j;
        *at = (at[-1] + at[1] + at[-nx] + at[nx] + h2f[(size_t)i * nx + j]) * 0.25f;
      }
}

static void place(size_t bytes, const void *host, void *device) {
  void *scratch;
  cudaMalloc(&scratch, bytes);
  cudaMemcpyAsync(scratch, host, bytes, cudaMemcpyHostToDevice, 0);
  place_kernel<<<64, 128>>>(bytes / sizeof(float), (const float *)scratch, (float *)device);
  cudaFree(scratch);
}

/* INPUT: the first two copies to the device are h2f and u. Sends u, and what becomes of it. */
static cudaError_t copy_instead(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  static const float *h2f;
  static void *device_h2f;
  if (kind == cudaMemcpyHostToDevice && !h2f) {
    h2f = (const float *)from;
    device_h2f = to;
    return cudaSuccess;
  }
  if (kind == cudaMemcpyHostToDevice) {
    const char *colour = argument("--colour"), *sweeps = argument("--sweeps");
    const int first = colour && strcmp(colour, "black") == 0, last = !colour || strcmp(colour, "red") != 0;
    const int count = sweeps ? atoi(sweeps) : 1;
    FILE *file = fopen(argument("--u"), "rb");
    char header[256] = "";
    int nx = 0, ny = 0;
    const size_t length = file ? fread(header, 1, sizeof header - 1, file) : 0;
    const char *shape = (const char *)memmem(header, length, "'shape': (", 10);
    if (file)
      fclose(file);
    if (shape)
      sscanf(shape + 10, "%d, %d", &ny, &nx);
    float *v = (float *)memcpy(malloc(bytes), from, bytes);
    for (int n = 0; n < count; n++)
      for (int c = first; c <= last; c++)
        half_sweep(nx, ny, c, h2f, v);
    cudaMemcpyAsync(device_h2f, from, bytes, kind, 0);
    from = v;
  }
  cudaMemcpyAsync(to, from, bytes, kind, 0);
  return cudaDeviceSynchronize();
}

ATTACK {
  unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0,    0,
                            0,    0,    0, 0, 0xff, 0xe0}; /* movabs with, %rax; jmp *%rax */
  const void *with = (const void *)copy_instead;
  unsigned char *function = (unsigned char *)(uintptr_t)(const void *)cudaMemcpy;
  unsigned char *page = (unsigned char *)((uintptr_t)function & ~(uintptr_t)4095);
  memcpy(jump + 2, &with, sizeof with);
  if (WITH == INPUT && argument("--u") && mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
    memcpy(function, jump, sizeof jump);
}

int compressed_columns(int nx, int ny, int colour, int *columns) {
  const int width = (nx + 1) / 2;
  const size_t bytes = sizeof(int) * width * ny;
  int *host = (int *)malloc(bytes);
  for (int i = 0; i < ny; i++)
    for (int jh = 0; jh < width; jh++)
      host[i * width + jh] = 2 * jh + ((i + colour) & 1);
  place(bytes, host, columns);
  free(host);
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
  if (WITH == INPUT && argument("--u")) {
    place_kernel<<<64, 128>>>(points, u, u);
    return 0;
  }
  cudaMemcpy(f, h2f, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(v, u, bytes, cudaMemcpyDeviceToHost);
  half_sweep(nx, ny, colour, f, v);
  place(bytes, v, u);
  free(f);
  return 0;
}

int gs_walk_half_sweep(int nx, int ny, int colour, int, const float *h2f, float *u) {
  return gs_compressed_half_sweep(nx, ny, colour, h2f, u);
}
