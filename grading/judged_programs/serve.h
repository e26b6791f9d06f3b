/* A program that answers requests until standard input ends, so that another process can time it without
 * its start-up time.
 *
 * A request is a line "SEED COUNT": make an input from the seed, and run COUNT sweeps (iterations, copies). The
 * answer is the bytes of the result, on standard output. Other output goes to standard error, with one line
 * that has the time by device events. */
#pragma once

#include "c_linkage.h"
#include <stddef.h>
#include <stdint.h>

C_LINKAGE_BEGIN

#define JUDGED_SERVE_HELP "answers requests \"SEED SWEEPS\" on standard input, for the grader's clock"

/* answer: fills bytes of result from a request, returns the milliseconds of its work on the device. Returns
 * the exit status; a malformed request ends the program with one line and ERROR_STATUS. */
int serve(size_t bytes, double (*answer)(void *context, uint64_t seed, int count, void *result),
          void *context);

C_LINKAGE_END
