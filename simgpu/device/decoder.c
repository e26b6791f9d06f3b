#include "decoder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/report.h"

struct constant {
  uint64_t bits;
  uint8_t bytes;
  uint32_t offset;
  uint32_t next; /* number of the next constant in the bucket, from 1; 0: none */
};

enum { CONSTANT_BUCKETS = 1 << 12 };

struct constants { /* of a module */
  struct constant *list;
  uint32_t count;
  uint32_t buckets[CONSTANT_BUCKETS]; /* first of each, from 1 */
};

_Noreturn void decoder_stop(struct decoder *d, const char *format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  d->refusal = arena_string(&d->module->ptx->arena, line, strlen(line));
  longjmp(d->escape, 1);
}

_Noreturn void decoder_refuse(struct decoder *d, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const struct ptx_location at = d->inst->location;
  const char *file = report_file(d->module->ptx, at);
  if (file)
    decoder_stop(d, "%s:%u: %s: '%s' (PTX line %u, in %s)", file, at.line, text, d->inst->op,
                 d->inst->ptx_line, d->function->name);
  decoder_stop(d, "PTX line %u: %s: '%s' (in %s)", d->inst->ptx_line, text, d->inst->op, d->function->name);
}

_Noreturn static void give_up(void *context) {
  struct decoder *d = context;
  d->refusal = "the module needs too much memory";
  longjmp(d->escape, 1);
}

void decoder_watch_memory(struct decoder *d) {
  d->module->ptx->arena.fail = give_up;
  d->module->ptx->arena.context = d;
}

void decoder_new_constants(struct module *m) {
  m->known_constants = arena_alloc(&m->ptx->arena, 1, sizeof *m->known_constants);
}

/* Makes room in the module's constants for `bytes` more and one vector. */
static void reserve_constants(struct decoder *d, uint32_t bytes) {
  struct module *m = d->module;
  if (m->constant_bytes + bytes <= m->constant_room)
    return;
  const uint32_t room = m->constant_room ? 2 * m->constant_room : 4096;
  char *fresh = aligned_alloc(64, room + 64);
  if (!fresh)
    give_up(d);
  if (m->constants)
    memcpy(fresh, m->constants, m->constant_bytes);
  free(m->constants);
  m->constants = fresh;
  m->constant_room = room;
}

uint32_t decoder_constant(struct decoder *d, uint64_t bits, unsigned bytes) {
  struct module *m = d->module;
  struct constants *known = m->known_constants;
  if (bytes == 4)
    bits = (uint32_t)bits;
  uint32_t *bucket = &known->buckets[ptx_hash((const char *)&bits, sizeof bits) % CONSTANT_BUCKETS];
  for (uint32_t i = *bucket; i > 0; i = known->list[i - 1].next)
    if (known->list[i - 1].bits == bits && known->list[i - 1].bytes == bytes)
      return known->list[i - 1].offset;
  if (m->constant_bytes > OFFSET_MASK - bytes * LANES)
    decoder_refuse(d, "too many constants");
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

const struct ptx_operand *decoder_operand(struct decoder *d, uint32_t n) {
  if (n >= d->inst->operand_count)
    decoder_refuse(d, "too few operands");
  return &d->inst->operands[n];
}

uint32_t decoder_register(struct decoder *d, int32_t number, unsigned bytes) {
  if (number < 0)
    decoder_refuse(d, "expected a register");
  enum ptx_type type = d->function->reg_types[number];
  if (type == PTX_PRED || decoder_lane_bytes(type) != bytes)
    decoder_refuse(d, "operand has the wrong width");
  return d->offsets[number];
}

uint32_t decoder_half_register(struct decoder *d, const struct ptx_operand *o, uint32_t half) {
  if (o->kind != PTX_OPERAND_REGISTER)
    decoder_refuse(d, "expected a register");
  return decoder_register(d, o->reg, 16) + half * 8 * LANES;
}

uint32_t decoder_predicate(struct decoder *d, int32_t number) {
  if (number < 0 || d->function->reg_types[number] != PTX_PRED)
    decoder_refuse(d, "expected a predicate");
  return d->offsets[number];
}

bool decoder_is_kernel_param(const struct decoder *d, const struct ptx_symbol *symbol) {
  if (!d->function->is_entry)
    return false;
  for (uint32_t i = 0; i < d->function->param_count; i++)
    if (d->function->params[i] == symbol)
      return true;
  return false;
}

uint64_t decoder_own_shared(const struct ptx_module *m) { return (m->shared_bytes + 127) / 128 * 128; }

bool decoder_is_dynamic_of_caller(const struct decoder *d, const struct ptx_symbol *symbol) {
  return symbol && symbol->kind == PTX_SYMBOL_VARIABLE && symbol->space == PTX_SHARED && symbol->is_extern &&
         !d->function->is_entry;
}

uint64_t decoder_function_address(const struct module *m, const struct ptx_function *function) {
  uint64_t index = 0;
  for (const struct ptx_function *f = m->ptx->functions; f != function; f = f->next)
    index++;
  return FUNCTION_WINDOW + index * FUNCTION_BYTES;
}

/* The address of a variable in its own space (of a local one, in the frame), or of a function. */
static uint64_t address_of(struct decoder *d, const struct ptx_symbol *symbol) {
  if (symbol->kind == PTX_SYMBOL_FUNCTION)
    return decoder_function_address(d->module, symbol->function);
  if (symbol->kind != PTX_SYMBOL_VARIABLE)
    decoder_refuse(d, "unsupported operand '%s'", symbol->name);
  const struct ptx_module *m = d->module->ptx;
  switch (symbol->space) {
  case PTX_GLOBAL:
  case PTX_CONST:
    if (d->module->addresses[symbol->first])
      return d->module->addresses[symbol->first];
    decoder_refuse(d, "variable '%s' is declared but not defined in this file", symbol->name);
  case PTX_SHARED:
    if (symbol->is_extern) {
      d->kernel->names_dynamic_shared = true;
      return d->kernel->shared_dynamic_base;
    }
    return symbol->offset + (symbol->function ? decoder_own_shared(m) : 0);
  case PTX_PARAM:
    if (!decoder_is_kernel_param(d, symbol))
      decoder_refuse(d, "address of a function parameter is not supported");
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
    decoder_refuse(d, "single-precision constant in a double-precision operation");
  return o->value;
}

uint32_t decoder_special(struct decoder *d, uint64_t which) {
  if (which < PTX_CTAID_X)
    return (uint32_t)BASE_WARP << BASE_SHIFT | (uint32_t)which * LANES * 4;
  if (which < PTX_CLOCK)
    return (uint32_t)BASE_BLOCK << BASE_SHIFT | (uint32_t)(which - PTX_CTAID_X) * LANES * 4;
  decoder_refuse(d, "unsupported use of a special register");
}

uint32_t decoder_source(struct decoder *d, const struct ptx_operand *o, unsigned bytes) {
  switch (o->kind) {
  case PTX_OPERAND_REGISTER:
    return decoder_register(d, o->reg, bytes);
  case PTX_OPERAND_SPECIAL:
    if (bytes != 4)
      decoder_refuse(d, "operand has the wrong width");
    return decoder_special(d, o->value);
  case PTX_OPERAND_INTEGER:
  case PTX_OPERAND_FLOAT:
  case PTX_OPERAND_DOUBLE:
    return decoder_constant(d, immediate(d, o, bytes), bytes);
  case PTX_OPERAND_SYMBOL:
    if (decoder_is_dynamic_of_caller(d, o->symbol))
      decoder_refuse(d, "unsupported operand '%s'", o->symbol->name);
    return decoder_constant(d, address_of(d, o->symbol) + o->value, bytes);
  default:
    decoder_refuse(d, "unsupported operand");
  }
}

uint32_t decoder_predicate_source(struct decoder *d, const struct ptx_operand *o) {
  if (o->kind == PTX_OPERAND_REGISTER)
    return decoder_predicate(d, o->reg);
  if (o->kind == PTX_OPERAND_INTEGER)
    return decoder_constant(d, o->value & 1 ? ALL_LANES : 0, 4);
  if (o->kind == PTX_OPERAND_SPECIAL && o->value == PTX_IS_EXPLICIT_CLUSTER)
    return decoder_special(d, o->value);
  decoder_refuse(d, "expected a predicate");
}

uint32_t decoder_result(struct decoder *d, uint32_t n, unsigned bytes) {
  const struct ptx_operand *o = decoder_operand(d, n);
  if (o->kind != PTX_OPERAND_REGISTER)
    decoder_refuse(d, "expected a register");
  return decoder_register(d, o->reg, bytes);
}

enum ptx_space decoder_space(const char *op) {
  static const struct {
    const char *name;
    enum ptx_space space;
  } names[] = {{"global", PTX_GLOBAL},      {"shared", PTX_SHARED},
               {"shared::cta", PTX_SHARED}, {"shared::cluster", PTX_SHARED},
               {"local", PTX_LOCAL},        {"const", PTX_CONST},
               {"param", PTX_PARAM}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(op, names[i].name))
      return names[i].space;
  return PTX_GENERIC;
}

void decoder_address(struct decoder *d, struct op *op, const struct ptx_operand *o) {
  if (o->kind != PTX_OPERAND_MEMORY || o->count)
    decoder_refuse(d, "expected one address in []");
  op->offset = (int64_t)o->value;
  if (o->reg >= 0) {
    op->wide_address = decoder_lane_bytes(d->function->reg_types[o->reg]) == 8;
    op->src[0] = decoder_register(d, o->reg, op->wide_address ? 8 : 4);
  } else {
    if (o->symbol && o->symbol->space == PTX_LOCAL)
      decoder_refuse(d, "unsupported address");
    op->wide_address = !decoder_is_dynamic_of_caller(d, o->symbol);
    op->src[0] = op->wide_address ? decoder_constant(d, o->symbol ? address_of(d, o->symbol) : 0, 8)
                                  : decoder_special(d, PTX_DYNAMIC_SMEM_BASE);
  }
}

void decoder_elements(struct decoder *d, struct op *op, const struct ptx_operand *o, uint32_t *place,
                      bool is_result) {
  const struct ptx_operand *elements = o->kind == PTX_OPERAND_VECTOR ? o->elements : o;
  if (op->type == PTX_B128 && o->kind == PTX_OPERAND_REGISTER) { /* as two of 64 bits */
    op->type = PTX_B64;
    op->count = 2;
    op->wide = true;
    for (uint32_t i = 0; i < 2; i++)
      place[i] = decoder_half_register(d, o, i);
    return;
  }
  op->count = (uint8_t)(o->kind == PTX_OPERAND_VECTOR ? o->count : 1);
  unsigned bytes = ptx_type_bytes((enum ptx_type)op->type);
  if (bytes == 0 || bytes > 8 || op->type == PTX_PRED || op->count == 0 || op->count > 4 || op->count == 3 ||
      bytes * op->count > 16)
    decoder_refuse(d, "unsupported type or vector");
  for (uint32_t i = 0; i < op->count; i++) {
    const struct ptx_operand *e = &elements[i];
    if (e->kind == PTX_OPERAND_SINK && is_result) {
      place[i] = NO_OPERAND;
    } else if (e->kind == PTX_OPERAND_REGISTER) {
      unsigned lane = decoder_lane_bytes(d->function->reg_types[e->reg]);
      if (i > 0 && (lane == 8) != op->wide)
        decoder_refuse(d, "vector of mixed widths");
      op->wide = lane == 8;
      if (bytes > lane)
        decoder_refuse(d, "operand has the wrong width");
      place[i] = decoder_register(d, e->reg, lane);
    } else if (!is_result) {
      op->wide = bytes == 8;
      place[i] = decoder_source(d, e, op->wide ? 8 : 4);
    } else {
      decoder_refuse(d, "expected a register");
    }
  }
}
