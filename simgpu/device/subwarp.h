/* Divergence: the subwarps of a warp, and the joins at which they reconverge. */
#pragma once

#include "device/machine.h"

/* Neither at a barrier nor at a warp-wide operation. */
static inline bool subwarp_can_run(const struct subwarp *s) { return s->barrier < 0 && !s->waits; }

static inline bool subwarp_any_can_run(const struct warp *w) {
  bool can_run = false;
  for (uint32_t k = 0; k < w->subwarp_count; k++)
    can_run |= subwarp_can_run(&w->subwarps[k]);
  return can_run;
}

/* The lanes `away` go to `target`, the others stay at s->pc. All reconverge at `point`, in the region of
 * `depth` (see ptx/flow.c). */
void subwarp_diverge(struct warp *w, struct subwarp *s, uint32_t away, uint32_t target, uint32_t point,
                     uint32_t depth);
/* The subwarp has reached the reconvergence point `pc`. Returns true if it continues, with all lanes that its
 * joins have waited for; false if it now waits in an incomplete join. */
bool subwarp_reconverge(struct warp *w, struct subwarp *s, const struct op *op, uint32_t pc);
/* The subwarp has used up a time slice, or `taken` instructions of it. After several slices, lanes that wait
 * for it at a join continue without it: it may be polling for them. */
void subwarp_expire_join(struct warp *w, struct subwarp *s, uint64_t taken);
/* Behind a barrier, lanes that came apart continue together. Returns true if some did: a pointer to a subwarp is then
 * no longer valid. */
bool subwarp_reunite(struct warp *w);
/* The lanes `gone` have exited: neither `join` nor those around it wait for them. */
void subwarp_leave_joins(struct warp *w, int32_t join, uint32_t gone);
/* The lanes that wait at the end of the kernel to reconverge with the rest of the warp. */
uint32_t subwarp_lanes_at_end(const struct warp *w);
/* Those that take part in the operation at which the subwarp waits. */
uint32_t subwarp_taking_part(const struct subwarp *s, const struct op *op);
void subwarp_remove(struct warp *w, struct subwarp *s);
/* The lanes `gone` of the subwarp exit. Returns false if that ends it. */
bool subwarp_exit(struct warp *w, struct subwarp *s, uint32_t gone);
/* Lanes that call another function than the subwarp's first lane diverge from it until after the call.
 * Returns the address of the first lane's function. */
uint64_t subwarp_same_target(struct warp *w, struct subwarp *s, const struct op *op, char **bases);
/* Indexed branch of the lanes `m`: lanes with the same target stay together. */
void subwarp_branch_indexed(struct warp *w, struct subwarp *s, const struct op *op, char **bases, uint32_t m);
