/* Operations of a whole warp: shuffles, votes, matches, reductions, elections. */
#pragma once

#include "machine.h"

/* All lanes that the active lanes `m` name must take part: in this subwarp, whose lanes are `mask`, or in
 * another one that waits at this instruction and then continues with the result. Returns all lanes that take
 * part, or 0 if some have not arrived. `named`: by lane, the lanes that it names. */
uint32_t collective_gather(struct warp *w, struct subwarp *s, const uint32_t *named, uint32_t pc,
                           uint32_t mask, uint32_t m);
void collective_shuffle(const struct op *op, char **bases, uint32_t m);
/* vote, match, redux and elect among the members that each lane names; lanes may name different ones. */
void collective_run(const struct op *op, char **bases, uint32_t m);
