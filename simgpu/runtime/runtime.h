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

/* The same function under another name. */
#define ALIAS(other, name) extern __typeof__(name) other __attribute__((alias(#name)))

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

/* Leave a call that was entered as one that queues, but waited for earlier work by a request of its own: in
 * one exchange, where CALL_SYNCHRONISES on entry takes two. */
cudaError_t context_leave_as(enum call call, cudaError_t error);

/* The lock alone, for what needs no device. */
void context_lock(void);
void context_unlock(void);

const struct sim_device_info *context_device(void);

/* Wait for all queued work. A fault is not told yet. */
cudaError_t context_wait(void);

/* What is known without waiting: the modelled device time so far, */
uint64_t context_clock_ns(void);

void context_rewind(uint64_t clock_ns); /* what was done since then takes no time */

/* The program itself has nothing where device memory lies. */
bool context_addresses_reserved(void);

/* and whether a kernel has failed: work that is queued then is dropped, here or by the device. */
bool context_faulted(void);

/* One exchange. The first form maps the reply's status and takes a reply of exactly reply_size bytes; the
 * second leaves the reply to the caller, who reads all of it; the third waits for none, and is for what the
 * device cannot refuse. A failed connection gives cudaErrorDevicesUnavailable for good. */
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

/* Keep `length` bytes of a reply as text for the next synchronising call to print. */
cudaError_t context_receive_text(size_t length);

/* The error for work that ended so; a fault is kept for the call that synchronises. */
cudaError_t context_outcome(enum sim_status status);

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

/* Its name; NULL: that is no variable's shadow. */
const char *registry_variable_name(const void *symbol);

/* The device has unloaded all modules. */
void registry_forget(void);

/* memory.c */

/* True of every address that cudaMalloc can return and that the program has no memory at. */
bool memory_on_device(const void *address);
bool memory_pinned(const void *address);
bool memory_device_reaches(const void *address); /* as a copy does: on the device, pinned or managed */

/* Device memory; size 0 gives NULL, which may be released. */
cudaError_t memory_allocate(void **address, size_t size);
cudaError_t memory_release(void *address);

/* The rows lie in an allocation, for certain: the device has no reason to refuse them. */
bool memory_holds(const void *address, size_t width, size_t rows, size_t pitch);

/* The device has freed all memory. */
void memory_forget(void);

/* pool.c */

/* From the pool, or from the device's current one when it is NULL. */
cudaError_t pool_allocate(void **address, size_t size, cudaMemPool_t pool);

/* The memory there is no longer any pool's. As on an H200, a pool counts what cudaFree() took back as used
 * for ever: only cudaFreeAsync() gives it back, before it releases the memory. */
void pool_give_back(const void *address);
void pool_released(const void *address);

/* The device has freed all memory. */
void pool_forget(void);
void device_forget(void);

/* managed.c: memory that the program and its kernels reach at one address */

enum managed_kind { MANAGED_NOT, MANAGED_MEMORY, MANAGED_PINNED };

enum managed_kind managed_kind(const void *address);
bool managed_holds(const void *address, size_t size);
cudaError_t managed_allocate(void **address, size_t size, enum managed_kind kind);
cudaError_t managed_release(void *address, enum managed_kind kind);

/* Kernels have to be waited for. */
bool managed_exists(void);

/* Before and after every kernel. */
cudaError_t managed_send(void);
cudaError_t managed_fetch(void);

/* The device has freed all memory. */
void managed_forget(void);

/* copy.c */

/* `slices` times `rows` rows of `width` bytes; pitches and slice sizes in bytes. */
struct copy {
  void *target;
  size_t target_pitch, target_slice;
  const void *source;
  size_t source_pitch, source_slice;
  size_t width, rows, slices;
  enum cudaMemcpyKind kind;
};

/* `rows` rows of `width` bytes, `pitch` bytes apart, of elements of 1, 2 or 4 bytes. */
struct fill {
  void *target;
  size_t pitch, width, rows;
  uint32_t value, value_size;
};

struct copy copy_plain(void *target, const void *source, size_t size, enum cudaMemcpyKind kind);

/* What is wrong with the arguments, if anything; and the copy itself, checked too. */
cudaError_t copy_check(const struct copy *copy);
cudaError_t copy_run(const struct copy *copy);
cudaError_t copy_fill(const struct fill *fill);

/* The copy that a box describes; arrays are not supported. */
cudaError_t copy_from_box(const struct cudaMemcpy3DParms *box, struct copy *copy);

/* The device memory of `size` bytes at `offset` in the variable. */
cudaError_t copy_symbol(const void *symbol, size_t offset, size_t size, void **address);

cudaError_t copy_to_device(void *device, const void *host, size_t size);
cudaError_t copy_from_device(void *host, const void *device, size_t size);

/* explain.c: one line on standard error about what was refused with cudaErrorInvalidValue */
void explain_copy(const struct copy *copy);
void explain_fill(const struct fill *fill);
void explain_symbol(const char *name, uint64_t bytes, size_t offset, size_t size);

/* launch.c */

struct launch {
  struct kernel *kernel;
  dim3 grid, block;
  size_t shared;
  uint32_t flags;
  char *params; /* info.param_bytes of them */
};

/* Gather the arguments into launch->params. */
cudaError_t launch_pack(const struct launch *launch, void **arguments);

/* What the device would refuse, before it is asked. */
cudaError_t launch_check(const struct launch *launch);
cudaError_t launch_run(const struct launch *launch);

/* trespass.c */

/* From now on a host access to device memory is told before it ends the program, unless that handles SIGSEGV.
 */
void trespass_watch(void);

/* work.c: what a stream can be asked to do */

struct work {
  enum cudaGraphNodeType type;
  union {
    struct launch launch;
    struct copy copy;
    struct fill fill;
    struct cudaHostNodeParams host;
    cudaEvent_t event;
    cudaGraph_t child; /* its nodes in an order that they can run in */
  };
};

/* Do it now or, while the stream is being captured, make it a node of the graph. */
cudaError_t work_submit(cudaStream_t stream, const struct work *work);

/* Releases the lock around functions of the program. */
cudaError_t work_run(const struct work *work);
cudaError_t work_check(const struct work *work);

/* A copy of its own for *to, which work_drop() frees. */
cudaError_t work_keep(struct work *to, const struct work *from);
void work_drop(struct work *work);

/* capture.c: streams whose work becomes nodes of a graph */

/* Take the work if the stream is being captured: *taken says so. */
cudaError_t capture_take(cudaStream_t stream, const struct work *work, bool *taken);

bool capture_goes_on(unsigned long long id);

/* The error for a caller who asks whether an event of this capture is over; spoils the capture. */
cudaError_t capture_forbids_asking(unsigned long long id);

/* The event is recorded in the capture, if there is one: *taken says so. */
cudaError_t capture_event(cudaStream_t stream, cudaEvent_t event, bool *taken);

void capture_forget_stream(cudaStream_t stream);

/* Calls that a capture under way forbids; they spoil it. */
cudaError_t capture_forbids_unsafe(void);
cudaError_t capture_forbids_waiting(cudaStream_t stream);
cudaError_t capture_forbids_waiting_for_all(void);

/* stream.c */

/* Waits for the legacy stream, and it for this one. */
bool stream_blocking(cudaStream_t stream);

/* cudaStreamSynchronize() as part of another call: not a potentially unsafe one for captures of other
 * streams. Takes the lock itself. */
cudaError_t stream_wait(cudaStream_t stream);

/* event.c */

struct CUevent_st {
  unsigned flags;
  bool recorded;
  uint64_t time_ns;
  unsigned long long capture; /* in which it was recorded last, 0: none */
  size_t node_count;          /* what the capturing stream had come to */
  cudaGraphNode_t *nodes;
};

/* The event now stands for the present moment, or for these nodes of a capture. */
cudaError_t event_record(cudaEvent_t event);
cudaError_t event_capture(cudaEvent_t event, unsigned long long capture, const cudaGraphNode_t *nodes,
                          size_t count);

/* occupancy.c */
unsigned occupancy_blocks(const struct kernel *kernel, unsigned threads, size_t shared_dynamic);

/* device.c */

/* device is 0, the only one, or cudaErrorInvalidDevice. Needs no lock. */
cudaError_t device_check(int device);

#endif
