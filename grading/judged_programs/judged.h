/* The programs that the suites run. Each links the .cu file of a submission with the student's program of the lab,
 * main.c, which it includes, so that the judge runs the same code. It adds what serves only the judge: other calls
 * before the one that counts, heap.h, guards around arrays, serve.h. Its --help lists these options, too. */
#pragma once

#include "options.h"

/* A table with the rows of a command of the student's program, then those of the judge. It lives as long
 * as the program. */
const struct options_option *judged_options(const struct options_option *options,
                                            const struct options_option *more);
