#include "decode_matrix.h"

#include <stdio.h>
#include <string.h>

#include "fragment.h"

static const char *const type_names[MATRIX_TYPES] = {
    [MATRIX_F16] = "f16",   [MATRIX_BF16] = "bf16", [MATRIX_TF32] = "tf32", [MATRIX_E4M3] = "e4m3",
    [MATRIX_E5M2] = "e5m2", [MATRIX_F32] = "f32",   [MATRIX_F64] = "f64",   [MATRIX_S8] = "s8",
    [MATRIX_U8] = "u8",     [MATRIX_S4] = "s4",     [MATRIX_U4] = "u4",     [MATRIX_B1] = "b1",
    [MATRIX_S32] = "s32"};

/* The shapes of products, by type of A and B. */
static const struct {
  enum matrix_type type; /* that of the signed integers also for the unsigned ones */
  const char *wmma, *mma;
} shapes[] = {{MATRIX_F16, "m16n16k16 m32n8k16 m8n32k16", "m16n8k8 m16n8k16"},
              {MATRIX_BF16, "m16n16k16 m32n8k16 m8n32k16", "m16n8k8 m16n8k16"},
              {MATRIX_TF32, "m16n16k8", "m16n8k4 m16n8k8"},
              {MATRIX_E4M3, "", "m16n8k32"},
              {MATRIX_E5M2, "", "m16n8k32"},
              {MATRIX_F64, "m8n8k4", "m8n8k4 m16n8k4 m16n8k8 m16n8k16"},
              {MATRIX_S8, "m16n16k16 m32n8k16 m8n32k16", "m8n8k16 m16n8k16 m16n8k32"},
              {MATRIX_S4, "m8n8k32", "m8n8k32 m16n8k32 m16n8k64"},
              {MATRIX_B1, "m8n8k128", "m8n8k128 m16n8k128 m16n8k256"}};

/* What the mnemonic says, in its order. */
struct form {
  enum matrix_type types[4];
  uint32_t type_count;
  bool columns[2]; /* col, else row */
  uint32_t layout_count;
  uint32_t m, n, k;
  char shape[16];
};

static enum matrix_type type_named(const char *name, size_t length) {
  for (uint32_t i = 0; i < MATRIX_TYPES; i++)
    if (strlen(type_names[i]) == length && memcmp(type_names[i], name, length) == 0)
      return (enum matrix_type)i;
  return MATRIX_TYPES;
}

static struct form form_of(const char *op) {
  struct form form = {0};
  for (const char *at = strchr(op, '.'); at; at = strchr(at, '.')) {
    const size_t length = strcspn(++at, ".");
    const enum matrix_type type = type_named(at, length);
    const bool columns = length == 3 && memcmp(at, "col", 3) == 0,
               rows = length == 3 && memcmp(at, "row", 3) == 0;
    if (type < MATRIX_TYPES && form.type_count < 4)
      form.types[form.type_count++] = type;
    if ((columns || rows) && form.layout_count < 2)
      form.columns[form.layout_count++] = columns;
    if (length < sizeof form.shape && sscanf(at, "m%3un%3uk%3u", &form.m, &form.n, &form.k) == 3)
      snprintf(form.shape, sizeof form.shape, "%.*s", (int)length, at);
  }
  return form;
}

static bool is_unsigned(enum matrix_type type) { return type == MATRIX_U8 || type == MATRIX_U4; }
static enum matrix_type with_sign(enum matrix_type type) {
  return is_unsigned(type) ? (enum matrix_type)(type - 1) : type;
}

static bool is_float_of_8_bits(enum matrix_type type) { return type == MATRIX_E4M3 || type == MATRIX_E5M2; }
static bool can_be_multiplied(enum matrix_type a, enum matrix_type b) {
  return with_sign(a) == with_sign(b) || (is_float_of_8_bits(a) && is_float_of_8_bits(b));
}

/* Returns whether `list` has the shape, for one type or (MATRIX_TYPES) for any. */
static bool has_shape(const struct form *form, enum matrix_type type, bool wmma) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (type != MATRIX_TYPES && shapes[i].type != with_sign(type))
      continue;
    const char *at = wmma ? shapes[i].wmma : shapes[i].mma;
    for (size_t length; *at; at += length + (at[length] == ' ')) {
      length = strcspn(at, " ");
      if (length == strlen(form->shape) && memcmp(at, form->shape, length) == 0)
        return true;
    }
  }
  return false;
}

/* The registers of operand `n`. `needed`: those of the matrix; wmma's halves may have more. */
static void decode_registers(struct decoder *d, struct fragment *f, uint32_t n, uint32_t needed,
                             bool is_result) {
  const struct ptx_operand *o = decoder_operand(d, n),
                           *elements = o->kind == PTX_OPERAND_VECTOR ? o->elements : o;
  const uint32_t count = o->kind == PTX_OPERAND_VECTOR ? o->count : 1;
  const unsigned bytes = f->type == MATRIX_F64 ? 8 : 4;
  if (needed == 0 || count > FRAGMENT_REGISTERS || count % needed)
    decoder_refuse(d, "wrong number of registers");
  f->registers = (uint8_t)count;
  for (uint32_t i = 0; i < count; i++)
    f->place[i] =
        is_result ? decoder_register(d, elements[i].reg, bytes) : decoder_source(d, &elements[i], bytes);
}

static void decode_fragment(struct decoder *d, struct fragment *f, uint32_t n, bool is_result) {
  const uint32_t bits = fragment_bits((enum matrix_type)f->type);
  f->per_register = (uint8_t)(bits < 32 ? 32 / bits : 1);
  f->unit = f->unit ? f->unit : f->per_register;
  decode_registers(d, f, n, (uint32_t)f->lines * f->length / LANES / f->per_register, is_result);
}

/* The fragments of a product: A, B, and C or D. */
static struct fragment fragment_of(const struct form *form, char which, enum matrix_type type, bool columns) {
  const uint32_t k = type == MATRIX_B1 ? form->k / 32 : form->k;
  struct fragment f = {.type = (uint8_t)type, .along = !columns};
  f.lines = (uint8_t)(which == 'b' ? form->n : form->m);
  f.length = (uint8_t)(which == 'a' || which == 'b' ? k : form->n);
  f.tile = which == 'b' || form->m % 16 ? 8 : 16;
  if (which == 'b')
    f.along = columns;
  if (which == 'c')
    f.unit = 2;
  return f;
}

static bool sums_fit(enum matrix_type type, enum matrix_type c, enum matrix_type d, bool wmma) {
  switch (type) {
  case MATRIX_F16:
  case MATRIX_E4M3:
  case MATRIX_E5M2:
    return (c == MATRIX_F16 || c == MATRIX_F32) && (d == MATRIX_F16 || d == MATRIX_F32) && (wmma || c == d);
  case MATRIX_BF16:
  case MATRIX_TF32:
    return c == MATRIX_F32 && d == MATRIX_F32;
  case MATRIX_F64:
    return c == MATRIX_F64 && d == MATRIX_F64;
  default:
    return c == MATRIX_S32 && d == MATRIX_S32;
  }
}

/* wmma.mma.sync.aligned.layout.layout.shape.d.c[.satfinite] of halves; .d.a.b.c of the others;
 * mma.sync.aligned.shape.row.col[.satfinite].d.a.b.c[.{xor,and}.popc]: d, a, b, c */
static void decode_product(struct decoder *d, struct op *op, struct matrix *x) {
  struct form form = form_of(d->inst->op);
  const bool wmma = ptx_is(d->inst, "wmma");
  if (wmma && form.type_count == 2) {
    form.types[3] = form.types[1];
    form.types[1] = form.types[2] = MATRIX_F16;
    form.type_count = 4;
  }
  const enum matrix_type a = form.types[1], b = form.types[2];
  if (form.type_count != 4 || !can_be_multiplied(a, b) || !has_shape(&form, a, wmma) ||
      !sums_fit(with_sign(a), form.types[3], form.types[0], wmma) ||
      (is_float_of_8_bits(a) && form.types[0] != MATRIX_F32) || ptx_has(d->inst->op, "sp") ||
      form.layout_count != 2 || (!wmma && (form.columns[0] || !form.columns[1])))
    decoder_refuse(d, "unsupported instruction");
  *x = (struct matrix){.action = MATRIX_MULTIPLY, .m = (uint8_t)form.m, .n = (uint16_t)form.n};
  x->a = fragment_of(&form, 'a', a, form.columns[0]);
  x->b = fragment_of(&form, 'b', b, form.columns[1]);
  x->c = fragment_of(&form, 'c', form.types[3], false);
  x->d = fragment_of(&form, 'c', form.types[0], false);
  x->k = x->a.length;
  x->saturates = ptx_has(d->inst->op, "satfinite");
  x->ands = ptx_has(d->inst->op, "and");
  decode_fragment(d, &x->d, 0, true);
  decode_fragment(d, &x->a, 1, false);
  decode_fragment(d, &x->b, 2, false);
  decode_fragment(d, &x->c, 3, false);
  op->code = OP_MATRIX_MULTIPLY;
  op->src[0] = x->a.place[0];
  op->src[1] = x->b.place[0];
  op->src[2] = x->c.place[0];
}

static void decode_place(struct decoder *d, struct op *op, uint32_t n, bool is_load) {
  op->space = (uint8_t)decoder_space(d->inst->op);
  op->class = op->space == PTX_SHARED ? is_load ? CLASS_SHARED_LOAD : CLASS_SHARED_STORE
              : is_load               ? CLASS_GLOBAL_LOAD
                                      : CLASS_GLOBAL_STORE;
  op->code = is_load ? OP_MATRIX_LOAD : OP_MATRIX_STORE;
  if (op->space != PTX_SHARED && op->space != PTX_GLOBAL && op->space != PTX_GENERIC)
    decoder_refuse(d, "unsupported instruction");
  decoder_address(d, op, decoder_operand(d, n));
}

/* wmma.load.{a,b,c}.sync.aligned.layout.shape[.space].type {…}, [a] [, pitch];  wmma.store.d … [a], {…} [, pitch] */
static void decode_move(struct decoder *d, struct op *op, struct matrix *x) {
  const char *name = d->inst->op;
  const bool is_load = ptx_has(name, "load");
  const char which = ptx_has(name, "a") ? 'a' : ptx_has(name, "b") ? 'b' : 'c';
  const struct form form = form_of(name);
  const enum matrix_type type = form.types[0];
  const bool is_sum = which == 'c';
  if ((!is_load && !ptx_has(name, "store")) || form.type_count != 1 || form.layout_count != 1 ||
      !has_shape(&form, is_sum ? MATRIX_TYPES : type, true) ||
      (is_sum && type != MATRIX_F16 && type != MATRIX_F32 && type != MATRIX_F64 && type != MATRIX_S32))
    decoder_refuse(d, "unsupported instruction");
  *x = (struct matrix){.action = is_load ? MATRIX_LOAD : MATRIX_STORE};
  x->d = fragment_of(&form, which, type, form.columns[0]);
  if (fragment_bits(type) < 8 && !x->d.along)
    decoder_refuse(d, "unsupported layout");
  decode_place(d, op, is_load ? 1 : 0, is_load);
  decode_fragment(d, &x->d, is_load ? 0 : 1, is_load);
  op->src[1] = d->inst->operand_count > 2 ? decoder_source(d, decoder_operand(d, 2), 4)
                                          : decoder_constant(d,
                                                             type == MATRIX_B1 ? form.k
                                                             : x->d.along      ? x->d.length
                                                                               : x->d.lines,
                                                             4);
  op->src[2] = x->d.place[0];
}

/* ldmatrix.sync.aligned.m8n8.{x1,x2,x4}[.trans][.shared].b16 {…}, [a];  stmatrix … [a], {…};
 * movmatrix.sync.aligned.m8n8.trans.b16 d, a */
static void decode_rows(struct decoder *d, struct op *op, struct matrix *x) {
  const char *name = d->inst->op;
  const bool moves = ptx_is(d->inst, "movmatrix"), is_load = ptx_is(d->inst, "ldmatrix");
  const uint32_t count = ptx_has(name, "x4") ? 4 : ptx_has(name, "x2") ? 2 : 1;
  if (!ptx_has(name, "m8n8") || ptx_type_part(name, 0) != PTX_B16)
    decoder_refuse(d, "unsupported instruction");
  *x = (struct matrix){.action = moves ? MATRIX_MOVE : is_load ? MATRIX_READ : MATRIX_WRITE};
  x->transposes = ptx_has(name, "trans");
  decode_registers(d, &x->d, is_load || moves ? 0 : 1, count, is_load || moves);
  if (x->d.registers != count)
    decoder_refuse(d, "wrong number of registers");
  if (moves) {
    decode_registers(d, &x->a, 1, 1, false);
    op->code = OP_MATRIX_MOVE;
    op->src[0] = x->a.place[0];
    return;
  }
  decode_place(d, op, is_load ? 1 : 0, is_load);
  op->class = is_load ? CLASS_SHARED_LOAD : CLASS_SHARED_STORE;
  op->src[1] = op->src[2] = x->d.place[0];
}

/* An immediate operand of wgmma: -1 negates a matrix, 1 says that it lies across. */
static bool is_immediate(struct decoder *d, uint32_t n, uint64_t value) {
  const struct ptx_operand *o = n < d->inst->operand_count ? decoder_operand(d, n) : NULL;
  if (o && o->kind != PTX_OPERAND_INTEGER)
    decoder_refuse(d, "expected a constant");
  return o && o->value == value;
}

static void decode_group_operands(struct decoder *d, struct op *op, struct matrix *x) {
  struct warpgroup *g = x->group;
  const struct ptx_operand *sums = decoder_operand(d, 0);
  const bool in_registers = decoder_operand(d, 1)->kind == PTX_OPERAND_VECTOR;
  g->descriptor[0] = NO_OPERAND;
  if (in_registers)
    decode_fragment(d, &x->a, 1, false);
  else
    g->descriptor[0] = decoder_source(d, decoder_operand(d, 1), 8);
  g->descriptor[1] = decoder_source(d, decoder_operand(d, 2), 8);
  if (sums->kind != PTX_OPERAND_VECTOR || sums->count * x->d.per_register * LANES != (uint32_t)x->m * x->n)
    decoder_refuse(d, "wrong number of registers");
  g->sums = arena_alloc(&d->module->ptx->arena, sums->count, sizeof *g->sums);
  for (uint32_t i = 0; i < sums->count; i++)
    g->sums[i] = decoder_register(d, sums->elements[i].reg, 4);
  for (uint32_t i = 0; i < 2; i++)
    g->negates[i] = is_immediate(d, 4 + i, UINT64_MAX);
  g->across[0] = !in_registers && is_immediate(d, 6, 1);
  g->across[1] = is_immediate(d, in_registers ? 6 : 7, 1);
  op->src[0] = in_registers ? x->a.place[0] : g->descriptor[0];
  op->src[1] = g->descriptor[1];
  op->src[2] = g->sums[0];
  op->src[4] = decoder_predicate_source(d, decoder_operand(d, 3));
  op->negate = decoder_operand(d, 3)->negated;
  memcpy(x->d.place, g->sums, x->d.registers * sizeof *x->d.place);
}

/* wgmma.mma_async.sync.aligned.m64nNkK[.satfinite].d.a.b[.and.popc] {…}, {…} | descriptor, descriptor, adds [, 1 | -1,
 * 1 | -1 [, 0 | 1] [, 0 | 1]]: a warp computes 16 of the 64 rows. */
static void decode_group(struct decoder *d, struct op *op, struct matrix *x) {
  static const uint32_t lengths[MATRIX_TYPES] = {
      [MATRIX_F16] = 16,  [MATRIX_BF16] = 16, [MATRIX_TF32] = 8, [MATRIX_E4M3] = 32,
      [MATRIX_E5M2] = 32, [MATRIX_S8] = 32,   [MATRIX_U8] = 32,  [MATRIX_B1] = 256};
  struct form form = form_of(d->inst->op);
  const enum matrix_type sum = form.types[0], a = form.types[1], b = form.types[2];
  if (!ptx_has(d->inst->op, "mma_async") || form.type_count != 3 || !can_be_multiplied(a, b) ||
      form.m != 64 || form.n == 0 || form.n % 8 || form.n > 256 || form.k == 0 || form.k != lengths[a] ||
      !sums_fit(with_sign(a), sum, sum, true) || ptx_has(d->inst->op, "sp"))
    decoder_refuse(d, "unsupported instruction");
  form.m = 16;
  struct form tile = form;
  tile.n = 8;
  *x = (struct matrix){.action = MATRIX_GROUP, .m = 16, .n = (uint16_t)form.n};
  x->a = fragment_of(&form, 'a', a, false);
  x->b = (struct fragment){.type = (uint8_t)b};
  x->d = fragment_of(&tile, 'c', sum, false);
  x->d.per_register = sum == MATRIX_F16 ? 2 : 1;
  x->d.registers = (uint8_t)(x->m * tile.n / LANES / x->d.per_register);
  x->c = x->d;
  x->k = x->a.length;
  x->saturates = ptx_has(d->inst->op, "satfinite");
  x->ands = true;
  x->group = arena_alloc(&d->module->ptx->arena, 1, sizeof *x->group);
  *x->group = (struct warpgroup){0};
  decode_group_operands(d, op, x);
  op->code = OP_MATRIX_MULTIPLY;
}

/* .fence, .commit_group, .wait_group n: products are complete already. At the first and the last, the warps of an
 * H200's group meet, and programs rely on it. */
static bool is_group_fence(const struct ptx_inst *inst) {
  return ptx_is(inst, "wgmma") && !ptx_has(inst->op, "mma_async");
}

void decode_matrix(struct decoder *d, struct op *op) {
  struct module *m = d->module;
  struct matrix x;
  if (!ptx_has(d->inst->op, "sync"))
    decoder_refuse(d, "unsupported instruction");
  if (is_group_fence(d->inst)) {
    op->code = OP_FENCE;
    op->yields = ptx_has(d->inst->op, "commit_group") ? YIELD_NEVER : YIELD_NOW;
    return;
  }
  if (ptx_is(d->inst, "wgmma"))
    decode_group(d, op, &x);
  else if (ptx_is(d->inst, "mma") || (ptx_is(d->inst, "wmma") && ptx_has(d->inst->op, "mma")))
    decode_product(d, op, &x);
  else if (ptx_is(d->inst, "wmma"))
    decode_move(d, op, &x);
  else
    decode_rows(d, op, &x);
  op->src[3] = decoder_constant(d, ALL_LANES, 4);
  if (op->code != OP_MATRIX_STORE)
    for (uint32_t i = 0; i < 4 && i < x.d.registers; i++)
      op->dst[i] = x.d.place[i]; /* those that the time model follows */
  op->matrix = m->matrix_count;
  m->matrices = arena_grow(&m->ptx->arena, m->matrices, m->matrix_count, sizeof *m->matrices);
  m->matrices[m->matrix_count++] = x;
}
