#include "replay.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "device/counters.h"
#include "fragment.h"
#include "model_constants.h"
#include "sources.h"

enum { MOST_STEPS = 40960 /* of a replay, so that it stays cheap next to the simulation */ };

/* Products per clock of one scheduler's tensor core, by type of A and B. */
static const float tensor_rate[MATRIX_TYPES] = {
    [MATRIX_F16] = tensor_halves, [MATRIX_BF16] = tensor_halves, [MATRIX_TF32] = tensor_tf32,
    [MATRIX_E4M3] = tensor_bytes, [MATRIX_E5M2] = tensor_bytes,  [MATRIX_F64] = tensor_doubles,
    [MATRIX_S8] = tensor_bytes,   [MATRIX_U8] = tensor_bytes,    [MATRIX_S4] = tensor_bytes,
    [MATRIX_U4] = tensor_bytes,   [MATRIX_B1] = tensor_bytes};

enum unit { SINGLE_UNIT, INTEGER_UNIT, DOUBLE_UNIT, SPECIAL_UNIT, TENSOR_UNIT, UNITS };
enum kind { FREE, ARITHMETIC, LOAD, STORE, ATOMIC_OP, SHARED_ACCESS, BARRIER_WAIT, COPY_WAIT };

struct cost {
  uint8_t kind, unit, slots, busy;
  float latency;
};

/* By enum pipe: which of the replay's pipes an instruction takes, for how long, and when its result is there.
 */
static const struct cost costs[] = {
    [PIPE_NONE] = {.kind = FREE},
    [PIPE_SINGLE] = {ARITHMETIC, SINGLE_UNIT, 1, single_busy, alu_latency},
    [PIPE_MULTIPLY] = {ARITHMETIC, SINGLE_UNIT, 1, integer_busy, alu_latency},
    [PIPE_INTEGER] = {ARITHMETIC, INTEGER_UNIT, 1, integer_busy, alu_latency},
    [PIPE_DOUBLE] = {ARITHMETIC, DOUBLE_UNIT, 1, double_busy, double_latency},
    [PIPE_SPECIAL] = {ARITHMETIC, SPECIAL_UNIT, 1, special_busy, special_latency},
    [PIPE_DIVIDE] = {ARITHMETIC, SPECIAL_UNIT, 1, 2 * special_busy, special_latency},
    [PIPE_SHUFFLE] = {ARITHMETIC, SPECIAL_UNIT, 1, shuffle_busy, shuffle_latency},
    [PIPE_TENSOR] = {ARITHMETIC, TENSOR_UNIT, 1, 0, tensor_latency},
};

static struct cost product_cost(const struct matrix *x) {
  struct cost cost = costs[PIPE_TENSOR];
  const float busy = (float)(x->m * x->n * x->k) / tensor_rate[x->a.type];
  cost.busy = (uint8_t)ceilf(busy);
  cost.latency += busy;
  return cost;
}

static struct cost arithmetic_cost(enum opcode code) {
  const struct op_row *row = op_row(code);
  struct cost cost = costs[row->pipe];
  cost.slots = (uint8_t)(cost.slots * row->slots);
  if (cost.unit == SPECIAL_UNIT) { /* the others are of other units */
    cost.latency += (float)(alu_latency * (row->slots - 1));
    return cost;
  }
  cost.busy = (uint8_t)(cost.busy * row->slots);
  cost.latency *= row->slots;
  return cost;
}

static enum op_memory memory_of(const struct op *op) {
  return (enum op_memory)op_row((enum opcode)op->code)->memory;
}

/* Of an atomic on global memory. Only additions of floats to one word take longer than other atomics. */
static float turns_ns(const struct op *op, const struct trace_step *t) {
  const bool one_word = t->sectors == 1 || t->wavefronts > t->sectors;
  return (float)(t->wavefronts *
                 (one_word && counters_adds_floats(op) ? atomic_float_turn_ns : atomic_turn_ns));
}

static struct cost cost_of(const struct module *m, const struct op *op, const struct trace_step *t) {
  struct cost cost = {.unit = UNITS, .slots = 1};
  const enum op_memory memory = memory_of(op);
  if (op->code == OP_BARRIER)
    cost.kind = BARRIER_WAIT;
  else if (op->code == OP_COPIES && op->copies != COPIES_COMMIT)
    cost.kind = COPY_WAIT;
  else if (memory == MEMORY_WRITES && t->lines)
    cost.kind = STORE;
  else if (memory == MEMORY_UPDATES && t->lines)
    cost = (struct cost){ATOMIC_OP, UNITS, 1, 0, turns_ns(op, t)};
  else if (t->lines)
    cost.kind = LOAD;
  else if (t->wavefronts || op->code == OP_LOAD || op->code == OP_STORE)
    cost.kind = SHARED_ACCESS;
  else if (op->code == OP_MATRIX_MULTIPLY)
    cost = product_cost(&m->matrices[op->matrix]);
  else
    cost = arithmetic_cost((enum opcode)op->code);
  return cost;
}

static double latest(double a, double b) { return a > b ? a : b; }

/* Turns traces into steps and finds their dependences once for all replays. */

enum { PRODUCERS = 6, NO_STEP = UINT16_MAX, WRITERS = 4096 };

struct step {
  uint16_t producers[PRODUCERS];
  struct cost cost;
  struct trace_step memory;
};
struct program { /* of one warp of one sampled block */
  uint32_t count;
  uint32_t loop; /* in an incomplete trace: the warp continues by repeating from here */
  bool goes_on;
  uint32_t instructions, loop_instructions;
  struct step *steps;
};
static struct step steps[TRACE_SAMPLED][TRACE_STEPS];
static struct program programs[TRACE_SAMPLED][MAX_WARPS];

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

/* Bits 0 to 4 are the elements of op->src. */
enum { GUARD = 1 << 5 };

static uint32_t producers_of(const struct op *op, uint16_t *list) {
  uint32_t count = 0;
  for (uint32_t rest = sources_of(op) | (op->guard ? GUARD : 0); rest; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(rest);
    uint16_t step = last_write(1u << i == GUARD ? op->predicate : op->src[i]);
    if (step != NO_STEP && count < PRODUCERS)
      list[count++] = step;
  }
  return count;
}

/* A warp's groups of asynchronous copies in flight. */
static struct {
  uint16_t step[PRODUCERS];
  uint32_t group[PRODUCERS], copies, groups;
} under_way;

static void note_copies(const struct op *op, uint16_t step) {
  if (op->code == OP_COPY_ASYNC) {
    uint32_t place = under_way.copies++ % PRODUCERS;
    under_way.step[place] = step;
    under_way.group[place] = under_way.groups;
  }
  under_way.groups += op->code == OP_COPIES && op->copies == COPIES_COMMIT;
}

/* The copies that a wait covers: those older than the last `groups` groups. Only the last few are known. */
static uint32_t copies_awaited(const struct op *op, uint16_t *list) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < PRODUCERS && i < under_way.copies; i++)
    if (op->copies == COPIES_WAIT_ALL || (uint64_t)under_way.group[i] + op->groups < under_way.groups)
      list[count++] = under_way.step[i];
  return count;
}

/* ptxas reorders the instructions between two branches or barriers: loads and their address computations come
 * first; of the others, those with ready operands do not wait for those without. */
struct stretch {
  const struct op *code;
  struct step *steps; /* of the program; those from start to end are ordered */
  uint32_t start, end;
};

static bool is_write(const struct stretch *s, uint32_t i) {
  const enum op_memory memory = memory_of(&s->code[s->steps[i].memory.pc]);
  return memory == MEMORY_WRITES || memory == MEMORY_UPDATES;
}

static double expected_latency(const struct cost *cost) {
  return cost->kind == ARITHMETIC ? (double)cost->latency : cost->kind == LOAD ? l2_latency : shared_latency;
}

static uint32_t mark_urgent(const struct stretch *s, bool *urgent) {
  uint32_t count = 0;
  for (uint32_t i = s->end; i-- > s->start;) {
    urgent[i] |= s->steps[i].cost.kind == LOAD;
    count += urgent[i];
    for (int k = 0; urgent[i] && k < PRODUCERS && s->steps[i].producers[k] != NO_STEP; k++)
      urgent[s->steps[i].producers[k]] = true;
  }
  return count;
}

/* Data of the reordering, by step of the program. */
static struct {
  uint16_t next[TRACE_STEPS]; /* of the steps without a place */
  bool urgent[TRACE_STEPS], placed[TRACE_STEPS];
  double done[TRACE_STEPS], pipe[UNITS + 1], now;
} order;

static double can_start(const struct stretch *s, uint32_t i) {
  const struct step *step = &s->steps[i];
  double at = order.pipe[step->cost.unit];
  for (int k = 0; k < PRODUCERS && step->producers[k] != NO_STEP; k++) {
    uint16_t p = step->producers[k];
    at = order.placed[p] ? latest(at, order.done[p]) : INFINITY;
  }
  return at;
}

static bool is_access(const struct step *step) {
  enum kind kind = (enum kind)step->cost.kind;
  return kind == LOAD || kind == STORE || kind == ATOMIC_OP || kind == SHARED_ACCESS;
}

/* The step that comes next at clock `now`, and the one before it in the list. No access overtakes a write, and no
 * write overtakes an access. */
static uint32_t choose(const struct stretch *s, uint32_t head, double now, bool any_urgent,
                       uint32_t *before) {
  enum { WINDOW = 256 };
  uint32_t best = s->end, previous = s->end, seen = 0;
  double best_start = INFINITY;
  bool accessed = false, written = false;
  for (uint32_t i = head; i < s->end && seen < WINDOW; previous = i, i = order.next[i], seen++) {
    bool access = is_access(&s->steps[i]), write = access && is_write(s, i);
    bool held = (access && written) || (write && accessed);
    accessed |= access;
    written |= write;
    double start = held ? INFINITY : latest(now, can_start(s, i));
    bool better = start < best_start || (start <= now && order.urgent[i]);
    if (best < s->end && !better)
      continue;
    best = i;
    best_start = start;
    *before = previous;
    if (start <= now && (order.urgent[i] || !any_urgent))
      break;
  }
  return best;
}

static void order_stretch(const struct stretch *s, uint16_t *place) {
  static struct step sorted[TRACE_STEPS];
  uint32_t head = s->start, urgent = mark_urgent(s, order.urgent);
  double now = order.now;
  for (uint32_t i = s->start; i < s->end; i++)
    order.next[i] = (uint16_t)(i + 1);
  for (uint32_t n = s->start; n < s->end; n++) {
    uint32_t before = s->end, i = choose(s, head, now, urgent > 0, &before);
    const struct step *step = &s->steps[i];
    double at = latest(now, can_start(s, i));
    if (before == s->end)
      head = order.next[i];
    else
      order.next[before] = order.next[i];
    order.placed[i] = true;
    order.done[i] = at + expected_latency(&step->cost);
    if (step->cost.unit < UNITS)
      order.pipe[step->cost.unit] = at + step->cost.busy;
    now = at + step->cost.slots;
    urgent -= order.urgent[i];
    sorted[n] = *step;
    place[i] = (uint16_t)n;
  }
  order.now = now;
  memcpy(s->steps + s->start, sorted + s->start, (s->end - s->start) * sizeof *sorted);
}

static bool ends_stretch(const struct op *code, const struct step *step) {
  enum kind kind = (enum kind)step->cost.kind;
  const struct op *op = &code[step->memory.pc];
  return kind == BARRIER_WAIT || kind == COPY_WAIT || kind == ATOMIC_OP || op->class == CLASS_BRANCH ||
         op->code == OP_EXIT;
}

static void order_all(const struct op *code, struct program *p) {
  static uint16_t place[TRACE_STEPS]; /* the new place of each step */
  struct stretch s = {.code = code, .steps = p->steps};
  order.now = 0;
  memset(order.pipe, 0, sizeof order.pipe);
  memset(order.urgent, 0, p->count * sizeof *order.urgent);
  memset(order.placed, 0, p->count * sizeof *order.placed);
  for (uint32_t i = 0; i <= p->count; i++) {
    bool ends = i == p->count || ends_stretch(code, &p->steps[i]);
    if (!ends)
      continue;
    s.end = i;
    order_stretch(&s, place);
    if (i < p->count) {
      place[i] = (uint16_t)i;
      order.placed[i] = true;
      order.done[i] = order.now;
    }
    s.start = i + 1;
  }
  for (uint32_t i = 0; i < p->count; i++)
    for (int k = 0; k < PRODUCERS && p->steps[i].producers[k] != NO_STEP; k++)
      p->steps[i].producers[k] = place[p->steps[i].producers[k]];
}

/* Where to cut an incomplete trace of `count` steps: after the last branch that occurs earlier, too. `loop`: the
 * step after that earlier occurrence, so that whole iterations of a loop lie between. */
static uint32_t cut(const struct op *code, const struct trace_step *trace, uint32_t count, uint32_t *loop) {
  *loop = 0;
  for (uint32_t end = count; end-- > count / 2;) {
    if (code[trace[end].pc].class != CLASS_BRANCH)
      continue;
    for (uint32_t i = count / 8; i < end; i++)
      if (trace[i].pc == trace[end].pc) {
        *loop = i + 1;
        return end + 1;
      }
  }
  return count;
}

static void compile(const struct module *module, const struct trace_warp *trace, uint32_t limit,
                    struct program *p) {
  const struct op *code = module->code;
  uint32_t loop = 0, count = trace->count < limit ? trace->count : limit;
  bool goes_on = trace->is_full || trace->count > limit;
  if (goes_on)
    count = cut(code, trace->steps, count, &loop);
  *p = (struct program){.steps = p->steps, .goes_on = goes_on};
  memset(&under_way, 0, sizeof under_way);
  epoch++;
  for (uint32_t i = 0; i < count; i++) {
    const struct op *op = &code[trace->steps[i].pc];
    struct step step = {.cost = cost_of(module, op, &trace->steps[i]), .memory = trace->steps[i]};
    uint32_t waits =
        step.cost.kind == COPY_WAIT ? copies_awaited(op, step.producers) : producers_of(op, step.producers);
    uint16_t writes = (uint16_t)p->count;
    if (op->class == CLASS_LOCAL_LOAD || op->class == CLASS_LOCAL_STORE)
      step.memory.wavefronts = op->count; /* in L1: the threads' elements lie side by side */
    if (i == loop)
      p->loop = p->count;
    p->instructions += !op_is_marker(op->code);
    p->loop_instructions += i >= loop && !op_is_marker(op->code);
    note_copies(op, writes);
    if (step.cost.kind == FREE) {
      writes = NO_STEP; /* passes on the latest of its producers */
      for (uint32_t k = 0; k < waits; k++)
        if (writes == NO_STEP || step.producers[k] > writes)
          writes = step.producers[k];
    } else {
      for (uint32_t k = waits; k < PRODUCERS; k++)
        step.producers[k] = NO_STEP;
      p->steps[p->count++] = step;
    }
    for (int k = 0; k < 4; k++)
      note_write(op->dst[k], writes);
  }
  order_all(code, p);
}

/* A request of one sector from each of many lines. Those from fewer lines, at the edges of a tile or in its columns, do
 * not count: the block's other requests are for the rest of these lines. */
static bool is_lone(const struct trace_step *t) { return t->lines > LANES / 2 && t->sectors == t->lines; }

/* The most that a slice of L2 takes of a block's turns of atomics, at least, in every sampled block that has some. */
static double busiest_slice(const struct launch *launch) {
  double least[l2_slices], busiest = 0;
  bool any = false;
  for (uint32_t b = 0; b < launch->sampled_count; b++) {
    const float *turns = launch->sampled[b]->turns;
    double all = 0;
    for (uint32_t s = 0; s < l2_slices; s++)
      all += turns[s];
    for (uint32_t s = 0; all > 0 && s < l2_slices; s++)
      least[s] = any ? fmin(least[s], turns[s] / all) : turns[s] / all;
    any |= all > 0;
  }
  for (uint32_t s = 0; any && s < l2_slices; s++)
    busiest = fmax(busiest, least[s]);
  return busiest;
}

struct replay_totals replay_totals(const struct launch *launch) {
  struct replay_totals totals = {.busiest_slice = busiest_slice(launch)};
  for (uint32_t b = 0; b < launch->sampled_count; b++)
    for (uint32_t w = 0; w < launch->warps; w++) {
      const struct trace_warp *t = &launch->sampled[b]->warp[w];
      for (uint32_t i = 0; i < t->count; i++) {
        const struct op *op = &launch->module->code[t->steps[i].pc];
        const enum op_memory memory = memory_of(op);
        const bool reads = memory == MEMORY_READS || memory == MEMORY_UPDATES;
        totals.instructions += !op_is_marker(op->code);
        totals.loads_beyond_l1 += reads ? t->steps[i].misses : 0;
        totals.lone_loads += reads && is_lone(&t->steps[i]) ? t->steps[i].misses : 0;
        totals.stores_beyond_l1 += memory == MEMORY_READS ? 0 : t->steps[i].misses;
      }
    }
  return totals;
}

/* The multiprocessor */

struct runner { /* a warp */
  const struct program *program;
  uint32_t at, slot;
  double *done; /* by step */
};

struct slot { /* for a resident block */
  uint32_t alive, waiting;
};

static struct {
  double scheduler[schedulers], pipe[schedulers][UNITS], l1, l2, memory, slice; /* free from then on */
  double reads, writes;                                                         /* sectors due to memory */
  double began_loops, ended_loops;                                              /* sums over warps */
  double ready[MAX_WARPS * 2]; /* by warp: when it can issue next; INFINITY: waits, or has ended */
  struct runner runners[MAX_WARPS * 2];
  struct slot slots[MAX_WARPS];
  double done[MOST_STEPS];
} sm;

/* A server that takes `work` clocks per request, one after another. */
static double queue(double *server, double at, double work) {
  *server = latest(*server, at) + work;
  return *server;
}

/* Sends sectors to L2, and some of them on to memory. Returns the time of the last one. */
static double beyond_l1(const struct replay *r, double at, uint32_t sectors, double bytes, double fraction,
                        double *due) {
  double arrived = queue(&sm.l2, at, bytes * sectors / r->l2_rate) + l2_latency;
  *due += sectors * fraction;
  double whole = floor(*due);
  if (whole >= 1) {
    *due -= whole;
    arrived = latest(arrived, queue(&sm.memory, at, 32 * whole / r->memory_rate) + memory_latency);
  }
  return arrived;
}

static double access(const struct replay *r, const struct step *s, double at) {
  const struct trace_step *m = &s->memory;
  switch ((enum kind)s->cost.kind) {
  case LOAD: {
    double through = queue(&sm.l1, at, latest(m->lines, m->wavefronts));
    return m->misses ? beyond_l1(r, through, m->misses, is_lone(m) ? lone_load_bytes : 32, r->read_fraction,
                                 &sm.reads)
                     : through + l1_latency;
  }
  case STORE:
    beyond_l1(r, queue(&sm.l1, at, m->lines), m->sectors, is_lone(m) ? lone_store_bytes : 32,
              r->write_fraction, &sm.writes);
    return at;
  case ATOMIC_OP: { /* L2 reads each sector and writes it */
    const double through = queue(&sm.l1, at, m->lines);
    const double turn = latest(sm.slice, through);
    sm.slice = turn + s->cost.latency * r->turn_clocks;
    beyond_l1(r, through, m->sectors, 32, r->write_fraction, &sm.writes);
    return latest(turn, beyond_l1(r, through, m->sectors, 32, r->read_fraction, &sm.reads));
  }
  default:
    return queue(&sm.l1, at, m->wavefronts) + shared_latency;
  }
}

/* Time at which the operands of the next step of warp `w` are ready; at least `from`. */
static double next_ready(const struct runner *w, double from) {
  const struct step *s = &w->program->steps[w->at];
  for (int i = 0; i < PRODUCERS && s->producers[i] != NO_STEP; i++)
    from = latest(from, w->done[s->producers[i]]);
  return from;
}

static void release_barrier(uint32_t slot, uint32_t warps, double now) {
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
      now + (number < r->resident ? 0 : block_turnaround); /* the first ones are part of the launch's cost */
  sm.slots[slot] = (struct slot){0};
  for (uint32_t w = 0; w < warps; w++) {
    struct runner *runner = &sm.runners[slot * warps + w];
    runner->program = &programs[number % r->launch->sampled_count][w];
    runner->at = 0;
    runner->slot = slot;
    runner->done = sm.done + (size_t)(slot * warps + w) * r->steps_per_warp;
    bool runs = runner->program->count > 0;
    sm.slots[slot].alive += runs;
    sm.ready[slot * warps + w] = runs ? start : INFINITY;
  }
}

/* Issues the next step of warp `i`, the first warp that is ready; returns the time. */
static double issue(const struct replay *r, uint32_t i) {
  struct runner *w = &sm.runners[i];
  const struct step *s = &w->program->steps[w->at];
  uint32_t scheduler = i % schedulers;
  double at = latest(sm.ready[i], sm.scheduler[scheduler]);
  if (s->cost.unit < UNITS) {
    double *pipe = &sm.pipe[scheduler][s->cost.unit];
    at = latest(at, *pipe);
    *pipe = at + s->cost.busy;
  }
  sm.scheduler[scheduler] = at + s->cost.slots;
  w->done[w->at] = s->cost.kind == ARITHMETIC ? at + s->cost.latency : is_access(s) ? access(r, s, at) : at;
  w->at++;
  const bool goes_on = s->cost.kind == STORE || s->cost.kind == ATOMIC_OP || s->cost.kind == SHARED_ACCESS;
  return latest(at + s->cost.slots, goes_on ? latest(sm.l1, latest(sm.l2, sm.slice)) - write_queue : 0);
}

/* Runs `blocks` blocks; gives the times at which the first `resident` ones and all have ended. */
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
    if (w->at == w->program->loop)
      sm.began_loops += now;
    bool over = w->at == w->program->count;
    if (over)
      sm.ended_loops += now;
    slot->waiting += waits && !over;
    slot->alive -= over;
    sm.ready[i] = over || waits ? INFINITY : next_ready(w, now);
    release_barrier(w->slot, warps, now);
    if (slot->alive > 0)
      continue;
    *all = latest(now, sm.slice);
    if (++ended == resident)
      *first = *all;
    if (started < blocks)
      start_block(r, w->slot, started++, now);
  }
}

/* Sums over all sampled blocks. */
struct sample {
  uint64_t steps, instructions, loop_instructions;
  bool goes_on;
};

static struct sample compile_all(const struct replay *r) {
  const struct launch *l = r->launch;
  struct sample sample = {0};
  for (uint32_t b = 0; b < l->sampled_count; b++) {
    struct step *place = steps[b];
    for (uint32_t w = 0; w < l->warps; w++) {
      struct program *p = &programs[b][w];
      p->steps = place;
      compile(l->module, &l->sampled[b]->warp[w], r->steps_per_warp, p);
      place += p->count;
      sample.steps += p->count;
      sample.instructions += p->instructions;
      sample.loop_instructions += p->loop_instructions;
      sample.goes_on |= p->goes_on;
    }
  }
  return sample;
}

/* Complete traces: replays some blocks, and extrapolates from the pace of the later ones. */
static double whole_blocks(const struct replay *r, const struct sample *sample) {
  uint64_t blocks = MOST_STEPS * r->launch->sampled_count / sample->steps;
  blocks = blocks > 4 * r->resident ? 4 * r->resident : blocks < r->resident ? r->resident : blocks;
  if (blocks > r->blocks)
    blocks = r->blocks;
  double first, all;
  run(r, blocks, &first, &all);
  uint64_t later = blocks > r->resident ? blocks - r->resident : 0;
  double each = later ? (all - first) / (double)later : all / (double)blocks;
  double whole = r->instructions * r->launch->sampled_count / (double)sample->instructions;
  return (all + each * (double)(r->blocks - blocks)) * latest(1, whole);
}

/* Incomplete traces: replays the resident blocks, extrapolates the rest of each at the pace of its last
 * loop, then repeats. */
static double begun_blocks(const struct replay *r, const struct sample *sample) {
  uint64_t blocks = r->blocks < r->resident ? r->blocks : r->resident;
  double first, all, warps = (double)(blocks * r->launch->warps);
  run(r, blocks, &first, &all);
  double traced = (double)sample->instructions / r->launch->sampled_count;
  double in_loop = (double)sample->loop_instructions / r->launch->sampled_count;
  double iterations = latest(0, r->instructions - traced) / latest(1, in_loop);
  return (all + iterations * (sm.ended_loops - sm.began_loops) / warps) * (double)r->blocks / (double)blocks;
}

double replay_clocks(struct replay *r) {
  r->steps_per_warp = MOST_STEPS / (r->resident * r->launch->warps);
  struct sample sample = compile_all(r);
  return sample.steps == 0 ? 0 : sample.goes_on ? begun_blocks(r, &sample) : whole_blocks(r, &sample);
}
