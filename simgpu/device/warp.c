/* The interpreter: one warp, one split of it at a time, one flat switch. Built once per instruction set of
 * the host (see CMakeLists.txt); warp_run then stands for the variant's own name. */
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

/* One build of the interpreter feeds the time model; the others do not even ask. */
#ifdef WARP_TRACED
#define TRACING(w) ((w)->block->trace != NULL)
#else
#define TRACING(w) false
#endif

/* One build checks for races and uninitialised reads. */
#ifdef WARP_CHECKED
#define CHECK(call) call
#include "check_access.h"
#else
#define CHECK(call)
#endif

#include "access.h" /* uses TRACING */
#include "atomic.h"
#include "convert.h"
#include "half.h"
#include "lane.h"
#include "machine.h"

enum { JOIN_SLICES = 4 }; /* full turns that threads wait at a join before they go on without the others */

enum outcome { CONTINUES, WAITS, ENDED, FAULTED, SLICE_OVER };

/* Operand access. 16-bit values live in the low half of 32-bit lanes; the high half means nothing. */
#define AT(operand) (bases[(operand) >> BASE_SHIFT] + ((operand)&OFFSET_MASK))
#define LANE_TYPE_u16 u32
#define LANE_TYPE_s16 u32
#define LANE_TYPE_u32 u32
#define LANE_TYPE_s32 s32
#define LANE_TYPE_f32 f32
#define LANE_TYPE_u64 u64
#define LANE_TYPE_s64 s64
#define LANE_TYPE_f64 f64
#define NARROW_u16(x) ((u32)(u16)(x))
#define NARROW_s16(x) ((u32)(u16)(s16)(x))
#define NARROW_u32(x) ((u32)(x))
#define NARROW_s32(x) ((s32)(x))
#define NARROW_f32(x) (x)
#define NARROW_u64(x) ((u64)(x))
#define NARROW_s64(x) ((s64)(x))
#define NARROW_f64(x) (x)
#define SOURCE(T, n) ((const LANE_TYPE_##T *)__builtin_assume_aligned(AT(op->src[n]), 64))
#ifdef __clang__
#define INDEPENDENT /* its own pragma warns wherever it cannot help */
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif
#define FOR_LANES INDEPENDENT for (int l = 0; l < LANES; l++)

/* Results go straight to the register when all lanes are active, else through `scratch`. */
#define RESULT(T) LANE_TYPE_##T *d = __builtin_assume_aligned(m == ALL_LANES ? AT(op->dst[0]) : scratch, 64)
#define KEEP(T)                                                                                              \
  if (m != ALL_LANES) {                                                                                      \
    if (sizeof(LANE_TYPE_##T) == 4)                                                                          \
      blend_32((u32 *)AT(op->dst[0]), (const u32 *)scratch, m);                                              \
    else                                                                                                     \
      blend_64((u64 *)AT(op->dst[0]), (const u64 *)scratch, m);                                              \
  }
#define PREDICATE(operand) (*(u32 *)AT(operand))
#define SET_PREDICATE(operand, bits) (PREDICATE(operand) = (PREDICATE(operand) & ~m) | ((bits)&m))

static inline void blend_32(u32 *to, const u32 *from, u32 m) {
  for (u32 l = 0; l < LANES; l++)
    to[l] = m >> l & 1 ? from[l] : to[l];
}

static inline void blend_64(u64 *to, const u64 *from, u32 m) {
  for (u32 l = 0; l < LANES; l++)
    to[l] = m >> l & 1 ? from[l] : to[l];
}

static inline u32 negated(const struct op *op, u32 n) { return op->negate >> n & 1 ? ALL_LANES : 0; }

/* setp's results: p = held OP c, q = !held OP c, or without c just held and its opposite. */
static inline void set_predicates(const struct op *op, char **bases, u32 m, u32 held) {
  u32 opposite = ~held;
  if (op->detail) {
    u32 c = PREDICATE(op->src[2]) ^ negated(op, 0);
    held = op->detail == 1 ? held & c : op->detail == 2 ? held | c : held ^ c;
    opposite = op->detail == 1 ? opposite & c : op->detail == 2 ? opposite | c : opposite ^ c;
  }
  if (op->dst[0] != NO_OPERAND)
    SET_PREDICATE(op->dst[0], held);
  if (op->dst[1] != NO_OPERAND)
    SET_PREDICATE(op->dst[1], opposite);
}

static const u8 type_bytes[PTX_TYPE_COUNT] = {
#define X(id, name, bytes) [PTX_##id] = bytes,
    PTX_TYPES(X)
#undef X
};

/* Splits and joins */

/* The split waits nowhere if there are more joins than a warp ever has; then it goes on by itself. */
static int32_t new_join(struct warp *w, struct join join) {
  if (w->joins_used == UINT64_MAX)
    return join.outer;
  int32_t index = __builtin_ctzll(~w->joins_used);
  w->joins_used |= UINT64_C(1) << index;
  w->joins[index] = join;
  return index;
}

static void free_join(struct warp *w, int32_t index) { w->joins_used &= ~(UINT64_C(1) << index); }

static struct subwarp *add_subwarp(struct warp *w, struct subwarp subwarp) {
  w->subwarps[w->subwarp_count] = subwarp;
  return &w->subwarps[w->subwarp_count++];
}

static void remove_subwarp(struct warp *w, struct subwarp *s) { *s = w->subwarps[--w->subwarp_count]; }

/* The join at `meet` of all threads that are in the region of `depth` with the split's: below the joins of
 * regions within that one. */
static int32_t join_at(struct warp *w, struct subwarp *s, u32 point, u32 depth) {
  int32_t at = s->join;
  struct join *inner = NULL;
  while (at >= 0 && w->joins[at].frame == s->frame && w->joins[at].depth > depth) {
    inner = &w->joins[at];
    at = inner->outer;
  }
  if (at >= 0 && w->joins[at].pc == point && w->joins[at].frame == s->frame)
    return at;
  at = new_join(w, (struct join){.expected = inner ? inner->expected : s->mask,
                                 .pc = point,
                                 .depth = (u8)depth,
                                 .outer = at,
                                 .frame = s->frame});
  *(inner ? &inner->outer : &s->join) = at;
  return at;
}

/* The split's threads part: `away` goes to `target`, the rest stays at s->pc. Both meet again at `meet`. */
static void diverge(struct warp *w, struct subwarp *s, u32 away, u32 target, u32 point, u32 depth) {
  int32_t join = join_at(w, s, point, depth);
  bool is_innermost = join >= 0 && join == s->join && w->joins[join].pc == point;
  s->mask &= ~away;
  if (target == point && is_innermost) { /* already there */
    w->joins[s->join].arrived |= away;
    return;
  }
  struct subwarp other = *s;
  other.mask = away;
  other.pc = target;
  if (s->pc == point && is_innermost) {
    w->joins[s->join].arrived |= s->mask;
    *s = other;
  } else {
    add_subwarp(w, other);
  }
}

/* Nobody waits at the join for the threads `gone` any more. If it is complete without them it goes on. */
static void leave_join(struct warp *w, int32_t index, u32 gone) {
  struct join *j = &w->joins[index];
  j->expected &= ~gone;
  if (j->arrived != j->expected)
    return;
  if (j->expected)
    add_subwarp(w, (struct subwarp){
                       .mask = j->expected, .pc = j->pc, .join = j->outer, .barrier = -1, .frame = j->frame});
  free_join(w, index);
}

/* The split has come to where ways meet: its innermost join's, or that of ways out of the join's region.
 * True: it goes on, with everybody that the join has waited for. */
static bool reconverge(struct warp *w, struct subwarp *s, const struct op *op, u32 pc) {
  while (s->join >= 0 && w->joins[s->join].frame == s->frame) {
    int32_t index = s->join;
    struct join *j = &w->joins[index];
    if (j->pc == pc) {
      j->arrived |= s->mask;
      if (j->arrived != j->expected)
        return false;
      s->mask = j->expected;
      s->join = j->outer;
      free_join(w, index);
    } else if (j->depth > op->depth) {
      if (op->reconverge != PTX_NO_FOLLOW && j->expected != s->mask)
        join_at(w, s, op->reconverge, op->depth);
      s->join = j->outer;
      leave_join(w, index, s->mask);
    } else {
      break;
    }
  }
  return true;
}

/* Threads that have waited at a join for very long go on without the rest, which may be spinning for them. */
static void expire_join(struct warp *w, struct subwarp *s, u64 taken) {
  s->taken += taken;
  if (s->join < 0 || s->taken < JOIN_SLICES * w->block->launch->time_slice)
    return;
  struct join *j = &w->joins[s->join];
  s->taken = 0;
  if (j->arrived)
    add_subwarp(w, (struct subwarp){
                       .mask = j->arrived, .pc = j->pc, .join = j->outer, .barrier = -1, .frame = j->frame});
  j->expected &= ~j->arrived;
  j->arrived = 0;
}

/* Threads `gone` have exited. */
static void leave_joins(struct warp *w, int32_t join, u32 gone) {
  while (join >= 0) {
    int32_t outer = w->joins[join].outer;
    leave_join(w, join, gone);
    join = outer;
  }
}

/* Calls */

static struct frame *new_frame(struct warp *w, const struct kernel *function) {
  struct frame *f = w->frames;
  while (f && (f->in_use || f->function != function))
    f = f->next;
  if (!f) {
    f = malloc(sizeof *f);
    char *registers = aligned_alloc(64, function->frame_bytes);
    if (!f || !registers)
      abort();
    *f = (struct frame){.function = function, .registers = registers, .next = w->frames};
    w->frames = f;
  }
  memset(f->registers, 0, function->frame_bytes);
  f->in_use = true;
  return f;
}

static char *param_bytes(const struct frame *f, u32 offset, u32 lane) {
  return f->registers + f->function->param_offset + lane * f->function->ptx->frame_param_bytes + offset;
}

static void pass_arguments(const struct call *call, const struct frame *caller, const struct frame *callee,
                           u32 m, bool results) {
  const struct ptx_function *f = callee->function->ptx;
  for (u32 i = 0; i < call->count; i++) {
    const struct argument *a = &call->arguments[i];
    if (a->is_result != results)
      continue;
    u32 place = a->theirs;
    if (call->callee == ANY_FUNCTION)
      place = (u32)(results ? f->returns[i] : f->params[i - f->return_count])->offset;
    FOR_ACTIVE(m, l) {
      char *own = param_bytes(caller, a->own, l), *theirs = param_bytes(callee, place, l);
      memcpy(results ? own : theirs, results ? theirs : own, a->size);
    }
  }
}

/* False: too deep. */
static bool enter(struct warp *w, struct subwarp *s, const struct op *op, u32 callee) {
  const struct module *module = w->block->launch->module;
  uint64_t stack_bytes = s->frame->stack_bytes + module->kernels[callee].frame_bytes;
  if (s->frame->depth == MAX_CALL_DEPTH || stack_bytes > MAX_STACK_BYTES)
    return false;
  struct frame *f = new_frame(w, &module->kernels[callee]);
  f->stack_bytes = stack_bytes;
  f->caller = s->frame;
  f->depth = s->frame->depth + 1;
  f->call = op;
  f->return_pc = s->pc;
  f->local_base = s->frame->local_base + (s->frame->function->local_bytes + 15) / 16 * 16;
  pass_arguments(&module->calls[op->extra], s->frame, f, s->mask, false);
  s->frame = f;
  s->pc = f->function->entry;
  return true;
}

/* The function at an address, if it takes and returns what the call passes; or ANY_FUNCTION. */
static u32 function_at(const struct module *module, const struct call *call, u64 address) {
  u64 number = (address - FUNCTION_WINDOW) / FUNCTION_BYTES;
  if (address < FUNCTION_WINDOW || address % FUNCTION_BYTES || number >= module->kernel_count)
    return ANY_FUNCTION;
  const struct ptx_function *f = module->kernels[number].ptx;
  bool fits = f->has_body && !f->is_entry && !module->kernels[number].refusal &&
              f->return_count + f->param_count == call->count;
  for (u32 i = 0; fits && i < call->count; i++) {
    bool is_result = i < f->return_count;
    const struct ptx_symbol *theirs = is_result ? f->returns[i] : f->params[i - f->return_count];
    fits = call->arguments[i].is_result == is_result && call->arguments[i].size == theirs->size;
  }
  return fits ? (u32)number : ANY_FUNCTION;
}

static void leave(struct warp *w, struct subwarp *s) {
  struct frame *f = s->frame;
  pass_arguments(&w->block->launch->module->calls[f->call->extra], f->caller, f, s->mask, true);
  s->pc = f->return_pc;
  s->frame = f->caller;
  f->in_use = false;
}

/* Of the split's lanes, those that call the same function as the first; the others part and meet them behind
 * the call. */
static u64 same_target(struct warp *w, struct subwarp *s, const struct op *op, char **bases) {
  const u64 *targets = (u64 *)AT(op->src[0]);
  u64 target = targets[__builtin_ctz(s->mask)];
  u32 others = 0;
  FOR_ACTIVE(s->mask, l) others |= (u32)(targets[l] != target) << l;
  if (others)
    diverge(w, s, others, s->pc, op->reconverge, PTX_NOT_LEFT - 1);
  return target;
}

/* Memory */

static inline u64 extend_to(u64 bits, enum ptx_type type) {
  switch (type) {
  case PTX_S8:
    return (u64)(s64)(int8_t)bits;
  case PTX_S16:
    return (u64)(s64)(s16)bits;
  case PTX_S32:
    return (u64)(s64)(s32)bits;
  default:
    return bits;
  }
}

static inline u64 read_bytes(const u8 *from, u32 bytes) {
  u64 value = 0;
  u32 word;
  switch (
      bytes) { /* sizes by name, so that the value stays in a register: read back, it would wait for stores */
  case 8:
    memcpy(&value, from, 8);
    return value;
  case 4:
    memcpy(&word, from, 4);
    return word;
  default:
    memcpy(&value, from, bytes);
    return value;
  }
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
      FOR_ACTIVE(x->mask, l) memcpy(&d[l], x->host[l] + e * 4, 4);
  } else if (bytes == 8) {
    u64 *d = (u64 *)to;
    if (x->contiguous && op->count == 1)
      memcpy(d, x->host[0], 8 * LANES);
    else if (x->contiguous)
      for (u32 l = 0; l < LANES; l++)
        memcpy(&d[l], x->host[0] + (l * op->count + e) * 8, 8);
    else
      FOR_ACTIVE(x->mask, l) memcpy(&d[l], x->host[l] + e * 8, 8);
  } else {
    FOR_ACTIVE(x->mask, l) {
      const u8 *from = x->contiguous ? x->host[0] + (l * op->count + e) * bytes : x->host[l] + e * bytes;
      u64 value = extend_to(read_bytes(from, bytes), (enum ptx_type)op->type);
      if (op->wide)
        ((u64 *)to)[l] = value;
      else
        ((u32 *)to)[l] = (u32)value;
    }
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
  u32 lane_bytes = op->wide ? 8 : 4;
  FOR_ACTIVE(x->mask, l) {
    u8 *to = x->contiguous ? x->host[0] + (l * op->count + e) * bytes : x->host[l] + e * bytes;
    if (bytes == 4)
      memcpy(to, from + l * lane_bytes, 4);
    else if (bytes == 8)
      memcpy(to, from + l * lane_bytes, 8);
    else
      memcpy(to, from + l * lane_bytes, bytes);
  }
}

static inline bool load(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m,
                        struct instruction_statistics *stats) {
  struct access x;
  u32 bytes = type_bytes[op->type];
  access_addresses(&x, op, AT(op->src[0]), m);
  if (!access_check(w, &x, op, pc, bytes * op->count, USE_READ, stats))
    return false;
  CHECK(check_load(w, &x, op, pc, bytes * op->count, bytes));
  for (u32 e = 0; e < op->count; e++)
    if (op->dst[e] != NO_OPERAND)
      load_element(&x, op, bytes, e, AT(op->dst[e]));
  return true;
}

static inline bool store(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m,
                         struct instruction_statistics *stats) {
  struct access x;
  u32 bytes = type_bytes[op->type];
  access_addresses(&x, op, AT(op->src[0]), m);
  if (!access_check(w, &x, op, pc, bytes * op->count, USE_WRITE, stats))
    return false;
  CHECK(check_store(w, &x, op, bases, pc, bytes * op->count, bytes));
  for (u32 e = 0; e < op->count; e++)
    store_element(&x, op, bytes, e, AT(op->src[1 + e]));
  return true;
}

/* Copies past L1 (.cg) have no coalescer: lanes 2k and 2k + 1 go together or alone. An H200 counts one sector
 * for both when they take a half each of the same one; among the loads, one when they are in the same line of
 * 128 bytes. Measured: tests/hardware/access_patterns.h200.csv. */
static void count_copy(const struct access *from, bool past_l1, struct instruction_statistics *stats) {
  stats->requests++;
  stats->bytes += from->bytes;
  if (!past_l1) {
    stats->sectors += from->sectors;
    stats->load_sectors += from->sectors;
    return;
  }
  for (int l = 0; l < LANES; l += 2) {
    u32 lanes = from->mask >> l & 3;
    u64 a = from->address[l], b = from->address[l + 1];
    bool both = lanes == 3;
    if (!lanes)
      continue;
    stats->sectors += 1 + (both && (a ^ b) != 16);
    stats->load_sectors += 1 + (both && a / 128 != b / 128);
  }
}

static __attribute__((noinline)) bool copy_async(struct warp *w, const struct op *op, char **bases, u32 pc,
                                                 u32 m, struct instruction_statistics *stats) {
  struct access from, to;
  struct op target = {.wide_address = op->wide, .offset = op->target_offset};
  u32 bytes = op->extra, reads = 0;
  const u32 *wanted = (u32 *)AT(op->src[2]);
  access_addresses(&from, op, AT(op->src[0]), m);
  access_addresses(&to, &target, AT(op->src[1]), m);
  u32 ignored = op->has_result ? PREDICATE(op->src[3]) ^ negated(op, 0) : 0;
  FOR_ACTIVE(m & ~ignored, l)
  reads |= (u32)(wanted[l] > 0) << l; /* who reads nothing needs no good address */
  from.mask = reads;
  if (!access_shared(w, &to, pc, bytes, USE_WRITE) ||
      (reads && !access_global(w, &from, pc, bytes, USE_READ)))
    return false;
  CHECK(check_copy(w, &from, &to, op, pc, bytes));
  if (reads)
    count_copy(&from, op->from, stats);
  stats->wavefronts += to.wavefronts;
  if (TRACING(w)) {
    trace_global(w->block->trace, w, pc, from.address, reads, bytes, !op->from);
    trace_shared(w->block->trace, w, pc, to.address, m, bytes, to.wavefronts);
  }
  FOR_ACTIVE(m, l) {
    u32 given = reads >> l & 1 ? (wanted[l] < bytes ? wanted[l] : bytes) : 0;
    memset(to.host[l] + given, 0, bytes - given);
    if (given)
      memcpy(to.host[l], from.contiguous ? from.host[0] + l * bytes : from.host[l], given);
  }
  return true;
}

/* Histograms live on this one. */
static void add_words(const struct access *x, const u32 *b, u32 *d) {
  FOR_ACTIVE(x->mask, l) {
    u32 *at = (u32 *)x->host[l], old = *at;
    *at = old + b[l];
    if (d)
      d[l] = old;
  }
}

static inline void apply_atomic(const struct access *x, const struct op *op, const char *b, const char *c,
                                char *d, bool wide, bool is_global) {
  u32 bytes = wide ? 8 : 4;
  FOR_ACTIVE(x->mask, l) {
    u64 old = atomic_apply(x->host[l], (enum atomic)op->from, (enum ptx_type)op->type,
                           read_bytes((const u8 *)b + l * bytes, bytes),
                           read_bytes((const u8 *)c + l * bytes, bytes), wide, is_global);
    if (d)
      memcpy(d + l * bytes, &old, bytes);
  }
}

/* Vectors and halves: element by element. */
static void apply_elements(const struct access *x, const struct op *op, char **bases, u32 bytes) {
  u32 lane = bytes == 8 ? 8 : 4;
  const char *c = AT(op->src[op->from == ATOM_CAS ? 2 : 1]);
  FOR_ACTIVE(x->mask, l) for (u32 e = 0; e < op->count; e++) {
    u64 b = read_bytes((u8 *)AT(op->src[1 + e]) + l * lane, bytes), old;
    u64 with = read_bytes((const u8 *)c + l * lane, bytes);
    u8 *at = x->host[l] + e * bytes;
    if (bytes == 2)
      old = atomic_apply_half((u16 *)at, (enum atomic)op->from, (enum ptx_type)op->type, b, with);
    else
      old = atomic_apply(at, (enum atomic)op->from, (enum ptx_type)op->type, b, with, bytes == 8, true);
    if (op->has_result && op->dst[e] != NO_OPERAND)
      memcpy(AT(op->dst[e]) + l * lane, &old, lane);
  }
}

/* 128 bits: a kernel that has this on global memory runs its blocks on one host thread. */
static void apply_pairs(const struct access *x, const struct op *op, char **bases) {
  enum { BYTES = 16 };
  FOR_ACTIVE(x->mask, l) {
    u64 old[2], b[2], c[2];
    memcpy(old, x->host[l], BYTES);
    for (u32 half = 0; half < 2; half++) {
      b[half] = ((u64 *)AT(op->src[1 + half]))[l];
      c[half] = op->from == ATOM_CAS ? ((u64 *)AT(op->src[3 + half]))[l] : b[half];
      if (op->dst[half] != NO_OPERAND)
        ((u64 *)AT(op->dst[half]))[l] = old[half];
    }
    if (op->from == ATOM_EXCH || memcmp(old, b, BYTES) == 0)
      memcpy(x->host[l], c, BYTES);
  }
}

static __attribute__((noinline)) bool atomic(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m,
                                             struct instruction_statistics *stats) {
  struct access x;
  u32 element = type_bytes[op->type], bytes = element * op->count;
  access_addresses(&x, op, AT(op->src[0]), m);
  enum ptx_space space = op->detail == PTX_GENERIC ? access_resolve(&x) : (enum ptx_space)op->detail;
  if (!access_counted(w, &x, space == PTX_SHARED ? PTX_SHARED : PTX_GLOBAL, pc, bytes, USE_ATOMIC, stats))
    return false;
  for (u32 l = 1; x.contiguous && l < LANES; l++)
    x.host[l] = x.host[0] + l * bytes;
  CHECK(check_atomic(w, &x, op, pc, bytes));
  const char *b = AT(op->src[1]), *c = op->from == ATOM_CAS ? AT(op->src[2]) : b;
  char *d = op->has_result && op->dst[0] != NO_OPERAND ? AT(op->dst[0]) : NULL;
  if (op->type == PTX_B128)
    apply_pairs(&x, op, bases);
  else if (element == 2 || op->count > 1)
    apply_elements(&x, op, bases, element);
  else if (space == PTX_SHARED && op->from == ATOM_ADD && (op->type == PTX_U32 || op->type == PTX_S32))
    add_words(&x, (const u32 *)b, (u32 *)d);
  else if (op->wide)
    apply_atomic(&x, op, b, c, d, true, space != PTX_SHARED);
  else
    apply_atomic(&x, op, b, c, d, false, space != PTX_SHARED);
  return true;
}

/* Whether a generic address lies in the space. */
static bool is_within(const struct warp *w, enum ptx_space space, u64 address) {
  const struct allocation *a;
  switch (space) {
  case PTX_GLOBAL:
    return address >= SIM_ADDRESS_FIRST;
  case PTX_CONST:
    a = memory_find(&w->block->launch->module->device->memory, address);
    return a && a->is_constant;
  default:
    return address >> 32 << 32 == (space == PTX_SHARED  ? SHARED_WINDOW
                                   : space == PTX_LOCAL ? LOCAL_WINDOW
                                                        : PARAM_WINDOW);
  }
}

/* The word of an mbarrier: arrivals that a phase expects, those still to come, and the number of the phase.
 */
enum { MBARRIER_BITS = 20 };
static u64 mbarrier_next(u64 word, u32 arrivals, bool drop) {
  const u64 most = (1u << MBARRIER_BITS) - 1;
  u64 expected = word & most, pending = word >> MBARRIER_BITS & most, phase = word >> (2 * MBARRIER_BITS);
  expected -= drop ? arrivals : 0;
  pending -= arrivals;
  if ((pending & most) == 0) {
    phase++;
    pending = expected;
  }
  return (expected & most) | (pending & most) << MBARRIER_BITS | phase << (2 * MBARRIER_BITS);
}

static __attribute__((noinline)) bool mbarrier(struct warp *w, const struct op *op, char **bases, u32 pc,
                                               u32 m) {
  struct access x;
  const u32 *b = (u32 *)AT(op->src[1]);
  const u64 *state = (u64 *)b;
  u32 held = 0;
  if (op->from == MBARRIER_PENDING) {
    FOR_ACTIVE(m, l)
    ((u32 *)AT(op->dst[0]))[l] = (u32)(state[l] >> MBARRIER_BITS) & ((1u << MBARRIER_BITS) - 1);
    return true;
  }
  access_addresses(&x, op, AT(op->src[0]), m);
  if (op->detail == PTX_GENERIC)
    access_resolve(&x);
  if (!access_shared(w, &x, pc, 8, true))
    return false;
  CHECK(check_mbarrier(w, &x, op, pc));
  FOR_ACTIVE(m, l) {
    u64 *word = (u64 *)x.host[l], old = *word;
    switch ((enum mbarrier)op->from) {
    case MBARRIER_INIT:
    case MBARRIER_INVAL:
      *word = op->from == MBARRIER_INVAL ? 0 : (u64)b[l] | (u64)b[l] << MBARRIER_BITS;
      break;
    case MBARRIER_TRACK:
      break;
    case MBARRIER_ARRIVE:
    case MBARRIER_DROP:
      *word = mbarrier_next(old, b[l], op->from == MBARRIER_DROP);
      if (op->dst[0] != NO_OPERAND)
        ((u64 *)AT(op->dst[0]))[l] = old;
      break;
    case MBARRIER_TEST:
      held |= (u32)((old ^ state[l]) >> (2 * MBARRIER_BITS) != 0) << l;
      break;
    default:
      held |= (u32)((old >> (2 * MBARRIER_BITS) & 1) != (b[l] & 1)) << l;
    }
  }
  if (op->from == MBARRIER_TEST || op->from == MBARRIER_TEST_PARITY) {
    SET_PREDICATE(op->dst[0], held);
    CHECK(if (w->block->check) check_copies_arrived(w->block, x.address, held));
  }
  return true;
}

static void load_kernel_param(const struct op *op, char **bases, const u8 *params, u32 m) {
  u32 bytes = type_bytes[op->type];
  for (u32 e = 0; e < op->count; e++) {
    if (op->dst[e] == NO_OPERAND)
      continue;
    u64 value = extend_to(read_bytes(params + op->offset + e * bytes, bytes), (enum ptx_type)op->type);
    u64 *wide = (u64 *)AT(op->dst[e]);
    u32 *narrow = (u32 *)wide;
    if (m == ALL_LANES && op->wide)
      FOR_LANES wide[l] = value;
    else if (m == ALL_LANES)
      FOR_LANES narrow[l] = (u32)value;
    else if (op->wide)
      FOR_ACTIVE(m, l) wide[l] = value;
    else
      FOR_ACTIVE(m, l) narrow[l] = (u32)value;
  }
}

static __attribute__((noinline)) void frame_param(const struct op *op, char **bases, const struct frame *f,
                                                  u32 m) {
  u32 bytes = type_bytes[op->type], lane_bytes = op->wide ? 8 : 4;
  bool is_load = op->code == OP_LOAD_PARAM;
  for (u32 e = 0; e < op->count; e++) {
    u32 operand = is_load ? op->dst[e] : op->src[e];
    if (operand == NO_OPERAND)
      continue;
    FOR_ACTIVE(m, l) {
      char *param = param_bytes(f, (u32)op->offset + e * bytes, l), *lane = AT(operand) + l * lane_bytes;
      u64 value = is_load ? extend_to(read_bytes((u8 *)param, bytes), (enum ptx_type)op->type) : 0;
      if (is_load)
        memcpy(lane, &value, lane_bytes);
      else
        memcpy(param, lane, bytes);
    }
  }
}

/* printf and assert */

static u64 argument(const struct frame *f, u32 offset, u32 lane, u32 bytes) {
  return read_bytes((const u8 *)param_bytes(f, offset, lane), bytes);
}

static __attribute__((noinline)) void print(struct warp *w, const struct op *op, const struct frame *f,
                                            u32 m) {
  const struct block *block = w->block;
  FOR_ACTIVE(m, l) {
    u64 at = argument(f, op->src[1], l, 8) - LOCAL_WINDOW;
    bool inside = at < block->local_stride;
    const u8 *arguments = block->local + (w->index * LANES + l) * block->local_stride + (inside ? at : 0);
    s32 result =
        print_formatted(&block->worker->text, &block->launch->module->device->memory,
                        argument(f, op->src[0], l, 8), arguments, inside ? block->local_stride - at : 0);
    memcpy(param_bytes(f, op->dst[0], l), &result, sizeof result);
  }
}

/* malloc and free. The kernel runs on one host thread: see is_ordered. */

static __attribute__((noinline)) void heap_allocate(struct warp *w, const struct op *op,
                                                    const struct frame *f, u32 m) {
  struct memory *memory = &w->block->launch->module->device->memory;
  FOR_ACTIVE(m, l) {
    struct allocation *a = memory_heap_allocate(memory, argument(f, op->src[0], l, 8));
    u64 address = a ? a->base : 0;
    CHECK(checks_allocated(w->block->launch->checks, a));
    memcpy(param_bytes(f, op->dst[0], l), &address, sizeof address);
  }
  worker_slots(w->block->worker, memory->slots);
}

static __attribute__((noinline)) bool heap_free(struct warp *w, const struct op *op, const struct frame *f,
                                                u32 pc, u32 m) {
  struct memory *memory = &w->block->launch->module->device->memory;
  FOR_ACTIVE(m, l) {
    u64 address = argument(f, op->src[0], l, 8);
    struct allocation *a = memory_find(memory, address);
    if (!address)
      continue;
    if (!a || a->base != address || !a->is_heap)
      return warp_fault(w, FAULT_FREE, pc, l, (struct fault){.address = address});
    memory_heap_free(memory, a);
  }
  return true;
}

static __attribute__((noinline)) bool fail_assertion(struct warp *w, const struct op *op,
                                                     const struct frame *f, u32 pc, u32 m) {
  u32 l = (u32)__builtin_ctz(m);
  return warp_fault(
      w, FAULT_ASSERT, pc, l,
      (struct fault){.message = argument(f, op->src[0], l, 8), .function = argument(f, op->src[3], l, 8)});
}

/* Warp-wide operations */

static __attribute__((noinline)) void shuffle(const struct op *op, char **bases, u32 m) {
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]), *c = (u32 *)AT(op->src[2]);
  u32 result[LANES], inside = 0;
  FOR_ACTIVE(m, l) { /* PTX ISA, shfl.sync */
    u32 by = b[l] & 31, clamp = c[l] & 31, segment = c[l] >> 8 & 31;
    u32 lowest = l & segment, highest = lowest | (clamp & ~segment), from;
    bool within;
    switch (op->detail) {
    case 0:
      from = l - by, within = (s32)from >= (s32)highest;
      break; /* up: clamp holds the lower bound */
    case 1:
      from = l + by, within = from <= highest;
      break;
    case 2:
      from = l ^ by, within = from <= highest;
      break;
    default:
      from = lowest | (by & ~segment), within = from <= highest;
      break;
    }
    if (!within)
      from = l;
    inside |= (u32)within << l;
    result[l] = a[from & 31];
  }
  if (op->dst[0] != NO_OPERAND) {
    u32 *d = (u32 *)AT(op->dst[0]);
    FOR_ACTIVE(m, l) d[l] = result[l];
  }
  if (op->dst[1] != NO_OPERAND)
    SET_PREDICATE(op->dst[1], inside);
}

/* Lanes of `waiting` that name the same members as its first lane, and what those members are. */
static u32 next_group(const u32 *members, u32 waiting, u32 *group_members) {
  *group_members = members[__builtin_ctz(waiting)];
  u32 group = 0;
  FOR_ACTIVE(waiting, l) if (members[l] == *group_members) group |= 1u << l;
  return group;
}

static void vote_group(const struct op *op, char **bases, u32 m, u32 members) {
  u32 held = (PREDICATE(op->src[0]) ^ negated(op, 0)) & members;
  if (op->detail == 3) {
    u32 *d = (u32 *)AT(op->dst[0]);
    FOR_ACTIVE(m, l) d[l] = held;
    return;
  }
  bool result = op->detail == 0   ? held == members
                : op->detail == 1 ? held != 0
                                  : held == members || held == 0;
  SET_PREDICATE(op->dst[0], result ? ALL_LANES : 0);
}

static void match_group(const struct op *op, char **bases, u32 m, u32 members) {
  u32 same[LANES], unanimous = ALL_LANES;
  const char *a = AT(op->src[0]);
  u32 bytes = op->wide ? 8 : 4;
  FOR_ACTIVE(m, l) {
    same[l] = 0;
    FOR_ACTIVE(members, k) if (memcmp(a + l * bytes, a + k * bytes, bytes) == 0) same[l] |= 1u << k;
    if (same[l] != members)
      unanimous = 0;
  }
  u32 *d = op->dst[0] == NO_OPERAND ? NULL : (u32 *)AT(op->dst[0]);
  FOR_ACTIVE(m, l) if (d) d[l] = op->detail ? members & unanimous : same[l];
  if (op->dst[1] != NO_OPERAND)
    SET_PREDICATE(op->dst[1], unanimous);
}

static u32 combine(const struct op *op, u32 a, u32 b) {
  bool less = op->type == PTX_S32 ? (s32)a < (s32)b : a < b;
  switch (op->detail) {
  case 0:
    return a + b;
  case 1:
    return a & b;
  case 2:
    return a | b;
  case 3:
    return a ^ b;
  case 4:
    return less ? a : b;
  default:
    return less ? b : a;
  }
}

static void reduce_group(const struct op *op, char **bases, u32 m, u32 members) {
  const u32 *a = (u32 *)AT(op->src[0]);
  u32 result = a[__builtin_ctz(members)], *d = (u32 *)AT(op->dst[0]);
  FOR_ACTIVE(members & (members - 1), l) result = combine(op, result, a[l]);
  FOR_ACTIVE(m, l) d[l] = result;
}

static void elect_group(const struct op *op, char **bases, u32 m, u32 members) {
  u32 leader = (u32)__builtin_ctz(members);
  if (op->dst[0] != NO_OPERAND)
    FOR_ACTIVE(m, l)((u32 *)AT(op->dst[0]))[l] = leader;
  SET_PREDICATE(op->dst[1], 1u << leader);
}

/* vote, match, redux and elect among the members that each lane names; lanes of a warp may name different
 * ones. */
static __attribute__((noinline)) void collective(const struct op *op, char **bases, u32 m) {
  const u32 *named = (u32 *)AT(op->src[3]);
  for (u32 waiting = m, members; waiting;) {
    u32 group = next_group(named, waiting, &members);
    waiting &= ~group;
    members &= m;
    if (members == 0)
      members = group; /* lanes that leave themselves out: undefined */
    if (op->code == OP_VOTE)
      vote_group(op, bases, group, members);
    else if (op->code == OP_MATCH)
      match_group(op, bases, group, members);
    else if (op->code == OP_ELECT)
      elect_group(op, bases, group, members);
    else
      reduce_group(op, bases, group, members);
  }
}

/* All lanes that the active ones name must be here too: in this split, or waiting at this instruction in
 * another one, which then goes on with the result. Returns all that take part, or 0 if some are still to
 * come. */
static u32 take_part(struct warp *w, struct subwarp *s, const u32 *named, u32 pc, u32 mask, u32 m) {
  u32 missing = 0, here = m;
  FOR_ACTIVE(m, l) missing |= named[l];
  missing &= w->live & ~mask;
  if (__builtin_expect(missing == 0, 1))
    return m;
  for (u32 i = 0; i < w->subwarp_count; i++) {
    const struct subwarp *o = &w->subwarps[i];
    if (o != s && o->waits && o->pc == pc && o->frame == s->frame)
      here |= o->mask;
  }
  s->waits = (missing & ~here) != 0;
  for (u32 i = 0; i < w->subwarp_count && !s->waits; i++) {
    struct subwarp *o = &w->subwarps[i];
    if (o != s && o->waits && o->pc == pc && o->frame == s->frame) {
      o->waits = false;
      o->pc = pc + 1;
    }
  }
  return s->waits ? 0 : here;
}

/* Less frequent arithmetic */

/* Nothing may move across: the operands are read from memory afterwards, the results written before. */
static inline void set_rounding(u32 rounding) {
  static const u32 modes[] = {_MM_ROUND_NEAREST, _MM_ROUND_TOWARD_ZERO, _MM_ROUND_DOWN, _MM_ROUND_UP};
  u32 control = (_mm_getcsr() & ~(u32)_MM_ROUND_MASK) | modes[rounding];
  __asm__ volatile("ldmxcsr %0" : : "m"(control) : "memory");
}

static __attribute__((noinline)) void carry(const struct op *op, char **bases, u32 m, bool is_64) {
  bool mad = op->detail & 1, sub = op->detail & 2, in = op->detail & 4, high = op->detail & 16,
       is_signed = op->detail & 32;
  u32 flags = PREDICATE(op->dst[1]), out = 0, bits = is_64 ? 64 : 32;
  u64 most = is_64 ? UINT64_MAX : UINT32_MAX;
  FOR_ACTIVE(m, l) {
    u64 v[3] = {0};
    for (u32 i = 0; i < (mad ? 3u : 2u); i++)
      v[i] = is_64 ? ((u64 *)AT(op->src[i]))[l] : ((u32 *)AT(op->src[i]))[l];
    u64 a = v[0], b = v[1];
    if (mad) {
      u128 product = is_signed && !is_64 ? (u128)((s64)(s32)v[0] * (s32)v[1])
                     : is_signed         ? (u128)((s128)(s64)v[0] * (s64)v[1])
                                         : (u128)v[0] * v[1];
      a = (u64)(high ? product >> bits : product) & most;
      b = v[2];
    }
    u128 wide = sub ? (u128)a + (~b & most) + (in ? (flags >> l & 1) ^ 1u : 1u)
                    : (u128)a + b + (in ? flags >> l & 1 : 0);
    u32 carry_out = (u32)(wide >> bits) & 1;
    out |= (sub ? carry_out ^ 1u : carry_out) << l;
    u64 value = (u64)wide & most;
    memcpy(AT(op->dst[0]) + l * (bits / 8), &value, bits / 8);
  }
  if (op->detail & 8)
    SET_PREDICATE(op->dst[1], out);
}

static __attribute__((noinline)) void convert_lanes(const struct op *op, char **bases, u32 m) {
  const char *a = AT(op->src[0]);
  char *d = AT(op->dst[0]);
  u32 from = op->wide_address ? 8 : 4, to = op->wide ? 8 : 4;
  FOR_ACTIVE(m, l) {
    u64 value = convert(read_bytes((const u8 *)a + l * from, from), (enum ptx_type)op->from,
                        (enum ptx_type)op->type, op->detail, op->extra);
    memcpy(d + l * to, &value, to);
  }
}

static __attribute__((noinline)) void convert_pair(const struct op *op, char **bases, u32 m) {
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]);
  u32 *d = (u32 *)AT(op->dst[0]);
  enum ptx_type type = (enum ptx_type)op->type;
  FOR_ACTIVE(m, l)
  d[l] = (u32)convert(a[l], PTX_F32, type, op->detail, op->extra) << 16 |
         (u32)convert(b[l], PTX_F32, type, op->detail, op->extra);
}

static __attribute__((noinline)) void convert_pack(const struct op *op, char **bases, u32 m) {
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]), *c = (u32 *)AT(op->src[2]);
  u32 *d = (u32 *)AT(op->dst[0]), bits = 8 * type_bytes[op->type], mask = (1u << bits) - 1;
  enum ptx_type type = (enum ptx_type)op->type;
  FOR_ACTIVE(m, l) {
    u32 high = (u32)convert(a[l], PTX_S32, type, 0, CONVERT_SATURATE) & mask,
        low = (u32)convert(b[l], PTX_S32, type, 0, CONVERT_SATURATE) & mask;
    d[l] = (bits == 8 ? c[l] << 16 : 0) | high << bits | low;
  }
}

/* 1 << (0: less, 1: equal, 2: greater, 3: unordered) */
static u32 order_of(enum ptx_type type, u64 a, u64 b, bool flush) {
  f64 x, y;
  bool less, equal;
  if (!ptx_type_is_float(type)) {
    s64 signed_a = (s64)extend_to(a, type), signed_b = (s64)extend_to(b, type);
    less = ptx_type_is_signed(type) ? signed_a < signed_b : a < b;
    equal = a == b;
  } else {
    if (type == PTX_F64)
      x = lane_f64(a), y = lane_f64(b);
    else if (type == PTX_F32)
      x = flush ? lane_ftz(lane_f32((u32)a)) : lane_f32((u32)a),
      y = flush ? lane_ftz(lane_f32((u32)b)) : lane_f32((u32)b);
    else
      x = half_value(type == PTX_F16 ? F16 : BF16, (u32)a),
      y = half_value(type == PTX_F16 ? F16 : BF16, (u32)b);
    if (x != x || y != y)
      return 8;
    less = x < y;
    equal = x == y;
  }
  return less ? 1 : equal ? 2 : 4;
}

/* What `set` leaves for true: one, or all ones. */
static u32 true_value(enum ptx_type type) {
  switch (type) {
  case PTX_F32:
    return 0x3f800000;
  case PTX_F16:
  case PTX_F16X2:
    return 0x3c00;
  case PTX_BF16:
  case PTX_BF16X2:
    return 0x3f80;
  default:
    return ALL_LANES;
  }
}

static __attribute__((noinline)) void set_lanes(const struct op *op, char **bases, u32 m) {
  const char *a = AT(op->src[0]), *b = AT(op->src[1]);
  u32 *d = (u32 *)AT(op->dst[0]), lane = op->wide ? 8 : 4,
      held_c = op->count ? PREDICATE(op->src[2]) ^ negated(op, 0) : 0;
  bool pair = op->from == PTX_F16X2 || op->from == PTX_BF16X2;
  enum ptx_type type = op->from == PTX_F16X2    ? PTX_F16
                       : op->from == PTX_BF16X2 ? PTX_BF16
                                                : (enum ptx_type)op->from;
  u32 bytes = type_bytes[type], value = true_value((enum ptx_type)op->type);
  FOR_ACTIVE(m, l) {
    u32 result = 0;
    for (u32 e = 0; e <= pair; e++) {
      bool held = op->detail & order_of(type, read_bytes((u8 *)a + l * lane + 2 * e, bytes),
                                        read_bytes((u8 *)b + l * lane + 2 * e, bytes), op->extra);
      bool c = held_c >> l & 1;
      held = op->count == 1 ? held && c : op->count == 2 ? held || c : op->count == 3 ? held != c : held;
      if (held)
        result |= pair ? (value & 0xffff) << (16 * e) : value;
    }
    d[l] = result;
  }
}

/* setp of two halves. */
static __attribute__((noinline)) void setp_pair(const struct op *op, char **bases, u32 m) {
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]);
  u32 c = op->count ? PREDICATE(op->src[2]) ^ negated(op, 0) : 0;
  enum ptx_type type = op->from == PTX_F16X2 ? PTX_F16 : PTX_BF16;
  for (u32 e = 0; e < 2; e++) {
    u32 held = 0;
    FOR_ACTIVE(m, l)
    held |=
        (u32)((op->detail & order_of(type, a[l] >> 16 * e & 0xffff, b[l] >> 16 * e & 0xffff, op->extra)) != 0)
        << l;
    held = op->count == 1 ? held & c : op->count == 2 ? held | c : op->count == 3 ? held ^ c : held;
    if (op->dst[e] != NO_OPERAND)
      SET_PREDICATE(op->dst[e], held);
  }
}

static __attribute__((noinline)) void pack(const struct op *op, char **bases, u32 m) {
  u32 bytes = type_bytes[op->type] / op->count, whole = op->wide ? 8 : 4;
  FOR_ACTIVE(m, l) {
    u64 value = 0;
    if (op->code == OP_PACK) {
      for (u32 e = 0; e < op->count; e++)
        value |= read_bytes((u8 *)AT(op->src[e]) + l * 4, bytes) << (8 * bytes * e);
      memcpy(AT(op->dst[0]) + l * whole, &value, whole);
    } else {
      value = read_bytes((u8 *)AT(op->src[0]) + l * whole, whole);
      for (u32 e = 0; e < op->count; e++)
        if (op->dst[e] != NO_OPERAND)
          ((u32 *)AT(op->dst[e]))[l] = (u32)(value >> (8 * bytes * e) & (UINT64_MAX >> (64 - 8 * bytes)));
    }
  }
}

static __attribute__((noinline)) u32 test_property(const struct op *op, char **bases) {
  u32 held = 0;
  for (u32 l = 0; l < LANES; l++) {
    double x = op->wide ? ((double *)AT(op->src[0]))[l] : ((float *)AT(op->src[0]))[l];
    int class = op->wide ? fpclassify(x) : fpclassify((float)x);
    bool is[] = {
        class != FP_NAN && class != FP_INFINITE, class == FP_INFINITE, class != FP_NAN, class == FP_NAN,
        class == FP_NORMAL || class == FP_ZERO,  class == FP_SUBNORMAL};
    held |= (u32)is[op->detail] << l;
  }
  return held;
}

/* Whether all threads of `lanes` wait where the kernel ends, for the rest of the warp to come there too. */
static bool wait_at_end(const struct warp *w, u32 lanes) {
  for (u64 used = w->joins_used; used; used &= used - 1) {
    const struct join *j = &w->joins[__builtin_ctzll(used)];
    if (w->block->launch->module->code[j->pc + 1].code == OP_EXIT)
      lanes &= ~j->arrived;
  }
  return lanes == 0;
}

/* Barriers. WAITS: others are still to come. */
static enum outcome arrive(struct warp *w, struct subwarp *s, const struct op *op, char **bases, u32 pc,
                           u32 m) {
  struct block *block = w->block;
  u32 lane = (u32)__builtin_ctz(m), id = ((u32 *)AT(op->src[0]))[lane] % BARRIERS;
  if (m != w->live && op->from == 0) {
    u32 others = w->live & ~m;
    warp_fault(w, wait_at_end(w, others) ? FAULT_EXITED_BARRIER : FAULT_DIVERGENT_BARRIER, pc, lane,
               (struct fault){.count = (u32)__builtin_popcount(others)});
    return FAULTED;
  }
  struct barrier *b = &block->barriers[id];
  b->expected = op->src[1] == NO_OPERAND ? block->launch->threads : ((u32 *)AT(op->src[1]))[lane];
  b->arrived += (u32)__builtin_popcount(m);
  CHECK(check_arrive(w, id));
  if (op->code == OP_BARRIER && op->detail)
    b->votes += (u32)__builtin_popcount((PREDICATE(op->src[2]) ^ negated(op, 0)) & m);
  if (op->code == OP_BARRIER)
    s->barrier = (s32)id;
  if (b->arrived < b->expected)
    return op->code == OP_BARRIER ? WAITS : CONTINUES;
  block_release(block, id);
  return CONTINUES;
}

/* Indexed branch of the lanes `m`: those that share a target go together. */
static void branch_indexed(struct warp *w, struct subwarp *s, const struct op *op, char **bases, u32 m) {
  const u32 *index = (u32 *)AT(op->src[0]), count = (u32)op->offset;
  const struct target *targets = &w->block->launch->module->targets[op->extra];
  if (m != s->mask)
    diverge(w, s, s->mask & ~m, s->pc + 1, op->reconverge, op->depth);
  for (;;) {
    const struct target *target = &targets[index[__builtin_ctz(s->mask)] % count];
    u32 group = 0;
    FOR_ACTIVE(s->mask, l) group |= (u32)(targets[index[l] % count].pc == target->pc) << l;
    if (group == s->mask) {
      s->pc = target->pc;
      return;
    }
    diverge(w, s, group, target->pc, target->reconverge, target->depth);
  }
}

/* Run the split at w->subwarps[which] until it waits, ends, faults or has had its turn. */
static enum outcome run_subwarp(struct warp *w, u32 which) {
  struct subwarp *s = &w->subwarps[which];
  struct worker *worker = w->block->worker;
  const struct op *const code = w->block->launch->module->code;
  struct instruction_statistics *const statistics = worker->statistics;
  _Alignas(64) char scratch[8 * LANES];
  char *bases[BASES];
  memcpy(bases, w->bases, sizeof bases);
  bases[BASE_FRAME] = s->frame->registers;
  const u64 slice = w->block->launch->time_slice;
  u64 left = slice, yielded = 0;
  u32 pc = s->pc, mask = s->mask;

#define NEXT continue
#define TAKEN (slice - yielded - left)
/* Others first: the next jump back ends the turn. */
#define YIELD                                                                                                \
  if (left <= slice) {                                                                                       \
    yielded = left;                                                                                          \
    left = 0;                                                                                                \
  }
  for (;; pc++) {
    const struct op *op = &code[pc];
    u32 m = mask;
    if (op->guard)
      m &= op->guard == GUARD_IF ? *(u32 *)(bases[BASE_FRAME] + op->predicate)
                                 : ~*(u32 *)(bases[BASE_FRAME] + op->predicate);
    struct instruction_statistics *stats = &statistics[pc];
    stats->warps++;
    stats->threads += (u32)__builtin_popcount(m);
    left--;
    if (TRACING(w))
      trace_instruction(w->block->trace, w, pc);
    if (m == 0)
      NEXT;
    switch ((enum opcode)op->code) {
#define OP1(id, D, A, expr, forms)                                                                           \
  case OP_##id: {                                                                                            \
    const LANE_TYPE_##A *pa = SOURCE(A, 0);                                                                  \
    RESULT(D);                                                                                               \
    FOR_LANES {                                                                                              \
      const A a = (A)pa[l];                                                                                  \
      d[l] = NARROW_##D(expr);                                                                               \
    }                                                                                                        \
    KEEP(D)                                                                                                  \
    NEXT;                                                                                                    \
  }
#define OP2(id, D, A, B, expr, forms)                                                                        \
  case OP_##id: {                                                                                            \
    const LANE_TYPE_##A *pa = SOURCE(A, 0);                                                                  \
    const LANE_TYPE_##B *pb = SOURCE(B, 1);                                                                  \
    RESULT(D);                                                                                               \
    FOR_LANES {                                                                                              \
      const A a = (A)pa[l];                                                                                  \
      const B b = (B)pb[l];                                                                                  \
      d[l] = NARROW_##D(expr);                                                                               \
    }                                                                                                        \
    KEEP(D)                                                                                                  \
    NEXT;                                                                                                    \
  }
#define OP3(id, D, A, B, C, expr, forms)                                                                     \
  case OP_##id: {                                                                                            \
    const LANE_TYPE_##A *pa = SOURCE(A, 0);                                                                  \
    const LANE_TYPE_##B *pb = SOURCE(B, 1);                                                                  \
    const LANE_TYPE_##C *pc_ = SOURCE(C, 2);                                                                 \
    RESULT(D);                                                                                               \
    FOR_LANES {                                                                                              \
      const A a = (A)pa[l];                                                                                  \
      const B b = (B)pb[l];                                                                                  \
      const C c = (C)pc_[l];                                                                                 \
      d[l] = NARROW_##D(expr);                                                                               \
    }                                                                                                        \
    KEEP(D)                                                                                                  \
    NEXT;                                                                                                    \
  }
#define SETP(id, A, expr, forms)                                                                             \
  case OP_##id: {                                                                                            \
    const LANE_TYPE_##A *pa = SOURCE(A, 0), *pb = SOURCE(A, 1);                                              \
    u32 held = 0;                                                                                            \
    FOR_LANES {                                                                                              \
      const A a = (A)pa[l], b = (A)pb[l];                                                                    \
      held |= (u32)(expr) << l;                                                                              \
    }                                                                                                        \
    set_predicates(op, bases, m, held);                                                                      \
    NEXT;                                                                                                    \
  }
#include "ops.def"

    case OP_PRED_MOV:
      SET_PREDICATE(op->dst[0], PREDICATE(op->src[0]) ^ negated(op, 0));
      NEXT;
    case OP_PRED_AND:
      SET_PREDICATE(op->dst[0],
                    (PREDICATE(op->src[0]) ^ negated(op, 0)) & (PREDICATE(op->src[1]) ^ negated(op, 1)));
      NEXT;
    case OP_PRED_OR:
      SET_PREDICATE(op->dst[0],
                    (PREDICATE(op->src[0]) ^ negated(op, 0)) | (PREDICATE(op->src[1]) ^ negated(op, 1)));
      NEXT;
    case OP_PRED_XOR:
      SET_PREDICATE(op->dst[0],
                    (PREDICATE(op->src[0]) ^ negated(op, 0)) ^ (PREDICATE(op->src[1]) ^ negated(op, 1)));
      NEXT;
    case OP_SELP_32: {
      const u32 *a = SOURCE(u32, 0), *b = SOURCE(u32, 1), held = PREDICATE(op->src[2]) ^ negated(op, 0);
      RESULT(u32);
      for (u32 l = 0; l < LANES; l++)
        d[l] = held >> l & 1 ? a[l] : b[l];
      KEEP(u32)
      NEXT;
    }
    case OP_SELP_64: {
      const u64 *a = SOURCE(u64, 0), *b = SOURCE(u64, 1);
      u32 held = PREDICATE(op->src[2]) ^ negated(op, 0);
      RESULT(u64);
      for (u32 l = 0; l < LANES; l++)
        d[l] = held >> l & 1 ? a[l] : b[l];
      KEEP(u64)
      NEXT;
    }
    case OP_TESTP:
      SET_PREDICATE(op->dst[0], test_property(op, bases));
      NEXT;
    case OP_LOP3: {
      const u32 *a = SOURCE(u32, 0), *b = SOURCE(u32, 1), *c = SOURCE(u32, 2);
      RESULT(u32);
      FOR_LANES d[l] = lane_lookup(a[l], b[l], c[l], op->extra);
      KEEP(u32)
      NEXT;
    }
    case OP_BFI_32: {
      const u32 *a = SOURCE(u32, 0), *b = SOURCE(u32, 1), *c = SOURCE(u32, 2), *e = SOURCE(u32, 3);
      RESULT(u32);
      for (int l = 0; l < LANES; l++)
        d[l] = (u32)lane_insert(a[l], b[l], c[l], e[l], 32);
      KEEP(u32)
      NEXT;
    }
    case OP_BFI_64: {
      const u64 *a = SOURCE(u64, 0), *b = SOURCE(u64, 1);
      const u32 *c = SOURCE(u32, 2), *e = SOURCE(u32, 3);
      RESULT(u64);
      for (int l = 0; l < LANES; l++)
        d[l] = lane_insert(a[l], b[l], c[l], e[l], 64);
      KEEP(u64)
      NEXT;
    }
    case OP_CARRY_32:
      carry(op, bases, m, false);
      NEXT;
    case OP_CARRY_64:
      carry(op, bases, m, true);
      NEXT;
    case OP_CVT:
      convert_lanes(op, bases, m);
      NEXT;
    case OP_CVT_PAIR:
      convert_pair(op, bases, m);
      NEXT;
    case OP_CVT_PACK:
      convert_pack(op, bases, m);
      NEXT;
    case OP_SET:
      set_lanes(op, bases, m);
      NEXT;
    case OP_SETP_PAIR:
      setp_pair(op, bases, m);
      NEXT;
    case OP_ROUND: /* of the host: the next instruction is done as a whole before the one that sets it back */
      stats->warps--;
      stats->threads -= (u32)__builtin_popcount(m);
      left++;
      set_rounding(op->detail);
      NEXT;
    case OP_SATURATE: {
      f32 *d = (f32 *)AT(op->dst[0]);
      stats->warps--;
      stats->threads -= (u32)__builtin_popcount(m);
      left++;
      FOR_ACTIVE(m, l) d[l] = d[l] > 0 ? (d[l] < 1 ? d[l] : 1) : 0;
      NEXT;
    }
    case OP_PACK:
    case OP_UNPACK:
      pack(op, bases, m);
      NEXT;
    case OP_LOCAL_ADDRESS: {
      u64 address = s->frame->local_base + (u64)op->offset;
      FOR_ACTIVE(m, l) memcpy(AT(op->dst[0]) + l * (op->wide ? 8 : 4), &address, op->wide ? 8 : 4);
      NEXT;
    }
    case OP_CLOCK: { /* instructions of this warp so far: grows, and is the same in every run */
      u64 now = w->taken + TAKEN;
      if (op->detail == PTX_CLOCK_HI)
        now >>= 32;
      FOR_ACTIVE(m, l) memcpy(AT(op->dst[0]) + l * (op->wide ? 8 : 4), &now, op->wide ? 8 : 4);
      NEXT;
    }

    case OP_LOAD:
      if (!load(w, op, bases, pc, m, stats))
        return FAULTED;
      NEXT;
    case OP_STORE:
      if (!store(w, op, bases, pc, m, stats))
        return FAULTED;
      NEXT;
    case OP_ATOMIC:
      if (!atomic(w, op, bases, pc, m, stats))
        return FAULTED;
      NEXT;
    case OP_COPY_ASYNC:
      if (!copy_async(w, op, bases, pc, m, stats))
        return FAULTED;
      NEXT;
    case OP_LOAD_KERNEL_PARAM:
      load_kernel_param(op, bases, w->block->launch->params, m);
      NEXT;
    case OP_LOAD_PARAM:
    case OP_STORE_PARAM:
      frame_param(op, bases, s->frame, m);
      NEXT;
    case OP_COPIES:
      CHECK(if (w->block->check) check_copies_group(w, op, m));
      NEXT;
    case OP_FENCE:
      CHECK(if (op->sync) check_fence(w));
      if (op->extra)
        YIELD
      NEXT;
    case OP_ISSPACEP: {
      const u64 *a = SOURCE(u64, 0);
      u32 held = 0;
      FOR_LANES held |= (u32)is_within(w, (enum ptx_space)op->detail, a[l]) << l;
      SET_PREDICATE(op->dst[0], held);
      NEXT;
    }

    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_ELECT:
    case OP_WARP_SYNC: {
      u32 all = take_part(w, s, (u32 *)AT(op->src[3]), pc, mask, m);
      if (all == 0) {
        s->mask = mask;
        s->pc = pc;
        stats->warps--;
        stats->threads -= (u32)__builtin_popcount(m);
        w->taken += TAKEN;
        return WAITS;
      }
      stats->threads += (u32)__builtin_popcount(all & ~m);
      CHECK(check_together(w, (u32 *)AT(op->src[3]), all));
      if (op->code == OP_SHFL)
        shuffle(op, bases, all);
      else if (op->code != OP_WARP_SYNC)
        collective(op, bases, all);
      NEXT;
    }
    case OP_ACTIVEMASK: {
      u32 *d = (u32 *)AT(op->dst[0]);
      FOR_ACTIVE(m, l) d[l] = m;
      NEXT;
    }

    case OP_RECONVERGE:
      stats->warps--;
      stats->threads -= (u32)__builtin_popcount(m);
      left++;
      if (s->join < 0 || (w->joins[s->join].pc != pc && w->joins[s->join].depth <= op->depth))
        NEXT;
      s->mask = mask;
      if (!reconverge(w, s, op, pc)) {
        w->taken += TAKEN;
        remove_subwarp(w, s);
        return ENDED;
      }
      mask = s->mask;
      NEXT;
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
      diverge(w, s, m, op->target, op->reconverge, op->depth);
      pc = s->pc - 1;
      mask = s->mask;
      NEXT;
    case OP_BRX:
      if (left > slice)
        goto slice_over;
      s->mask = mask;
      s->pc = pc;
      branch_indexed(w, s, op, bases, m);
      stats->divergent += s->mask != mask;
      pc = s->pc - 1;
      mask = s->mask;
      NEXT;
    case OP_CALL:
      if (left > slice) /* calls need no loop to take for ever */
        goto slice_over;
      s->mask = mask;
      s->pc = pc + 1;
      if (!enter(w, s, op, w->block->launch->module->calls[op->extra].callee)) {
        warp_fault(w, FAULT_CALL_DEPTH, pc, (u32)__builtin_ctz(m), (struct fault){.count = MAX_CALL_DEPTH});
        return FAULTED;
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
      u64 address = same_target(w, s, op, bases);
      u32 callee = function_at(module, &module->calls[op->extra], address);
      mask = s->mask;
      s->pc = pc + 1;
      if (callee == ANY_FUNCTION || !enter(w, s, op, callee)) {
        warp_fault(w, callee == ANY_FUNCTION ? FAULT_CALL_TARGET : FAULT_CALL_DEPTH, pc,
                   (u32)__builtin_ctz(mask), (struct fault){.address = address, .count = MAX_CALL_DEPTH});
        return FAULTED;
      }
      bases[BASE_FRAME] = s->frame->registers;
      pc = s->pc - 1;
      NEXT;
    }
    case OP_MBARRIER:
      if (!mbarrier(w, op, bases, pc, m))
        return FAULTED;
      if ((op->from == MBARRIER_TEST || op->from == MBARRIER_TEST_PARITY) && m & ~PREDICATE(op->dst[0]))
        YIELD
      NEXT;
    case OP_PRINT:
      print(w, op, s->frame, m);
      NEXT;
    case OP_MALLOC:
      heap_allocate(w, op, s->frame, m);
      NEXT;
    case OP_FREE:
      if (!heap_free(w, op, s->frame, pc, m))
        return FAULTED;
      NEXT;
    case OP_ASSERT:
      fail_assertion(w, op, s->frame, pc, m);
      return FAULTED;
    case OP_RET:
      leave(w, s);
      bases[BASE_FRAME] = s->frame->registers;
      pc = s->pc - 1;
      NEXT;
    case OP_EXIT: {
      w->live &= ~m;
      w->block->exited += (u32)__builtin_popcount(m);
      for (u32 i = 0; i < w->subwarp_count; i++)
        w->subwarps[i].waits = false; /* nobody waits for them any more */
      int32_t join = s->join;
      mask &= ~m;
      s->mask = mask;
      if (mask == 0) {
        w->taken += TAKEN;
        remove_subwarp(w, s);
        leave_joins(w, join, m);
        return ENDED;
      }
      leave_joins(w, join, m);
      NEXT;
    }
    case OP_TRAP:
      warp_fault(w, FAULT_TRAP, pc, (u32)__builtin_ctz(m), (struct fault){0});
      return FAULTED;
    case OP_BARRIER:
    case OP_BARRIER_ARRIVE:
      s->mask = mask;
      s->pc = pc + 1;
      switch (arrive(w, s, op, bases, pc, m)) {
      case CONTINUES:
        NEXT;
      case FAULTED:
        return FAULTED;
      default:
        w->taken += TAKEN;
        return WAITS;
      }
    case OP_COUNT:
      break;
    }
    continue;
  slice_over:
    s->mask = mask;
    s->pc = pc;
    stats->warps--;
    stats->threads -= (u32)__builtin_popcount(m);
    w->taken += slice - yielded;
    return SLICE_OVER;
  }
}

bool warp_run(struct warp *w) {
  for (u32 which = 0; which < w->subwarp_count;) {
    if (w->subwarps[which].barrier >= 0 || w->subwarps[which].waits) {
      which++;
      continue;
    }
    u64 before = w->taken;
    switch (run_subwarp(w, which)) {
    case FAULTED:
      return false;
    case SLICE_OVER:
      expire_join(w, &w->subwarps[which], w->taken - before);
      if (atomic_load_explicit(&w->block->launch->fault_block, memory_order_relaxed) < w->block->index)
        return false;
      if (w->taken > w->block->launch->budget)
        return warp_fault(w, FAULT_BUDGET, w->subwarps[which].pc, (u32)__builtin_ctz(w->subwarps[which].mask),
                          (struct fault){0});
      which++;
      break;
    default:
      break; /* others may be able to go on now, also before this one */
    }
  }
  return true;
}
