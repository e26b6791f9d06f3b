/* The client's end of the socket to the simulated device (protocol.h). The client waits for the reply to a
 * request, or queues the request and reads its reply later; replies come in the order of the requests.
 *
 * Not thread-safe: the caller serialises. A connection that fails reports it once, in one line on standard
 * error; from then on every call on it returns false. */
#pragma once

#include "../protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CONNECTION_QUEUE = 1024, CONNECTION_INBOX = 16384 };

struct connection {
  int socket;   /* -1: none */
  pid_t device; /* the device process if the client started it, else 0 */

  /* from the replies read so far */
  uint64_t clock_ns;     /* modelled device time: the sum of their time_ns */
  enum sim_status fault; /* the first one that ended a kernel, or SIM_OK */
  char *text;            /* printed by kernels; the owner prints it and sets the length to 0 */
  size_t text_length, text_room;

  /* queued requests without a reply yet, as a ring, and the beginning of their replies */
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

/* Finds or starts the device, greets it, and stores its description in *info. */
bool connection_open(struct connection *connection, struct sim_device_info *info);

extern const char device_path[]; /* of the device process, unless SIMGPU_DEVICE names another one */

/* Sends the fixed part and the data (either may be NULL), reads the replies to all queued requests, and waits
 * for the header of this one's reply. */
bool connection_request(struct connection *connection, enum sim_request type, const void *fixed, size_t size,
                        const struct host_rows *data, struct sim_header *reply);

/* Sends without waiting for the reply. The device must not be able to refuse the request, and its reply may
 * carry no data except a launch's text. */
bool connection_queue(struct connection *connection, enum sim_request type, const void *fixed, size_t size,
                      const struct host_rows *data);

/* Reads the replies to all queued requests. */
bool connection_settle(struct connection *connection);

/* Reads the next rows*width bytes of the reply. */
bool connection_receive(struct connection *connection, const struct host_rows *into);

/* Reads the next `length` bytes of the reply as text that a kernel printed. */
bool connection_receive_text(struct connection *connection, size_t length);

/* Records a request's status, and keeps the first one that ended a kernel. */
void connection_note(struct connection *connection, enum sim_status status);

/* Reports that the reply contradicts the protocol, and drops the connection. Returns false. */
bool connection_malformed(struct connection *connection, const char *what);

/* Closes the connection, and waits at most five seconds for our device process to finish its files. */
void connection_close(struct connection *connection);

/* For the child after fork(): closes the descriptor and forgets the device. */
void connection_abandon(struct connection *connection);
