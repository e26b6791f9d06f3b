/* Operations of a whole warp: shuffles, votes, matches, reductions, elections. */
#pragma once

#include "device/machine.h"

struct gathered {
  uint32_t here; /* lanes that take part at this place; 0: some have not arrived */
  bool done;     /* lanes elsewhere take part, too, and the operation is done for all of them */
};

/* All lanes that the active lanes `m` name must take part: in this subwarp, whose lanes are `mask`, or in
 * another one that collective_meets() and then continues with the result. `named`: by lane, the lanes that it names. */
struct gathered collective_gather(struct warp *w, struct subwarp *s, const uint32_t *named, uint32_t pc,
                                  uint32_t mask, uint32_t m);
/* Both wait at one operation. It may stand at two places: the PTX ISA (shfl.sync) asks for the same qualifiers and
 * members, and so does an H100; compilers copy an operation into both ways of a branch. */
bool collective_meets(const struct warp *w, const struct subwarp *o, const struct subwarp *s);
void collective_shuffle(const struct op *op, char **bases, uint32_t m);
/* vote, match, redux and elect among the members that each lane names; lanes may name different ones. */
void collective_run(const struct op *op, char **bases, uint32_t m);
