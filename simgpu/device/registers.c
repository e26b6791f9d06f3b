#include "registers.h"

#include <stdlib.h>
#include <string.h>

#include "device/room.h"
#include "warps_held.h"

/* ptxas needs some besides the program's own values: the kernels of lab 01 take 18, 32 and 61 on sm_90. */
enum { OWN_REGISTERS = 8, FEWEST = 16, MOST = 255, ROUNDS = 16, UNKNOWN = 32 };
#define MOST_WORDS (UINT64_C(1) << 24) /* of sets: larger functions are not analysed */

/* Properties of an instruction, from its mnemonic. */
enum { WRITES = 1 /* the first operand, which it does not read */, ENDS = 2, JUMPS = 4, NAMES_LABELS = 8 };

struct sets {     /* of registers, one bit each */
  uint64_t *live; /* by block of instructions: before it */
  uint32_t words, block_count;
  uint32_t *blocks; /* by instruction: the block that it starts, or NONE */
  uint8_t *kinds;   /* by instruction: WRITES, … */
};
#define NONE UINT32_MAX

static void set_bit(uint64_t *set, int32_t reg, bool on) {
  if (reg < 0)
    return;
  uint64_t bit = UINT64_C(1) << (reg & 63);
  set[reg >> 6] = on ? set[reg >> 6] | bit : set[reg >> 6] & ~bit;
}

static void mark(uint64_t *set, const struct ptx_operand *o, bool on) {
  set_bit(set, o->reg, on);
  set_bit(set, o->pair, on);
  for (uint32_t i = 0; i < o->count && o->elements; i++)
    mark(set, &o->elements[i], on);
}

bool registers_writes_first(const struct ptx_inst *inst) {
  static const char *const without[] = {
      "st",    "red",  "bra",   "brx", "bar",      "barrier",   "ret",       "exit", "call",  "membar",
      "fence", "trap", "brkpt", "cp",  "prefetch", "prefetchu", "nanosleep", "sust", "wgmma", NULL};
  return !ptx_is_any(inst, without) && inst->operand_count > 0 &&
         inst->operands[0].kind != PTX_OPERAND_MEMORY;
}

static uint8_t kind_of(const struct ptx_inst *inst) {
  static const char *const ends[] = {"ret", "exit", NULL};
  const bool always = inst->guard < 0;
  return (uint8_t)(registers_writes_first(inst) * WRITES | (always && ptx_is_any(inst, ends)) * ENDS |
                   (always && ptx_is(inst, "bra")) * JUMPS | (ptx_target_count(inst) > 0) * NAMES_LABELS);
}

static void start_block(struct sets *s, const struct ptx_function *f, uint64_t at) {
  if (at < f->inst_count)
    s->blocks[at] = 0;
}

static void find_blocks(struct sets *s, const struct ptx_function *f) {
  for (uint32_t at = 0; at < f->inst_count; at++) {
    s->kinds[at] = kind_of(&f->insts[at]);
    s->blocks[at] = NONE;
  }
  start_block(s, f, 0);
  for (uint32_t at = 0; at < f->inst_count; at++) {
    const struct ptx_inst *inst = &f->insts[at];
    if (s->kinds[at] & (ENDS | JUMPS | NAMES_LABELS))
      start_block(s, f, at + 1);
    for (uint32_t n = 0; s->kinds[at] & NAMES_LABELS && n < ptx_target_count(inst); n++)
      start_block(s, f, ptx_target(inst, n));
  }
  for (uint32_t at = 0; at < f->inst_count; at++)
    if (s->blocks[at] != NONE)
      s->blocks[at] = s->block_count++;
}

static void add(const struct sets *s, const struct ptx_function *f, uint64_t at, uint64_t *now) {
  for (uint32_t w = 0; at < f->inst_count && w < s->words; w++)
    now[w] |= s->live[(size_t)s->blocks[at] * s->words + w];
}

/* now: the registers that are live after the last instruction of a block. */
static void find_after(const struct sets *s, const struct ptx_function *f, uint32_t at, uint64_t *now) {
  const struct ptx_inst *inst = &f->insts[at];
  memset(now, 0, s->words * sizeof *now);
  if (!(s->kinds[at] & (ENDS | JUMPS)))
    add(s, f, at + 1, now);
  for (uint32_t n = 0; s->kinds[at] & NAMES_LABELS && n < ptx_target_count(inst); n++)
    add(s, f, ptx_target(inst, n), now);
}

/* live before = (live after − written) ∪ read. */
static void step_back(const struct ptx_inst *inst, uint8_t kind, uint64_t *now) {
  const uint32_t writes = kind & WRITES;
  if (writes && inst->guard < 0)
    mark(now, &inst->operands[0], false);
  for (uint32_t i = writes; i < inst->operand_count; i++)
    mark(now, &inst->operands[i], true);
  set_bit(now, inst->guard, true);
}

/* One pass over all blocks, from the end. Returns whether a set has changed. */
static bool pass(const struct sets *s, const struct ptx_function *f, uint64_t *now) {
  bool changed = false, starts = true;
  for (uint32_t at = f->inst_count; at-- > 0;) {
    if (starts)
      find_after(s, f, at, now);
    step_back(&f->insts[at], s->kinds[at], now);
    starts = s->blocks[at] != NONE;
    if (!starts)
      continue;
    uint64_t *live = s->live + (size_t)s->blocks[at] * s->words;
    changed |= memcmp(live, now, s->words * sizeof *now) != 0;
    memcpy(live, now, s->words * sizeof *now);
  }
  return changed;
}

static bool has_bit(const uint64_t *set, int32_t reg) {
  return reg >= 0 && (set[reg >> 6] >> (reg & 63) & 1) != 0;
}

/* ld.param, or ld.const from an address that is known. */
static bool reads_constant(const struct ptx_inst *inst) {
  return ptx_is(inst, "ld") &&
         (ptx_has(inst->op, "param") || (ptx_has(inst->op, "const") && inst->operands[1].reg < 0));
}

/* Parameters, their addresses in another space, and constants at known addresses are operands in constant memory and
 * need no register. Adds to `set` the scalar ones that no other instruction writes. */
static void mark_parameters(const struct ptx_function *f, const uint8_t *kinds, uint64_t *set,
                            uint64_t *written) {
  for (uint32_t at = 0; at < f->inst_count; at++) {
    const struct ptx_inst *inst = &f->insts[at];
    if (!(kinds[at] & WRITES))
      continue;
    const struct ptx_operand *to = &inst->operands[0];
    bool copy = (ptx_is(inst, "cvta") || ptx_is(inst, "mov")) && inst->operand_count == 2 &&
                has_bit(set, inst->operands[1].reg);
    bool is_parameter = to->reg >= 0 && !has_bit(written, to->reg) && (reads_constant(inst) || copy);
    mark(set, to, false);
    if (is_parameter)
      set_bit(set, to->reg, true);
    mark(written, to, true);
  }
}

static uint32_t weight(const struct ptx_function *f, const uint64_t *set, const uint64_t *without,
                       uint32_t words) {
  uint32_t sum = 0;
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t bits = set[w] & ~without[w]; bits; bits &= bits - 1) {
      enum ptx_type type = f->reg_types[64 * w + (uint32_t)__builtin_ctzll(bits)];
      unsigned bytes = ptx_type_bytes(type);
      sum += type == PTX_PRED ? 0 : bytes > 4 ? bytes / 4 : 1;
    }
  return sum;
}

static uint32_t most_live(const struct sets *s, const struct ptx_function *f, const uint64_t *without,
                          uint64_t *now) {
  uint32_t most = 0;
  bool starts = true;
  for (uint32_t at = f->inst_count; at-- > 0;) {
    if (starts)
      find_after(s, f, at, now);
    step_back(&f->insts[at], s->kinds[at], now);
    starts = s->blocks[at] != NONE;
    const uint32_t live = weight(f, now, without, s->words);
    most = live > most ? live : most;
  }
  return most;
}

uint32_t registers_needed(const struct ptx_function *f) {
  struct sets s = {.words = f->reg_count / 64 + 1};
  if ((uint64_t)s.words * (f->inst_count + 1u) > MOST_WORDS)
    return UNKNOWN;
  s.kinds = room_zeroed(f->inst_count + 1, 1);
  s.blocks = room_zeroed(f->inst_count + 1, sizeof *s.blocks);
  find_blocks(&s, f);
  s.live = room_zeroed((size_t)s.words * (s.block_count + 3), sizeof *s.live);
  uint64_t *now = s.live + (size_t)s.words * s.block_count, *parameters = now + s.words;
  for (int round = 0; round < ROUNDS && pass(&s, f, now); round++)
    continue;
  mark_parameters(f, s.kinds, parameters, parameters + s.words);
  uint32_t most = most_live(&s, f, parameters, now);
  free(s.live);
  free(s.kinds);
  free(s.blocks);
  most += OWN_REGISTERS;
  return most < FEWEST ? FEWEST : most > MOST ? MOST : most;
}

uint32_t registers_allowed(const struct ptx_function *f) {
  enum { OF_A_MULTIPROCESSOR = 1 << 16, UNIT = 8 };
  const uint32_t blocks = f->least_blocks ? f->least_blocks : 1,
                 threads = blocks * ((f->max_threads + LANES - 1) / LANES * LANES);
  uint32_t allowed = threads ? OF_A_MULTIPROCESSOR / threads / UNIT * UNIT : MOST;
  if (f->max_registers && f->max_registers < allowed)
    allowed = f->max_registers;
  return allowed < MOST ? allowed : MOST;
}

/* Computed once, when it is needed: most kernels of a module are never launched. */
static uint32_t needed_by(const struct kernel *kernel) {
  struct kernel *k = (struct kernel *)(uintptr_t)kernel; /* our module owns it */
  if (!k->registers)
    k->registers = registers_needed(k->ptx);
  return k->registers;
}

/* The estimate of what a kernel needs is too high for some kernels: ptxas computes some values again. */
static bool is_far_above(uint32_t needed, uint32_t allowed) { return needed > allowed + allowed / 2; }

uint32_t kernel_spills(const struct kernel *kernel) {
  const uint32_t allowed = registers_allowed(kernel->ptx);
  if (allowed == MOST)
    return 0;
  const uint32_t needed = needed_by(kernel);
  return is_far_above(needed, allowed) ? needed - allowed : 0;
}

uint32_t kernel_registers(const struct kernel *kernel) {
  const uint32_t needed = needed_by(kernel), allowed = registers_allowed(kernel->ptx);
  return needed < allowed ? needed : allowed;
}

uint32_t kernel_local_bytes(const struct kernel *kernel) {
  return kernel->local_bytes + kernel_spills(kernel) * 4;
}

uint32_t kernel_most_threads(const struct kernel *kernel) {
  const uint32_t registers = kernel_registers(kernel);
  if (kernel->ptx->max_threads)
    return kernel->ptx->max_threads;
  if (!is_far_above(registers, REGISTERS / MAX_BLOCK_THREADS))
    return MAX_BLOCK_THREADS;
  return warps_held(REGISTERS, registers) * LANES;
}
