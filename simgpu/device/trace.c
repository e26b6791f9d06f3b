#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "order.h"

enum { LINE_SHIFT = 7, SECTOR_BITS = 5, MIN_L1_SECTORS = 64, MAX_L1_SECTORS = 8192 };

enum {
  KNOWN_BLOCKS = 1 << 24,
  SORTED_BLOCKS = 1 << 16
}; /* whose work is known, at most; counts that are sorted */

/* One launch at a time. The last trace belongs to a block that is sampled for its addresses only. */
static struct trace traces[TRACE_DRAWN + 1], *sampled[TRACE_SAMPLED];

static void prepare(struct trace *trace, uint64_t block, uint32_t warps, uint32_t l1_sectors) {
  if (!trace->l1 && !(trace->l1 = malloc(MAX_L1_SECTORS * sizeof *trace->l1)))
    abort();
  trace->block = block;
  trace->warps = warps;
  trace->l1_sectors = l1_sectors;
  trace->steps_per_warp = TRACE_STEPS / warps;
  for (uint32_t w = 0; w < warps; w++) {
    trace->warp[w].count = 0;
    trace->warp[w].is_full = false;
    trace->warp[w].steps = trace->steps + (size_t)w * trace->steps_per_warp;
  }
}

/* One block of each of equal parts of the grid, another in each launch, so that no program can know it. */
static uint64_t drawn_block(const struct launch *l, uint32_t i) {
  const uint64_t first = i * l->blocks / l->trace_count, end = (i + 1) * l->blocks / l->trace_count;
  const struct order order = {ORDER_RANDOM, l->model_seed + l->number * TRACE_DRAWN + i};
  return first + order_at(&order, end - first, 0);
}

/* Without a seed, the sampled blocks are in equidistant rows of the grid, each in another column: a distance that is a
 * multiple of the grid's width would sample only its left edge, where blocks behave differently. */
static uint64_t sampled_block(const struct launch *l, uint32_t i) {
  static const double columns[TRACE_BLOCKS] = {0.5, 0.118, 0.736, 0.354}; /* 0.5 + i times the golden ratio */
  if (l->blocks <= TRACE_BLOCKS)
    return i;
  if (l->model_seed)
    return drawn_block(l, i);
  uint64_t rows = l->blocks / l->grid[0], row = (2 * i + 1) * rows / (2 * TRACE_BLOCKS);
  return row * l->grid[0] + (uint64_t)(columns[i] * l->grid[0]);
}

/* A count for each block, all 0; NULL: too many blocks. */
static uint32_t *room_for_work(uint64_t blocks) {
  static uint32_t *work;
  free(work);
  work = NULL;
  if (blocks <= KNOWN_BLOCKS && !(work = calloc(blocks, sizeof *work)))
    abort();
  return work;
}

void trace_choose(struct launch *launch, uint64_t l1_bytes) {
  const uint32_t most = launch->model_seed ? TRACE_DRAWN : TRACE_BLOCKS;
  launch->traces = traces;
  launch->trace_count = launch->blocks < most ? (uint32_t)launch->blocks : most;
  launch->work = launch->model_seed ? room_for_work(launch->blocks) : NULL;
  uint32_t sectors = MAX_L1_SECTORS;
  while (sectors > MIN_L1_SECTORS && (uint64_t)sectors << SECTOR_BITS > l1_bytes)
    sectors /= 2;
  for (uint32_t i = 0; i < launch->trace_count; i++)
    prepare(&traces[i], sampled_block(launch, i), launch->warps, sectors);
}

static int by_size(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The work of these blocks, in ascending order. */
struct ranking {
  uint32_t *work;
  uint64_t count;
  double total;
};

static struct ranking rank(const struct launch *l) {
  const uint64_t step = l->blocks / SORTED_BLOCKS + 1;
  struct ranking r = {calloc(l->blocks / step + 1, sizeof *r.work), 0, 0};
  if (!r.work)
    abort();
  for (uint64_t b = 0; b < l->blocks; b += step) {
    r.work[r.count++] = l->work[b];
    r.total += l->work[b];
  }
  qsort(r.work, r.count, sizeof *r.work, by_size);
  return r;
}

/* The blocks with less work than this do half of all work. */
static uint32_t middle_of_work(const struct ranking *r) {
  uint64_t i = 0;
  double sum = r->work[0];
  while (i + 1 < r->count && 2 * sum < r->total)
    sum += r->work[++i];
  return r->work[i];
}

/* The work that the i-th of `count` blocks stands for: each for as many blocks. A few blocks may do most of the work:
 * then the last one stands for them. */
static uint32_t work_of(const struct ranking *r, uint32_t i, uint32_t count) {
  const uint32_t work = r->work[(2 * i + 1) * r->count / (2 * count)], middle = middle_of_work(r);
  return i + 1 == count && middle > work ? middle : work;
}

static uint32_t distance(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

/* The drawn block with about as much work, among those from number `from` on in `left`. */
static uint32_t nearest(const struct launch *l, const uint32_t *left, uint32_t from, uint32_t work) {
  uint32_t best = from;
  for (uint32_t i = from; i < l->trace_count; i++)
    if (distance(l->work[l->traces[left[i]].block], work) <
        distance(l->work[l->traces[left[best]].block], work))
      best = i;
  return best;
}

static void sample_by_work(struct launch *l) {
  struct ranking r = rank(l);
  uint32_t left[TRACE_DRAWN];
  for (uint32_t i = 0; i < l->trace_count; i++)
    left[i] = i;
  for (uint32_t i = 0; i < l->sampled_count; i++) {
    const uint32_t best = nearest(l, left, i, work_of(&r, i, l->sampled_count)), chosen = left[best];
    left[best] = left[i];
    left[i] = chosen;
    l->sampled[i] = &l->traces[chosen];
  }
  free(r.work);
}

void trace_sample(struct launch *l) {
  l->sampled = sampled;
  l->sampled_count = l->trace_count < TRACE_SAMPLED ? l->trace_count : TRACE_SAMPLED;
  for (uint32_t i = 0; i < l->sampled_count; i++)
    sampled[i] = &traces[(uint64_t)i * l->trace_count / l->sampled_count];
  if (l->work && l->sampled_count < l->trace_count)
    sample_by_work(l);
}

/* The trace for a block; launch->trace_count: none. */
static uint32_t trace_with(const struct launch *l, uint64_t index) {
  uint32_t i = 0;
  if (l->model_seed && l->trace_count)
    i = (uint32_t)(((index + 1) * l->trace_count - 1) / l->blocks); /* the only one of its part of the grid */
  else
    while (i < l->trace_count && traces[i].block != index)
      i++;
  return i < l->trace_count && traces[i].block == index ? i : l->trace_count;
}

struct trace *trace_of_block(const struct launch *launch, uint64_t index) {
  const bool wanted = addresses_want_block(launch->addresses, index);
  const uint32_t i = trace_with(launch, index);
  if (i == launch->trace_count) {
    if (!wanted)
      return NULL;
    prepare(&traces[TRACE_DRAWN], index, launch->warps, MIN_L1_SECTORS);
  }
  struct trace *trace = &traces[i == launch->trace_count ? TRACE_DRAWN : i];
  memset(trace->l1, 0xff, trace->l1_sectors * sizeof *trace->l1);
  memset(trace->turns, 0, sizeof trace->turns);
  trace->addresses = wanted ? launch->addresses : NULL;
  return trace;
}

bool trace_is_full(const struct trace *trace, const struct warp *warp) {
  return trace->warp[warp->index].is_full && !trace->addresses;
}

void trace_instruction(struct trace *trace, const struct warp *warp, uint32_t pc) {
  struct trace_warp *t = &trace->warp[warp->index];
  if (t->count == trace->steps_per_warp)
    t->is_full = true;
  else
    t->steps[t->count++] = (struct trace_step){.pc = pc};
}

/* The step of the instruction at `pc`, or NULL if the trace is full. */
static struct trace_step *step_of(struct trace *trace, const struct warp *warp, uint32_t pc) {
  struct trace_warp *t = &trace->warp[warp->index];
  return !t->is_full && t->count > 0 && t->steps[t->count - 1].pc == pc ? &t->steps[t->count - 1] : NULL;
}

static uint32_t insert(uint64_t *list, uint32_t count, uint64_t value) {
  for (uint32_t i = count; i > 0; i--)
    if (list[i - 1] == value)
      return count;
  list[count] = value;
  return count + 1;
}

/* Folded, so that rows of an array whose pitch is a power of two use different places. */
static uint64_t *l1_place(const struct trace *trace, uint64_t sector) {
  uint64_t folded = sector ^ (sector >> 10 ^ sector >> 16) << 4;
  return &trace->l1[folded & (trace->l1_sectors - 1)];
}

static void add_to(uint8_t *count, uint32_t more) {
  *count = (uint8_t)(*count + more < UINT8_MAX ? *count + more : UINT8_MAX);
}

void trace_global(struct trace *trace, const struct warp *warp, uint32_t pc, const uint64_t *addresses,
                  uint32_t mask, uint32_t bytes, bool through_l1) {
  uint64_t lines[LANES], sectors[LANES];
  uint32_t line_count = 0, sector_count = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    uint64_t last = addresses[__builtin_ctz(rest)] + bytes - 1;
    line_count = insert(lines, line_count, last >> LINE_SHIFT);
    sector_count = insert(sectors, sector_count, last >> SECTOR_BITS);
  }
  if (trace->addresses)
    addresses_add(trace->addresses, warp, pc, PTX_GLOBAL, addresses, mask, bytes, sector_count);
  struct trace_step *step = step_of(trace, warp, pc);
  if (!step)
    return;
  add_to(&step->lines, line_count); /* an instruction may have several accesses */
  add_to(&step->sectors, sector_count);
  uint32_t misses = through_l1 ? 0 : sector_count;
  for (uint32_t i = 0; through_l1 && i < sector_count; i++) {
    uint64_t *place = l1_place(trace, sectors[i]);
    misses += *place != sectors[i];
    *place = sectors[i];
  }
  add_to(&step->misses, misses);
}

void trace_turns(struct trace *trace, const struct warp *warp, uint32_t pc, const uint64_t *addresses,
                 uint32_t mask, uint32_t turns) {
  struct trace_step *step = step_of(trace, warp, pc);
  if (!step)
    return;
  add_to(&step->wavefronts, turns);
  const float each = (float)turns / (float)__builtin_popcount(mask);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    const uint32_t line = (uint32_t)(addresses[__builtin_ctz(rest)] >> LINE_SHIFT);
    trace->turns[(line * 2654435761u >> 16) % l2_slices] += each;
  }
}

void trace_shared(struct trace *trace, const struct warp *warp, uint32_t pc, const uint64_t *addresses,
                  uint32_t mask, uint32_t bytes, uint32_t wavefronts) {
  if (trace->addresses)
    addresses_add(trace->addresses, warp, pc, PTX_SHARED, addresses, mask, bytes, wavefronts);
  struct trace_step *step = step_of(trace, warp, pc);
  if (step)
    add_to(&step->wavefronts, wavefronts);
}
