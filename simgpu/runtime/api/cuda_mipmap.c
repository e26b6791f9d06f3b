/* Mipmapped arrays. */
#include "array_kinds.h"

#include "../capture.h"
#include "../devices.h"
#include "../mipmap.h"

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmap, const struct cudaChannelFormatDesc *format,
                                     struct cudaExtent extent, unsigned levels, unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error && (!mipmap || !format))
    error = cudaErrorInvalidValue;
  if (!error)
    error = array_kinds_refuse(flags);
  if (!error)
    error = mipmap_new(mipmap, format, extent, levels, flags);
  return context_leave(error);
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t mipmap,
                                       unsigned level) {
  cudaError_t error = context_enter(CONTEXT_QUERIES);
  if (!error && !array)
    error = cudaErrorInvalidValue;
  if (!error && !mipmap_exists(mipmap))
    error = cudaErrorInvalidResourceHandle;
  if (!error && level >= mipmap->count)
    error = cudaErrorInvalidValue;
  if (!error)
    *array = mipmap->level[level];
  return context_leave(error);
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap) {
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
  if (!error)
    error = capture_forbids_unsafe();
  if (!error && mipmap)
    error = mipmap_release(mipmap);
  return context_leave(error);
}

/* No mipmapped array here maps its memory later or is sparse: these functions are for such ones only. */
static cudaError_t refuse_mipmap(const struct cudaMipmappedArray *mipmap, const void *result) {
  context_lock();
  const bool known = mipmap_exists(mipmap);
  context_unlock();
  return last_error_record(known || !result ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements *requirements,
                                                    cudaMipmappedArray_t mipmap, int device) {
  return device_check(device) ? last_error_record(cudaErrorInvalidDevice)
                              : refuse_mipmap(mipmap, requirements);
}

cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *properties,
                                                  cudaMipmappedArray_t mipmap) {
  return refuse_mipmap(mipmap, properties);
}
