/* The driver API: managed memory. Advice, attributes of ranges, and the types of places have the runtime's numbers. */
#include "driver.h"

FORWARD(cuMemRangeGetAttribute,
        (void *data, size_t size, CUmem_range_attribute attribute, CUdeviceptr address, size_t count),
        cudaMemRangeGetAttribute(data, size, (enum cudaMemRangeAttribute)attribute, driver_pointer(address),
                                 count))
FORWARD(cuMemRangeGetAttributes,
        (void **data, size_t *sizes, CUmem_range_attribute *attributes, size_t number, CUdeviceptr address,
         size_t count),
        cudaMemRangeGetAttributes(data, sizes, (enum cudaMemRangeAttribute *)attributes, number,
                                  driver_pointer(address), count))

#if CUDA_VERSION >= 13000 /* before, these functions named devices */
static struct cudaMemLocation place_of(CUmemLocation place) {
  return (struct cudaMemLocation){.type = (enum cudaMemLocationType)place.type, .id = place.id};
}

FORWARD(cuMemAdvise, (CUdeviceptr address, size_t count, CUmem_advise advice, CUmemLocation place),
        cudaMemAdvise(driver_pointer(address), count, (enum cudaMemoryAdvise)advice, place_of(place)))
FORWARD(cuMemPrefetchAsync,
        (CUdeviceptr address, size_t count, CUmemLocation place, unsigned flags, CUstream stream),
        cudaMemPrefetchAsync(driver_pointer(address), count, place_of(place), flags, stream))
FORWARD(cuMemPrefetchBatchAsync,
        (CUdeviceptr * addresses, size_t *sizes, size_t count, CUmemLocation *places, size_t *starts,
         size_t number, unsigned long long flags, CUstream stream),
        cudaMemPrefetchBatchAsync((void **)addresses, sizes, count, (struct cudaMemLocation *)places, starts,
                                  number, flags, stream))
FORWARD(cuMemDiscardBatchAsync,
        (CUdeviceptr * addresses, size_t *sizes, size_t count, unsigned long long flags, CUstream stream),
        cudaMemDiscardBatchAsync((void **)addresses, sizes, count, flags, stream))
FORWARD(cuMemDiscardAndPrefetchBatchAsync,
        (CUdeviceptr * addresses, size_t *sizes, size_t count, CUmemLocation *places, size_t *starts,
         size_t number, unsigned long long flags, CUstream stream),
        cudaMemDiscardAndPrefetchBatchAsync((void **)addresses, sizes, count,
                                            (struct cudaMemLocation *)places, starts, number, flags, stream))
#else
FORWARD(cuMemAdvise, (CUdeviceptr address, size_t count, CUmem_advise advice, CUdevice device),
        cudaMemAdvise(driver_pointer(address), count, (enum cudaMemoryAdvise)advice, device))
FORWARD(cuMemPrefetchAsync, (CUdeviceptr address, size_t count, CUdevice device, CUstream stream),
        cudaMemPrefetchAsync(driver_pointer(address), count, device, stream))
#endif
