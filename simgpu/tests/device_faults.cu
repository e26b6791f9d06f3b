// Kernels that fail, one per name. The program prints what the launch, the next synchronisation and a later
// call return, and exits with status 7. Marks show the failing lines to test_device_faults.c, which knows
// the expected messages.
#undef NDEBUG
#include <cassert>
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { WORDS = 1000, BLOCKS = 4, THREADS = 64, CULPRIT = 2 * THREADS + 37 };

__constant__ int constants[WORDS];
namespace named {
__constant__ int constants[16];
}
static dim3 grid(BLOCKS), block(THREADS);
static unsigned shared_bytes;

__device__ bool is_culprit() { return blockIdx.x * blockDim.x + threadIdx.x == CULPRIT; }

__global__ void read_at(const int *a, long index, int *out) {
  if (is_culprit())
    *out = a[index]; // HERE read_at
}
__global__ void write_at(int *a, long index, int *) {
  if (is_culprit())
    a[index] = 1; // HERE write_at
}
__global__ void all_read_at(const int *a, long index, int *out) {
  out[threadIdx.x] = a[index + blockIdx.x * blockDim.x + threadIdx.x]; // HERE all_read_at
}
__global__ void constant_at(const int *a, long index, int *out) {
  if (is_culprit())
    asm("ld.const.u32 %0, [%1];" : "=r"(*out) : "l"(a + index)); // HERE constant_at
}
__global__ void vector_read(const int *a, long index, int *out) {
  float4 v = *(const float4 *)(a + index); // HERE vector_read
  *out = v.x + v.y + v.z + v.w;
}
__global__ void atomic_at(int *a, long index, int *) {
  if (is_culprit())
    atomicAdd((int *)((char *)a + index), 1); // HERE atomic_at
}
__global__ void shared_at(int *a, long index, int *out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = a[threadIdx.x];
  if (is_culprit())
    *out = shared[index]; // HERE shared_at
}
__global__ void shared_not_given(int *, long, int *out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = threadIdx.x; // HERE shared_not_given
  __syncthreads();
  out[threadIdx.x] = shared[THREADS - 1 - threadIdx.x];
}
__global__ void local_at(int *a, long index, int *out) {
  int local[4] = {a[0], a[1], a[2], a[3]};
  if (is_culprit())
    *out = local[index]; // HERE local_at
}
__device__ __noinline__ int endless_depth(int n, volatile int *a) {
  return n + *a + endless_depth(n + 1, a) * 3; // HERE recursion
}
__global__ void recursion(int *a, long, int *out) {
  if (is_culprit())
    *out = endless_depth(a[0], a);
}
__global__ void trap(int *, long, int *) {
  if (is_culprit())
    __trap(); // HERE trap
}
__global__ void assertion(int *a, long index, int *) {
  assert(!is_culprit() || a[0] == index); // HERE assertion
}
// A macro is on one line: which line of a longer statement nvcc names depends on its version.
#define MATRIX_ASM(text, out, in) asm volatile(text : "=r"(out) : "r"(in))
__global__ void matrix_without_lanes(int *, long, int *out) {
  unsigned d, a = threadIdx.x;
  MATRIX_ASM("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;", d, a); // HERE matrix_without_lanes
  out[threadIdx.x] = d;
}
__global__ void matrix_rows(int *, long index, int *out) {
  __shared__ __align__(16) int rows[256];
  rows[threadIdx.x] = 0;
  const unsigned at =
      (unsigned)__cvta_generic_to_shared(rows + threadIdx.x % 8 * 4) + (is_culprit() ? index : 0);
  unsigned d;
  MATRIX_ASM("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];", d, at); // HERE matrix_rows
  out[threadIdx.x] = d;
}
__global__ void returned_threads(int *a, long, int *out) {
  if (blockIdx.x == 2 && threadIdx.x % 32 < 5)
    return;
  __syncthreads(); // HERE returned_threads
  out[threadIdx.x] = a[threadIdx.x];
}
__global__ void returned_warps(int *a, long, int *out) {
  if (blockIdx.x == 2 && threadIdx.x < 32)
    return;
  __syncthreads(); // HERE returned_warps
  out[threadIdx.x] = a[threadIdx.x];
}
__global__ void divergent_barrier(int *a, long, int *out) {
  if (threadIdx.x % 32 < 5) {
    out[threadIdx.x] = a[0];
  } else {
    __syncthreads(); // HERE divergent_barrier
    out[threadIdx.x] = a[1];
  }
  for (int i = 0; i < a[2]; i++)
    out[threadIdx.x] += a[i];
}
__global__ void halves_apart(int *, long, int *out) {
  if (threadIdx.x % 32 < 16)
    out[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 1);
  else
    out[threadIdx.x] = __shfl_up_sync(~0u, threadIdx.x, 2); // HERE halves_apart
}

// Wrong uses of a pointer from malloc(): past its end, and after free().
__global__ void heap_past_the_end(int *, long index, int *) {
  volatile int *own = (int *)malloc(40);
  if (is_culprit())
    own[index] = 1; // HERE heap_past_the_end
  free((void *)own);
}

__global__ void heap_after_free(int *, long index, int *out) {
  volatile int *own = (int *)malloc(40);
  own[index] = 1;
  out[0] = own[index];
  if (is_culprit())
    free((void *)own);
  out[0] = own[index]; // HERE heap_after_free
}

__global__ void heap_double_free(int *, long, int *out) {
  int *own = (int *)malloc(40);
  out[0] = own[3];
  free(own);
  if (is_culprit())
    free(own); // HERE heap_double_free
}

__global__ void heap_foreign_free(int *a, long, int *) {
  if (is_culprit())
    free(a); // HERE heap_foreign_free
}

__global__ void crossed_barriers(int *, long, int *) {
  if (blockIdx.x == 2 && threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;"); // HERE crossed_barriers
  else if (blockIdx.x == 2)
    asm volatile("bar.sync 2, 64;");
}
__global__ void never_set(volatile int *a, long, int *out) {
  if (is_culprit())
    while (a[0] == 0) // HERE never_set
      ;
  __syncthreads();
  *out = 1;
}
__global__ void grid_barrier(int *a, long, int *) {
  if (threadIdx.x == 0) {
    atomicAdd(a, 1);
    while (*(volatile int *)a < (int)gridDim.x) // HERE grid_barrier
      ;
  }
  __syncthreads();
}
__global__ void grid_sync(int *, long, int *) {
  cooperative_groups::this_grid().sync(); // HERE grid_sync
}
// More values than a multiprocessor has registers for 1024 threads.
__global__ void hungry(int *a, long, int *out) {
  enum { VALUES = 200 };
  int values[VALUES];
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    values[i] = a[i];
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    out[i] = values[i] * values[(i + 7) % VALUES];
}
__global__ void endless(volatile int *a, long, int *out) {
  if (blockIdx.x == 2)
    while (a[0] == 0) // HERE endless
      *out = 1;
}
// The lowest block fails last.
__global__ void many(const int *a, long index, int *out) {
  int x = 0;
  for (int i = 0; i < (3 - (int)blockIdx.x) * 3000; i++)
    x += a[i % WORDS];
  if (blockIdx.x > 0)
    out[threadIdx.x] = a[index + blockIdx.x] + x; // HERE many
}
__global__ void deep(int *a, long index, int *) {
  if (blockIdx.x == 1 && blockIdx.y == 2 && blockIdx.z == 3 && threadIdx.x == 3 && threadIdx.y == 1 &&
      threadIdx.z == 2)
    a[index] = 1; // HERE deep
}
__global__ void fine(int *, long, int *out) { *out = 1; }
__global__ void __launch_bounds__(32) bounded(int *, long, int *out) { *out = 1; }

static int report(cudaError_t launched) {
  cudaError_t synchronised = cudaDeviceSynchronize(), later = cudaSuccess;
  void *p;
  later = cudaMalloc(&p, 4);
  printf("%s %s %s\n", cudaGetErrorName(launched), cudaGetErrorName(synchronised), cudaGetErrorName(later));
  return 7;
}

static int *array, *other, *out;

typedef void (*Kernel)(int *, long, int *);
static int launch(Kernel kernel, long index, int *a = array) {
  kernel<<<grid, block, shared_bytes>>>(a, index, out);
  return report(cudaGetLastError());
}

// Launches on the array, of the usual size.
static const struct {
  const char *name;
  Kernel kernel;
  long index;
} on_array[] = {
    {"read past the end", (Kernel)read_at, WORDS},
    {"read before the start", (Kernel)read_at, -1},
    {"read in the guard zone", (Kernel)read_at, WORDS + 512},
    {"read beyond texts", (Kernel)read_at, 1l << 20},
    {"read far away", (Kernel)read_at, 1l << 40},
    {"read as constants what are none", (Kernel)constant_at, 1},
    {"write past the end", write_at, WORDS + 2},
    {"write before the start", write_at, -2},
    {"read past the end by some lanes", (Kernel)all_read_at, WORDS - CULPRIT},
    {"read past the end by the last lane", (Kernel)all_read_at, WORDS - (3 * THREADS - 1)},
    {"misaligned vector", (Kernel)vector_read, 1},
    {"misaligned atomic", atomic_at, 6},
    {"atomic past the end", atomic_at, 4 * WORDS},
    {"shared memory forgotten", shared_not_given, 0},
    {"local out of range", local_at, 100000},
    {"endless recursion", recursion, 0},
    {"trap", trap, 0},
    {"assertion", assertion, 5},
    {"some threads returned", returned_threads, 0},
    {"whole warps returned", returned_warps, 0},
    {"divergent barrier", divergent_barrier, 0},
    {"halves apart", halves_apart, 0},
    {"heap past the end", heap_past_the_end, 10},
    {"heap after free", heap_after_free, 2},
    {"heap double free", heap_double_free, 0},
    {"heap foreign free", heap_foreign_free, 0},
    {"crossed barriers", crossed_barriers, 0},
    {"endless loop", (Kernel)endless, 0},
    {"grid.sync() in an ordinary launch", grid_sync, 0},
    {"flag that nobody sets", (Kernel)never_set, 0},
    {"many blocks fail", (Kernel)many, WORDS - 1},
    {"beyond the launch bounds", bounded, 0},
};

// Launches of other sizes, of a kernel without a fault.
static const struct {
  const char *name;
  dim3 grid, block;
  unsigned shared_bytes;
} shapes[] = {
    {"fine", grid, block, 0},
    {"1025 threads", grid, dim3(1025), 0},
    {"33x32 threads", grid, dim3(33, 32), 0},
    {"no thread", grid, dim3(0), 0},
    {"65 threads deep", grid, dim3(1, 1, 65), 0},
    {"no block", dim3(0), block, 0},
    {"65536 rows of blocks", dim3(1, 65536), block, 0},
    {"49 KB of shared memory", grid, block, 49 << 10},
    {"228 KB of shared memory", grid, block, 228 << 10},
};

// What is more than the GPU holds; -1: no such name.
static int run_large(const char *name) {
  const auto is = [&](const char *other_name) { return strcmp(name, other_name) == 0; };
  if (is("more registers than a multiprocessor has")) {
    block = dim3(1024);
    return launch(hungry, 0);
  }
  if (is("more blocks together than the GPU holds")) {
    long index = 0;
    void *arguments[] = {&array, &index, &out};
    return report(cudaLaunchCooperativeKernel((const void *)grid_sync, 265, 1024, arguments, 0, 0));
  }
  if (is("barrier of more blocks than the GPU holds")) {
    grid = dim3(265);
    block = dim3(1024);
    return launch(grid_barrier, 0);
  }
  return -1;
}

static int run(const char *name) {
  const auto is = [&](const char *other_name) { return strcmp(name, other_name) == 0; };
  for (const auto &one : on_array)
    if (is(one.name))
      return launch(one.kernel, one.index);
  for (const auto &shape : shapes)
    if (is(shape.name)) {
      grid = shape.grid, block = shape.block, shared_bytes = shape.shared_bytes;
      return launch(fine, 0);
    }
  if (is("read null"))
    return launch((Kernel)read_at, 0, nullptr);
  if (is("read freed memory")) {
    cudaFree(other);
    return launch((Kernel)read_at, 3, other);
  }
  if (is("read host memory"))
    return launch((Kernel)read_at, 0, (int *)0x123456780);
  if (is("read poison"))
    return launch((Kernel)read_at, 0, (int *)~3ul);
  if (is("write null"))
    return launch(write_at, 1, nullptr);
  if (is("vector across the end"))
    return launch((Kernel)vector_read, WORDS - 4, other);
  if (is("shared out of range") || is("shared far out of range")) {
    shared_bytes = 4 * THREADS;
    return launch(shared_at, is("shared out of range") ? THREADS : 1 << 20);
  }
  if (is("write to constant memory")) {
    void *address = nullptr;
    cudaGetSymbolAddress(&address, constants);
    return launch(write_at, 2, (int *)address);
  }
  if (is("matrix instruction without all lanes")) {
    block = dim3(40);
    return launch(matrix_without_lanes, 0);
  }
  if (is("row of a matrix misaligned"))
    return launch(matrix_rows, 4);
  if (is("row of a matrix out of range"))
    return launch(matrix_rows, 1 << 16);
  if (is("three dimensions")) {
    grid = dim3(3, 4, 5);
    block = dim3(4, 5, 6);
    return launch(deep, WORDS);
  }
  return fprintf(stderr, "usage: device_faults NAME\n"), 2;
}

// Mistakes of the host itself; -1: no such name.
static int run_host(const char *name) {
  static int host[2 * WORDS];
  const auto is = [&](const char *other_name) { return strcmp(name, other_name) == 0; };
  const size_t bytes = WORDS * sizeof(int);
  if (is("copy to the host as to the device"))
    return report(cudaMemcpy(host, array, bytes, cudaMemcpyHostToDevice));
  if (is("copy from the host as from the device"))
    return report(cudaMemcpy(array, host, bytes, cudaMemcpyDeviceToHost));
  if (is("copy from nowhere"))
    return report(cudaMemcpy(array, nullptr, bytes, cudaMemcpyHostToDevice));
  if (is("copy too much"))
    return report(cudaMemcpy(other, host, bytes, cudaMemcpyHostToDevice));
  if (is("copy too much from the middle"))
    return report(cudaMemcpy(other, array + 10, bytes - 8, cudaMemcpyDeviceToDevice));
  if (is("copy rows beyond the end"))
    return report(cudaMemcpy2D(array, 500, host, 96, 96, 11, cudaMemcpyHostToDevice));
  if (is("copy to freed memory")) {
    cudaFree(other);
    return report(cudaMemcpy(other, host, 4, cudaMemcpyHostToDevice));
  }
  if (is("copy to a variable's name"))
    return report(cudaMemcpy(constants, host, bytes, cudaMemcpyHostToDevice));
  if (is("copy too much to a variable"))
    return report(cudaMemcpyToSymbol(constants, host, bytes + 4));
  if (is("copy too much to a variable of a namespace"))
    return report(cudaMemcpyToSymbol(named::constants, host, 80));
  if (is("fill too much"))
    return report(cudaMemset(array, 0, bytes + 1));
  if (is("fill the host's memory"))
    return report(cudaMemset(host, 0, 4));
  if (is("copy too much a hundred times")) {
    for (int i = 0; i < 100; i++)
      cudaMemcpy(other, host, bytes, cudaMemcpyHostToDevice);
    return 7;
  }
  if (is("follow a device pointer"))
    return *(volatile int *)(array + 3);
  if (is("follow a null pointer"))
    return *(volatile int *)nullptr;
  return -1;
}

int main(int argc, char **argv) {
  cudaMalloc(&array, WORDS * sizeof(int));
  cudaMalloc(&other, (WORDS - 2) * sizeof(int));
  cudaMalloc(&out, WORDS * sizeof(int));
  cudaMemset(array, 0, WORDS * sizeof(int));
  const char *name = argc == 2 ? argv[1] : "";
  int status = run_host(name);
  if (status < 0)
    status = run_large(name);
  return status >= 0 ? status : run(name);
}
