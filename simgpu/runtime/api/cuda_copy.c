/* Copies and fills: between host and device, in rows, and to and from symbols. */
#include "submit.h"

#include "../address.h"
#include "../capture.h"
#include "../devices.h"
#include "../registry.h"

/* The host waits for an asynchronous copy, too, if its memory is pageable. */
static cudaError_t submit(enum context_use use, cudaStream_t stream, struct work *work) {
  work->copy.host_waits = use == CONTEXT_SYNCHRONISES ||
                          !(address_pinned(work->copy.target) || address_shared(work->copy.source));
  work->copy.reads_later = use != CONTEXT_SYNCHRONISES && address_pinned(work->copy.source);
  return capture_or_run(stream, work);
}

cudaError_t submit_copy(enum context_use use, cudaStream_t stream, struct work_copy copy) {
  struct work work = {.type = cudaGraphNodeTypeMemcpy, .copy = copy};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave_as(use, error ? error : submit(use, stream, &work));
}

cudaError_t cudaMemcpy(void *target, const void *source, size_t size, enum cudaMemcpyKind kind) {
  return submit_copy(CONTEXT_SYNCHRONISES, NULL, work_copy_plain(target, source, size, kind));
}

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return submit_copy(CONTEXT_QUEUES, stream, work_copy_plain(target, source, size, kind));
}

cudaError_t cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
  return submit_copy(CONTEXT_SYNCHRONISES, NULL,
                     work_copy_rows(target, target_pitch, source, source_pitch, width, height, kind));
}

cudaError_t cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return submit_copy(CONTEXT_QUEUES, stream,
                     work_copy_rows(target, target_pitch, source, source_pitch, width, height, kind));
}

cudaError_t cudaMemcpyPeer(void *target, int target_device, const void *source, int source_device,
                           size_t size) {
  if (device_check(target_device) || device_check(source_device))
    return last_error_record(cudaErrorInvalidDevice);
  return cudaMemcpy(target, source, size, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *target, int target_device, const void *source, int source_device,
                                size_t size, cudaStream_t stream) {
  if (device_check(target_device) || device_check(source_device))
    return last_error_record(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(target, source, size, cudaMemcpyDeviceToDevice, stream);
}

static cudaError_t submit_box(enum context_use use, cudaStream_t stream,
                              const struct cudaMemcpy3DParms *box) {
  struct work work = {.type = cudaGraphNodeTypeMemcpy};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = work_copy_from_box(box, &work.copy);
  if (!error)
    error = submit(use, stream, &work);
  return context_leave_as(use, error);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *box) {
  return submit_box(CONTEXT_SYNCHRONISES, NULL, box);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *box, cudaStream_t stream) {
  return submit_box(CONTEXT_QUEUES, stream, box);
}

/* Devices share their memory, so a copy between two of them is any copy. */
static struct cudaMemcpy3DParms peer_box(const struct cudaMemcpy3DPeerParms *p) {
  return (struct cudaMemcpy3DParms){.srcArray = p->srcArray,
                                    .srcPos = p->srcPos,
                                    .srcPtr = p->srcPtr,
                                    .dstArray = p->dstArray,
                                    .dstPos = p->dstPos,
                                    .dstPtr = p->dstPtr,
                                    .extent = p->extent,
                                    .kind = cudaMemcpyDefault};
}

static cudaError_t submit_peer(enum context_use use, cudaStream_t stream,
                               const struct cudaMemcpy3DPeerParms *params) {
  if (!params)
    return last_error_record(cudaErrorInvalidValue);
  if (device_check(params->dstDevice) || device_check(params->srcDevice))
    return last_error_record(cudaErrorInvalidDevice);
  const struct cudaMemcpy3DParms box = peer_box(params);
  return submit_box(use, stream, &box);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *params) {
  return submit_peer(CONTEXT_SYNCHRONISES, NULL, params);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *params, cudaStream_t stream) {
  return submit_peer(CONTEXT_QUEUES, stream, params);
}

#if CUDART_VERSION >= 13000
/* The attributes are hints about places and the order of reads: each copy here reads its source when its turn comes. */
cudaError_t cudaMemcpyBatchAsync(void *const *targets, const void *const *sources, const size_t *sizes,
                                 size_t count, struct cudaMemcpyAttributes *attributes, size_t *starts,
                                 size_t number, cudaStream_t stream) {
  const bool is_valid =
      targets && sources && sizes && count && attributes && starts && number && number <= count && !starts[0];
  cudaError_t error = is_valid ? cudaSuccess : cudaErrorInvalidValue;
  for (size_t i = 0; i < number && !error; i++)
    if (attributes[i].srcAccessOrder <= cudaMemcpySrcAccessOrderInvalid ||
        attributes[i].srcAccessOrder > cudaMemcpySrcAccessOrderAny || starts[i] >= count ||
        (i && starts[i] <= starts[i - 1]))
      error = cudaErrorInvalidValue;
  for (size_t i = 0; i < count && !error; i++)
    error = cudaMemcpyAsync(targets[i], sources[i], sizes[i], cudaMemcpyDefault, stream);
  return last_error_record(error);
}
#endif

static cudaError_t to_symbol(enum context_use use, cudaStream_t stream, const void *symbol,
                             const void *source, size_t size, size_t offset, enum cudaMemcpyKind kind) {
  struct work work = {.type = cudaGraphNodeTypeMemcpy, .copy = work_copy_plain(NULL, source, size, kind)};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost))
    error = cudaErrorInvalidMemcpyDirection;
  if (!error)
    error = work_copy_symbol(symbol, offset, size, &work.copy.target);
  if (!error)
    error = submit(use, stream, &work);
  return context_leave_as(use, error);
}

static cudaError_t from_symbol(enum context_use use, cudaStream_t stream, void *target, const void *symbol,
                               size_t size, size_t offset, enum cudaMemcpyKind kind) {
  struct work work = {.type = cudaGraphNodeTypeMemcpy};
  void *source = NULL;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice))
    error = cudaErrorInvalidMemcpyDirection;
  if (!error)
    error = work_copy_symbol(symbol, offset, size, &source);
  work.copy = work_copy_plain(target, source, size, kind);
  if (!error)
    error = submit(use, stream, &work);
  return context_leave_as(use, error);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t size, size_t offset,
                               enum cudaMemcpyKind kind) {
  return to_symbol(CONTEXT_SYNCHRONISES, NULL, symbol, source, size, offset, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return to_symbol(CONTEXT_QUEUES, stream, symbol, source, size, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind) {
  return from_symbol(CONTEXT_SYNCHRONISES, NULL, target, symbol, size, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return from_symbol(CONTEXT_QUEUES, stream, target, symbol, size, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !address)
    error = cudaErrorInvalidValue;
  if (!error)
    error = work_copy_symbol(symbol, 0, 0, address);
  return context_leave(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  struct sim_range range;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !size)
    error = cudaErrorInvalidValue;
  if (!error)
    error = registry_find_variable(symbol, &range);
  if (!error)
    *size = range.size;
  return context_leave(error);
}

/* As on hardware, a fill does not wait for the device. */
cudaError_t cudaMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  struct work work = {.type = cudaGraphNodeTypeMemset,
                      .fill = {target, pitch, width, height, (unsigned char)value, 1}};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_or_run(stream, &work);
  return context_leave(error);
}

cudaError_t cudaMemset2D(void *target, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(target, pitch, value, width, height, NULL);
}

cudaError_t cudaMemsetAsync(void *target, int value, size_t size, cudaStream_t stream) {
  return cudaMemset2DAsync(target, size, value, size, 1, stream);
}

cudaError_t cudaMemset(void *target, int value, size_t size) {
  return cudaMemsetAsync(target, value, size, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr target, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (size_t slice = 0; slice < extent.depth && !error; slice++)
    error = cudaMemset2DAsync((char *)target.ptr + slice * target.ysize * target.pitch, target.pitch, value,
                              extent.width, extent.height, stream);
  return error;
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr target, int value, struct cudaExtent extent) {
  return cudaMemset3DAsync(target, value, extent, NULL);
}
