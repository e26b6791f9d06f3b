/* cvt, except the frequent forms, which have rows in ops.def. */
#pragma once

#include <stdint.h>

#include "op.h"

/* cvt, lane by lane. */
void convert_lanes(const struct op *op, char **bases, uint32_t m);
/* cvt of two floats to a pair of halves. */
void convert_pair(const struct op *op, char **bases, uint32_t m);
/* Pairs of floats of 8 bits, e4m3 or e5m2, from pairs of singles or halves, or to pairs of halves. */
void convert_eights(const struct op *op, char **bases, uint32_t m);
/* cvt.pack of two integers. */
void convert_pack(const struct op *op, char **bases, uint32_t m);
