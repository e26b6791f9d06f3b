/* Copies and fills: between host and device, in rows, to and from symbols. */
#include "runtime.h"

#include <string.h>

/* `rows` rows of `width` bytes. */
struct copy {
  void *target;
  size_t target_pitch;
  const void *source;
  size_t source_pitch;
  size_t width, rows;
  enum cudaMemcpyKind kind;
};

static bool device_reaches(const void *address) {
  return memory_on_device(address) || memory_pinned(address) || managed_kind(address);
}

/* The direction may call memory that the device can reach "host", but not the other way round: so on an H200.
 */
static bool direction_holds(const struct copy *copy) {
  bool to = device_reaches(copy->target), from = device_reaches(copy->source);
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
  struct sim_rows rows = {(uintptr_t)copy->target, copy->width, copy->rows, copy->target_pitch, 0, 0};
  struct host_rows data = {(void *)copy->source, copy->width, copy->rows, copy->source_pitch};
  struct sim_header reply;
  cudaError_t error = context_request(SIM_WRITE, &rows, sizeof rows, &data, &reply);
  if (!error && reply.length)
    return context_malformed("length");
  return error ? error : context_status(reply.status);
}

static cudaError_t read_device(const struct copy *copy) {
  struct sim_rows rows = {(uintptr_t)copy->source, copy->width, copy->rows, copy->source_pitch, 0, 0};
  struct host_rows into = {copy->target, copy->width, copy->rows, copy->target_pitch};
  struct sim_header reply;
  cudaError_t error = context_request(SIM_READ, &rows, sizeof rows, NULL, &reply);
  if (error || reply.status)
    return error ? error : context_status(reply.status);
  if (reply.length != copy->width * copy->rows)
    return context_malformed("length");
  return context_receive_rows(&into);
}

cudaError_t copy_to_device(void *device, const void *host, size_t size) {
  return write_device(&(struct copy){device, size, host, size, size, 1, cudaMemcpyHostToDevice});
}

cudaError_t copy_from_device(void *host, const void *device, size_t size) {
  return read_device(&(struct copy){host, size, device, size, size, 1, cudaMemcpyDeviceToHost});
}

static cudaError_t copy_on_device(const struct copy *copy) {
  struct sim_copy request = {(uintptr_t)copy->target, copy->target_pitch, (uintptr_t)copy->source,
                             copy->source_pitch,      copy->width,        copy->rows};
  return context_call(SIM_COPY, &request, sizeof request, NULL, 0);
}

static cudaError_t copy_on_host(const struct copy *copy) {
  for (size_t row = 0; row < copy->rows; row++)
    memmove((char *)copy->target + row * copy->target_pitch,
            (const char *)copy->source + row * copy->source_pitch, copy->width);
  return cudaSuccess;
}

static cudaError_t transfer(const struct copy *copy) {
  size_t size;
  if ((unsigned)copy->kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (!copy->width || !copy->rows)
    return cudaSuccess;
  if (copy->target_pitch < copy->width || copy->source_pitch < copy->width)
    return cudaErrorInvalidPitchValue;
  if (!copy->target || !copy->source || !direction_holds(copy) ||
      __builtin_mul_overflow(copy->width, copy->rows, &size) || size > SIM_MAX_MESSAGE / 2)
    return cudaErrorInvalidValue;
  if (context_faulted())
    return cudaSuccess;
  if (memory_on_device(copy->target))
    return memory_on_device(copy->source) ? copy_on_device(copy) : write_device(copy);
  return memory_on_device(copy->source) ? read_device(copy) : copy_on_host(copy);
}

static cudaError_t copy_call(enum call call, struct copy copy) {
  cudaError_t error = context_enter(call);
  if (!error)
    error = transfer(&copy);
  return context_leave(error);
}

cudaError_t cudaMemcpy(void *target, const void *source, size_t size, enum cudaMemcpyKind kind) {
  return copy_call(CALL_SYNCHRONISES, (struct copy){target, size, source, size, size, 1, kind});
}
PER_THREAD_STREAM(cudaMemcpy, _ptds);

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  (void)stream;
  return copy_call(CALL_QUEUES, (struct copy){target, size, source, size, size, 1, kind});
}
PER_THREAD_STREAM(cudaMemcpyAsync, _ptsz);

cudaError_t cudaMemcpy2D(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_call(CALL_SYNCHRONISES,
                   (struct copy){target, target_pitch, source, source_pitch, width, height, kind});
}
PER_THREAD_STREAM(cudaMemcpy2D, _ptds);

cudaError_t cudaMemcpy2DAsync(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return copy_call(CALL_QUEUES,
                   (struct copy){target, target_pitch, source, source_pitch, width, height, kind});
}
PER_THREAD_STREAM(cudaMemcpy2DAsync, _ptsz);

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

/* One slice after the other of a box in pitched memory. */
static cudaError_t transfer_box(const struct cudaMemcpy3DParms *box) {
  const struct cudaPitchedPtr *to = &box->dstPtr, *from = &box->srcPtr;
  cudaError_t error = cudaSuccess;
  for (size_t slice = 0; slice < box->extent.depth && !error; slice++) {
    size_t to_row = (box->dstPos.z + slice) * to->ysize + box->dstPos.y;
    size_t from_row = (box->srcPos.z + slice) * from->ysize + box->srcPos.y;
    error = transfer(&(struct copy){(char *)to->ptr + to_row * to->pitch + box->dstPos.x, to->pitch,
                                    (const char *)from->ptr + from_row * from->pitch + box->srcPos.x,
                                    from->pitch, box->extent.width, box->extent.height, box->kind});
  }
  return error;
}

static cudaError_t box_call(enum call call, const struct cudaMemcpy3DParms *box) {
  static bool told;
  cudaError_t error = context_enter(call);
  if (!error && (!box || !box->dstPtr.ptr || !box->srcPtr.ptr))
    error = box && (box->dstArray || box->srcArray) ? unsupported("cudaMemcpy3D with arrays", &told)
                                                    : cudaErrorInvalidValue;
  if (!error)
    error = transfer_box(box);
  return context_leave(error);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *box) { return box_call(CALL_SYNCHRONISES, box); }
PER_THREAD_STREAM(cudaMemcpy3D, _ptds);

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *box, cudaStream_t stream) {
  (void)stream;
  return box_call(CALL_QUEUES, box);
}
PER_THREAD_STREAM(cudaMemcpy3DAsync, _ptsz);

/* Part of a symbol as device memory. */
static cudaError_t symbol_part(const void *symbol, size_t offset, size_t size, void **address) {
  struct sim_range range;
  cudaError_t error = registry_symbol(symbol, &range);
  if (error)
    return error;
  if (offset > range.size || size > range.size - offset)
    return cudaErrorInvalidValue;
  *address = (void *)(range.address + offset);
  return cudaSuccess;
}

static cudaError_t to_symbol(enum call call, const void *symbol, const void *source, size_t size,
                             size_t offset, enum cudaMemcpyKind kind) {
  void *target;
  cudaError_t error = context_enter(call);
  if (!error && (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost))
    error = cudaErrorInvalidMemcpyDirection;
  if (!error)
    error = symbol_part(symbol, offset, size, &target);
  if (!error)
    error = transfer(&(struct copy){target, size, source, size, size, 1, kind});
  return context_leave(error);
}

static cudaError_t from_symbol(enum call call, void *target, const void *symbol, size_t size, size_t offset,
                               enum cudaMemcpyKind kind) {
  void *source;
  cudaError_t error = context_enter(call);
  if (!error && (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice))
    error = cudaErrorInvalidMemcpyDirection;
  if (!error)
    error = symbol_part(symbol, offset, size, &source);
  if (!error)
    error = transfer(&(struct copy){target, size, source, size, size, 1, kind});
  return context_leave(error);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source, size_t size, size_t offset,
                               enum cudaMemcpyKind kind) {
  return to_symbol(CALL_SYNCHRONISES, symbol, source, size, offset, kind);
}
PER_THREAD_STREAM(cudaMemcpyToSymbol, _ptds);

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return to_symbol(CALL_QUEUES, symbol, source, size, offset, kind);
}
PER_THREAD_STREAM(cudaMemcpyToSymbolAsync, _ptsz);

cudaError_t cudaMemcpyFromSymbol(void *target, const void *symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind) {
  return from_symbol(CALL_SYNCHRONISES, target, symbol, size, offset, kind);
}
PER_THREAD_STREAM(cudaMemcpyFromSymbol, _ptds);

cudaError_t cudaMemcpyFromSymbolAsync(void *target, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)stream;
  return from_symbol(CALL_QUEUES, target, symbol, size, offset, kind);
}
PER_THREAD_STREAM(cudaMemcpyFromSymbolAsync, _ptsz);

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !address)
    error = cudaErrorInvalidValue;
  if (!error)
    error = symbol_part(symbol, 0, 0, address);
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

static cudaError_t fill_managed(char *target, size_t pitch, int value, size_t width, size_t rows) {
  size_t span;
  if (pitch < width || __builtin_mul_overflow(pitch, rows - 1, &span) ||
      __builtin_add_overflow(span, width, &span) || !managed_holds(target, span))
    return cudaErrorInvalidValue;
  for (size_t row = 0; row < rows; row++)
    memset(target + row * pitch, value, width);
  return cudaSuccess;
}

static cudaError_t fill(void *target, size_t pitch, int value, size_t width, size_t rows) {
  struct sim_rows request = {(uintptr_t)target, width, rows, pitch, (unsigned char)value, 1};
  if (!width || !rows)
    return cudaSuccess;
  if (managed_kind(target))
    return fill_managed(target, pitch, value, width, rows);
  if (!memory_on_device(target))
    return cudaErrorInvalidValue;
  return context_faulted() ? cudaSuccess : context_call(SIM_SET, &request, sizeof request, NULL, 0);
}

/* A fill does not wait for the device, on hardware either. */
cudaError_t cudaMemset2D(void *target, size_t pitch, int value, size_t width, size_t height) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = fill(target, pitch, value, width, height);
  return context_leave(error);
}
PER_THREAD_STREAM(cudaMemset2D, _ptds);

cudaError_t cudaMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  (void)stream;
  return cudaMemset2D(target, pitch, value, width, height);
}
PER_THREAD_STREAM(cudaMemset2DAsync, _ptsz);

cudaError_t cudaMemset(void *target, int value, size_t size) {
  return cudaMemset2D(target, size, value, size, 1);
}
PER_THREAD_STREAM(cudaMemset, _ptds);

cudaError_t cudaMemsetAsync(void *target, int value, size_t size, cudaStream_t stream) {
  (void)stream;
  return cudaMemset(target, value, size);
}
PER_THREAD_STREAM(cudaMemsetAsync, _ptsz);

cudaError_t cudaMemset3D(struct cudaPitchedPtr target, int value, struct cudaExtent extent) {
  cudaError_t error = context_enter(CALL_QUEUES);
  for (size_t slice = 0; slice < extent.depth && !error; slice++)
    error = fill((char *)target.ptr + slice * target.ysize * target.pitch, target.pitch, value, extent.width,
                 extent.height);
  return context_leave(error);
}
PER_THREAD_STREAM(cudaMemset3D, _ptds);

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr target, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  (void)stream;
  return cudaMemset3D(target, value, extent);
}
PER_THREAD_STREAM(cudaMemset3DAsync, _ptsz);
