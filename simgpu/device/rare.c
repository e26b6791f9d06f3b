#include "rare.h"

#include "access.h"
#include "addresses.h"
#include "atomic.h"
#include "call.h"
#include "check_copies.h"
#include "convert.h"
#include "copy_async.h"
#include "copy_bulk.h"
#include "copy_tensor.h"
#include "device/compare.h"
#include "device_runtime.h"
#include "operand.h"
#include "system_call.h"
#include "texture.h"
#include "trace.h"
#include "video.h"
#include "words.h"

static void insert_bits(const struct op *op, char **bases, u32 m) {
  const u32 *start = (u32 *)AT(op->src[2]), *length = (u32 *)AT(op->src[3]);
  const bool wide = op->code == OP_BFI_64;
  FOR_ACTIVE(m, l) {
    if (wide)
      ((u64 *)AT(op->dst[0]))[l] =
          lane_insert(((u64 *)AT(op->src[0]))[l], ((u64 *)AT(op->src[1]))[l], start[l], length[l], 64);
    else
      ((u32 *)AT(op->dst[0]))[l] =
          (u32)lane_insert(((u32 *)AT(op->src[0]))[l], ((u32 *)AT(op->src[1]))[l], start[l], length[l], 32);
  }
}

static void test_space(const struct warp *w, const struct op *op, char **bases, u32 m) {
  const u64 *a = (u64 *)AT(op->src[0]);
  u32 held = 0;
  FOR_ACTIVE(m, l)
    held |= (u32)(access_is_within(w, (enum ptx_space)op->space, a[l]) &&
                  (op->wide || op->space != PTX_SHARED || !((u32)a[l] >> CLUSTER_SHIFT)))
            << l;
  SET_PREDICATE(op->dst[0], held);
}

/* Writes the same number to every active lane. */
static void broadcast(const struct op *op, char **bases, u32 m, u64 value) {
  FOR_ACTIVE(m, l)
    memcpy(AT(op->dst[0]) + l * (op->wide ? 8 : 4), &value, op->wide ? 8 : 4);
}

/* Generic addresses keep their window in the upper half; addresses of the shared space have 32 bits. In the own block,
 * an address is mapped to itself. */
static void map_to_rank(const struct warp *w, const struct op *op, char **bases, u32 m) {
  const u32 *rank = (u32 *)AT(op->src[1]), own_rank = block_rank(w->block);
  FOR_ACTIVE(m, l) {
    const u64 address = operand_read((u8 *)AT(op->src[0]) + l * (op->wide ? 8 : 4), op->wide ? 8 : 4),
              own = address & ((UINT64_C(1) << CLUSTER_SHIFT) - 1),
              place = rank[l] == own_rank ? 0 : rank[l] + 1,
              mapped = (address >> 32 << 32) | own | place << CLUSTER_SHIFT;
    memcpy(AT(op->dst[0]) + l * (op->wide ? 8 : 4), &mapped, op->wide ? 8 : 4);
  }
}

static void rank_of(const struct warp *w, const struct op *op, char **bases, u32 m) {
  FOR_ACTIVE(m, l) {
    const u64 address = operand_read((u8 *)AT(op->src[0]) + l * (op->wide ? 8 : 4), op->wide ? 8 : 4);
    const u32 place = (u32)address >> CLUSTER_SHIFT;
    ((u32 *)AT(op->dst[0]))[l] = place ? place - 1 : block_rank(w->block);
  }
}

static void run_arithmetic(const struct subwarp *s, const struct op *op, char **bases, u32 m) {
  switch (op->code) {
  case OP_TESTP:
    SET_PREDICATE(op->dst[0], compare_property(op, bases));
    break;
  case OP_BFI_32:
  case OP_BFI_64:
    insert_bits(op, bases, m);
    break;
  case OP_CARRY_32:
    words_carry_32(op, bases, m);
    break;
  case OP_CARRY_64:
    words_carry_64(op, bases, m);
    break;
  case OP_CVT:
    convert_lanes(op, bases, m);
    break;
  case OP_CVT_PAIR:
    convert_pair(op, bases, m);
    break;
  case OP_CVT_EIGHTS:
    convert_eights(op, bases, m);
    break;
  case OP_CVT_PACK:
    convert_pack(op, bases, m);
    break;
  case OP_VIDEO:
    video_run(op, bases, m);
    break;
  case OP_SET:
    compare_set(op, bases, m);
    break;
  case OP_SETP_PAIR:
    compare_halves(op, bases, m);
    break;
  case OP_PACK:
  case OP_UNPACK:
    words_pack(op, bases, m);
    break;
  case OP_LOCAL_ADDRESS:
    broadcast(op, bases, m, s->frame->local_base + (u64)op->offset);
    break;
  case OP_ACTIVEMASK:
    broadcast(op, bases, m, m);
    break;
  }
}

bool rare_run(struct warp *w, const struct subwarp *s, const struct op *op, char **bases, u32 pc, u32 m,
              struct instruction_statistics *stats) {
  switch (op->code) {
  case OP_ATOMIC:
    return atomic_run(w, op, bases, pc, m, stats);
  case OP_COPY_ASYNC:
    return copy_async_run(w, op, bases, pc, m, stats);
  case OP_TEXTURE:
  case OP_TEXTURE_QUERY:
  case OP_SURFACE_LOAD:
  case OP_SURFACE_STORE:
    return texture_run(w, op, bases, pc, m);
  case OP_COPY_BULK:
    return copy_bulk_run(w, op, bases, pc, m, stats);
  case OP_COPY_TENSOR:
    return copy_tensor_run(w, op, bases, pc, m, stats);
  case OP_STORE_ASYNC:
    return copy_bulk_store(w, op, bases, pc, m);
  case OP_COPIES:
    if (w->block->check)
      check_copies_group(w, op, m);
    if (w->block->trace && w->block->trace->addresses)
      addresses_copies(w->block->trace->addresses, w, op);
    return true;
  case OP_LOAD_PARAM:
  case OP_STORE_PARAM:
    call_move_parameters(op, bases, s->frame, m);
    return true;
  case OP_CLUSTER_MAP:
    map_to_rank(w, op, bases, m);
    return true;
  case OP_CLUSTER_RANK:
    rank_of(w, op, bases, m);
    return true;
  case OP_ISSPACEP:
    test_space(w, op, bases, m);
    return true;
  case OP_PRINT:
    system_call_print(w, op, s->frame, m);
    return true;
  case OP_MALLOC:
    system_call_malloc(w, op, s->frame, m);
    return true;
  case OP_CONDITION:
    system_call_condition(w, op, s->frame, m);
    return true;
  case OP_FREE:
    return system_call_free(w, op, s->frame, pc, m);
  case OP_DEVICE_RUNTIME:
    device_runtime_run(w, op, s->frame, m);
    return true;
  case OP_ASSERT:
    return system_call_assert(w, op, s->frame, pc, m);
  default:
    run_arithmetic(s, op, bases, m);
    return true;
  }
}
