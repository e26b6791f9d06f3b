/* What the files of the CUDA runtime client share, grouped by file.
 *
 * Every API function that needs the device runs between context_enter() and context_leave(), which hold the
 * one lock of the runtime. Everything below is called with that lock held, unless it says otherwise. */
#ifndef SIMGPU_RUNTIME_H
#define SIMGPU_RUNTIME_H

#include "connection.h"
#include "unsupported.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>

/* With `nvcc --default-stream per-thread` programs call these variants; work runs in issue order, so they are
 * the same functions. */
#define PER_THREAD_STREAM(name, suffix) extern __typeof__(name) name##suffix __attribute__((alias(#name)))

/* error.c */

/* Make a failure the calling thread's last error, and pass it on. Needs no lock. */
cudaError_t error_record(cudaError_t error);

/* context.c: the connection, and the errors that outlive a call */

enum call {
  CALL_QUERIES,      /* needs a device, but works after a kernel's fault */
  CALL_QUEUES,       /* may return before the device is done: does not report a fault of earlier work */
  CALL_SYNCHRONISES, /* waits for earlier work: prints what kernels printed, and reports their fault */
};
cudaError_t context_enter(enum call call);
cudaError_t context_leave(cudaError_t error);

/* The lock alone, for what needs no device. */
void context_lock(void);
void context_unlock(void);

const struct sim_device_info *context_device(void);
uint64_t context_clock_ns(void);        /* modelled device time so far */
void context_rewind(uint64_t clock_ns); /* what was done since then takes no time */

/* The program itself has nothing where device memory lies. */
bool context_addresses_reserved(void);

/* A kernel has failed and the program has not heard of it yet: queued work is dropped. */
bool context_faulted(void);

/* One exchange. The first form maps the reply's status and takes a reply of exactly reply_size bytes; the
 * others leave the reply to the caller, who reads all of it. A failed connection gives
 * cudaErrorDevicesUnavailable for good. */
cudaError_t context_call(enum sim_request type, const void *fixed, size_t size, void *reply,
                         size_t reply_size);
cudaError_t context_request(enum sim_request type, const void *fixed, size_t size,
                            const struct host_rows *data, struct sim_header *reply);
cudaError_t context_receive(void *into, size_t size);
cudaError_t context_receive_rows(const struct host_rows *into);
cudaError_t context_malformed(const char *what);
cudaError_t context_status(enum sim_status status);

/* Keep `length` bytes of a reply as text for the next synchronising call to print. */
cudaError_t context_receive_text(size_t length);

/* Note the fault that ended a kernel. */
void context_fault(enum sim_status status);

/* registry.c: what the program's objects registered before main */

struct kernel {
  struct kernel *next;
  struct module *module;
  const void *host; /* the stub in the program; NULL after its library was closed */
  const char *name;
  bool found; /* the rest is valid */
  struct sim_kernel_info info;
  struct sim_param *params;
  uint32_t shared_dynamic; /* bytes that a launch may ask for */
  int carveout;            /* as set by the program; -1: none */
};

/* The kernel with this stub or handle, known to the device. */
cudaError_t registry_kernel(const void *function, struct kernel **kernel);
unsigned registry_kernel_arch(const struct kernel *kernel);

/* Where the variable with this host shadow lies in device memory. */
cudaError_t registry_symbol(const void *symbol, struct sim_range *range);

/* The device has unloaded all modules. */
void registry_forget(void);

/* memory.c */

/* True of every address that cudaMalloc can return and that the program has no memory at. */
bool memory_on_device(const void *address);
bool memory_pinned(const void *address);

/* Device memory; size 0 gives NULL, which may be released. */
cudaError_t memory_allocate(void **address, size_t size);
cudaError_t memory_release(void *address);

/* managed.c: memory that the program and its kernels reach at one address */

enum managed_kind { MANAGED_NOT, MANAGED_MEMORY, MANAGED_PINNED };

enum managed_kind managed_kind(const void *address);
bool managed_holds(const void *address, size_t size);
cudaError_t managed_allocate(void **address, size_t size, enum managed_kind kind);
cudaError_t managed_release(void *address, enum managed_kind kind);

/* Before and after every kernel. */
cudaError_t managed_send(void);
cudaError_t managed_fetch(void);

/* The device has freed all memory. */
void managed_forget(void);

/* copy.c */
cudaError_t copy_to_device(void *device, const void *host, size_t size);
cudaError_t copy_from_device(void *host, const void *device, size_t size);

/* occupancy.c */
unsigned occupancy_blocks(const struct kernel *kernel, unsigned threads, size_t shared_dynamic);

/* device.c */

/* device is 0, the only one, or cudaErrorInvalidDevice. Needs no lock. */
cudaError_t device_check(int device);

#endif
