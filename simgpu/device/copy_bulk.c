#include "copy_bulk.h"

#include <string.h>

#include "access.h"
#include "atomic.h"
#include "check_access.h"
#include "copy_tensor.h"
#include "fault.h"
#include "mbarrier.h"
#include "operand.h"
#include "steps.h"
#include "trace.h"

enum { PIECE = 16 /* bytes: copies are multiples of it */ };

/* One thread's copy. */
struct bulk {
  struct warp *w;
  const struct op *op;
  u32 pc, lane;
  u64 from, to;
  u32 bytes;
};

/* A fault of another lane's piece is the fault of the thread that copies. */
static bool access_pieces(const struct bulk *b, struct access *x, enum ptx_space space, enum use use) {
  if (space == PTX_SHARED ? access_shared(b->w, x, b->pc, PIECE, use)
                          : access_global(b->w, x, b->pc, PIECE, use))
    return true;
  b->w->block->worker->fault.thread = b->w->index * LANES + b->lane;
  return false;
}

static void note_pieces(const struct bulk *b, const struct access *from, const struct access *to) {
  const struct op *op = b->op;
  if (b->w->block->check) {
    check_access_part(b->w, from, op, b->pc, PIECE, 4, false);
    if (op->element)
      check_access_atomic(b->w, to, op, b->pc, PIECE);
    else
      check_access_part(b->w, to, op, b->pc, PIECE, 4, true);
  }
  if (trace_is_on(b->w) && op->type == PTX_GLOBAL)
    trace_global(b->w->block->trace, b->w, b->pc, from->address, from->mask, PIECE, false);
  if (trace_is_on(b->w) && op->space == PTX_GLOBAL)
    trace_global(b->w->block->trace, b->w, b->pc, to->address, to->mask, PIECE, false);
}

/* Up to LANES pieces from byte `at` on, as if each lane copied one; where lanes are recorded, one by the thread's own.
 * Returns the bytes, or 0 after a fault. */
static u32 copy_pieces(const struct bulk *b, u32 at) {
  const bool alone = b->w->block->check || b->w->block->steps;
  const u32 left = (b->bytes - at) / PIECE, count = alone ? 1 : left < LANES ? left : LANES;
  const u32 mask = alone ? 1u << b->lane : count < LANES ? (1u << count) - 1 : ALL_LANES;
  struct access from = {.mask = mask}, to = {.mask = mask};
  for (u32 l = 0; l < LANES; l++) {
    const u32 piece = at + (alone ? 0 : l * PIECE);
    from.address[l] = b->from + piece;
    to.address[l] = b->to + piece;
  }
  if (!access_pieces(b, &from, (enum ptx_space)b->op->type, USE_READ) ||
      !access_pieces(b, &to, (enum ptx_space)b->op->space, USE_WRITE))
    return 0;
  note_pieces(b, &from, &to);
  FOR_ACTIVE(mask, l) {
    u8 *const target = access_host(&to, l, PIECE), *const source = access_host(&from, l, PIECE);
    if (b->op->element)
      atomic_combine(target, source, PIECE, (enum atomic)b->op->atomic, (enum ptx_type)b->op->element);
    else
      memmove(target, source, PIECE);
  }
  if (b->w->block->steps) {
    steps_copied(b->w, &from, PTX_F32, PIECE, USE_READ);
    steps_copied(b->w, &to, PTX_F32, PIECE, USE_WRITE);
  }
  return count * PIECE;
}

static bool copy_all(const struct bulk *b) {
  if (b->bytes % PIECE)
    return fault_raise(b->w, FAULT_ALIGNMENT, b->pc, b->lane,
                       (struct fault){.address = b->from + b->bytes, .bytes = PIECE});
  for (u32 at = 0, copied; at < b->bytes; at += copied) {
    copied = copy_pieces(b, at);
    if (copied == 0)
      return false;
  }
  return true;
}

/* Copies to one place, then tells the mbarrier, if there is one. */
static bool copy_and_tell(struct bulk *b, u64 to, bool tells, u64 barrier) {
  b->to = to;
  return copy_all(b) && (!tells || mbarrier_complete(b->w, b->pc, b->lane, barrier, b->bytes));
}

/* To the same place of each block of the cluster that the mask names. */
static bool copy_to_blocks(struct bulk *b, u32 blocks, u64 to, u64 barrier) {
  const u64 own = (UINT64_C(1) << CLUSTER_SHIFT) - 1;
  FOR_ACTIVE(blocks, rank) {
    const u64 window = (u64)(rank + 1) << CLUSTER_SHIFT;
    if (!copy_and_tell(b, window | (to & own), true, window | (barrier & own)))
      return false;
  }
  return true;
}

bool copy_bulk_store(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m) {
  const struct tensor_copy *t = &w->block->launch->module->tensor_copies[op->tensor_copy];
  const u32 element = ptx_type_bytes((enum ptx_type)op->type), bytes = element * op->count;
  FOR_ACTIVE(m, l) {
    struct access x = {.mask = 1u << l};
    x.address[l] = operand_address(AT(op->src[0]), op->wide_address, l, (u64)op->offset);
    if (!access_shared(w, &x, pc, bytes, USE_WRITE))
      return false;
    if (w->block->check && op->element)
      check_access_atomic(w, &x, op, pc, bytes);
    else if (w->block->check)
      check_access_part(w, &x, op, pc, bytes, 4, true);
    u8 *const host = access_host(&x, l, bytes);
    for (u32 e = 0; e < op->count; e++) {
      const u8 *const value = (u8 *)AT(op->src[1 + e]) + l * element;
      if (op->element)
        atomic_combine(host, value, element, (enum atomic)op->atomic, (enum ptx_type)op->element);
      else
        memcpy(host + e * element, value, element);
    }
    if (!mbarrier_complete(w, pc, l,
                           operand_address(AT(t->barrier), t->wide_barrier, l, (u64)(s32)t->barrier_offset),
                           bytes))
      return false;
  }
  return true;
}

/* As many requests as if each lane of a warp copied a piece. A multicast reads once; a reduction reads and writes. */
static void count_copy(const struct bulk *b, u64 to, struct instruction_statistics *stats) {
  const u64 low = b->op->space == PTX_GLOBAL ? to : b->from;
  if (b->op->class != CLASS_GLOBAL_BULK || b->bytes == 0)
    return;
  stats->requests += (b->bytes + LANES * PIECE - 1) / (LANES * PIECE);
  stats->sectors += (((low + b->bytes - 1) >> SECTOR_SHIFT) - (low >> SECTOR_SHIFT) + 1)
                    << (b->op->element != PTX_NONE);
}

bool copy_bulk_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m,
                   struct instruction_statistics *stats) {
  FOR_ACTIVE(m, l) {
    struct bulk b = {.w = w,
                     .op = op,
                     .pc = pc,
                     .lane = l,
                     .from = operand_address(AT(op->src[0]), op->wide_address, l, (u64)op->offset),
                     .bytes = ((u32 *)AT(op->src[2]))[l]};
    const u64 to = operand_address(AT(op->src[1]), op->wide, l, (u64)op->target_offset);
    const bool tells = op->src[3] != NO_OPERAND;
    const u64 barrier =
        tells ? operand_address(AT(op->src[3]), op->wide_barrier, l, (u64)(s32)op->barrier_offset) : 0;
    if (op->src[4] != NO_OPERAND ? !copy_to_blocks(&b, ((u32 *)AT(op->src[4]))[l] & 0xffff, to, barrier)
                                 : !copy_and_tell(&b, to, tells, barrier))
      return false;
    count_copy(&b, to, stats);
  }
  return true;
}
