// C = A B on the FP32 pipes, in steps: each adds one thing to the one before. records.h lists them, README.md
// explains them. All give the same bits.
#include "records.h"

#include <cuda_pipeline.h>

enum { LANES = 32, FOUR = 4 };

const char *const records_step_names[RECORDS_STEPS] = {"warps", "banks", "spread", "small", "chosen"};

// What a step adds.
enum {
  BANKS = 1,  // a sum's register is in another bank than that of the entry of B
  SPREAD = 2, // a tile's copies are spread over the products before it, not all at their start
};

// A block computes M x N entries of C from tiles of A, K wide, and of B, K high. A warp computes WARP_M x
// WARP_N of them; its lanes form LANES_M x LANES_N, and each owns SUM_M x SUM_N entries, in groups of 4 x 4.
template <int M_, int N_, int K_, int SUM_M_, int SUM_N_, int STAGES_, int ADDS_> struct shape {
  enum { M = M_, N = N_, K = K_, SUM_M = SUM_M_, SUM_N = SUM_N_, STAGES = STAGES_, ADDS = ADDS_ };
  enum { LANES_M = 4, LANES_N = 8, WARP_M = LANES_M * SUM_M, WARP_N = LANES_N * SUM_N };
  enum { WARPS_M = M / WARP_M, THREADS = LANES * WARPS_M * (N / WARP_N) };
  // A's tile is transposed. Four floats of padding put a warp's copies, 8 columns x 4 rows, into different banks.
  enum { A_ROW = M + FOUR, A_TILE = K * A_ROW, TILES = A_TILE + K * N };
  enum { A_ROWS = THREADS / 8, B_ROWS = THREADS * FOUR / N }; // rows that all threads copy at once
  enum { A_COPIES = M * K / THREADS, COPIES = A_COPIES + K / B_ROWS };
  enum { BUNCH = K == 8 ? 2 : 3 }; // copies at once if they are spread
  static_assert(128 % M == 0 && 256 % N == 0 && 16 % K == 0 && (int)COPIES < (int)K, "");
};

// A thread's work: the places in the arrays from which it copies, and its entries of C.
struct share {
  const float *a, *b; // the next tiles
  int to_a, to_b;     // in shared memory
  int row, column;    // its first entry, in the block's part of C
};

// The block's part of C. Blocks that run at the same time form groups of eight parts high, which share tiles in L2.
template <class S> static __device__ int2 part_of_block(const records_product &p) {
  enum { HIGH = 8 };
  const int wide = p.n / S::N, high = p.m / S::M, group = blockIdx.x / (HIGH * wide),
            in_group = blockIdx.x % (HIGH * wide);
  const int rows = min(high - group * HIGH, (int)HIGH);
  return make_int2((group * HIGH + in_group % rows) * S::M, in_group / rows * S::N);
}

template <class S>
static __device__ __forceinline__ share share_of_thread(const records_product &p, int2 part) {
  const int t = threadIdx.x, warp = t / LANES, lane = t % LANES;
  share me;
  me.a = p.a + (size_t)(part.x + t / 8) * p.k + t % 8;
  me.to_a = t % 8 * S::A_ROW + t / 8;
  const int b_row = t / (S::N / FOUR), b_column = t % (S::N / FOUR) * FOUR;
  me.b = p.b + (size_t)b_row * p.n + part.y + b_column;
  me.to_b = S::A_TILE + b_row * S::N + b_column;
  me.row = warp % S::WARPS_M * S::WARP_M + lane / S::LANES_N * FOUR;
  me.column = warp / S::WARPS_M * S::WARP_N + lane % S::LANES_N * FOUR;
  return me;
}

// Copy number n of the next tiles. A's entries go one by one, because they are transposed on the way.
template <class S>
static __device__ __forceinline__ void copy(const records_product &p, const share &me, float *tiles, int n) {
  const int row = n % (S::M / S::A_ROWS) * S::A_ROWS, column = n / (S::M / S::A_ROWS) * 8;
  const int b_row = (n - S::A_COPIES) * S::B_ROWS;
  if (n < S::A_COPIES)
    __pipeline_memcpy_async(tiles + me.to_a + column * S::A_ROW + row, me.a + (size_t)row * p.k + column,
                            sizeof(float));
  else
    __pipeline_memcpy_async(tiles + me.to_b + b_row * S::N, me.b + (size_t)b_row * p.n, sizeof(float4));
}

template <class S>
static __device__ __forceinline__ void copies(const records_product &p, const share &me, float *tiles,
                                              int from, int to) {
#pragma unroll
  for (int n = from; n < to; n++)
    copy<S>(p, me, tiles, n);
}

template <class S> static __device__ __forceinline__ void advance(const records_product &p, share &me) {
  me.a += S::K;
  me.b += (size_t)S::K * p.n;
}

// A thread's entries of column k of A's tile and of row k of B's.
template <class S> struct fragments { float a[S::SUM_M], b[S::SUM_N]; };

template <class S>
static __device__ __forceinline__ void load(fragments<S> &f, const share &me, const float *tiles, int k) {
#pragma unroll
  for (int r = 0; r < S::SUM_M; r += FOUR)
    *(float4 *)(f.a + r) = *(const float4 *)(tiles + k * S::A_ROW + me.row + r * S::LANES_M);
#pragma unroll
  for (int c = 0; c < S::SUM_N; c += FOUR)
    *(float4 *)(f.b + c) = *(const float4 *)(tiles + S::A_TILE + k * S::N + me.column + c * S::LANES_N);
}

// Every second row from right to left: successive products share an operand, so they read fewer registers.
template <class S>
static __device__ __forceinline__ void add_products(const fragments<S> &f,
                                                    float (&sums)[S::SUM_M][S::SUM_N]) {
#pragma unroll
  for (int r = 0; r < S::SUM_M; r++)
#pragma unroll
    for (int n = 0; n < S::SUM_N; n++) {
      const int c = r & 1 ? S::SUM_N - 1 - n : n;
      sums[r][c] = fmaf(f.a[r], f.b[c], sums[r][c]);
    }
}

// A float4 in memory occupies four registers in a row. b's float4 and C's would put sums[r][c] and b[c] into
// the same of the two banks of registers. On the way to C, a store with swapped neighbours makes the compiler
// choose other registers.
static __device__ __forceinline__ float4 swapped(float *place, const float *sums) {
  asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"((unsigned)__cvta_generic_to_shared(place)),
               "f"(sums[1]), "f"(sums[0]), "f"(sums[3]), "f"(sums[2])
               : "memory");
  volatile float *v = place;
  return make_float4(v[1], v[0], v[3], v[2]);
}

template <class S>
static __device__ __forceinline__ void store(const records_product &p, const share &me, int2 part,
                                             float *shared, const float (&sums)[S::SUM_M][S::SUM_N]) {
#pragma unroll
  for (int r = 0; r < S::SUM_M; r++)
#pragma unroll
    for (int c = 0; c < S::SUM_N; c += FOUR) {
      const float *v = &sums[r][c];
      const float4 four =
          S::ADDS & BANKS ? swapped(shared + threadIdx.x * FOUR, v) : make_float4(v[0], v[1], v[2], v[3]);
      const int row = part.x + me.row + r / FOUR * FOUR * S::LANES_M + r % FOUR;
      *(float4 *)(p.c + (size_t)row * p.n + part.y + me.column + c * S::LANES_N) = four;
    }
}

// The products of one pair of tiles. On the way the next pair arrives in `after`, and the one after that, if
// there are more, is requested into `free`.
template <class S>
static __device__ __forceinline__ void
multiply_tiles(const records_product &p, const share &me, const float *tiles, const float *after, float *free,
               bool more, fragments<S> (&f)[2], float (&sums)[S::SUM_M][S::SUM_N]) {
  if (!(S::ADDS & SPREAD) && more)
    copies<S>(p, me, free, 0, S::COPIES);
#pragma unroll
  for (int k = 0; k < S::K; k++) {
    const bool last = k == S::K - 1;
    if (last) { // all threads have read these tiles
      __pipeline_commit();
      __pipeline_wait_prior(S::STAGES - 2);
      __syncthreads();
    }
    load(f[(k + 1) & 1], me, last ? after : tiles, (k + 1) % S::K);
    if ((S::ADDS & SPREAD) && more)
      copies<S>(p, me, free, k % S::BUNCH == 0 ? k : S::COPIES, min(k + S::BUNCH, (int)S::COPIES));
    add_products<S>(f[k & 1], sums);
  }
}

template <class S>
__global__ void __launch_bounds__(S::THREADS, 256 / S::THREADS) product_kernel(records_product p) {
  __shared__ __align__(16) float shared[S::STAGES * S::TILES];
  const int2 part = part_of_block<S>(p);
  share me = share_of_thread<S>(p, part);
  float sums[S::SUM_M][S::SUM_N] = {};
  fragments<S> f[2];
  const int turns = p.k / S::K;
#pragma unroll
  for (int q = 0; q < S::STAGES - 1; q++) {
    if (q < turns)
      copies<S>(p, me, shared + q * S::TILES, 0, S::COPIES);
    __pipeline_commit();
    advance<S>(p, me);
  }
  __pipeline_wait_prior(S::STAGES - 2);
  __syncthreads();
  load(f[0], me, shared, 0);
  int now = 0, free = S::STAGES - 1; // stages
#pragma unroll 1
  for (int q = 0; q < turns; q++) {
    const int next = now + 1 == S::STAGES ? 0 : now + 1;
    multiply_tiles<S>(p, me, shared + now * S::TILES, shared + next * S::TILES, shared + free * S::TILES,
                      q + S::STAGES - 1 < turns, f, sums);
    advance<S>(p, me);
    now = next;
    free = free + 1 == S::STAGES ? 0 : free + 1;
  }
  __syncthreads();
  store<S>(p, me, part, shared, sums);
}

template <class S> static void launch(const records_product &p) {
  product_kernel<S><<<p.m / S::M *(p.n / S::N), S::THREADS>>>(p);
}

static bool leaves_idle(const records_product &p) {
  int device = 0, multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  return p.m / 128 * (p.n / 256) < multiprocessors / 2;
}

bool records_multiply(records_step step, const records_product *p) {
  if (p->m % 128 || p->n % 256 || p->k % 16)
    return false;
  if (step == RECORDS_CHOSEN)
    step = leaves_idle(*p) ? RECORDS_SMALL : RECORDS_SPREAD;
  if (step == RECORDS_WARPS)
    launch<shape<128, 256, 8, 16, 8, 2, 0>>(*p);
  else if (step == RECORDS_BANKS)
    launch<shape<128, 256, 8, 16, 8, 2, BANKS>>(*p);
  else if (step == RECORDS_SPREAD)
    launch<shape<128, 256, 8, 16, 8, 3, BANKS | SPREAD>>(*p);
  else
    launch<shape<64, 128, 16, 8, 4, 3, BANKS | SPREAD>>(*p);
  return true;
}
