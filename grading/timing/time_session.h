/* A lab program that answers requests (serve.h). Our clock times it, from the request's delivery until the last
 * byte of the answer arrives. */
#pragma once

#include "jail.h"
#include "program.h"
#include <stdint.h>

struct session {
  struct program process;
  int to, from;
};

/* Starts words[0], a path, in the jail unless that is NULL. Ends the grader if it cannot start a process. */
struct session session_open(const char *const *words, const struct jail *jail);

enum session_status {
  SESSION_ANSWERED,
  SESSION_ENDED,      /* the program ended, or closed its output, before the whole answer arrived */
  SESSION_TIMED_OUT,  /* no whole answer within the limit, in seconds */
  SESSION_UNREQUESTED /* the program wrote output without a request */
};

/* Sends a request and receives the answer of the given number of bytes. *seconds: the time that this took. */
enum session_status session_request(struct session *session, uint64_t seed, int count, void *answer,
                                    size_t bytes, double limit, double *seconds);

/* Tells the program that there are no more requests. */
void session_end(struct session *session);

/* Calls session_end and waits for the program to end; kills it after a few seconds. */
struct program_result session_close(struct session *session);

/* Milliseconds by device events of the last request, as the program reports; NaN if it reports none. */
double session_device_ms(const struct program_result *result);
