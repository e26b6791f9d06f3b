/* Whether a function whose contract promises error checks makes them: each call of the CUDA runtime fails once. */
#pragma once

#include "program.h"

/* In a test, after a run in which a call fails: fails the test unless the program stopped and named the error.
 * what: the call in words, as in "cudaMalloc fails"; error: its name */
void error_checks_expect(const char *function, const struct program_result *result, const char *what,
                         const char *error);

/* In a test: fails it if one of the calls that the run makes can fail without a message, or before a launch that then
 * takes place all the same. The arguments of the program, which calls the function once, end with NULL. */
void error_checks_of_each_call(const char *function, const char *const *arguments);
