#include "decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "model.h"
#include "report.h"

/* The table as data */

enum lane {
  LANE_none,
  LANE_u16 = 4,
  LANE_s16 = 4,
  LANE_u32 = 4,
  LANE_s32 = 4,
  LANE_f32 = 4,
  LANE_u64 = 8,
  LANE_s64 = 8,
  LANE_f64 = 8
};

static const struct row {
  const char *name, *forms;
  uint8_t sources, result; /* number of operands; bytes per lane of the result, 0: a predicate */
  uint8_t source[3];       /* bytes per lane */
} rows[] = {
#define OP1(id, D, A, expr, forms) [OP_##id] = {#id, forms, 1, LANE_##D, {LANE_##A}},
#define OP2(id, D, A, B, expr, forms) [OP_##id] = {#id, forms, 2, LANE_##D, {LANE_##A, LANE_##B}},
#define OP3(id, D, A, B, C, expr, forms)                                                                     \
  [OP_##id] = {#id, forms, 3, LANE_##D, {LANE_##A, LANE_##B, LANE_##C}},
#define SETP(id, A, expr, forms) [OP_##id] = {#id, forms, 2, 0, {LANE_##A, LANE_##A}},
#define CODE(id, note) [OP_##id] = {#id, "", 0, 0, {0}},
#include "ops.def"
};

const char *op_name(enum opcode code) { return code < OP_COUNT ? rows[code].name : "?"; }

enum { FORM_BUCKETS = 2048 };
static struct form {
  const char *text;
  uint16_t length, code;
} forms[FORM_BUCKETS]; /* open addressing */

static struct form *form_slot(const char *text, size_t length) {
  for (uint32_t h = ptx_hash(text, length);; h++) {
    struct form *f = &forms[h % FORM_BUCKETS];
    if (!f->text || (f->length == length && memcmp(f->text, text, length) == 0))
      return f;
  }
}

static void fill_forms(void) {
  for (int code = 0; code < OP_COUNT; code++)
    for (const char *at = rows[code].forms; *at;) {
      size_t length = strcspn(at, " ");
      *form_slot(at, length) = (struct form){at, (uint16_t)length, (uint16_t)code};
      at += length + (at[length] == ' ');
    }
}

enum opcode op_of_form(const char *form) {
  if (!forms[ptx_hash("add.s32", 7) % FORM_BUCKETS].text)
    fill_forms();
  const struct form *f = form_slot(form, strlen(form));
  return f->text ? (enum opcode)f->code : OP_COUNT;
}

/* Decoding */

struct constant {
  uint64_t bits;
  uint8_t bytes;
  uint32_t offset;
  uint32_t next; /* in its bucket: number of another one, from 1; 0: none */
};
enum { CONSTANT_BUCKETS = 1 << 12 };

struct constants { /* of a module */
  struct constant *list;
  uint32_t count;
  uint32_t buckets[CONSTANT_BUCKETS]; /* first of each, from 1 */
};

struct decoder {
  struct module *module;
  const struct ptx_function *function;
  struct kernel *kernel;
  const struct ptx_inst *inst;
  uint32_t *offsets;  /* of the function's registers in the frame */
  uint32_t *mentions; /* how often each register is named */
  uint32_t *labels;   /* by instruction of the function: index in the code */
  jmp_buf escape;     /* from the module's declarations, or from the function */
  const char *refusal;
};

/* Refuse the function, or the module: one line, why. */
_Noreturn static void stop(struct decoder *d, const char *format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  d->refusal = arena_string(&d->module->ptx->arena, line, strlen(line));
  longjmp(d->escape, 1);
}

_Noreturn static void refuse(struct decoder *d, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const struct ptx_location at = d->inst->location;
  const char *file = report_file(d->module->ptx, at);
  if (file)
    stop(d, "%s:%u: %s: '%s' (PTX line %u, in %s)", file, at.line, text, d->inst->op, d->inst->ptx_line,
         d->function->name);
  stop(d, "PTX line %u: %s: '%s' (in %s)", d->inst->ptx_line, text, d->inst->op, d->function->name);
}

_Noreturn static void out_of_memory(void *context) {
  struct decoder *d = context;
  d->refusal = "the module needs too much memory";
  longjmp(d->escape, 1);
}

static void watch_memory(struct decoder *d) {
  d->module->ptx->arena.fail = out_of_memory;
  d->module->ptx->arena.context = d;
}

static unsigned lane_bytes(enum ptx_type type) {
  unsigned bytes = ptx_type_bytes(type);
  return bytes > 4 ? bytes : 4;
}

/* Room for `bytes` more in the module's constants, and a vector's worth beyond. */
static void reserve_constants(struct decoder *d, uint32_t bytes) {
  struct module *m = d->module;
  if (m->constant_bytes + bytes <= m->constant_room)
    return;
  const uint32_t room = m->constant_room ? 2 * m->constant_room : 4096;
  char *fresh = aligned_alloc(64, room + 64);
  if (!fresh)
    out_of_memory(d);
  if (m->constants)
    memcpy(fresh, m->constants, m->constant_bytes);
  free(m->constants);
  m->constants = fresh;
  m->constant_room = room;
}

static uint32_t constant(struct decoder *d, uint64_t bits, unsigned bytes) {
  struct module *m = d->module;
  struct constants *known = m->known_constants;
  if (bytes == 4)
    bits = (uint32_t)bits;
  uint32_t *bucket = &known->buckets[ptx_hash((const char *)&bits, sizeof bits) % CONSTANT_BUCKETS];
  for (uint32_t i = *bucket; i > 0; i = known->list[i - 1].next)
    if (known->list[i - 1].bits == bits && known->list[i - 1].bytes == bytes)
      return known->list[i - 1].offset;
  if (m->constant_bytes > OFFSET_MASK - bytes * LANES)
    refuse(d, "too many constants");
  reserve_constants(d, bytes * LANES);
  known->list = arena_grow(&m->ptx->arena, known->list, known->count, sizeof *known->list);
  struct constant *c = &known->list[known->count++];
  *c = (struct constant){bits, (uint8_t)bytes, (uint32_t)BASE_CONSTANT << BASE_SHIFT | m->constant_bytes,
                         *bucket};
  *bucket = known->count;
  for (unsigned lane = 0; lane < LANES; lane++)
    memcpy(m->constants + m->constant_bytes + lane * bytes, &bits, bytes);
  m->constant_bytes += bytes * LANES;
  return c->offset;
}

static const struct ptx_operand *operand_at(struct decoder *d, uint32_t n) {
  if (n >= d->inst->operand_count)
    refuse(d, "too few operands");
  return &d->inst->operands[n];
}

static uint32_t reg(struct decoder *d, int32_t number, unsigned bytes) {
  if (number < 0)
    refuse(d, "expected a register");
  enum ptx_type type = d->function->reg_types[number];
  if (type == PTX_PRED || lane_bytes(type) != bytes)
    refuse(d, "operand has the wrong width");
  return d->offsets[number];
}

/* Registers of 128 bits are two arrays of 64: the low halves of all lanes, then the high ones. */
static uint32_t half_register(struct decoder *d, const struct ptx_operand *o, uint32_t half) {
  if (o->kind != PTX_OPERAND_REGISTER)
    refuse(d, "expected a register");
  return reg(d, o->reg, 16) + half * 8 * LANES;
}

static uint32_t predicate(struct decoder *d, int32_t number) {
  if (number < 0 || d->function->reg_types[number] != PTX_PRED)
    refuse(d, "expected a predicate");
  return d->offsets[number];
}

static bool is_kernel_param(const struct decoder *d, const struct ptx_symbol *symbol) {
  if (!d->function->is_entry)
    return false;
  for (uint32_t i = 0; i < d->function->param_count; i++)
    if (d->function->params[i] == symbol)
      return true;
  return false;
}

/* Where the shared variables of a kernel start: behind those that all kernels of the module have. */
static uint64_t own_shared(const struct ptx_module *m) { return (m->shared_bytes + 127) / 128 * 128; }

/* In a function dynamic shared memory starts where it does for the kernel that calls. */
static bool is_dynamic_of_caller(const struct decoder *d, const struct ptx_symbol *symbol) {
  return symbol && symbol->kind == PTX_SYMBOL_VARIABLE && symbol->space == PTX_SHARED && symbol->is_extern &&
         !d->function->is_entry;
}

/* The address of a variable in its own space; local ones are relative to the frame. */
static uint64_t function_address(const struct module *m, const struct ptx_function *function) {
  uint64_t index = 0;
  for (const struct ptx_function *f = m->ptx->functions; f != function; f = f->next)
    index++;
  return FUNCTION_WINDOW + index * FUNCTION_BYTES;
}

static uint64_t address_of(struct decoder *d, const struct ptx_symbol *symbol) {
  if (symbol->kind == PTX_SYMBOL_FUNCTION)
    return function_address(d->module, symbol->function);
  if (symbol->kind != PTX_SYMBOL_VARIABLE)
    refuse(d, "unsupported operand '%s'", symbol->name);
  const struct ptx_module *m = d->module->ptx;
  switch (symbol->space) {
  case PTX_GLOBAL:
  case PTX_CONST:
    if (d->module->addresses[symbol->first])
      return d->module->addresses[symbol->first];
    refuse(d, "variable '%s' is declared but not defined in this file", symbol->name);
  case PTX_SHARED:
    if (symbol->is_extern) {
      d->kernel->names_dynamic_shared = true;
      return d->kernel->shared_dynamic_base;
    }
    return symbol->offset + (symbol->function ? own_shared(m) : 0);
  case PTX_PARAM:
    if (!is_kernel_param(d, symbol))
      refuse(d, "address of a function parameter is not supported");
    return symbol->offset;
  default:
    return symbol->offset;
  }
}

static uint64_t immediate(struct decoder *d, const struct ptx_operand *o, unsigned bytes) {
  if (o->kind == PTX_OPERAND_DOUBLE && bytes == 4) {
    double value;
    memcpy(&value, &o->value, sizeof value);
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  if (o->kind == PTX_OPERAND_FLOAT && bytes == 8)
    refuse(d, "single-precision constant in a double-precision operation");
  return o->value;
}

static uint32_t special(struct decoder *d, uint64_t which) {
  if (which < PTX_CTAID_X)
    return (uint32_t)BASE_WARP << BASE_SHIFT | (uint32_t)which * LANES * 4;
  if (which < PTX_CLOCK)
    return (uint32_t)BASE_BLOCK << BASE_SHIFT | (uint32_t)(which - PTX_CTAID_X) * LANES * 4;
  refuse(d, "unsupported use of a special register");
}

static uint32_t source(struct decoder *d, const struct ptx_operand *o, unsigned bytes) {
  switch (o->kind) {
  case PTX_OPERAND_REGISTER:
    return reg(d, o->reg, bytes);
  case PTX_OPERAND_SPECIAL:
    if (bytes != 4)
      refuse(d, "operand has the wrong width");
    return special(d, o->value);
  case PTX_OPERAND_INTEGER:
  case PTX_OPERAND_FLOAT:
  case PTX_OPERAND_DOUBLE:
    return constant(d, immediate(d, o, bytes), bytes);
  case PTX_OPERAND_SYMBOL:
    if (is_dynamic_of_caller(d, o->symbol))
      refuse(d, "unsupported operand '%s'", o->symbol->name);
    return constant(d, address_of(d, o->symbol) + o->value, bytes);
  default:
    refuse(d, "unsupported operand");
  }
}

static uint32_t predicate_source(struct decoder *d, const struct ptx_operand *o) {
  if (o->kind == PTX_OPERAND_REGISTER)
    return predicate(d, o->reg);
  if (o->kind == PTX_OPERAND_INTEGER)
    return constant(d, o->value & 1 ? ALL_LANES : 0, 4);
  refuse(d, "expected a predicate");
}

static uint32_t result(struct decoder *d, uint32_t n, unsigned bytes) {
  const struct ptx_operand *o = operand_at(d, n);
  if (o->kind != PTX_OPERAND_REGISTER)
    refuse(d, "expected a register");
  return reg(d, o->reg, bytes);
}

static bool starts(const struct ptx_inst *inst, const char *base) {
  const char *op = inst->op;
  for (; *base && *op == *base; base++)
    op++;
  return !*base && (*op == '.' || *op == '\0');
}

/* The mnemonic without its part `.part`. */
static void without(char *op, const char *part) {
  size_t length = strlen(part);
  for (char *at = strchr(op, '.'); at; at = strchr(at + 1, '.'))
    if (strncmp(at + 1, part, length) == 0 && (at[1 + length] == '.' || at[1 + length] == '\0')) {
      memmove(at, at + 1 + length, strlen(at + 1 + length) + 1);
      return;
    }
}

static enum op_class class_of(const char *op) {
  bool is_double = ptx_type_part(op, 0) == PTX_F64;
  if (!is_double && ptx_type_part(op, 0) != PTX_F32)
    return CLASS_OTHER;
  if (!strncmp(op, "add.", 4) || !strncmp(op, "sub.", 4))
    return is_double ? CLASS_DADD : CLASS_FADD;
  if (!strncmp(op, "mul.", 4))
    return is_double ? CLASS_DMUL : CLASS_FMUL;
  if (!strncmp(op, "fma.", 4) || !strncmp(op, "mad.", 4))
    return is_double ? CLASS_DFMA : CLASS_FFMA;
  return CLASS_OTHER;
}

/* setp.cmp[.bool][.ftz].type p[|q], a, b [, c] */
static void decode_setp(struct decoder *d, struct op *op) {
  const struct ptx_operand *to = operand_at(d, 0);
  if (to->kind == PTX_OPERAND_REGISTER)
    op->dst[0] = predicate(d, to->reg);
  op->dst[1] = to->pair >= 0 ? predicate(d, to->pair) : NO_OPERAND;
  if (d->inst->operand_count == 4) {
    const struct ptx_operand *c = operand_at(d, 3);
    op->src[2] = predicate_source(d, c);
    op->negate = c->negated;
    op->detail = ptx_has(d->inst->op, "and") ? 1 : ptx_has(d->inst->op, "or") ? 2 : 3;
  }
}

/* cvt alone takes registers wider than its types; the rows do not. */
static bool fits_row(struct decoder *d, const struct row *row) {
  const struct ptx_operand *to = operand_at(d, 0), *from = operand_at(d, 1);
  return to->kind == PTX_OPERAND_REGISTER && lane_bytes(d->function->reg_types[to->reg]) == row->result &&
         (from->kind != PTX_OPERAND_REGISTER ||
          lane_bytes(d->function->reg_types[from->reg]) == row->source[0]);
}

/* Float arithmetic whose rounding is directed, or whose result is cut off to [0, 1]: that is left to
 * instructions around it. */
static bool is_float_arithmetic(const struct ptx_inst *inst) {
  static const char *const names[] = {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (starts(inst, names[i])) {
      enum ptx_type type = ptx_type_part(inst->op, 0);
      return type == PTX_F32 || type == PTX_F64;
    }
  return false;
}

static enum rounding rounding_of(const struct ptx_inst *inst) {
  if (!strstr(inst->op, ".r") || !is_float_arithmetic(inst))
    return ROUND_NEAREST;
  return ptx_has(inst->op, "rz")   ? ROUND_ZERO
         : ptx_has(inst->op, "rm") ? ROUND_DOWN
         : ptx_has(inst->op, "rp") ? ROUND_UP
                                   : ROUND_NEAREST;
}

static bool is_saturated(const struct ptx_inst *inst) {
  return ptx_has(inst->op, "sat") && is_float_arithmetic(inst) && ptx_type_part(inst->op, 0) == PTX_F32;
}

/* An instruction that has a row with an expression. False: it has none. */
static bool decode_row(struct decoder *d, struct op *op) {
  char form[128];
  snprintf(form, sizeof form, "%s", d->inst->op);
  if (rounding_of(d->inst) != ROUND_NEAREST)
    form[strcspn(form, ".") + 2] = 'n'; /* the rounding stands first */
  if (is_saturated(d->inst))
    without(form, "sat");
  bool setp = starts(d->inst, "setp");
  if (setp) {
    static const char *const dropped[] = {"and", "or", "xor"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
      without(form, dropped[i]);
  }
  enum opcode code = op_of_form(form);
  if (code == OP_COUNT)
    return false;
  const struct row *row = &rows[code];
  if (starts(d->inst, "cvt") && !fits_row(d, row))
    return false;
  if (!setp && d->inst->operand_count > row->sources + 1u) /* min of three values, for one */
    refuse(d, "wrong number of operands");
  op->code = (uint16_t)code;
  op->class = (uint8_t)class_of(form);
  if (setp)
    decode_setp(d, op);
  else
    op->dst[0] = result(d, 0, row->result);
  for (uint32_t i = 0; i < row->sources; i++)
    op->src[i] = source(d, operand_at(d, i + 1), row->source[i]);
  return true;
}

static bool moves_128(const struct ptx_inst *inst) {
  return starts(inst, "mov") && ptx_type_part(inst->op, 0) == PTX_B128;
}

/* mov.b128 d, a;  d, {low, high};  {low, high}, a: half of it. */
static void decode_mov_128(struct decoder *d, struct op *op, uint32_t half) {
  const struct ptx_operand *to = operand_at(d, 0), *from = operand_at(d, 1);
  const struct ptx_operand *list = to->kind == PTX_OPERAND_VECTOR ? to : from;
  if (list->kind == PTX_OPERAND_VECTOR && list->count != 2)
    refuse(d, "unsupported vector");
  op->code = OP_MOV_64;
  op->src[0] =
      from->kind == PTX_OPERAND_VECTOR ? source(d, &from->elements[half], 8) : half_register(d, from, half);
  if (to->kind != PTX_OPERAND_VECTOR)
    op->dst[0] = half_register(d, to, half);
  else if (to->elements[half].kind == PTX_OPERAND_SINK)
    op->code = OP_FENCE; /* nothing */
  else
    op->dst[0] = reg(d, to->elements[half].reg, 8);
}

/* mov in the forms that are more than a copy. False: a plain one. */
static bool decode_mov(struct decoder *d, struct op *op) {
  if (moves_128(d->inst)) {
    decode_mov_128(d, op, 0);
    return true;
  }
  const struct ptx_operand *to = operand_at(d, 0), *from = operand_at(d, 1);
  const struct ptx_operand *list = to->kind == PTX_OPERAND_VECTOR     ? to
                                   : from->kind == PTX_OPERAND_VECTOR ? from
                                                                      : NULL;
  if (list) {
    const struct ptx_operand *whole = list == to ? from : to;
    op->type = (uint8_t)ptx_type_part(d->inst->op, 0);
    unsigned bytes = ptx_type_bytes((enum ptx_type)op->type);
    if (bytes < 2 || bytes > 8 || (list->count != 2 && list->count != 4) || bytes < list->count)
      refuse(d, "unsupported vector");
    op->code = list == to ? OP_UNPACK : OP_PACK;
    op->count = (uint8_t)list->count;
    op->wide = bytes == 8;
    for (uint32_t i = 0; i < list->count; i++) {
      const struct ptx_operand *e = &list->elements[i];
      if (list == to)
        op->dst[i] = e->kind == PTX_OPERAND_SINK ? NO_OPERAND : reg(d, e->reg, 4);
      else
        op->src[i] = source(d, e, 4);
    }
    if (list == to)
      op->src[0] = source(d, whole, op->wide ? 8 : 4);
    else
      op->dst[0] = reg(d, whole->reg, op->wide ? 8 : 4);
    return true;
  }
  if (from->kind == PTX_OPERAND_SPECIAL && from->value >= PTX_CLOCK) {
    op->wide = from->value == PTX_CLOCK64 || from->value == PTX_GLOBALTIMER;
    op->detail = (uint8_t)from->value;
    op->code = OP_CLOCK;
    op->dst[0] = result(d, 0, op->wide ? 8 : 4);
    return true;
  }
  if (from->kind == PTX_OPERAND_SYMBOL && is_dynamic_of_caller(d, from->symbol) && from->value == 0) {
    bool wide = ptx_type_bytes(ptx_type_part(d->inst->op, 0)) == 8;
    op->code = wide ? OP_CVT_U64_U32 : OP_MOV_32;
    op->dst[0] = result(d, 0, wide ? 8 : 4);
    op->src[0] = special(d, PTX_DYNAMIC_SMEM_BASE);
    return true;
  }
  if (from->kind == PTX_OPERAND_SYMBOL && from->symbol->kind == PTX_SYMBOL_VARIABLE &&
      from->symbol->space == PTX_LOCAL) {
    op->code = OP_LOCAL_ADDRESS;
    op->wide = ptx_type_part(d->inst->op, 0) != PTX_U32 && ptx_type_part(d->inst->op, 0) != PTX_B32;
    op->dst[0] = result(d, 0, op->wide ? 8 : 4);
    op->offset = (int64_t)(from->symbol->offset + from->value);
    return true;
  }
  return false;
}

static enum ptx_space space_of(const char *op) {
  static const struct {
    const char *name;
    enum ptx_space space;
  } names[] = {{"global", PTX_GLOBAL}, {"shared", PTX_SHARED}, {"shared::cta", PTX_SHARED},
               {"local", PTX_LOCAL},   {"const", PTX_CONST},   {"param", PTX_PARAM}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(op, names[i].name))
      return names[i].space;
  return PTX_GENERIC;
}

static void decode_address(struct decoder *d, struct op *op, const struct ptx_operand *o) {
  if (o->kind != PTX_OPERAND_MEMORY || o->count)
    refuse(d, "expected one address in []");
  op->offset = (int64_t)o->value;
  if (o->reg >= 0) {
    op->wide_address = lane_bytes(d->function->reg_types[o->reg]) == 8;
    op->src[0] = reg(d, o->reg, op->wide_address ? 8 : 4);
  } else {
    if (o->symbol && o->symbol->space == PTX_LOCAL)
      refuse(d, "unsupported address");
    op->wide_address = !is_dynamic_of_caller(d, o->symbol);
    op->src[0] = op->wide_address ? constant(d, o->symbol ? address_of(d, o->symbol) : 0, 8)
                                  : special(d, PTX_DYNAMIC_SMEM_BASE);
  }
}

/* The registers of a load or store: one, or the elements of a vector. */
static void decode_elements(struct decoder *d, struct op *op, const struct ptx_operand *o, uint32_t *place,
                            bool is_result) {
  const struct ptx_operand *elements = o->kind == PTX_OPERAND_VECTOR ? o->elements : o;
  if (op->type == PTX_B128 && o->kind == PTX_OPERAND_REGISTER) { /* as two of 64 bits */
    op->type = PTX_B64;
    op->count = 2;
    op->wide = true;
    for (uint32_t i = 0; i < 2; i++)
      place[i] = half_register(d, o, i);
    return;
  }
  op->count = (uint8_t)(o->kind == PTX_OPERAND_VECTOR ? o->count : 1);
  unsigned bytes = ptx_type_bytes((enum ptx_type)op->type);
  if (bytes == 0 || bytes > 8 || op->type == PTX_PRED || op->count == 0 || op->count > 4 || op->count == 3 ||
      bytes * op->count > 16)
    refuse(d, "unsupported type or vector");
  for (uint32_t i = 0; i < op->count; i++) {
    const struct ptx_operand *e = &elements[i];
    if (e->kind == PTX_OPERAND_SINK && is_result) {
      place[i] = NO_OPERAND;
    } else if (e->kind == PTX_OPERAND_REGISTER) {
      unsigned lane = lane_bytes(d->function->reg_types[e->reg]);
      if (i > 0 && (lane == 8) != op->wide)
        refuse(d, "vector of mixed widths");
      op->wide = lane == 8;
      if (bytes > lane)
        refuse(d, "operand has the wrong width");
      place[i] = reg(d, e->reg, lane);
    } else if (!is_result) {
      op->wide = bytes == 8;
      place[i] = source(d, e, op->wide ? 8 : 4);
    } else {
      refuse(d, "expected a register");
    }
  }
}

/* ld.param and st.param name a parameter; false: an address in a register */
static bool decode_param(struct decoder *d, struct op *op, const struct ptx_operand *address, bool is_load) {
  if (address->kind != PTX_OPERAND_MEMORY || address->reg >= 0 || !address->symbol ||
      address->symbol->space != PTX_PARAM)
    return false;
  const struct ptx_symbol *symbol = address->symbol;
  uint64_t bytes = (uint64_t)op->count * ptx_type_bytes((enum ptx_type)op->type);
  if (address->value > symbol->size || bytes > symbol->size - address->value)
    refuse(d, "access beyond parameter '%s'", symbol->name);
  bool of_kernel = is_kernel_param(d, symbol);
  if (of_kernel && !is_load)
    refuse(d, "store to a kernel parameter");
  op->code = of_kernel ? OP_LOAD_KERNEL_PARAM : is_load ? OP_LOAD_PARAM : OP_STORE_PARAM;
  op->offset = (int64_t)(symbol->offset + address->value);
  return true;
}

/* PTX ISA, Memory Consistency Model: volatile accesses are treated as relaxed ones with system scope. */
static uint8_t sync_of(const char *op) {
  static const char *const atomic[] = {"volatile", "relaxed", "acquire", "mmio"};
  if (ptx_has(op, "release") || ptx_has(op, "acq_rel"))
    return SYNC_ATOMIC | SYNC_RELEASE;
  for (size_t i = 0; i < sizeof atomic / sizeof *atomic; i++)
    if (ptx_has(op, atomic[i]))
      return SYNC_ATOMIC;
  return 0;
}

static void decode_memory(struct decoder *d, struct op *op) {
  static const enum op_class classes[2][3] = {{CLASS_GLOBAL_STORE, CLASS_SHARED_STORE, CLASS_LOCAL_STORE},
                                              {CLASS_GLOBAL_LOAD, CLASS_SHARED_LOAD, CLASS_LOCAL_LOAD}};
  bool is_load = starts(d->inst, "ld");
  op->type = (uint8_t)ptx_type_part(d->inst->op, 0);
  op->detail = (uint8_t)space_of(d->inst->op);
  op->code = is_load ? OP_LOAD : OP_STORE;
  op->sync = sync_of(d->inst->op);
  const struct ptx_operand *address = operand_at(d, is_load ? 1 : 0);
  decode_elements(d, op, operand_at(d, is_load ? 0 : 1),
                  is_load ? op->dst : op->src + (op->detail == PTX_PARAM ? 0 : 1), is_load);
  if (op->detail == PTX_PARAM && decode_param(d, op, address, is_load))
    return;
  if (op->detail == PTX_PARAM && !is_load)
    refuse(d, "unsupported store to parameter memory");
  if (op->detail == PTX_CONST && !is_load)
    refuse(d, "store to constant memory");
  decode_address(d, op, address);
  if (op->detail == PTX_GLOBAL || op->detail == PTX_GENERIC)
    op->class = (uint8_t)classes[is_load][0];
  if (op->detail == PTX_SHARED)
    op->class = (uint8_t)classes[is_load][1];
  if (op->detail == PTX_LOCAL)
    op->class = (uint8_t)classes[is_load][2];
}

/* ptxas turns an atomic whose result nobody reads into a reduction; so do we, since it counts as another
 * thing. */
static bool result_is_read(const struct decoder *d, const struct op *op) {
  const struct ptx_operand *to = &d->inst->operands[0];
  if (op->from == ATOM_EXCH || op->from == ATOM_CAS || op->detail == PTX_SHARED)
    return true;
  if (to->kind == PTX_OPERAND_VECTOR)
    return true;
  return to->kind == PTX_OPERAND_REGISTER && d->mentions[to->reg] > 1;
}

/* mbarrier.init [a], count;  .inval [a];  .arrive[_drop] {state | _}, [a] [, count];
 * .{test,try}_wait[.parity] p, [a], {state | parity} [, hint];  .pending_count n, state;
 * cp.async.mbarrier.arrive[.noinc] [a], whose copies are done. */
static void decode_mbarrier(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  bool waits = ptx_has(name, "test_wait") || ptx_has(name, "try_wait"), drops = ptx_has(name, "arrive_drop"),
       of_copies = starts(d->inst, "cp");
  op->code = OP_MBARRIER;
  op->from = waits                    ? ptx_has(name, "parity") ? MBARRIER_TEST_PARITY : MBARRIER_TEST
             : ptx_has(name, "init")  ? MBARRIER_INIT
             : ptx_has(name, "inval") ? MBARRIER_INVAL
             : drops                  ? MBARRIER_DROP
             : of_copies && !ptx_has(name, "noinc") ? MBARRIER_TRACK
             : ptx_has(name, "arrive")              ? MBARRIER_ARRIVE
             : ptx_has(name, "pending_count")       ? MBARRIER_PENDING
                                                    : UINT8_MAX;
  if (op->from == UINT8_MAX || ptx_has(name, "expect_tx") || ptx_has(name, "shared::cluster"))
    refuse(d, "unsupported instruction");
  if (op->from == MBARRIER_PENDING) {
    op->dst[0] = result(d, 0, 4);
    op->src[1] = source(d, operand_at(d, 1), 8);
    return;
  }
  op->extra = of_copies;
  op->sync = op->from == MBARRIER_INIT || op->from == MBARRIER_INVAL ? 0
             : waits || ptx_has(name, "relaxed")                     ? SYNC_ATOMIC
                                                                     : SYNC_ATOMIC | SYNC_RELEASE;
  uint32_t n = waits || (!of_copies && (drops || op->from == MBARRIER_ARRIVE)) ? 1 : 0;
  if (waits)
    op->dst[0] = predicate(d, operand_at(d, 0)->reg);
  else if (n && operand_at(d, 0)->kind != PTX_OPERAND_SINK)
    op->dst[0] = result(d, 0, 8);
  op->detail = (uint8_t)space_of(name);
  decode_address(d, op, operand_at(d, n));
  op->src[1] = op->from != MBARRIER_INVAL && d->inst->operand_count > n + 1
                   ? source(d, operand_at(d, n + 1), op->from == MBARRIER_TEST ? 8 : 4)
                   : constant(d, 1, 4);
}

/* cp.async.{ca,cg}.shared.global [to], [from], bytes [, bytes to read | leave out]. The copy is done at once,
 * which a program that waits as it must cannot tell. */
static void decode_copy_async(struct decoder *d, struct op *op) {
  bool waits = ptx_has(d->inst->op, "wait_group");
  if (waits || ptx_has(d->inst->op, "commit_group") || ptx_has(d->inst->op, "wait_all")) {
    op->code = OP_COPIES;
    op->from = waits ? COPIES_WAIT : ptx_has(d->inst->op, "commit_group") ? COPIES_COMMIT : COPIES_WAIT_ALL;
    op->extra = waits ? (uint32_t)operand_at(d, 0)->value : 0;
    return;
  }
  if (ptx_has(d->inst->op, "mbarrier")) {
    decode_mbarrier(d, op);
    return;
  }
  if (!ptx_has(d->inst->op, "ca") && !ptx_has(d->inst->op, "cg"))
    refuse(d, "unsupported instruction");
  op->code = OP_COPY_ASYNC;
  op->from = ptx_has(d->inst->op, "cg");
  op->class = CLASS_GLOBAL_ASYNC;
  op->from = ptx_has(d->inst->op, "cg");
  op->detail = PTX_GLOBAL;
  struct op to = {0};
  decode_address(d, &to, operand_at(d, 0));
  decode_address(d, op, operand_at(d, 1));
  op->src[1] = to.src[0];
  op->target_offset = to.offset;
  op->wide = to.wide_address;
  op->extra = (uint32_t)operand_at(d, 2)->value;
  if (operand_at(d, 2)->kind != PTX_OPERAND_INTEGER || (op->extra != 4 && op->extra != 8 && op->extra != 16))
    refuse(d, "copies of 4, 8 or 16 bytes are supported");
  op->src[2] = constant(d, op->extra, 4);
  if (d->inst->operand_count > 3) {
    const struct ptx_operand *size = operand_at(d, 3);
    op->has_result = size->kind == PTX_OPERAND_REGISTER && d->function->reg_types[size->reg] == PTX_PRED;
    if (op->has_result)
      op->src[3] = predicate_source(d, size);
    else if (!ptx_has(d->inst->op, "L2::cache_hint") || d->inst->operand_count > 4)
      op->src[2] = source(d, size, 4);
    op->negate = op->has_result && size->negated;
  }
}

/* atom{.exch,.cas}.b128 {d | _}, [a], b [, c] */
static void decode_atomic_128(struct decoder *d, struct op *op) {
  op->code = OP_ATOMIC;
  op->type = PTX_B128;
  op->count = 1;
  op->from = ptx_has(d->inst->op, "cas") ? ATOM_CAS : ATOM_EXCH;
  if (!starts(d->inst, "atom") || (op->from == ATOM_EXCH && !ptx_has(d->inst->op, "exch")))
    refuse(d, "unsupported atomic operation");
  op->has_result = true;
  op->sync = sync_of(d->inst->op) | SYNC_ATOMIC;
  op->detail = (uint8_t)space_of(d->inst->op);
  decode_address(d, op, operand_at(d, 1));
  for (uint32_t half = 0; half < 2; half++) {
    if (operand_at(d, 0)->kind != PTX_OPERAND_SINK)
      op->dst[half] = half_register(d, operand_at(d, 0), half);
    op->src[1 + half] = half_register(d, operand_at(d, 2), half);
    if (op->from == ATOM_CAS)
      op->src[3 + half] = half_register(d, operand_at(d, 3), half);
  }
  op->class = op->detail == PTX_SHARED ? CLASS_SHARED_ATOM : CLASS_GLOBAL_ATOM;
  d->kernel->is_ordered |= op->detail != PTX_SHARED;
}

static void decode_atomic(struct decoder *d, struct op *op) {
  static const char *const names[] = {"add", "and", "or", "xor", "min", "max", "exch", "cas", "inc", "dec"};
  if (ptx_type_part(d->inst->op, 0) == PTX_B128) {
    decode_atomic_128(d, op);
    return;
  }
  op->code = OP_ATOMIC;
  op->has_result = starts(d->inst, "atom");
  op->sync = sync_of(d->inst->op) | SYNC_ATOMIC;
  op->type = (uint8_t)ptx_type_part(d->inst->op, 0);
  op->from = sizeof names / sizeof *names;
  for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(d->inst->op, names[i]))
      op->from = i;
  unsigned bytes = ptx_type_bytes((enum ptx_type)op->type), lane = bytes == 8 ? 8 : 4;
  bool half = op->type == PTX_F16 || op->type == PTX_BF16 || op->type == PTX_F16X2 || op->type == PTX_BF16X2;
  bool floating = half || op->type == PTX_F32 || op->type == PTX_F64;
  bool bits = op->from == ATOM_EXCH || op->from == ATOM_CAS;
  if (op->from == sizeof names / sizeof *names || bytes < 2 || bytes > 8 ||
      (bytes == 2 && !(half && op->from == ATOM_ADD) && !(op->type == PTX_B16 && bits)) ||
      (floating && op->from != ATOM_ADD && (half || !bits)))
    refuse(d, "unsupported atomic operation");
  op->detail = (uint8_t)space_of(d->inst->op);
  op->wide = bytes == 8;
  uint32_t n = 0;
  if (op->has_result) {
    const struct ptx_operand *to = operand_at(d, 0);
    if (to->kind == PTX_OPERAND_VECTOR)
      decode_elements(d, op, to, op->dst, true);
    else
      op->dst[0] = to->kind == PTX_OPERAND_SINK ? NO_OPERAND : result(d, 0, lane);
    n = 1;
  }
  decode_address(d, op, operand_at(d, n));
  if (op->has_result)
    op->has_result = result_is_read(d, op);
  if (operand_at(d, n + 1)->kind == PTX_OPERAND_VECTOR)
    decode_elements(d, op, operand_at(d, n + 1), op->src + 1, false);
  else
    op->src[1] = source(d, operand_at(d, n + 1), lane);
  op->count = op->count ? op->count : 1;
  if (op->count > 1 && op->from != ATOM_ADD)
    refuse(d, "unsupported atomic operation");
  if (op->from == ATOM_CAS)
    op->src[2] = source(d, operand_at(d, n + 2), lane);
  op->class = op->detail == PTX_SHARED ? CLASS_SHARED_ATOM
              : op->has_result         ? CLASS_GLOBAL_ATOM
                                       : CLASS_GLOBAL_RED;
  bool commutes = !floating && !op->has_result && op->from != ATOM_EXCH && op->from != ATOM_CAS;
  if (op->detail != PTX_SHARED && !commutes)
    d->kernel->is_ordered = true;
}

/* cvt[.rounding][.ftz][.sat].to.from */
static void decode_cvt(struct decoder *d, struct op *op) {
  op->code = OP_CVT;
  op->type = (uint8_t)ptx_type_part(d->inst->op, 1);
  op->from = (uint8_t)ptx_type_part(d->inst->op, 0);
  static const char *const roundings[] = {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"};
  op->detail = 0;
  for (uint8_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
    if (ptx_has(d->inst->op, roundings[i]))
      op->detail = i;
  op->extra = (ptx_has(d->inst->op, "sat") ? 1u : 0) | (ptx_has(d->inst->op, "ftz") ? 2u : 0);
  op->extra |= (ptx_has(d->inst->op, "relu") ? 4u : 0) | (ptx_has(d->inst->op, "satfinite") ? 8u : 0);
  if ((op->type == PTX_F16X2 || op->type == PTX_BF16X2) && op->from == PTX_F32) {
    op->code = OP_CVT_PAIR;
    op->type = op->type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    op->dst[0] = result(d, 0, 4);
    op->src[0] = source(d, operand_at(d, 1), 4);
    op->src[1] = source(d, operand_at(d, 2), 4);
    return;
  }
  uint8_t types[2] = {op->type, op->from};
  for (int i = 0; i < 2; i++)
    if (types[i] == PTX_NONE || types[i] == PTX_PRED || types[i] == PTX_TF32 || types[i] == PTX_F16X2 ||
        types[i] == PTX_BF16X2 || types[i] == PTX_B128)
      refuse(d, "unsupported conversion");
  const struct ptx_operand *to = operand_at(d, 0), *from = operand_at(d, 1);
  if (to->kind != PTX_OPERAND_REGISTER)
    refuse(d, "expected a register");
  op->wide = lane_bytes(d->function->reg_types[to->reg]) == 8;
  op->dst[0] = reg(d, to->reg, op->wide ? 8 : 4);
  bool wide = from->kind == PTX_OPERAND_REGISTER ? lane_bytes(d->function->reg_types[from->reg]) == 8
                                                 : lane_bytes((enum ptx_type)op->from) == 8;
  op->wide_address = wide; /* the source register's width */
  op->src[0] = source(d, from, wide ? 8 : 4);
  if (ptx_type_bytes((enum ptx_type)op->from) > (wide ? 8u : 4u) ||
      ptx_type_bytes((enum ptx_type)op->type) > (op->wide ? 8u : 4u))
    refuse(d, "operand has the wrong width");
}

/* cvt.pack.sat.to.s32[.b32] d, a, b [, c]: two integers, before the low half of c if they become bytes */
static void decode_pack(struct decoder *d, struct op *op) {
  unsigned n = ptx_type_part(d->inst->op, 0) == PTX_B32;
  op->code = OP_CVT_PACK;
  op->type = (uint8_t)ptx_type_part(d->inst->op, n + 1);
  op->from = (uint8_t)ptx_type_part(d->inst->op, n);
  unsigned bytes = ptx_type_bytes((enum ptx_type)op->type);
  if (op->from != PTX_S32 || !ptx_has(d->inst->op, "sat") || (bytes != 1 && bytes != 2) ||
      ptx_type_is_float((enum ptx_type)op->type))
    refuse(d, "unsupported conversion");
  op->dst[0] = result(d, 0, 4);
  op->src[0] = source(d, operand_at(d, 1), 4);
  op->src[1] = source(d, operand_at(d, 2), 4);
  op->src[2] = n ? source(d, operand_at(d, 3), 4) : constant(d, 0, 4);
}

/* The outcomes of a comparison, by warp.c's order_of(), for which the one that the mnemonic names holds; 0:
 * it names none. */
static uint8_t comparison_of(const char *name) {
  enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
  static const struct {
    const char *name;
    uint8_t holds;
  } tests[] = {{"eq", EQUAL},
               {"ne", LESS | GREATER},
               {"lt", LESS},
               {"le", LESS | EQUAL},
               {"gt", GREATER},
               {"ge", GREATER | EQUAL},
               {"lo", LESS},
               {"ls", LESS | EQUAL},
               {"hi", GREATER},
               {"hs", GREATER | EQUAL},
               {"equ", EQUAL | UNORDERED},
               {"neu", LESS | GREATER | UNORDERED},
               {"ltu", LESS | UNORDERED},
               {"leu", LESS | EQUAL | UNORDERED},
               {"gtu", GREATER | UNORDERED},
               {"geu", GREATER | EQUAL | UNORDERED},
               {"num", LESS | EQUAL | GREATER},
               {"nan", UNORDERED}};
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    if (ptx_has(name, tests[i].name))
      return tests[i].holds;
  return 0;
}

/* The predicate that a comparison is combined with: its last operand, if it has four. */
static void decode_combination(struct decoder *d, struct op *op) {
  if (d->inst->operand_count <= 3)
    return;
  const struct ptx_operand *c = operand_at(d, 3);
  op->src[2] = predicate_source(d, c);
  op->negate = c->negated;
  op->count = ptx_has(d->inst->op, "and") ? 1 : ptx_has(d->inst->op, "or") ? 2 : 3;
}

/* setp.cmp[.bool][.ftz].{f16x2,bf16x2} p|q, a, b [, [!]c]: p of the low halves, q of the high ones */
static void decode_setp_pair(struct decoder *d, struct op *op) {
  const struct ptx_operand *to = operand_at(d, 0);
  op->code = OP_SETP_PAIR;
  op->from = (uint8_t)ptx_type_part(d->inst->op, 0);
  op->detail = comparison_of(d->inst->op);
  op->extra = ptx_has(d->inst->op, "ftz");
  if (op->detail == 0 || (op->from != PTX_F16X2 && op->from != PTX_BF16X2))
    refuse(d, "unsupported instruction");
  if (to->kind == PTX_OPERAND_REGISTER)
    op->dst[0] = predicate(d, to->reg);
  if (to->pair >= 0)
    op->dst[1] = predicate(d, to->pair);
  op->src[0] = source(d, operand_at(d, 1), 4);
  op->src[1] = source(d, operand_at(d, 2), 4);
  decode_combination(d, op);
}

/* set.cmp[.bool][.ftz].to.from d, a, b [, [!]c] */
static void decode_set(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  op->code = OP_SET;
  op->type = (uint8_t)ptx_type_part(name, 1);
  op->from = (uint8_t)ptx_type_part(name, 0);
  op->detail = comparison_of(name);
  unsigned to = ptx_type_bytes((enum ptx_type)op->type), bytes = ptx_type_bytes((enum ptx_type)op->from);
  if (op->detail == 0 || (to != 2 && to != 4) || bytes < 2 || bytes > 8)
    refuse(d, "unsupported instruction");
  op->extra = ptx_has(name, "ftz");
  op->wide = bytes == 8;
  op->dst[0] = result(d, 0, 4);
  op->src[0] = source(d, operand_at(d, 1), lane_bytes((enum ptx_type)op->from));
  op->src[1] = source(d, operand_at(d, 2), lane_bytes((enum ptx_type)op->from));
  decode_combination(d, op);
}

/* cvta[.to].space.u64: a window's base more or less */
static void decode_cvta(struct decoder *d, struct op *op) {
  enum ptx_space space = space_of(d->inst->op);
  uint64_t window = space == PTX_SHARED  ? SHARED_WINDOW
                    : space == PTX_LOCAL ? LOCAL_WINDOW
                    : space == PTX_PARAM ? PARAM_WINDOW
                                         : 0;
  if (ptx_type_part(d->inst->op, 0) != PTX_U64)
    refuse(d, "unsupported address size");
  op->code = OP_ADD_64;
  op->dst[0] = result(d, 0, 8);
  op->src[0] = source(d, operand_at(d, 1), 8);
  op->src[1] = constant(d, ptx_has(d->inst->op, "to") ? 0 - window : window, 8);
}

static void decode_carry(struct decoder *d, struct op *op) {
  enum ptx_type type = ptx_type_part(d->inst->op, 0);
  unsigned bytes = ptx_type_bytes(type);
  if (bytes != 4 && bytes != 8)
    refuse(d, "unsupported instruction");
  bool mad = starts(d->inst, "madc") || starts(d->inst, "mad");
  bool sub = starts(d->inst, "sub") || starts(d->inst, "subc");
  bool in = starts(d->inst, "addc") || starts(d->inst, "subc") || starts(d->inst, "madc");
  op->code = bytes == 4 ? OP_CARRY_32 : OP_CARRY_64;
  op->detail = (uint8_t)((mad ? 1 : 0) | (sub ? 2 : 0) | (in ? 4 : 0) | (ptx_has(d->inst->op, "cc") ? 8 : 0) |
                         (ptx_has(d->inst->op, "hi") ? 16 : 0) | (ptx_type_is_signed(type) ? 32 : 0));
  op->dst[0] = result(d, 0, bytes);
  op->dst[1] = 0; /* the carry flag is the frame's first predicate */
  for (uint32_t i = 0; i < (mad ? 3u : 2u); i++)
    op->src[i] = source(d, operand_at(d, i + 1), bytes);
}

static void decode_pred(struct decoder *d, struct op *op) {
  op->code = starts(d->inst, "and")   ? OP_PRED_AND
             : starts(d->inst, "or")  ? OP_PRED_OR
             : starts(d->inst, "xor") ? OP_PRED_XOR
                                      : OP_PRED_MOV;
  op->dst[0] = predicate(d, operand_at(d, 0)->reg);
  uint32_t count = op->code == OP_PRED_MOV ? 1 : 2;
  for (uint32_t i = 0; i < count; i++) {
    op->src[i] = predicate_source(d, operand_at(d, i + 1));
    if (operand_at(d, i + 1)->negated)
      op->negate |= (uint8_t)(1u << i);
  }
  if (starts(d->inst, "not"))
    op->negate ^= 1;
}

static void decode_selp(struct decoder *d, struct op *op) {
  unsigned bytes = lane_bytes(ptx_type_part(d->inst->op, 0));
  op->code = bytes == 8 ? OP_SELP_64 : OP_SELP_32;
  op->dst[0] = result(d, 0, bytes);
  op->src[0] = source(d, operand_at(d, 1), bytes);
  op->src[1] = source(d, operand_at(d, 2), bytes);
  op->src[2] = predicate_source(d, operand_at(d, 3));
  op->negate = operand_at(d, 3)->negated;
}

/* shfl.sync.mode.b32 d[|p], a, b, c, members */
static void decode_shfl(struct decoder *d, struct op *op) {
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  const struct ptx_operand *to = operand_at(d, 0);
  op->code = OP_SHFL;
  for (uint8_t i = 0; i < 4; i++)
    if (ptx_has(d->inst->op, modes[i]))
      op->detail = i;
  op->dst[0] = to->kind == PTX_OPERAND_SINK ? NO_OPERAND : result(d, 0, 4);
  op->dst[1] = to->pair >= 0 ? predicate(d, to->pair) : NO_OPERAND;
  for (uint32_t i = 0; i < 4; i++)
    op->src[i] = source(d, operand_at(d, i + 1), 4);
}

/* vote.sync.mode.{pred,b32} d, [!]p, members;  match.{any,all}.sync d[|p], a, members;  redux.sync.op.type d,
 * a, members */
static void decode_collective(struct decoder *d, struct op *op) {
  static const char *const votes[] = {"all", "any", "uni", "ballot"};
  static const char *const reductions[] = {"add", "and", "or", "xor", "min", "max"};
  op->type = (uint8_t)ptx_type_part(d->inst->op, 0);
  const struct ptx_operand *to = operand_at(d, 0);
  if (starts(d->inst, "vote")) {
    op->code = OP_VOTE;
    for (uint8_t i = 0; i < 4; i++)
      if (ptx_has(d->inst->op, votes[i]))
        op->detail = i;
    op->dst[0] = op->detail == 3 ? result(d, 0, 4) : predicate(d, to->reg);
    op->src[0] = predicate_source(d, operand_at(d, 1));
    op->negate = operand_at(d, 1)->negated;
  } else if (starts(d->inst, "match")) {
    op->code = OP_MATCH;
    op->detail = ptx_has(d->inst->op, "all");
    op->wide = ptx_type_bytes((enum ptx_type)op->type) == 8;
    op->dst[0] = to->kind == PTX_OPERAND_SINK ? NO_OPERAND : result(d, 0, 4);
    op->dst[1] = to->pair >= 0 ? predicate(d, to->pair) : NO_OPERAND;
    op->src[0] = source(d, operand_at(d, 1), op->wide ? 8 : 4);
  } else {
    op->code = OP_REDUX;
    op->detail = UINT8_MAX;
    for (uint8_t i = 0; i < 6; i++)
      if (ptx_has(d->inst->op, reductions[i]))
        op->detail = i;
    if (op->detail == UINT8_MAX || ptx_type_is_float((enum ptx_type)op->type))
      refuse(d, "unsupported instruction");
    op->dst[0] = result(d, 0, 4);
    op->src[0] = source(d, operand_at(d, 1), 4);
  }
  op->src[3] = source(d, operand_at(d, 2), 4);
}

/* bar.sync a [, b];  bar.red.{popc,and,or} d, a [, b], [!]c;  bar.arrive a, b */
static void decode_barrier(struct decoder *d, struct op *op) {
  op->class = CLASS_BARRIER;
  op->from =
      starts(d->inst, "barrier") && !ptx_has(d->inst->op, "aligned"); /* need not be reached together */
  op->code = ptx_has(d->inst->op, "arrive") ? OP_BARRIER_ARRIVE : OP_BARRIER;
  op->src[1] = NO_OPERAND;
  uint32_t n = 0, count = d->inst->operand_count;
  if (ptx_has(d->inst->op, "red")) {
    const struct ptx_operand *c = operand_at(d, count - 1);
    op->detail = ptx_has(d->inst->op, "popc") ? 1 : ptx_has(d->inst->op, "and") ? 2 : 3;
    op->dst[0] = op->detail == 1 ? result(d, 0, 4) : predicate(d, operand_at(d, 0)->reg);
    op->src[2] = predicate_source(d, c);
    op->negate = c->negated;
    n = 1;
    count--;
  }
  op->src[0] = source(d, operand_at(d, n), 4);
  if (count > n + 1)
    op->src[1] = source(d, operand_at(d, n + 1), 4);
  if (op->code == OP_BARRIER_ARRIVE && op->src[1] == NO_OPERAND)
    refuse(d, "too few operands");
}

static uint32_t label_target(struct decoder *d, const struct ptx_operand *o) {
  if (o->kind != PTX_OPERAND_SYMBOL || o->symbol->kind != PTX_SYMBOL_LABEL)
    refuse(d, "expected a label");
  if (o->symbol->target_count)
    refuse(d, "expected a label, not a list of targets");
  return d->labels[o->symbol->offset];
}

static void decode_branch(struct decoder *d, struct op *op) {
  op->class = CLASS_BRANCH;
  op->reconverge = d->labels[d->inst->reconverge];
  op->depth = d->inst->depth;
  bool direct = starts(d->inst, "bra");
  if (d->inst->operand_count != (direct ? 1 : 2)) /* the flow graph takes the last for the target */
    refuse(d, "wrong number of operands");
  if (direct) {
    op->code = OP_BRA;
    op->target = label_target(d, operand_at(d, 0));
    return;
  }
  op->code = OP_BRX;
  op->src[0] = source(d, operand_at(d, 0), 4);
  const struct ptx_operand *list = operand_at(d, 1);
  if (list->kind != PTX_OPERAND_SYMBOL || list->symbol->kind != PTX_SYMBOL_LABEL ||
      list->symbol->target_count == 0)
    refuse(d, "expected a list of targets");
  struct module *m = d->module;
  op->count = 0;
  op->extra = m->target_count;
  op->offset = list->symbol->target_count;
  for (uint32_t i = 0; i < list->symbol->target_count; i++) {
    m->targets = arena_grow(&m->ptx->arena, m->targets, m->target_count, sizeof *m->targets);
    const struct ptx_reconvergence *at = &d->inst->reconvergences[i];
    m->targets[m->target_count++] =
        (struct target){d->labels[list->symbol->targets[i]->offset], d->labels[at->inst], at->depth};
  }
}

static const struct ptx_symbol *param_named(struct decoder *d, const struct ptx_operand *o) {
  if (o->kind != PTX_OPERAND_SYMBOL || o->symbol->kind != PTX_SYMBOL_VARIABLE ||
      o->symbol->space != PTX_PARAM || is_kernel_param(d, o->symbol))
    refuse(d, "unsupported argument of a call");
  return o->symbol;
}

static void pass(struct decoder *d, struct call *call, const struct ptx_symbol *own,
                 const struct ptx_symbol *theirs, bool is_result) {
  if (own->size != theirs->size)
    refuse(d, "argument and parameter differ in size");
  struct argument *a = &call->arguments[call->count++];
  *a = (struct argument){(uint32_t)own->offset, (uint32_t)theirs->offset, (uint32_t)own->size, is_result};
}

/* malloc(size) and free(address). Addresses must not depend on which core is first. */
static void decode_heap(struct decoder *d, struct op *op, bool frees, const struct ptx_operand *results,
                        const struct ptx_operand *arguments) {
  if (!arguments || arguments->count != 1 || (results ? results->count : 0) != !frees)
    refuse(d, "wrong number of arguments");
  const struct ptx_symbol *own = param_named(d, &arguments->elements[0]),
                          *result = frees ? own : param_named(d, &results->elements[0]);
  if (own->size != 8 || result->size != 8)
    refuse(d, "argument and parameter differ in size");
  if (d->inst->guard >= 0)
    refuse(d, "a call under a predicate is not supported");
  op->code = frees ? OP_FREE : OP_MALLOC;
  op->src[0] = (uint32_t)own->offset;
  op->dst[0] = (uint32_t)result->offset;
  d->kernel->is_ordered = true;
}

/* What the device's libraries leave to the system: printf, assert, malloc and free. */
static void decode_system_call(struct decoder *d, struct op *op, const struct ptx_function *callee,
                               const struct ptx_operand *results, const struct ptx_operand *arguments) {
  bool print = strcmp(callee->name, "vprintf") == 0, assertion = strcmp(callee->name, "__assertfail") == 0;
  uint32_t count = print ? 2 : 5;
  bool frees = strcmp(callee->name, "free") == 0;
  if (frees || strcmp(callee->name, "malloc") == 0) {
    decode_heap(d, op, frees, results, arguments);
    return;
  }
  if (!print && !assertion)
    refuse(d, "function '%s' is not supported on the simulated device", callee->name);
  if (!arguments || arguments->count != count || (print && (!results || results->count != 1)))
    refuse(d, "wrong number of arguments");
  op->code = print ? OP_PRINT : OP_ASSERT;
  for (uint32_t i = 0; i < count; i++) {
    const struct ptx_symbol *own = param_named(d, &arguments->elements[i]);
    if (own->size != (assertion && i == 2 ? 4 : 8))
      refuse(d, "argument and parameter differ in size");
    op->src[i] = (uint32_t)own->offset; /* in the frame's parameters */
  }
  if (print) {
    const struct ptx_symbol *own = param_named(d, &results->elements[0]);
    if (own->size != 4)
      refuse(d, "argument and parameter differ in size");
    op->dst[0] = (uint32_t)own->offset;
  }
  if (d->inst->guard >= 0)
    refuse(d, "a call under a predicate is not supported");
}

static struct call *new_call(struct decoder *d, uint32_t callee, uint32_t arguments) {
  struct module *m = d->module;
  m->calls = arena_grow(&m->ptx->arena, m->calls, m->call_count, sizeof *m->calls);
  struct call *call = &m->calls[m->call_count++];
  *call = (struct call){.caller = (uint32_t)(d->kernel - m->kernels),
                        .callee = callee,
                        .arguments = arena_alloc(&m->ptx->arena, arguments, sizeof *call->arguments)};
  d->kernel->calls = true;
  return call;
}

static bool is_indirect_call(const struct ptx_inst *inst) {
  uint32_t n = inst->operand_count > 0 && inst->operands[0].kind == PTX_OPERAND_VECTOR;
  return starts(inst, "call") && inst->operand_count > n && inst->operands[n].kind == PTX_OPERAND_REGISTER;
}

/* call [(result),] register [, (arguments)], prototype: where they go is known when it is called */
static void decode_indirect_call(struct decoder *d, struct op *op, const struct ptx_operand *target,
                                 const struct ptx_operand *results, const struct ptx_operand *arguments) {
  uint32_t result_count = results ? results->count : 0, count = arguments ? arguments->count : 0;
  op->code = OP_CALL_INDIRECT;
  op->src[0] = reg(d, target->reg, 8);
  op->extra = d->module->call_count;
  struct call *call = new_call(d, ANY_FUNCTION, result_count + count);
  for (uint32_t i = 0; i < result_count + count; i++) {
    const struct ptx_symbol *own =
        param_named(d, i < result_count ? &results->elements[i] : &arguments->elements[i - result_count]);
    call->arguments[call->count++] =
        (struct argument){(uint32_t)own->offset, 0, (uint32_t)own->size, i < result_count};
  }
  op->reconverge = d->labels[d->inst - d->function->insts + 1];
  if (d->inst->guard >= 0)
    refuse(d, "a call under a predicate is not supported");
}

/* call[.uni] [(result),] function [, (arguments)] */
static void decode_call(struct decoder *d, struct op *op) {
  struct module *m = d->module;
  uint32_t n = 0;
  const struct ptx_operand *results =
      operand_at(d, 0)->kind == PTX_OPERAND_VECTOR ? operand_at(d, n++) : NULL;
  const struct ptx_operand *target = operand_at(d, n++);
  const struct ptx_operand *arguments =
      n < d->inst->operand_count && operand_at(d, n)->kind == PTX_OPERAND_VECTOR ? operand_at(d, n) : NULL;
  if (target->kind == PTX_OPERAND_REGISTER) {
    decode_indirect_call(d, op, target, results, arguments);
    return;
  }
  if (target->kind != PTX_OPERAND_SYMBOL || target->symbol->kind != PTX_SYMBOL_FUNCTION)
    refuse(d, "expected a function");
  const struct ptx_function *callee = target->symbol->function;
  if (!callee->has_body) {
    decode_system_call(d, op, callee, results, arguments);
    return;
  }
  if (callee->is_entry)
    refuse(d, "call of a kernel");
  if ((results ? results->count : 0) != callee->return_count ||
      (arguments ? arguments->count : 0) != callee->param_count)
    refuse(d, "wrong number of arguments");
  uint32_t index = 0;
  for (const struct ptx_function *f = m->ptx->functions; f != callee; f = f->next)
    index++;
  op->extra = m->call_count;
  struct call *call = new_call(d, index, callee->return_count + callee->param_count);
  for (uint32_t i = 0; i < callee->return_count; i++)
    pass(d, call, param_named(d, &results->elements[i]), callee->returns[i], true);
  for (uint32_t i = 0; i < callee->param_count; i++)
    pass(d, call, param_named(d, &arguments->elements[i]), callee->params[i], false);
  if (d->inst->guard >= 0)
    refuse(d, "a call under a predicate is not supported");
  op->code = OP_CALL;
}

static void decode_other(struct decoder *d, struct op *op) {
  const struct ptx_inst *inst = d->inst;
  const char *name = inst->op;
  if (starts(inst, "ld") || starts(inst, "st"))
    decode_memory(d, op);
  else if (starts(inst, "atom") || starts(inst, "red"))
    decode_atomic(d, op);
  else if (starts(inst, "cvt") && ptx_has(name, "pack"))
    decode_pack(d, op);
  else if (starts(inst, "cvt"))
    decode_cvt(d, op);
  else if (starts(inst, "set"))
    decode_set(d, op);
  else if (starts(inst, "setp"))
    decode_setp_pair(d, op);
  else if (starts(inst, "mbarrier"))
    decode_mbarrier(d, op);
  else if (starts(inst, "cp") && ptx_has(name, "async"))
    decode_copy_async(d, op);
  else if (starts(inst, "cvta"))
    decode_cvta(d, op);
  else if (ptx_type_part(name, 0) == PTX_PRED &&
           (starts(inst, "mov") || starts(inst, "not") || starts(inst, "and") || starts(inst, "or") ||
            starts(inst, "xor")))
    decode_pred(d, op);
  else if (starts(inst, "selp"))
    decode_selp(d, op);
  else if (ptx_has(name, "cc") || starts(inst, "addc") || starts(inst, "subc") || starts(inst, "madc"))
    decode_carry(d, op);
  else if (starts(inst, "lop3") && inst->operand_count == 5) {
    op->code = OP_LOP3;
    op->dst[0] = result(d, 0, 4);
    for (uint32_t i = 0; i < 3; i++)
      op->src[i] = source(d, operand_at(d, i + 1), 4);
    op->extra = (uint32_t)operand_at(d, 4)->value;
  } else if (starts(inst, "bfi")) {
    unsigned bytes = lane_bytes(ptx_type_part(name, 0));
    op->code = bytes == 8 ? OP_BFI_64 : OP_BFI_32;
    op->dst[0] = result(d, 0, bytes);
    for (uint32_t i = 0; i < 4; i++)
      op->src[i] = source(d, operand_at(d, i + 1), i < 2 ? bytes : 4);
  } else if (starts(inst, "testp")) {
    static const char *const kinds[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    op->code = OP_TESTP;
    for (uint8_t i = 0; i < 6; i++)
      if (ptx_has(name, kinds[i]))
        op->detail = i;
    op->wide = ptx_type_part(name, 0) == PTX_F64;
    op->dst[0] = predicate(d, operand_at(d, 0)->reg);
    op->src[0] = source(d, operand_at(d, 1), op->wide ? 8 : 4);
  } else if (starts(inst, "shfl") && ptx_has(name, "sync"))
    decode_shfl(d, op);
  else if ((starts(inst, "vote") || starts(inst, "match") || starts(inst, "redux")) && ptx_has(name, "sync"))
    decode_collective(d, op);
  else if (starts(inst, "elect")) {
    op->code = OP_ELECT;
    op->dst[0] = operand_at(d, 0)->kind == PTX_OPERAND_SINK ? NO_OPERAND : result(d, 0, 4);
    op->dst[1] = predicate(d, operand_at(d, 0)->pair);
    op->src[3] = source(d, operand_at(d, 1), 4);
  } else if (starts(inst, "createpolicy")) { /* a hint for caches that are not there */
    op->code = OP_MOV_64;
    op->dst[0] = result(d, 0, 8);
    op->src[0] = constant(d, 0, 8);
  } else if (starts(inst, "activemask")) {
    op->code = OP_ACTIVEMASK;
    op->dst[0] = result(d, 0, 4);
  } else if (ptx_has(name, "warp") && (starts(inst, "bar") || starts(inst, "barrier"))) {
    op->code = OP_WARP_SYNC;
    op->src[3] = source(d, operand_at(d, 0), 4);
  } else if (starts(inst, "bar") || starts(inst, "barrier"))
    decode_barrier(d, op);
  else if (starts(inst, "bra") || starts(inst, "brx"))
    decode_branch(d, op);
  else if (starts(inst, "call"))
    decode_call(d, op);
  else if (starts(inst, "ret")) {
    op->code = d->function->is_entry ? OP_EXIT : OP_BRA;
    op->target = d->labels[d->function->inst_count];
    op->reconverge = d->labels[inst->reconverge];
    op->depth = inst->depth;
  } else if (starts(inst, "exit"))
    op->code = OP_EXIT;
  else if (starts(inst, "trap") || starts(inst, "brkpt"))
    op->code = OP_TRAP;
  else if (starts(inst, "membar") || starts(inst, "fence") || starts(inst, "prefetch") ||
           starts(inst, "prefetchu") || starts(inst, "discard") || starts(inst, "applypriority") ||
           starts(inst, "nanosleep") || starts(inst, "griddepcontrol")) {
    op->code = OP_FENCE;
    op->sync = starts(inst, "membar") || starts(inst, "fence") ? SYNC_FENCE : 0;
    op->extra = starts(inst, "nanosleep");
  } else if (starts(inst, "isspacep")) {
    op->code = OP_ISSPACEP;
    op->detail = (uint8_t)space_of(name);
    op->dst[0] = predicate(d, operand_at(d, 0)->reg);
    op->src[0] = source(d, operand_at(d, 1), 8);
  } else
    refuse(d, "unsupported instruction");
}

static struct op decode_inst(struct decoder *d) {
  struct op op = {.dst = {NO_OPERAND, NO_OPERAND, NO_OPERAND, NO_OPERAND}};
  if (d->inst->guard >= 0) {
    op.guard = d->inst->guard_negated ? GUARD_UNLESS : GUARD_IF;
    op.predicate = predicate(d, d->inst->guard);
  }
  if (starts(d->inst, "mov") && d->inst->operand_count == 2 && ptx_type_part(d->inst->op, 0) != PTX_PRED &&
      decode_mov(d, &op))
    return op;
  if (!decode_row(d, &op))
    decode_other(d, &op);
  return op;
}

static void append(struct module *m, struct op op, const struct ptx_inst *inst) {
  struct arena *arena = &m->ptx->arena;
  m->code = arena_grow(arena, m->code, m->code_count, sizeof *m->code);
  m->locations = arena_grow(arena, m->locations, m->code_count, sizeof *m->locations);
  m->code[m->code_count] = op;
  m->locations[m->code_count++] = inst ? inst->location : (struct ptx_location){0, 0};
}

/* An instruction, and what is done before and after it for its modifiers. */
static uint32_t parts_of(const struct ptx_inst *inst) {
  return 1 + (rounding_of(inst) != ROUND_NEAREST ? 2 : 0) + is_saturated(inst) + moves_128(inst);
}

static void append_inst(struct decoder *d) {
  struct op op = decode_inst(d), after = op;
  enum rounding rounding = rounding_of(d->inst);
  if (rounding != ROUND_NEAREST)
    append(d->module, (struct op){.code = OP_ROUND, .detail = (uint8_t)rounding}, d->inst);
  append(d->module, op, d->inst);
  if (rounding != ROUND_NEAREST)
    append(d->module, (struct op){.code = OP_ROUND, .detail = ROUND_NEAREST}, d->inst);
  after.code = OP_SATURATE;
  after.class = CLASS_OTHER;
  if (moves_128(d->inst))
    decode_mov_128(d, &after, 1);
  if (is_saturated(d->inst) || moves_128(d->inst))
    append(d->module, after, d->inst);
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
  MAX_SHARED_BYTES = 227 << 10, /* with */
};

static void lay_out_memory(struct decoder *d) {
  const struct ptx_function *f = d->function;
  const struct ptx_module *m = d->module->ptx;
  struct kernel *k = d->kernel;
  uint64_t shared = f->shared_bytes ? own_shared(m) + f->shared_bytes : m->shared_bytes;
  if (f->local_bytes > MAX_LOCAL_BYTES)
    refuse(d, "%llu bytes of local memory, at most %d are supported", (unsigned long long)f->local_bytes,
           MAX_LOCAL_BYTES);
  if (shared > MAX_SHARED_BYTES)
    refuse(d, "%llu bytes of shared memory, at most %d are supported", (unsigned long long)shared,
           MAX_SHARED_BYTES);
  k->local_bytes = (uint32_t)f->local_bytes;
  k->shared_static = (uint32_t)shared;
  k->shared_dynamic_base = (k->shared_static + 15) / 16 * 16;
  k->shared_dynamic_max = k->shared_static > DEFAULT_SHARED ? 0 : DEFAULT_SHARED - k->shared_static;
}

/* Predicates first (the carry flag before all), then registers by width, then parameters by lane. */
static void lay_out_frame(struct decoder *d) {
  const struct ptx_function *f = d->function;
  uint64_t at = 4;
  for (uint32_t pass = 0; pass <= 4; pass++) {
    if (pass == 1)
      at = (at + 63) / 64 * 64;
    for (uint32_t r = 0; r < f->reg_count; r++) {
      uint32_t width = f->reg_types[r] == PTX_PRED ? 0 : lane_bytes(f->reg_types[r]) / 4;
      if (width != pass)
        continue;
      d->offsets[r] = (uint32_t)at;
      at += width == 0 ? 4 : (uint64_t)width * 4 * LANES;
    }
  }
  d->kernel->param_offset = (uint32_t)((at + 63) / 64 * 64);
  at = d->kernel->param_offset + f->frame_param_bytes * LANES;
  if (at > MAX_FRAME_BYTES)
    refuse(d, "function needs too many registers");
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
    if (starts(inst, "bra") || starts(inst, "brx") || starts(inst, "ret"))
      reconverges[inst->reconverge] = true;
    reconverges[i + 1] |= is_indirect_call(inst);
    if (starts(inst, "brx") && inst->operand_count == 2 && inst->operands[1].symbol)
      for (uint32_t k = 0; k < inst->operands[1].symbol->target_count; k++)
        reconverges[inst->reconvergences[k].inst] = true;
  }
  return reconverges;
}

/* Where ways meet, and those who leave a loop leave its joins. */
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

static void decode_function(struct decoder *d, const struct ptx_function *f, struct kernel *kernel) {
  static const struct ptx_inst nothing = {.op = "", .guard = -1};
  struct arena *arena = &d->module->ptx->arena;
  d->function = f;
  d->kernel = kernel;
  d->inst = f->inst_count ? f->insts : &nothing;
  lay_out_memory(d);
  d->offsets = arena_alloc(arena, f->reg_count + 1, sizeof *d->offsets);
  d->mentions = arena_alloc(arena, f->reg_count + 1, sizeof *d->mentions);
  for (uint32_t i = 0; i < f->inst_count; i++)
    count_mentions(d, f->insts[i].operands, f->insts[i].operand_count);
  lay_out_frame(d);
  bool *reconverges = reconvergence_points(d);
  d->labels = arena_alloc(arena, f->inst_count + 1, sizeof *d->labels);
  uint32_t at = kernel->entry = d->module->code_count;
  for (uint32_t i = 0; i <= f->inst_count; i++) {
    d->labels[i] = at;
    at += reconverges[i] + (i < f->inst_count ? parts_of(&f->insts[i]) : 1);
  }
  for (uint32_t i = 0; i <= f->inst_count; i++) {
    d->inst = i < f->inst_count ? &f->insts[i] : &nothing;
    if (reconverges[i])
      append(d->module, reconvergence_op(d, i), d->inst);
    if (i < f->inst_count)
      append_inst(d);
  }
  append(d->module, (struct op){.code = f->is_entry ? OP_EXIT : OP_RET}, NULL);
  kernel->end = d->module->code_count;
}

/* Those that have been declared since it was last done. */
static void place_variables(struct decoder *d) {
  struct module *m = d->module;
  struct ptx_module *p = m->ptx;
  const uint32_t first = m->variable_count;
  while (m->variable_count < p->variable_count) {
    const uint32_t i = m->variable_count;
    m->addresses = arena_grow(&p->arena, m->addresses, i, sizeof *m->addresses);
    m->addresses[m->variable_count++] = 0;
    struct ptx_symbol *v = p->variables[i];
    if (v->is_extern || v->size == 0)
      continue;
    struct allocation *a = memory_allocate(&m->device->memory, v->size);
    if (!a)
      stop(d, "variable '%s' of %llu bytes does not fit in device memory", v->name,
           (unsigned long long)v->size);
    a->is_symbol = true;
    a->is_constant = v->space == PTX_CONST;
    if (a->is_constant)
      m->constant_memory += v->size;
    m->addresses[i] = a->base;
    if (v->data)
      memcpy(a->host, v->data, v->size);
    else
      memset(a->host, 0, v->size);
  }
  for (uint32_t i = first; i < p->variable_count; i++)
    for (const struct ptx_relocation *r = p->variables[i]->relocations; r; r = r->next)
      if (m->addresses[i]) {
        uint64_t value =
            r->addend + (r->target->kind == PTX_SYMBOL_FUNCTION ? function_address(m, r->target->function)
                                                                : m->addresses[r->target->first]);
        memcpy(memory_at(&m->device->memory, m->addresses[i], 1) + r->offset, &value, sizeof value);
      }
}

/* Who calls a refused function is refused: from each of those up, along the calls that lead to it. */
static void refuse_callers(struct decoder *d) {
  struct module *m = d->module;
  struct arena *arena = &m->ptx->arena;
  const uint32_t none = UINT32_MAX;
  uint32_t *first = arena_alloc(arena, m->kernel_count + 1, sizeof *first); /* call of each function */
  uint32_t *next = arena_alloc(arena, m->call_count + 1, sizeof *next);     /* call of the same one */
  uint32_t *queue = arena_alloc(arena, m->kernel_count + 1, sizeof *queue), count = 0;
  for (uint32_t i = 0; i < m->kernel_count; i++) {
    first[i] = none;
    if (m->kernels[i].refusal)
      queue[count++] = i;
  }
  for (uint32_t i = 0; i < m->call_count; i++) {
    if (m->calls[i].callee == ANY_FUNCTION)
      continue;
    next[i] = first[m->calls[i].callee];
    first[m->calls[i].callee] = i;
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t call = first[queue[i]]; call != none; call = next[call]) {
      struct kernel *caller = &m->kernels[m->calls[call].caller];
      if (caller->refusal)
        continue;
      caller->refusal = m->kernels[queue[i]].refusal;
      caller->refused_for_callee = true;
      queue[count++] = m->calls[call].caller;
    }
}

/* A kernel's calls lead to functions only, and what those do is known. */
static void follow_calls(struct module *m, struct kernel *k, uint32_t first_call) {
  for (uint32_t i = first_call; i < m->call_count && !k->refusal; i++)
    if (m->calls[i].callee != ANY_FUNCTION && m->kernels[m->calls[i].callee].refusal) {
      k->refusal = m->kernels[m->calls[i].callee].refusal;
      k->refused_for_callee = true;
    }
  for (uint32_t i = 0; k->calls && i < m->kernel_count; i++) /* it may reach every function's atomics */
    if (!m->kernels[i].ptx->is_entry)
      k->is_ordered |= m->kernels[i].is_ordered;
}

/* Decode the function, or keep nothing of it but the reason why not. */
static void decode_or_refuse(struct module *m, struct kernel *kernel) {
  struct decoder d = {.module = m};
  const uint32_t first = m->code_count;
  const bool parsed = ptx_parse_body(m->ptx, kernel->ptx);
  kernel->is_decoded = true;
  watch_memory(&d);
  if (setjmp(d.escape) == 0) {
    if (!parsed)
      stop(&d, "%s", m->ptx->error);
    place_variables(&d);
    decode_function(&d, kernel->ptx, kernel);
  } else {
    m->code_count = kernel->entry = kernel->end = first;
    kernel->refusal = d.refusal;
  }
  m->ptx->arena.fail = NULL;
}

struct kernel *module_kernel(struct module *m, uint32_t index) {
  struct kernel *k = &m->kernels[index];
  if (k->is_decoded || !k->ptx->has_body)
    return k;
  const uint32_t first_call = m->call_count;
  decode_or_refuse(m, k);
  follow_calls(m, k, first_call);
  return k;
}

static bool load(struct decoder *d) {
  if (setjmp(d->escape) != 0)
    return false;
  struct module *m = d->module;
  struct arena *arena = &m->ptx->arena;
  watch_memory(d);
  place_variables(d);
  for (const struct ptx_function *f = m->ptx->functions; f; f = f->next)
    m->kernel_count++;
  m->known_constants = arena_alloc(arena, 1, sizeof *m->known_constants);
  m->kernels = arena_alloc(arena, m->kernel_count, sizeof *m->kernels);
  struct kernel *k = m->kernels;
  for (struct ptx_function *f = m->ptx->functions; f; f = f->next, k++) {
    k->ptx = f;
    if (!f->is_entry && f->has_body)
      decode_or_refuse(m, k);
  }
  watch_memory(d);
  refuse_callers(d);
  arena->fail = NULL;
  return true;
}

struct module *module_load(struct device *device, char *text, char *error, size_t error_size) {
  struct module *m = calloc(1, sizeof *m);
  if (!m)
    abort();
  m->device = device;
  m->ptx = ptx_parse(text);
  struct decoder d = {.module = m, .refusal = m->ptx->error};
  if (!m->ptx->error[0] && load(&d))
    return m;
  snprintf(error, error_size, "%s", d.refusal);
  module_unload(m);
  return NULL;
}

void module_unload(struct module *m) {
  model_forget(); /* launches, by their kernels */
  for (uint32_t i = 0; i < m->variable_count; i++)
    if (m->addresses[i])
      memory_free(&m->device->memory, memory_find(&m->device->memory, m->addresses[i]));
  free(m->constants);
  ptx_free(m->ptx);
  free(m);
}
