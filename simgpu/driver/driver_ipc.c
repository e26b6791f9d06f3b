/* The driver API: memory, events and memory pools of other processes. Handles are the runtime's bytes. */
#include "driver.h"

#include <string.h>

FORWARD(cuIpcGetMemHandle, (CUipcMemHandle * handle, CUdeviceptr address),
        cudaIpcGetMemHandle((cudaIpcMemHandle_t *)handle, driver_pointer(address)))
FORWARD(cuIpcCloseMemHandle, (CUdeviceptr address), cudaIpcCloseMemHandle(driver_pointer(address)))
FORWARD(cuIpcGetEventHandle, (CUipcEventHandle * handle, CUevent event),
        cudaIpcGetEventHandle((cudaIpcEventHandle_t *)handle, event))

CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags) {
  KEEP_LAST_ERROR;
  cudaIpcMemHandle_t bytes;
  memcpy(&bytes, &handle, sizeof bytes);
  return (CUresult)cudaIpcOpenMemHandle((void **)address, bytes, flags);
}

CUresult CUDAAPI cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
  KEEP_LAST_ERROR;
  cudaIpcEventHandle_t bytes;
  memcpy(&bytes, &handle, sizeof bytes);
  return (CUresult)cudaIpcOpenEventHandle(event, bytes);
}

#define FLAGS(flags) (flags) > UINT32_MAX ? UINT32_MAX : (unsigned)(flags)
FORWARD(cuMemPoolExportToShareableHandle,
        (void *handle, CUmemoryPool pool, CUmemAllocationHandleType type, unsigned long long flags),
        cudaMemPoolExportToShareableHandle(handle, pool, (enum cudaMemAllocationHandleType)type,
                                           FLAGS(flags)))
FORWARD(cuMemPoolImportFromShareableHandle,
        (CUmemoryPool * pool, void *handle, CUmemAllocationHandleType type, unsigned long long flags),
        cudaMemPoolImportFromShareableHandle(pool, handle, (enum cudaMemAllocationHandleType)type,
                                             FLAGS(flags)))
FORWARD(cuMemPoolExportPointer, (CUmemPoolPtrExportData * data, CUdeviceptr address),
        cudaMemPoolExportPointer((struct cudaMemPoolPtrExportData *)data, driver_pointer(address)))
FORWARD(cuMemPoolImportPointer, (CUdeviceptr * address, CUmemoryPool pool, CUmemPoolPtrExportData *data),
        cudaMemPoolImportPointer((void **)address, pool, (struct cudaMemPoolPtrExportData *)data))
