#include "runtime/transfer.h"

#include "allocation.h"
#include "context.h"
#include "pinned.h"
#include "runtime/waits.h"

/* A copy for which the host waits needs no more order in the legacy stream: what it leaves
 * out is unawaited_launches. */
static cudaError_t order_copy(uint32_t flags) {
  return flags & SIM_ROWS_MANAGED || (!(flags & SIM_ROWS_ASYNCHRONOUS) && waits_is_legacy()) ? cudaSuccess
                                                                                             : waits_order();
}

cudaError_t transfer_to_device(const struct transfer *t, uint32_t flags) {
  struct sim_rows rows = {(uintptr_t)t->target, t->width, t->rows, t->target_pitch, flags, 0};
  struct host_rows data = {(void *)t->source, t->width, t->rows, t->source_pitch};
  struct sim_header reply;
  cudaError_t error = order_copy(flags);
  if (error)
    return error;
  if (!(flags & SIM_ROWS_MANAGED))
    waits_add(WAITS_WORK);
  if (allocation_holds(t->target, t->width, t->rows, t->target_pitch))
    return context_queue(SIM_WRITE, &rows, sizeof rows, &data);
  error = context_request(SIM_WRITE, &rows, sizeof rows, &data, &reply);
  if (!error && reply.length)
    return context_malformed("length");
  return error ? error : context_outcome(reply.status);
}

/* What the host knows to be done after the read. */
static struct sim_awaited awaited_by(uint32_t flags) {
  if (flags & SIM_ROWS_MANAGED)
    return (struct sim_awaited){0, 0, 0};
  waits_add(flags & SIM_ROWS_ASYNCHRONOUS ? WAITS_COPIES : WAITS_WORK);
  return flags & SIM_ROWS_ASYNCHRONOUS ? (struct sim_awaited){0, 0, 0} : waits_await(waits_now());
}

cudaError_t transfer_from_device(const struct transfer *t, uint32_t flags) {
  cudaError_t error = order_copy(flags);
  if (error)
    return error;
  struct sim_read read = {.rows = {(uintptr_t)t->source, t->width, t->rows, t->source_pitch, flags, 0},
                          .awaited = awaited_by(flags)};
  struct host_rows into = {t->target, t->width, t->rows, t->target_pitch};
  struct sim_header reply;
  error = context_request(SIM_READ, &read, sizeof read, NULL, &reply);
  if (error || reply.status)
    return error ? error : context_outcome(reply.status);
  if (reply.length != t->width * t->rows)
    return context_malformed("length");
  return context_receive_rows(&into);
}

/* Whether one allocation, or pinned memory that the device reaches, holds all rows. */
static bool holds(const void *address, size_t width, size_t rows, size_t pitch) {
  size_t span;
  if (!pinned_reached(address))
    return allocation_holds(address, width, rows, pitch);
  return !__builtin_mul_overflow(rows - 1, pitch, &span) && !__builtin_add_overflow(span, width, &span) &&
         pinned_holds(address, span);
}

cudaError_t transfer_on_device(const struct transfer *t) {
  struct sim_copy request = {(uintptr_t)t->target, t->target_pitch, (uintptr_t)t->source,
                             t->source_pitch,      t->width,        t->rows};
  const cudaError_t error = waits_order();
  if (error)
    return error;
  waits_add(WAITS_WORK);
  if (holds(t->target, t->width, t->rows, t->target_pitch) &&
      holds(t->source, t->width, t->rows, t->source_pitch))
    return context_queue(SIM_COPY, &request, sizeof request, NULL);
  return context_call(SIM_COPY, &request, sizeof request, NULL, 0);
}

cudaError_t transfer_fill(const struct sim_rows *request) {
  const void *target = (const void *)request->address;
  const cudaError_t error = waits_order();
  if (error)
    return error;
  waits_add(WAITS_WORK);
  if (allocation_holds(target, request->width, request->rows, request->pitch) &&
      request->width % request->value_size == 0)
    return context_queue(SIM_SET, request, sizeof *request, NULL);
  return context_call(SIM_SET, request, sizeof *request, NULL, 0);
}
