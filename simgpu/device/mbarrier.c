#include "mbarrier.h"

#include "check_access.h"
#include "check_copies.h"
#include "operand.h"

/* The word of an mbarrier: arrivals that a phase expects, those still to come, and the number of the phase.
 */
enum { MBARRIER_BITS = 20 };

static u64 next_word(u64 word, u32 arrivals, bool drop) {
  const u64 most = (1u << MBARRIER_BITS) - 1;
  u64 expected = word & most, pending = word >> MBARRIER_BITS & most, phase = word >> (2 * MBARRIER_BITS);
  expected -= drop ? arrivals : 0;
  pending -= arrivals;
  if ((pending & most) == 0) {
    phase++;
    pending = expected;
  }
  return (expected & most) | (pending & most) << MBARRIER_BITS | phase << (2 * MBARRIER_BITS);
}

bool mbarrier_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m) {
  struct access x;
  const u32 *b = (u32 *)AT(op->src[1]);
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
      *word = next_word(old, b[l], op->mbarrier == MBARRIER_DROP);
      if (op->dst[0] != NO_OPERAND)
        ((u64 *)AT(op->dst[0]))[l] = old;
      break;
    case MBARRIER_TEST:
      held |= (u32)((old ^ state[l]) >> (2 * MBARRIER_BITS) != 0) << l;
      break;
    default:
      held |= (u32)((old >> (2 * MBARRIER_BITS) & 1) != (b[l] & 1)) << l;
    }
  }
  if (op_tests_mbarrier(op)) {
    SET_PREDICATE(op->dst[0], held);
    if (w->block->check)
      check_copies_arrived(w->block, x.address, held);
  }
  return true;
}
