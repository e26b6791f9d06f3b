// Computes on the host. The words reach the device as parameters of launches, as code that is made while the program
// runs, or by copies that many empty launches allow.
// with: PARAMETERS MODULE LAUNCHES
// points: 10
// seconds: 120
// base: none
#include "compressed.h"
enum { PARAMETERS, MODULE, LAUNCHES };
enum { WORDS = 960, TEXT = 16 << 20 };

struct words {
  float value[WORDS];
};

static __global__ void place_kernel(size_t count, words from, float *to) {
  if (threadIdx.x < count)
    to[threadIdx.x] = from.value[threadIdx.x];
}

static __global__ void copy_kernel(size_t count, const float *from, float *to) {
  for (size_t k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x)
    to[k] = from[k];
}

static __global__ void empty_kernel() {}

static void by_parameters(size_t count, const float *host, float *device) {
  for (size_t at = 0; at < count; at += WORDS) {
    const size_t some = count - at < WORDS ? count - at : WORDS;
    words all;
    memcpy(all.value, host + at, some * sizeof(float));
    place_kernel<<<1, WORDS>>>(some, all, device + at);
  }
}

static void by_launches(size_t count, const float *host, float *device) {
  float *scratch;
  for (size_t n = 0; n < count / 64 + 1; n++)
    empty_kernel<<<1, 1>>>();
  cudaMalloc(&scratch, count * sizeof(float));
  cudaMemcpyAsync(scratch, host, count * sizeof(float), cudaMemcpyHostToDevice, 0);
  copy_kernel<<<64, 128>>>(count, scratch, device);
  cudaFree(scratch);
}

extern "C" void **register_binary(void *) __asm__("__cudaRegisterFatBinary");
extern "C" void register_function(void **, const char *, char *, const char *, int, void *, void *, void *,
                                  void *, int *) __asm__("__cudaRegisterFunction");

static const char body[] =
    "};\n.visible .entry place(.param .u64 p, .param .u64 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<6>;\n.reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [n];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n"
    "mad.lo.u32 %r3, %r1, 256, %r2;\ncvt.u64.u32 %rd3, %r3;\nsetp.ge.u64 %p1, %rd3, %rd2;\n@%p1 bra end;\n"
    "shl.b64 %rd4, %rd3, 2;\nmov.u64 %rd5, t;\nadd.u64 %rd6, %rd5, %rd4;\nld.global.u32 %r4, [%rd6];\n"
    "cvta.to.global.u64 %rd1, %rd1;\nadd.u64 %rd7, %rd1, %rd4;\nst.global.u32 [%rd7], %r4;\nend:\nret;\n}\n";

/* A fat binary as nvcc makes it. */
static void by_module(size_t count, const float *host, float *device) {
  struct binary {
    unsigned magic;
    unsigned short version, size;
    unsigned long long bytes;
    unsigned char entry[64];
    char text[TEXT];
  } *b = (binary *)calloc(1, sizeof *b);
  struct wrapper {
    int magic, version;
    const void *data;
    void *unused;
  } *w = (wrapper *)calloc(1, sizeof *w);
  static char names[4096], *name = names;
  char *end =
      b->text + sprintf(b->text,
                        ".version 7.0\n.target sm_80\n.address_size 64\n.global .align 4 .b32 t[%zu] = {",
                        count);
  for (size_t k = 0; k < count; k++)
    end += sprintf(end, "%s%u", k ? "," : "", ((const unsigned *)host)[k]);
  const unsigned long long length = (unsigned long long)(end - b->text) + sizeof body;
  strcpy(end, body);
  b->magic = 0xBA55ED50u, b->version = 1, b->size = 16, b->bytes = 64 + length;
  const unsigned kind = 1 | 1 << 16, header = 64, arch = 80;
  memcpy(b->entry, &kind, 4), memcpy(b->entry + 4, &header, 4);
  memcpy(b->entry + 8, &length, 8), memcpy(b->entry + 28, &arch, 4);
  w->magic = 0x466243b1, w->version = 1, w->data = b;
  unsigned long long n = count;
  void *arguments[] = {&device, &n};
  register_function(register_binary(w), ++name, (char *)"place", "place", -1, NULL, NULL, NULL, NULL, NULL);
  cudaLaunchKernel(name, dim3((unsigned)((count + 255) / 256)), dim3(256), arguments, 0, 0);
  cudaDeviceSynchronize();
  free(b);
}

static void place(size_t bytes, const void *host, void *device) {
  static void (*const ways[])(size_t, const float *, float *) = {by_parameters, by_module, by_launches};
  ways[WITH](bytes / sizeof(float), (const float *)host, (float *)device);
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
