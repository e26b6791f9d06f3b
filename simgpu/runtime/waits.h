/* Which work the host has waited for. All work runs at once in issue order, but a program may only rely on what streams
 * and events promise. The client follows these promises and reports each wait to the device, which counts them. */
#pragma once

#include "../protocol.h"

#include <driver_types.h>
#include <stdbool.h>

enum waits_kind {
  WAITS_WORK, /* kernels, copies and fills */
  WAITS_LAUNCHES,
  WAITS_COPIES,  /* asynchronous ones to the host; several without a launch between them count once */
  WAITS_ORDERED, /* what SIM_ORDERED has numbered */
  WAITS_KINDS
};
enum { WAITS_SLOTS = SIM_STREAMS };

struct waits_moment { /* the work of each slot's streams that comes before it */
  uint64_t before[WAITS_KINDS][WAITS_SLOTS];
};

struct waits_stream {
  unsigned slot;              /* streams with high numbers share them */
  bool blocking;              /* waits for the legacy stream, and the legacy stream for it */
  struct waits_moment moment; /* at which all its work is done */
};

extern struct waits_stream waits_legacy, waits_per_thread;
struct waits_stream waits_of_new_stream(unsigned long long id, bool blocking);

/* The work that follows belongs to this stream. */
void waits_enter(struct waits_stream *stream);
/* Tells a device that counts which work the launch, copy or fill follows that comes next in the current stream. */
cudaError_t waits_order(void);
bool waits_is_legacy(void); /* the current stream */
/* The device has received work of the current stream. */
void waits_add(enum waits_kind kind);
const struct waits_moment *waits_now(void);
struct waits_stream *waits_current(void);
/* Work of the stream comes after this moment. */
void waits_follow(struct waits_stream *stream, const struct waits_moment *moment);
void waits_forget(const struct waits_stream *stream);

/* True if the host has waited for this moment. */
bool waits_is_known(const struct waits_moment *moment);
/* The host waits for this moment: what it knows to be done afterwards. */
struct sim_awaited waits_await(const struct waits_moment *moment);
/* The same, reported to the device if the host learns anything. */
cudaError_t waits_for(const struct waits_moment *moment);
cudaError_t waits_for_stream(struct waits_stream *stream);
cudaError_t waits_for_copies(const struct waits_stream *stream);
cudaError_t waits_for_all(void);
