#include "copy_async.h"

#include <stdlib.h>
#include <string.h>

#include "check_access.h"
#include "operand.h"
#include "protocol.h"
#include "steps.h"
#include "trace.h"

bool copy_async_chosen(bool *lost) {
  const char *chosen = getenv(SIM_ENV_COPIES);
  *lost = chosen && strcmp(chosen, "lost") == 0;
  return *lost || !chosen || !chosen[0];
}

/* Copies past L1 (.cg) are not coalesced: at most lanes 2k and 2k + 1 go together. An H200 counts one sector
 * for both if each takes a half of it. Among the loads it counts one if both are in one line of 128 bytes (see
 * access_patterns.h200.csv in the tests). */
static void count_copy(const struct access *from, bool past_l1, struct instruction_statistics *stats) {
  stats->requests++;
  stats->bytes += from->bytes;
  if (!past_l1) {
    stats->sectors += from->sectors;
    stats->load_sectors += from->sectors;
    return;
  }
  for (int l = 0; l < LANES; l += 2) {
    u32 lanes = from->mask >> l & 3;
    u64 a = from->address[l], b = from->address[l + 1];
    bool both = lanes == 3;
    if (!lanes)
      continue;
    stats->sectors += 1 + (both && (a ^ b) != 16);
    stats->load_sectors += 1 + (both && a / 128 != b / 128);
  }
}

bool copy_async_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m,
                    struct instruction_statistics *stats) {
  struct access from, to;
  struct op target = {.wide_address = op->wide, .offset = op->target_offset};
  u32 bytes = op->bytes, reads = 0;
  const u32 *wanted = (u32 *)AT(op->src[2]);
  access_addresses(&from, op, AT(op->src[0]), m);
  access_addresses(&to, &target, AT(op->src[1]), m);
  u32 ignored = op->may_ignore ? PREDICATE_SOURCE(3) : 0;
  FOR_ACTIVE(m & ~ignored, l)
    reads |= (u32)(wanted[l] > 0) << l; /* a lane that reads nothing may have a bad address */
  from.mask = reads;
  if (!access_shared(w, &to, pc, bytes, USE_WRITE) ||
      (reads && !access_global(w, &from, pc, bytes, USE_READ)))
    return false;
  if (w->block->check)
    check_access_copy(w, &from, &to, op, pc, bytes);
  if (reads)
    count_copy(&from, op->past_l1, stats);
  stats->wavefronts += to.wavefronts;
  if (trace_is_on(w)) {
    trace_global(w->block->trace, w, pc, from.address, reads, bytes, !op->past_l1);
    trace_shared(w->block->trace, w, pc, to.address, m, bytes, to.wavefronts);
  }
  FOR_ACTIVE(m, l) {
    u32 given =
        reads >> l & 1 && !w->block->launch->loses_copies ? (wanted[l] < bytes ? wanted[l] : bytes) : 0;
    memset(to.host[l] + given, 0, bytes - given);
    if (given)
      memcpy(to.host[l], from.contiguous ? from.host[0] + l * bytes : from.host[l], given);
  }
  if (w->block->steps) {
    steps_copied(w, &from, PTX_F32, bytes, USE_READ); /* cp.async has no type */
    steps_copied(w, &to, PTX_F32, bytes, USE_WRITE);
  }
  return true;
}
