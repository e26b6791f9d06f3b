#include "runtime/waits.h"

#include "context.h"

#include <string.h>

static struct waits_moment all, known, blocking; /* all work; what the host knows; of blocking streams */
struct waits_stream waits_legacy = {.slot = 0, .blocking = true};
struct waits_stream waits_per_thread = {.slot = 1, .blocking = true};
static struct waits_stream *current = &waits_legacy, *last_blocking = &waits_legacy;

struct waits_stream waits_of_new_stream(unsigned long long id, bool is_blocking) {
  enum { OTHERS = WAITS_SLOTS - 2 };
  return (struct waits_stream){.slot = 2 + (unsigned)(id % OTHERS), .blocking = is_blocking};
}

static void join(struct waits_moment *moment, const struct waits_moment *other) {
  for (int kind = 0; kind < WAITS_KINDS; kind++)
    for (int slot = 0; slot < WAITS_SLOTS; slot++)
      if (moment->before[kind][slot] < other->before[kind][slot])
        moment->before[kind][slot] = other->before[kind][slot];
}

static uint64_t sum(const struct waits_moment *moment, enum waits_kind kind) {
  uint64_t sum = 0;
  for (int slot = 0; slot < WAITS_SLOTS; slot++)
    sum += moment->before[kind][slot];
  return sum;
}

void waits_enter(struct waits_stream *stream) {
  current = stream;
  if (!stream->blocking || last_blocking == stream)
    return;
  join(&stream->moment, stream == &waits_legacy ? &blocking : &waits_legacy.moment);
  last_blocking = stream;
}

static struct sim_ordered order_of_next(void) {
  struct waits_moment before = known;
  join(&before, &current->moment);
  struct sim_ordered ordered = {.stream = current->slot,
                                .number = all.before[WAITS_ORDERED][current->slot] + 1};
  memcpy(ordered.before, before.before[WAITS_ORDERED], sizeof ordered.before);
  return ordered;
}

static void add(enum waits_kind kind) {
  const uint64_t count = ++all.before[kind][current->slot];
  current->moment.before[kind][current->slot] = count;
  if (current->blocking)
    blocking.before[kind][current->slot] = count;
}

cudaError_t waits_order(void) {
  if (!context_device()->counts_waits)
    return cudaSuccess;
  const struct sim_ordered ordered = order_of_next();
  add(WAITS_ORDERED);
  return context_queue(SIM_ORDERED, &ordered, sizeof ordered, NULL);
}

bool waits_is_legacy(void) { return current == &waits_legacy; }

void waits_add(enum waits_kind kind) {
  static bool copied; /* since the last launch */
  if (kind != WAITS_WORK)
    add(WAITS_WORK);
  if (kind != WAITS_COPIES || !copied)
    add(kind);
  copied = kind == WAITS_COPIES || (copied && kind != WAITS_LAUNCHES);
}

const struct waits_moment *waits_now(void) { return &current->moment; }

struct waits_stream *waits_current(void) {
  return current;
}

void waits_follow(struct waits_stream *stream, const struct waits_moment *moment) {
  join(&stream->moment, moment);
  if (stream->blocking)
    join(&blocking, moment);
}

void waits_forget(const struct waits_stream *stream) {
  if (last_blocking == stream)
    last_blocking = NULL;
}

bool waits_is_known(const struct waits_moment *moment) {
  struct waits_moment then = known;
  join(&then, moment);
  return sum(&then, WAITS_WORK) == sum(&known, WAITS_WORK);
}

struct sim_awaited waits_await(const struct waits_moment *moment) {
  join(&known, moment);
  return (struct sim_awaited){sum(&known, WAITS_WORK), sum(&known, WAITS_LAUNCHES),
                              sum(&known, WAITS_COPIES)};
}

cudaError_t waits_for(const struct waits_moment *moment) {
  const uint64_t before = sum(&known, WAITS_WORK);
  const struct sim_awaited awaited = waits_await(moment);
  const bool is_new = awaited.work > before && context_device()->counts_waits;
  return is_new ? context_queue(SIM_WAIT, &awaited, sizeof awaited, NULL) : cudaSuccess;
}

cudaError_t waits_for_stream(struct waits_stream *stream) {
  if (stream == &waits_legacy) /* which waits for the blocking streams */
    waits_enter(stream);
  return waits_for(&stream->moment);
}

cudaError_t waits_for_copies(const struct waits_stream *stream) {
  const uint64_t before = sum(&known, WAITS_COPIES);
  struct waits_moment then = known;
  join(&then, &stream->moment);
  return sum(&then, WAITS_COPIES) > before ? waits_for(&stream->moment) : cudaSuccess;
}

cudaError_t waits_for_all(void) { return waits_for(&all); }
