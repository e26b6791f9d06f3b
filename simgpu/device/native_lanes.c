/* Native code of instructions without memory: rows of ops.def, predicates, selection. */
#include "native_lanes.h"

#include <string.h>

#include "operand.h"

/* The C types of a row's lanes. */
static const struct row_types {
  const char *result, *source[3];
} types[OP_COUNT] = {
#define LANE_NAME_u16 "u32"
#define LANE_NAME_s16 "u32"
#define LANE_NAME_u32 "u32"
#define LANE_NAME_s32 "s32"
#define LANE_NAME_f32 "f32"
#define LANE_NAME_u64 "u64"
#define LANE_NAME_s64 "s64"
#define LANE_NAME_f64 "f64"
#define OP1(id, D, A, expr, pipe, slots, forms) [OP_##id] = {LANE_NAME_##D, {LANE_NAME_##A}},
#define OP2(id, D, A, B, expr, pipe, slots, forms)                                                           \
  [OP_##id] = {LANE_NAME_##D, {LANE_NAME_##A, LANE_NAME_##B}},
#define OP3(id, D, A, B, C, expr, pipe, slots, forms)                                                        \
  [OP_##id] = {LANE_NAME_##D, {LANE_NAME_##A, LANE_NAME_##B, LANE_NAME_##C}},
#define SETP(id, A, expr, pipe, slots, forms) [OP_##id] = {NULL, {LANE_NAME_##A, LANE_NAME_##A}},
#include "ops.def"
};

struct call_text {
  char text[600];
};
enum { NO_SOURCE = -1 };

/* Where a result's computation goes: scalars precede the loop over the lanes. */
static FILE *place_of(struct native_writer *w, uint32_t operand) {
  return native_operand(w->plan, operand).kind == NATIVE_SCALAR ? w->out : w->lanes_out;
}

/* The call of a row's function; `in_place` of source `which`, if that is one. */
static struct call_text call_of(struct native_writer *w, bool first_lane, int which, const char *in_place) {
  const struct op *op = &w->plan->code[w->pc];
  const struct op_row *row = op_row((enum opcode)op->code);
  struct call_text call;
  size_t at = (size_t)snprintf(call.text, sizeof call.text, "op_%s(", row->name);
  for (int i = 0; i < (int)row->sources; i++)
    at += (size_t)snprintf(
        call.text + at, sizeof call.text - at, "%s%s", i ? ", " : "",
        i == which ? in_place : native_source(w, op->src[i], types[op->code].source[i], first_lane).text);
  snprintf(call.text + at, sizeof call.text - at, ")");
  return call;
}

static void write_row(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = types[op->code].result;
  FILE *out = place_of(w, op->dst[0]);
  const struct call_text call = call_of(w, out == w->out, NO_SOURCE, NULL);
  fprintf(out, "const %s %s = %s;\n", type, native_define(w, op->dst[0], type).text, call.text);
}

/* A predicate is a mask in the frame. */
static void print_predicate(FILE *out, uint32_t operand, uint32_t negated) {
  if (operand >> BASE_SHIFT == BASE_CONSTANT)
    fprintf(out, "(*(const u32 *)(s->bases[BASE_CONSTANT] + %u) ^ 0x%xu)", operand & OFFSET_MASK, negated);
  else
    fprintf(out, "(*(const u32 *)(f + %u) ^ 0x%xu)", operand, negated);
}

/* Around the bits that the active lanes of a predicate get. */
static void open_predicate(const struct native_writer *w, FILE *out, uint32_t operand) {
  fprintf(out, w->plan->masked ? "*(u32 *)(f + %u) = ((" : "*(u32 *)(f + %u) = ", operand);
}

static void close_predicate(const struct native_writer *w, FILE *out, uint32_t operand) {
  if (w->plan->masked)
    fprintf(out, ") & mask) | (*(const u32 *)(f + %u) & ~mask)", operand);
  fputs(";\n", out);
}

static void set_predicate(struct native_writer *w, FILE *out, uint32_t operand, const char *held) {
  static const char signs[] = {
      [COMBINE_NONE] = '|', [COMBINE_AND] = '&', [COMBINE_OR] = '|', [COMBINE_XOR] = '^'};
  const struct op *op = &w->plan->code[w->pc];
  if (operand == NO_OPERAND)
    return;
  open_predicate(w, out, operand);
  fputs(held, out);
  if (op->combine)
    fprintf(out, " %c k%u", signs[op->combine], native_place(w));
  close_predicate(w, out, operand);
}

/* Returns whether a comparison that holds in the lanes with the lowest and the highest number holds in all lanes, and
 * if in neither, then in none. */
static bool is_monotonic(enum opcode code) {
  switch (code) {
#define MONOTONIC(T)                                                                                         \
  case OP_SETP_LT_##T:                                                                                       \
  case OP_SETP_LE_##T:                                                                                       \
  case OP_SETP_GT_##T:                                                                                       \
  case OP_SETP_GE_##T:
    MONOTONIC(S32)
    MONOTONIC(U32)
    MONOTONIC(S64)
    MONOTONIC(U64)
    return true;
  default:
    return false;
  }
}

/* The source of a monotonic comparison whose lanes differ by known offsets, while the other is one number for
 * all; or NO_SOURCE. */
static int source_with_offsets(const struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  if (!is_monotonic((enum opcode)op->code))
    return NO_SOURCE;
  for (int i = 0; i < 2; i++) {
    const struct native_register r = native_operand(w->plan, op->src[i]),
                                 other = native_operand(w->plan, op->src[1 - i]);
    if (r.kind == NATIVE_SCALAR && native_is_same(&other))
      return i;
  }
  return NO_SOURCE;
}

/* Sets h to the lanes in which a comparison holds: most often all or none, as two of them tell. */
static void compare_ends(struct native_writer *w, int which) {
  const uint32_t place = native_place(w);
  const struct op *op = &w->plan->code[w->pc];
  const struct native_register r = native_operand(w->plan, op->src[which]);
  const char *type = types[op->code].source[which];
  const struct call_text low = call_of(w, true, which, "low"), high = call_of(w, true, which, "high"),
                         lane = call_of(w, false, NO_SOURCE, NULL);
  int32_t from, to;
  native_range(&r, &from, &to);
  fprintf(w->out, "u32 h%u = 0;\n{\nconst %s first = %s;\n%s low, high;\n", place, type,
          native_source(w, op->src[which], type, true).text, type);
  fprintf(w->out,
          "if (!__builtin_add_overflow(first, %d, &low) && !__builtin_add_overflow(first, %d, &high) &&\n"
          "%s == %s)\nh%u = %s ? ALL_LANES : 0;\nelse\n",
          from, to, low.text, high.text, place, low.text);
  fprintf(w->out, "NATIVE_FOR_LANES h%u |= (u32)%s << l;\n}\n", place, lane.text);
}

/* setp: the lanes' results are bits of a mask. */
static void write_comparison(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const uint32_t place = native_place(w);
  const int which = source_with_offsets(w);
  bool same = true;
  char held[32], opposite[32];
  for (int i = 0; i < 2; i++) {
    const struct native_register r = native_operand(w->plan, op->src[i]);
    same &= native_is_same(&r);
  }
  if (op->combine)
    native_read_predicate(w, op->src[2]);
  for (int i = 0; i < 2; i++)
    native_read_predicate(w, op->dst[i]);
  const bool at_once = same || which != NO_SOURCE;
  if (same) {
    fprintf(w->out, "const u32 h%u = %s ? ALL_LANES : 0;\n", place, call_of(w, true, NO_SOURCE, NULL).text);
  } else if (at_once) {
    compare_ends(w, which);
  } else {
    fprintf(w->out, "u32 h%u = 0;\n", place);
    fprintf(w->lanes_out, "h%u |= (u32)%s << l;\n", place, call_of(w, false, NO_SOURCE, NULL).text);
    for (int i = 0; i < 2; i++)
      if (op->dst[i] != NO_OPERAND)
        w->predicates |= UINT64_C(1) << op->dst[i] / 4 % 64;
  }
  if (op->combine) {
    fprintf(w->out, "const u32 k%u = ", place);
    print_predicate(w->out, op->src[2], operand_negated(op, 0));
    fputs(";\n", w->out);
  }
  snprintf(held, sizeof held, "h%u", place);
  snprintf(opposite, sizeof opposite, "~h%u", place);
  set_predicate(w, at_once ? w->out : w->after_out, op->dst[0], held);
  set_predicate(w, at_once ? w->out : w->after_out, op->dst[1], opposite);
}

static void write_predicate(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  static const char *const signs[] = {"&", "|", "^"};
  native_read_predicate(w, op->src[0]);
  if (op->code != OP_PRED_MOV)
    native_read_predicate(w, op->src[1]);
  native_read_predicate(w, op->dst[0]);
  open_predicate(w, w->out, op->dst[0]);
  print_predicate(w->out, op->src[0], operand_negated(op, 0));
  if (op->code != OP_PRED_MOV) {
    fprintf(w->out, " %s ", signs[op->code - OP_PRED_AND]);
    print_predicate(w->out, op->src[1], operand_negated(op, 1));
  }
  close_predicate(w, w->out, op->dst[0]);
}

static void write_selection(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = op->code == OP_SELP_64 ? "u64" : "u32";
  native_read_predicate(w, op->src[2]);
  fprintf(w->out, "const u32 q%u = ", native_place(w));
  print_predicate(w->out, op->src[2], operand_negated(op, 0));
  fputs(";\n", w->out);
  const struct native_string a = native_source(w, op->src[0], type, false),
                             b = native_source(w, op->src[1], type, false);
  fprintf(w->lanes_out, "const %s %s = lane_choose_%s(q%u >> l & 1, %s, %s);\n", type,
          native_define(w, op->dst[0], type).text, type, native_place(w), a.text, b.text);
}

static void write_lookup(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  FILE *out = place_of(w, op->dst[0]);
  struct native_string from[3];
  for (int i = 0; i < 3; i++)
    from[i] = native_source(w, op->src[i], "u32", out == w->out);
  fprintf(out, "const u32 %s = lane_lookup(%s, %s, %s, %u);\n", native_define(w, op->dst[0], "u32").text,
          from[0].text, from[1].text, from[2].text, op->table);
}

/* mov of {…} into a wide register, and back. */
static void write_pack(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const char *type = op->wide ? "u64" : "u32";
  const uint32_t bits = 8 * ptx_type_bytes((enum ptx_type)op->type) / op->count,
                 most = bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
  FILE *out = place_of(w, op->dst[0]);
  struct native_string from[4];
  for (uint32_t e = 0; e < op->count; e++)
    from[e] = native_source(w, op->src[e], "u32", out == w->out);
  fprintf(out, "const %s %s = 0", type, native_define(w, op->dst[0], type).text);
  for (uint32_t e = 0; e < op->count; e++)
    fprintf(out, " | (%s)(%s & 0x%xu) << %u", type, from[e].text, most, bits * e);
  fputs(";\n", out);
}

static void write_unpack(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const uint32_t bits = 8 * ptx_type_bytes((enum ptx_type)op->type) / op->count,
                 most = bits < 32 ? (1u << bits) - 1 : UINT32_MAX;
  for (uint32_t e = 0; e < op->count; e++) {
    if (op->dst[e] == NO_OPERAND)
      continue;
    FILE *out = place_of(w, op->dst[e]);
    const struct native_string from = native_source(w, op->src[0], op->wide ? "u64" : "u32", out == w->out);
    fprintf(out, "const u32 %s = (u32)(%s >> %u) & 0x%xu;\n", native_define(w, op->dst[e], "u32").text,
            from.text, bits * e, most);
  }
}

/* A kernel's parameter is the same for all lanes. */
static void write_parameter(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const uint32_t bytes = ptx_type_bytes((enum ptx_type)op->type);
  const char *type = op->wide ? "u64" : "u32";
  for (uint32_t e = 0; e < op->count; e++) {
    if (op->dst[e] == NO_OPERAND)
      continue;
    FILE *out = place_of(w, op->dst[e]);
    fprintf(w->out, "const %s p%u_%u = (%s)operand_extend(operand_read(s->params + %lld, %u), %u);\n", type,
            native_place(w), e, type, (long long)op->offset + e * bytes, bytes, op->type);
    fprintf(out, "const %s %s = p%u_%u;\n", type, native_define(w, op->dst[e], type).text, native_place(w),
            e);
  }
}

/* Opens a loop over the active lanes of a result in the frame. */
static void open_result(const struct native_writer *w, const char *type) {
  fprintf(w->out, "NATIVE_FOR_LANES {\n%s *const d = NATIVE_AT(%s, f + %u) + l;\n*d = %s", type, type,
          w->plan->code[w->pc].dst[0], w->plan->masked ? "!(mask >> l & 1) ? *d : " : "");
}

void native_write_rounded(struct native_writer *w) {
  const struct op *op = &w->plan->code[w->pc];
  const struct op_row *row = op_row((enum opcode)op->code);
  for (uint32_t i = 0; i < row->sources; i++)
    native_complete(w, w->out, op->src[i]);
  fprintf(w->out, "rounding_set(%u);\n", w->plan->code[w->pc - 1].rounding);
  open_result(w, types[op->code].result);
  fprintf(w->out, "op_%s(", row->name);
  for (uint32_t i = 0; i < row->sources; i++) {
    const char *type = types[op->code].source[i];
    if (i)
      fputs(", ", w->out);
    if (native_slot(w->plan, op->src[i]) != NO_SLOT)
      fprintf(w->out, "NATIVE_AT(const %s, f + %u)[l]", type, op->src[i]);
    else
      fputs(native_source(w, op->src[i], type, false).text, w->out);
  }
  fprintf(w->out, ");\n}\nrounding_set(%u);\n", ROUND_NEAREST);
}

void native_write_saturation(struct native_writer *w) {
  open_result(w, "f32");
  fputs("lane_saturate(*d);\n}\n", w->out);
}

void native_write_lane(struct native_writer *w) {
  switch (w->plan->code[w->pc].code) {
  case OP_PRED_MOV:
  case OP_PRED_AND:
  case OP_PRED_OR:
  case OP_PRED_XOR:
    write_predicate(w);
    break;
  case OP_SELP_32:
  case OP_SELP_64:
    write_selection(w);
    break;
  case OP_LOP3:
    write_lookup(w);
    break;
  case OP_PACK:
    write_pack(w);
    break;
  case OP_UNPACK:
    write_unpack(w);
    break;
  case OP_LOAD_KERNEL_PARAM:
    write_parameter(w);
    break;
  default:
    if (types[w->plan->code[w->pc].code].result)
      write_row(w);
    else
      write_comparison(w);
  }
}
