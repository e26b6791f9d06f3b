/* Copies and fills: between host and device, in rows, to and from symbols. */
#include "runtime.h"

#include <string.h>

struct copy copy_plain(void *target, const void *source, size_t size, enum cudaMemcpyKind kind) {
  return (struct copy){target, size, size, source, size, size, size, 1, 1, kind};
}

static struct copy copy_rows(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                             size_t width, size_t rows, enum cudaMemcpyKind kind) {
  return (struct copy){target, target_pitch, 0, source, source_pitch, 0, width, rows, 1, kind};
}

/* The direction may call memory that the device can reach "host", but not the other way round: so on an H200.
 */
static bool direction_holds(const struct copy *copy) {
  bool to = memory_device_reaches(copy->target), from = memory_device_reaches(copy->source);
  switch (copy->kind) {
  case cudaMemcpyHostToDevice:
    return to;
  case cudaMemcpyDeviceToHost:
    return from;
  case cudaMemcpyDeviceToDevice:
    return to && from;
  default:
    return true;
  }
}

static cudaError_t write_device(const struct copy *copy) {
  struct sim_rows rows = {
      (uintptr_t)copy->target, copy->width, copy->rows, copy->target_pitch, memory_pinned(copy->source), 0};
  struct host_rows data = {(void *)copy->source, copy->width, copy->rows, copy->source_pitch};
  struct sim_header reply;
  if (memory_holds(copy->target, copy->width, copy->rows, copy->target_pitch))
    return context_queue(SIM_WRITE, &rows, sizeof rows, &data);
  cudaError_t error = context_request(SIM_WRITE, &rows, sizeof rows, &data, &reply);
  if (!error && reply.length)
    return context_malformed("length");
  return error ? error : context_outcome(reply.status);
}

static cudaError_t read_device(const struct copy *copy) {
  struct sim_rows rows = {
      (uintptr_t)copy->source, copy->width, copy->rows, copy->source_pitch, memory_pinned(copy->target), 0};
  struct host_rows into = {copy->target, copy->width, copy->rows, copy->target_pitch};
  struct sim_header reply;
  cudaError_t error = context_request(SIM_READ, &rows, sizeof rows, NULL, &reply);
  if (error || reply.status)
    return error ? error : context_outcome(reply.status);
  if (reply.length != copy->width * copy->rows)
    return context_malformed("length");
  return context_receive_rows(&into);
}

cudaError_t copy_to_device(void *device, const void *host, size_t size) {
  struct copy copy = copy_plain(device, host, size, cudaMemcpyHostToDevice);
  return write_device(&copy);
}

cudaError_t copy_from_device(void *host, const void *device, size_t size) {
  struct copy copy = copy_plain(host, device, size, cudaMemcpyDeviceToHost);
  return read_device(&copy);
}

static cudaError_t copy_on_device(const struct copy *copy) {
  struct sim_copy request = {(uintptr_t)copy->target, copy->target_pitch, (uintptr_t)copy->source,
                             copy->source_pitch,      copy->width,        copy->rows};
  if (memory_holds(copy->target, copy->width, copy->rows, copy->target_pitch) &&
      memory_holds(copy->source, copy->width, copy->rows, copy->source_pitch))
    return context_queue(SIM_COPY, &request, sizeof request, NULL);
  return context_call(SIM_COPY, &request, sizeof request, NULL, 0);
}

static cudaError_t copy_on_host(const struct copy *copy) {
  cudaError_t error = context_wait();
  if (error || context_faulted())
    return error;
  for (size_t row = 0; row < copy->rows; row++)
    memmove((char *)copy->target + row * copy->target_pitch,
            (const char *)copy->source + row * copy->source_pitch, copy->width);
  return cudaSuccess;
}

cudaError_t copy_check(const struct copy *copy) {
  size_t size;
  if ((unsigned)copy->kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (!copy->width || !copy->rows || !copy->slices)
    return cudaSuccess;
  if (copy->target_pitch < copy->width || copy->source_pitch < copy->width)
    return cudaErrorInvalidPitchValue;
  if (!copy->target || !copy->source || !direction_holds(copy) ||
      __builtin_mul_overflow(copy->width, copy->rows, &size) || size > SIM_MAX_MESSAGE / 2)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

static cudaError_t copy_slice(const struct copy *copy) {
  if (memory_on_device(copy->target))
    return memory_on_device(copy->source) ? copy_on_device(copy) : write_device(copy);
  return memory_on_device(copy->source) ? read_device(copy) : copy_on_host(copy);
}

cudaError_t copy_run(const struct copy *copy) {
  cudaError_t error = copy_check(copy);
  if (!copy->width || !copy->rows || context_faulted())
    return error;
  struct copy slice = *copy;
  for (size_t i = 0; i < copy->slices && !error; i++) {
    slice.target = (char *)copy->target + i * copy->target_slice;
    slice.source = (const char *)copy->source + i * copy->source_slice;
    error = copy_slice(&slice);
  }
  if (error == cudaErrorInvalidValue && !context_wait() && !context_faulted())
    explain_copy(&slice);
  return error;
}

static cudaError_t copy_submit(enum call call, cudaStream_t stream, struct copy copy) {
  struct work work = {.type = cudaGraphNodeTypeMemcpy, .copy = copy};
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = work_submit(stream, &work);
  return context_leave_as(call, error);
}

cudaError_t cudaMemcpy(void *target, const void *source, size_t size, enum cudaMemcpyKind kind) {
  return copy_submit(CALL_SYNCHRONISES, NULL, copy_plain(target, source, size, kind));
}

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_submit(CALL_QUEUES, stream, copy_plain(target, source, size, kind));
}

cudaError_t cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_submit(CALL_SYNCHRONISES, NULL,
                     copy_rows(target, target_pitch, source, source_pitch, width, height, kind));
}

cudaError_t cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_submit(CALL_QUEUES, stream,
                     copy_rows(target, target_pitch, source, source_pitch, width, height, kind));
}

cudaError_t cudaMemcpyPeer(void *target, int target_device, const void *source, int source_device,
                           size_t size) {
  if (device_check(target_device) || device_check(source_device))
    return error_record(cudaErrorInvalidDevice);
  return cudaMemcpy(target, source, size, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *target, int target_device, const void *source, int source_device,
                                size_t size, cudaStream_t stream) {
  if (device_check(target_device) || device_check(source_device))
    return error_record(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(target, source, size, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t copy_from_box(const struct cudaMemcpy3DParms *box, struct copy *copy) {
  static bool told;
  if (!box)
    return cudaErrorInvalidValue;
  if (box->dstArray || box->srcArray)
    return unsupported("cudaMemcpy3D with arrays", &told);
  const struct cudaPitchedPtr *to = &box->dstPtr, *from = &box->srcPtr;
  if (!to->ptr || !from->ptr)
    return cudaErrorInvalidValue;
  *copy = (struct copy){
      .target = (char *)to->ptr + (box->dstPos.z * to->ysize + box->dstPos.y) * to->pitch + box->dstPos.x,
      .target_pitch = to->pitch,
      .target_slice = to->ysize * to->pitch,
      .source = (const char *)from->ptr + (box->srcPos.z * from->ysize + box->srcPos.y) * from->pitch +
                box->srcPos.x,
      .source_pitch = from->pitch,
      .source_slice = from->ysize * from->pitch,
      .width = box->extent.width,
      .rows = box->extent.height,
      .slices = box->extent.depth,
      .kind = box->kind,
  };
  return cudaSuccess;
}

static cudaError_t box_call(enum call call, cudaStream_t stream, const struct cudaMemcpy3DParms *box) {
  struct work work = {.type = cudaGraphNodeTypeMemcpy};
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = copy_from_box(box, &work.copy);
  if (!error)
    error = work_submit(stream, &work);
  return context_leave_as(call, error);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *box) {
  return box_call(CALL_SYNCHRONISES, NULL, box);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *box, cudaStream_t stream) {
  return box_call(CALL_QUEUES, stream, box);
}

cudaError_t copy_symbol(const void *symbol, size_t offset, size_t size, void **address) {
  struct sim_range range;
  cudaError_t error = registry_symbol(symbol, &range);
  if (error)
    return error;
  if (offset > range.size || size > range.size - offset) {
    explain_symbol(registry_variable_name(symbol), range.size, offset, size);
    return cudaErrorInvalidValue;
  }
  *address = (void *)(range.address + offset);
  return cudaSuccess;
}

static cudaError_t to_symbol(enum call call, cudaStream_t stream, const void *symbol, const void *source,
                             size_t size, size_t offset, enum cudaMemcpyKind kind) {
  struct work work = {.type = cudaGraphNodeTypeMemcpy, .copy = copy_plain(NULL, source, size, kind)};
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost))
    error = cudaErrorInvalidMemcpyDirection;
  if (!error)
    error = copy_symbol(symbol, offset, size, &work.copy.target);
  if (!error)
    error = work_submit(stream, &work);
  return context_leave_as(call, error);
}

static cudaError_t from_symbol(enum call call, cudaStream_t stream, void *target, const void *symbol,
                               size_t size, size_t offset, enum cudaMemcpyKind kind) {
  struct work work = {.type = cudaGraphNodeTypeMemcpy};
  void *source = NULL;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice))
    error = cudaErrorInvalidMemcpyDirection;
  if (!error)
    error = copy_symbol(symbol, offset, size, &source);
  work.copy = copy_plain(target, source, size, kind);
  if (!error)
    error = work_submit(stream, &work);
  return context_leave_as(call, error);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t size, size_t offset,
                               enum cudaMemcpyKind kind) {
  return to_symbol(CALL_SYNCHRONISES, NULL, symbol, source, size, offset, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return to_symbol(CALL_QUEUES, stream, symbol, source, size, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind) {
  return from_symbol(CALL_SYNCHRONISES, NULL, target, symbol, size, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return from_symbol(CALL_QUEUES, stream, target, symbol, size, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !address)
    error = cudaErrorInvalidValue;
  if (!error)
    error = copy_symbol(symbol, 0, 0, address);
  return context_leave(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  struct sim_range range;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !size)
    error = cudaErrorInvalidValue;
  if (!error)
    error = registry_symbol(symbol, &range);
  if (!error)
    *size = range.size;
  return context_leave(error);
}

static cudaError_t fill_managed(const struct fill *fill) {
  size_t span;
  if (fill->pitch < fill->width || __builtin_mul_overflow(fill->pitch, fill->rows - 1, &span) ||
      __builtin_add_overflow(span, fill->width, &span) || !managed_holds(fill->target, span))
    return cudaErrorInvalidValue;
  for (size_t row = 0; row < fill->rows; row++)
    for (size_t i = 0; i < fill->width; i += fill->value_size)
      memcpy((char *)fill->target + row * fill->pitch + i, &fill->value, fill->value_size);
  return cudaSuccess;
}

static cudaError_t fill_device(const struct fill *fill) {
  struct sim_rows request = {(uintptr_t)fill->target, fill->width, fill->rows, fill->pitch, fill->value,
                             fill->value_size};
  if (!memory_on_device(fill->target))
    return cudaErrorInvalidValue;
  if (context_faulted())
    return cudaSuccess;
  if (memory_holds(fill->target, fill->width, fill->rows, fill->pitch) && fill->width % fill->value_size == 0)
    return context_queue(SIM_SET, &request, sizeof request, NULL);
  return context_call(SIM_SET, &request, sizeof request, NULL, 0);
}

cudaError_t copy_fill(const struct fill *fill) {
  if (!fill->width || !fill->rows)
    return cudaSuccess;
  if (managed_kind(fill->target))
    return fill_managed(fill);
  cudaError_t error = fill_device(fill);
  if (error == cudaErrorInvalidValue)
    explain_fill(fill);
  return error;
}

/* A fill does not wait for the device, on hardware either. */
cudaError_t cudaMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  struct work work = {.type = cudaGraphNodeTypeMemset,
                      .fill = {target, pitch, width, height, (unsigned char)value, 1}};
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = work_submit(stream, &work);
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
