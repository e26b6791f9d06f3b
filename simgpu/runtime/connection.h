/* The client's end of the socket to the simulated device (protocol.h): requests that are waited for, and
 * queued ones, whose replies are taken in later, in the order of the requests.
 *
 * Not thread-safe: the caller serialises. A connection that fails says so in one line on standard error,
 * once, and from then on every call on it returns false. */
#ifndef SIMGPU_CONNECTION_H
#define SIMGPU_CONNECTION_H

#include "../protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CONNECTION_QUEUE = 1024, CONNECTION_INBOX = 16384 };

struct connection {
  int socket;   /* -1: none */
  pid_t device; /* the device process when we started it, else 0 */

  /* of the replies that have been taken in */
  uint64_t clock_ns;     /* modelled device time: the sum of their time_ns */
  enum sim_status fault; /* the first that ended a kernel, or SIM_OK */
  char *text;            /* printed by kernels; the owner shows it and sets the length to 0 */
  size_t text_length, text_room;

  /* queued requests without a reply yet: a ring, and the beginning of their replies */
  uint32_t first, queued;
  uint32_t types[CONNECTION_QUEUE];
  size_t inbox_at, inbox_end;
  char inbox[CONNECTION_INBOX];
};

/* Host memory as `rows` rows of `width` bytes, `pitch` bytes apart. */
struct host_rows {
  void *address;
  size_t width, rows, pitch;
};

/* Find or start the device, greet it, and store what it is in *info. */
bool connection_open(struct connection *connection, struct sim_device_info *info);

/* Send the fixed part and the data (either may be NULL), take in the replies to all queued requests, and wait
 * for this one's header. */
bool connection_request(struct connection *connection, enum sim_request type, const void *fixed, size_t size,
                        const struct host_rows *data, struct sim_header *reply);

/* Send without waiting for the reply, which may hold no data but a launch's text, and no refusal: what the
 * device would refuse is not for the queue. */
bool connection_queue(struct connection *connection, enum sim_request type, const void *fixed, size_t size,
                      const struct host_rows *data);

/* Take in the replies to all queued requests. */
bool connection_settle(struct connection *connection);

/* Read the next rows*width bytes of the reply. */
bool connection_receive(struct connection *connection, const struct host_rows *into);

/* Read the next `length` bytes of the reply as text that a kernel printed. */
bool connection_receive_text(struct connection *connection, size_t length);

/* A request's status: keep the first that ended a kernel. */
void connection_note(struct connection *connection, enum sim_status status);

/* The reply contradicts the protocol: say so and drop the connection. Returns false. */
bool connection_malformed(struct connection *connection, const char *what);

/* Hang up, and wait at most five seconds for a device process of ours to finish its files. */
void connection_close(struct connection *connection);

/* Close the descriptor and forget the device: for the child after fork(). */
void connection_abandon(struct connection *connection);

#endif
