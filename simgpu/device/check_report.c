#include "check_report.h"

#include <inttypes.h>
#include <string.h>

#include "access.h"
#include "device/report.h"

static const struct finding_place nowhere;

static struct finding_place place_of(const struct module *m, uint64_t pc) {
  if (pc == RECORD_PLACE || pc >= m->code_count)
    return nowhere;
  const struct ptx_location at = m->locations[pc];
  return (struct finding_place){report_file(m->ptx, at), at.line};
}

/* "element 7 of the array that parameter 1 points to (4000 bytes)" */
static void describe_word(const struct check_call *call, const struct check_scope *scope, uint64_t offset,
                          char *text, size_t size) {
  const struct launch *l = call->warp->block->launch;
  const struct allocation *a = scope->allocation;
  if (!a && scope->base) { /* of another block of the cluster */
    char block[64];
    report_block(l, call->warp->block->cluster[(scope->base >> CLUSTER_SHIFT) - 1].index, block,
                 sizeof block);
    snprintf(text, size, "element %" PRIu64 " of the shared memory of %s", offset / call->element, block);
    return;
  }
  if (!a) {
    snprintf(text, size, "element %" PRIu64 " of shared memory", offset / call->element);
    return;
  }
  char array[320];
  report_array(l, a, a->base + offset, array, sizeof array);
  snprintf(text, size, "element %" PRIu64 " of %s", offset / call->element, array);
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

/* Host address of the lane's bytes. */
static const uint8_t *host_of(const struct check_call *call, const struct check_scope *scope, u32 lane) {
  const uint64_t offset = call->access->address[lane] - scope->base;
  if (!scope->allocation && scope->base)
    return call->access->host[lane];
  return (scope->allocation ? scope->allocation->host : call->warp->block->shared) + offset;
}

/* The bits that the lane writes to element `e`; returns false if they are unknown. */
static bool value_written(const struct check_call *call, u32 lane, uint32_t e, uint64_t *bits) {
  if (!call->values[e])
    return false;
  *bits = bits_at(call->values[e] + lane * (call->op->wide ? 8 : 4), call->element);
  return true;
}

/* The value from the other thread, which memory does not hold yet if both threads take part in this access. */
static uint64_t value_before(const struct check_call *call, const struct check_scope *scope, u32 lane,
                             uint32_t e, record r) {
  const uint32_t other = checks_thread_of(r) % LANES;
  uint64_t bits;
  bool same_access = checks_time_of(r) == checks_time_of(scope->me) && (r & RECORD_PLACE) == call->pc &&
                     checks_thread_of(r) / LANES == call->warp->index && (call->access->mask >> other & 1) &&
                     call->access->address[other] == call->access->address[lane];
  if (same_access && call->is_write && value_written(call, other, e, &bits))
    return bits;
  return bits_at(host_of(call, scope, lane) + e * call->element, call->element);
}

/* One finding per source line, or per instruction if lines are unknown. */
static uint64_t line_of(const struct module *m, uint64_t pc) {
  const struct finding_place place = place_of(m, pc);
  return place.file ? (uint64_t)m->locations[pc].file << 32 | place.line : pc | UINT64_C(1) << 63;
}

/* Does not depend on the order of the two lines. */
static struct finding_key race_key(const struct module *m, bool same, uint64_t here, uint64_t there) {
  uint64_t a = line_of(m, here), b = line_of(m, there);
  return (struct finding_key){same ? FINDING_SAME_VALUE : FINDING_RACE, m, a < b ? a : b, a < b ? b : a};
}

/* The calls of inlined functions that lead to the instruction. */
static void describe_calls(const struct module *m, uint64_t pc, char *text, size_t size) {
  text[0] = '\0';
  if (pc < m->code_count)
    report_calls(m->ptx, m->locations[pc], text, size);
}

/* " at line 12", with the file if it differs, and the calls */
static void describe_line(const struct module *m, struct finding_place here, uint64_t pc, char *text,
                          size_t size) {
  const struct finding_place there = place_of(m, pc);
  char calls[512];
  int length = 0;
  text[0] = '\0';
  if (there.file && here.file && strcmp(here.file, there.file) == 0)
    length = snprintf(text, size, " at line %u", there.line);
  else if (there.file)
    length = snprintf(text, size, " at %s:%u", report_path(there.file), there.line);
  describe_calls(m, pc, calls, sizeof calls);
  if (calls[0] && (size_t)length < size)
    snprintf(text + length, size - (size_t)length, " (%s)", calls + strlen(", "));
}

/* "write of 2 (was 1) to", "read of 1 from", "volatile read of 1 from", "atomic access to" */
static void describe_access(const struct check_call *call, uint64_t before, const uint64_t *after, char *text,
                            size_t size) {
  char old[32], new[32];
  describe_value(call->op, before, old, sizeof old);
  if (after)
    describe_value(call->op, *after, new, sizeof new);
  const bool is_volatile_read = call->op->sync & SYNC_VOLATILE && !call->is_write;
  if (call->is_atomic && !is_volatile_read)
    snprintf(text, size, "atomic access to");
  else if (!call->is_write)
    snprintf(text, size, "%sread of %s from",
             is_volatile_read                                   ? "volatile "
             : call->op->code == OP_LOAD && call->op->read_only ? "read-only (__ldg) "
                                                                : "",
             old);
  else if (after)
    snprintf(text, size, "write of %s (was %s) to", new, old);
  else
    snprintf(text, size, "write to");
}

static const char unwritten[] = "has not been written";

static void name_writer(const struct check_call *call, u32 lane, const struct early_read *read) {
  const struct launch *l = call->warp->block->launch;
  char me[96], line[800], text[1024];
  report_thread(l, call->warp->block->index, call->warp->index * LANES + lane, me, sizeof me);
  describe_line(l->module, place_of(l->module, read->pc), call->pc, line, sizeof line);
  snprintf(text, sizeof text, "is not written yet: %s writes it%s, with no barrier between", me, line);
  findings_replace(call->warp->block->check->checks->findings, read->key, unwritten, text);
}

/* The lane writes to shared memory what another thread of the block has read before. */
static void name_writer_of(const struct check_call *call, u32 lane, uint64_t offset) {
  struct check_block *k = call->warp->block->check;
  for (u32 n = k->early_read_count; n-- > 0;)
    if (offset <= k->early_reads[n].offset && k->early_reads[n].offset < offset + call->element) {
      name_writer(call, lane, &k->early_reads[n]);
      k->early_reads[n] = k->early_reads[--k->early_read_count];
    }
}

static void keep_early_read(const struct check_call *call, uint64_t offset, struct finding_key key) {
  struct check_block *k = call->warp->block->check;
  if (k->early_read_count < EARLY_READS)
    k->early_reads[k->early_read_count++] = (struct early_read){offset, call->pc, key};
}

static bool is_own_shared(const struct check_scope *scope) { return !scope->allocation && !scope->base; }

void check_report_race(const struct check_call *call, const struct check_scope *scope, u32 lane,
                       uint64_t byte, record r, uint64_t other, bool other_writes) {
  const struct launch *l = call->warp->block->launch;
  struct findings *f = call->warp->block->check->checks->findings;
  const uint32_t e = (uint32_t)(byte / call->element);
  if (is_own_shared(scope) && call->is_write && !other_writes)
    name_writer_of(call, lane, call->access->address[lane] + byte);
  const uint64_t before = value_before(call, scope, lane, e, r), there_pc = (uint64_t)(r & RECORD_PLACE);
  uint64_t after = 0;
  const bool knows = call->is_write && !call->is_atomic && value_written(call, lane, e, &after);
  const bool same = other_writes && knows && after == before;
  if (!findings_count(f, race_key(l->module, same, call->pc, there_pc)))
    return;
  char word[384], me[96], them[96], what[96], text[3072], name[256], line[800], calls[512];
  const struct finding_place here = place_of(l->module, call->pc), there = place_of(l->module, there_pc);
  const bool is_atomic = there_pc < l->module->code_count && l->module->code[there_pc].sync;
  describe_word(call, scope, call->access->address[lane] - scope->base + byte, word, sizeof word);
  report_thread(l, call->warp->block->index, call->warp->index * LANES + lane, me, sizeof me);
  report_thread(l, other, checks_thread_of(r), them, sizeof them);
  describe_access(call, before, knows ? &after : NULL, what, sizeof what);
  describe_line(l->module, here, there_pc, line, sizeof line);
  report_name(l->kernel->ptx->name, name, sizeof name);
  describe_calls(l->module, call->pc, calls, sizeof calls);
  snprintf(text, sizeof text, "%s%s %s, not ordered with the %s by %s%s%s, in %s, %s%s",
           same ? "" : "race: ", what, word,
           other_writes ? "write"
           : is_atomic  ? "atomic access"
                        : "read",
           them, line, same ? ", which writes the same value" : "", name, me, calls);
  findings_describe(f, name, here, there, text);
}

void check_report_unfinished(const struct check_call *call, u32 lane, uint64_t offset,
                             const struct copy *copy) {
  const struct launch *l = call->warp->block->launch;
  struct findings *f = call->warp->block->check->checks->findings;
  const struct finding_key key = {FINDING_UNFINISHED, l->module, line_of(l->module, call->pc),
                                  line_of(l->module, copy->pc)};
  if (!findings_count(f, key))
    return;
  const struct finding_place here = place_of(l->module, call->pc), there = place_of(l->module, copy->pc);
  const uint64_t block = call->warp->block->index;
  char word[384], me[96], them[96], name[256], line[800], calls[512], text[3072];
  describe_word(call, &(struct check_scope){0}, offset, word, sizeof word);
  report_thread(l, block, call->warp->index * LANES + lane, me, sizeof me);
  report_thread(l, block, copy->thread, them, sizeof them);
  describe_line(l->module, here, copy->pc, line, sizeof line);
  report_name(l->kernel->ptx->name, name, sizeof name);
  describe_calls(l->module, call->pc, calls, sizeof calls);
  snprintf(text, sizeof text, "unfinished copy: %s %s during the cp.async by %s%s, in %s, %s%s",
           call->is_atomic  ? "atomic access to"
           : call->is_write ? "write to"
                            : "read of",
           word, them, line, name, me, calls);
  findings_describe(f, name, here, there, text);
}

void check_report_fresh(const struct check_call *call, const struct check_scope *scope, u32 lane) {
  const struct launch *l = call->warp->block->launch;
  struct findings *f = call->warp->block->check->checks->findings;
  const struct finding_key key = {FINDING_UNINITIALISED, l->module, line_of(l->module, call->pc), 0};
  if (!findings_count(f, key))
    return;
  char word[384], me[96], text[3072], name[256], calls[512];
  const uint64_t offset = call->access->address[lane] - scope->base;
  uint64_t byte = 0;
  while (!shadow_any_fresh(scope->shadow, offset + byte, 1))
    byte++;
  if (is_own_shared(scope))
    keep_early_read(call, offset + byte, key);
  describe_word(call, scope, offset + byte, word, sizeof word);
  report_thread(l, call->warp->block->index, call->warp->index * LANES + lane, me, sizeof me);
  report_name(l->kernel->ptx->name, name, sizeof name);
  describe_calls(l->module, call->pc, calls, sizeof calls);
  snprintf(text, sizeof text, "uninitialised read of %u byte%s: %s %s, in %s, %s%s", call->bytes,
           report_plural(call->bytes), word, unwritten, name, me, calls);
  findings_describe(f, name, place_of(l->module, call->pc), nowhere, text);
}

void check_report_mask(const struct warp *warp, uint32_t pc, uint32_t lane, uint32_t members) {
  const struct launch *l = warp->block->launch;
  struct findings *f = warp->block->check->checks->findings;
  if (!findings_count(f, (struct finding_key){FINDING_MASK, l->module, line_of(l->module, pc), 0}))
    return;
  char me[96], text[1024], name[256], calls[512];
  report_thread(l, warp->block->index, warp->index * LANES + lane, me, sizeof me);
  report_name(l->kernel->ptx->name, name, sizeof name);
  describe_calls(l->module, pc, calls, sizeof calls);
  snprintf(text, sizeof text,
           "mask 0x%" PRIx32 " of a warp-wide operation does not name lane %" PRIu32
           ", which calls it, in %s, %s%s",
           members, lane, name, me, calls);
  findings_describe(f, name, place_of(l->module, pc), nowhere, text);
}
