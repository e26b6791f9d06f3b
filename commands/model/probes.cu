// Kernels with one bottleneck each: they show which part of the time model is wrong.
#include "kernel_times.h"

__global__ void empty() {}

// --- latencies: one thread, each instruction waits for the one before ---

enum { STEPS = 4096, LINES = 32 /* words from one element of the chain to the next */ };

// A chain through `count` lines, a power of two, in an order that no prefetcher knows.
__global__ void make_chain(unsigned count, unsigned *chain) {
  const unsigned k = blockIdx.x * 256 + threadIdx.x;
  if (k < count)
    chain[(size_t)k * LINES] = ((k * 1664525u + 1013904223u) & (count - 1)) * LINES;
}

template <bool L1> __global__ void chase(const unsigned *chain, unsigned *end) {
  unsigned at = 0;
#pragma unroll 1
  for (int n = 0; n < STEPS; n++)
    at = L1 ? __ldca(chain + at) : __ldcg(chain + at);
  *end = at;
}

template <class Real> __global__ void dependent(Real x, Real *end) {
  Real sum = x;
#pragma unroll 16
  for (int n = 0; n < STEPS; n++)
    sum = sum * x + x;
  *end = sum;
}

__global__ void shared_chase(unsigned *end) {
  __shared__ unsigned chain[256];
  for (int k = threadIdx.x; k < 256; k += 32)
    chain[k] = (k * 5 + 1) & 255;
  __syncwarp();
  unsigned at = threadIdx.x;
#pragma unroll 16
  for (int n = 0; n < STEPS; n++)
    at = chain[at];
  end[threadIdx.x] = at;
}

// --- rates of arithmetic: all multiprocessors full, eight independent chains in a thread ---

enum { TURNS = 512 };

template <class Value, class Step> inline __device__ void turns(Value start, Value *end, Step step) {
  Value sums[8];
  for (int k = 0; k < 8; k++)
    sums[k] = start + (Value)k + (Value)threadIdx.x;
#pragma unroll 4
  for (int n = 0; n < TURNS; n++)
#pragma unroll
    for (int k = 0; k < 8; k++)
      sums[k] = step(sums[k]);
  Value sum = 0;
  for (int k = 0; k < 8; k++)
    sum += sums[k];
  end[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void rate_add(float x, float *end) {
  turns(x, end, [=](float s) { return s + x; });
}
__global__ void rate_fma(float x, float *end) {
  turns(x, end, [=](float s) { return fmaf(s, x, x); });
}
__global__ void rate_fma_double(double x, double *end) {
  turns(x, end, [=](double s) { return fma(s, x, x); });
}
__global__ void rate_multiply(int x, int *end) {
  turns(x, end, [=](int s) { return s * x + x; });
}
__global__ void rate_logic(int x, int *end) {
  turns(x, end, [=](int s) { return (s ^ x) + (s >> 3); });
}
__global__ void rate_root(float x, float *end) {
  turns(x, end, [=](float s) { return sqrtf(s); });
}
__global__ void rate_special(float x, float *end) {
  turns(x, end, [=](float s) { return rsqrtf(s); });
}
__global__ void rate_divide(float x, float *end) {
  turns(x, end, [=](float s) { return x / s; });
}
__global__ void rate_divide_double(double x, double *end) {
  turns(x, end, [=](double s) { return x / s; });
}
__global__ void rate_convert(float x, float *end) {
  turns(x, end, [=](float s) { return (float)((int)s + 1); });
}
__global__ void rate_shuffle(int x, int *end) {
  turns(x, end, [=](int s) { return __shfl_xor_sync(0xffffffff, s, 5) + x; });
}

// --- shared memory: wavefronts and atomics ---

// Each lane's word is `stride` words after the previous lane's.
__global__ void shared_loads(int stride, float *end) {
  __shared__ float words[4096 + 32];
  for (int k = threadIdx.x; k < 4096 + 32; k += 256)
    words[k] = k;
  __syncthreads();
  float sum = 0;
  int at = threadIdx.x * stride & 4095;
#pragma unroll 4
  for (int n = 0; n < TURNS; n++) {
    sum += words[at + (n & 31)];
  }
  end[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void shared_loads4(float *end) {
  __shared__ float4 words[256 + 32];
  for (int k = threadIdx.x; k < 256 + 32; k += 256)
    words[k] = make_float4(k, 1, 2, 3);
  __syncthreads();
  float sum = 0;
#pragma unroll 4
  for (int n = 0; n < TURNS; n++) {
    const float4 v = words[threadIdx.x + (n & 31)];
    sum += v.x + v.y + v.z + v.w;
  }
  end[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void shared_atomics(int mask, unsigned *end) {
  __shared__ unsigned words[1024];
  for (int k = threadIdx.x; k < 1024; k += 256)
    words[k] = 0;
  __syncthreads();
  for (int n = 0; n < TURNS; n++)
    atomicAdd(&words[(threadIdx.x * 33 + n * 7) & mask], threadIdx.x);
  __syncthreads();
  end[blockIdx.x * 256 + threadIdx.x] = words[threadIdx.x];
}

__global__ void barriers(int *end) {
  int sum = threadIdx.x;
#pragma unroll 4
  for (int n = 0; n < TURNS; n++) {
    __syncthreads();
    sum += sum >> 3;
  }
  end[blockIdx.x * 256 + threadIdx.x] = sum;
}

// --- global memory: 16 bytes a lane and step, `count` of them from the start, several times ---

__global__ void reads(int times, size_t count, const float4 *from, float *end) {
  float sum = 0;
  for (int t = 0; t < times; t++)
#pragma unroll 4
    for (size_t k = blockIdx.x * (size_t)256 + threadIdx.x; k < count; k += gridDim.x * (size_t)256) {
      const float4 v = __ldcg(from + k);
      sum += v.x + v.y + v.z + v.w;
    }
  end[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void read_words(size_t count, const float *from, float *end) {
  float sum = 0;
#pragma unroll 4
  for (size_t k = blockIdx.x * (size_t)256 + threadIdx.x; k < count; k += gridDim.x * (size_t)256)
    sum += __ldcg(from + k);
  end[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void writes(int times, size_t count, float4 *to) {
  for (int t = 0; t < times; t++)
    for (size_t k = blockIdx.x * (size_t)256 + threadIdx.x; k < count; k += gridDim.x * (size_t)256)
      to[k] = make_float4(t, 1, 2, 3);
}

__global__ void updates(size_t count, float *values) {
  for (size_t k = blockIdx.x * (size_t)256 + threadIdx.x; k < count; k += gridDim.x * (size_t)256)
    values[k] += 1;
}

__global__ void copies(size_t count, const float *from, float *to) {
  const size_t k = blockIdx.x * (size_t)256 + threadIdx.x;
  if (k < count)
    to[k] = from[k];
}

// One word of each sector, in an order without locality.
__global__ void random_reads(unsigned sectors, const float *from, float *end) {
  const unsigned k = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (unsigned n = 0; n < 8; n++)
    sum += __ldcg(from + (size_t)(((k * 8 + n) * 1664525u + 1013904223u) & (sectors - 1)) * 8);
  end[k] = sum;
}

// The k-th of the words that are `stride` apart: down the array, then again from the word after the first.
inline __device__ size_t column_word(size_t k, unsigned stride, unsigned words) {
  return (k * stride & (words - 1)) + k * stride / words;
}

__global__ void strided_reads(unsigned stride, unsigned words, const float *from, float *end) {
  const size_t k = blockIdx.x * (size_t)256 + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (unsigned n = 0; n < 8; n++)
    sum += __ldcg(from + column_word(k + n * (size_t)gridDim.x * 256, stride, words));
  end[k] = sum;
}

__global__ void strided_writes(unsigned stride, unsigned words, float *to) {
  const size_t k = blockIdx.x * (size_t)256 + threadIdx.x;
  to[column_word(k, stride, words)] = k;
}

// mask: which words of `words` the threads add to.
template <class Value> __global__ void global_atomics(int mask, Value *words) {
  for (int n = 0; n < 16; n++)
    atomicAdd(&words[((blockIdx.x * 256 + threadIdx.x) * 33 + n * 1664525) & mask], (Value)(threadIdx.x + 1));
}

// A few blocks that work for long, and one more: the tail.
__global__ void work(float x, float *end) {
  float sum = x;
#pragma unroll 16
  for (int n = 0; n < STEPS; n++)
    sum = sum * x + x;
  end[blockIdx.x * 256 + threadIdx.x] = sum;
}

enum { FULL = 132 * 8 }; // blocks of 256 threads that fill the multiprocessors

static void latencies(unsigned *words, void *end) {
  const auto probe = [](const char *name, int n, const std::function<void()> &launch) {
    times_of(TIMES_PROBE, name, n, launch);
  };
  unsigned *out = (unsigned *)end;
  probe("empty", 1, [=] { empty<<<1, 32>>>(); });
  probe("empty", 2112, [=] { empty<<<2112, 256>>>(); });
  probe("empty", 65536, [=] { empty<<<65536, 256>>>(); });
  probe("empty of 1024 threads", 16384, [=] { empty<<<16384, 1024>>>(); });
  make_chain<<<1, 256>>>(256, words);
  probe("chase L1", 256, [=] { chase<true><<<1, 1>>>(words, out); });
  probe("chase L2", 256, [=] { chase<false><<<1, 1>>>(words, out); });
  make_chain<<<65536 / 256, 256>>>(65536, words);
  probe("chase L2", 65536, [=] { chase<false><<<1, 1>>>(words, out); });
  make_chain<<<(1 << 22) / 256, 256>>>(1 << 22, words);
  probe("chase memory", 1 << 22, [=] { chase<false><<<1, 1>>>(words, out); });
  probe("dependent float", 1, [=] { dependent<float><<<1, 32>>>(0.5f, (float *)end); });
  probe("dependent double", 1, [=] { dependent<double><<<1, 32>>>(0.5, (double *)end); });
  probe("dependent int", 1, [=] { dependent<int><<<1, 32>>>(3, (int *)end); });
  probe("chase shared", 1, [=] { shared_chase<<<1, 32>>>(out); });
}

static void rates(void *end) {
  const auto probe = [](const char *name, const std::function<void()> &launch) {
    times_of(TIMES_PROBE, name, FULL, launch);
  };
  float *f = (float *)end;
  double *d = (double *)end;
  int *i = (int *)end;
  probe("rate add", [=] { rate_add<<<FULL, 256>>>(0.5f, f); });
  probe("rate fma", [=] { rate_fma<<<FULL, 256>>>(0.5f, f); });
  probe("rate fma double", [=] { rate_fma_double<<<FULL, 256>>>(0.5, d); });
  probe("rate multiply int", [=] { rate_multiply<<<FULL, 256>>>(3, i); });
  probe("rate logic", [=] { rate_logic<<<FULL, 256>>>(3, i); });
  probe("rate root", [=] { rate_root<<<FULL, 256>>>(3, f); });
  probe("rate special", [=] { rate_special<<<FULL, 256>>>(3, f); });
  probe("rate divide", [=] { rate_divide<<<FULL, 256>>>(3, f); });
  probe("rate divide double", [=] { rate_divide_double<<<FULL, 256>>>(3, d); });
  probe("rate convert", [=] { rate_convert<<<FULL, 256>>>(3, f); });
  probe("rate shuffle", [=] { rate_shuffle<<<FULL, 256>>>(3, i); });
  probe("rate barrier", [=] { barriers<<<FULL, 256>>>(i); });
  for (int stride : {1, 2, 8, 32})
    times_of(TIMES_PROBE, "shared loads", stride, [=] { shared_loads<<<FULL, 256>>>(stride, f); });
  probe("shared loads of 16 bytes", [=] { shared_loads4<<<FULL, 256>>>(f); });
  for (int mask : {1023, 255, 31, 0})
    times_of(TIMES_PROBE, "shared atomics", mask,
             [=] { shared_atomics<<<FULL, 256>>>(mask, (unsigned *)end); });
  for (int blocks : {132, 133, 264, 1056, 1057, 2112, 2113})
    times_of(TIMES_PROBE, "work", blocks, [=] { work<<<blocks, 256>>>(0.5f, f); });
}

static void memory(float *data, float *end) {
  const auto probe = [](const char *name, int megabytes, const std::function<void()> &launch) {
    times_of(TIMES_PROBE, name, megabytes, launch);
  };
  for (int megabytes : {8, 24, 40, 64, 512}) {
    const size_t bytes = (size_t)megabytes << 20, words = bytes / 4;
    const int times = megabytes < 64 ? 8 : 1;
    probe("reads", megabytes, [=] { reads<<<FULL, 256>>>(times, bytes / 16, (const float4 *)data, end); });
    probe("read words", megabytes, [=] { read_words<<<FULL, 256>>>(words, data, end); });
    probe("writes", megabytes, [=] { writes<<<FULL, 256>>>(times, bytes / 16, (float4 *)data); });
    probe("updates", megabytes, [=] { updates<<<FULL, 256>>>(words, data); });
    probe("copies", megabytes,
          [=] { copies<<<times_blocks((long)words, 256), 256>>>(words, data, data + words); });
  }
  for (int megabytes : {8, 512})
    probe("random reads", megabytes, [=] {
      random_reads<<<(megabytes << 20) / 32 / 2048, 256>>>((unsigned)(megabytes << 20) / 32, data, end);
    });
  // One word of each line, in L2; one word of each sector, in memory.
  const unsigned small = 8 << 18, large = 512 << 18;
  probe("lone reads", 8, [=] { strided_reads<<<small / 2048, 256>>>(32, small, data, end); });
  probe("lone writes", 8, [=] { strided_writes<<<small / 256, 256>>>(32, small, data); });
  probe("part writes", 512, [=] { strided_writes<<<large / 8 / 256, 256>>>(8, large, data); });
  probe("reads 1 block", 8, [=] { reads<<<1, 256>>>(1, (8 << 20) / 16, (const float4 *)data, end); });
  probe("reads 132 blocks", 8, [=] { reads<<<132, 256>>>(8, (8 << 20) / 16, (const float4 *)data, end); });
  probe("reads 132 blocks", 512,
        [=] { reads<<<132, 256>>>(1, (512 << 20) / 16, (const float4 *)data, end); });
  for (int mask : {(1 << 22) - 1, 1023, 31, 0})
    times_of(TIMES_PROBE, "global atomics", mask,
             [=] { global_atomics<<<FULL, 256>>>(mask, (unsigned *)data); });
  times_of(TIMES_PROBE, "float atomics", 0, [=] { global_atomics<<<FULL, 256>>>(0, data); });
}

void times_probes() {
  void *end = times_zeroed((size_t)(1 << 22) * sizeof(double));
  float *data = (float *)times_zeroed((size_t)1 << 30);
  latencies((unsigned *)data, end);
  rates(end);
  memory(data, (float *)end);
  times_free();
}
