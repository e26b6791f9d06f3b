#include "checks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check_access.h"
#include "report.h"

/* Choosing */

static bool add_check(const char *name, size_t length, unsigned *on) {
  static const struct {
    const char *name;
    unsigned check;
  } names[] = {{"races", CHECK_RACES},
               {"uninitialised", CHECK_UNINITIALISED},
               {"frees", CHECK_FREES},
               {"leaks", CHECK_LEAKS},
               {"all", CHECK_ALL},
               {"1", CHECK_ALL},
               {"0", 0}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
      *on |= names[i].check;
      return true;
    }
  return false;
}

bool checks_parse(const char *text, unsigned *on) {
  *on = 0;
  while (text && *text) {
    size_t length = strcspn(text, ",");
    if (!add_check(text, length, on) || strcmp(text + length, ",") == 0)
      return false;
    text += length + (text[length] == ',');
  }
  return true;
}

/* Time */

/* All accesses so far have this time or an earlier one, all to come a later one. */
static uint32_t moment(struct checks *c) {
  if (c->used && c->now < INT32_MAX) {
    c->used = false;
    return c->now++;
  }
  return c->now - 1;
}

static record from_time(uint32_t time) { return ((record)time + 1) << RECORD_TIME_SHIFT; }
static uint32_t time_of(record r) { return (uint32_t)(r >> RECORD_TIME_SHIFT); }
static uint32_t thread_of(record r) { return (uint32_t)(r >> RECORD_THREAD_SHIFT) & 1023; }
static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

struct checks *checks_new(unsigned on, FILE *report) {
  struct checks *c = calloc(1, sizeof *c);
  if (!c)
    abort();
  c->on = on;
  c->now = 2;
  c->findings = findings_new(report);
  return c;
}

/* Memory, as the host sees it */

void checks_allocated(struct checks *c, struct allocation *a) {
  if (!c || !a)
    return;
  a->number = ++c->allocations;
  if (!(c->on & CHECK_UNINITIALISED))
    return;
  a->shadow = shadow_new(a->size);
  shadow_poison(a->shadow);
}

void checks_written(struct checks *c, const struct memory *memory, uint64_t address, uint64_t width,
                    uint64_t rows, uint64_t pitch) {
  const struct allocation *a = c ? memory_find(memory, address) : NULL;
  if (!a || !a->shadow)
    return;
  for (uint64_t i = 0; i < rows; i++)
    shadow_initialise(a->shadow, address - a->base + i * pitch, width);
}

void checks_copied(struct checks *c, const struct memory *memory, uint64_t address, uint64_t source,
                   uint64_t bytes) {
  const struct allocation *to = c ? memory_find(memory, address) : NULL, *from = memory_find(memory, source);
  if (!to || !to->shadow)
    return;
  uint64_t target = address - to->base, offset = source - from->base;
  if (!from->shadow || !from->shadow->fresh_left) {
    shadow_initialise(to->shadow, target, bytes);
    return;
  }
  for (uint64_t k = 0; k < bytes; k++) /* copies of what is not initialised are rare */
    if (shadow_any_fresh(from->shadow, offset + k, 1))
      shadow_uninitialise(to->shadow, target + k, 1);
    else
      shadow_initialise(to->shadow, target + k, 1);
}

static const struct finding_place nowhere;

void checks_bad_free(struct checks *c, const struct memory *memory, uint64_t address) {
  if (!c || !(c->on & CHECK_FREES))
    return;
  char text[160];
  const struct allocation *a = memory_find(memory, address);
  const struct freed *f = memory_freed(memory, address);
  if (a)
    snprintf(text, sizeof text,
             "free of an address %" PRIu64 " bytes into allocation %" PRIu64 " (%" PRIu64 " bytes)",
             address - a->base, a->number, a->size);
  else if (f && f->base == address)
    snprintf(text, sizeof text, "double free of allocation %" PRIu64 " (%" PRIu64 " bytes)", f->number,
             f->size);
  else
    snprintf(text, sizeof text, "free of 0x%" PRIx64 ", which is not an allocation", address);
  if (findings_count(c->findings, (struct finding_key){.kind = FINDING_FREE, .here = address}))
    findings_describe(c->findings, "", nowhere, nowhere, text);
}

static void note_leaks(struct checks *c, const struct memory *memory) {
  for (uint32_t i = 0; i < memory->count; i++) {
    const struct allocation *a = memory->list[i];
    char text[128];
    if (a->is_symbol || !a->number)
      continue;
    snprintf(text, sizeof text, "allocation %" PRIu64 " (%" PRIu64 " bytes) is never freed", a->number,
             a->size);
    if (findings_count(c->findings, (struct finding_key){.kind = FINDING_LEAK, .here = a->base}))
      findings_describe(c->findings, "", nowhere, nowhere, text);
  }
}

void checks_close(struct checks *c, const struct memory *memory) {
  if (c->on & CHECK_LEAKS)
    note_leaks(c, memory);
  findings_close(c->findings);
  free(c->slices);
  free(c);
}

/* Launch and blocks */

void checks_begin(struct checks *c, const struct launch *launch) {
  c->launch = from_time(moment(c));
  c->slice_count = 0;
  c->published_count = launch->blocks;
}

void checks_end(struct checks *c, const struct launch *launch) {
  for (uint64_t i = 0; c->published && i < c->published_count; i++)
    free(c->published[i]);
  free(c->published);
  c->published = NULL;
  findings_tell(c->findings, launch->number);
}

struct check_block *check_block_prepare(struct check_block *old, struct checks *c,
                                        const struct launch *launch) {
  struct check_block *k = old ? old : calloc(1, sizeof *k);
  if (!k)
    abort();
  k->checks = c;
  if (!k->shared || k->shared->bytes != launch->shared_bytes) {
    shadow_free(k->shared);
    k->shared = shadow_new(launch->shared_bytes);
  }
  return k;
}

void check_block_free(struct check_block *k) {
  if (!k)
    return;
  for (int w = 0; w < MAX_WARPS; w++)
    free(k->lanes[w]);
  shadow_free(k->shared);
  copies_free(k->copies);
  free(k);
}

void check_slice(struct block *block) {
  struct check_block *k = block->check;
  struct checks *c = k->checks;
  if (c->slice_count && c->slices[c->slice_count - 1].block == block->index)
    return;
  if (c->slice_count == c->slice_room) {
    c->slice_room = c->slice_room ? 2 * c->slice_room : 1024;
    c->slices = realloc(c->slices, c->slice_room * sizeof *c->slices);
    if (!c->slices)
      abort();
  }
  uint32_t before = moment(c);
  if (c->slice_count && c->slices[c->slice_count - 1].start == before + 1)
    c->slice_count--; /* nothing happened in it */
  c->slices[c->slice_count++] = (struct time_slice){before + 1, block->index};
  k->time_slice = from_time(before);
  k->horizon = from_time(later(k->all, before));
}

/* Times of an earlier block in the same place all lie before this one's start, so they need not be cleared.
 */
void check_block_start(struct block *block) {
  struct check_block *k = block->check;
  k->all = moment(k->checks);
  k->first = from_time(k->all);
  k->time_slice = k->horizon = k->first;
  memset(k->acquired, 0, sizeof k->acquired);
  memset(k->atomics, 0, sizeof k->atomics);
  memset(k->barriers, 0, sizeof k->barriers);
  k->has_fence = false;
  copies_start(k->copies);
  if (k->checks->on & CHECK_UNINITIALISED && k->shared->bytes)
    shadow_poison(k->shared);
  check_slice(block);
}

static uint64_t block_at(const struct checks *c, uint32_t time) {
  uint64_t low = 0, high = c->slice_count;
  while (high - low > 1) {
    uint64_t middle = (low + high) / 2;
    if (c->slices[middle].start <= time)
      low = middle;
    else
      high = middle;
  }
  return c->slices[low].block;
}

/* Barriers and warp-wide operations */

/* Up to when warp `w` knows what warp `v` has done. */
static uint32_t known(const struct check_block *k, uint32_t w, uint32_t v) {
  return later(k->all, k->warps[w][v]);
}

void check_arrive(const struct warp *warp, uint32_t id) {
  struct check_block *k = warp->block->check;
  uint32_t *arrived = k->barriers[id].warps, w = warp->index;
  for (uint32_t v = 0; v < warp->block->launch->warps; v++)
    arrived[v] = later(arrived[v], known(k, w, v));
  arrived[w] = moment(k->checks);
  k->barriers[id].acquired = later(k->barriers[id].acquired, k->acquired[w]);
  k->barriers[id].atomics = later(k->barriers[id].atomics, k->atomics[w]);
}

/* Lanes of `mask` know of each other what has happened up to now, and what any of them knew. */
static void join_lanes(struct check_block *k, uint32_t w, uint32_t mask, uint32_t now) {
  if (!k->lanes[w]) {
    k->lanes[w] = calloc(LANES, sizeof *k->lanes[w]);
    if (!k->lanes[w])
      abort();
  }
  uint32_t all[LANES] = {0};
  FOR_ACTIVE(mask, l) for (uint32_t j = 0; j < LANES; j++) all[j] = later(all[j], k->lanes[w][l][j]);
  FOR_ACTIVE(mask, l) all[l] = now;
  FOR_ACTIVE(mask, l) memcpy(k->lanes[w][l], all, sizeof all);
}

/* Lanes of the warp that wait at the barrier. */
static uint32_t waiting(const struct warp *w, uint32_t id) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < w->subwarp_count; i++)
    if (w->subwarps[i].barrier == (int32_t)id)
      mask |= w->subwarps[i].mask;
  return mask;
}

void check_release(struct block *block, uint32_t id) {
  struct check_block *k = block->check;
  const uint32_t now = moment(k->checks), *arrived = k->barriers[id].warps;
  uint32_t masks[MAX_WARPS], warps = block->launch->warps;
  bool all = true;
  for (uint32_t w = 0; w < warps; w++) {
    masks[w] = waiting(&block->warps[w], id);
    all &= masks[w] == block->warps[w].live;
  }
  for (uint32_t w = 0; w < warps; w++) {
    if (!masks[w])
      continue;
    k->acquired[w] = later(k->acquired[w], k->barriers[id].acquired);
    k->atomics[w] = later(k->atomics[w], k->barriers[id].atomics);
    for (uint32_t v = 0; v < warps && !all; v++)
      k->warps[w][v] = later(k->warps[w][v], arrived[v]);
    if (masks[w] == block->warps[w].live)
      k->together[w] = now;
    else
      join_lanes(k, w, masks[w], now);
  }
  if (all) {
    k->all = now;
    k->horizon = from_time(now) > k->time_slice ? from_time(now) : k->time_slice;
  }
  memset(&k->barriers[id], 0, sizeof k->barriers[id]);
}

void check_together(const struct warp *warp, const uint32_t *named, uint32_t mask) {
  struct check_block *k = warp->block->check;
  const uint32_t now = moment(k->checks);
  for (uint32_t rest = mask; rest;) {
    uint32_t members = named[__builtin_ctz(rest)], group = 0;
    FOR_ACTIVE(rest, l) group |= (uint32_t)(named[l] == members) << l;
    rest &= ~group;
    if (group == warp->live)
      k->together[warp->index] = now;
    else
      join_lanes(k, warp->index, group, now);
  }
}

void check_fence(const struct warp *warp) {
  struct check_block *k = warp->block->check;
  k->fenced[warp->index] = moment(k->checks);
  k->has_fence = true;
}

/* Hand-offs through a word */

/* Up to when warp `w` hands on what warp `v` has done: what it knows of it, up to a fence of either. */
static uint32_t fenced_by(const struct check_block *k, uint32_t w, uint32_t v) {
  const uint32_t fenced = later(k->fenced[w], k->fenced[v]);
  if (v == w)
    return fenced;
  return known(k, w, v) < fenced ? known(k, w, v) : fenced;
}

static void publish(const struct check_call *call, uint32_t *released) {
  const struct block *block = call->warp->block;
  struct check_block *k = block->check;
  struct checks *c = k->checks;
  const uint32_t w = call->warp->index, warps = block->launch->warps;
  if (call->op->sync & SYNC_RELEASE)
    check_fence(call->warp);
  if (!k->has_fence)
    return;
  if (!c->published)
    c->published = calloc(c->published_count, sizeof *c->published);
  struct published **list = c->published ? &c->published[block->index] : NULL;
  if (list && !*list)
    *list = calloc(warps, sizeof **list);
  if (!list || !*list)
    abort();
  const uint32_t now = moment(c);
  for (uint32_t v = 0; v < warps; v++) {
    struct published *p = &(*list)[v];
    const uint32_t last = fenced_by(k, w, v);
    if (last < time_of(k->first))
      continue; /* no fence: nothing is handed on */
    *released = now;
    p->last = later(p->last, last);
    if (!p->first)
      p->first = now;
  }
}

void check_synchronise(const struct check_call *call, const struct check_scope *scope, u32 lane) {
  struct check_block *k = call->warp->block->check;
  const uint32_t w = call->warp->index;
  uint32_t *released =
      shadow_released(scope->shadow) + ((call->access->address[lane] - scope->base) >> scope->shadow->shift);
  if ((!call->is_write || call->op->code == OP_ATOMIC) && *released >= time_of(scope->first))
    k->acquired[w] = later(k->acquired[w], *released);
  k->atomics[w] = k->checks->now;
  if (call->is_write) {
    k->checks->used = true;
    publish(call, released);
  }
}

/* Whether the access happened before what lane `lane` of the warp does now. */
static bool is_ordered(const struct check_call *call, u32 lane, record r, uint64_t other) {
  const struct block *block = call->warp->block;
  const struct check_block *k = block->check;
  const uint32_t time = time_of(r), thread = thread_of(r), w = call->warp->index, v = thread / LANES;
  if (other == block->index) {
    if (thread == w * LANES + lane || time <= k->all)
      return true;
    if (v == w && (time <= k->together[w] || (k->lanes[w] && time <= k->lanes[w][lane][thread % LANES])))
      return true;
    if (v != w && time <= k->warps[w][v])
      return true;
  }
  const struct op *code = block->launch->module->code;
  if ((r & RECORD_PLACE) < block->launch->module->code_count && code[r & RECORD_PLACE].sync &&
      time <= k->atomics[w])
    return true; /* an atomic access, and we have made one since: the earlier one has happened */
  const struct published *p = k->checks->published ? k->checks->published[other] : NULL;
  return p && p[v].first && k->acquired[w] >= p[v].first && time <= p[v].last && time <= k->acquired[w];
}

/* What is told */

static struct finding_place place_of(const struct module *m, uint64_t pc) {
  if (pc == RECORD_PLACE || pc >= m->code_count)
    return nowhere;
  const struct ptx_location at = m->locations[pc];
  return (struct finding_place){report_file(m->ptx, at), at.line};
}

static void describe_thread(const struct launch *l, uint64_t block, uint32_t thread, char *text,
                            size_t size) {
  snprintf(text, size, "block (%u,%u,%u) thread (%u,%u,%u)", (uint32_t)(block % l->grid[0]),
           (uint32_t)(block / l->grid[0] % l->grid[1]), (uint32_t)(block / l->grid[0] / l->grid[1]),
           thread % l->block[0], thread / l->block[0] % l->block[1], thread / l->block[0] / l->block[1]);
}

/* "element 7 of the array of parameter 1 (4000 bytes)" */
static void describe_word(const struct check_call *call, const struct check_scope *scope, uint64_t offset,
                          char *text, size_t size) {
  const struct launch *l = call->warp->block->launch;
  const struct allocation *a = scope->allocation;
  if (!a) {
    snprintf(text, size, "element %" PRIu64 " of shared memory", offset / call->element);
    return;
  }
  const int parameter = report_parameter(l, a, a->base + offset, NULL);
  const char *symbol = report_symbol(l, a);
  if (parameter)
    snprintf(text, size, "element %" PRIu64 " of the array of parameter %d (%" PRIu64 " bytes)",
             offset / call->element, parameter, a->size);
  else if (symbol)
    snprintf(text, size, "element %" PRIu64 " of '%s'", offset / call->element, symbol);
  else
    snprintf(text, size, "element %" PRIu64 " of an allocation of %" PRIu64 " bytes", offset / call->element,
             a->size);
}

static void describe_value(const struct op *op, uint64_t bits, char *text, size_t size) {
  float single;
  double value;
  switch (op->type) {
  case PTX_F32:
    memcpy(&single, &bits, sizeof single);
    snprintf(text, size, "%.9g", (double)single);
    break;
  case PTX_F64:
    memcpy(&value, &bits, sizeof value);
    snprintf(text, size, "%.17g", value);
    break;
  case PTX_S8:
    snprintf(text, size, "%d", (int8_t)bits);
    break;
  case PTX_S16:
    snprintf(text, size, "%d", (int16_t)bits);
    break;
  case PTX_S32:
    snprintf(text, size, "%" PRId32, (int32_t)bits);
    break;
  case PTX_S64:
    snprintf(text, size, "%" PRId64, (int64_t)bits);
    break;
  default:
    snprintf(text, size, "%" PRIu64, bits);
  }
}

static uint64_t bits_at(const void *from, uint32_t bytes) {
  uint64_t bits = 0;
  memcpy(&bits, from, bytes);
  return bits;
}

/* Where the lane's bytes are on the host. */
static const uint8_t *host_of(const struct check_call *call, const struct check_scope *scope, u32 lane) {
  const uint64_t offset = call->access->address[lane] - scope->base;
  return (scope->allocation ? scope->allocation->host : call->warp->block->shared) + offset;
}

/* The bits that the lane writes to element `e`; false: not known. */
static bool value_written(const struct check_call *call, u32 lane, uint32_t e, uint64_t *bits) {
  if (!call->values[e])
    return false;
  *bits = bits_at(call->values[e] + lane * (call->op->wide ? 8 : 4), call->element);
  return true;
}

/* What the other thread wrote: it may be a lane of this very access, whose value has not reached memory yet.
 */
static uint64_t value_before(const struct check_call *call, const struct check_scope *scope, u32 lane,
                             uint32_t e, record r) {
  const uint32_t other = thread_of(r) % LANES;
  uint64_t bits;
  bool same_access = time_of(r) == time_of(scope->me) && (r & RECORD_PLACE) == call->pc &&
                     thread_of(r) / LANES == call->warp->index && (call->access->mask >> other & 1) &&
                     call->access->address[other] == call->access->address[lane];
  if (same_access && call->is_write && value_written(call, other, e, &bits))
    return bits;
  return bits_at(host_of(call, scope, lane) + e * call->element, call->element);
}

/* One finding per source line, or per instruction where lines are not known. */
static uint64_t line_of(const struct module *m, uint64_t pc) {
  const struct finding_place place = place_of(m, pc);
  return place.file ? (uint64_t)m->locations[pc].file << 32 | place.line : pc | UINT64_C(1) << 63;
}

/* The same for the two lines in either order. */
static struct finding_key race_key(const struct module *m, bool same, uint64_t here, uint64_t there) {
  uint64_t a = line_of(m, here), b = line_of(m, there);
  return (struct finding_key){same ? FINDING_SAME_VALUE : FINDING_RACE, m, a < b ? a : b, a < b ? b : a};
}

/* " at line 12", or with the file if it is another one */
static void describe_line(struct finding_place here, struct finding_place there, char *text, size_t size) {
  text[0] = '\0';
  if (there.file && here.file && strcmp(here.file, there.file) == 0)
    snprintf(text, size, " at line %u", there.line);
  else if (there.file)
    snprintf(text, size, " at %s:%u", report_path(there.file), there.line);
}

/* "write of 2 over 1 to", "read of 1 from", "atomic access to" */
static void describe_access(const struct check_call *call, uint64_t before, const uint64_t *after, char *text,
                            size_t size) {
  char old[32], new[32];
  describe_value(call->op, before, old, sizeof old);
  if (after)
    describe_value(call->op, *after, new, sizeof new);
  if (call->is_atomic)
    snprintf(text, size, "atomic access to");
  else if (!call->is_write)
    snprintf(text, size, "read of %s from", old);
  else if (after)
    snprintf(text, size, "write of %s over %s to", new, old);
  else
    snprintf(text, size, "write to");
}

static void found_race(const struct check_call *call, const struct check_scope *scope, u32 lane,
                       uint64_t byte, record r, uint64_t other, bool other_writes) {
  const struct launch *l = call->warp->block->launch;
  struct findings *f = call->warp->block->check->checks->findings;
  const uint32_t e = (uint32_t)(byte / call->element);
  const uint64_t before = value_before(call, scope, lane, e, r), there_pc = (uint64_t)(r & RECORD_PLACE);
  uint64_t after = 0;
  const bool knows = call->is_write && !call->is_atomic && value_written(call, lane, e, &after);
  const bool same = other_writes && knows && after == before;
  if (!findings_count(f, race_key(l->module, same, call->pc, there_pc)))
    return;
  char word[256], me[96], them[96], what[96], text[1280], name[256], line[300];
  const struct finding_place here = place_of(l->module, call->pc), there = place_of(l->module, there_pc);
  const bool is_atomic = there_pc < l->module->code_count && l->module->code[there_pc].sync;
  describe_word(call, scope, call->access->address[lane] - scope->base + byte, word, sizeof word);
  describe_thread(l, call->warp->block->index, call->warp->index * LANES + lane, me, sizeof me);
  describe_thread(l, other, thread_of(r), them, sizeof them);
  describe_access(call, before, knows ? &after : NULL, what, sizeof what);
  describe_line(here, there, line, sizeof line);
  report_name(l->kernel->ptx->name, name, sizeof name);
  snprintf(text, sizeof text, "%s%s %s, not ordered with the %s by %s%s%s, in %s, %s",
           same ? "" : "race: ", what, word,
           other_writes ? "write"
           : is_atomic  ? "atomic access"
                        : "read",
           them, line, same ? ", which writes the same" : "", name, me);
  findings_describe(f, name, here, there, text);
}

void check_unfinished(const struct check_call *call, u32 lane, uint64_t offset, const struct copy *copy) {
  const struct launch *l = call->warp->block->launch;
  struct findings *f = call->warp->block->check->checks->findings;
  const struct finding_key key = {FINDING_UNFINISHED, l->module, line_of(l->module, call->pc),
                                  line_of(l->module, copy->pc)};
  if (!findings_count(f, key))
    return;
  const struct finding_place here = place_of(l->module, call->pc), there = place_of(l->module, copy->pc);
  const uint64_t block = call->warp->block->index;
  char word[256], me[96], them[96], name[256], line[300], text[1280];
  describe_word(call, &(struct check_scope){0}, offset, word, sizeof word);
  describe_thread(l, block, call->warp->index * LANES + lane, me, sizeof me);
  describe_thread(l, block, copy->thread, them, sizeof them);
  describe_line(here, there, line, sizeof line);
  report_name(l->kernel->ptx->name, name, sizeof name);
  snprintf(
      text, sizeof text,
      "unfinished copy: %s %s, still being copied by the cp.async%s, which %s has not waited for, in %s, %s",
      call->is_atomic  ? "atomic access to"
      : call->is_write ? "write to"
                       : "read of",
      word, line, them, name, me);
  findings_describe(f, name, here, there, text);
}

static void judge(const struct check_call *call, const struct check_scope *scope, u32 lane, uint64_t byte,
                  record r, bool other_writes) {
  if (!check_suspect(r, scope->me, scope))
    return;
  const uint64_t other =
      scope->allocation ? block_at(call->warp->block->check->checks, time_of(r)) : call->warp->block->index;
  if (!is_ordered(call, lane, r, other))
    found_race(call, scope, lane, byte, r, other, other_writes);
}

void check_lane(const struct check_call *call, const struct check_scope *scope, u32 lane) {
  const struct shadow *s = scope->shadow;
  const uint64_t at = (call->access->address[lane] - scope->base) >> s->shift;
  const bool is_plain_write = call->is_write && !call->is_atomic;
  for (uint64_t k = 0; k < call->bytes >> s->shift; k++) {
    const uint64_t byte = k << s->shift;
    if (s->written)
      judge(call, scope, lane, byte, s->written[at + k], true);
    if (is_plain_write && s->read) {
      judge(call, scope, lane, byte, s->read[at + k], false);
      if (s->earlier)
        judge(call, scope, lane, byte, s->earlier[at + k], false);
    }
  }
}

void check_fresh(const struct check_call *call, const struct check_scope *scope, u32 lane) {
  const struct launch *l = call->warp->block->launch;
  struct findings *f = call->warp->block->check->checks->findings;
  const struct finding_key key = {FINDING_UNINITIALISED, l->module, line_of(l->module, call->pc), 0};
  if (!findings_count(f, key))
    return;
  char word[256], me[96], text[768], name[256];
  const uint64_t offset = call->access->address[lane] - scope->base;
  uint64_t byte = 0;
  while (!shadow_any_fresh(scope->shadow, offset + byte, 1))
    byte++;
  describe_word(call, scope, offset + byte, word, sizeof word);
  describe_thread(l, call->warp->block->index, call->warp->index * LANES + lane, me, sizeof me);
  report_name(l->kernel->ptx->name, name, sizeof name);
  snprintf(text, sizeof text, "uninitialised read of %u bytes: nobody has written %s, in %s, %s", call->bytes,
           word, name, me);
  findings_describe(f, name, place_of(l->module, call->pc), nowhere, text);
}

bool check_find(const struct check_call *call, struct check_scope *scope, u32 lane) {
  struct block *block = call->warp->block;
  struct allocation *a = memory_find(&block->launch->module->device->memory, call->access->address[lane]);
  if (!a || a->is_constant)
    return false;
  if (!a->shadow)
    a->shadow = shadow_new(a->size);
  if (call->element < 1u << a->shadow->shift)
    shadow_refine(a->shadow, check_log2(call->element));
  scope->allocation = a;
  scope->shadow = a->shadow;
  scope->base = a->base;
  return true;
}
