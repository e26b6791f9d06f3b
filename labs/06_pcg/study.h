/* How convergence depends on the method and on the order of the unknowns: a command that prints a table. */
#pragma once

#include "options.h"

extern const struct options_option study_options[];
int study_run(void); /* returns the exit status */
