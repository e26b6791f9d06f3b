/* The client's end of the socket to the simulated device (protocol.h): one request, then its reply.
 *
 * Not thread-safe: the caller serialises. A connection that fails says so in one line on standard error,
 * once, and from then on every call on it returns false. */
#ifndef SIMGPU_CONNECTION_H
#define SIMGPU_CONNECTION_H

#include "../protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct connection {
  int socket;        /* -1: none */
  pid_t device;      /* the device process when we started it, else 0 */
  uint64_t clock_ns; /* modelled device time: the sum of all replies' time_ns */
};

/* Host memory as `rows` rows of `width` bytes, `pitch` bytes apart. */
struct host_rows {
  void *address;
  size_t width, rows, pitch;
};

/* Find or start the device, greet it, and store what it is in *info. */
bool connection_open(struct connection *connection, struct sim_device_info *info);

/* Send the fixed part and the data (either may be NULL), and wait for the reply's header. */
bool connection_request(struct connection *connection, enum sim_request type, const void *fixed, size_t size,
                        const struct host_rows *data, struct sim_header *reply);

/* Read the next rows*width bytes of the reply. */
bool connection_receive(struct connection *connection, const struct host_rows *into);

/* The reply contradicts the protocol: say so and drop the connection. Returns false. */
bool connection_malformed(struct connection *connection, const char *what);

/* Hang up, and wait at most five seconds for a device process of ours to finish its files. */
void connection_close(struct connection *connection);

/* Close the descriptor and forget the device: for the child after fork(). */
void connection_abandon(struct connection *connection);

#endif
