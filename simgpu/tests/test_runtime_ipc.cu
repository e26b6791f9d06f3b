// Memory, events and memory pools that processes share. Each part makes its second process before it uses CUDA.
#include "driver_semantics.h"

#include <cstring>
#include <sys/socket.h>
#include <vector>

__global__ void add(int *p, int n, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += step;
}

enum { COUNT = 5000 };
static int ends[2]; // of a connection between the two processes

static void put(const void *bytes, size_t size) { TRUE(write(ends[0], bytes, size) == (ssize_t)size); }
static void get(void *bytes, size_t size) { TRUE(recv(ends[0], bytes, size, MSG_WAITALL) == (ssize_t)size); }
static void step_done() { put("x", 1); }
static void await_step() {
  char c;
  get(&c, 1);
}

// Sends or receives an open file.
union Control {
  cmsghdr header;
  char room[CMSG_SPACE(sizeof(int))];
};

static void put_file(int file) {
  Control control = {};
  char byte = 'f';
  iovec bytes = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.room;
  message.msg_controllen = sizeof control.room;
  cmsghdr *const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(header), &file, sizeof file);
  TRUE(sendmsg(ends[0], &message, 0) == 1);
}

static int get_file() {
  Control control = {};
  char byte;
  int file = -1;
  iovec bytes = {&byte, 1};
  msghdr message = {};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control.room;
  message.msg_controllen = sizeof control.room;
  TRUE(recvmsg(ends[0], &message, 0) == 1);
  memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
  return file;
}

// Runs `other` in a second process; the results of both count.
static void beside(void (*own)(), void (*other)()) {
  int status = 0;
  TRUE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    ends[0] = ends[1];
    other();
    fflush(stdout);
    _exit(differences != 0);
  }
  close(ends[1]);
  own();
  waitpid(child, &status, 0);
  TRUE(status == 0);
}

static bool offered() {
  int can = 0;
  OK(cudaDeviceGetAttribute(&can, cudaDevAttrIpcEventSupport, 0));
  return can;
}

static std::vector<int> values(const int *p) {
  std::vector<int> host(COUNT);
  OK(cudaMemcpy(host.data(), p, COUNT * 4, cudaMemcpyDeviceToHost));
  return host;
}

static bool all_are(const int *p, int value) {
  for (int v : values(p))
    if (v != value)
      return false;
  return true;
}

static void owner() {
  int *before, *p;
  cudaIpcMemHandle_t handle, again;
  cudaIpcEventHandle_t event_handle;
  cudaEvent_t event, plain;
  TRUE(offered());
  OK(cudaMalloc(&before, 700)); // the next address begins within a page
  OK(cudaMalloc(&p, COUNT * 4));
  OK(cudaMemset(p, 0, COUNT * 4));
  add<<<(COUNT + 255) / 256, 256>>>(p, COUNT, 3);
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
  OK(cudaEventCreate(&plain));
  EXPECT(cudaIpcGetEventHandle(&event_handle, plain), cudaErrorInvalidResourceHandle);
  OK(cudaIpcGetEventHandle(&event_handle, event));
  OK(cudaEventRecord(event));
  OK(cudaIpcGetMemHandle(&handle, p));
  OK(cudaIpcGetMemHandle(&again, p));
  TRUE(memcmp(&handle, &again, sizeof handle) == 0);
  INVALID(cudaIpcGetMemHandle(&again, &handle)); // memory of the host
  void *mine;
  EXPECT(cudaIpcOpenMemHandle(&mine, handle, cudaIpcMemLazyEnablePeerAccess), cudaErrorDeviceUninitialized);
  put(&handle, sizeof handle);
  put(&event_handle, sizeof event_handle);
  await_step();
  TRUE(all_are(p, 5)); // the other process has added 2
  add<<<(COUNT + 255) / 256, 256>>>(p, COUNT, 10);
  OK(cudaDeviceSynchronize());
  step_done();
  await_step();
  OK(cudaFree(p));
  step_done();
  await_step();
}

static void user() {
  int *p, *again;
  cudaIpcMemHandle_t handle;
  cudaIpcEventHandle_t event_handle;
  cudaEvent_t event;
  get(&handle, sizeof handle);
  get(&event_handle, sizeof event_handle);
  OK(cudaIpcOpenEventHandle(&event, event_handle));
  INVALID(cudaIpcOpenMemHandle((void **)&p, handle, 0));
  OK(cudaIpcOpenMemHandle((void **)&p, handle, cudaIpcMemLazyEnablePeerAccess));
  OK(cudaIpcOpenMemHandle((void **)&again, handle, cudaIpcMemLazyEnablePeerAccess));
  TRUE(p == again);
  OK(cudaStreamWaitEvent(nullptr, event, 0));
  TRUE(all_are(p, 3));
  add<<<(COUNT + 255) / 256, 256>>>(p, COUNT, 2);
  OK(cudaDeviceSynchronize());
  step_done();
  await_step();
  TRUE(all_are(p, 15));
  OK(cudaIpcCloseMemHandle(again));
  step_done();
  await_step();
  TRUE(all_are(p, 15)); // this process still has the memory
  OK(cudaIpcCloseMemHandle(p));
  INVALID(cudaIpcCloseMemHandle(p));
  INVALID(cudaMemset(p, 0, 4));
  memset(&handle, 1, sizeof handle);
  INVALID(cudaIpcOpenMemHandle((void **)&p, handle, cudaIpcMemLazyEnablePeerAccess));
  step_done();
}

static void shared_memory() { beside(owner, user); }

static cudaMemPoolProps exported_pool() {
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  props.location.type = cudaMemLocationTypeDevice;
  return props;
}

static void pool_owner() {
  int *p, file, types = 0;
  cudaMemPool_t pool, own, other;
  cudaMemPoolPtrExportData data;
  const cudaMemPoolProps props = exported_pool();
  OK(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
  TRUE(types & cudaMemHandleTypePosixFileDescriptor);
  OK(cudaMemPoolCreate(&pool, &props));
  OK(cudaDeviceGetDefaultMemPool(&own, 0));
  INVALID(cudaMemPoolExportToShareableHandle(&file, own, cudaMemHandleTypePosixFileDescriptor, 0));
  OK(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  put_file(file);
  close(file);
  OK(cudaMallocFromPoolAsync(&p, COUNT * 4, pool, nullptr));
  OK(cudaMemset(p, 0, COUNT * 4));
  add<<<(COUNT + 255) / 256, 256>>>(p, COUNT, 7);
  OK(cudaMemPoolExportPointer(&data, p));
  put(&data, sizeof data);
  OK(cudaMemPoolCreate(&other, &props));
  OK(cudaMemPoolExportToShareableHandle(&file, other, cudaMemHandleTypePosixFileDescriptor, 0));
  put_file(file);
  close(file);
  await_step();
  TRUE(all_are(p, 8));
  OK(cudaFreeAsync(p, nullptr));
  OK(cudaMemPoolDestroy(pool));
}

static void pool_user() {
  int *p;
  cudaMemPool_t pool, other;
  cudaMemPoolPtrExportData data;
  const int file = get_file();
  OK(cudaMemPoolImportFromShareableHandle(&pool, (void *)(intptr_t)file, cudaMemHandleTypePosixFileDescriptor,
                                          0));
  close(file);
  INVALID(cudaMallocFromPoolAsync(&p, 4, pool, nullptr)); // it gives only the other process's memory
  get(&data, sizeof data);
  const int other_file = get_file();
  OK(cudaMemPoolImportFromShareableHandle(&other, (void *)(intptr_t)other_file,
                                          cudaMemHandleTypePosixFileDescriptor, 0));
  close(other_file);
  INVALID(cudaMemPoolImportPointer((void **)&p, other, &data)); // not that pool's memory
  OK(cudaMemPoolImportPointer((void **)&p, pool, &data));
  TRUE(all_are(p, 7));
  add<<<(COUNT + 255) / 256, 256>>>(p, COUNT, 1);
  OK(cudaFreeAsync(p, nullptr));
  OK(cudaDeviceSynchronize());
  OK(cudaMemPoolDestroy(pool));
  step_done();
}

static void pools() { beside(pool_owner, pool_user); }

// Maps the memory of a handle, and frees what belongs to it.
enum : size_t { GRANULE = 2 << 20 };

static CUdeviceptr map(CUmemGenericAllocationHandle handle) {
  CUdeviceptr p = 0;
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  GOOD(cuMemAddressReserve(&p, GRANULE, 0, 0, 0));
  GOOD(cuMemMap(p, GRANULE, 0, handle, 0));
  GOOD(cuMemSetAccess(p, GRANULE, &access, 1));
  return p;
}

static void unmap(CUdeviceptr p) {
  GOOD(cuMemUnmap(p, GRANULE));
  GOOD(cuMemAddressFree(p, GRANULE));
}

static void physical_owner() {
  CUmemAllocationProp is = {};
  CUmemGenericAllocationHandle handle, again;
  int file;
  is.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  is.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  is.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  OK(cudaFree(nullptr));
  GOOD(cuMemCreate(&handle, GRANULE, &is, 0));
  const CUdeviceptr p = map(handle);
  GOOD(cuMemsetD32(p, 0, COUNT));
  add<<<(COUNT + 255) / 256, 256>>>((int *)p, COUNT, 4);
  GOOD(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  GOOD(cuMemImportFromShareableHandle(&again, (void *)(intptr_t)file,
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  TRUE(again == handle);
  GOOD(cuMemRelease(again));
  OK(cudaDeviceSynchronize());
  put_file(file);
  close(file);
  await_step();
  TRUE(all_are((int *)p, 9));
  unmap(p);
  GOOD(cuMemRelease(handle));
  BAD(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  step_done();
  await_step();
}

static void physical_user() {
  CUmemGenericAllocationHandle handle;
  CUmemAllocationProp is = {};
  OK(cudaFree(nullptr));
  const int file = get_file();
  GOOD(cuMemImportFromShareableHandle(&handle, (void *)(intptr_t)file,
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(file);
  GOOD(cuMemGetAllocationPropertiesFromHandle(&is, handle));
  TRUE(is.requestedHandleTypes == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  const CUdeviceptr p = map(handle);
  TRUE(all_are((int *)p, 4));
  add<<<(COUNT + 255) / 256, 256>>>((int *)p, COUNT, 5);
  OK(cudaDeviceSynchronize());
  step_done();
  await_step();
  TRUE(all_are((int *)p, 9)); // this process still has the memory
  unmap(p);
  GOOD(cuMemRelease(handle));
  step_done();
}

static void physical_memory() { beside(physical_owner, physical_user); }

int main() {
  return run_parts(
      {{"memory and events", shared_memory}, {"memory pools", pools}, {"physical memory", physical_memory}});
}
