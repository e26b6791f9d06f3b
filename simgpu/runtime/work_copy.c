#include "work_copy.h"

#include "address.h"
#include "array.h"
#include "context.h"
#include "early.h"
#include "explain.h"
#include "managed.h"
#include "pinned.h"
#include "registry.h"
#include "runtime/transfer.h"
#include "runtime/waits.h"

#include <string.h>

struct work_copy work_copy_plain(void *target, const void *source, size_t size, enum cudaMemcpyKind kind) {
  return (struct work_copy){target, size, size, source, size, size, size, 1, 1, kind, false, false};
}

struct work_copy work_copy_rows(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                                size_t width, size_t rows, enum cudaMemcpyKind kind) {
  return (struct work_copy){target, target_pitch, 0, source, source_pitch, 0,
                            width,  rows,         1, kind,   false,        false};
}

/* As on an H200, a direction may treat memory that the device reaches as the host's, but not the reverse. */
static bool direction_holds(const struct work_copy *copy) {
  bool to = address_reachable(copy->target), from = address_reachable(copy->source);
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

static cudaError_t copy_on_host(const struct work_copy *copy) {
  cudaError_t error = copy->host_waits && managed_kind(copy->source) ? waits_for(waits_now()) : cudaSuccess;
  if (!error)
    error = context_wait();
  if (error || context_faulted())
    return error;
  for (size_t row = 0; row < copy->rows; row++)
    memmove((char *)copy->target + row * copy->target_pitch,
            (const char *)copy->source + row * copy->source_pitch, copy->width);
  return cudaSuccess;
}

cudaError_t work_copy_check(const struct work_copy *copy) {
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

/* After the kernels before, the device copies what it reaches. The host waits for a copy to its own memory. */
static cudaError_t copy_on_device(const struct work_copy *copy, const struct transfer *transfer) {
  const bool waits = address_shared(copy->target) || (copy->host_waits && address_shared(copy->source));
  const cudaError_t error = transfer_on_device(transfer);
  return !error && waits ? context_wait() : error;
}

/* Of the host's memory, which the copy may use after the call. */
static void note_use(const struct work_copy *copy, bool to_device) {
  const size_t pitch = to_device ? copy->source_pitch : copy->target_pitch;
  const size_t size = (copy->rows - 1) * pitch + copy->width;
  if (to_device && copy->reads_later && pinned_has_own_pages(copy->source, size))
    early_add_source(copy->source, size);
  if (!to_device && !copy->host_waits && pinned_has_own_pages(copy->target, size))
    early_add(copy->target, size);
}

static cudaError_t copy_slice(const struct work_copy *copy) {
  struct transfer transfer = {copy->target,       copy->target_pitch, copy->source,
                              copy->source_pitch, copy->width,        copy->rows};
  bool to = address_on_device(copy->target), from = address_on_device(copy->source);
  if ((to && (from || address_shared(copy->source))) || (from && address_shared(copy->target)))
    return copy_on_device(copy, &transfer);
  const uint32_t flags = (address_pinned(to ? copy->source : copy->target) ? SIM_ROWS_PINNED : 0) |
                         (copy->host_waits ? 0 : SIM_ROWS_ASYNCHRONOUS);
  if (!from && !to)
    return copy_on_host(copy);
  const cudaError_t error =
      to ? transfer_to_device(&transfer, flags) : transfer_from_device(&transfer, flags);
  if (!error)
    note_use(copy, to);
  return error;
}

static void explain(const struct work_copy *copy) {
  explain_copy(copy->kind, (struct explain_rows){copy->target, copy->width, copy->rows, copy->target_pitch},
               (struct explain_rows){copy->source, copy->width, copy->rows, copy->source_pitch});
}

cudaError_t work_copy_run(const struct work_copy *copy) {
  cudaError_t error = work_copy_check(copy);
  if (!copy->width || !copy->rows || context_faulted())
    return error;
  struct work_copy slice = *copy;
  for (size_t i = 0; i < copy->slices && !error; i++) {
    slice.target = (char *)copy->target + i * copy->target_slice;
    slice.source = (const char *)copy->source + i * copy->source_slice;
    slice.host_waits = copy->host_waits && i + 1 == copy->slices;
    error = copy_slice(&slice);
  }
  if (error == cudaErrorInvalidValue && !context_wait() && !context_faulted())
    explain(&slice);
  return error;
}

/* One end of a copy: its first byte, and the distances between rows and slices. */
struct end {
  char *address;
  size_t pitch, slice;
};

static cudaError_t end_in_array(const struct cudaArray *array, struct cudaPos at, struct cudaExtent extent,
                                struct end *end) {
  if (!array_exists(array))
    return cudaErrorInvalidResourceHandle;
  const struct array_box box = {at.x * array->texel,         at.y,          at.z,
                                extent.width * array->texel, extent.height, extent.depth};
  *end = (struct end){array_at(array, &box), array->pitch, array->slice};
  return end->address ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t end_in_memory(const struct cudaPitchedPtr *memory, struct cudaPos at, struct end *end) {
  if (!memory->ptr)
    return cudaErrorInvalidValue;
  *end = (struct end){(char *)memory->ptr + (at.z * memory->ysize + at.y) * memory->pitch + at.x,
                      memory->pitch, memory->ysize * memory->pitch};
  return cudaSuccess;
}

cudaError_t work_copy_from_box(const struct cudaMemcpy3DParms *box, struct work_copy *copy) {
  struct end to, from;
  if (!box)
    return cudaErrorInvalidValue;
  cudaError_t error = box->dstArray ? end_in_array(box->dstArray, box->dstPos, box->extent, &to)
                                    : end_in_memory(&box->dstPtr, box->dstPos, &to);
  if (!error)
    error = box->srcArray ? end_in_array(box->srcArray, box->srcPos, box->extent, &from)
                          : end_in_memory(&box->srcPtr, box->srcPos, &from);
  if (error)
    return error;
  const size_t unit = box->dstArray ? box->dstArray->texel : box->srcArray ? box->srcArray->texel : 1;
  *copy = (struct work_copy){
      .target = to.address,
      .target_pitch = to.pitch,
      .target_slice = to.slice,
      .source = from.address,
      .source_pitch = from.pitch,
      .source_slice = from.slice,
      .width = box->extent.width * unit,
      .rows = box->extent.height,
      .slices = box->extent.depth,
      .kind = box->kind,
  };
  return cudaSuccess;
}

cudaError_t work_copy_symbol(const void *symbol, size_t offset, size_t size, void **address) {
  struct sim_range range;
  cudaError_t error = registry_find_variable(symbol, &range);
  if (error)
    return error;
  if (offset > range.size || size > range.size - offset) {
    explain_symbol(registry_variable_name(symbol), range.size, offset, size);
    return cudaErrorInvalidValue;
  }
  *address = (void *)(range.address + offset);
  return cudaSuccess;
}
