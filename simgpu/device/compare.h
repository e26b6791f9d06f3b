/* Comparisons without a row in ops.def. */
#pragma once

#include "device/machine.h"

/* set */
void compare_set(const struct op *op, char **bases, uint32_t m);
/* setp of two halves */
void compare_halves(const struct op *op, char **bases, uint32_t m);
/* testp: returns the lanes whose number has the property. */
uint32_t compare_property(const struct op *op, char **bases);
