/* The driver API: virtual memory management. The device keeps all of its state, and a handle is the device's number of
 * the memory. Bad arguments give the errors that an H100 gives; where NVIDIA's driver crashes, as for a handle that
 * does not exist, the error is CUDA_ERROR_INVALID_VALUE. */
#define _GNU_SOURCE /* memfd_create */
#include "driver.h"

#include "devices.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
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

/* Memory that other processes may have. Its file stays open here while the program has a handle. */
struct shared {
  struct shared *next;
  uint32_t id;
  int file;
};
static struct shared *shared;

static const char file_name[] = "simgpu memory handle";

static bool keep_file(uint32_t id, int file) {
  struct shared *new = file >= 0 ? malloc(sizeof *new) : NULL;
  if (!new)
    return false;
  context_lock();
  *new = (struct shared){shared, id, file};
  shared = new;
  context_unlock();
  return true;
}

/* A copy of the descriptor of a handle's file; -1: it has none. */
static int file_of(uint32_t id) {
  context_lock();
  const struct shared *s = shared;
  while (s && s->id != id)
    s = s->next;
  const int file = s ? fcntl(s->file, F_DUPFD_CLOEXEC, 0) : -1;
  context_unlock();
  return file;
}

/* The handle of a file that this process has; 0: none. */
static uint32_t handle_of(int file) {
  struct stat wanted, is;
  uint32_t id = 0;
  context_lock();
  for (const struct shared *s = shared; s && !id; s = s->next)
    if (fstat(file, &wanted) == 0 && fstat(s->file, &is) == 0 && wanted.st_dev == is.st_dev &&
        wanted.st_ino == is.st_ino)
      id = s->id;
  context_unlock();
  return id;
}

static void forget_file(uint32_t id) {
  context_lock();
  struct shared **link = &shared, *s;
  while (*link && (*link)->id != id)
    link = &(*link)->next;
  if ((s = *link)) {
    *link = s->next;
    close(s->file);
    free(s);
  }
  context_unlock();
}

/* Moves the memory of a new handle into a file. Takes the descriptor over. */
static CUresult use_file(uint32_t id, int file) {
  const struct sim_physical_file request = {.id = id, .process = (int32_t)getpid(), .file = file};
  CUresult error = file < 0 ? CUDA_ERROR_OUT_OF_MEMORY : call(SIM_PHYSICAL_FILE, &request, sizeof request);
  if (!error && !keep_file(id, file))
    error = CUDA_ERROR_OUT_OF_MEMORY;
  if (error && file >= 0)
    close(file);
  return error;
}

static int new_file(size_t size) {
  const int file = memfd_create(file_name, MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t)size) == 0)
    return file;
  close(file);
  return -1;
}

static CUresult drop(uint32_t id) {
  const struct sim_id request = {.id = id};
  return call(SIM_PHYSICAL_DROP, &request, sizeof request);
}

static bool is_shared_by_devices(void) {
  bool shares = false;
  if (!context_enter(CONTEXT_QUERIES))
    shares = context_device()->shares;
  context_leave(cudaSuccess);
  return shares;
}

/* New memory, in a file of its own if `file` is not negative. */
static CUresult create(const struct sim_physical *is, bool in_file, int file,
                       CUmemGenericAllocationHandle *handle) {
  struct sim_id id = {0};
  CUresult error = ask(SIM_PHYSICAL_NEW, is, sizeof *is, &id, sizeof id);
  if (!error && in_file) {
    error = use_file(id.id, file);
    if (error)
      drop(id.id);
  } else if (file >= 0) {
    close(file);
  }
  if (!error)
    *handle = id.id;
  return error;
}

/* Memory is never compressed, as the device's attributes and the memory's properties say. */
CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *is,
                             unsigned long long flags) {
  KEEP_LAST_ERROR;
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
  const bool in_file = !error && is->requestedHandleTypes & HANDLE_POSIX && size && is_shared_by_devices();
  return error ? error : create(&request, in_file, in_file ? new_file(size) : -1, handle);
}

CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle) {
  struct sim_physical is;
  const uint32_t id = (uint32_t)handle;
  const CUresult error = handle != id ? CUDA_ERROR_INVALID_VALUE : drop(id);
  if (!error && find(handle, &is)) /* that was the last reference */
    forget_file(id);
  return error;
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

/* Where the devices of processes share no memory, a descriptor is that of a file which names the memory. It is worth
 * something in this process only, and unlike NVIDIA's it does not keep the memory. */
struct ticket {
  char mark[24];
  int64_t process;
  uint64_t handle;
};
static const char ticket_mark[24] = "simgpu memory ticket";

static int new_ticket(CUmemGenericAllocationHandle handle) {
  struct ticket ticket = {.process = getpid(), .handle = handle};
  memcpy(ticket.mark, ticket_mark, sizeof ticket.mark);
  const int file = memfd_create(ticket_mark, MFD_CLOEXEC);
  if (file < 0 || pwrite(file, &ticket, sizeof ticket, 0) == (ssize_t)sizeof ticket)
    return file;
  close(file);
  return -1;
}

CUresult CUDAAPI cuMemExportToShareableHandle(void *shareable, CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType type, unsigned long long flags) {
  struct sim_physical is = {0};
  if (!shareable || flags || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = find(handle, &is);
  if (error || !(is.tag & HANDLE_POSIX))
    return error ? error : CUDA_ERROR_INVALID_VALUE;
  const int own = file_of((uint32_t)handle), file = own >= 0 ? own : new_ticket(handle);
  if (file < 0)
    return CUDA_ERROR_OPERATING_SYSTEM;
  *(int *)shareable = file;
  return CUDA_SUCCESS;
}

/* The size of the memory that another process has exported by this descriptor; 0: it is none. */
static size_t exported_size(int file) {
  char path[64], name[sizeof file_name + sizeof "/memfd:" + sizeof " (deleted)"];
  struct stat is;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(path, name, sizeof name - 1);
  name[length < 0 ? 0 : length] = '\0';
  const bool good = strncmp(name, "/memfd:", strlen("/memfd:")) == 0 &&
                    strncmp(name + strlen("/memfd:"), file_name, strlen(file_name)) == 0;
  return good && fstat(file, &is) == 0 ? (size_t)is.st_size : 0;
}

static CUresult import_ticket(CUmemGenericAllocationHandle *handle, int file) {
  static bool reported;
  struct ticket ticket;
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

CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shareable,
                                                CUmemAllocationHandleType type) {
  KEEP_LAST_ERROR;
  const int file = (int)(intptr_t)shareable;
  if (!handle || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_INVALID_VALUE;
  if (fcntl(file, F_GETFD) < 0) /* it is not open */
    return CUDA_ERROR_UNKNOWN;
  const size_t size = exported_size(file);
  if (!size || !is_shared_by_devices())
    return import_ticket(handle, file);
  const struct sim_id known = {.id = handle_of(file)};
  if (known.id && !call(SIM_PHYSICAL_KEEP, &known, sizeof known)) {
    *handle = known.id;
    return CUDA_SUCCESS;
  }
  const struct sim_physical is = {.size = size, .device = (uint32_t)device_current(), .tag = HANDLE_POSIX};
  return create(&is, true, fcntl(file, F_DUPFD_CLOEXEC, 0), handle);
}
