// Eight red-black sweeps in one pass over memory. records.h says what the functions do, README.md why they are fast.
//
// A block is one warp. It owns a strip of OWN places of each colour and some of its rows, and walks down
// these rows. At step s, half-sweep k updates row s - k. The two rows of the other colour that a half-sweep
// has seen stay in registers, and h2f stays in shared memory until the last half-sweep has used it. A lane
// reads only what it copied itself, so there is no barrier.
#include "records.h"

#include <algorithm>

#include <cuda_pipeline.h>

enum { RED, BLACK }; // colours
enum { LANES = 32, FOUR = 4, SWEEPS = RECORDS_SWEEPS, HALVES = 2 * SWEEPS };
enum { HALO = SWEEPS / FOUR, OWN = (LANES - 2 * HALO) * FOUR }; // HALO: lanes at each end of a strip
enum { TURN = 4 };                                              // steps in a turn of the loop
enum { AHEAD = 3 };                                             // rows in flight from memory
enum { RING = 20, GROUPS = RING / TURN };                       // rows of h2f in shared memory
enum { BLOCKS = 8 }; // per multiprocessor: two warps for each scheduler, 255 registers for each thread
static_assert(SWEEPS % FOUR == 0 && AHEAD + 1 <= TURN && HALVES - 1 + AHEAD <= RING,
              "a row is replaced while in use");

// Red row i of h2f, and black row i - 1, which half-sweep 1 needs a step later, are in one place of the ring.
// u: row i at i modulo TURN.
struct rows {
  float4 h2f[2][RING][LANES], u[2][TURN][LANES];
};

struct problem {
  records_grid g;
  float keep[HALVES], gain[HALVES]; // of SOR, for each half-sweep: 1 - omega, omega/diagonal
};

// A lane's four places and the rows that it stores.
struct share {
  int jh, column;  // column: jh within the arrays
  int first, rows; // rows: 0 for the lanes of the halo
  unsigned border; // bits 0 to 3: places in the first or last column where j = 2 jh; 4 to 7: j = 2 jh + 1
};

static __device__ __forceinline__ float4 times(float factor, float4 v) {
  return make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
}

static __device__ __forceinline__ int inside(int i, int ny) { return min(max(i, 0), ny - 1); }

// Requests what step f reads first: red row f and black row f - 1 of h2f, black row f + 1 of u, and red row f
// of u if the step needs old red values. to: f's place in the ring; s: f modulo TURN.
template <bool RED_TOO>
static __device__ __forceinline__ void fetch(const records_grid &g, const share &me, rows &rows, int f,
                                             int to, int s, bool clamp) {
  const int lane = threadIdx.x;
  const int row = (clamp ? inside(f, g.ny) : f) * g.pitch + me.column;
  const int above = clamp ? inside(f - 1, g.ny) * g.pitch + me.column : row - g.pitch;
  const int below = clamp ? inside(f + 1, g.ny) * g.pitch + me.column : row + g.pitch;
  __pipeline_memcpy_async(&rows.h2f[RED][to][lane], g.h2f[RED] + row, sizeof(float4));
  __pipeline_memcpy_async(&rows.h2f[BLACK][to][lane], g.h2f[BLACK] + above, sizeof(float4));
  __pipeline_memcpy_async(&rows.u[BLACK][(s + 1) % TURN][lane], g.u[BLACK] + below, sizeof(float4));
  if (RED_TOO)
    __pipeline_memcpy_async(&rows.u[RED][s % TURN][lane], g.u[RED] + row, sizeof(float4));
  __pipeline_commit();
}

// (west + east) + north of four places. ODD: (i + colour) & 1; the fifth value of the row comes from a neighbour lane.
template <bool ODD> static __device__ __forceinline__ float4 three_neighbours(float4 c, float4 north) {
  const float fifth = ODD ? __shfl_down_sync(~0u, c.x, 1) : __shfl_up_sync(~0u, c.w, 1);
  float4 v;
  v.x = (ODD ? c.x + c.y : fifth + c.x) + north.x;
  v.y = (ODD ? c.y + c.z : c.x + c.y) + north.y;
  v.z = (ODD ? c.z + c.w : c.y + c.z) + north.z;
  v.w = (ODD ? c.w + fifth : c.z + c.w) + north.w;
  return v;
}

// The new value of a place. Gauss-Seidel keeps 4u: its product by 1/4 is exact, so fmaf rounds once, like the
// addition of h2f in the definition. The first half-sweep reads u itself.
template <bool SOR>
static __device__ __forceinline__ float relax(const problem &p, int k, float sum, float h2f, float old) {
  if (SOR)
    return p.keep[k] * old + p.gain[k] * (sum + h2f);
  return k == 0 ? sum + h2f : fmaf(sum, 0.25f, h2f);
}

template <bool SOR>
static __device__ __forceinline__ float4 relax_four(const problem &p, int k, float4 three, float4 south,
                                                    float4 h2f, float4 old) {
  return make_float4(
      relax<SOR>(p, k, three.x + south.x, h2f.x, old.x), relax<SOR>(p, k, three.y + south.y, h2f.y, old.y),
      relax<SOR>(p, k, three.z + south.z, h2f.z, old.z), relax<SOR>(p, k, three.w + south.w, h2f.w, old.w));
}

// The branch is uniform in the warp. It also keeps the compiler from moving loads of several half-sweeps to
// the front, for which this path has no registers.
static __device__ __forceinline__ float4 keep_border(bool row_is_border, unsigned places, float4 old,
                                                     float4 v) {
  if (row_is_border)
    return old;
  return make_float4(places & 1 ? old.x : v.x, places & 2 ? old.y : v.y, places & 4 ? old.z : v.z,
                     places & 8 ? old.w : v.w);
}

// A store without a branch: the code of a turn stays in one piece, so the compiler can move everything.
static __device__ __forceinline__ void store_if(bool yes, float *to, float4 v) {
  asm volatile(
      "{ .reg .pred p; setp.ne.s32 p, %0, 0; @p st.global.v4.f32 [%1], {%2, %3, %4, %5}; }" ::"r"((int)yes),
      "l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
      : "memory");
}

// Step start + S. group[q]: the place in the ring of row start + TURN q; rows before start are at the end of
// group. BORDER: the strip or one of the rows has border points. seen[k]: the rows of the other colour that
// half-sweep k has read last; row s - k - 1 is at the parity of s.
template <bool SOR, bool BORDER, int S>
static __device__ __forceinline__ void step(const problem &p, const share &me, rows &rows,
                                            const int (&group)[GROUPS], int start,
                                            float4 (&seen)[HALVES][2]) {
  enum { ODD = S & 1 };
  const int lane = threadIdx.x, s = start + S;
  fetch<SOR || BORDER>(p.g, me, rows, s + AHEAD, group[(S + AHEAD) / TURN] + (S + AHEAD) % TURN, S + AHEAD,
                       BORDER);
  __pipeline_wait_prior(AHEAD);
  float4 south = rows.u[BLACK][(S + 1) % TURN][lane], old = make_float4(0, 0, 0, 0);
  if (SOR || BORDER)
    old = times(SOR ? 1 : 4, rows.u[RED][S][lane]);
#pragma unroll
  for (int k = 0; k < HALVES; k++) {
    const int i = s - k, colour = k & 1, place = (S - k + colour + RING) % RING; // in the ring, from group[0]
    const float4 north = seen[k][ODD];
    const float4 h2f = rows.h2f[colour][group[place / TURN] + place % TURN][lane];
    float4 v = relax_four<SOR>(p, k, three_neighbours<ODD>(seen[k][!ODD], north), south, h2f, old);
    if (BORDER)
      v = keep_border(i <= 0 || i >= p.g.ny - 1, ODD ? me.border >> FOUR : me.border, old, v);
    seen[k][ODD] = south;
    old = !SOR && k == 0 ? times(4, north) : north; // what the next half-sweep replaces
    south = v;
    if (k >= HALVES - 2)
      store_if((unsigned)(i - me.first) < (unsigned)me.rows, p.g.out[colour] + (i * p.g.pitch + me.jh),
               SOR ? v : times(0.25f, v));
  }
}

template <bool SOR, bool BORDER>
static __device__ __forceinline__ void turn(const problem &p, const share &me, rows &rows,
                                            const int (&group)[GROUPS], int start,
                                            float4 (&seen)[HALVES][2]) {
  step<SOR, BORDER, 0>(p, me, rows, group, start, seen);
  step<SOR, BORDER, 1>(p, me, rows, group, start, seen);
  step<SOR, BORDER, 2>(p, me, rows, group, start, seen);
  step<SOR, BORDER, 3>(p, me, rows, group, start, seen);
}

// The parts of all strips. Points of the border make the two outer strips slower, so their parts have fewer rows.
struct plan {
  int strips, parts, rows, outer_parts, outer_rows;
};

struct part {
  int strip, first, last; // rows
};

static __device__ part part_of_block(const plan &plan, int ny) {
  const int inner = max(plan.strips - 2, 0), block = blockIdx.x, outer = block - inner * plan.parts;
  part part;
  part.strip = outer < 0 ? 1 + block % inner : outer % min(plan.strips, 2) * (plan.strips - 1);
  part.first = outer < 0 ? block / inner * plan.rows : outer / min(plan.strips, 2) * plan.outer_rows;
  part.last = min(part.first + (outer < 0 ? plan.rows : plan.outer_rows), ny);
  return part;
}

static __device__ share share_of_lane(const records_grid &g, const part &part, int strips) {
  const int lane = threadIdx.x;
  const bool first_strip = part.strip == 0, last_strip = part.strip == strips - 1;
  share me;
  me.jh = part.strip * OWN + lane * FOUR;
  me.column = min(me.jh, g.pitch - FOUR);
  me.first = part.first;
  const bool own = (first_strip || lane >= HALO) && (last_strip || lane < LANES - HALO) && me.jh < g.pitch;
  me.rows = own ? part.last - part.first : 0;
  me.border = 0;
  for (int n = 0; n < 2 * FOUR; n++) {
    const int j = 2 * (me.jh + n % FOUR) + n / FOUR;
    me.border |= (unsigned)(j == 0 || j == g.nx - 1) << n;
  }
  return me;
}

template <bool SOR> __global__ void __launch_bounds__(LANES, BLOCKS) fused_kernel(problem p, plan plan) {
  __shared__ rows rows;
  const part part = part_of_block(plan, p.g.ny);
  const share me = share_of_lane(p.g, part, plan.strips);
  const bool outer = part.strip == 0 || part.strip == plan.strips - 1;
  const int start = (part.first - HALVES - 1) & ~(TURN - 1), end = part.last + HALVES - 1;
  for (float4 *row = &rows.h2f[0][0][threadIdx.x]; row < (float4 *)(&rows + 1); row += LANES)
    *row = make_float4(0, 0, 0, 0);
  float4 seen[HALVES][2] = {};
  int group[GROUPS];
#pragma unroll
  for (int q = 0; q < GROUPS; q++)
    group[q] = q * TURN;
#pragma unroll
  for (int n = 0; n < AHEAD; n++)
    fetch<true>(p.g, me, rows, start + n, n, n, true);
  for (int s = start; s < end; s += TURN) {
    if (outer || s - HALVES + 1 <= 0 || s + TURN + AHEAD > p.g.ny - 1)
      turn<SOR, true>(p, me, rows, group, s, seen);
    else
      turn<SOR, false>(p, me, rows, group, s, seen);
    const int first = group[0];
#pragma unroll
    for (int q = 0; q + 1 < GROUPS; q++)
      group[q] = group[q + 1];
    group[GROUPS - 1] = first;
  }
}

static int divide_up(int a, int b) { return (a + b - 1) / b; }

static int rows_of(int ny, int parts) {
  return std::max(4 * SWEEPS, divide_up(ny, std::max(parts, 1) * TURN) * TURN);
}

// As many parts as the device holds at once: `most`. The outer strips get the rest, at least `slower` tenths
// of the parts of another strip.
static plan plan_for(const records_grid &g, int most, int slower) {
  const int width = (g.nx + 1) / 2;
  plan plan;
  plan.strips = 1 + divide_up(std::max(width - LANES * FOUR, 0), OWN);
  for (int parts = std::max(1, most / plan.strips);; parts--) {
    plan.rows = rows_of(g.ny, parts);
    plan.parts = divide_up(g.ny, plan.rows);
    const int rest = most - std::max(plan.strips - 2, 0) * plan.parts;
    plan.outer_rows = rows_of(g.ny, rest / std::min(plan.strips, 2));
    plan.outer_parts = divide_up(g.ny, plan.outer_rows);
    if (parts == 1 || rest * 10 >= std::min(plan.strips, 2) * plan.parts * slower)
      return plan;
  }
}

template <bool SOR> static void launch(const problem &p) {
  int device = 0, multiprocessors = 1, blocks = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaFuncSetAttribute(fused_kernel<SOR>, cudaFuncAttributePreferredSharedMemoryCarveout,
                       cudaSharedmemCarveoutMaxShared);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fused_kernel<SOR>, LANES, 0);
  const plan plan = plan_for(p.g, multiprocessors * blocks, SOR ? 30 : 16);
  const int inner = std::max(plan.strips - 2, 0) * plan.parts,
            outer = std::min(plan.strips, 2) * plan.outer_parts;
  fused_kernel<SOR><<<inner + outer, LANES>>>(p, plan);
}

void records_gs(const records_grid *g) { launch<false>({*g}); }

void records_sor(const records_grid *g, double diagonal, const double *omega) {
  problem p = {*g};
  for (int k = 0; k < HALVES; k++) {
    p.keep[k] = (float)(1 - omega[k]);
    p.gain[k] = (float)omega[k] / (float)diagonal;
  }
  launch<true>(p);
}
