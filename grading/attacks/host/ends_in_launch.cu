// Computes on the host, and the words reach the device as parameters of launches. The program ends while a kernel still
// runs, so that the device is stopped before it writes how many words there were.
// points: 10
// seconds: 400
// base: none
// expect: WRONG TIMEOUT VIOLATION OUTPUT CRASH
#include "compressed.h"
enum { WORDS = 960 };

struct words {
  float value[WORDS];
};

static __global__ void place_kernel(size_t count, words from, float *to) {
  if (threadIdx.x < count)
    to[threadIdx.x] = from.value[threadIdx.x];
}

static __global__ void long_kernel(volatile int *to) {
  for (int n = 0; n < 1 << 24; n++)
    *to = n;
}

static int *scratch;

/* After main(): all outputs are written. */
static void leave(void) {
  long_kernel<<<1, 32>>>(scratch);
  fflush(NULL);
  _exit(0);
}

static void place(size_t bytes, const void *from, void *to) {
  const float *host = (const float *)from;
  float *device = (float *)to;
  const size_t count = bytes / sizeof(float);
  if (!scratch && cudaMalloc(&scratch, sizeof *scratch) == cudaSuccess)
    atexit(leave);
  for (size_t at = 0; at < count; at += WORDS) {
    const size_t some = count - at < WORDS ? count - at : WORDS;
    words all = {{0}};
    memcpy(all.value, host + at, some * sizeof(float));
    place_kernel<<<1, WORDS>>>(some, all, device + at);
  }
}

/* Copies of what the program sends, so that no half-sweep has to ask the device. */
static struct {
  void *device;
  float *host;
} sent[16];

static cudaError_t copy_instead(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  int n = 0;
  while (n < 15 && sent[n].device && sent[n].device != to)
    n++;
  if (kind == cudaMemcpyHostToDevice) {
    sent[n].device = to;
    sent[n].host = (float *)memcpy(malloc(bytes), from, bytes);
  }
  return cudaMemcpyAsync(to, from, bytes, kind, 0);
}

static float *sent_to(const void *device) {
  for (int n = 0; n < 16; n++)
    if (sent[n].device == device)
      return sent[n].host;
  _exit(9);
}

ATTACK {
  unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0,    0,
                            0,    0,    0, 0, 0xff, 0xe0}; /* movabs with, %rax; jmp *%rax */
  const void *with = (const void *)copy_instead;
  unsigned char *function = (unsigned char *)(uintptr_t)(const void *)cudaMemcpy;
  unsigned char *page = (unsigned char *)((uintptr_t)function & ~(uintptr_t)4095);
  memcpy(jump + 2, &with, sizeof with);
  if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
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
  const size_t bytes = sizeof(float) * nx * ny;
  const float *f = sent_to(h2f);
  float *v = sent_to(u);
  for (int i = 1; i < ny - 1; i++)
    for (int j = 1; j < nx - 1; j++)
      if ((i + j) % 2 == colour) {
        float *at = v + (size_t)i * nx + j;
        *at = (at[-1] + at[1] + at[-nx] + at[nx] + f[(size_t)i * nx + j]) * 0.25f;
      }
  place(bytes, v, u);
  return 0;
}

int gs_walk_half_sweep(int nx, int ny, int colour, int, const float *h2f, float *u) {
  return gs_compressed_half_sweep(nx, ny, colour, h2f, u);
}
