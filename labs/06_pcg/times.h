/* Times of an iteration of each method: a command that prints a table. */
#pragma once

#include "options.h"

extern const struct options_option times_options[];
int times_show(void); /* returns the exit status */
