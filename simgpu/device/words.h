/* Numbers wider than a register: carry chains, and moves that pack and unpack words. */
#pragma once

#include "device/machine.h"

/* add.cc, addc, sub.cc, subc, mad.cc, madc */
void words_carry_32(const struct op *op, char **bases, uint32_t m);
void words_carry_64(const struct op *op, char **bases, uint32_t m);
/* mov d, {a, b, ...} and mov {d, e, ...}, a */
void words_pack(const struct op *op, char **bases, uint32_t m);
