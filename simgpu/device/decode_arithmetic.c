#include "decode_arithmetic.h"

bool decode_moves_128(const struct ptx_inst *inst) {
  return ptx_is(inst, "mov") && ptx_type_part(inst->op, 0) == PTX_B128;
}

/* mov.b128 d, a;  d, {low, high};  {low, high}, a: half of it. */
void decode_mov_128(struct decoder *d, struct op *op, uint32_t half) {
  const struct ptx_operand *to = decoder_operand(d, 0), *from = decoder_operand(d, 1);
  const struct ptx_operand *list = to->kind == PTX_OPERAND_VECTOR ? to : from;
  if (list->kind == PTX_OPERAND_VECTOR && list->count != 2)
    decoder_refuse(d, "unsupported vector");
  op->code = OP_MOV_64;
  op->src[0] = from->kind == PTX_OPERAND_VECTOR ? decoder_source(d, &from->elements[half], 8)
                                                : decoder_half_register(d, from, half);
  if (to->kind != PTX_OPERAND_VECTOR)
    op->dst[0] = decoder_half_register(d, to, half);
  else if (to->elements[half].kind == PTX_OPERAND_SINK) {
    op->code = OP_FENCE; /* does nothing */
    op->src[0] = op->dst[0] = NO_OPERAND;
  } else
    op->dst[0] = decoder_register(d, to->elements[half].reg, 8);
}

/* mov.b64 {a, b}, d;  d, {a, b}: `list` and the register that holds all of it. */
static void decode_list(struct decoder *d, struct op *op, const struct ptx_operand *list,
                        const struct ptx_operand *whole, bool unpacks) {
  op->type = (uint8_t)ptx_type_part(d->inst->op, 0);
  unsigned bytes = ptx_type_bytes((enum ptx_type)op->type);
  if (bytes < 2 || bytes > 8 || (list->count != 2 && list->count != 4) || bytes < list->count)
    decoder_refuse(d, "unsupported vector");
  op->code = unpacks ? OP_UNPACK : OP_PACK;
  op->count = (uint8_t)list->count;
  op->wide = bytes == 8;
  for (uint32_t i = 0; i < list->count; i++) {
    const struct ptx_operand *e = &list->elements[i];
    if (unpacks)
      op->dst[i] = e->kind == PTX_OPERAND_SINK ? NO_OPERAND : decoder_register(d, e->reg, 4);
    else
      op->src[i] = decoder_source(d, e, 4);
  }
  if (unpacks)
    op->src[0] = decoder_source(d, whole, op->wide ? 8 : 4);
  else
    op->dst[0] = decoder_register(d, whole->reg, op->wide ? 8 : 4);
}

bool decode_mov(struct decoder *d, struct op *op) {
  if (decode_moves_128(d->inst)) {
    decode_mov_128(d, op, 0);
    return true;
  }
  const struct ptx_operand *to = decoder_operand(d, 0), *from = decoder_operand(d, 1);
  const struct ptx_operand *list = to->kind == PTX_OPERAND_VECTOR     ? to
                                   : from->kind == PTX_OPERAND_VECTOR ? from
                                                                      : NULL;
  if (list) {
    decode_list(d, op, list, list == to ? from : to, list == to);
    return true;
  }
  if (from->kind == PTX_OPERAND_SPECIAL && from->value >= PTX_CLOCK) {
    op->wide = from->value == PTX_CLOCK64 || from->value == PTX_GLOBALTIMER;
    op->special = (uint8_t)from->value;
    op->code = OP_CLOCK;
    op->dst[0] = decoder_result(d, 0, op->wide ? 8 : 4);
    return true;
  }
  if (from->kind == PTX_OPERAND_SYMBOL && decoder_is_dynamic_of_caller(d, from->symbol) && from->value == 0) {
    bool wide = ptx_type_bytes(ptx_type_part(d->inst->op, 0)) == 8;
    op->code = wide ? OP_CVT_U64_U32 : OP_MOV_32;
    op->dst[0] = decoder_result(d, 0, wide ? 8 : 4);
    op->src[0] = decoder_special(d, PTX_DYNAMIC_SMEM_BASE);
    return true;
  }
  if (from->kind == PTX_OPERAND_SYMBOL && from->symbol->kind == PTX_SYMBOL_VARIABLE &&
      from->symbol->space == PTX_LOCAL) {
    op->code = OP_LOCAL_ADDRESS;
    op->wide = ptx_type_part(d->inst->op, 0) != PTX_U32 && ptx_type_part(d->inst->op, 0) != PTX_B32;
    op->dst[0] = decoder_result(d, 0, op->wide ? 8 : 4);
    op->offset = (int64_t)(from->symbol->offset + from->value);
    return true;
  }
  return false;
}

/* cvt.pack.sat.to.s32[.b32] d, a, b [, c]: two integers; as bytes, they go below the low half of c */
static void decode_pack(struct decoder *d, struct op *op) {
  unsigned n = ptx_type_part(d->inst->op, 0) == PTX_B32;
  op->code = OP_CVT_PACK;
  op->type = (uint8_t)ptx_type_part(d->inst->op, n + 1);
  op->from = (uint8_t)ptx_type_part(d->inst->op, n);
  unsigned bytes = ptx_type_bytes((enum ptx_type)op->type);
  if (op->from != PTX_S32 || !ptx_has(d->inst->op, "sat") || (bytes != 1 && bytes != 2) ||
      ptx_type_is_float((enum ptx_type)op->type))
    decoder_refuse(d, "unsupported conversion");
  op->dst[0] = decoder_result(d, 0, 4);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), 4);
  op->src[1] = decoder_source(d, decoder_operand(d, 2), 4);
  op->src[2] = n ? decoder_source(d, decoder_operand(d, 3), 4) : decoder_constant(d, 0, 4);
}

/* cvt.rn.satfinite[.relu].{e4m3x2,e5m2x2}.{f32 d, a, b | f16x2 d, a}; cvt.rn[.relu].f16x2.{e4m3x2,e5m2x2} d, a */
static void decode_eights(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  const bool widens = ptx_type_part(name, 1) == PTX_F16X2;
  op->code = OP_CVT_EIGHTS;
  op->type = (uint8_t)(widens ? PTX_F16X2 : PTX_NONE);
  op->from = (uint8_t)(widens ? PTX_NONE : ptx_type_part(name, 0));
  op->flags = (ptx_has(name, "relu") ? CONVERT_RELU : 0) | (ptx_has(name, "e4m3x2") ? CONVERT_E4M3 : 0);
  if (!ptx_has(name, "rn") || (!widens && op->from != PTX_F32 && op->from != PTX_F16X2))
    decoder_refuse(d, "unsupported conversion");
  op->dst[0] = decoder_result(d, 0, 4);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), 4);
  op->src[1] = op->from == PTX_F32 ? decoder_source(d, decoder_operand(d, 2), 4) : op->src[0];
}

/* cvt[.rounding][.ftz][.sat].to.from */
void decode_cvt(struct decoder *d, struct op *op) {
  if (ptx_has(d->inst->op, "pack")) {
    decode_pack(d, op);
    return;
  }
  if (ptx_has(d->inst->op, "e4m3x2") || ptx_has(d->inst->op, "e5m2x2")) {
    decode_eights(d, op);
    return;
  }
  op->code = OP_CVT;
  op->type = (uint8_t)ptx_type_part(d->inst->op, 1);
  op->from = (uint8_t)ptx_type_part(d->inst->op, 0);
  static const char *const roundings[] = {"rn",  "rz",  "rm",  "rp",   /* enum rounding */
                                          "rni", "rzi", "rmi", "rpi"}; /* the same, with ROUND_INTEGRAL */
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
    if (ptx_has(d->inst->op, roundings[i]))
      op->rounding = (uint8_t)i;
  op->flags = (ptx_has(d->inst->op, "sat") ? CONVERT_SATURATE : 0) |
              (ptx_has(d->inst->op, "ftz") ? CONVERT_FTZ : 0) |
              (ptx_has(d->inst->op, "relu") ? CONVERT_RELU : 0) |
              (ptx_has(d->inst->op, "satfinite") ? CONVERT_FINITE : 0) |
              (ptx_has(d->inst->op, "rna") ? CONVERT_AWAY : 0);
  if ((op->type == PTX_F16X2 || op->type == PTX_BF16X2) && op->from == PTX_F32) {
    op->code = OP_CVT_PAIR;
    op->type = op->type == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    op->dst[0] = decoder_result(d, 0, 4);
    op->src[0] = decoder_source(d, decoder_operand(d, 1), 4);
    op->src[1] = decoder_source(d, decoder_operand(d, 2), 4);
    return;
  }
  uint8_t types[2] = {op->type, op->from};
  for (int i = 0; i < 2; i++)
    if (types[i] == PTX_NONE || types[i] == PTX_PRED || types[i] == PTX_F16X2 || types[i] == PTX_BF16X2 ||
        types[i] == PTX_B128 || (types[i] == PTX_TF32 && (i == 1 || types[1] != PTX_F32)))
      decoder_refuse(d, "unsupported conversion");
  const struct ptx_operand *to = decoder_operand(d, 0), *from = decoder_operand(d, 1);
  if (to->kind != PTX_OPERAND_REGISTER)
    decoder_refuse(d, "expected a register");
  op->wide = decoder_lane_bytes(d->function->reg_types[to->reg]) == 8;
  op->dst[0] = decoder_register(d, to->reg, op->wide ? 8 : 4);
  bool wide = from->kind == PTX_OPERAND_REGISTER ? decoder_lane_bytes(d->function->reg_types[from->reg]) == 8
                                                 : decoder_lane_bytes((enum ptx_type)op->from) == 8;
  op->wide_source = wide;
  op->src[0] = decoder_source(d, from, wide ? 8 : 4);
  if (ptx_type_bytes((enum ptx_type)op->from) > (wide ? 8u : 4u) ||
      ptx_type_bytes((enum ptx_type)op->type) > (op->wide ? 8u : 4u))
    decoder_refuse(d, "operand has the wrong width");
}

/* Returns the outcomes (COMPARE_…) for which the mnemonic's comparison holds, or 0 if it names none. */
static uint8_t comparison_of(const char *name) {
  enum {
    LESS = COMPARE_LESS,
    EQUAL = COMPARE_EQUAL,
    GREATER = COMPARE_GREATER,
    UNORDERED = COMPARE_UNORDERED
  };
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
  const struct ptx_operand *c = decoder_operand(d, 3);
  op->src[2] = decoder_predicate_source(d, c);
  op->negate = c->negated;
  op->combine = ptx_has(d->inst->op, "and")  ? COMBINE_AND
                : ptx_has(d->inst->op, "or") ? COMBINE_OR
                                             : COMBINE_XOR;
}

/* setp.cmp[.bool][.ftz].type p[|q], a, b [, c] */
void decode_setp(struct decoder *d, struct op *op) {
  const struct ptx_operand *to = decoder_operand(d, 0);
  if (to->kind == PTX_OPERAND_REGISTER)
    op->dst[0] = decoder_predicate(d, to->reg);
  op->dst[1] = to->pair >= 0 ? decoder_predicate(d, to->pair) : NO_OPERAND;
  decode_combination(d, op);
}

/* setp.cmp[.bool][.ftz].{f16x2,bf16x2} p|q, a, b [, [!]c]: p of the low halves, q of the high ones */
void decode_setp_pair(struct decoder *d, struct op *op) {
  const struct ptx_operand *to = decoder_operand(d, 0);
  op->code = OP_SETP_PAIR;
  op->from = (uint8_t)ptx_type_part(d->inst->op, 0);
  op->outcomes = comparison_of(d->inst->op);
  op->flags = ptx_has(d->inst->op, "ftz") ? CONVERT_FTZ : 0;
  if (op->outcomes == 0 || (op->from != PTX_F16X2 && op->from != PTX_BF16X2))
    decoder_refuse(d, "unsupported instruction");
  if (to->kind == PTX_OPERAND_REGISTER)
    op->dst[0] = decoder_predicate(d, to->reg);
  if (to->pair >= 0)
    op->dst[1] = decoder_predicate(d, to->pair);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), 4);
  op->src[1] = decoder_source(d, decoder_operand(d, 2), 4);
  decode_combination(d, op);
}

/* set.cmp[.bool][.ftz].to.from d, a, b [, [!]c] */
void decode_set(struct decoder *d, struct op *op) {
  const char *name = d->inst->op;
  op->code = OP_SET;
  op->type = (uint8_t)ptx_type_part(name, 1);
  op->from = (uint8_t)ptx_type_part(name, 0);
  op->outcomes = comparison_of(name);
  unsigned to = ptx_type_bytes((enum ptx_type)op->type), bytes = ptx_type_bytes((enum ptx_type)op->from);
  if (op->outcomes == 0 || (to != 2 && to != 4) || bytes < 2 || bytes > 8)
    decoder_refuse(d, "unsupported instruction");
  op->flags = ptx_has(name, "ftz") ? CONVERT_FTZ : 0;
  op->wide = bytes == 8;
  op->dst[0] = decoder_result(d, 0, 4);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), decoder_lane_bytes((enum ptx_type)op->from));
  op->src[1] = decoder_source(d, decoder_operand(d, 2), decoder_lane_bytes((enum ptx_type)op->from));
  decode_combination(d, op);
}

void decode_carry(struct decoder *d, struct op *op) {
  enum ptx_type type = ptx_type_part(d->inst->op, 0);
  unsigned bytes = ptx_type_bytes(type);
  if (bytes != 4 && bytes != 8)
    decoder_refuse(d, "unsupported instruction");
  const bool out = ptx_has(d->inst->op, "cc");
  bool mad = ptx_is(d->inst, "madc") || ptx_is(d->inst, "mad");
  bool sub = ptx_is(d->inst, "sub") || ptx_is(d->inst, "subc");
  bool in = ptx_is(d->inst, "addc") || ptx_is(d->inst, "subc") || ptx_is(d->inst, "madc");
  op->code = bytes == 4 ? OP_CARRY_32 : OP_CARRY_64;
  if (!in && !out)
    decoder_refuse(d, "unsupported instruction");
  op->carry = (uint8_t)((mad ? CARRY_MULTIPLY : 0) | (sub ? CARRY_SUBTRACT : 0) | (in ? CARRY_IN : 0) |
                        (out ? CARRY_OUT : 0) | (ptx_has(d->inst->op, "hi") ? CARRY_HIGH : 0) |
                        (ptx_type_is_signed(type) ? CARRY_SIGNED : 0));
  op->dst[0] = decoder_result(d, 0, bytes);
  op->dst[1] = op->src[3] = 0; /* the carry flag is the frame's first predicate */
  for (uint32_t i = 0; i < (mad ? 3u : 2u); i++)
    op->src[i] = decoder_source(d, decoder_operand(d, i + 1), bytes);
}

void decode_pred(struct decoder *d, struct op *op) {
  if (ptx_type_part(d->inst->op, 0) != PTX_PRED)
    decoder_refuse(d, "unsupported instruction");
  op->code = ptx_is(d->inst, "and")   ? OP_PRED_AND
             : ptx_is(d->inst, "or")  ? OP_PRED_OR
             : ptx_is(d->inst, "xor") ? OP_PRED_XOR
                                      : OP_PRED_MOV;
  op->dst[0] = decoder_predicate(d, decoder_operand(d, 0)->reg);
  uint32_t count = op->code == OP_PRED_MOV ? 1 : 2;
  for (uint32_t i = 0; i < count; i++) {
    op->src[i] = decoder_predicate_source(d, decoder_operand(d, i + 1));
    if (decoder_operand(d, i + 1)->negated)
      op->negate |= (uint8_t)(1u << i);
  }
  if (ptx_is(d->inst, "not"))
    op->negate ^= 1;
}

void decode_selp(struct decoder *d, struct op *op) {
  unsigned bytes = decoder_lane_bytes(ptx_type_part(d->inst->op, 0));
  op->code = bytes == 8 ? OP_SELP_64 : OP_SELP_32;
  op->dst[0] = decoder_result(d, 0, bytes);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), bytes);
  op->src[1] = decoder_source(d, decoder_operand(d, 2), bytes);
  op->src[2] = decoder_predicate_source(d, decoder_operand(d, 3));
  op->negate = decoder_operand(d, 3)->negated;
}

void decode_lop3(struct decoder *d, struct op *op) {
  if (d->inst->operand_count != 5)
    decoder_refuse(d, "unsupported instruction");
  op->code = OP_LOP3;
  op->dst[0] = decoder_result(d, 0, 4);
  for (uint32_t i = 0; i < 3; i++)
    op->src[i] = decoder_source(d, decoder_operand(d, i + 1), 4);
  op->table = (uint32_t)decoder_operand(d, 4)->value;
}

void decode_bfi(struct decoder *d, struct op *op) {
  unsigned bytes = decoder_lane_bytes(ptx_type_part(d->inst->op, 0));
  op->code = bytes == 8 ? OP_BFI_64 : OP_BFI_32;
  op->dst[0] = decoder_result(d, 0, bytes);
  for (uint32_t i = 0; i < 4; i++)
    op->src[i] = decoder_source(d, decoder_operand(d, i + 1), i < 2 ? bytes : 4);
}

void decode_testp(struct decoder *d, struct op *op) {
  static const char *const names[PROPERTIES] = {
      [PROPERTY_FINITE] = "finite",           [PROPERTY_INFINITE] = "infinite",
      [PROPERTY_NUMBER] = "number",           [PROPERTY_NORMAL] = "normal",
      [PROPERTY_NOT_A_NUMBER] = "notanumber", [PROPERTY_SUBNORMAL] = "subnormal"};
  op->code = OP_TESTP;
  for (int i = 0; i < PROPERTIES; i++)
    if (ptx_has(d->inst->op, names[i]))
      op->mode = (uint8_t)i;
  op->wide = ptx_type_part(d->inst->op, 0) == PTX_F64;
  op->dst[0] = decoder_predicate(d, decoder_operand(d, 0)->reg);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), op->wide ? 8 : 4);
}
