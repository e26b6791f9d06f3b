#include "decode_video.h"

#include <stdio.h>
#include <string.h>

#include "video.h"

static const struct {
  const char *name;
  uint8_t kind;
  bool has_word, has_parts; /* forms for words, and for their halves and bytes */
} names[] = {{"vadd", VIDEO_ADD, true, true},          {"vsub", VIDEO_SUB, true, true},
             {"vabsdiff", VIDEO_DISTANCE, true, true}, {"vmin", VIDEO_MIN, true, true},
             {"vmax", VIDEO_MAX, true, true},          {"vavrg", VIDEO_AVERAGE, false, true},
             {"vshl", VIDEO_LEFT, true, false},        {"vshr", VIDEO_RIGHT, true, false},
             {"vmad", VIDEO_MULTIPLY, true, false},    {"vset", VIDEO_COMPARE, true, true}};

/* The name and the number of parts. */
static void read_name(struct decoder *d, struct video *v) {
  const char *op = d->inst->op;
  size_t length = strcspn(op, ".");
  const char last = op[length - 1];
  const unsigned parts = last == '2' ? 2 : last == '4' ? 4 : 1;
  length -= parts > 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i].name) == length && strncmp(op, names[i].name, length) == 0 &&
        (parts > 1 ? names[i].has_parts : names[i].has_word)) {
      v->kind = names[i].kind;
      v->parts = parts & 7;
      return;
    }
  decoder_refuse(d, "unsupported instruction");
}

static const char *next_part(const char *part) { return part + strcspn(part, "."); }

/* Returns whether a type of 32 bits is signed, and moves behind it. */
static unsigned read_type(struct decoder *d, const char **part) {
  const bool is_signed = strncmp(*part, ".s32", 4) == 0;
  if (!is_signed && strncmp(*part, ".u32", 4) != 0)
    decoder_refuse(d, "expected .s32 or .u32");
  *part += 4;
  return is_signed;
}

static void read_comparison(struct decoder *d, struct video *v) {
  static const struct {
    const char *name;
    uint8_t outcomes;
  } comparisons[] = {{"eq", COMPARE_EQUAL},   {"ne", COMPARE_LESS | COMPARE_GREATER},
                     {"lt", COMPARE_LESS},    {"le", COMPARE_LESS | COMPARE_EQUAL},
                     {"gt", COMPARE_GREATER}, {"ge", COMPARE_GREATER | COMPARE_EQUAL}};
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (ptx_has(d->inst->op, comparisons[i].name))
      v->outcomes = comparisons[i].outcomes & 7;
  if (!v->outcomes)
    decoder_refuse(d, "unsupported instruction");
}

/* Shifts name their mode, and products a scale. */
static void read_details(struct decoder *d, struct video *v) {
  const char *op = d->inst->op;
  const bool shifts = v->kind == VIDEO_LEFT || v->kind == VIDEO_RIGHT;
  v->saturates = ptx_has(op, "sat");
  v->wraps = ptx_has(op, "wrap");
  v->plus_one = ptx_has(op, "po");
  v->shift = ptx_has(op, "shr7") ? 7 : ptx_has(op, "shr15") ? 15 : 0;
  v->then = ptx_has(op, "add")   ? VIDEO_THEN_ADD
            : ptx_has(op, "min") ? VIDEO_THEN_MIN
            : ptx_has(op, "max") ? VIDEO_THEN_MAX
                                 : VIDEO_ALONE;
  if ((shifts && !v->wraps && !ptx_has(op, "clamp")) || (shifts && v->b_signed) ||
      (v->parts > 1 && v->then > VIDEO_THEN_ADD) || (v->kind == VIDEO_MULTIPLY && v->then))
    decoder_refuse(d, "unsupported instruction");
}

/* vadd, vsub, vabsdiff, vmin, vmax .result.a.b[.sat][.then] d, a, b [, c];  vshl, vshr .result.a.u32[.sat].mode[.then];
 * vmad.result.a.b[.sat][.po][.shr7,.shr15] d, a, b, c;  vset.a.b.comparison[.then];  after a 2 or 4 in the name: always
 * with c. Parts of operands and masks of results (%r1.b0, vadd4 %r1.b210) are no operands here. */
void decode_video(struct decoder *d, struct op *op) {
  _Static_assert(sizeof(struct video) == sizeof op->table, "op->table holds a description");
  struct video v = {0};
  const char *part = next_part(d->inst->op);
  read_name(d, &v);
  v.is_signed = v.kind == VIDEO_COMPARE ? 0 : read_type(d, &part);
  v.a_signed = read_type(d, &part) & 1;
  v.b_signed = read_type(d, &part) & 1;
  if (v.kind == VIDEO_COMPARE)
    read_comparison(d, &v);
  read_details(d, &v);
  const bool has_c = d->inst->operand_count > 3;
  if (has_c != (v.parts > 1 || v.then || v.kind == VIDEO_MULTIPLY))
    decoder_refuse(d, has_c ? "wrong number of operands" : "too few operands");
  op->code = OP_VIDEO;
  op->dst[0] = decoder_result(d, 0, 4);
  op->src[0] = decoder_source(d, decoder_operand(d, 1), 4);
  op->src[1] = decoder_source(d, decoder_operand(d, 2), 4);
  op->src[2] = has_c ? decoder_source(d, decoder_operand(d, 3), 4) : decoder_constant(d, 0, 4);
  memcpy(&op->table, &v, sizeof v);
}
