/* A program that answers requests until standard input ends, so that another process can time it without
 * its start-up time.
 *
 * A request is a line "SEED COUNT": input made from the seed, COUNT sweeps (iterations, copies) of it. The
 * answer is the result on standard output, as bytes and nothing else; other output goes to standard error,
 * with a line that has the time by device events. */
#ifndef SERVE_H
#define SERVE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* answer: fills bytes of result from a request, returns the milliseconds of its work on the device. Returns
 * the exit status; a malformed request ends the program with one line and ERROR_STATUS. */
int serve(size_t bytes, double (*answer)(void *context, uint64_t seed, int count, void *result),
          void *context);

#ifdef __cplusplus
}
#endif
#endif
