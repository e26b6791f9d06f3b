/* The device's side of protocol.h. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "order.h"

struct server_options {
  uint64_t memory;      /* bytes of the device */
  FILE *counters;       /* one CSV row per launch, or NULL */
  FILE *contents;       /* of each allocation when it is freed, or at the end: its size, its bytes; or NULL */
  FILE *report, *lines; /* instruction statistics, for people and as CSV, at the end; or NULL */
  struct addresses *addresses;              /* of one warp per launch, or NULL */
  struct steps *steps;                      /* of one warp, or NULL; closed at the end */
  struct breaks *breaks;                    /* or NULL; closed at the end */
  struct checks *checks;                    /* or NULL; closed at the end */
  struct totals *totals;                    /* or NULL; written and freed at the end */
  bool strict;                              /* see lenient.h; checks are strict, too */
  struct order order;                       /* of blocks */
  int recording;                            /* a file for the requests, or -1 */
  bool replays;                             /* the client is a recording: it has no process */
  uint64_t failing_request, failing_launch; /* by their numbers from 1, that of all or of launches; 0: none */
};

/* Also exit statuses of the device process. SERVER_CUT_SHORT: the client ended long before its work was done.
 * SERVER_BAD_BREAK, as for other malformed values: a breakpoint names what the program does not have. */
enum { SERVER_BAD_BREAK = 2, SERVER_MALFORMED = 3, SERVER_CUT_SHORT = 4 };

/* Serves one client, one request at a time, until it ends. Returns 0, or SERVER_MALFORMED after a message if a request
 * was malformed or incomplete. Environment: SIMGPU_SPEED (report the speed at the end). */
int server_run(int socket, const struct server_options *options);

extern atomic_bool server_serving; /* there may be requests: no file is complete yet */
