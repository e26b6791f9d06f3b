#include "runtime/progress.h"

#include "context.h"

#include <string.h>

static struct progress_moment all, known, blocking; /* all work; what the host knows; of blocking streams */
struct progress_stream progress_legacy = {.slot = 0, .blocking = true};
struct progress_stream progress_per_thread = {.slot = 1, .blocking = true};
static struct progress_stream *current = &progress_legacy, *last_blocking = &progress_legacy;

struct progress_stream progress_of_new_stream(unsigned long long id, bool is_blocking) {
  enum { OTHERS = PROGRESS_SLOTS - 2 };
  return (struct progress_stream){.slot = 2 + (unsigned)(id % OTHERS), .blocking = is_blocking};
}

static void join(struct progress_moment *moment, const struct progress_moment *other) {
  for (int kind = 0; kind < PROGRESS_KINDS; kind++)
    for (int slot = 0; slot < PROGRESS_SLOTS; slot++)
      if (moment->before[kind][slot] < other->before[kind][slot])
        moment->before[kind][slot] = other->before[kind][slot];
}

static uint64_t sum(const struct progress_moment *moment, enum progress_kind kind) {
  uint64_t sum = 0;
  for (int slot = 0; slot < PROGRESS_SLOTS; slot++)
    sum += moment->before[kind][slot];
  return sum;
}

void progress_enter(struct progress_stream *stream) {
  current = stream;
  if (!stream->blocking || last_blocking == stream)
    return;
  join(&stream->moment, stream == &progress_legacy ? &blocking : &progress_legacy.moment);
  last_blocking = stream;
}

static struct sim_ordered order_of_next(void) {
  struct progress_moment before = known;
  join(&before, &current->moment);
  struct sim_ordered ordered = {.stream = current->slot,
                                .number = all.before[PROGRESS_ORDERED][current->slot] + 1};
  memcpy(ordered.before, before.before[PROGRESS_ORDERED], sizeof ordered.before);
  return ordered;
}

static void add(enum progress_kind kind) {
  const uint64_t count = ++all.before[kind][current->slot];
  current->moment.before[kind][current->slot] = count;
  if (current->blocking)
    blocking.before[kind][current->slot] = count;
}

cudaError_t progress_order(void) {
  if (!context_device()->counts_waits)
    return cudaSuccess;
  const struct sim_ordered ordered = order_of_next();
  add(PROGRESS_ORDERED);
  return context_queue(SIM_ORDERED, &ordered, sizeof ordered, NULL);
}

bool progress_is_legacy(void) { return current == &progress_legacy; }

void progress_add(enum progress_kind kind) {
  static bool copied; /* since the last launch */
  if (kind != PROGRESS_WORK)
    add(PROGRESS_WORK);
  if (kind != PROGRESS_COPIES || !copied)
    add(kind);
  copied = kind == PROGRESS_COPIES || (copied && kind != PROGRESS_LAUNCHES);
}

const struct progress_moment *progress_now(void) { return &current->moment; }

void progress_follow(struct progress_stream *stream, const struct progress_moment *moment) {
  join(&stream->moment, moment);
  if (stream->blocking)
    join(&blocking, moment);
}

void progress_forget(const struct progress_stream *stream) {
  if (last_blocking == stream)
    last_blocking = NULL;
}

bool progress_is_known(const struct progress_moment *moment) {
  struct progress_moment then = known;
  join(&then, moment);
  return sum(&then, PROGRESS_WORK) == sum(&known, PROGRESS_WORK);
}

struct sim_awaited progress_await(const struct progress_moment *moment) {
  join(&known, moment);
  return (struct sim_awaited){sum(&known, PROGRESS_WORK), sum(&known, PROGRESS_LAUNCHES),
                              sum(&known, PROGRESS_COPIES)};
}

cudaError_t progress_wait(const struct progress_moment *moment) {
  const uint64_t before = sum(&known, PROGRESS_WORK);
  const struct sim_awaited awaited = progress_await(moment);
  const bool is_new = awaited.work > before && context_device()->counts_waits;
  return is_new ? context_queue(SIM_WAIT, &awaited, sizeof awaited, NULL) : cudaSuccess;
}

cudaError_t progress_wait_for_stream(struct progress_stream *stream) {
  if (stream == &progress_legacy) /* which waits for the blocking streams */
    progress_enter(stream);
  return progress_wait(&stream->moment);
}

cudaError_t progress_wait_for_copies(const struct progress_stream *stream) {
  const uint64_t before = sum(&known, PROGRESS_COPIES);
  struct progress_moment then = known;
  join(&then, &stream->moment);
  return sum(&then, PROGRESS_COPIES) > before ? progress_wait(&stream->moment) : cudaSuccess;
}

cudaError_t progress_wait_for_all(void) { return progress_wait(&all); }
