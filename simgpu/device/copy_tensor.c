#include "copy_tensor.h"

#include <string.h>

#include "access.h"
#include "atomic.h"
#include "check_access.h"
#include "fault.h"
#include "mbarrier.h"
#include "operand.h"
#include "steps.h"
#include "trace.h"

enum { PIECE = 16 /* bytes; a box consists of them */ };

/* One thread's copy. */
struct box {
  struct warp *w;
  const struct op *op;
  u32 pc, lane;
  struct tensor_map map;
  s64 first[TENSOR_DIMENSIONS]; /* coordinates of the first element */
  u32 count[TENSOR_DIMENSIONS]; /* elements that it moves */
  u64 shared;                   /* address of the first element */
  bool stores;
  enum ptx_type reduced; /* stores combine with what is there; or PTX_NONE */
};

/* A kernel may write maps itself. */
static bool is_valid(const struct tensor_map *map) {
  const bool powers = __builtin_popcount(map->element) == 1 && map->element <= 8 &&
                      __builtin_popcount(map->span) == 1 && map->span <= 8;
  if (map->mark != TENSOR_MAP_MARK || !powers || map->dimensions == 0 ||
      map->dimensions > TENSOR_DIMENSIONS || map->stride[0] != 1 || map->box[0] * map->element % PIECE)
    return false;
  for (u32 d = 0; d < map->dimensions; d++)
    if (map->box[d] == 0 || map->box[d] > TENSOR_MOST_BOX || map->stride[d] == 0)
      return false;
  return true;
}

static bool read_map(struct box *b, u64 address) {
  struct instruction_statistics unused = {0};
  struct access x = {.mask = 1u << b->lane};
  u8 bytes[TENSOR_MAP_BYTES];
  for (u32 at = 0; at < TENSOR_MAP_BYTES; at += 8) {
    for (u32 l = 0; l < LANES; l++)
      x.address[l] = address + at;
    if (!access_counted(b->w, &x, access_resolve(&x), b->pc, 8, USE_READ, &unused))
      return false;
    memcpy(bytes + at, x.host[b->lane], 8);
  }
  memcpy(&b->map, bytes, sizeof b->map);
  return is_valid(&b->map) ||
         fault_raise(b->w, FAULT_TENSOR_MAP, b->pc, b->lane, (struct fault){.address = address});
}

/* Where the piece's elements are. */
struct piece {
  u64 shared, global; /* addresses; the global one may lie outside of the tensor */
  s64 column;         /* first coordinate along the first dimension */
  bool outside;       /* along another one */
};

static u64 size_of(const struct tensor_map *map, u32 d) {
  return map->size[d] ? map->size[d] : UINT64_C(1) << 32;
}

static struct piece piece_of(const struct box *b, u32 number) {
  const struct tensor_map *map = &b->map;
  const u32 row_pieces = b->count[0] * map->element / PIECE, elements = PIECE / map->element;
  u32 row = number / row_pieces;
  const u32 pitch = map->span > 1 ? map->span : row_pieces; /* a swizzled row is as long as the pattern */
  const u64 address = b->shared + ((u64)row * pitch + number % row_pieces) * PIECE;
  struct piece p = {.shared = access_swizzled(address, map->span),
                    .column = b->first[0] + number % row_pieces * elements};
  p.global = map->address + (u64)p.column * map->element;
  for (u32 d = 1; d < map->dimensions; d++) {
    const s64 at = b->first[d] + (s64)(row % b->count[d]) * map->stride[d];
    p.outside |= at < 0 || (u64)at >= size_of(map, d);
    p.global += (u64)at * map->pitch[d];
    row /= b->count[d];
  }
  return p;
}

static bool is_inside(const struct box *b, const struct piece *p, u32 i) {
  return !p->outside && p->column + i >= 0 && (u64)(p->column + i) < size_of(&b->map, 0);
}

/* A fault of another lane's piece is the fault of the thread that copies. */
static bool access_pieces(const struct box *b, struct access *x, u32 bytes, bool is_shared) {
  const enum use use = is_shared == b->stores ? USE_READ : USE_WRITE;
  if (is_shared ? access_shared(b->w, x, b->pc, bytes, use) : access_global(b->w, x, b->pc, bytes, use)) {
    if (b->w->block->check)
      check_access_part(b->w, x, b->op, b->pc, bytes, bytes < 4 ? bytes : 4, use == USE_WRITE);
    if (trace_is_on(b->w) && !is_shared)
      trace_global(b->w->block->trace, b->w, b->pc, x->address, x->mask, bytes, false);
    return true;
  }
  b->w->block->worker->fault.thread = b->w->index * LANES + b->lane;
  return false;
}

/* Loads the part of a piece that is inside; the rest is filled. */
static bool load_elements(const struct box *b, const struct piece *p, u32 lane, u8 *shared) {
  const u32 bytes = b->map.element;
  for (u32 at = 0; at < PIECE; at += 4)
    memcpy(shared + at, &b->map.fill, 4);
  for (u32 i = 0; i < PIECE / bytes && is_inside(b, p, i); i++) {
    struct access x = {.mask = 1u << lane};
    for (u32 l = 0; l < LANES; l++)
      x.address[l] = p->global + (u64)i * bytes;
    if (!access_pieces(b, &x, bytes, false))
      return false;
    memcpy(shared + i * bytes, access_host(&x, lane, bytes), bytes);
  }
  return true;
}

/* Singles as tf32: to nearest, ties to even. */
static void round_piece(u8 *piece) {
  enum { DROPPED = 13 };
  u32 words[PIECE / 4];
  memcpy(words, piece, sizeof words);
  for (u32 i = 0; i < PIECE / 4; i++) {
    const u32 word = words[i], tie = (1u << (DROPPED - 1)) - 1 + (word >> DROPPED & 1);
    words[i] = (word & 0x7fffffff) > 0x7f800000 ? 0x7fffe000 : (word + tie) >> DROPPED << DROPPED;
  }
  memcpy(piece, words, sizeof words);
}

/* Combines the elements inside the tensor with what is there. */
static void reduce_piece(const struct box *b, const struct piece *p, u8 *global, const u8 *shared) {
  const u32 bytes = b->map.element;
  for (u32 i = 0; i < PIECE / bytes && is_inside(b, p, i); i++)
    atomic_combine(global + i * bytes, shared + i * bytes, bytes, (enum atomic)b->op->atomic, b->reduced);
}

/* The type of the map's elements for reductions; PTX_NONE: there are none of these. */
static enum ptx_type reduced_type(const struct tensor_map *map, enum atomic kind) {
  static const uint8_t types[] = {
      [TENSOR_U32] = PTX_U32, [TENSOR_S32] = PTX_S32, [TENSOR_U64] = PTX_U64, [TENSOR_S64] = PTX_S64,
      [TENSOR_F16] = PTX_F16, [TENSOR_F32] = PTX_F32, [TENSOR_F64] = PTX_F64, [TENSOR_BF16] = PTX_BF16};
  const enum ptx_type type = map->type < sizeof types ? (enum ptx_type)types[map->type] : PTX_NONE;
  const bool floats = type == PTX_F32 || type == PTX_F64, halves = type == PTX_F16 || type == PTX_BF16,
             extreme = kind == ATOM_MIN || kind == ATOM_MAX;
  if (ptx_type_bytes(type) != map->element || (floats && kind != ATOM_ADD) ||
      (halves && kind != ATOM_ADD && !extreme) || ((kind == ATOM_INC || kind == ATOM_DEC) && type != PTX_U32))
    return PTX_NONE;
  return type;
}

/* Pieces from `number` on, as if each lane copied one; where lanes are recorded, one by the thread's own. A store
 * writes a piece if it begins inside: the end of a row may be part of it. */
static bool move_pieces(const struct box *b, u32 number, u32 count) {
  const bool alone = b->w->block->check || b->w->block->steps;
  struct access shared = {.mask = alone           ? 1u << b->lane
                                  : count < LANES ? (1u << count) - 1
                                                  : ALL_LANES},
                global = {0};
  struct piece pieces[LANES];
  for (u32 l = 0; l < LANES; l++) {
    struct piece *p = &pieces[l];
    *p = piece_of(b, number + (alone || l >= count ? 0 : l));
    shared.address[l] = p->shared;
    global.address[l] = p->global;
    global.mask |= (u32)(is_inside(b, p, 0) && (b->stores || is_inside(b, p, PIECE / b->map.element - 1u)))
                   << l;
  }
  global.mask &= shared.mask;
  if (!access_pieces(b, &shared, PIECE, true) || (global.mask && !access_pieces(b, &global, PIECE, false)))
    return false;
  FOR_ACTIVE(shared.mask, l) {
    u8 *here = access_host(&shared, l, PIECE);
    const bool whole = global.mask >> l & 1;
    if (whole && b->reduced)
      reduce_piece(b, &pieces[l], access_host(&global, l, PIECE), here);
    else if (whole && b->stores)
      memcpy(access_host(&global, l, PIECE), here, PIECE);
    else if (whole)
      memcpy(here, access_host(&global, l, PIECE), PIECE);
    else if (!b->stores && !load_elements(b, &pieces[l], l, here))
      return false;
    if (b->map.rounds && !b->stores)
      round_piece(here);
  }
  if (b->w->block->steps) {
    steps_copied(b->w, &shared, PTX_F32, PIECE, b->stores ? USE_READ : USE_WRITE);
    if (global.mask)
      steps_copied(b->w, &global, PTX_F32, PIECE, b->stores ? USE_WRITE : USE_READ);
  }
  return true;
}

static u32 bytes_of(const struct box *b) {
  u32 bytes = b->map.element;
  for (u32 d = 0; d < b->map.dimensions; d++)
    bytes *= b->count[d];
  return bytes;
}

static bool move_box(const struct box *b) {
  const u32 together = b->w->block->check || b->w->block->steps ? 1 : LANES;
  const u32 pieces = bytes_of(b) / PIECE;
  for (u32 at = 0; at < pieces; at += together)
    if (!move_pieces(b, at, pieces - at < together ? pieces - at : together))
      return false;
  return true;
}

/* To this block, or to the same place of those blocks of the cluster that the mask names. */
static bool load_boxes(struct box *b, u32 blocks, u64 barrier) {
  const u64 place = b->shared & ((UINT64_C(1) << CLUSTER_SHIFT) - 1),
            tells = barrier & ((UINT64_C(1) << CLUSTER_SHIFT) - 1);
  if (!blocks)
    return move_box(b) && mbarrier_complete(b->w, b->pc, b->lane, barrier, bytes_of(b));
  FOR_ACTIVE(blocks, rank) {
    const u64 window = (u64)(rank + 1) << CLUSTER_SHIFT;
    b->shared = window | place;
    if (!move_box(b) || !mbarrier_complete(b->w, b->pc, b->lane, window | tells, bytes_of(b)))
      return false;
  }
  return true;
}

/* As many requests as if each lane of a warp copied a piece. A multicast reads once; a reduction reads and writes. */
static void count_box(const struct box *b, struct instruction_statistics *stats) {
  const u32 pieces = bytes_of(b) / PIECE, row_pieces = b->count[0] * b->map.element / PIECE;
  stats->requests += (pieces + LANES - 1) / LANES;
  for (u32 n = 0; n < pieces; n++) {
    const struct piece p = piece_of(b, n);
    const bool begins = n % row_pieces == 0 || p.global % SECTOR == 0;
    if (begins && (is_inside(b, &p, 0) || is_inside(b, &p, PIECE / b->map.element - 1u)))
      stats->sectors += b->reduced ? 2 : 1;
  }
}

bool copy_tensor_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m,
                     struct instruction_statistics *stats) {
  const struct tensor_copy *t = &w->block->launch->module->tensor_copies[op->tensor_copy];
  FOR_ACTIVE(m, l) {
    struct box b = {.w = w,
                    .op = op,
                    .pc = pc,
                    .lane = l,
                    .shared = operand_address(AT(op->src[1]), op->wide, l, (u64)op->target_offset),
                    .stores = t->stores};
    if (!read_map(&b, operand_address(AT(op->src[0]), op->wide_address, l, (u64)op->offset)))
      return false;
    b.reduced = t->reduces ? reduced_type(&b.map, (enum atomic)op->atomic) : PTX_NONE;
    if (b.map.dimensions != t->count || (t->reduces && !b.reduced))
      return fault_raise(w, FAULT_TENSOR_MAP, pc, l, (struct fault){.count = b.map.dimensions});
    bool before = false; /* the tensor's first element */
    for (u32 d = 0; d < t->count; d++) {
      b.first[d] = ((const s32 *)AT(t->coordinates[d]))[l];
      before |= b.first[d] < 0;
      b.count[d] = (b.map.box[d] + b.map.stride[d] - 1u) / b.map.stride[d];
    }
    const s64 start = b.first[0] * b.map.element;
    if (start % PIECE || (before && t->stores))
      return fault_raise(w, FAULT_TENSOR_MAP, pc, l,
                         (struct fault){.address = (u64)start, .bytes = PIECE, .is_write = t->stores});
    const u32 blocks = t->blocks == NO_OPERAND ? 0 : ((const u32 *)AT(t->blocks))[l] & 0xffff;
    if (t->stores
            ? !move_box(&b)
            : !load_boxes(&b, blocks,
                          operand_address(AT(t->barrier), t->wide_barrier, l, (u64)(s32)t->barrier_offset)))
      return false;
    count_box(&b, stats);
  }
  return true;
}
