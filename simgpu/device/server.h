/* The device's side of protocol.h. */
#ifndef SIMGPU_SERVER_H
#define SIMGPU_SERVER_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "order.h"

struct server_options {
  uint64_t memory;             /* bytes of the device */
  FILE *counters;              /* one CSV row per launch, or NULL */
  FILE *report, *lines;        /* what each source line did, for people and as CSV, at the end; or NULL */
  struct addresses *addresses; /* of one warp per launch, or NULL */
  struct checks *checks;       /* or NULL; closed at the end */
  struct order order;          /* of blocks */
};

/* Serve one client, one request at a time, until it is gone. Returns 0, or 2 when the connection ended within
 * a request or with a malformed one, which is told on standard error. Environment: SIMGPU_SPEED (tell at the
 * end how fast it was). */
int server_run(int socket, const struct server_options *options);

extern atomic_bool server_launching; /* a kernel is running */

#endif
