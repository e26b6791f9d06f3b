/* The commands table and levels of lab 07: times of solves and of the levels of a cycle. */
#pragma once

#include "options.h"

extern const struct options_option times_options[], times_level_options[];
int times_show(void);   /* the table; both return the exit status */
int times_levels(void); /* a cycle, level by level */
