// What hardware lets pass although the programming model forbids it, or does not promise it. Prints a line
// for each case.
#include <cstdio>

enum { N = 1024 };

__global__ void returned(int *out, int n) { // some threads return before the barrier
  __shared__ int shared[256];
  int t = threadIdx.x;
  if (t >= n)
    return;
  shared[t] = t;
  __syncthreads();
  out[t] = shared[n - 1 - t];
}

__global__ void counts(int *out, int n) { // a barrier that counts, after some threads have returned
  int t = threadIdx.x;
  if (t >= n)
    return;
  out[t] = __syncthreads_count(t % 3 == 0);
}

__global__ void
half_a_warp(int *out) { // a shuffle with the full mask; the other lanes have nothing left to do
  int t = threadIdx.x, value = t;
  if (t < 16) {
    for (int distance = 8; distance > 0; distance /= 2)
      value += __shfl_down_sync(0xffffffff, value, distance);
    if (t == 0)
      out[0] = value;
  }
}

__global__ void reads_past_the_end(const int *a, int n, int *out) {
  out[threadIdx.x] = a[n + threadIdx.x - 2]; // HERE read
}

__global__ void writes_past_the_end(int *a, int n) { a[n + threadIdx.x - 2] = 7; }

// The last thread reads one element too many: a halo that the tile lacks.
__global__ void neighbours(int *out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + 1] + tile[threadIdx.x]; // HERE shared
}

// A barrier is missing after the first stores, as in a double-buffered product that people copy from each other.
__global__ void first_tile(const int *a, int *out) {
  __shared__ int tile[2][256];
  const int t = threadIdx.x;
  int sum = 0;
  tile[0][t] = a[t];
  for (int n = 1; n < 4; n++) {
    const int next = a[256 * n + t];
    sum += tile[(n - 1) & 1][255 - t];
    tile[n & 1][t] = next;
    __syncthreads();
  }
  out[t] = sum + tile[1][255 - t];
}

// More turns than a warp takes.
__global__ void own_values(int *out, int n) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  for (int i = 0; i < n; i++)
    own[threadIdx.x] += i & 1;
  out[threadIdx.x] = own[threadIdx.x];
}

static void print(const char *name, const int *from, int n, int (*expected)(int i)) {
  static int values[N];
  cudaError_t error = cudaDeviceSynchronize();
  int wrong = 0;
  if (error == cudaSuccess)
    error = cudaMemcpy(values, from, n * sizeof *values, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n && error == cudaSuccess; i++)
    wrong += values[i] != expected(i);
  printf("%s: %s, %d wrong\n", name, cudaGetErrorName(error), wrong);
  fflush(stdout); // a case that hangs does not hide those before it
}

static int pairs(int i) { return i < 99 ? 2 * i + 1 : 99; }
static int zero(int i) { return 0 * i; }
static int reversed_100(int i) { return 99 - i; }
static int reversed_128(int i) { return 127 - i; }
static int seventeen(int i) { return 17 + 0 * i; } // multiples of 3 below 50
static int sum_to_15(int i) { return 120 + 0 * i; }
static int bytes_of_one(int i) { return 0x01010101 + 0 * i; }
static int overwritten_at_998(int i) { return i < 998 ? 0x01010101 : 7; }
static int reversed_tiles(int i) { return 4 * (255 - i) + 256 * (1 + 2 + 3); }
static int fifty(int i) { return 50 + 0 * i; }

// A block of an earlier kernel may have written there, but the first one reads zeros.
__global__ void peek(int *out) {
  __shared__ int unwritten[256];
  out[threadIdx.x] = unwritten[threadIdx.x];
}

int main() {
  int *out, *fresh, *array;
  cudaMalloc(&fresh, N * sizeof *fresh);
  print("fresh memory", fresh, N, zero);
  cudaMalloc(&out, N * sizeof *out);
  peek<<<1, 256>>>(out);
  print("shared memory", out, 256, zero);
  cudaMemset(out, 0, N * sizeof *out);
  cudaMalloc(&array, 1000 * sizeof *array);
  cudaMemset(array, 1, 1000 * sizeof *array);
  returned<<<3, 256>>>(out, 100);
  print("parts of warps have returned", out, 100, reversed_100);
  returned<<<3, 256>>>(out, 128);
  print("whole warps have returned", out, 128, reversed_128);
  counts<<<1, 96>>>(out, 50);
  print("a barrier counts without threads that have returned", out, 50, seventeen);
  half_a_warp<<<1, 32>>>(out);
  print("half a warp shuffles with the full mask", out, 1, sum_to_15);
  reads_past_the_end<<<1, 32>>>(array, 1000, out);
  print("reads past the end", out, 2, bytes_of_one);
  writes_past_the_end<<<1, 8>>>(array, 1000);
  print("writes past the end", array, 1000, overwritten_at_998);
  neighbours<<<1, 100, 100 * sizeof *out>>>(out);
  print("reads past shared memory", out, 100, pairs);
  static int numbers[1024];
  for (int i = 0; i < 1024; i++)
    numbers[i] = i;
  int *tiles;
  cudaMalloc(&tiles, sizeof numbers);
  cudaMemcpy(tiles, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  first_tile<<<1, 256>>>(tiles, out);
  print("a barrier is missing after the first stores", out, 256, reversed_tiles);
  own_values<<<1, 256>>>(out, 100);
  print("each thread has an element of its own", out, 256, fifty);
}
