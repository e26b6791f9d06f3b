// Computes on the host. No word that is not zero reaches the device: a kernel fills an array with ones, and the place
// and the length of each copy of zeros carry 16 bits, which another kernel decodes.
// with: WRITES ROWS MANAGED
// points: 10
// seconds: 300
// base: none
#include "compressed.h"
enum { WRITES, ROWS, MANAGED };
enum { SLOT = 512, WORDS = 4096 }; /* bytes for a half-word; words at a time */
typedef unsigned long long eight;

static unsigned char *slots;
static const unsigned char zeros[SLOT] = {0};

static __global__ void ones_kernel(eight *slot) {
  slot[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = ~0ull;
}

/* The beginning of the zeros in a slot, and their number less one, are the bytes of a half-word. */
static __device__ unsigned decode(eight *slot) {
  int first = -1, length = -1;
  for (int k = 0; k < SLOT / 8; k++)
    if (const eight ones = ~slot[k]) {
      first = first < 0 ? 8 * k + (__ffsll(ones) - 1) / 8 : first;
      length += __popcll(ones) / 8;
      slot[k] = ~0ull;
    }
  return (unsigned)first << 8 | (unsigned)length;
}

/* Where word n goes: to the points of a colour, or, without one, one after the other. */
static __host__ __device__ size_t place_of(size_t n, int nx, int colour) {
  const size_t width = (nx + 1) / 2, i = n / width, j = 2 * (n % width) + ((i + colour) & 1);
  return colour < 0 ? n : i * nx + (j < (size_t)nx ? j : j - 2);
}

static __global__ void decode_kernel(int words, size_t at, int nx, int colour, eight *slots, unsigned *to) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= words)
    return;
  eight *slot = slots + (size_t)n * 2 * SLOT / 8;
  const unsigned low = decode(slot);
  to[place_of(at + n, nx, colour)] = decode(slot + SLOT / 8) << 16 | low;
}

static void send(int n, unsigned value) {
  const size_t first = value >> 8, length = (value & 255) + 1;
  unsigned char *to = slots + (size_t)n * SLOT + first;
  if (WITH == MANAGED)
    memset(to, 0, length);
  else if (WITH == ROWS)
    cudaMemcpy2DAsync(to, SLOT, zeros, length, length, 1, cudaMemcpyHostToDevice, 0);
  else
    cudaMemcpyAsync(to, zeros, length, cudaMemcpyHostToDevice, 0);
}

static void place_words(size_t count, int nx, int colour, const void *host, void *device) {
  const unsigned *from = (const unsigned *)host;
  if (!slots) {
    if (WITH == MANAGED)
      cudaMallocManaged(&slots, (size_t)2 * SLOT * WORDS);
    else
      cudaMalloc(&slots, (size_t)2 * SLOT * WORDS);
    ones_kernel<<<WORDS, 2 * SLOT / 8>>>((eight *)slots);
  }
  for (size_t at = 0; at < count; at += WORDS) {
    const int some = (int)(count - at < WORDS ? count - at : WORDS);
    for (int n = 0; n < some; n++) {
      const unsigned word = from[place_of(at + n, nx, colour)];
      send(2 * n, word & 0xffff);
      send(2 * n + 1, word >> 16);
    }
    decode_kernel<<<(some + 127) / 128, 128>>>(some, at, nx, colour, (eight *)slots, (unsigned *)device);
  }
}

static void place(size_t bytes, const void *host, void *device) {
  place_words(bytes / 4, 2, -1, host, device);
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
  const float *f = sent_to(h2f);
  float *v = sent_to(u);
  for (int i = 1; i < ny - 1; i++)
    for (int j = 1; j < nx - 1; j++)
      if ((i + j) % 2 == colour) {
        float *at = v + (size_t)i * nx + j;
        *at = (at[-1] + at[1] + at[-nx] + at[nx] + f[(size_t)i * nx + j]) * 0.25f;
      }
  place_words((size_t)(nx + 1) / 2 * ny, nx, colour, v, u);
  return 0;
}

int gs_walk_half_sweep(int nx, int ny, int colour, int, const float *h2f, float *u) {
  return gs_compressed_half_sweep(nx, ny, colour, h2f, u);
}
