/* The one CUDA context: the lock, the connection, and the errors that outlive a call.
 *
 * Every API function that needs the device runs between context_enter() and context_leave(), which hold the one lock of
 * the runtime. All functions of this folder are called with that lock held, unless they say otherwise. */
#pragma once

#include "connection.h"

#include <driver_types.h>
#include <stdbool.h>

enum context_use {
  CONTEXT_DESCRIBES,    /* like CONTEXT_QUERIES, and permitted in host functions */
  CONTEXT_QUERIES,      /* needs a device, but works even after a kernel's fault */
  CONTEXT_QUEUES,       /* may return before the device is done: does not report a fault of earlier work */
  CONTEXT_SYNCHRONISES, /* waits for earlier work: prints what kernels printed, and reports their fault */
};
cudaError_t context_enter(enum context_use use);

/* Releases the lock and makes a failure the thread's last error. Returns `error`. */
cudaError_t context_leave(cudaError_t error);

/* Leaves a call that was entered with CONTEXT_QUEUES but has already waited for earlier work through a
 * request of its own. This takes one exchange; CONTEXT_SYNCHRONISES on entry takes two. */
cudaError_t context_leave_as(enum context_use use, cudaError_t error);

/* Calls a host function of a stream, outside the lock. Calls to the runtime in it get cudaErrorNotPermitted, except
 * those that an H200 permits; the thread's last error stays as it was. */
void context_call_host(void (*function)(void *), void *data);
bool context_in_host_function(void);

/* From now on, at the beginning and at the end of each call, with the lock held. */
void context_watch_calls(void (*begin)(void), void (*end)(void));

/* The lock alone, for calls that need no device. */
void context_lock(void);
void context_unlock(void);

const struct sim_device_info *context_device(void);

/* Waits for all queued work. Does not report a fault yet. */
cudaError_t context_wait(void);

/* Modelled device time so far, nanoseconds. Does not wait. */
uint64_t context_clock_ns(void);

/* Sets the clock back: work done since then takes no time. */
void context_rewind(uint64_t clock_ns);

/* True if the program itself has no memory at the addresses of device memory. */
bool context_addresses_reserved(void);

/* True if a kernel has failed: later work is dropped, here or by the device. */
bool context_faulted(void);

/* For cudaDeviceReset(): if `error` is a kernel's fault, makes the device unavailable to this process
 * and returns true. */
bool context_give_up(cudaError_t error);

/* One exchange with the device. context_call() maps the reply's status and takes a reply of exactly
 * reply_size bytes. context_request() leaves the reply to the caller, who must read all of it.
 * context_queue() does not wait, and is for requests that the device cannot refuse. If the connection fails,
 * these and all later calls return cudaErrorDevicesUnavailable. */
cudaError_t context_call(enum sim_request type, const void *fixed, size_t size, void *reply,
                         size_t reply_size);
cudaError_t context_request(enum sim_request type, const void *fixed, size_t size,
                            const struct host_rows *data, struct sim_header *reply);
cudaError_t context_queue(enum sim_request type, const void *fixed, size_t size,
                          const struct host_rows *data);
cudaError_t context_receive(void *into, size_t size);
cudaError_t context_receive_rows(const struct host_rows *into);
cudaError_t context_malformed(const char *what);
cudaError_t context_status(enum sim_status status);

/* Keeps `length` bytes of a reply as text; the next synchronising call prints it. */
cudaError_t context_receive_text(size_t length);

/* The error of work that ended with this status. A fault is kept for the next synchronising call. */
cudaError_t context_outcome(enum sim_status status);
