#include "replay.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "decode.h"

/* Clocks. Memory: Luo et al., "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via
 * Microbenchmarking", arXiv:2402.13499, latencies of an H800. Arithmetic: most instructions take four clocks
 * since Volta (Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
 * arXiv:1804.06826); those of doubles, special functions and shuffles are assumed. */
static const double l1_latency = 41, shared_latency = 29, l2_latency = 263;
/* Under load, and from the end of a block to the first instruction of the next one in its place. Nobody has
 * published these for an H200: they are chosen so that lab 01's naive and tiled kernels at N = 8192 take the
 * time measured there. An idle H800 has 479 clocks to memory (Luo et al.). */
static const double memory_latency = 800, block_turnaround = 500;
static const double alu_latency = 4, double_latency = 8, special_latency = 18, shuffle_latency = 23;

/* Clocks for which an instruction of one warp keeps its pipeline busy: 32 / (results per clock and
 * multiprocessor / 4), CUDA C++ Programming Guide, "Arithmetic Instructions", compute capability 9.0. */
enum {
  SCHEDULERS = 4,
  SINGLE_BUSY = 1,
  INTEGER_BUSY = 2,
  DOUBLE_BUSY = 2,
  SPECIAL_BUSY = 8,
  SHUFFLE_BUSY = 4
};
/* Instructions that ptxas makes of a division, remainder or root. */
enum { SINGLE_ROOT = 8, DOUBLE_ROOT = 12, INTEGER_DIVISION = 16 };

enum { MOST_STEPS = 24576 /* of a replay, so that it stays cheap next to the simulation */ };

enum pipe { PIPE_SINGLE, PIPE_INTEGER, PIPE_DOUBLE, PIPE_SPECIAL, PIPES };
enum kind { FREE, ARITHMETIC, LOAD, STORE, ATOMIC_OP, SHARED_ACCESS, BARRIER_WAIT };

struct cost {
  uint8_t kind, pipe, slots, busy;
  float latency;
};

/* What ptxas renames, folds into operands or predicates away; of an address's mul.wide, shl and add.s64 it
 * makes one IMAD.WIDE. */
static bool is_free(enum opcode code) {
  switch (code) {
  case OP_MOV_32:
  case OP_MOV_64:
  case OP_PACK:
  case OP_UNPACK:
  case OP_LOAD_KERNEL_PARAM:
  case OP_PRED_MOV:
  case OP_PRED_AND:
  case OP_PRED_OR:
  case OP_PRED_XOR:
  case OP_CVT_S64_S32:
  case OP_CVT_U64_U32:
  case OP_CVT_U32_U64:
  case OP_ADD_64:
  case OP_SHL_64:
  case OP_MEET:
  case OP_ROUND:
  case OP_SATURATE:
  case OP_FENCE:
  case OP_COPIES:
    return true;
  default:
    return false;
  }
}

static bool ends(const char *name, const char *with) {
  size_t n = strlen(name), k = strlen(with);
  return n >= k && strcmp(name + n - k, with) == 0;
}

static struct cost cost_by_name(const char *name) {
  bool root = strncmp(name, "DIV", 3) == 0 || strncmp(name, "REM", 3) == 0 || strncmp(name, "SQRT", 4) == 0 ||
              strncmp(name, "RCP_F", 5) == 0;
  if (strstr(name, "APPROX") || strncmp(name, "POPC", 4) == 0 || strncmp(name, "BFIND", 5) == 0 ||
      strncmp(name, "CLZ", 3) == 0 || strncmp(name, "CVT", 3) == 0)
    return (struct cost){ARITHMETIC, PIPE_SPECIAL, 1, SPECIAL_BUSY, (float)special_latency};
  if (strncmp(name, "SHFL", 4) == 0 || strncmp(name, "REDUX", 5) == 0 || strncmp(name, "MATCH", 5) == 0)
    return (struct cost){ARITHMETIC, PIPE_SPECIAL, 1, SHUFFLE_BUSY, (float)shuffle_latency};
  if (ends(name, "F64")) {
    uint8_t n = root ? DOUBLE_ROOT : 1;
    return (struct cost){ARITHMETIC, PIPE_DOUBLE, n, (uint8_t)(n * DOUBLE_BUSY), (float)(n * double_latency)};
  }
  if (ends(name, "F32")) {
    uint8_t n = root ? SINGLE_ROOT : 1;
    return (struct cost){ARITHMETIC, PIPE_SINGLE, n, (uint8_t)(n * SINGLE_BUSY), (float)(n * alu_latency)};
  }
  uint8_t n = root ? INTEGER_DIVISION : 1;
  uint8_t pipe = strncmp(name, "MUL", 3) == 0 || strncmp(name, "MAD", 3) == 0 ? PIPE_SINGLE : PIPE_INTEGER;
  return (struct cost){ARITHMETIC, pipe, n, (uint8_t)(n * INTEGER_BUSY), (float)(n * alu_latency)};
}

static struct cost cost_of(const struct op *op, const struct trace_step *t) {
  static struct cost table[OP_COUNT];
  static bool filled;
  for (int code = 0; !filled && code < OP_COUNT; code++)
    table[code] =
        is_free((enum opcode)code) ? (struct cost){.kind = FREE} : cost_by_name(op_name((enum opcode)code));
  filled = true;
  struct cost cost = {.pipe = PIPES, .slots = 1};
  if (op->code == OP_BARRIER)
    cost.kind = BARRIER_WAIT;
  else if (op->code == OP_STORE && t->lines)
    cost.kind = STORE;
  else if (op->code == OP_ATOMIC && t->lines)
    cost.kind = ATOMIC_OP;
  else if (t->lines)
    cost.kind = LOAD;
  else if (t->wavefronts || op->code == OP_LOAD || op->code == OP_STORE)
    cost.kind = SHARED_ACCESS;
  else
    cost = table[op->code];
  return cost;
}

static uint32_t sources_of(const struct op *op) {
  switch ((enum opcode)op->code) {
#define OP1(id, D, A, expr, forms)                                                                           \
  case OP_##id:                                                                                              \
    return 1;
#define OP2(id, D, A, B, expr, forms)                                                                        \
  case OP_##id:                                                                                              \
    return 2;
#define OP3(id, D, A, B, C, expr, forms)                                                                     \
  case OP_##id:                                                                                              \
    return 3;
#define SETP(id, A, expr, forms)                                                                             \
  case OP_##id:                                                                                              \
    return 2 + (op->detail != 0);
#define CODE(id, note)
#include "ops.def"
  case OP_STORE:
    return 1u + op->count;
  case OP_PACK:
  case OP_STORE_PARAM:
    return op->count;
  case OP_ATOMIC:
    return op->from == ATOM_CAS ? 3 : 2;
  case OP_BFI_32:
  case OP_BFI_64:
    return 4;
  case OP_SELP_32:
  case OP_SELP_64:
  case OP_LOP3:
  case OP_SHFL:
  case OP_CARRY_32:
  case OP_CARRY_64:
    return 3;
  case OP_PRED_AND:
  case OP_PRED_OR:
  case OP_PRED_XOR:
  case OP_COPY_ASYNC:
    return 2;
  case OP_LOAD:
  case OP_CVT:
  case OP_UNPACK:
  case OP_TESTP:
  case OP_PRED_MOV:
  case OP_VOTE:
  case OP_MATCH:
  case OP_REDUX:
    return 1;
  default:
    return 0;
  }
}

/* Traces to steps: what each waits for is found once, not in every replay. */

enum { PRODUCERS = 6, NO_STEP = UINT16_MAX, WRITERS = 4096 };

struct step {
  uint16_t producers[PRODUCERS];
  struct cost cost;
  struct trace_step memory;
};
struct program { /* of one warp of one sampled block */
  uint32_t count;
  struct step steps[TRACE_STEPS];
};
static struct program programs[TRACE_BLOCKS][MAX_WARPS];

struct writer { /* which step wrote a register last: a small table that may forget */
  uint32_t offset, epoch;
  uint16_t step;
};
static struct writer writers[WRITERS];
static uint32_t epoch;

static struct writer *writer_of(uint32_t offset) { return &writers[(offset >> 2) * 2654435761u >> 20]; }

static uint16_t last_write(uint32_t operand) {
  const struct writer *w = writer_of(operand);
  return operand >> BASE_SHIFT == BASE_FRAME && w->offset == operand && w->epoch == epoch ? w->step : NO_STEP;
}

static void note_write(uint32_t operand, uint16_t step) {
  if (operand != NO_OPERAND && operand >> BASE_SHIFT == BASE_FRAME)
    *writer_of(operand) = (struct writer){operand, epoch, step};
}

static uint32_t producers_of(const struct op *op, uint16_t *list) {
  uint32_t count = 0, operands = sources_of(op);
  for (uint32_t i = 0; i <= operands; i++) {
    bool guard = i == operands;
    uint16_t step = guard ? (op->guard ? last_write(op->predicate) : NO_STEP) : last_write(op->src[i]);
    if (step != NO_STEP && count < PRODUCERS)
      list[count++] = step;
  }
  return count;
}

/* ptxas brings loads forward within a stretch without branches, stores and barriers: first the loads and what
 * their addresses need, then the rest, each in its order. */
static void hoist_loads(struct program *p, uint32_t start, uint32_t end, uint16_t *place) {
  static struct step sorted[TRACE_STEPS];
  bool first[TRACE_STEPS] = {false};
  for (uint32_t i = end; i-- > start;) {
    first[i] |= p->steps[i].cost.kind == LOAD;
    for (int k = 0; first[i] && k < PRODUCERS && p->steps[i].producers[k] != NO_STEP; k++)
      first[p->steps[i].producers[k]] = true;
  }
  uint32_t next = start;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = start; i < end; i++)
      if (first[i] == (pass == 0)) {
        sorted[next] = p->steps[i];
        place[i] = (uint16_t)next++;
      }
  memcpy(p->steps + start, sorted + start, (end - start) * sizeof *sorted);
}

static void hoist_all_loads(const struct op *code, struct program *p) {
  uint16_t place[TRACE_STEPS]; /* where each step has gone */
  uint32_t start = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    place[i] = (uint16_t)i;
    enum kind kind = (enum kind)p->steps[i].cost.kind;
    bool ends = kind == STORE || kind == ATOMIC_OP || kind == BARRIER_WAIT ||
                code[p->steps[i].memory.pc].class == CLASS_BRANCH;
    if (!ends)
      continue;
    hoist_loads(p, start, i, place);
    start = i + 1;
  }
  hoist_loads(p, start, p->count, place);
  for (uint32_t i = 0; i < p->count; i++)
    for (int k = 0; k < PRODUCERS && p->steps[i].producers[k] != NO_STEP; k++)
      p->steps[i].producers[k] = place[p->steps[i].producers[k]];
}

static void compile(const struct op *code, const struct trace_warp *trace, uint32_t limit,
                    struct program *p) {
  p->count = 0;
  epoch++;
  for (uint32_t i = 0; i < trace->count && i < limit; i++) {
    const struct op *op = &code[trace->steps[i].pc];
    struct step step = {.cost = cost_of(op, &trace->steps[i]), .memory = trace->steps[i]};
    uint32_t count = producers_of(op, step.producers);
    uint16_t writes = (uint16_t)p->count;
    if (step.cost.kind == FREE) {
      writes = NO_STEP; /* hands on what comes last */
      for (uint32_t k = 0; k < count; k++)
        if (writes == NO_STEP || step.producers[k] > writes)
          writes = step.producers[k];
    } else {
      for (uint32_t k = count; k < PRODUCERS; k++)
        step.producers[k] = NO_STEP;
      p->steps[p->count++] = step;
    }
    for (int k = 0; k < 4; k++)
      note_write(op->dst[k], writes);
  }
  hoist_all_loads(code, p);
}

struct replay_totals replay_totals(const struct launch *launch) {
  struct replay_totals totals = {0};
  for (uint32_t b = 0; b < launch->trace_count; b++)
    for (uint32_t w = 0; w < launch->warps; w++) {
      const struct trace_warp *t = &launch->traces[b].warp[w];
      for (uint32_t i = 0; i < t->count; i++) {
        enum opcode code = (enum opcode)launch->module->code[t->steps[i].pc].code;
        totals.instructions += !op_is_marker(code);
        *(code == OP_LOAD || code == OP_COPY_ASYNC ? &totals.loads_beyond_l1 : &totals.stores_beyond_l1) +=
            t->steps[i].misses;
      }
    }
  return totals;
}

/* The multiprocessor */

struct runner { /* a warp */
  const struct program *program;
  uint32_t at, slot;
  double done[TRACE_STEPS];
};

struct slot { /* for a resident block */
  uint32_t alive, waiting;
};

static struct {
  double scheduler[SCHEDULERS], pipe[SCHEDULERS][PIPES], l1, l2, memory; /* free from then on */
  double reads, writes;                                                  /* sectors due to memory */
  double ready[MAX_WARPS * 2]; /* by warp: when it can issue next; INFINITY: waits, or has ended */
  struct runner runners[MAX_WARPS * 2];
  struct slot slots[MAX_WARPS];
} sm;

static double latest(double a, double b) { return a > b ? a : b; }

/* A server that takes `work` clocks per request, one after another. */
static double serve(double *server, double at, double work) {
  *server = latest(*server, at) + work;
  return *server;
}

/* Sectors to L2, some of them on to memory. When the last one is there. */
static double beyond_l1(const struct replay *r, double at, uint32_t sectors, double fraction, double *due) {
  double arrived = serve(&sm.l2, at, 32 * sectors / r->l2_rate) + l2_latency;
  *due += sectors * fraction;
  double whole = floor(*due);
  if (whole >= 1) {
    *due -= whole;
    arrived = latest(arrived, serve(&sm.memory, at, 32 * whole / r->memory_rate) + memory_latency);
  }
  return arrived;
}

static double access(const struct replay *r, const struct step *s, double at) {
  const struct trace_step *m = &s->memory;
  switch ((enum kind)s->cost.kind) {
  case LOAD: {
    double through = serve(&sm.l1, at, latest(m->lines, m->wavefronts));
    return m->misses ? beyond_l1(r, through, m->misses, r->read_fraction, &sm.reads) : through + l1_latency;
  }
  case STORE:
    beyond_l1(r, serve(&sm.l1, at, m->lines), m->sectors, r->write_fraction, &sm.writes);
    return at;
  case ATOMIC_OP:
    return beyond_l1(r, serve(&sm.l1, at, m->lines), m->sectors, r->write_fraction, &sm.writes);
  default:
    return serve(&sm.l1, at, m->wavefronts) + shared_latency;
  }
}

/* When warp `w` has what its next step waits for; `from` at the earliest. */
static double next_ready(const struct runner *w, double from) {
  const struct step *s = &w->program->steps[w->at];
  for (int i = 0; i < PRODUCERS && s->producers[i] != NO_STEP; i++)
    from = latest(from, w->done[s->producers[i]]);
  return from;
}

static void release(uint32_t slot, uint32_t warps, double now) {
  struct slot *s = &sm.slots[slot];
  if (s->waiting == 0 || s->waiting < s->alive)
    return;
  s->waiting = 0;
  for (uint32_t i = slot * warps; i < (slot + 1) * warps; i++)
    if (sm.runners[i].at < sm.runners[i].program->count)
      sm.ready[i] = next_ready(&sm.runners[i], now);
}

static void start_block(const struct replay *r, uint32_t slot, uint64_t number, double now) {
  uint32_t warps = r->launch->warps;
  double start =
      now + (number < r->resident ? 0 : block_turnaround); /* the first ones: in the launch's cost */
  sm.slots[slot] = (struct slot){0};
  for (uint32_t w = 0; w < warps; w++) {
    struct runner *runner = &sm.runners[slot * warps + w];
    runner->program = &programs[number % r->launch->trace_count][w];
    runner->at = 0;
    runner->slot = slot;
    bool runs = runner->program->count > 0;
    sm.slots[slot].alive += runs;
    sm.ready[slot * warps + w] = runs ? start : INFINITY;
  }
}

/* Issue the next step of warp `i`, which is the first that can; returns when it was issued. */
static double issue(const struct replay *r, uint32_t i) {
  struct runner *w = &sm.runners[i];
  const struct step *s = &w->program->steps[w->at];
  uint32_t scheduler = i % SCHEDULERS;
  double at = latest(sm.ready[i], sm.scheduler[scheduler]);
  if (s->cost.pipe < PIPES) {
    double *pipe = &sm.pipe[scheduler][s->cost.pipe];
    at = latest(at, *pipe);
    *pipe = at + s->cost.busy;
  }
  sm.scheduler[scheduler] = at + s->cost.slots;
  w->done[w->at] = s->cost.kind == ARITHMETIC     ? at + s->cost.latency
                   : s->cost.kind == BARRIER_WAIT ? at
                                                  : access(r, s, at);
  w->at++;
  return at + s->cost.slots;
}

/* Run `blocks` blocks; when the first `resident` of them, and all of them, have ended. */
static void run(const struct replay *r, uint64_t blocks, double *first, double *all) {
  uint32_t warps = r->launch->warps, resident = blocks < r->resident ? (uint32_t)blocks : r->resident;
  uint64_t started = 0, ended = 0;
  memset(&sm, 0, offsetof(__typeof__(sm), runners));
  for (; started < resident; started++)
    start_block(r, (uint32_t)started, started, 0);
  *first = *all = 0;
  while (ended < blocks) {
    uint32_t i = 0;
    for (uint32_t k = 1; k < resident * warps; k++)
      i = sm.ready[k] < sm.ready[i] ? k : i;
    if (!(sm.ready[i] < INFINITY))
      break; /* blocks without a step */
    struct runner *w = &sm.runners[i];
    struct slot *slot = &sm.slots[w->slot];
    bool waits = w->program->steps[w->at].cost.kind == BARRIER_WAIT;
    double now = issue(r, i);
    bool over = w->at == w->program->count;
    slot->waiting += waits && !over;
    slot->alive -= over;
    sm.ready[i] = over || waits ? INFINITY : next_ready(w, now);
    release(w->slot, warps, now);
    if (slot->alive > 0)
      continue;
    *all = now;
    if (++ended == resident)
      *first = now;
    if (started < blocks)
      start_block(r, w->slot, started++, now);
  }
}

/* Instructions among the first `limit` of a trace; a meeting point is none. */
static uint32_t traced(const struct launch *launch, const struct trace_warp *t, uint32_t limit) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < t->count && i < limit; i++)
    count += !op_is_marker(launch->module->code[t->steps[i].pc].code);
  return count;
}

double replay_clocks(const struct replay *r) {
  const struct launch *l = r->launch;
  uint32_t limit = MOST_STEPS / (r->resident * l->warps);
  uint64_t steps = 0, taken = 0;
  for (uint32_t b = 0; b < l->trace_count; b++)
    for (uint32_t w = 0; w < l->warps; w++) {
      compile(l->module->code, &l->traces[b].warp[w], limit, &programs[b][w]);
      steps += programs[b][w].count;
      taken += traced(l, &l->traces[b].warp[w], limit);
    }
  if (steps == 0)
    return 0;
  uint64_t blocks = MOST_STEPS * l->trace_count / steps;
  blocks = blocks > 4 * r->resident ? 4 * r->resident : blocks < r->resident ? r->resident : blocks;
  if (blocks > r->blocks)
    blocks = r->blocks;
  double first, all;
  run(r, blocks, &first, &all);
  uint64_t later = blocks > r->resident ? blocks - r->resident : 0;
  double each = later ? (all - first) / (double)later : all / (double)blocks;
  double whole = r->instructions * l->trace_count / (double)taken;
  return (all + each * (double)(r->blocks - blocks)) * latest(1, whole);
}
