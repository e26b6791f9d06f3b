/* CUDA arrays, and copies from and to them. */
#include "array_kinds.h"
#include "submit.h"

#include "../array.h"
#include "../capture.h"
#include "../devices.h"

#include <stdlib.h>

cudaError_t array_kinds_refuse(unsigned flags) {
  static struct {
    unsigned flag;
    const char *name;
    bool reported;
  } kinds[] = {{cudaArraySparse, "a sparse array", false},
               {cudaArrayDeferredMapping, "an array with deferred mapping", false}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (flags & kinds[i].flag)
      return unsupported(kinds[i].name, &kinds[i].reported);
  return cudaSuccess;
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error && (!array || !format))
    error = cudaErrorInvalidValue;
  if (!error)
    error = array_kinds_refuse(flags);
  if (!error)
    error = array_new(array, format, extent, flags);
  return context_leave(error);
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, format, (struct cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error && array)
    error = array_release(array);
  return context_leave(error);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned *flags,
                             cudaArray_t array) {
  cudaError_t error = context_enter(CONTEXT_QUERIES);
  if (!error && !array_exists(array))
    error = cudaErrorInvalidResourceHandle;
  if (!error && format)
    *format = array->format;
  if (!error && extent)
    *extent = array->extent;
  if (!error && flags)
    *flags = array->flags;
  return context_leave(error);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array) {
  if (!format)
    return last_error_record(cudaErrorInvalidValue);
  return cudaArrayGetInfo(format, NULL, NULL, (cudaArray_t)array);
}

/* Part of one slice; NULL if the array does not hold it. */
static char *find(cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height, size_t *pitch) {
  char *address = NULL;
  context_lock();
  if (array_exists(array)) {
    address = array_at(array, &(struct array_box){x, y, 0, width, height, 1});
    *pitch = array->pitch;
  }
  context_unlock();
  return address;
}

static cudaError_t to_array(enum context_use use, cudaArray_t array, size_t x, size_t y, const void *source,
                            size_t source_pitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
  size_t pitch = 0;
  char *target = find(array, x, y, width, height, &pitch);
  if (!target)
    return last_error_record(cudaErrorInvalidValue);
  return submit_copy(use, stream, work_copy_rows(target, pitch, source, source_pitch, width, height, kind));
}

static cudaError_t from_array(enum context_use use, void *target, size_t target_pitch,
                              cudaArray_const_t array, size_t x, size_t y, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
  size_t pitch = 0;
  char *source = find(array, x, y, width, height, &pitch);
  if (!source)
    return last_error_record(cudaErrorInvalidValue);
  return submit_copy(use, stream, work_copy_rows(target, target_pitch, source, pitch, width, height, kind));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y, const void *source, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  return to_array(CONTEXT_SYNCHRONISES, array, x, y, source, pitch, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *source, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return to_array(CONTEXT_QUEUES, array, x, y, source, pitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void *target, size_t pitch, cudaArray_const_t array, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind) {
  return from_array(CONTEXT_SYNCHRONISES, target, pitch, array, x, y, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *target, size_t pitch, cudaArray_const_t array, size_t x,
                                       size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return from_array(CONTEXT_QUEUES, target, pitch, array, x, y, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
  size_t pitch = 0;
  char *source = find(from, from_x, from_y, width, height, &pitch);
  if (!source)
    return last_error_record(cudaErrorInvalidValue);
  return to_array(CONTEXT_SYNCHRONISES, to, to_x, to_y, source, pitch, width, height, kind, NULL);
}

/* `count` bytes from (x, y) on, row after row: at most a part of a row, whole rows, and another part. The other
 * end is contiguous. */
struct run {
  cudaArray_const_t array;
  size_t x, y;
  char *memory;
  bool to_array;
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
};

static cudaError_t copy_rows(struct run *run, size_t width, size_t rows) {
  cudaError_t error = cudaSuccess;
  if (width && rows)
    error = run->to_array ? to_array(CONTEXT_QUEUES, (cudaArray_t)run->array, run->x, run->y, run->memory,
                                     width, width, rows, run->kind, run->stream)
                          : from_array(CONTEXT_QUEUES, run->memory, width, run->array, run->x, run->y, width,
                                       rows, run->kind, run->stream);
  run->memory += width * rows;
  return error;
}

static cudaError_t copy_run(enum context_use use, struct run run, size_t count) {
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent;
  cudaError_t error = cudaArrayGetInfo(&format, &extent, NULL, (cudaArray_t)run.array);
  const size_t row = error ? 0 : extent.width * array_texel_bytes(&format);
  if (error || run.x >= row)
    return last_error_record(cudaErrorInvalidValue);
  const size_t begin = run.x == 0 ? 0 : count < row - run.x ? count : row - run.x;
  error = copy_rows(&run, begin, 1);
  run.y += begin > 0;
  run.x = 0;
  if (!error)
    error = copy_rows(&run, row, (count - begin) / row);
  run.y += (count - begin) / row;
  if (!error)
    error = copy_rows(&run, (count - begin) % row, 1);
  if (!error && use == CONTEXT_SYNCHRONISES)
    error = cudaStreamSynchronize(run.stream);
  return error;
}

cudaError_t cudaMemcpyToArray(cudaArray_t array, size_t x, size_t y, const void *source, size_t count,
                              enum cudaMemcpyKind kind) {
  return copy_run(CONTEXT_SYNCHRONISES, (struct run){array, x, y, (char *)source, true, kind, NULL}, count);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *source, size_t count,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_run(CONTEXT_QUEUES, (struct run){array, x, y, (char *)source, true, kind, stream}, count);
}

cudaError_t cudaMemcpyFromArray(void *target, cudaArray_const_t array, size_t x, size_t y, size_t count,
                                enum cudaMemcpyKind kind) {
  return copy_run(CONTEXT_SYNCHRONISES, (struct run){array, x, y, target, false, kind, NULL}, count);
}

cudaError_t cudaMemcpyFromArrayAsync(void *target, cudaArray_const_t array, size_t x, size_t y, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_run(CONTEXT_QUEUES, (struct run){array, x, y, target, false, kind, stream}, count);
}

/* No array here maps its memory later, is sparse or has planes: these functions are for such arrays only. */
static cudaError_t refuse_array(const struct cudaArray *array, const void *result) {
  context_lock();
  const bool known = array_exists(array);
  context_unlock();
  return last_error_record(known || !result ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *requirements,
                                           cudaArray_t array, int device) {
  return device_check(device) ? last_error_record(cudaErrorInvalidDevice) : refuse_array(array, requirements);
}

cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *properties, cudaArray_t array) {
  return refuse_array(array, properties);
}

cudaError_t cudaArrayGetPlane(cudaArray_t *plane, cudaArray_t array, unsigned number) {
  (void)number;
  return refuse_array(array, plane);
}

/* Deprecated. The program's memory holds the bytes on their way, since neither end is contiguous. */
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t count, enum cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return last_error_record(cudaErrorInvalidMemcpyDirection);
  char *bytes = malloc(count + 1);
  if (!bytes)
    return last_error_record(cudaErrorMemoryAllocation);
  cudaError_t error = cudaMemcpyFromArray(bytes, from, from_x, from_y, count, cudaMemcpyDeviceToHost);
  if (!error)
    error = cudaMemcpyToArray(to, to_x, to_y, bytes, count, cudaMemcpyHostToDevice);
  free(bytes);
  return error;
}

/* There is no form with a stream: with --default-stream per-thread, these wait for the legacy stream, too. */
ALIAS(cudaMemcpyArrayToArray_ptds, cudaMemcpyArrayToArray);
ALIAS(cudaMemcpy2DArrayToArray_ptds, cudaMemcpy2DArrayToArray);
