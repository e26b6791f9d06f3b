#include "mbarrier.h"

#include "check_access.h"
#include "check_copies.h"
#include "operand.h"

/* The word of an mbarrier: arrivals that a phase expects, those still to come, bytes still to come (21 bits with
 * sign), and the number of the phase. */
enum {
  MBARRIER_BITS = 20,
  BYTES_BITS = 21,
  BYTES_SHIFT = 2 * MBARRIER_BITS,
  PHASE_SHIFT = BYTES_SHIFT + BYTES_BITS
};
#define MOST_ARRIVALS ((UINT64_C(1) << MBARRIER_BITS) - 1)
#define MOST_BYTES ((UINT64_C(1) << BYTES_BITS) - 1)

/* After `arrivals`, of which `dropped` will not come in later phases either, and with `bytes` more to come. A phase
 * is complete when neither arrivals nor bytes are to come. */
static u64 next_word(u64 word, u32 arrivals, u32 dropped, u32 bytes) {
  const u64 expected = (word - dropped) & MOST_ARRIVALS, still = (word >> BYTES_SHIFT) + bytes;
  u64 pending = ((word >> MBARRIER_BITS) - arrivals) & MOST_ARRIVALS, phase = word >> PHASE_SHIFT;
  if (pending == 0 && (still & MOST_BYTES) == 0) {
    phase++;
    pending = expected;
  }
  return expected | pending << MBARRIER_BITS | (still & MOST_BYTES) << BYTES_SHIFT | phase << PHASE_SHIFT;
}

bool mbarrier_complete(struct warp *w, u32 pc, u32 lane, u64 address, u32 bytes) {
  static const struct op completion = {
      .code = OP_MBARRIER, .mbarrier = MBARRIER_COMPLETE, .sync = SYNC_ATOMIC | SYNC_RELEASE};
  struct access x = {.mask = 1u << lane};
  x.address[lane] = address;
  if (!access_shared(w, &x, pc, 8, USE_WRITE))
    return false;
  if (w->block->check)
    check_access_mbarrier(w, &x, &completion, pc);
  u64 *word = (u64 *)x.host[lane];
  *word = next_word(*word, 0, 0, 0 - bytes);
  return true;
}

bool mbarrier_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m) {
  struct access x;
  const u32 *b = (u32 *)AT(op->src[1]), *bytes = (u32 *)AT(op->src[2]);
  const u64 *state = (u64 *)b;
  u32 held = 0;
  if (op->mbarrier == MBARRIER_PENDING) {
    FOR_ACTIVE(m, l)
      ((u32 *)AT(op->dst[0]))[l] = (u32)(state[l] >> MBARRIER_BITS) & ((1u << MBARRIER_BITS) - 1);
    return true;
  }
  access_addresses(&x, op, AT(op->src[0]), m);
  if (op->space == PTX_GENERIC)
    access_resolve(&x);
  if (!access_shared(w, &x, pc, 8, USE_WRITE))
    return false;
  if (w->block->check)
    check_access_mbarrier(w, &x, op, pc);
  FOR_ACTIVE(m, l) {
    u64 *word = (u64 *)x.host[l], old = *word;
    switch ((enum mbarrier_action)op->mbarrier) {
    case MBARRIER_INIT:
    case MBARRIER_INVAL:
      *word = op->mbarrier == MBARRIER_INVAL ? 0 : (u64)b[l] | (u64)b[l] << MBARRIER_BITS;
      break;
    case MBARRIER_TRACK:
      break;
    case MBARRIER_ARRIVE:
    case MBARRIER_DROP:
      *word = next_word(old, b[l], op->mbarrier == MBARRIER_DROP ? b[l] : 0, op->expects ? bytes[l] : 0);
      if (op->dst[0] != NO_OPERAND)
        ((u64 *)AT(op->dst[0]))[l] = old;
      break;
    case MBARRIER_EXPECT:
    case MBARRIER_COMPLETE:
      *word = next_word(old, 0, 0, op->mbarrier == MBARRIER_EXPECT ? bytes[l] : 0 - bytes[l]);
      break;
    case MBARRIER_TEST:
      held |= (u32)((old ^ state[l]) >> PHASE_SHIFT != 0) << l;
      break;
    default:
      held |= (u32)((old >> PHASE_SHIFT & 1) != (b[l] & 1)) << l;
    }
  }
  if (op_tests_mbarrier(op)) {
    SET_PREDICATE(op->dst[0], held);
    if (w->block->check)
      check_copies_arrived(w->block, x.address, held);
  }
  return true;
}
