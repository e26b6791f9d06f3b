#include "decode.h"

#include <stdio.h>
#include <string.h>

#include "decode_arithmetic.h"
#include "decode_control.h"
#include "decode_matrix.h"
#include "decode_memory.h"
#include "decode_texture.h"
#include "decode_video.h"
#include "speculation.h"
#include "turns.h"

/* Classes of rows; the others have CLASS_OTHER. */
static const uint8_t class_of[OP_COUNT] = {
    [OP_ADD_F32] = CLASS_FADD,     [OP_ADD_FTZ_F32] = CLASS_FADD, [OP_SUB_F32] = CLASS_FADD,
    [OP_SUB_FTZ_F32] = CLASS_FADD, [OP_MUL_F32] = CLASS_FMUL,     [OP_MUL_FTZ_F32] = CLASS_FMUL,
    [OP_FMA_F32] = CLASS_FFMA,     [OP_FMA_FTZ_F32] = CLASS_FFMA, [OP_ADD_F64] = CLASS_DADD,
    [OP_SUB_F64] = CLASS_DADD,     [OP_MUL_F64] = CLASS_DMUL,     [OP_FMA_F64] = CLASS_DFMA,
};

/* The mnemonic without its modifier `.part`. */
static void without(char *op, const char *part) {
  size_t length = strlen(part);
  for (char *at = strchr(op, '.'); at; at = strchr(at + 1, '.'))
    if (strncmp(at + 1, part, length) == 0 && (at[1 + length] == '.' || at[1 + length] == '\0')) {
      memmove(at, at + 1 + length, strlen(at + 1 + length) + 1);
      return;
    }
}

/* Only cvt accepts registers wider than its types; the rows do not. */
static bool fits_row(struct decoder *d, const struct op_row *row) {
  const struct ptx_operand *to = decoder_operand(d, 0), *from = decoder_operand(d, 1);
  return to->kind == PTX_OPERAND_REGISTER &&
         decoder_lane_bytes(d->function->reg_types[to->reg]) == row->result &&
         (from->kind != PTX_OPERAND_REGISTER ||
          decoder_lane_bytes(d->function->reg_types[from->reg]) == row->source[0]);
}

/* Floating-point arithmetic: extra instructions before and after it set directed rounding and saturate. */
static bool is_float_arithmetic(const struct ptx_inst *inst) {
  static const char *const names[] = {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_is(inst, names[i])) {
      enum ptx_type type = ptx_type_part(inst->op, 0);
      return type == PTX_F32 || type == PTX_F64;
    }
  return false;
}

static enum rounding rounding_of(const struct ptx_inst *inst) {
  if (!is_float_arithmetic(inst))
    return ROUND_NEAREST;
  return ptx_has(inst->op, "rz")   ? ROUND_ZERO
         : ptx_has(inst->op, "rm") ? ROUND_DOWN
         : ptx_has(inst->op, "rp") ? ROUND_UP
                                   : ROUND_NEAREST;
}

static bool is_saturated(const struct ptx_inst *inst) {
  return ptx_has(inst->op, "sat") && is_float_arithmetic(inst) && ptx_type_part(inst->op, 0) == PTX_F32;
}

/* Decodes an instruction that has a row with an expression; returns false if it has none. */
static bool decode_row(struct decoder *d, struct op *op) {
  char form[128];
  snprintf(form, sizeof form, "%s", d->inst->op);
  if (rounding_of(d->inst) != ROUND_NEAREST)
    form[strcspn(form, ".") + 2] = 'n'; /* the rounding is the first modifier */
  if (is_saturated(d->inst))
    without(form, "sat");
  bool setp = ptx_is(d->inst, "setp");
  if (setp) {
    static const char *const dropped[] = {"and", "or", "xor"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
      without(form, dropped[i]);
  }
  enum opcode code = op_of_form(form);
  if (code == OP_COUNT)
    return false;
  const struct op_row *row = op_row(code);
  if (ptx_is(d->inst, "cvt") && !fits_row(d, row))
    return false;
  if (!setp && d->inst->operand_count > row->sources + 1u) /* for example, min of three values */
    decoder_refuse(d, "wrong number of operands");
  op->code = (uint16_t)code;
  op->class = (uint8_t)class_of[code];
  if (setp)
    decode_setp(d, op);
  else
    op->dst[0] = decoder_result(d, 0, row->result);
  for (uint32_t i = 0; i < row->sources; i++)
    op->src[i] = decoder_source(d, decoder_operand(d, i + 1), row->source[i]);
  return true;
}

/* Instructions without a row that gives their value. */
static const struct handler {
  const char *mnemonic;
  void (*decode)(struct decoder *, struct op *);
} handlers[] = {
    {"ld", decode_memory},
    {"ldu", decode_memory},
    {"st", decode_memory},
    {"atom", decode_atomic},
    {"red", decode_atomic},
    {"cp", decode_copy_async},
    {"mbarrier", decode_mbarrier},
    {"tex", decode_texture},
    {"tld4", decode_texture},
    {"txq", decode_texture_query},
    {"suq", decode_texture_query},
    {"suld", decode_surface},
    {"sust", decode_surface},
    {"cvta", decode_cvta},
    {"isspacep", decode_isspacep},
    {"createpolicy", decode_policy},
    {"membar", decode_fence},
    {"fence", decode_fence},
    {"prefetch", decode_fence},
    {"prefetchu", decode_fence},
    {"discard", decode_fence},
    {"applypriority", decode_fence},
    {"nanosleep", decode_fence},
    {"griddepcontrol", decode_fence},
    {"setmaxnreg", decode_fence},
    {"pmevent", decode_fence},
    {"cvt", decode_cvt},
    {"set", decode_set},
    {"setp", decode_setp_pair},
    {"add", decode_carry},
    {"addc", decode_carry},
    {"sub", decode_carry},
    {"subc", decode_carry},
    {"mad", decode_carry},
    {"madc", decode_carry},
    {"mov", decode_pred},
    {"not", decode_pred},
    {"and", decode_pred},
    {"or", decode_pred},
    {"xor", decode_pred},
    {"selp", decode_selp},
    {"lop3", decode_lop3},
    {"bfi", decode_bfi},
    {"testp", decode_testp},
    {"shfl", decode_shfl},
    {"vote", decode_vote},
    {"match", decode_match},
    {"redux", decode_redux},
    {"elect", decode_elect},
    {"activemask", decode_activemask},
    {"vadd", decode_video},
    {"vadd2", decode_video},
    {"vadd4", decode_video},
    {"vsub", decode_video},
    {"vsub2", decode_video},
    {"vsub4", decode_video},
    {"vabsdiff", decode_video},
    {"vabsdiff2", decode_video},
    {"vabsdiff4", decode_video},
    {"vmin", decode_video},
    {"vmin2", decode_video},
    {"vmin4", decode_video},
    {"vmax", decode_video},
    {"vmax2", decode_video},
    {"vmax4", decode_video},
    {"vavrg2", decode_video},
    {"vavrg4", decode_video},
    {"vshl", decode_video},
    {"vshr", decode_video},
    {"vmad", decode_video},
    {"vset", decode_video},
    {"vset2", decode_video},
    {"vset4", decode_video},
    {"wmma", decode_matrix},
    {"mma", decode_matrix},
    {"wgmma", decode_matrix},
    {"ldmatrix", decode_matrix},
    {"stmatrix", decode_matrix},
    {"movmatrix", decode_matrix},
    {"bar", decode_barrier},
    {"barrier", decode_barrier},
    {"mapa", decode_cluster_address},
    {"getctarank", decode_cluster_address},
    {"bra", decode_branch},
    {"brx", decode_branch},
    {"call", decode_call},
    {"ret", decode_return},
    {"exit", decode_exit},
    {"trap", decode_trap},
    {"brkpt", decode_trap},
};

static void decode_other(struct decoder *d, struct op *op) {
  for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
    if (ptx_is(d->inst, handlers[i].mnemonic)) {
      handlers[i].decode(d, op);
      return;
    }
  decoder_refuse(d, "unsupported instruction");
}

static struct op decode_inst(struct decoder *d) {
  struct op op = {.dst = {NO_OPERAND, NO_OPERAND, NO_OPERAND, NO_OPERAND}};
  if (d->inst->guard >= 0) {
    op.guard = d->inst->guard_negated ? GUARD_UNLESS : GUARD_IF;
    op.predicate = decoder_predicate(d, d->inst->guard);
  }
  if (ptx_is(d->inst, "mov") && d->inst->operand_count == 2 && ptx_type_part(d->inst->op, 0) != PTX_PRED &&
      decode_mov(d, &op))
    return op;
  if (!decode_row(d, &op))
    decode_other(d, &op);
  return op;
}

static void append_op(struct decoder *d, struct op op, const struct ptx_inst *inst) {
  struct module *m = d->module;
  const struct ptx_function *f = d->function;
  struct arena *arena = &m->ptx->arena;
  m->code = arena_grow(arena, m->code, m->code_count, sizeof *m->code);
  m->locations = arena_grow(arena, m->locations, m->code_count, sizeof *m->locations);
  m->mnemonics = arena_grow(arena, m->mnemonics, m->code_count, sizeof *m->mnemonics);
  m->insts = arena_grow(arena, m->insts, m->code_count, sizeof *m->insts);
  m->code[m->code_count] = op;
  m->insts[m->code_count] = inst && inst->op[0] ? (uint32_t)(inst - f->insts) : f->inst_count;
  m->mnemonics[m->code_count] = inst ? inst->op : "ret";
  m->locations[m->code_count++] = inst ? inst->location : (struct ptx_location){0};
}

/* Number of operations of an instruction: itself, and those before and after it for its modifiers. */
static uint32_t parts_of(const struct ptx_inst *inst) {
  return 1 + (rounding_of(inst) != ROUND_NEAREST ? 2 : 0) + is_saturated(inst) + decode_moves_128(inst);
}

static void append_inst(struct decoder *d) {
  struct op op = decode_inst(d), after = op;
  enum rounding rounding = rounding_of(d->inst);
  if (rounding != ROUND_NEAREST)
    append_op(d, (struct op){.code = OP_ROUND, .rounding = (uint8_t)rounding}, d->inst);
  append_op(d, op, d->inst);
  if (rounding != ROUND_NEAREST)
    append_op(d, (struct op){.code = OP_ROUND, .rounding = ROUND_NEAREST}, d->inst);
  after.code = OP_SATURATE;
  after.class = CLASS_OTHER;
  if (decode_moves_128(d->inst))
    decode_mov_128(d, &after, 1);
  if (is_saturated(d->inst) || decode_moves_128(d->inst))
    append_op(d, after, d->inst);
}

static void count_mentions(struct decoder *d, const struct ptx_operand *operands, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const struct ptx_operand *o = &operands[i];
    if (o->kind == PTX_OPERAND_REGISTER || (o->kind == PTX_OPERAND_MEMORY && o->reg >= 0))
      d->mentions[o->reg]++;
    if (o->kind == PTX_OPERAND_VECTOR)
      count_mentions(d, o->elements, o->count);
  }
}

enum {
  MAX_FRAME_BYTES = 8 << 20,
  MAX_LOCAL_BYTES = 512 << 10,  /* per thread, CUDA C++ Programming Guide, Technical Specifications */
  DEFAULT_SHARED = 48 << 10,    /* per block, without opting in */
  MAX_SHARED_BYTES = 227 << 10, /* with opting in */
};

/* A called function may name the dynamic shared arrays, too. */
static uint32_t dynamic_align(const struct ptx_module *m, const struct ptx_function *f) {
  enum { LEAST = 16 };
  const uint32_t most = f->dynamic_align > m->dynamic_align ? f->dynamic_align : m->dynamic_align;
  return most > LEAST ? most : LEAST;
}

static void lay_out_memory(struct decoder *d) {
  const struct ptx_function *f = d->function;
  const struct ptx_module *m = d->module->ptx;
  struct kernel *k = d->kernel;
  uint64_t shared = f->shared_bytes ? decoder_own_shared(m) + f->shared_bytes : m->shared_bytes;
  if (f->local_bytes > MAX_LOCAL_BYTES)
    decoder_refuse(d, "%llu bytes of local memory: at most %d are supported",
                   (unsigned long long)f->local_bytes, MAX_LOCAL_BYTES);
  if (shared > MAX_SHARED_BYTES)
    decoder_refuse(d, "%llu bytes of shared memory: at most %d are supported", (unsigned long long)shared,
                   MAX_SHARED_BYTES);
  k->local_bytes = (uint32_t)f->local_bytes;
  k->shared_static = (uint32_t)shared;
  const uint32_t align = dynamic_align(m, f);
  k->shared_dynamic_base = (k->shared_static + align - 1) / align * align;
  k->shared_dynamic_max = k->shared_static > DEFAULT_SHARED ? 0 : DEFAULT_SHARED - k->shared_static;
}

/* The carry flag, the predicates, the registers by width, then the parameters by lane. */
static void lay_out_frame(struct decoder *d) {
  const struct ptx_function *f = d->function;
  uint64_t at = 4;
  for (uint32_t pass = 0; pass <= 4; pass++) {
    if (pass == 1)
      at = (at + 63) / 64 * 64;
    for (uint32_t r = 0; r < f->reg_count; r++) {
      uint32_t width = f->reg_types[r] == PTX_PRED ? 0 : decoder_lane_bytes(f->reg_types[r]) / 4;
      if (width != pass)
        continue;
      d->offsets[r] = (uint32_t)at;
      at += width == 0 ? 4 : (uint64_t)width * 4 * LANES;
    }
  }
  d->kernel->param_offset = (uint32_t)((at + 63) / 64 * 64);
  at = d->kernel->param_offset + f->frame_param_bytes * LANES;
  if (at > MAX_FRAME_BYTES)
    decoder_refuse(d, "function needs too many registers");
  d->kernel->frame_bytes = (uint32_t)((at + 63) / 64 * 64);
}

static bool *reconvergence_points(struct decoder *d) {
  const struct ptx_function *f = d->function;
  bool *reconverges = arena_alloc(&d->module->ptx->arena, f->inst_count + 1, sizeof *reconverges);
  reconverges[f->inst_count] = true;
  for (uint32_t i = 0; i < f->inst_count; i++) {
    const struct ptx_inst *inst = &f->insts[i];
    reconverges[i] |= inst->leaves != PTX_NOT_LEFT;
    if (inst->follow != PTX_NO_FOLLOW && inst->leaves != PTX_NOT_LEFT)
      reconverges[inst->follow] = true;
    if (ptx_is(inst, "bra") || ptx_is(inst, "brx") || ptx_is(inst, "ret"))
      reconverges[inst->reconverge] = true;
    reconverges[i + 1] |= decode_is_indirect_call(inst);
    if (ptx_is(inst, "brx") && inst->operand_count == 2 && inst->operands[1].symbol)
      for (uint32_t k = 0; k < inst->operands[1].symbol->target_count; k++)
        reconverges[inst->reconvergences[k].inst] = true;
  }
  return reconverges;
}

/* A reconvergence point, at which lanes that leave a loop also leave its joins. */
static struct op reconvergence_op(const struct decoder *d, uint32_t inst) {
  struct op op = {.code = OP_RECONVERGE, .depth = PTX_NOT_LEFT, .reconverge = PTX_NO_FOLLOW};
  if (inst == d->function->inst_count) {
    op.depth = 0;
  } else if (d->function->insts[inst].leaves != PTX_NOT_LEFT) {
    op.depth = d->function->insts[inst].leaves;
    uint32_t follow = d->function->insts[inst].follow;
    op.reconverge = follow == PTX_NO_FOLLOW ? PTX_NO_FOLLOW : d->labels[follow];
  }
  return op;
}

static uint32_t count_uses(const struct speculation_use *use) {
  uint32_t count = 0;
  for (; use; use = use->next)
    count++;
  return count;
}

/* The checks see the load here, for the lanes that use its value. */
static struct op late_read(struct decoder *d, const struct speculation_use *use) {
  struct op op = {.code = OP_LATE_READ, .target = d->labels[use->load + 1] - 1};
  struct op *load = &d->module->code[op.target];
  if (!load->late && d->module->late_count < MOST_LATE)
    load->late = ++d->module->late_count;
  if (use->choice) {
    op.guard = use->choice->negated == use->otherwise ? GUARD_IF : GUARD_UNLESS;
    op.predicate = decoder_predicate(d, use->choice->reg);
  } else if (d->inst->guard >= 0 && !use->is_guard) {
    op.guard = d->inst->guard_negated ? GUARD_UNLESS : GUARD_IF;
    op.predicate = decoder_predicate(d, d->inst->guard);
  }
  return op;
}

void decode_function(struct decoder *d, const struct ptx_function *f, struct kernel *kernel) {
  static const struct ptx_inst nothing = {.op = "", .guard = -1};
  struct arena *arena = &d->module->ptx->arena;
  d->function = f;
  d->kernel = kernel;
  d->inst = f->inst_count ? f->insts : &nothing;
  lay_out_memory(d);
  kernel->offsets = d->offsets = arena_alloc(arena, f->reg_count + 1, sizeof *d->offsets);
  d->mentions = arena_alloc(arena, f->reg_count + 1, sizeof *d->mentions);
  for (uint32_t i = 0; i < f->inst_count; i++)
    count_mentions(d, f->insts[i].operands, f->insts[i].operand_count);
  lay_out_frame(d);
  const bool is_lenient = d->module->device->memory.lenient, *reconverges = reconvergence_points(d),
             *turns = is_lenient ? turns_before(f, arena) : NULL;
  struct speculation_use **uses = is_lenient ? NULL : speculation_uses(f, arena);
  d->labels = arena_alloc(arena, f->inst_count + 1, sizeof *d->labels);
  uint32_t at = kernel->entry = d->module->code_count;
  for (uint32_t i = 0; i <= f->inst_count; i++) {
    d->labels[i] = at;
    at += reconverges[i] + (turns && turns[i]) + (uses ? count_uses(uses[i]) : 0) +
          (i < f->inst_count ? parts_of(&f->insts[i]) : 1);
  }
  for (uint32_t i = 0; i <= f->inst_count; i++) {
    d->inst = i < f->inst_count ? &f->insts[i] : &nothing;
    if (reconverges[i])
      append_op(d, reconvergence_op(d, i), d->inst);
    if (turns && turns[i])
      append_op(d, (struct op){.code = OP_TURN}, d->inst);
    for (const struct speculation_use *use = uses ? uses[i] : NULL; use; use = use->next)
      append_op(d, late_read(d, use), d->inst);
    if (i < f->inst_count)
      append_inst(d);
  }
  append_op(d, (struct op){.code = f->is_entry ? OP_EXIT : OP_RET}, NULL);
  kernel->end = d->module->code_count;
}
