#include "device/matrix.h"

#include <string.h>

#include "access.h"
#include "check_access.h"
#include "fault.h"
#include "matrix_product.h"
#include "operand.h"
#include "steps.h"
#include "trace.h"
#include "warpgroup.h"

enum { ROW_BYTES = 16, ROWS = 8 }; /* of ldmatrix's 8 x 8 matrices */

static void multiply(const struct matrix *x, char **bases) {
  struct operands o;
  fragment_gather(&x->a, bases, (struct fragment_steps){x->k, 1}, o.a, o.wide_a);
  fragment_gather(&x->b, bases, (struct fragment_steps){1, x->n}, o.b, o.wide_b);
  fragment_gather(&x->c, bases, (struct fragment_steps){x->n, 1}, o.c, o.wide_c);
  matrix_product(x, &o);
  fragment_scatter(&x->d, bases, (struct fragment_steps){x->n, 1}, o.c, o.wide_c);
}

/* Memory */

/* One access of all lanes in `mask`, counted, checked and recorded. It reads each lane's bytes into values,
 * or writes them. */
struct transfer {
  struct warp *w;
  const struct op *op;
  u32 pc, bytes, element; /* of a lane, and of what it consists of */
  enum ptx_space space;
  enum use use;
  struct instruction_statistics *stats;
};

static void note_step(const struct transfer *t, const struct access *x) {
  static const enum ptx_type types[] = {[1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32, [8] = PTX_F64};
  if (t->w->block->steps)
    steps_copied(t->w, x, types[t->element], t->bytes, t->use);
}

static bool transfer(const struct transfer *t, struct access *x, u8 values[LANES][ROW_BYTES]) {
  enum ptx_space space = t->space == PTX_GENERIC ? access_resolve(x) : t->space;
  if (!access_counted(t->w, x, space, t->pc, t->bytes, t->use, t->stats))
    return false;
  if (t->w->block->check)
    check_access_part(t->w, x, t->op, t->pc, t->bytes, t->element, t->use == USE_WRITE);
  FOR_ACTIVE(x->mask, l) {
    u8 *at = x->contiguous ? x->host[0] + l * t->bytes : x->host[l];
    if (t->use == USE_READ)
      memcpy(values[l], at, t->bytes);
    else
      memcpy(at, values[l], t->bytes);
  }
  note_step(t, x);
  return true;
}

/* wmma.load, wmma.store: a unit of a line at once if its elements are neighbours in memory, else each alone. */

static void move_elements(const struct fragment *f, char **bases, u32 u, u32 i, u32 count, bool load,
                          u8 values[LANES][ROW_BYTES]) {
  const u32 bits = fragment_bits((enum matrix_type)f->type);
  for (u32 n = 0; n < count; n++) {
    const struct fragment_part part = fragment_part_of(f, u, i + n);
    char *of = AT(part.place);
    for (u32 l = 0; l < LANES; l++) {
      const u32 at = n * bits / 8, shift = n * bits % 8;
      u64 *wide = (u64 *)of + l;
      u32 *narrow = (u32 *)of + l, value = 0;
      if (bits == 64 && load)
        memcpy(wide, values[l] + at, 8);
      else if (bits == 64)
        memcpy(values[l] + at, wide, 8);
      else if (load) {
        memcpy(&value, values[l] + at, bits < 8 ? 1 : bits / 8);
        value = (value >> shift & part.mask) << part.shift;
        *narrow = part.shift ? *narrow | value : value;
      } else {
        value = *narrow >> part.shift & part.mask;
        memcpy(values[l] + at, &value, bits / 8); /* integers of 4 bits are never stored */
      }
    }
  }
}

/* `start`: each lane's address of the matrix; `pitch`: elements from one line (or, if elements of a line are not
 * neighbours, from one of them) to the next. */
static bool move_fragment(const struct transfer *t, const struct fragment *f, char **bases, const u64 *start,
                          const u32 *pitch) {
  const u32 bits = fragment_bits((enum matrix_type)f->type), together = f->along ? f->unit : 1;
  const u32 pitch_bits = f->type == MATRIX_B1 ? 1 : bits;
  struct transfer part = *t;
  part.bytes = together * bits / 8;
  part.element = bits < 8 ? part.bytes : bits / 8;
  for (u32 u = 0; u < fragment_units(f); u++)
    for (u32 i = 0; i < f->unit; i += together) {
      u8 values[LANES][ROW_BYTES];
      struct access x = {.mask = ALL_LANES};
      for (u32 l = 0; l < LANES; l++) {
        const struct element e = fragment_element(f, u, i, l);
        const u64 outer = f->along ? e.line : e.at, inner = f->along ? e.at : e.line;
        x.address[l] = start[l] + (outer * pitch[l] * pitch_bits + inner * bits) / 8;
      }
      if (t->use == USE_WRITE)
        move_elements(f, bases, u, i, together, false, values);
      if (!transfer(&part, &x, values))
        return false;
      if (t->use == USE_READ)
        move_elements(f, bases, u, i, together, true, values);
    }
  for (u32 r = fragment_units(f) * f->unit / f->per_register, n = r; t->use == USE_READ && r < f->registers;
       r++)
    memcpy(AT(f->place[r]), AT(f->place[r - n]), (bits == 64 ? 8 : 4) * LANES);
  return true;
}

static bool move_matrix(const struct transfer *t, const struct matrix *x, char **bases) {
  struct access start;
  access_addresses(&start, t->op, AT(t->op->src[0]), ALL_LANES);
  return move_fragment(t, &x->d, bases, start.address, (u32 *)AT(t->op->src[1]));
}

/* ldmatrix, stmatrix: lanes 8 k to 8 k + 7 give the addresses of the rows of matrix k. Lane l holds elements 2 (l % 4)
 * and the next of row l / 4; transposed, of column l / 4. */

static u32 place_in_row(bool transposes, u32 l, u32 i, u32 *row) {
  const u32 line = l / 4, at = l % 4 * 2 + i;
  *row = transposes ? at : line;
  return (transposes ? line : at) * 2;
}

static bool rows_are_aligned(const struct transfer *t, const struct access *x) {
  FOR_ACTIVE(x->mask, l)
    if (x->address[l] % ROW_BYTES)
      return fault_raise(
          t->w, FAULT_ALIGNMENT, t->pc, l,
          (struct fault){.address = x->address[l], .bytes = ROW_BYTES, .is_write = t->use == USE_WRITE});
  return true;
}

static bool move_rows(const struct transfer *t, const struct matrix *x, char **bases) {
  const u64 requests = t->stats->requests;
  for (u32 k = 0; k < x->d.registers; k++) {
    const u32 first = k * ROWS;
    struct access rows;
    u8 values[LANES][ROW_BYTES];
    u32 *held = (u32 *)AT(x->d.place[k]), row;
    access_addresses(&rows, t->op, AT(t->op->src[0]), (u32)0xff << first);
    for (u32 l = 0; t->use == USE_WRITE && l < LANES; l++)
      for (u32 i = 0; i < 2; i++) {
        const u32 at = place_in_row(x->transposes, l, i, &row);
        const u16 half = (u16)(held[l] >> 16 * i);
        memcpy(values[first + row] + at, &half, 2);
      }
    if (!rows_are_aligned(t, &rows) || !transfer(t, &rows, values))
      return false;
    for (u32 l = 0; t->use == USE_READ && l < LANES; l++) {
      u16 halves[2];
      for (u32 i = 0; i < 2; i++) {
        const u32 at = place_in_row(x->transposes, l, i, &row);
        memcpy(&halves[i], values[first + row] + at, 2);
      }
      held[l] = halves[0] | (u32)halves[1] << 16;
    }
  }
  t->stats->requests = requests + 1;
  return true;
}

/* movmatrix: the 8 x 8 matrix in one register, transposed. */
static void transpose(const struct matrix *x, char **bases) {
  const u32 *from = (u32 *)AT(x->a.place[0]);
  u32 result[LANES];
  for (u32 l = 0; l < LANES; l++) {
    result[l] = 0;
    for (u32 i = 0; i < 2; i++) {
      const u32 row = l % 4 * 2 + i, column = l / 4;
      result[l] |= (from[row * 4 + column / 2] >> 16 * (column % 2) & 0xffff) << 16 * i;
    }
  }
  memcpy(AT(x->d.place[0]), result, sizeof result);
}

bool matrix_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m,
                struct instruction_statistics *stats) {
  const struct matrix *x = &w->block->launch->module->matrices[op->matrix];
  struct transfer t = {.w = w, .op = op, .pc = pc, .space = (enum ptx_space)op->space, .stats = stats};
  if (m != ALL_LANES)
    return fault_raise(w, FAULT_PARTIAL_WARP, pc, (u32)__builtin_ctz(m), (struct fault){.lanes = m});
  switch ((enum matrix_action)x->action) {
  case MATRIX_LOAD:
  case MATRIX_STORE:
    t.use = x->action == MATRIX_LOAD ? USE_READ : USE_WRITE;
    return move_matrix(&t, x, bases);
  case MATRIX_READ:
  case MATRIX_WRITE:
    t.use = x->action == MATRIX_READ ? USE_READ : USE_WRITE;
    t.bytes = ROW_BYTES;
    t.element = 2;
    return move_rows(&t, x, bases);
  case MATRIX_MOVE:
    transpose(x, bases);
    return true;
  case MATRIX_MULTIPLY:
    multiply(x, bases);
    return true;
  case MATRIX_GROUP:
    return warpgroup_run(w, op, bases, pc, x);
  }
  return true;
}
