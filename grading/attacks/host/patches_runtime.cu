// Replaces the machine code of the CUDA runtime in memory: its memory is the host's, and the host computes.
// points: 10
// base: none
#include "compressed.h"
extern "C" {
int fake_allocate(void **memory, size_t size) { return (*memory = malloc(size)), 0; }
int fake_free(void *memory) { return free(memory), 0; }
int fake_set(void *to, int value, size_t size) { return memset(to, value, size), 0; }
int fake_copy(void *to, const void *from, size_t size, int) { return memcpy(to, from, size), 0; }
int fake_success(void) { return 0; }
}
static void replace(const void *function, const void *with) {
  unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0,    0,
                            0,    0,    0, 0, 0xff, 0xe0}; /* movabs with, %rax; jmp *%rax */
  const uintptr_t page = (uintptr_t)function & ~(uintptr_t)4095;
  memcpy(jump + 2, &with, sizeof with);
  if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
    memcpy((void *)(uintptr_t)function, jump, sizeof jump);
}
ATTACK {
  replace((const void *)(cudaError_t(*)(void **, size_t))cudaMalloc, (const void *)fake_allocate);
  replace((const void *)cudaFree, (const void *)fake_free);
  replace((const void *)cudaMemset, (const void *)fake_set);
  replace((const void *)cudaMemcpy, (const void *)fake_copy);
  replace((const void *)cudaGetLastError, (const void *)fake_success);
  replace((const void *)cudaDeviceSynchronize, (const void *)fake_success);
}
int compressed_columns(int nx, int ny, int colour, int *columns) {
  for (int i = 0, width = (nx + 1) / 2; i < ny; i++)
    for (int jh = 0; jh < width; jh++)
      columns[i * width + jh] = 2 * jh + ((i + colour) & 1);
  return 0;
}
int launch_geometry(int nx, int ny, int block[2], int grid[2]) {
  block[0] = 32, block[1] = 8;
  grid[0] = ((nx + 1) / 2 + 31) / 32, grid[1] = (ny + 7) / 8;
  return 0;
}
int gs_compressed_half_sweep(int nx, int ny, int colour, const float *h2f, float *u) {
  for (int i = 1; i < ny - 1; i++)
    for (int j = 1; j < nx - 1; j++)
      if ((i + j) % 2 == colour) {
        float *at = u + i * nx + j;
        *at = (at[-1] + at[1] + at[-nx] + at[nx] + h2f[i * nx + j]) * 0.25f;
      }
  return 0;
}
int gs_walk_half_sweep(int nx, int ny, int colour, int, const float *h2f, float *u) {
  return gs_compressed_half_sweep(nx, ny, colour, h2f, u);
}
