/* How convergence depends on the factor, on n and on precision: a command that prints a table. */
#pragma once

#include "options.h"

extern const struct options_option study_options[];
int study_run(void); /* returns the exit status */
