// Communication between the lanes of a warp.
#include "harness.h"

enum { N = 70 }; // threads: two warps and six lanes

template <class T> __host__ __device__ T mixed(int i) { return T(i * 2654435761u % 1000) - 300; }

// Four shuffles per lane; no lane reads from a lane past the last one.
template <class T> __global__ void shuffles(T *r) {
  int t = threadIdx.x, count = blockDim.x - t / 32 * 32;
  unsigned mask = count >= 32 ? ~0u : (1u << count) - 1;
  T own = mixed<T>(t);
  r[4 * t] = __shfl_sync(mask, own, (t * 7 + 3) % (count < 32 ? count : 32));
  r[4 * t + 1] = __shfl_up_sync(mask, own, 3);
  r[4 * t + 2] = count >= 32 ? __shfl_down_sync(mask, own, 5) : own;
  r[4 * t + 3] = count >= 32 ? __shfl_xor_sync(mask, own, 9, 16) : __shfl_xor_sync(mask, own, 1);
}
template <class T> static void test_shuffles() {
  Array<T> r(4 * N);
  shuffles<T><<<1, N>>>(r);
  check(r, [&](int k) {
    int t = k / 4, lane = t % 32, base = t - lane, count = N - base;
    switch (k % 4) {
    case 0:
      return mixed<T>(base + (t * 7 + 3) % (count < 32 ? count : 32));
    case 1:
      return mixed<T>(lane < 3 ? t : t - 3);
    case 2:
      return mixed<T>(count >= 32 && lane + 5 < 32 ? t + 5 : t);
    default:
      return mixed<T>(count >= 32 ? base + (lane ^ 9) : base + (lane ^ 1));
    }
  });
}
TEST(shuffles_int) { test_shuffles<int>(); }
TEST(shuffles_float) { test_shuffles<float>(); }
TEST(shuffles_long) { test_shuffles<long long>(); }
TEST(shuffles_double) { test_shuffles<double>(); }

// Within segments of 4, 8 and 16 lanes.
__global__ void segments(int *r) {
  int t = threadIdx.x, own = mixed<int>(t);
  r[3 * t] = __shfl_sync(~0u, own, 2, 4);
  r[3 * t + 1] = __shfl_down_sync(~0u, own, 3, 8);
  r[3 * t + 2] = __shfl_up_sync(~0u, own, 5, 16);
}
TEST(segments) {
  Array<int> r(3 * 64);
  segments<<<1, 64>>>(r);
  check(r, [&](int k) {
    int t = k / 3, at = k % 3 == 0   ? t / 4 * 4 + 2
                        : k % 3 == 1 ? (t % 8 + 3 < 8 ? t + 3 : t)
                                     : (t % 16 >= 5 ? t - 5 : t);
    return mixed<int>(at);
  });
}

// Every distance, or source, in segments of `width` lanes; with `apart`, each lane's own. Block b has distance b.
template <int MODE> __device__ void shuffle_by(int own, int by, int width, int *r) {
  const int control = (32 - width) << 8 | (MODE == 0 ? 0 : 31);
  int value, within;
#define SHUFFLE(mode)                                                                                        \
  asm volatile("{ .reg .pred p; shfl.sync." mode ".b32 %0|p, %2, %3, %4, -1; selp.s32 %1, 1, 0, p; }"        \
               : "=r"(value), "=r"(within)                                                                   \
               : "r"(own), "r"(by), "r"(control))
  if (MODE == 0)
    SHUFFLE("up");
  else if (MODE == 1)
    SHUFFLE("down");
  else if (MODE == 2)
    SHUFFLE("bfly");
  else
    SHUFFLE("idx");
#undef SHUFFLE
  r[0] = value;
  r[1] = within;
}
__global__ void distances(int width, int apart, int *r) {
  int t = threadIdx.x, by = (blockIdx.x + apart * 5 * t) % 32, own = mixed<int>(t);
  int *at = r + 8 * (blockIdx.x * 32 + t);
  shuffle_by<0>(own, by, width, at);
  shuffle_by<1>(own, by, width, at + 2);
  shuffle_by<2>(own, by, width, at + 4);
  shuffle_by<3>(own, by, width, at + 6);
}
static void test_distances(int width, int apart) {
  Array<int> r(8 * 32 * 32);
  distances<<<32, 32>>>(width, apart, r);
  check(r, [=](int k) {
    int lane = k / 8 % 32, by = (k / 256 + apart * 5 * lane) % 32;
    int low = lane / width * width, from, within;
    switch (k / 2 % 4) {
    case 0:
      from = lane - by, within = from >= low;
      break;
    case 1:
      from = lane + by, within = from < low + width;
      break;
    case 2:
      from = lane ^ by, within = from < low + width;
      break;
    default:
      from = low + by % width, within = 1;
    }
    return k % 2 ? within : mixed<int>(within ? from : lane);
  });
}
TEST(distances) {
  for (int width : {32, 16, 8, 4, 2, 1})
    for (int apart = 0; apart < 2; apart++)
      test_distances(width, apart);
}

// Votes of all lanes, then of those on each side of a branch.
__global__ void votes(int *r) {
  int t = threadIdx.x, lane = t % 32;
  bool yes = mixed<int>(t) > 100;
  r[5 * t] = __ballot_sync(~0u, yes);
  r[5 * t + 1] = __all_sync(~0u, lane < 40) * 2 + __any_sync(~0u, mixed<int>(t) > 690);
  if (lane % 3 == 0)
    r[5 * t + 2] = __ballot_sync(0x49249249, yes);
  else
    r[5 * t + 2] = __popc(__ballot_sync(~0x49249249u, yes));
  switch (lane / 8) {
  case 0:
    r[5 * t + 3] = __any_sync(0xff, yes);
    break;
  case 2:
    r[5 * t + 3] = __all_sync(0xff0000, !yes);
    break;
  default:
    r[5 * t + 3] = __shfl_xor_sync(0xff00ff00, lane, 16);
  }
  r[5 * t + 4] = __popc(__ballot_sync(~0u, yes) & ((1u << lane) - 1));
}
TEST(votes) {
  Array<int> r(5 * 64);
  votes<<<1, 64>>>(r);
  check(r, [&](int k) {
    int t = k / 5, lane = t % 32;
    unsigned yes = 0, large = 0, third = 0x49249249;
    for (int l = 0; l < 32; l++) {
      yes |= (unsigned)(mixed<int>(t - lane + l) > 100) << l;
      large |= mixed<int>(t - lane + l) > 690;
    }
    switch (k % 5) {
    case 0:
      return (int)yes;
    case 1:
      return 2 + (int)large;
    case 2:
      return lane % 3 == 0 ? (int)(yes & third) : __builtin_popcount(yes & ~third);
    case 3:
      return lane / 8 == 0 ? (yes & 0xff) != 0 : lane / 8 == 2 ? !(yes & 0xff0000) : lane ^ 16;
    default:
      return __builtin_popcount(yes & ((1u << lane) - 1));
    }
  });
}

template <class T> __global__ void matches(T *keys, unsigned *r) {
  int t = threadIdx.x, same;
  T key = keys[t];
  r[3 * t] = __match_any_sync(~0u, key);
  r[3 * t + 1] = __match_all_sync(~0u, key, &same) + same;
  r[3 * t + 2] = t % 32 < 11 ? __match_any_sync(0x7ff, key) : 0;
}
template <class T> static void test_matches() {
  Array<T> keys(64, [](int t) { return t < 32 ? T(random_between(0, 5) * 0.5) : T(4); });
  Array<unsigned> r(3 * 64);
  matches<T><<<1, 64>>>(keys, r);
  check(r, [&](int k) {
    int t = k / 3, base = t / 32 * 32;
    unsigned peers = 0;
    for (int l = 0; l < 32; l++)
      peers |= (unsigned)(keys[base + l] == keys[t]) << l;
    return k % 3 == 0 ? peers : k % 3 == 1 ? (peers == ~0u ? peers + 1 : 0) : t % 32 < 11 ? peers & 0x7ff : 0;
  });
}
TEST(matches_int) { test_matches<int>(); }
TEST(matches_double) { test_matches<double>(); }

__global__ void warp_reductions(const unsigned *x, unsigned *r) {
  int t = threadIdx.x;
  r[7 * t] = __reduce_add_sync(~0u, x[t]);
  r[7 * t + 1] = __reduce_min_sync(~0u, x[t]);
  r[7 * t + 2] = (unsigned)__reduce_max_sync(~0u, (int)x[t]);
  r[7 * t + 3] = __reduce_and_sync(~0u, x[t] | 0xf0f0);
  r[7 * t + 4] = __reduce_or_sync(~0u, x[t] & 0xff00ff);
  r[7 * t + 5] = __reduce_xor_sync(~0u, x[t]);
  r[7 * t + 6] = t % 2 ? __reduce_add_sync(0xaaaaaaaa, x[t]) : __reduce_max_sync(0x55555555, x[t]);
}
TEST(warp_reductions) {
  Array<unsigned> x(64, 0, UINT32_MAX), r(7 * 64);
  warp_reductions<<<1, 64>>>(x, r);
  check(r, [&](int k) {
    int t = k / 7, base = t / 32 * 32, step = k % 7 == 6 ? 2 : 1;
    unsigned value = x[step == 2 ? base + t % 2 : base];
    value = k % 7 == 3 ? value | 0xf0f0 : k % 7 == 4 ? value & 0xff00ff : value;
    for (int i = base + (step == 2 ? t % 2 + 2 : 1); i < base + 32; i += step) {
      unsigned v = x[i];
      switch (k % 7 == 6 ? (t % 2 ? 0 : 7) : k % 7) {
      case 0:
        value += v;
        break;
      case 1:
        value = v < value ? v : value;
        break;
      case 2:
        value = (int)v > (int)value ? v : value;
        break;
      case 3:
        value &= v | 0xf0f0;
        break;
      case 4:
        value |= v & 0xff00ff;
        break;
      case 5:
        value ^= v;
        break;
      default:
        value = v > value ? v : value;
      }
    }
    return value;
  });
}

// 32×32 through registers alone: five rounds of exchanges, one for each bit of the indices.
__global__ void register_transpose(const int *a, int *b) {
  int lane = threadIdx.x, row[32];
#pragma unroll
  for (int k = 0; k < 32; k++)
    row[k] = a[k * 32 + lane];
#pragma unroll
  for (int bit = 1; bit < 32; bit *= 2)
#pragma unroll
    for (int k = 0; k < 32; k++)
      if (!(k & bit)) {
        bool high = lane & bit;
        int received = __shfl_xor_sync(~0u, high ? row[k] : row[k | bit], bit);
        (high ? row[k] : row[k | bit]) = received;
      }
#pragma unroll
  for (int k = 0; k < 32; k++)
    b[k * 32 + lane] = row[k];
}
TEST(register_transpose) {
  Array<int> a(1024, -9999, 9999), b(1024);
  register_transpose<<<1, 32>>>(a, b);
  check(b, [&](int at) { return a[at % 32 * 32 + at / 32]; });
}

// Lanes of diverged warps exchange data through shared memory, ordered by __syncwarp alone.
__global__ void warp_exchange(int *r) {
  __shared__ int box[96];
  int t = threadIdx.x, lane = t % 32;
  box[t] = mixed<int>(t);
  __syncwarp();
  int other = box[t ^ 1];
  __syncwarp();
  if (lane < 16) {
    box[t] = other * 2;
    __syncwarp(0xffff);
    other = box[t ^ 8];
  } else {
    box[t] = other * 3;
    __syncwarp(0xffff0000);
    other = box[t ^ 4];
  }
  __syncwarp();
  r[t] = other + box[t / 32 * 32 + 31 - lane];
}
TEST(warp_exchange) {
  Array<int> r(96);
  warp_exchange<<<1, 96>>>(r);
  auto second = [](int t) { return mixed<int>(t ^ 1) * (t % 32 < 16 ? 2 : 3); };
  check(r, [&](int t) { return second(t % 32 < 16 ? t ^ 8 : t ^ 4) + second(t / 32 * 32 + 31 - t % 32); });
}

// Barriers with a vote.
__global__ void block_votes(int *r) {
  int t = threadIdx.x, own = mixed<int>(blockIdx.x * blockDim.x + t);
  int count = __syncthreads_count(own > 0), all = __syncthreads_and(own < 690),
      any = __syncthreads_or(own < -295);
  r[blockIdx.x * blockDim.x + t] = count * 4 + (all != 0) * 2 + (any != 0);
}
TEST(block_votes) {
  Array<int> r(6 * N);
  block_votes<<<6, N>>>(r);
  check(r, [&](int k) {
    int count = 0, all = 1, any = 0;
    for (int i = k / N * N; i < (k / N + 1) * N; i++) {
      count += mixed<int>(i) > 0;
      all &= mixed<int>(i) < 690;
      any |= mixed<int>(i) < -295;
    }
    return count * 4 + all * 2 + any;
  });
}
