// Kernels that launch kernels: order, memory, streams, recursion, and the errors of refused launches.
#include "harness.h"

// Every thread of several blocks launches a child over its own piece, whose size is none of the block's.
__global__ void square(int n, const int *x, int *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = x[i] * x[i] - i;
}
__global__ void square_pieces(int n, int piece, const int *x, int *r) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  if (first < n) {
    const int count = min(piece, n - first);
    square<<<(count + 31) / 32, 32>>>(count, x + first, r + first);
  }
}
TEST(pieces) {
  for (int n : {1, 31, 33, 2000})
    for (int piece : {1, 32, 77, 1000})
      if (n / piece < 100) {
        Array<int> x(n, -1000, 1000), r(n);
        square_pieces<<<ceil_div(n, 5 * piece), 5>>>(n, piece, x, r);
        check(r, [&](int i) { return x[i] * x[i] - i % piece; });
      }
}

// The child reads what its parent's block has written before the launch.
__global__ void reversed(int n, const int *x, int *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = x[n - 1 - i];
}
__global__ void write_then_launch(int *x, int *r) {
  int *part = x + blockIdx.x * blockDim.x;
  part[threadIdx.x] = 3 * (blockIdx.x * blockDim.x + threadIdx.x) + 1;
  __syncthreads();
  if (threadIdx.x == 0)
    reversed<<<2, (blockDim.x + 1) / 2>>>(blockDim.x, part, r + blockIdx.x * blockDim.x);
}
TEST(write_then_launch) {
  for (int threads : {1, 33, 64, 259}) {
    Array<int> x(7 * threads), r(7 * threads);
    write_then_launch<<<7, threads>>>(x, r);
    check(r, [&](int i) { return 3 * (i / threads * threads + threads - 1 - i % threads) + 1; });
  }
}

// Launches of one stream run in order: each step reads what the step before wrote.
__global__ void step(int n, const int *x, int *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = x[i] + 2 * x[(i + 1) % n] + 1;
}
__device__ static void launch_steps(int n, int steps, int *x, int *r, cudaStream_t stream) {
  for (int k = 0; k < steps; k++)
    if (k % 2 == 0)
      step<<<(n + 63) / 64, 64, 0, stream>>>(n, x, r);
    else
      step<<<(n + 63) / 64, 64, 0, stream>>>(n, r, x);
}
enum { STEP_BLOCK, STEP_OWN, STEP_TAIL };
__global__ void steps_in(int kind, int n, int steps, int *x, int *r) {
  cudaStream_t stream = kind == STEP_TAIL ? cudaStreamTailLaunch : 0;
  if (kind == STEP_OWN)
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  launch_steps(n, steps, x + blockIdx.x * n, r + blockIdx.x * n, stream);
  if (kind == STEP_OWN)
    cudaStreamDestroy(stream);
}
static void check_steps(int kind) {
  enum { BLOCKS = 3, STEPS = 5 };
  for (int n : {1, 63, 65, 200}) {
    Array<int> x(BLOCKS * n, -100, 100), r(BLOCKS * n);
    int *old = new int[n], *now = new int[BLOCKS * n];
    memcpy(now, x.initial, BLOCKS * n * sizeof(int));
    for (int b = 0; b < BLOCKS; b++)
      for (int k = 0; k < STEPS; k++) {
        memcpy(old, now + b * n, n * sizeof(int));
        for (int i = 0; i < n; i++)
          now[b * n + i] = old[i] + 2 * old[(i + 1) % n] + 1;
      }
    steps_in<<<BLOCKS, 1>>>(kind, n, STEPS, x, r);
    check(r, [&](int i) { return now[i]; });
    delete[] old;
    delete[] now;
  }
}
TEST(steps_in_block_stream) { check_steps(STEP_BLOCK); }
TEST(steps_in_own_stream) { check_steps(STEP_OWN); }
TEST(steps_in_tail) { check_steps(STEP_TAIL); }

// The tail launch reads what all children, and their children, have written.
__global__ void add_to(int *to, int value) { atomicAdd(to, value + threadIdx.x); }
__global__ void add_below(int *to, int value) {
  add_to<<<2, 3, 0, cudaStreamFireAndForget>>>(to, 10 * value);
  atomicAdd(to, value);
}
__global__ void finish(int *sum, int *r) { r[0] = 2 * sum[0] + 1; }
__global__ void finish_later(int *sum, int *r) { finish<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, r); }
__global__ void add_all(int *sum, int *r) {
  if (threadIdx.x == 0)
    finish_later<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, r);
  add_below<<<1, 1, 0, cudaStreamFireAndForget>>>(sum, threadIdx.x);
  add_to<<<3, 2>>>(sum, 100);
}
TEST(tail) {
  for (int threads : {1, 2, 33}) {
    Array<int> sum(1), r(1);
    add_all<<<1, threads>>>(sum, r);
    int wanted = 0;
    for (int t = 0; t < threads; t++)
      wanted += 2 * (3 * 10 * t + 3) + t + 3 * (2 * 100 + 1);
    check(sum, [&](int) { return wanted; });
    check(r, [&](int) { return 2 * wanted + 1; });
  }
}

// The next kernel of the host's stream waits for the children of this one.
__global__ void doubled(int n, const int *x, int *r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = 2 * x[i];
}
TEST(family) {
  enum { N = 1234 };
  Array<int> x(N, -1000, 1000), y(N), r(N);
  square_pieces<<<3, 5>>>(N, 100, x, y);
  doubled<<<ceil_div(N, 128), 128>>>(N, y, r);
  check(r, [&](int i) { return 2 * (x[i] * x[i] - i % 100); });
}

// Dynamic shared memory of a child, and its grid and block in three dimensions.
__global__ void describe(int *r) {
  extern __shared__ int memory[];
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  const int words = bytes / 4, threads = blockDim.x * blockDim.y * blockDim.z;
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  for (int i = t; i < words; i += threads)
    memory[i] = i + block;
  __syncthreads();
  int sum = 0;
  for (int i = t; i < words; i += threads)
    sum += memory[words - 1 - i];
  atomicAdd(&r[2 * block], sum);
  if (t == threads - 1)
    r[2 * block + 1] = words * 1000 + threads;
}
__global__ void describe_all(int words, int *r) { describe<<<dim3(2, 3, 2), dim3(5, 1, 3), words * 4>>>(r); }
TEST(shared_memory) {
  for (int words : {0, 1, 100, 12288}) {
    Array<int> r(2 * 12);
    describe_all<<<1, 1>>>(words, r);
    check(r, [&](int i) {
      return i % 2 ? words * 1000 + 15 : words * (i / 2) + (int)((long long)words * (words - 1) / 2);
    });
  }
}

// Recursion: two children per level.
__global__ void quicksort(int *x, int left, int right) {
  int low = left, high = right;
  const int pivot = x[(left + right) / 2];
  while (low <= high) {
    while (x[low] < pivot)
      low++;
    while (x[high] > pivot)
      high--;
    if (low <= high) {
      const int swapped = x[low];
      x[low++] = x[high];
      x[high--] = swapped;
    }
  }
  if (left < high)
    quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(x, left, high);
  if (low < right)
    quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(x, low, right);
}
TEST(recursion) {
  for (int n : {1, 2, 33, 150}) {
    Array<int> x(n, 0, 500);
    quicksort<<<1, 1>>>(x, 0, n - 1);
    check(x, [&](int i) { // the value with at most i smaller ones, and more than i that are no larger
      int value = 0;
      for (int smaller = n, k = 0; k < n; k++) {
        int below = 0, up_to = 0;
        for (int j = 0; j < n; j++)
          below += x[j] < x[k], up_to += x[j] <= x[k];
        if (below <= i && i < up_to && below < smaller)
          value = x[k], smaller = below;
      }
      return value;
    });
  }
}

// The deepest level that can be launched: all levels above are pending.
__global__ void nest(int depth, int *r) {
  r[0] = depth;
  nest<<<1, 1>>>(depth + 1, r);
  const int error = cudaGetLastError();
  if (error)
    r[1] = error;
}
TEST(deepest) {
  Array<int> r(2);
  nest<<<1, 1>>>(0, r);
  check(r, [](int i) { return i ? (int)cudaErrorLaunchPendingCountExceeded : 2048; });
}

// Copies and fills in the stream of the block. Fills are of zeros: on an H200 with CUDA 13.0, device code cannot fill
// memory with another value.
__global__ void copies(int n, unsigned char *a, unsigned char *b, int *errors) {
  errors[0] = cudaMemsetAsync(a, 0, n / 2, 0);
  errors[1] = cudaMemcpyAsync(b + 1, a, n - 1, cudaMemcpyDeviceToDevice, 0);
  errors[2] = cudaMemset2DAsync(a, 10, 0, 3, n / 10, 0);
  errors[3] = cudaMemcpy2DAsync(b, 5, a, 10, 2, n / 10, cudaMemcpyDeviceToDevice, 0);
}
TEST(copies) {
  for (int n : {20, 333, 4100}) {
    Array<unsigned char> a(n, [](int i) { return (unsigned char)(i % 255 + 1); }), b(n);
    Array<int> errors(4);
    copies<<<1, 1>>>(n, a, b, errors);
    check(errors, [](int) { return 0; });
    const auto filled = [&](int i) { return (unsigned char)(i < n / 2 ? 0 : i % 255 + 1); };
    const auto filled_twice = [&](int i) {
      return i / 10 < n / 10 && i % 10 < 3 ? (unsigned char)0 : filled(i);
    };
    check(a, filled_twice);
    check(b, [&](int i) {
      const bool copied_twice = i / 5 < n / 10 && i % 5 < 2;
      return copied_twice ? filled_twice(i / 5 * 10 + i % 5) : i ? filled(i - 1) : (unsigned char)0;
    });
  }
}

// Errors of launches that are refused. They are those of the thread.
__global__ void __launch_bounds__(64) bounded(int *p) {
  if (threadIdx.x == 0)
    *p = 1;
}
__global__ void refused(int zero, int *r) {
  if (threadIdx.x == 1) {
    r[8] = cudaGetLastError();
    return;
  }
  bounded<<<1, zero + 2000>>>(r);
  r[0] = cudaPeekAtLastError();
  r[1] = cudaGetLastError();
  r[2] = cudaGetLastError();
  bounded<<<zero, 1>>>(r);
  r[3] = cudaGetLastError();
  bounded<<<1, zero>>>(r);
  r[4] = cudaGetLastError();
  bounded<<<1, zero + 65>>>(r);
  r[5] = cudaGetLastError();
  bounded<<<1, 1, zero + (1 << 20)>>>(r);
  r[6] = cudaGetLastError();
  bounded<<<dim3(1, zero + 70000), 1>>>(r);
  r[7] = cudaGetLastError();
  bounded<<<1, 64>>>(r + 9);
}
TEST(refused) {
  Array<int> r(10, [](int) { return -1; });
  refused<<<1, 2>>>(0, r);
  const int invalid = cudaErrorInvalidConfiguration;
  const int wanted[10] = {invalid, invalid, 0, invalid, invalid, invalid, invalid, invalid, 0, 1};
  check(r, [&](int i) { return wanted[i]; });
}

// Queries
__global__ void queries(int *r) {
  cudaFuncAttributes attributes = {};
  r[0] = cudaDeviceGetAttribute(&r[1], cudaDevAttrMaxThreadsPerBlock, 0);
  r[2] = cudaGetDevice(&r[3]);
  r[4] = cudaFuncGetAttributes(&attributes, bounded);
  r[5] = attributes.maxThreadsPerBlock;
  r[6] = cudaDeviceGetAttribute(&r[7], cudaDevAttrWarpSize, 0);
}
TEST(queries) {
  Array<int> r(8);
  queries<<<1, 1>>>(r);
  const int wanted[8] = {0, 1024, 0, 0, 0, 64, 0, 32};
  check(r, [&](int i) { return wanted[i]; });
}
