#include "warpgroup.h"

#include <string.h>

#include "access.h"
#include "check_access.h"
#include "fault.h"
#include "matrix_product.h"
#include "operand.h"
#include "steps.h"

enum {
  PIECE = 16,      /* bytes of a matrix that are always adjacent */
  GROUP = 4,       /* warps */
  OWN_ROWS = 16,   /* of A and D, of each warp */
  TOGETHER = 32,   /* columns of a partial product */
  TILE_COLUMNS = 8 /* of D, in a warp's registers */
};

/* A matrix descriptor, PTX ISA, "Asynchronous warpgroup level matrix shared memory layout". Distances in bytes. */
struct layout {
  u64 start, leading, stride;
  u32 span; /* pieces of a swizzled row: 1 (no swizzle), 2, 4 or 8 */
};

static struct layout layout_of(u64 descriptor) {
  static const u8 spans[] = {1, 8, 4, 2};
  return (struct layout){.start = (descriptor & 0x3fff) * PIECE,
                         .leading = (descriptor >> 16 & 0x3fff) * PIECE,
                         .stride = (descriptor >> 32 & 0x3fff) * PIECE,
                         .span = spans[descriptor >> 62]};
}

/* Piece `along` of line `line`: lines are those of M or N, and pieces follow K; if the matrix lies across, it is the
 * reverse. The strides are those of NVIDIA's canonical layouts: CUTLASS, cute/arch/mma_sm90_desc.hpp. */
static u64 piece_at(const struct layout *a, bool across, u32 line, u32 along) {
  enum { CORE = 8 }; /* lines of a core matrix */
  const u64 in_core = (u64)(line % CORE) * a->span * PIECE;
  u64 at;
  if (!across)
    at = in_core + line / CORE * a->stride + (a->span == 1 ? along * a->leading : (u64)along * PIECE);
  else if (a->span == 1)
    at = in_core + line / CORE * a->leading + along * a->stride;
  else
    at = in_core + line / CORE * a->stride + along / a->span * a->leading + along % a->span * PIECE;
  return access_swizzled(a->start + at, a->span);
}

/* Lines of M or N (first and count of them) by k elements along K, to matrix[line * step.line + k * step.at]. */
struct part {
  u32 first, count, length;
  enum matrix_type type;
  bool across, negates;
};

static u32 element_of(const u8 *piece, u32 bits, u32 i) {
  u32 value = 0;
  memcpy(&value, piece + i * bits / 8, bits / 8);
  return value;
}

/* Changes the sign of a float. */
static u32 negated(u32 value, u32 bits) { return value ^ 1u << (bits - 1); }

static void spread(const struct part *p, const u8 *piece, u32 line, u32 along, struct fragment_steps step,
                   u32 *matrix) {
  const u32 bits = fragment_bits(p->type), per_piece = PIECE * 8 / bits;
  for (u32 i = 0; i < per_piece; i++) {
    const u32 value = element_of(piece, bits, i);
    const u32 row = p->across ? along * per_piece + i : line, at = p->across ? line : along * per_piece + i;
    matrix[row * step.line + at * step.at] = p->negates ? negated(value, bits) : value;
  }
}

/* Lanes read the pieces, LANES at a time. */
static bool read_pieces(struct warp *w, const struct op *op, u32 pc, const struct layout *layout,
                        const struct part *p, struct fragment_steps step, u32 *matrix) {
  const u32 per_piece = PIECE * 8 / fragment_bits(p->type);
  const u32 lines = p->across ? p->length : p->count, pieces = (p->across ? p->count : p->length) / per_piece;
  const u32 first_line = p->across ? 0 : p->first, first_piece = p->across ? p->first / per_piece : 0;
  for (u32 start = 0; start < lines * pieces; start += LANES) {
    const u32 count = lines * pieces - start < LANES ? lines * pieces - start : LANES;
    struct access x = {.mask = count < LANES ? (1u << count) - 1 : ALL_LANES};
    for (u32 l = 0; l < LANES; l++) {
      const u32 n = start + (l < count ? l : 0);
      x.address[l] = piece_at(layout, p->across, first_line + n / pieces, first_piece + n % pieces);
    }
    if (!access_shared(w, &x, pc, PIECE, USE_READ))
      return false;
    if (w->block->check)
      check_access_part(w, &x, op, pc, PIECE, 4, false);
    if (w->block->steps)
      steps_copied(w, &x, PTX_F32, PIECE, USE_READ);
    for (u32 l = 0; l < count; l++)
      spread(p, access_host(&x, l, PIECE), (start + l) / pieces, (start + l) % pieces, step, matrix);
  }
  return true;
}

static bool read_a(struct warp *w, const struct op *op, char **bases, u32 pc, const struct matrix *x,
                   u32 *a) {
  const struct warpgroup *g = x->group;
  const struct fragment_steps step = {x->k, 1};
  if (g->descriptor[0] == NO_OPERAND) {
    fragment_gather(&x->a, bases, step, a, NULL);
    for (u32 i = 0; g->negates[0] && i < (u32)x->m * x->k; i++)
      a[i] = negated(a[i], fragment_bits((enum matrix_type)x->a.type));
    return true;
  }
  const struct layout layout = layout_of(*(const u64 *)AT(g->descriptor[0]));
  return read_pieces(w, op, pc, &layout,
                     &(struct part){.first = w->index % GROUP * OWN_ROWS,
                                    .count = OWN_ROWS,
                                    .length = x->k,
                                    .type = (enum matrix_type)x->a.type,
                                    .across = g->across[0],
                                    .negates = g->negates[0]},
                     step, a);
}

/* The fragment of eight columns of D. */
static struct fragment tile_of(const struct matrix *x, u32 column) {
  struct fragment tile = x->d;
  const u32 first = column / TILE_COLUMNS * tile.registers;
  memcpy(tile.place, x->group->sums + first, tile.registers * sizeof *tile.place);
  return tile;
}

static void move_sums(const struct matrix *x, char **bases, u32 first, u32 count, u32 *sums,
                      bool to_registers) {
  const struct fragment_steps step = {count, 1};
  for (u32 column = 0; column < count; column += TILE_COLUMNS) {
    const struct fragment tile = tile_of(x, first + column);
    if (to_registers)
      fragment_scatter(&tile, bases, step, sums + column, NULL);
    else
      fragment_gather(&tile, bases, step, sums + column, NULL);
  }
}

bool warpgroup_run(struct warp *w, const struct op *op, char **bases, u32 pc, const struct matrix *x) {
  struct operands o;
  u32 own[MOST_ELEMENTS];
  const struct warpgroup *g = x->group;
  const struct layout b = layout_of(*(const u64 *)AT(g->descriptor[1]));
  const bool adds = PREDICATE_SOURCE(4);
  if (!read_a(w, op, bases, pc, x, own))
    return false;
  for (u32 first = 0; first < x->n; first += TOGETHER) {
    struct matrix part = *x;
    part.n = (uint16_t)(x->n - first < TOGETHER ? x->n - first : TOGETHER);
    if (!read_pieces(w, op, pc, &b,
                     &(struct part){.first = first,
                                    .count = part.n,
                                    .length = x->k,
                                    .type = (enum matrix_type)x->b.type,
                                    .across = g->across[1],
                                    .negates = g->negates[1]},
                     (struct fragment_steps){1, part.n}, o.b))
      return false;
    memcpy(o.a, own, (size_t)x->m * x->k * sizeof *own); /* a product may change it */
    if (adds)
      move_sums(x, bases, first, part.n, o.c, false);
    else
      memset(o.c, 0, (size_t)x->m * part.n * sizeof *o.c);
    matrix_product(&part, &o);
    move_sums(x, bases, first, part.n, o.c, true);
  }
  return true;
}
