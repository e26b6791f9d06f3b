#include "video.h"

#include <string.h>

#include "operand.h"

/* Part `i` of a word as an integer. */
static s64 part_of(u32 word, u32 i, u32 bits, bool is_signed) {
  const u32 part = bits == 32 ? word : word >> i * bits & ((1u << bits) - 1);
  return is_signed && part >> (bits - 1) ? (s64)part - (INT64_C(1) << bits) : (s64)part;
}

static s64 clamped(s64 x, u32 bits, bool is_signed) {
  const s64 most = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  return x < least ? least : x > most ? most : x;
}

static bool holds(s64 a, s64 b, unsigned outcomes) {
  return outcomes & (a < b ? COMPARE_LESS : a > b ? COMPARE_GREATER : COMPARE_EQUAL);
}

/* A product of 64 bits and c; the sum may have more bits than 64. */
static s64 multiplied(const struct video *v, s64 a, s64 b, u32 c) {
  __extension__ typedef __int128 wide;
  const wide sum = (wide)a * b + (v->is_signed ? (s32)c : (s64)c) + v->plus_one, result = sum >> v->shift;
  return v->saturates ? (s64)(result < INT64_MIN   ? INT64_MIN
                              : result > INT64_MAX ? INT64_MAX
                                                   : result)
                      : (s64)(u64)result;
}

static s64 shifted(const struct video *v, s64 a, u32 amount) {
  const u32 by = v->wraps ? amount & 31 : amount > 32 ? 32 : amount;
  return v->kind == VIDEO_LEFT ? (s64)((u64)a << by) : a >> by;
}

static s64 value_of(const struct video *v, s64 a, s64 b, u32 c) {
  switch ((enum video_kind)v->kind) {
  case VIDEO_SUB:
    return a - b;
  case VIDEO_DISTANCE:
    return a < b ? b - a : a - b;
  case VIDEO_MIN:
    return a < b ? a : b;
  case VIDEO_MAX:
    return a > b ? a : b;
  case VIDEO_AVERAGE: /* halves are rounded away from zero */
    return (a + b + (a + b >= 0)) >> 1;
  case VIDEO_LEFT:
  case VIDEO_RIGHT:
    return shifted(v, a, (u32)b);
  case VIDEO_MULTIPLY:
    return multiplied(v, a, b, c);
  case VIDEO_COMPARE:
    return holds(a, b, v->outcomes);
  default:
    return a + b;
  }
}

static u32 combined(const struct video *v, u32 x, u32 c) {
  const bool c_is_less = v->is_signed ? (s32)c < (s32)x : c < x;
  switch ((enum video_then)v->then) {
  case VIDEO_THEN_ADD:
    return x + c;
  case VIDEO_THEN_MIN:
    return c_is_less ? c : x;
  case VIDEO_THEN_MAX:
    return c_is_less ? x : c;
  default:
    return x;
  }
}

static u32 lane_video(const struct video *v, u32 a, u32 b, u32 c) {
  const u32 bits = 32 / v->parts, mask = bits == 32 ? ~0u : (1u << bits) - 1;
  u32 word = 0, sum = 0;
  for (u32 i = 0; i < v->parts; i++) {
    s64 x = value_of(v, part_of(a, i, bits, v->a_signed), part_of(b, i, bits, v->b_signed), c);
    if (v->saturates)
      x = clamped(x, bits, v->is_signed);
    sum += (u32)x;
    word |= ((u32)x & mask) << i * bits;
  }
  return v->parts == 1 ? combined(v, word, c) : v->then ? sum + c : word;
}

void video_run(const struct op *op, char **bases, u32 m) {
  struct video v;
  memcpy(&v, &op->table, sizeof v);
  const u32 *a = (u32 *)AT(op->src[0]), *b = (u32 *)AT(op->src[1]), *c = (u32 *)AT(op->src[2]);
  FOR_ACTIVE(m, l)
    ((u32 *)AT(op->dst[0]))[l] = lane_video(&v, a[l], b[l], c[l]);
}
