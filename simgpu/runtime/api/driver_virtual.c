/* The driver API: virtual memory management. The device keeps all of its state, and a handle is the device's number of the
 * memory. Bad arguments give the errors that an H100 gives; where NVIDIA's driver crashes, as for a handle that does not
 * exist, the error is CUDA_ERROR_INVALID_VALUE. */
#define _GNU_SOURCE /* memfd_create */
#include "driver.h"

#include "../devices.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The same in all versions of cuda.h, some of which do not name them. */
enum { LOCATION_DEVICE = 1, LOCATION_HOST = 2, LOCATION_HOST_NUMA_CURRENT = 4 };
enum { HANDLE_POSIX = 1, HANDLE_WIN32 = 2, HANDLE_WIN32_KMT = 4, HANDLE_FABRIC = 8, HANDLE_TYPES = 15 };

/* What the device keeps for the client in sim_physical.tag. */
enum { TAG_DIRECT = 1 << 8, TAG_USAGE_SHIFT = 16 };

static bool is_on_host(int location) {
  return location >= LOCATION_HOST && location <= LOCATION_HOST_NUMA_CURRENT;
}

/* A call that sends one request and takes no answer. */
static CUresult call(enum sim_request type, const void *request, size_t size) {
  KEEP_LAST_ERROR;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return (CUresult)context_leave(error ? error : context_call(type, request, size, NULL, 0));
}

/* A call that takes an answer. */
static CUresult ask(enum sim_request type, const void *request, size_t size, void *answer, size_t room) {
  KEEP_LAST_ERROR;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return (CUresult)context_leave(error ? error : context_call(type, request, size, answer, room));
}

/* Handles are numbers of 32 bits. */
static CUresult find(CUmemGenericAllocationHandle handle, struct sim_physical *is) {
  const struct sim_id id = {.id = (uint32_t)handle};
  return handle != id.id ? CUDA_ERROR_INVALID_VALUE : ask(SIM_PHYSICAL_FIND, &id, sizeof id, is, sizeof *is);
}

static CUresult find_mapping(CUdeviceptr address, struct sim_mapping *mapping) {
  const struct sim_range request = {.address = address};
  return ask(SIM_MAPPING_FIND, &request, sizeof request, mapping, sizeof *mapping);
}

CUresult CUDAAPI cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                               CUmemAllocationGranularity_flags option) {
  if (!granularity || !properties || (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    return CUDA_ERROR_INVALID_VALUE;
  *granularity = SIM_GRANULE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr *address, size_t size, size_t alignment, CUdeviceptr wanted,
                                     unsigned long long flags) {
  const struct sim_reserve request = {size, alignment, wanted};
  struct sim_range range = {0};
  if (!address || flags)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = ask(SIM_RESERVE, &request, sizeof request, &range, sizeof range);
  if (!error)
    *address = range.address;
  return error;
}

CUresult CUDAAPI cuMemAddressFree(CUdeviceptr address, size_t size) {
  const struct sim_range request = {address, size};
  return call(SIM_UNRESERVE, &request, sizeof request);
}

static CUresult check_properties(const CUmemAllocationProp *is) {
  static bool reported;
  const char none[sizeof is->allocFlags.reserved] = {0};
  if (is->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      is->allocFlags.compressionType > CU_MEM_ALLOCATION_COMP_GENERIC ||
      memcmp(is->allocFlags.reserved, none, sizeof none) != 0 ||
      is->requestedHandleTypes & (HANDLE_WIN32 | HANDLE_WIN32_KMT))
    return CUDA_ERROR_INVALID_VALUE;
  if (is_on_host((int)is->location.type))
    return (CUresult)unsupported("cuMemCreate of host memory", &reported);
  if (is->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  return is->requestedHandleTypes & HANDLE_FABRIC ? CUDA_ERROR_NOT_PERMITTED : CUDA_SUCCESS;
}

/* Memory is never compressed, as the device's attributes and the memory's properties say. */
CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *is,
                             unsigned long long flags) {
  KEEP_LAST_ERROR;
  struct sim_id id = {0};
  if (!handle || !is || flags)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult error = check_properties(is);
  if (!error && device_check(is->location.id))
    error = CUDA_ERROR_INVALID_DEVICE;
  const struct sim_physical request = {.size = size,
                                       .device = (uint32_t)is->location.id,
                                       .tag = (is->requestedHandleTypes & HANDLE_TYPES) |
                                              (is->allocFlags.gpuDirectRDMACapable ? TAG_DIRECT : 0u) |
                                              (uint32_t)is->allocFlags.usage << TAG_USAGE_SHIFT};
  if (!error)
    error = ask(SIM_PHYSICAL_NEW, &request, sizeof request, &id, sizeof id);
  if (!error)
    *handle = id.id;
  return error;
}

CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle) {
  const struct sim_id id = {.id = (uint32_t)handle};
  return handle != id.id ? CUDA_ERROR_INVALID_VALUE : call(SIM_PHYSICAL_DROP, &id, sizeof id);
}

CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                        CUmemGenericAllocationHandle handle) {
  struct sim_physical is = {0};
  if (!properties)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = find(handle, &is);
  if (error)
    return error;
  *properties =
      (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                            .requestedHandleTypes = (CUmemAllocationHandleType)(is.tag & HANDLE_TYPES),
                            .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = (int)is.device}};
  properties->allocFlags.gpuDirectRDMACapable = (is.tag & TAG_DIRECT) != 0;
  properties->allocFlags.usage = (unsigned short)(is.tag >> TAG_USAGE_SHIFT);
  return CUDA_SUCCESS;
}

/* As on an H100, a part of the memory cannot be mapped. */
CUresult CUDAAPI cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                          CUmemGenericAllocationHandle handle, unsigned long long flags) {
  const struct sim_map request = {address, size, (uint32_t)handle, 0};
  struct sim_physical is = {0};
  if (flags || !size || address % SIM_GRANULE)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = find(handle, &is);
  if (error)
    return error;
  return offset || size != is.size ? CUDA_ERROR_NOT_SUPPORTED : call(SIM_MAP, &request, sizeof request);
}

CUresult CUDAAPI cuMemUnmap(CUdeviceptr address, size_t size) {
  const struct sim_range request = {address, size};
  return call(SIM_UNMAP, &request, sizeof request);
}

static CUresult check_access(const CUmemAccessDesc *access) {
  if (is_on_host((int)access->location.type))
    return CUDA_ERROR_NOT_SUPPORTED;
  const bool known = access->flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
                     access->flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                     access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return known && access->location.type == CU_MEM_LOCATION_TYPE_DEVICE && !device_check(access->location.id)
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc *access,
                                size_t count) {
  CUresult error = access && count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < count && !error; i++)
    error = check_access(&access[i]);
  for (size_t i = 0; i < count && !error; i++) {
    const struct sim_access request = {address, size, (uint32_t)access[i].location.id, access[i].flags};
    error = call(SIM_ACCESS, &request, sizeof request);
  }
  return error;
}

CUresult CUDAAPI cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                                CUdeviceptr address) {
  struct sim_mapping mapping = {0};
  if (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  if (device_check(location->id))
    return CUDA_ERROR_INVALID_DEVICE;
  const CUresult error = find_mapping(address, &mapping);
  if (!error)
    *flags = mapping.access[location->id];
  return error;
}

CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  struct sim_mapping mapping = {0};
  if (!handle)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult error = find_mapping((uintptr_t)address, &mapping);
  const struct sim_id id = {.id = error ? 0 : mapping.id};
  if (!error)
    error = call(SIM_PHYSICAL_KEEP, &id, sizeof id);
  if (!error)
    *handle = id.id;
  return error;
}

/* A descriptor is that of a file which names the memory. It is worth something in this process only, and unlike NVIDIA's it
 * does not keep the memory. */
struct ticket {
  char mark[24];
  int64_t process;
  uint64_t handle;
};
static const char ticket_mark[24] = "simgpu memory handle";

CUresult CUDAAPI cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType type, unsigned long long flags) {
  struct sim_physical is = {0};
  struct ticket ticket = {.process = getpid(), .handle = handle};
  if (!shareable || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = find(handle, &is);
  if (error || !(is.tag & HANDLE_POSIX))
    return error ? error : CUDA_ERROR_INVALID_VALUE;
  const int file = memfd_create(ticket_mark, MFD_CLOEXEC);
  memcpy(ticket.mark, ticket_mark, sizeof ticket.mark);
  if (file < 0 || pwrite(file, &ticket, sizeof ticket, 0) != (ssize_t)sizeof ticket) {
    if (file >= 0)
      close(file);
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  *(int *)shareable = file;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable,
                                                CUmemAllocationHandleType type) {
  KEEP_LAST_ERROR;
  static bool reported;
  struct ticket ticket;
  const int file = (int)(intptr_t)shareable;
  if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_INVALID_VALUE;
  if (fcntl(file, F_GETFD) < 0) /* it is not open */
    return CUDA_ERROR_UNKNOWN;
  if (pread(file, &ticket, sizeof ticket, 0) != (ssize_t)sizeof ticket ||
      memcmp(ticket.mark, ticket_mark, sizeof ticket.mark) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (ticket.process != getpid())
    return (CUresult)unsupported("cuMemImportFromShareableHandle of another process's memory", &reported);
  const struct sim_id id = {.id = (uint32_t)ticket.handle};
  const CUresult error = call(SIM_PHYSICAL_KEEP, &id, sizeof id);
  if (!error)
    *handle = id.id;
  return error;
}
