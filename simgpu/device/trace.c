#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "order.h"

enum { LINE_SHIFT = 7, SECTOR_BITS = 5, MIN_L1_SECTORS = 64, MAX_L1_SECTORS = 8192 };

/* One launch at a time. The last trace belongs to a block that is sampled for its addresses only. */
static struct trace traces[TRACE_BLOCKS + 1];

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

/* One block of each quarter of the grid, another in each launch, so that no program can know it. */
static uint64_t drawn_block(const struct launch *l, uint32_t i) {
  const uint64_t first = i * l->blocks / TRACE_BLOCKS, end = (i + 1) * l->blocks / TRACE_BLOCKS;
  const struct order order = {ORDER_RANDOM, l->model_seed + l->number * TRACE_BLOCKS + i};
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

void trace_choose(struct launch *launch, uint64_t l1_bytes) {
  launch->traces = traces;
  launch->trace_count = launch->blocks < TRACE_BLOCKS ? (uint32_t)launch->blocks : TRACE_BLOCKS;
  uint32_t sectors = MAX_L1_SECTORS;
  while (sectors > MIN_L1_SECTORS && (uint64_t)sectors << SECTOR_BITS > l1_bytes)
    sectors /= 2;
  for (uint32_t i = 0; i < launch->trace_count; i++)
    prepare(&traces[i], sampled_block(launch, i), launch->warps, sectors);
}

struct trace *trace_of_block(const struct launch *launch, uint64_t index) {
  const bool wanted = addresses_want_block(launch->addresses, index);
  uint32_t i = 0;
  while (i < launch->trace_count && traces[i].block != index)
    i++;
  if (i == launch->trace_count) {
    if (!wanted)
      return NULL;
    prepare(&traces[i = TRACE_BLOCKS], index, launch->warps, MIN_L1_SECTORS);
  }
  memset(traces[i].l1, 0xff, traces[i].l1_sectors * sizeof *traces[i].l1);
  traces[i].addresses = wanted ? launch->addresses : NULL;
  return &traces[i];
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

void trace_shared(struct trace *trace, const struct warp *warp, uint32_t pc, const uint64_t *addresses,
                  uint32_t mask, uint32_t bytes, uint32_t wavefronts) {
  if (trace->addresses)
    addresses_add(trace->addresses, warp, pc, PTX_SHARED, addresses, mask, bytes, wavefronts);
  struct trace_step *step = step_of(trace, warp, pc);
  if (step)
    add_to(&step->wavefronts, wavefronts);
}
