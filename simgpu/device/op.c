#include "op.h"

#include <string.h>

enum lane_bytes {
  LANE_u16 = 4,
  LANE_s16 = 4,
  LANE_u32 = 4,
  LANE_s32 = 4,
  LANE_f32 = 4,
  LANE_u64 = 8,
  LANE_s64 = 8,
  LANE_f64 = 8
};

static const struct op_row rows[] = {
#define OP1(id, D, A, expr, pipe, slots, forms)                                                              \
  [OP_##id] = {#id, forms, PIPE_##pipe, slots, MEMORY_NOTHING, 1, LANE_##D, {LANE_##A}},
#define OP2(id, D, A, B, expr, pipe, slots, forms)                                                           \
  [OP_##id] = {#id, forms, PIPE_##pipe, slots, MEMORY_NOTHING, 2, LANE_##D, {LANE_##A, LANE_##B}},
#define OP3(id, D, A, B, C, expr, pipe, slots, forms)                                                        \
  [OP_##id] = {#id, forms, PIPE_##pipe, slots, MEMORY_NOTHING, 3, LANE_##D, {LANE_##A, LANE_##B, LANE_##C}},
#define SETP(id, A, expr, pipe, slots, forms)                                                                \
  [OP_##id] = {#id, forms, PIPE_##pipe, slots, MEMORY_NOTHING, 2, 0, {LANE_##A, LANE_##A}},
#define CODE(id, pipe, memory, sources, way, note)                                                           \
  [OP_##id] = {#id, "", PIPE_##pipe, 1, MEMORY_##memory, 0, 0, {0}},
#include "ops.def"
};

const struct op_row *op_row(enum opcode code) { return &rows[code]; }

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
