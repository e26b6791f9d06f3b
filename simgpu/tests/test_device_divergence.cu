// Divergence: every thread must get the result of a plain loop over the threads on the host, whatever its
// neighbours do. An ordinary CUDA program; it passes on an H200. Prints the first differences and exits 1 if
// there are any.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

typedef uint32_t u32;
#define BOTH __host__ __device__
#define CALLED __host__ __device__ __noinline__

BOTH u32 mix(u32 x, u32 seed) {
  x = (x ^ seed) * 0x9e3779b1u;
  x = (x ^ x >> 15) * 0x85ebca77u;
  return x ^ x >> 13;
}

// Work that a compiler does not turn into a select.
BOTH u32 spin(u32 x, u32 rounds) {
  for (u32 k = 0; k < rounds; k++)
    x = x * 1664525u + 1013904223u + (x >> 16);
  return x;
}

// Each struct: the computation of one thread.

struct NestedIfs {
  static BOTH u32 run(u32 t, u32 seed) {
    u32 x = mix(t, seed), r = 1;
    if (x & 1) {
      r = spin(r, x & 3);
      if (x & 2) {
        r += spin(x, 2);
        if (x & 4)
          r ^= spin(x, x >> 4 & 7);
        else if (x & 8)
          r = spin(r, 5) + 3;
      } else {
        r -= 7;
      }
      r = spin(r, 1);
    } else if (x & 16) {
      r = spin(x, 3) | 1;
    }
    return r * 3 + x;
  }
};

// Lanes of one access point into different memories.
enum { WORDS = 1024 };
__device__ u32 global_words[8 * WORDS];
struct MixedSpaces {
  static BOTH u32 run(u32 t, u32 seed) {
    const u32 x = mix(t, seed);
#ifdef __CUDA_ARCH__
    __shared__ u32 shared_words[WORDS];
    u32 own[4];
    volatile u32 *p = x % 3 == 0   ? &shared_words[t % WORDS]
                      : x % 3 == 1 ? &own[x >> 8 & 3]
                                   : &global_words[t];
    *p = x;
    return *p * 3;
#else
    return x * 3;
#endif
  }
};

struct UnequalLoops {
  static BOTH u32 run(u32 t, u32 seed) {
    u32 x = mix(t, seed), r = 0;
    for (u32 i = 0; i < x % 13; i++)
      for (u32 j = i; j < (x >> 8) % 7; j++)
        r = r * 31 + spin(j, i & 1);
    while (x > 1000)
      x = x / 3 + (x & 1), r++;
    do
      r ^= x++;
    while (x % 5);
    return r;
  }
};

struct BreakAndContinue {
  static BOTH u32 run(u32 t, u32 seed) {
    u32 x = mix(t, seed), r = 0;
    for (u32 i = 0; i < 40; i++) {
      x = spin(x, 1);
      if (x % 7 == 0)
        continue;
      for (u32 j = 0;; j++) {
        if ((x >> j & 3) == 3)
          break;
        if ((x >> j & 1) == 0) {
          r += j;
          if (j > 20)
            goto out;
          continue;
        }
        r ^= spin(j, 2);
      }
      if (x % 11 == 3)
        break;
      r++;
    }
  out:
    return r + x;
  }
};

struct EarlyReturn {
  static BOTH u32 run(u32 t, u32 seed) {
    u32 x = mix(t, seed);
    if (x % 3 == 0)
      return spin(x, 2);
    for (u32 i = 0; i < 10; i++) {
      if (spin(x, i) % 5 == 0)
        return i;
      if (i > 5 && x % 2)
        return spin(i, 3);
    }
    return x;
  }
};

CALLED bool told(u32 x, u32 bit, u32 *calls) {
  *calls += 1 << (4 * bit % 32);
  return x >> bit & 1;
}
struct ShortCircuit {
  static BOTH u32 run(u32 t, u32 seed) {
    u32 x = mix(t, seed), calls = 0;
    bool r = (told(x, 0, &calls) && told(x, 1, &calls)) || (told(x, 2, &calls) && !told(x, 3, &calls)) ||
             told(x, 4, &calls);
    return r ? calls : ~calls;
  }
};

struct Switch {
  static BOTH u32 run(u32 t, u32 seed) {
    u32 x = mix(t, seed), r = 5;
    for (u32 i = 0; i < 6; i++, x = spin(x, 1))
      switch (x % 12) {
      case 0:
        break;
      case 1:
        r = spin(r, 1);
        // fall through
      case 2:
        r += 100;
        break;
      case 3:
        if (r & 1)
          break;
        r = spin(r, 2);
        break;
      case 4:
        return r;
      case 5:
        for (u32 k = 0; k < (r & 3); k++)
          r = spin(r, k);
        break;
      case 6:
        r ^= 0xff;
        continue;
      case 7:
        r = spin(r, 3) / 3;
        break;
      case 8:
        r /= 5;
        break;
      case 9:
        r = spin(~r, 1);
        break;
      default:
        r = spin(r + 1, 2);
      }
    return r;
  }
};

struct Machine { // a switch as a loop
  static BOTH u32 run(u32 t, u32 seed) {
    u32 x = mix(t, seed), state = x % 6, r = 0;
    for (u32 step = 0; step < 50; step++) {
      x = spin(x, 1);
      switch (state) {
      case 0:
        state = x & 1 ? 1 : 3;
        break;
      case 1:
        r += spin(r, 1);
        state = 2;
        break;
      case 2:
        if (x % 9 == 0)
          return r;
        state = x % 6;
        break;
      case 3:
        r ^= x;
        state = 5;
        break;
      case 4:
        state = 0;
        break;
      case 5:
        r = spin(r, x & 3);
        state = 2;
      }
    }
    return ~r;
  }
};

CALLED u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
struct Recursion {
  static BOTH u32 run(u32 t, u32 seed) { return fibonacci(mix(t, seed) % 9) + t; }
};

CALLED u32 odd(u32 n, u32 x);
CALLED u32 even(u32 n, u32 x) { return n == 0 ? x : odd(n - 1, x * 3); }
CALLED u32 odd(u32 n, u32 x) { return n == 0 ? ~x : x % 7 == 0 ? x : even(n - 1, x + 1); }
struct MutualRecursion {
  static BOTH u32 run(u32 t, u32 seed) {
    u32 x = mix(t, seed);
    return x & 16 ? even(x % 20, x) : odd(x % 11, t);
  }
};

struct Record {
  u32 word[5];
  uint8_t byte;
};
CALLED Record changed(Record r, u32 i) {
  r.word[i % 5] += r.byte;
  r.byte ^= (uint8_t)i;
  return r;
}
CALLED void sort(u32 *a, u32 n) {
  for (u32 i = 1; i < n; i++)
    for (u32 k = i; k > 0 && a[k - 1] > a[k]; k--) {
      u32 swap = a[k];
      a[k] = a[k - 1];
      a[k - 1] = swap;
    }
}
struct CallsWithMemory {
  static BOTH u32 run(u32 t, u32 seed) {
    u32 a[9], n = 2 + mix(t, seed) % 8, r = 0;
    Record record = {{t, 2, 3, 4, 5}, (uint8_t)seed};
    for (u32 i = 0; i < n; i++)
      a[i] = mix(t * 16 + i, seed);
    if (n % 2)
      sort(a, n);
    else
      for (u32 i = 0; i < n; i++)
        record = changed(record, a[i]);
    for (u32 i = 0; i < n; i++)
      r = r * 17 + a[i];
    for (u32 i = 0; i < 5; i++)
      r = r * 17 + record.word[i];
    return r + record.byte;
  }
};

template <class Each> __global__ void each(u32 *out, u32 seed) {
  u32 in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  u32 t = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + in_block;
  out[t] = Each::run(t, seed);
}

// Threads that leave the kernel within a loop; the others continue.
struct ExitInALoop {
  static BOTH void run(u32 t, u32 seed, u32 *out) {
    u32 x = mix(t, seed);
    if (x % 17 == 0)
      return;
    for (u32 i = 0; i < 30; i++) {
      out[t] = x + i;
      if (x % 6 == 0) {
        for (u32 k = 0; k < 5; k++)
          if (spin(x, k) % 7 == i % 7)
            return;
      } else if (x % 9 == i % 9) {
        return;
      }
      x = spin(x, 1);
    }
    out[t] ^= 1;
  }
};
template <> __global__ void each<ExitInALoop>(u32 *out, u32 seed) {
  u32 in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  ExitInALoop::run(blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + in_block, seed, out);
}

// Warp: a computation of the lanes of one warp together. `lanes` lanes exist, and only those in `members` take
// part in the code under `if (x & 1)`. On the device each lane calls `run`; on the host `expect` computes all.

struct ShuffleAll {
  static __device__ u32 run(u32 x, u32 lane, u32 lanes) {
    u32 there = lanes == 32 ? ~0u : (1u << lanes) - 1;
    u32 r = __shfl_xor_sync(there, x, 1) * 3 + __shfl_up_sync(there, x, 3, 8) * 5;
    return r + __shfl_down_sync(there, x, 2, 16) * 7 + __shfl_sync(there, x, lane * 5 + 1, 4) * 11;
  }
  static void expect(const u32 *x, u32 lanes, u32 *r) {
    for (u32 l = 0; l < lanes; l++) {
      u32 across = l ^ 1, up = l % 8 >= 3 ? l - 3 : l, down = l % 16 + 2 < 16 ? l + 2 : l;
      u32 indexed = l / 4 * 4 + (l * 5 + 1) % 4;
      r[l] = x[across] * 3 + x[up] * 5 + x[down] * 7 + x[indexed] * 11;
    }
  }
};

struct ShuffleHalves { // each half under its own mask, in different branches
  static __device__ u32 run(u32 x, u32 lane, u32) {
    if (lane < 16)
      return __shfl_xor_sync(0xffffu, x, 5) + 1;
    return __shfl_xor_sync(0xffff0000u, x, 9) * 2;
  }
  static void expect(const u32 *x, u32 lanes, u32 *r) {
    for (u32 l = 0; l < lanes; l++)
      r[l] = l < 16 ? x[l ^ 5] + 1 : x[l ^ 9] * 2;
  }
};

struct BallotUnderIf {
  static __device__ u32 run(u32 x, u32 lane, u32 lanes) {
    u32 there = lanes == 32 ? ~0u : (1u << lanes) - 1, members = __ballot_sync(there, x & 1), r = 0;
    if (x & 1) {
      u32 inner = __ballot_sync(members, x & 2);
      r = inner + __all_sync(members, x & 4) + 2 * __any_sync(members, x & 8);
      if (x & 2)
        r ^= __ballot_sync(inner, lane & 1);
    } else {
      r = spin(x, 2);
    }
    __syncwarp(there);
    return r + __ballot_sync(there, x & 16);
  }
  static void expect(const u32 *x, u32 lanes, u32 *r) {
    u32 two = 0, all = 1, any = 0, sixteen = 0, odd = 0xaaaaaaaa;
    for (u32 l = 0; l < lanes; l++) {
      sixteen |= (x[l] >> 4 & 1) << l;
      if (!(x[l] & 1))
        continue;
      two |= (x[l] >> 1 & 1) << l;
      all &= x[l] >> 2 & 1;
      any |= x[l] >> 3 & 1;
    }
    for (u32 l = 0; l < lanes; l++) {
      r[l] = x[l] & 1 ? two + all + 2 * any : spin(x[l], 2);
      if ((x[l] & 3) == 3)
        r[l] ^= two & odd;
      r[l] += sixteen;
    }
  }
};

struct VoteInALoop { // lanes drop out round by round; the remaining ones count each other
  static __device__ u32 run(u32 x, u32, u32 lanes) {
    u32 members = lanes == 32 ? ~0u : (1u << lanes) - 1, r = 0;
    for (u32 left = x % 9; (members = __ballot_sync(members, left > 0)), left > 0; left--)
      r = r * 33 + __popc(members);
    return r;
  }
  static void expect(const u32 *x, u32 lanes, u32 *r) {
    for (u32 l = 0; l < lanes; l++) {
      r[l] = 0;
      for (u32 round = 0; round < x[l] % 9; round++) {
        u32 count = 0;
        for (u32 k = 0; k < lanes; k++)
          count += x[k] % 9 > round;
        r[l] = r[l] * 33 + count;
      }
    }
  }
};

// The same operations in each of three ways: lanes meet although their instructions differ.
static __device__ __noinline__ u32 next_lanes(u32 v) { return __shfl_down_sync(~0u, v, 1); }
struct InEachWay {
  template <u32 WAY> static __device__ u32 way(u32 v, u32 lane, volatile u32 *words) {
    int same;
    u32 r = __shfl_xor_sync(~0u, v, 5);
    r = r * 31 + __shfl_sync(~0u, v, lane + WAY, 8);
    r = r * 31 + __shfl_up_sync(~0u, v, WAY + 1);
    r = r * 31 + __ballot_sync(~0u, v & 64);
    r = r * 31 + __any_sync(~0u, (v & 0xf80) == WAY << 7) + 2 * __all_sync(~0u, v % 64 > WAY);
    r = r * 31 + __match_any_sync(~0u, v % 8);
    r = r * 31 + __match_all_sync(~0u, (unsigned long long)v >> 32, &same) + same;
    r = r * 31 + __reduce_add_sync(~0u, v);
    r = r * 31 + (u32)__reduce_min_sync(~0u, (int)v);
    words[lane] = v;
    __syncwarp();
    r = r * 31 + words[(lane + 7 + WAY) % 32];
    __syncwarp();
    return r * 31 + next_lanes(v);
  }
  static BOTH u32 value(u32 x) { return x * (2 * (x % 3) + 3); }
  static __device__ u32 run(u32 x, u32 lane, u32) {
    __shared__ volatile u32 words[32][32]; // by warp
    const u32 in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    volatile u32 *own = words[in_block / 32];
    if (x % 3 == 0)
      return way<0>(value(x), lane, own);
    return x % 3 == 1 ? way<1>(value(x), lane, own) : way<2>(value(x), lane, own);
  }
  static void expect(const u32 *x, u32, u32 *r) {
    u32 v[32], ballot = 0, any = 0, all = 1, sum = 0;
    int least = INT32_MAX;
    for (u32 l = 0; l < 32; l++) {
      v[l] = value(x[l]);
      ballot |= (v[l] >> 6 & 1) << l;
      any |= (v[l] & 0xf80) == x[l] % 3 << 7;
      all &= v[l] % 64 > x[l] % 3;
      sum += v[l];
      least = (int)v[l] < least ? (int)v[l] : least;
    }
    for (u32 l = 0; l < 32; l++) {
      const u32 way = x[l] % 3;
      u32 match = 0;
      for (u32 k = 0; k < 32; k++)
        match |= (u32)(v[k] % 8 == v[l] % 8) << k;
      r[l] = v[l ^ 5];
      r[l] = r[l] * 31 + v[l / 8 * 8 + (l + way) % 8];
      r[l] = r[l] * 31 + v[l > way ? l - way - 1 : l];
      r[l] = r[l] * 31 + ballot;
      r[l] = r[l] * 31 + any + 2 * all;
      r[l] = r[l] * 31 + match;
      r[l] = r[l] * 31 + ~0u + 1;
      r[l] = r[l] * 31 + sum;
      r[l] = r[l] * 31 + (u32)least;
      r[l] = r[l] * 31 + v[(l + 7 + way) % 32];
      r[l] = r[l] * 31 + v[l < 31 ? l + 1 : l];
    }
  }
};

template <class Warp> __global__ void warps(u32 *out, u32 seed) {
  u32 in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  u32 threads = blockDim.x * blockDim.y * blockDim.z, t = blockIdx.x * threads + in_block;
  u32 first = in_block / 32 * 32, lanes = threads - first < 32 ? threads - first : 32;
  out[t] = Warp::run(mix(t, seed), in_block % 32, lanes);
}

// The table of cases, and one run.

enum { BLOCKS = 3, UNTOUCHED = 0x5a5a5a5a };

template <class Each> void expect_each(u32 threads, u32 seed, u32 *out) {
  for (u32 t = 0; t < BLOCKS * threads; t++)
    out[t] = Each::run(t, seed);
}
template <> void expect_each<ExitInALoop>(u32 threads, u32 seed, u32 *out) {
  for (u32 t = 0; t < BLOCKS * threads; t++)
    ExitInALoop::run(t, seed, out);
}

template <class Warp> void expect_warps(u32 threads, u32 seed, u32 *out) {
  for (u32 block = 0; block < BLOCKS; block++)
    for (u32 first = 0; first < threads; first += 32) {
      u32 lanes = threads - first < 32 ? threads - first : 32, start = block * threads + first, x[32];
      for (u32 l = 0; l < 32; l++)
        x[l] = mix(start + l, seed);
      Warp::expect(x, lanes, out + start);
    }
}

struct Case {
  const char *name;
  void (*kernel)(u32 *, u32);
  void (*expect)(u32 threads, u32 seed, u32 *out);
  bool whole_warps; // lanes that do not exist would be read
};
#define EACH(type)                                                                                           \
  { #type, each < type>, expect_each < type>, false }
static const Case cases[] = {EACH(NestedIfs),
                             EACH(MixedSpaces),
                             EACH(UnequalLoops),
                             EACH(BreakAndContinue),
                             EACH(EarlyReturn),
                             EACH(ShortCircuit),
                             EACH(Switch),
                             EACH(Machine),
                             EACH(Recursion),
                             EACH(MutualRecursion),
                             EACH(CallsWithMemory),
                             EACH(ExitInALoop),
                             {"ShuffleAll", warps<ShuffleAll>, expect_warps<ShuffleAll>, true},
                             {"ShuffleHalves", warps<ShuffleHalves>, expect_warps<ShuffleHalves>, true},
                             {"InEachWay", warps<InEachWay>, expect_warps<InEachWay>, true},
                             {"BallotUnderIf", warps<BallotUnderIf>, expect_warps<BallotUnderIf>, false},
                             {"VoteInALoop", warps<VoteInALoop>, expect_warps<VoteInALoop>, false}};

static int run(const Case &c, dim3 block, u32 seed) {
  u32 threads = block.x * block.y * block.z, *device;
  if (c.whole_warps && threads % 32)
    return 0;
  std::vector<u32> got(BLOCKS * threads, UNTOUCHED), expected(got);
  cudaMalloc(&device, got.size() * sizeof(u32));
  cudaMemcpy(device, got.data(), got.size() * sizeof(u32), cudaMemcpyHostToDevice);
  c.kernel<<<BLOCKS, block>>>(device, seed);
  cudaError_t error = cudaMemcpy(got.data(), device, got.size() * sizeof(u32), cudaMemcpyDeviceToHost);
  cudaFree(device);
  if (error != cudaSuccess) {
    printf("%s: %s\n", c.name, cudaGetErrorString(error));
    return 1;
  }
  c.expect(threads, seed, expected.data());
  for (size_t t = 0; t < got.size(); t++)
    if (got[t] != expected[t]) {
      printf("%s, block %ux%ux%u, seed %u: thread %zu got %u, expected %u\n", c.name, block.x, block.y,
             block.z, seed, t, got[t], expected[t]);
      return 1;
    }
  return 0;
}

int main() {
  static const dim3 shapes[] = {{32}, {1}, {33}, {7, 5}, {16, 16}, {4, 4, 8}, {1024}};
  int differences = 0;
  for (const Case &c : cases)
    for (dim3 shape : shapes)
      for (u32 seed = 1; seed <= 4; seed++)
        differences += run(c, shape, seed);
  return differences != 0;
}
