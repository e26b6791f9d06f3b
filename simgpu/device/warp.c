/* The interpreter: one warp, one of its subwarps at a time, one flat switch. It is built once per instruction
 * set of the host, and once more for blocks that are observed. CMakeLists.txt defines warp_run as each
 * variant's own name. Only frequent instructions are written out here; the rarer ones are functions of other
 * files, because the compiler's time grows faster than the switch. */
#include "warp.h"

#include <string.h>

/* The fast variants do not test whether the time model or the checks observe the block. */
#ifdef WARP_OBSERVED
#define TRACED(w) ((w)->block->trace != NULL)
#define CHECK(call)                                                                                          \
  if (w->block->check)                                                                                       \
  call
#define RECORD(call)                                                                                         \
  if (w->block->is_recorded)                                                                                 \
  call
#else
#define CHECK(call)
#define RECORD(call)
#define TRACED(w) false
#endif

#include "access.h"
#include "barrier.h"
#include "breaks.h"
#include "call.h"
#include "check_access.h"
#include "check_block.h"
#include "collective.h"
#include "device/matrix.h"
#include "fault.h"
#include "fences.h"
#include "mbarrier.h"
#include "native.h"
#include "native_state.h"
#include "operand.h"
#include "rare.h"
#include "rounding.h"
#include "rows.h"
#include "steps.h"
#include "subwarp.h"
#include "trace.h"
#include "vectors.h"

#define SOURCE(T, n) ((const LANE_TYPE_##T *)__builtin_assume_aligned(AT(op->src[n]), 64))

/* Results go straight to the register when all lanes are active, else through `scratch`. */
#define RESULT(T) LANE_TYPE_##T *d = __builtin_assume_aligned(m == ALL_LANES ? AT(op->dst[0]) : scratch, 64)
#define KEEP(T)                                                                                              \
  if (m != ALL_LANES)                                                                                        \
    blend(AT(op->dst[0]), scratch, m, sizeof(LANE_TYPE_##T));
#define ROW(id, D)                                                                                           \
  case OP_##id: {                                                                                            \
    RESULT(D);                                                                                               \
    rows_##id(d, AT(op->src[0]), AT(op->src[1]), AT(op->src[2]));                                            \
    KEEP(D)                                                                                                  \
    NEXT;                                                                                                    \
  }

static inline void blend_32(u32 *to, const u32 *from, u32 m) {
  FOR_LANES
    to[l] = m & 1u << l ? from[l] : to[l];
}

static inline void blend_64(u64 *to, const u64 *from, u32 m) {
  FOR_LANES
    to[l] = m & 1u << l ? from[l] : to[l];
}

static inline void blend(char *to, const char *from, u32 m, u32 bytes) {
  if (bytes == 4)
    blend_32((u32 *)to, (const u32 *)from, m);
  else
    blend_64((u64 *)to, (const u64 *)from, m);
}

/* setp's results: p = held OP c, q = !held OP c; without c, held and !held. */
static inline void set_predicates(const struct op *op, char **bases, u32 m, u32 held) {
  u32 opposite = ~held;
  if (op->combine) {
    u32 c = PREDICATE_SOURCE(2);
    held = operand_combine((enum combine)op->combine, held, c);
    opposite = operand_combine((enum combine)op->combine, opposite, c);
  }
  if (op->dst[0] != NO_OPERAND)
    SET_PREDICATE(op->dst[0], held);
  if (op->dst[1] != NO_OPERAND)
    SET_PREDICATE(op->dst[1], opposite);
}

static inline void run_row(const struct rows_entry *row, const struct op *op, char **bases, u32 m,
                           char *scratch) {
  char *d = m == ALL_LANES && row->bytes ? AT(op->dst[0]) : scratch;
  row->run(d, AT(op->src[0]), AT(op->src[1]), AT(op->src[2]));
  if (!row->bytes)
    set_predicates(op, bases, m, *(u32 *)scratch);
  else if (m != ALL_LANES)
    blend(AT(op->dst[0]), scratch, m, row->bytes);
}

/* The lane's element `e` in memory. */
static inline u8 *element_at(const struct access *x, const struct op *op, u32 bytes, u32 e, u32 l) {
  return x->contiguous ? x->host[0] + (l * op->count + e) * bytes : x->host[l] + e * bytes;
}

/* Elements of up to 4 bytes, extended as their type says. */
static inline void load_narrow(const struct access *x, const struct op *op, u32 bytes, u32 e, char *to) {
#define LOAD(T)                                                                                              \
  FOR_ACTIVE(x->mask, l) {                                                                                   \
    T value;                                                                                                 \
    memcpy(&value, element_at(x, op, sizeof value, e, l), sizeof value);                                     \
    if (op->wide)                                                                                            \
      ((u64 *)to)[l] = (u64)(s64)value;                                                                      \
    else                                                                                                     \
      ((u32 *)to)[l] = (u32)value;                                                                           \
  }
  const bool is_signed = op->type == PTX_S8 || op->type == PTX_S16 || op->type == PTX_S32;
  if (bytes == 1 && is_signed)
    LOAD(int8_t)
  else if (bytes == 1)
    LOAD(u8)
  else if (bytes == 2 && is_signed)
    LOAD(s16)
  else if (bytes == 2)
    LOAD(u16)
  else if (is_signed)
    LOAD(s32)
  else
    LOAD(u32)
#undef LOAD
}

/* Element `e` of every active lane into the register at `to`. */
static inline void load_element(const struct access *x, const struct op *op, u32 bytes, u32 e, char *to) {
  if (bytes == 4 && !op->wide) {
    u32 *d = (u32 *)to;
    if (x->contiguous && op->count == 1)
      memcpy(d, x->host[0], 4 * LANES);
    else if (x->contiguous)
      for (u32 l = 0; l < LANES; l++)
        memcpy(&d[l], x->host[0] + (l * op->count + e) * 4, 4);
    else if (x->mask == ALL_LANES)
      for (u32 l = 0; l < LANES; l++)
        memcpy(&d[l], x->host[l] + e * 4, 4);
    else
      FOR_ACTIVE(x->mask, l)
        memcpy(&d[l], x->host[l] + e * 4, 4);
  } else if (bytes == 8) {
    u64 *d = (u64 *)to;
    if (x->contiguous && op->count == 1)
      memcpy(d, x->host[0], 8 * LANES);
    else if (x->contiguous)
      for (u32 l = 0; l < LANES; l++)
        memcpy(&d[l], x->host[0] + (l * op->count + e) * 8, 8);
    else
      FOR_ACTIVE(x->mask, l)
        memcpy(&d[l], x->host[l] + e * 8, 8);
  } else {
    load_narrow(x, op, bytes, e, to);
  }
}

static inline void store_element(const struct access *x, const struct op *op, u32 bytes, u32 e,
                                 const char *from) {
  if (bytes == 4 && !op->wide && x->contiguous && op->count == 1) {
    memcpy(x->host[0], from, 4 * LANES);
    return;
  }
  if (bytes == 8 && x->contiguous && op->count == 1) {
    memcpy(x->host[0], from, 8 * LANES);
    return;
  }
  const u32 lane_bytes = op->wide ? 8 : 4;
#define STORE(T)                                                                                             \
  FOR_ACTIVE(x->mask, l)                                                                                     \
    memcpy(element_at(x, op, sizeof(T), e, l), from + l * lane_bytes, sizeof(T));
  if (bytes == 4)
    STORE(u32)
  else if (bytes == 8)
    STORE(u64)
  else if (bytes == 2)
    STORE(u16)
  else
    STORE(u8)
#undef STORE
}

/* Always inlined, like store(): each call would realign the stack for `x`. */
static inline __attribute__((always_inline)) bool load_part(struct warp *w, const struct op *op, char **bases,
                                                            u32 pc, u32 *rest,
                                                            struct instruction_statistics *stats) {
  struct access x;
  u32 bytes = ptx_type_bytes((enum ptx_type)op->type);
  access_addresses(&x, op, AT(op->src[0]), *rest);
  if (op->space == PTX_GENERIC)
    x.mask = access_in_one_space(&x);
  *rest &= ~x.mask;
  if (!access_run(w, &x, op, pc, bytes * op->count, USE_READ, stats))
    return false;
  CHECK(check_access_load(w, &x, op, pc, bytes * op->count, bytes);)
  RECORD(steps_access(w, &x, op, bases, bytes * op->count, USE_READ);)
  if (vectors_are_whole(op, bytes))
    vectors_load(&x, op, bases, bytes);
  else
    for (u32 e = 0; e < op->count; e++)
      if (op->dst[e] != NO_OPERAND)
        load_element(&x, op, bytes, e, AT(op->dst[e]));
  fences_after(op);
  return true;
}

static inline __attribute__((always_inline)) bool store_part(struct warp *w, const struct op *op,
                                                             char **bases, u32 pc, u32 *rest,
                                                             struct instruction_statistics *stats) {
  struct access x;
  u32 bytes = ptx_type_bytes((enum ptx_type)op->type);
  access_addresses(&x, op, AT(op->src[0]), *rest);
  if (op->space == PTX_GENERIC)
    x.mask = access_in_one_space(&x);
  *rest &= ~x.mask;
  if (!access_run(w, &x, op, pc, bytes * op->count, USE_WRITE, stats))
    return false;
  CHECK(check_access_store(w, &x, op, bases, pc, bytes * op->count, bytes);)
  RECORD(steps_access(w, &x, op, bases, bytes * op->count, USE_WRITE);)
  fences_before(op);
  if (vectors_are_whole(op, bytes)) {
    vectors_store(&x, op, bases, bytes);
    return true;
  }
  for (u32 e = 0; e < op->count; e++)
    store_element(&x, op, bytes, e, AT(op->src[1 + e]));
  return true;
}

/* Generic addresses of lanes may be in different spaces: each part does the access of one space. */
#define BY_SPACE(access)                                                                                     \
  static inline __attribute__((always_inline)) bool access(struct warp *w, const struct op *op,              \
                                                           char **bases, u32 pc, u32 m,                      \
                                                           struct instruction_statistics *stats) {           \
    while (m)                                                                                                \
      if (!access##_part(w, op, bases, pc, &m, stats))                                                       \
        return false;                                                                                        \
    return true;                                                                                             \
  }
BY_SPACE(load)
BY_SPACE(store)
#undef BY_SPACE

static void load_kernel_param(const struct op *op, char **bases, const u8 *params, u32 m) {
  u32 bytes = ptx_type_bytes((enum ptx_type)op->type);
  for (u32 e = 0; e < op->count; e++) {
    if (op->dst[e] == NO_OPERAND)
      continue;
    u64 value = operand_extend(operand_read(params + op->offset + e * bytes, bytes), (enum ptx_type)op->type);
    u64 *wide = (u64 *)AT(op->dst[e]);
    u32 *narrow = (u32 *)wide;
    if (m == ALL_LANES && op->wide)
      FOR_LANES
        wide[l] = value;
    else if (m == ALL_LANES)
      FOR_LANES
        narrow[l] = (u32)value;
    else if (op->wide)
      FOR_ACTIVE(m, l)
        wide[l] = value;
    else
      FOR_ACTIVE(m, l)
        narrow[l] = (u32)value;
  }
}

#ifdef WARP_OBSERVED
#define NATIVE(block) NULL
#else
#define NATIVE(block) (block)->native
#endif

static bool native_access(struct native_state *n, u32 at, u32 m) {
  const u32 pc = n->entry + at;
  const struct op *op = &n->code[at];
  struct instruction_statistics *stats = &n->statistics[at];
  return op->code == OP_LOAD ? load(n->warp, op, n->bases, pc, m, stats)
                             : store(n->warp, op, n->bases, pc, m, stats);
}

static bool native_rare(struct native_state *n, u32 at, u32 m) {
  const struct op *op = &n->code[at];
  switch (op->code) {
  case OP_SHFL: /* no lane is missing */
    collective_shuffle(op, n->bases, m);
    return true;
  case OP_VOTE:
  case OP_MATCH:
  case OP_REDUX:
  case OP_ELECT:
    collective_run(op, n->bases, m);
    return true;
  case OP_WARP_SYNC:
    return true;
  default:
    return rare_run(n->warp, n->subwarp, op, n->bases, n->entry + at, m, &n->statistics[at]);
  }
}

/* Runs the subwarp until it waits, ends, has a fault or has used up its time slice. */
static enum outcome run_subwarp(struct warp *w, u32 which) {
  struct subwarp *s = &w->subwarps[which];
  struct worker *worker = w->block->worker;
  const struct op *const code = w->block->launch->module->code;
  struct instruction_statistics *const statistics = worker->statistics;
  _Alignas(64) char scratch[8 * LANES];
  char *bases[BASES];
  memcpy(bases, w->bases, sizeof bases);
  bases[BASE_FRAME] = s->frame->registers;
  const u64 slice = w->block->time_slice;
  u64 left = slice - w->in_slice, yielded = 0;
  w->in_slice = 0;
  u32 pc = s->pc, mask = s->mask;
  const struct native *const native = NATIVE(w->block);
  const struct native_starts starts = native ? native_starts(native) : (struct native_starts){0};

#define NEXT continue
#define TAKEN (slice - yielded - left)
/* The next backward branch ends the time slice. */
#define YIELD                                                                                                \
  if (left <= slice) {                                                                                       \
    yielded = left;                                                                                          \
    left = 0;                                                                                                \
  }
  for (;; pc++) {
    if (native && native_starts_at(&starts, pc)) {
      const enum outcome outcome = native_run(native, w, s, &pc, &left);
      if (outcome != OUTCOME_CONTINUES) {
        w->taken += TAKEN;
        return outcome;
      }
      mask = s->mask;
    }
    const struct op *op = &code[pc];
    u32 m = mask;
    if (op->guard)
      m &= op->guard == GUARD_IF ? *(u32 *)(bases[BASE_FRAME] + op->predicate)
                                 : ~*(u32 *)(bases[BASE_FRAME] + op->predicate);
    struct instruction_statistics *stats = &statistics[pc];
    stats->warps++;
    stats->threads += (u32)__builtin_popcount(m);
    left--;
    if (TRACED(w))
      trace_instruction(w->block->trace, w, pc);
    RECORD({
      breaks_reach(w, s->frame, pc, mask);
      steps_add(w, pc, op->class == CLASS_BRANCH ? mask : m); /* a guard chooses its target */
    })
    if (m == 0)
      NEXT;
    switch ((enum opcode)op->code) {
#define HOT1(id, D, ...) ROW(id, D)
#define HOT2(id, D, ...) ROW(id, D)
#define HOT3(id, D, ...) ROW(id, D)
#define HOT_SETP(id, ...)                                                                                    \
  case OP_##id: {                                                                                            \
    u32 held;                                                                                                \
    rows_##id(&held, AT(op->src[0]), AT(op->src[1]), NULL);                                                  \
    set_predicates(op, bases, m, held);                                                                      \
    NEXT;                                                                                                    \
  }
#include "ops.def"

    case OP_PRED_MOV:
      SET_PREDICATE(op->dst[0], PREDICATE_SOURCE(0));
      NEXT;
    case OP_PRED_AND:
      SET_PREDICATE(op->dst[0], (PREDICATE_SOURCE(0)) & (PREDICATE(op->src[1]) ^ operand_negated(op, 1)));
      NEXT;
    case OP_PRED_OR:
      SET_PREDICATE(op->dst[0], (PREDICATE_SOURCE(0)) | (PREDICATE(op->src[1]) ^ operand_negated(op, 1)));
      NEXT;
    case OP_PRED_XOR:
      SET_PREDICATE(op->dst[0], (PREDICATE_SOURCE(0)) ^ (PREDICATE(op->src[1]) ^ operand_negated(op, 1)));
      NEXT;
    case OP_SELP_32: {
      const u32 *a = SOURCE(u32, 0), *b = SOURCE(u32, 1), held = PREDICATE_SOURCE(2);
      RESULT(u32);
      for (u32 l = 0; l < LANES; l++)
        d[l] = held >> l & 1 ? a[l] : b[l];
      KEEP(u32)
      NEXT;
    }
    case OP_SELP_64: {
      const u64 *a = SOURCE(u64, 0), *b = SOURCE(u64, 1);
      u32 held = PREDICATE_SOURCE(2);
      RESULT(u64);
      for (u32 l = 0; l < LANES; l++)
        d[l] = held >> l & 1 ? a[l] : b[l];
      KEEP(u64)
      NEXT;
    }
    case OP_LOP3: {
      const u32 *a = SOURCE(u32, 0), *b = SOURCE(u32, 1), *c = SOURCE(u32, 2);
      RESULT(u32);
      FOR_LANES
        d[l] = lane_lookup(a[l], b[l], c[l], op->table);
      KEEP(u32)
      NEXT;
    }
    case OP_ROUND: /* sets the host's mode; the next instruction completes before the one that resets it */
      stats->warps--;
      stats->threads -= (u32)__builtin_popcount(m);
      left++;
      rounding_set(op->rounding);
      NEXT;
    case OP_SATURATE: {
      f32 *d = (f32 *)AT(op->dst[0]);
      stats->warps--;
      stats->threads -= (u32)__builtin_popcount(m);
      left++;
      FOR_ACTIVE(m, l)
        d[l] = lane_saturate(d[l]);
      NEXT;
    }
    case OP_CLOCK: { /* instructions of this warp so far: grows, and is the same in every run */
      u64 now = w->taken + TAKEN;
      if (op->special == PTX_CLOCK_HI)
        now >>= 32;
      FOR_ACTIVE(m, l)
        memcpy(AT(op->dst[0]) + l * (op->wide ? 8 : 4), &now, op->wide ? 8 : 4);
      NEXT;
    }

    case OP_LOAD:
      if (!load(w, op, bases, pc, m, stats))
        return OUTCOME_FAULT;
      NEXT;
    case OP_STORE:
      if (!store(w, op, bases, pc, m, stats))
        return OUTCOME_FAULT;
      NEXT;
    case OP_LOAD_KERNEL_PARAM:
      load_kernel_param(op, bases, w->block->launch->params, m);
      NEXT;
    case OP_FENCE:
      if (fences_has(op))
        atomic_thread_fence(memory_order_seq_cst);
      if (op->sync) {
        CHECK(check_block_fence(w, op->sync & SYNC_OF_BLOCK ? CHECK_BLOCK : CHECK_DEVICE);)
      }
      if (op->yields == YIELD_LATER)
        YIELD
      if (op->yields == YIELD_NOW) {
        s->mask = mask;
        s->pc = pc + 1;
        w->taken += TAKEN;
        return OUTCOME_SLICE_OVER;
      }
      NEXT;
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_ELECT:
    case OP_MATRIX_MULTIPLY:
    case OP_MATRIX_LOAD:
    case OP_MATRIX_STORE:
    case OP_MATRIX_MOVE:
    case OP_WARP_SYNC: {
      const struct gathered gathered = collective_gather(w, s, (u32 *)AT(op->src[3]), pc, mask, m);
      const u32 all = gathered.here;
      if (all == 0) {
        stats->warps--;
        stats->threads -= (u32)__builtin_popcount(m);
        w->taken += TAKEN;
        RECORD(breaks_undo(w, mask); steps_undo(w);)
        return OUTCOME_WAITS;
      }
      stats->threads += (u32)__builtin_popcount(all & ~m);
      RECORD(steps_lanes(w, all);)
      if (gathered.done)
        NEXT;
      if (op_is_matrix(op->code)) { /* they order no memory accesses */
        if (!matrix_run(w, op, bases, pc, all, stats))
          return OUTCOME_FAULT;
        NEXT;
      }
      CHECK(check_block_together(w, pc, (u32 *)AT(op->src[3]), all);)
      if (op->code == OP_SHFL)
        collective_shuffle(op, bases, all);
      else if (op->code != OP_WARP_SYNC)
        collective_run(op, bases, all);
      NEXT;
    }
    case OP_RECONVERGE:
      stats->warps--;
      stats->threads -= (u32)__builtin_popcount(m);
      left++;
      if (s->join < 0 || (w->joins[s->join].pc != pc && w->joins[s->join].depth <= op->depth))
        NEXT;
      s->mask = mask;
      if (!subwarp_reconverge(w, s, op, pc)) {
        w->taken += TAKEN;
        subwarp_remove(w, s);
        return OUTCOME_ENDED;
      }
      mask = s->mask;
      NEXT;
    case OP_LATE_READ:
      stats->warps--;
      stats->threads -= (u32)__builtin_popcount(m);
      left++;
      CHECK(check_access_late(w, &code[op->target], bases, op->target, m);)
      NEXT;
    case OP_TURN:
      stats->warps--;
      stats->threads -= (u32)__builtin_popcount(m);
      left++;
      if (w->turns == 0)
        NEXT;
      w->turns--;
      s->mask = mask;
      s->pc = pc + 1;
      w->taken += TAKEN;
      return OUTCOME_SLICE_OVER;
    case OP_BRA:
      if (m == mask) {
        if (op->target <= pc && left > slice)
          goto slice_over;
        pc = op->target - 1;
        NEXT;
      }
      stats->divergent++;
      s->mask = mask;
      s->pc = pc + 1;
      subwarp_diverge(w, s, m, op->target, op->reconverge, op->depth);
      pc = s->pc - 1;
      mask = s->mask;
      NEXT;
    case OP_BRX:
      if (left > slice)
        goto slice_over;
      s->mask = mask;
      s->pc = pc;
      subwarp_branch_indexed(w, s, op, bases, m);
      stats->divergent += s->mask != mask;
      pc = s->pc - 1;
      mask = s->mask;
      NEXT;
    case OP_CALL:
      if (left > slice) /* endless recursion needs no backward branch */
        goto slice_over;
      s->mask = mask;
      s->pc = pc + 1;
      if (!call_enter(w, s, op, w->block->launch->module->calls[op->call].callee)) {
        fault_raise(w, FAULT_CALL_DEPTH, pc, (u32)__builtin_ctz(m), (struct fault){.count = MAX_CALL_DEPTH});
        return OUTCOME_FAULT;
      }
      bases[BASE_FRAME] = s->frame->registers;
      pc = s->pc - 1;
      NEXT;
    case OP_CALL_INDIRECT: {
      if (left > slice)
        goto slice_over;
      const struct module *module = w->block->launch->module;
      s->mask = mask;
      s->pc = pc;
      u64 address = subwarp_same_target(w, s, op, bases);
      u32 callee = call_target(module, &module->calls[op->call], address);
      mask = s->mask;
      s->pc = pc + 1;
      if (callee == ANY_FUNCTION || !call_enter(w, s, op, callee)) {
        fault_raise(w, callee == ANY_FUNCTION ? FAULT_CALL_TARGET : FAULT_CALL_DEPTH, pc,
                    (u32)__builtin_ctz(mask), (struct fault){.address = address, .count = MAX_CALL_DEPTH});
        return OUTCOME_FAULT;
      }
      bases[BASE_FRAME] = s->frame->registers;
      pc = s->pc - 1;
      NEXT;
    }
    case OP_MBARRIER:
      if (!mbarrier_run(w, op, bases, pc, m))
        return OUTCOME_FAULT;
      if (op_tests_mbarrier(op) && m & ~PREDICATE(op->dst[0]))
        YIELD
      NEXT;
    case OP_RET:
      call_leave(w, s);
      bases[BASE_FRAME] = s->frame->registers;
      pc = s->pc - 1;
      NEXT;
    case OP_EXIT:
      s->mask = mask;
      if (!subwarp_exit(w, s, m)) {
        w->taken += TAKEN;
        return OUTCOME_ENDED;
      }
      mask = s->mask;
      NEXT;
    case OP_TRAP:
      fault_raise(w, FAULT_TRAP, pc, (u32)__builtin_ctz(m), (struct fault){0});
      return OUTCOME_FAULT;
    case OP_BARRIER:
    case OP_BARRIER_ARRIVE:
    case OP_CLUSTER_ARRIVE:
    case OP_CLUSTER_WAIT:
      s->mask = mask;
      s->pc = pc + 1;
      switch (barrier_arrive(w, s, op, bases, pc, m)) {
      case OUTCOME_CONTINUES:
        NEXT;
      case OUTCOME_FAULT:
        return OUTCOME_FAULT;
      default:
        w->taken += TAKEN;
        return OUTCOME_WAITS;
      }
    default: /* the rarer ones */
      if (rows_table[op->code].run)
        run_row(&rows_table[op->code], op, bases, m, scratch);
      else if (!rare_run(w, s, op, bases, pc, m, stats))
        return OUTCOME_FAULT;
      NEXT;
    }
  slice_over:
    s->mask = mask;
    s->pc = pc;
    stats->warps--;
    stats->threads -= (u32)__builtin_popcount(m);
    w->taken += slice - yielded;
    RECORD(breaks_undo(w, mask); steps_undo(w);)
    return OUTCOME_SLICE_OVER;
  }
}

/* Lanes that diverge and reconverge in each pass of an endless loop never use up a time slice. */
static bool within_budgets(struct warp *w) {
  const struct launch *launch = w->block->launch;
  if (w->subwarp_count == 0 || (w->taken <= launch->budget && w->taken <= launch->launch_budget))
    return true;
  const struct subwarp *s = &w->subwarps[0];
  return fault_raise(w, w->taken > launch->budget ? FAULT_BUDGET : FAULT_LAUNCH_BUDGET, s->pc,
                     (u32)__builtin_ctz(s->mask), (struct fault){.count = UINT32_MAX});
}

bool warp_run(struct warp *w) {
  if (NATIVE(w->block) && !w->block->native_prepared)
    native_prepare(w->block, native_access, native_rare);
  if (!NATIVE(w->block) && w->native_holds) /* it has one part, with all lanes */
    native_complete_frame(w->block->native, w, w->subwarps[0].pc);
  if (!NATIVE(w->block))
    w->native_changed = UINT32_MAX;
  for (u32 which = 0; which < w->subwarp_count;) {
    if (w->subwarps[which].barrier >= 0 || w->subwarps[which].waits) {
      which++;
      continue;
    }
    u64 before = w->taken;
    switch (run_subwarp(w, which)) {
    case OUTCOME_FAULT:
      return false;
    case OUTCOME_SLICE_OVER:
      subwarp_expire_join(w, &w->subwarps[which], w->taken - before);
      if (atomic_load_explicit(&w->block->launch->fault_block, memory_order_relaxed) < w->block->index)
        return false;
      if (w->taken > w->block->launch->budget)
        return fault_raise(w, FAULT_BUDGET, w->subwarps[which].pc,
                           (u32)__builtin_ctz(w->subwarps[which].mask), (struct fault){0});
      which++;
      break;
    default: /* others may be able to continue now, even earlier ones */
      if (!within_budgets(w))
        return false;
    }
  }
  return true;
}
