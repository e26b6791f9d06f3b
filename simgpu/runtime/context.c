/* The launch of a kernel does not report its fault. The next call that waits for the kernel does, and so does
 * every later call that uses the device: the fault is first the connection's, then `sticky`. Measured on an
 * H200 with driver 580: cudaGetLastError() still clears the error, and after cudaDeviceReset() the device is
 * unavailable to this process. */
#define _GNU_SOURCE
#include "context.h"

#include "devices.h"
#include "runtime/last_error.h"
#include "trespass.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct {
  pthread_mutex_t lock;
  bool attempted, opened, reserved;
  struct connection connection;
  struct sim_device_info device;
  cudaError_t sticky;
  void (*begin)(void), (*end)(void); /* of each call */
} context = {.lock = PTHREAD_MUTEX_INITIALIZER, .connection.socket = -1};

void context_lock(void) { pthread_mutex_lock(&context.lock); }

void context_unlock(void) { pthread_mutex_unlock(&context.lock); }

/* As on hardware, a child of fork() cannot use its parent's device. */
static void after_fork_in_child(void) {
  connection_abandon(&context.connection);
  context.sticky = cudaErrorInitializationError;
  context_unlock();
}

/* Keeps the host from ever owning a device address, so that the program faults if it dereferences a device
 * pointer. If a sanitizer or an address-space limit prevents this, managed memory is not available either. */
static void reserve_device_addresses(void) {
  void *first = (void *)SIM_ADDRESS_FIRST;
  context.reserved = mmap(first, SIM_ADDRESS_LAST - SIM_ADDRESS_FIRST, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == first;
}

static void open_device(void) {
  context.attempted = true;
  context.opened = device_count_read() && connection_open(&context.connection, &context.device);
  if (!context.opened) {
    context.sticky = cudaErrorInitializationError;
    return;
  }
  reserve_device_addresses();
  if (context.reserved)
    trespass_watch();
  pthread_atfork(context_lock, context_unlock, after_fork_in_child);
}

/* Nothing is lost here. On an H200 24,000 to 77,000 of 128,000 lines arrived, however long they were. */
static void count_lines(const char *text, size_t length) {
  enum { MANY = 20000 };
  static bool has_told;
  size_t lines = 0;
  for (size_t n = 0; n < length && !has_told; n++)
    lines += text[n] == '\n';
  if (lines <= MANY)
    return;
  has_told = true;
  fprintf(stderr,
          "simgpu: kernels have printed %zu lines before the host waited: the buffer of a GPU "
          "(cudaLimitPrintfFifoSize) loses some of so many\n",
          lines);
}

static void print_text(void) {
  count_lines(context.connection.text, context.connection.text_length);
  if (context.connection.text_length)
    fwrite(context.connection.text, 1, context.connection.text_length, stdout);
  context.connection.text_length = 0;
}

/* The connection has failed and has already reported why. */
static cudaError_t lost(void) {
  context.sticky = cudaErrorDevicesUnavailable;
  return context.sticky;
}

cudaError_t context_wait(void) { return connection_settle(&context.connection) ? cudaSuccess : lost(); }

static cudaError_t synchronise(void) {
  context_wait();
  print_text();
  if (context_faulted() && !context.sticky)
    context.sticky = context_status(context.connection.fault);
  return context.sticky;
}

static _Thread_local bool in_host_function;

bool context_in_host_function(void) { return in_host_function; }

void context_call_host(void (*function)(void *), void *data) {
  KEEP_LAST_ERROR;
  context_unlock();
  in_host_function = true;
  function(data);
  in_host_function = false;
  context_lock();
}

cudaError_t context_enter(enum context_use use) {
  context_lock();
  if (in_host_function && use != CONTEXT_DESCRIBES)
    return cudaErrorNotPermitted;
  if (!context.attempted)
    open_device();
  if (context.begin)
    context.begin();
  if (use <= CONTEXT_QUERIES && context.opened)
    return cudaSuccess;
  return use == CONTEXT_SYNCHRONISES ? synchronise() : context.sticky;
}

cudaError_t context_leave(cudaError_t error) {
  if (context.end)
    context.end();
  context_unlock();
  return last_error_record(error);
}

cudaError_t context_leave_as(enum context_use use, cudaError_t error) {
  cudaError_t earlier = use == CONTEXT_SYNCHRONISES ? synchronise() : cudaSuccess;
  return context_leave(earlier ? earlier : error);
}

void context_watch_calls(void (*begin)(void), void (*end)(void)) {
  context.begin = begin;
  context.end = end;
}

const struct sim_device_info *context_device(void) { return &context.device; }

uint64_t context_clock_ns(void) { return context.connection.clock_ns; }

void context_rewind(uint64_t clock_ns) { context.connection.clock_ns = clock_ns; }

bool context_addresses_reserved(void) { return context.reserved; }

bool context_faulted(void) { return context.connection.fault != SIM_OK; }

cudaError_t context_status(enum sim_status status) {
  static const cudaError_t errors[SIM_STATUSES] = {
      [SIM_OK] = cudaSuccess,
      [SIM_OUT_OF_MEMORY] = cudaErrorMemoryAllocation,
      [SIM_INVALID_VALUE] = cudaErrorInvalidValue,
      [SIM_NOT_FOUND] = cudaErrorInvalidValue,
      [SIM_BAD_PTX] = cudaErrorInvalidPtx,
      /* CUDA 13 on an H200 gives this error for every launch beyond the limits */
      [SIM_INVALID_LAUNCH] = cudaErrorInvalidValue,
      [SIM_TOO_MANY_RESOURCES] = cudaErrorInvalidValue,
      [SIM_INVALID_CLUSTER] = cudaErrorInvalidClusterSize,
      [SIM_OUT_OF_REGISTERS] = cudaErrorLaunchOutOfResources,
      [SIM_TOO_MANY_TOGETHER] = cudaErrorCooperativeLaunchTooLarge,
      [SIM_NOT_PERMITTED] = cudaErrorNotSupported,
      [SIM_FAILED_ON_REQUEST] = cudaErrorUnknown,
      [SIM_FAULT_ADDRESS] = cudaErrorIllegalAddress,
      [SIM_FAULT_MISALIGNED] = cudaErrorMisalignedAddress,
      [SIM_FAULT_INSTRUCTION] = cudaErrorIllegalInstruction,
      [SIM_FAULT_TRAP] = cudaErrorLaunchFailure,
      [SIM_FAULT_ASSERT] = cudaErrorAssert,
      [SIM_FAULT_LAUNCH] = cudaErrorLaunchFailure,
      [SIM_FAULT_NO_PROGRESS] = cudaErrorLaunchTimeout,
  };
  return errors[status];
}

cudaError_t context_outcome(enum sim_status status) {
  connection_note(&context.connection, status);
  return status < SIM_FAULT_ADDRESS ? context_status(status) : cudaSuccess;
}

bool context_give_up(cudaError_t error) {
  if (!error || !context_faulted() || error != context_status(context.connection.fault))
    return false;
  context.sticky = cudaErrorDevicesUnavailable;
  return true;
}

cudaError_t context_malformed(const char *what) {
  connection_malformed(&context.connection, what);
  return lost();
}

cudaError_t context_request(enum sim_request type, const void *fixed, size_t size,
                            const struct host_rows *data, struct sim_header *reply) {
  if (!connection_request(&context.connection, type, fixed, size, data, reply))
    return lost();
  /* only the failure of a launch may carry data */
  if (reply->status != SIM_OK && reply->length && type != SIM_LAUNCH)
    return context_malformed("failure with data");
  return cudaSuccess;
}

/* Whether the device may let it fail: sim_device_info.answered. */
static bool is_answered(enum sim_request type) {
  static uint32_t count;
  const bool may_fail = type == SIM_WRITE || type == SIM_COPY || type == SIM_SET || type == SIM_LAUNCH;
  return may_fail && count < context.device.answered && ++count;
}

cudaError_t context_queue(enum sim_request type, const void *fixed, size_t size,
                          const struct host_rows *data) {
  struct sim_header reply;
  if (is_answered(type)) {
    cudaError_t error = context_request(type, fixed, size, data, &reply);
    if (!error && reply.length)
      error = context_receive_text(reply.length);
    return error ? error : context_outcome(reply.status);
  }
  return connection_queue(&context.connection, type, fixed, size, data) ? cudaSuccess : lost();
}

cudaError_t context_receive_rows(const struct host_rows *into) {
  return connection_receive(&context.connection, into) ? cudaSuccess : lost();
}

cudaError_t context_receive(void *into, size_t size) {
  return context_receive_rows(&(struct host_rows){into, size, 1, size});
}

cudaError_t context_call(enum sim_request type, const void *fixed, size_t size, void *reply,
                         size_t reply_size) {
  struct sim_header header;
  cudaError_t error = context_request(type, fixed, size, NULL, &header);
  if (error || header.status)
    return error ? error : reply ? context_status(header.status) : context_outcome(header.status);
  if (header.length != reply_size)
    return context_malformed("length");
  return context_receive(reply, reply_size);
}

cudaError_t context_receive_text(size_t length) {
  return connection_receive_text(&context.connection, length) ? cudaSuccess : lost();
}

/* Runs after the program's own exit handlers and destructors, and lets queued work finish. If a thread that
 * waits for the device still holds the lock, the end of the process closes the socket. */
__attribute__((destructor)) static void close_device(void) {
  if (pthread_mutex_trylock(&context.lock))
    return;
  if (context.begin)
    context.begin();
  connection_settle(&context.connection);
  print_text();
  connection_close(&context.connection);
  context.sticky = cudaErrorCudartUnloading;
  context_unlock();
}
