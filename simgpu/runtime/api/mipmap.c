/* Mipmapped arrays. */
#include "array_kinds.h"

#include "../capture.h"
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
