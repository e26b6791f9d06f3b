#include "device/counters.h"

#include <inttypes.h>
#include <string.h>

static const char *const columns[] = {
#define X(id, column) column,
    COUNTERS(X)
#undef X
};

/* The counter of a class of instructions; 0 (warp instructions): none. */
static const struct {
  enum counter requests, sectors, bytes, wavefronts, conflicts, threads;
} places[CLASSES] = {
    [CLASS_GLOBAL_LOAD] = {.requests = COUNTER_GLOBAL_LOAD_REQUESTS,
                           .sectors = COUNTER_GLOBAL_LOAD_SECTORS,
                           .bytes = COUNTER_BYTES_LOADED},
    [CLASS_GLOBAL_STORE] = {.requests = COUNTER_GLOBAL_STORE_REQUESTS,
                            .sectors = COUNTER_GLOBAL_STORE_SECTORS,
                            .bytes = COUNTER_BYTES_STORED},
    [CLASS_GLOBAL_RED] = {.requests = COUNTER_GLOBAL_RED_REQUESTS, .sectors = COUNTER_GLOBAL_RED_SECTORS},
    [CLASS_GLOBAL_ATOM] = {.requests = COUNTER_GLOBAL_ATOM_REQUESTS, .sectors = COUNTER_GLOBAL_ATOM_SECTORS},
    [CLASS_SHARED_LOAD] = {.requests = COUNTER_SHARED_LOADS,
                           .wavefronts = COUNTER_SHARED_LOAD_WAVEFRONTS,
                           .conflicts = COUNTER_SHARED_LOAD_CONFLICTS},
    [CLASS_SHARED_STORE] = {.requests = COUNTER_SHARED_STORES,
                            .wavefronts = COUNTER_SHARED_STORE_WAVEFRONTS,
                            .conflicts = COUNTER_SHARED_STORE_CONFLICTS},
    [CLASS_SHARED_ATOM] = {.requests = COUNTER_SHARED_ATOMICS,
                           .wavefronts = COUNTER_SHARED_ATOMIC_WAVEFRONTS},
    [CLASS_GLOBAL_ASYNC] = {.requests = COUNTER_ASYNC_REQUESTS,
                            .sectors = COUNTER_ASYNC_SECTORS,
                            .bytes = COUNTER_ASYNC_BYTES},
    [CLASS_GLOBAL_BULK] = {.requests = COUNTER_BULK_REQUESTS, .sectors = COUNTER_BULK_SECTORS},
    [CLASS_LOCAL_LOAD] = {.requests = COUNTER_LOCAL_LOAD_REQUESTS},
    [CLASS_LOCAL_STORE] = {.requests = COUNTER_LOCAL_STORE_REQUESTS},
    [CLASS_FADD] = {.threads = COUNTER_FADD},
    [CLASS_FMUL] = {.threads = COUNTER_FMUL},
    [CLASS_FFMA] = {.threads = COUNTER_FFMA},
    [CLASS_DADD] = {.threads = COUNTER_DADD},
    [CLASS_DMUL] = {.threads = COUNTER_DMUL},
    [CLASS_DFMA] = {.threads = COUNTER_DFMA},
};

/* The class of the same access to shared memory, or 0. */
static const enum op_class in_shared[CLASSES] = {
    [CLASS_GLOBAL_LOAD] = CLASS_SHARED_LOAD,
    [CLASS_GLOBAL_STORE] = CLASS_SHARED_STORE,
    [CLASS_GLOBAL_RED] = CLASS_SHARED_ATOM,
    [CLASS_GLOBAL_ATOM] = CLASS_SHARED_ATOM,
};

static void add(struct counters *c, enum counter where, uint64_t value) {
  if (where)
    c->value[where] += value;
}

bool counters_adds_floats(const struct op *op) {
  const enum ptx_type type = (enum ptx_type)op->type;
  return op->code == OP_ATOMIC && (ptx_type_is_float(type) || type == PTX_F16X2 || type == PTX_BF16X2);
}

void counters_add(struct counters *c, const struct op *op, const struct instruction_statistics *stats) {
  c->value[COUNTER_WARP_INSTRUCTIONS] += stats->warps;
  c->value[COUNTER_THREAD_INSTRUCTIONS] += stats->threads;
  c->value[COUNTER_DIVERGENT] += stats->divergent;
  add(c, places[op->class].requests, stats->requests - stats->shared);
  add(c, places[op->class].sectors, stats->sectors);
  add(c, places[op->class].bytes, stats->bytes);
  const enum op_class shared = stats->shared ? in_shared[op->class] : (enum op_class)op->class;
  if (stats->shared)
    add(c, places[shared].requests, stats->own);
  add(c, places[shared].wavefronts, stats->wavefronts);
  add(c, places[shared].conflicts, stats->conflicts);
  add(c, places[op->class].threads, stats->threads);
  if (op->class == CLASS_GLOBAL_ASYNC) { /* hardware counts them among the loads too */
    c->value[COUNTER_GLOBAL_LOAD_REQUESTS] += stats->requests;
    c->value[COUNTER_GLOBAL_LOAD_SECTORS] += stats->load_sectors;
  }
  if (counters_is_work(op)) {
    c->value[COUNTER_WORK_WARPS] += stats->warps;
    c->value[COUNTER_WORK_THREADS] += stats->threads;
  }
  if (counters_adds_floats(op))
    c->value[COUNTER_FLOAT_ATOMICS] += stats->threads;
  if (op->class == CLASS_BARRIER)
    c->value[COUNTER_BARRIERS] += stats->warps;
  if (op->code == OP_PRINT)
    c->value[COUNTER_PRINTS] += stats->threads;
  if (op->code == OP_FENCE && op->yields == YIELD_LATER)
    c->value[COUNTER_SLEEPS] += stats->threads;
}

void counters_write_header(FILE *file) {
  fputs("launch,kernel,grid,block", file);
  for (int i = 0; i < COUNTER_COUNT; i++)
    fprintf(file, ",%s", columns[i]);
  fputc('\n', file);
}

void counters_write_row(FILE *file, uint64_t launch, const char *kernel, const uint32_t grid[3],
                        const uint32_t block[3], const struct counters *counters) {
  const char *quote = strpbrk(kernel, ",\"") ? "\"" : "";
  fprintf(file, "%" PRIu64 ",%s%s%s,%ux%ux%u,%ux%ux%u", launch, quote, kernel, quote, grid[0], grid[1],
          grid[2], block[0], block[1], block[2]);
  for (int i = 0; i < COUNTER_COUNT; i++)
    fprintf(file, ",%" PRIu64, counters->value[i]);
  fputc('\n', file);
}
