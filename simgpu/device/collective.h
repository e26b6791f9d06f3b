/* Operations of a whole warp: shuffles, votes, matches, reductions, elections. */
#ifndef SIMGPU_COLLECTIVE_H
#define SIMGPU_COLLECTIVE_H

#include "machine.h"

/* All lanes that the active lanes `m` name must take part: in this subwarp, whose lanes are `mask`, or
 * waiting at this instruction in another one, which then goes on with the result. Returns all that take part,
 * or 0 when some have yet to come. `named`: by lane, the lanes that it names. */
uint32_t collective_gather(struct warp *w, struct subwarp *s, const uint32_t *named, uint32_t pc,
                           uint32_t mask, uint32_t m);
void collective_shuffle(const struct op *op, char **bases, uint32_t m);
/* vote, match, redux and elect among the members that each lane names; lanes may name different ones. */
void collective_run(const struct op *op, char **bases, uint32_t m);

#endif
