/* Which work the host has waited for. All work runs at once in issue order, but a program may only rely on
 * what streams and events promise. The client follows these promises and reports each wait to the device,
 * which counts them. */
#pragma once

#include "../protocol.h"

#include <driver_types.h>
#include <stdbool.h>

enum progress_kind {
  PROGRESS_WORK, /* kernels, copies and fills */
  PROGRESS_LAUNCHES,
  PROGRESS_COPIES,  /* asynchronous ones to the host; several without a launch between them count once */
  PROGRESS_ORDERED, /* what SIM_ORDERED has numbered */
  PROGRESS_KINDS
};
enum { PROGRESS_SLOTS = SIM_STREAMS };

struct progress_moment { /* the work of each slot's streams that comes before it */
  uint64_t before[PROGRESS_KINDS][PROGRESS_SLOTS];
};

struct progress_stream {
  unsigned slot;                 /* streams with high numbers share them */
  bool blocking;                 /* waits for the legacy stream, and the legacy stream for it */
  struct progress_moment moment; /* at which all its work is done */
};

extern struct progress_stream progress_legacy, progress_per_thread;
struct progress_stream progress_of_new_stream(unsigned long long id, bool blocking);

/* The work that follows belongs to this stream. */
void progress_enter(struct progress_stream *stream);
/* Tells a device that counts which work the launch, copy or fill follows that comes next in the current stream. */
cudaError_t progress_order(void);
bool progress_is_legacy(void); /* the current stream */
/* The device has received work of the current stream. */
void progress_add(enum progress_kind kind);
const struct progress_moment *progress_now(void);
/* Work of the stream comes after this moment. */
void progress_follow(struct progress_stream *stream, const struct progress_moment *moment);
void progress_forget(const struct progress_stream *stream);

/* True if the host has waited for this moment. */
bool progress_is_known(const struct progress_moment *moment);
/* The host waits for this moment: what it knows to be done afterwards. */
struct sim_awaited progress_await(const struct progress_moment *moment);
/* The same, reported to the device if the host learns anything. */
cudaError_t progress_wait(const struct progress_moment *moment);
cudaError_t progress_wait_for_stream(struct progress_stream *stream);
cudaError_t progress_wait_for_copies(const struct progress_stream *stream);
cudaError_t progress_wait_for_all(void);
