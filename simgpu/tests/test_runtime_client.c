/* The client library against a device that misbehaves on request (runtime_fake_device.c). Check runs
 * each test in a process of its own, so each has its own connection. argv[1]: the fake device; argv[2]:
 * the toolkit's driver_types.h. */
#define _GNU_SOURCE
#include "../protocol.h"
#include "emulator.h"
#include "suite.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *);
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, struct CUstream_st *);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
cudaError_t __cudaGetKernel(cudaKernel_t *, const void *);
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t);

static const char *fake_device, *driver_types;

/* A container with one PTX entry for compute_80, as an object registers it. */
static unsigned char container[16 + 64 + 8] = {
    0x50,     0xed,      0x55,     0xba,      1,          0,   16,  0,   72, /* header */
    [16] = 1, [20] = 64, [24] = 8, [44] = 80, [80] = '.', 'v', 'e', 'r',     /* entry, text */
};
static struct {
  unsigned magic, version;
  void *data, *unused;
} wrapper = {0x466243B1, 1, container, NULL};
static char stub, shadow; /* stand for a kernel's stub and a variable's host copy */
static void **module;

static FILE *errors; /* what was written to standard error */

static void set_up(void) {
  setenv(SIM_ENV_DEVICE, fake_device, 1);
  unsetenv(SIM_ENV_SOCKET);
  unsetenv("SIMGPU_FAKE");
  alarm(20); /* a hang is a failure */
  errors = tmpfile();
  dup2(fileno(errors), STDERR_FILENO);
  module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, &stub, &stub, "kernel", -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterVar(module, &shadow, &shadow, "variable", 0, 64, 0, 0);
}

static const char *said(void) {
  static char text[4096];
  fflush(stderr);
  rewind(errors);
  text[fread(text, 1, sizeof text - 1, errors)] = '\0';
  return text;
}

static int lines_said(void) {
  int lines = 0;
  for (const char *at = said(); *at; at++)
    lines += *at == '\n';
  return lines;
}

#define EXPECT(call, expected)                                                                               \
  do {                                                                                                       \
    cudaError_t got_ = (call);                                                                               \
    ck_assert_msg(got_ == (expected), "%s gave %s", #call, cudaGetErrorName(got_));                          \
  } while (0)
#define OK(call) EXPECT(call, cudaSuccess)

static cudaError_t launch_threads(unsigned threads) {
  unsigned long long a = 0x1122334455667788;
  unsigned b = 0x99aabbcc;
  unsigned char c = 0xdd;
  void *arguments[] = {&a, &b, &c};
  return cudaLaunchKernel(&stub, (dim3){2, 1, 1}, (dim3){threads, 1, 1}, arguments, 0, 0);
}

static cudaError_t launch(void) { return launch_threads(32); }

static void fake(unsigned type, const char *what, unsigned long number) {
  char text[64];
  snprintf(text, sizeof text, "%u %s %lu", type, what, number);
  setenv("SIMGPU_FAKE", text, 1);
}

/* Device processes that are this process's children. */
static int children(void) {
  int status, count = 0;
  char path[64], text[4096] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "r");
  if (file) {
    for (char *at = text; fscanf(file, "%d", &status) == 1; at++)
      count++;
    fclose(file);
  }
  return count;
}

START_TEST(starts_nothing_unasked) {
  int count;
  OK(cudaGetLastError());
  OK(cudaRuntimeGetVersion(&count));
  ck_assert_int_eq(children(), 0);
  OK(cudaGetDeviceCount(&count));
  ck_assert_int_eq(count, 1);
  ck_assert_int_eq(children(), 1);
}
END_TEST

START_TEST(parameters_arrive_packed) {
  const unsigned char expected[] = {0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0xcc,
                                    0xbb, 0xaa, 0x99, 0,    0,    0,    0,    0xdd};
  unsigned char got[sizeof expected];
  OK(launch());
  OK(cudaMemcpy(got, (void *)SIM_ADDRESS_FIRST, sizeof got, cudaMemcpyDeviceToHost));
  ck_assert_mem_eq(got, expected, sizeof got);
}
END_TEST

START_TEST(stubs_launch) {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  cudaKernel_t kernel;
  unsigned char value = 0;
  unsigned long long a = 0xab;
  void *arguments[] = {&a, &value, &value};
  unsigned words[1] = {0};
  arguments[1] = words;
  EXPECT(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
  ck_assert_uint_eq(__cudaPushCallConfiguration((dim3){1, 2, 3}, (dim3){4, 5, 6}, 7, NULL), 0);
  ck_assert_uint_eq(__cudaPushCallConfiguration((dim3){8, 1, 1}, (dim3){9, 1, 1}, 0, cudaStreamPerThread), 0);
  OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  ck_assert(grid.x == 8 && block.x == 9 && shared == 0 && stream == cudaStreamPerThread);
  OK(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
  ck_assert(grid.z == 3 && block.z == 6 && shared == 7 && stream == NULL);
  OK(__cudaGetKernel(&kernel, &stub));
  ck_assert_int_eq(children(), 0);
  OK(__cudaLaunchKernel(kernel, grid, block, arguments, 0, 0));
  OK(cudaMemcpy(&value, (void *)SIM_ADDRESS_FIRST, 1, cudaMemcpyDeviceToHost));
  ck_assert_uint_eq(value, 0xab);
  EXPECT(__cudaLaunchKernel(NULL, grid, block, arguments, 0, 0), cudaErrorInvalidDeviceFunction);
  EXPECT(cudaLaunchKernel(&value, grid, block, arguments, 0, 0), cudaErrorInvalidResourceHandle);
}
END_TEST

START_TEST(closed_library_is_forgotten) {
  OK(launch());
  __cudaUnregisterFatBinary(module);
  EXPECT(launch(), cudaErrorInvalidResourceHandle);
  set_up();
  OK(launch());
}
END_TEST

START_TEST(rows_of_any_pitch) {
  enum { ROWS = 200, WIDTH = 5, HOST = 9, DEVICE = 13 }; /* more rows than one system call takes */
  char out[ROWS * HOST], in[ROWS * HOST], flat[ROWS * DEVICE];
  void *memory;
  OK(cudaMalloc(&memory, sizeof flat));
  for (int i = 0; i < ROWS * HOST; i++)
    out[i] = (char)(i * 31);
  memset(in, 1, sizeof in);
  OK(cudaMemcpy2D(memory, DEVICE, out, HOST, WIDTH, ROWS, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2D(in, HOST, memory, DEVICE, WIDTH, ROWS, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(flat, memory, sizeof flat, cudaMemcpyDeviceToHost));
  for (int row = 0; row < ROWS; row++) {
    ck_assert_mem_eq(in + row * HOST, out + row * HOST, WIDTH);
    ck_assert_mem_eq(flat + row * DEVICE, out + row * HOST, WIDTH);
    ck_assert_int_eq(in[row * HOST + WIDTH], 1);
  }
}
END_TEST

static const struct {
  enum sim_status status;
  cudaError_t error;
} faults[] = {
    {SIM_FAULT_ADDRESS, cudaErrorIllegalAddress}, {SIM_FAULT_MISALIGNED, cudaErrorMisalignedAddress},
    {SIM_FAULT_TRAP, cudaErrorLaunchFailure},     {SIM_FAULT_ASSERT, cudaErrorAssert},
    {SIM_FAULT_LAUNCH, cudaErrorLaunchFailure},   {SIM_FAULT_NO_PROGRESS, cudaErrorLaunchTimeout},
};

START_TEST(fault_comes_late_and_stays) {
  cudaError_t error = faults[_i].error;
  void *memory;
  char byte = 1;
  fake(SIM_LAUNCH, "status", faults[_i].status);
  OK(cudaMalloc(&memory, 16));
  OK(launch());
  OK(cudaGetLastError());
  OK(launch());
  OK(cudaMemcpyAsync(&byte, memory, 1, cudaMemcpyDeviceToHost, 0)); /* queued after the fault: dropped */
  ck_assert_int_eq(byte, 1);
  EXPECT(cudaDeviceSynchronize(), error);
  EXPECT(cudaGetLastError(), error);
  OK(cudaGetLastError());
  EXPECT(cudaMalloc(&memory, 16), error);
  EXPECT(launch(), error);
  EXPECT(cudaPeekAtLastError(), error);
  EXPECT(cudaFree(memory), error);
}
END_TEST

static const struct {
  enum sim_status status;
  cudaError_t error;
} refusals[] = {
    {SIM_INVALID_VALUE, cudaErrorInvalidValue},
    {SIM_BAD_PTX, cudaErrorInvalidPtx},
    {SIM_INVALID_LAUNCH, cudaErrorInvalidValue},
    {SIM_TOO_MANY_RESOURCES, cudaErrorInvalidValue},
};

START_TEST(refused_launch_is_told_at_once_and_forgotten) {
  fake(SIM_LAUNCH, "status", refusals[_i].status);
  EXPECT(launch_threads(2000),
         refusals[_i].error); /* too large for the limits, so the client waits for the refusal */
  EXPECT(cudaGetLastError(), refusals[_i].error);
  OK(cudaDeviceSynchronize());
  OK(cudaGetLastError());
}
END_TEST

START_TEST(a_device_may_not_refuse_what_is_within_its_limits) {
  fake(SIM_LAUNCH, "status", refusals[_i].status);
  OK(launch());
  EXPECT(cudaDeviceSynchronize(), cudaErrorDevicesUnavailable);
  ck_assert_str_eq(said(), "simgpu: malformed reply from the device process: refusal of queued work\n");
}
END_TEST

static const enum sim_request queued[] = {SIM_LAUNCH, SIM_SET, SIM_COPY, SIM_WRITE};

static cudaError_t queue(enum sim_request type, char *memory) {
  switch (type) {
  case SIM_SET:
    return cudaMemset2D(memory, 16, 3, 8, 2);
  case SIM_COPY:
    return cudaMemcpyAsync(memory, memory + 32, 32, cudaMemcpyDeviceToDevice, 0);
  case SIM_WRITE:
    return cudaMemcpy2DAsync(memory, 32, "abcdefgh", 4, 3, 2, cudaMemcpyHostToDevice, 0);
  default:
    return launch();
  }
}

/* The device would never answer if one of them waited for queued work first. */
START_TEST(work_waits_for_nothing_and_a_copy_for_one_exchange) {
  enum { LENGTH = 100 };
  char byte;
  void *memory;
  fake(queued[_i], "hold", LENGTH);
  OK(cudaMalloc(&memory, 64));
  for (int i = 0; i < LENGTH; i++)
    OK(queue(queued[_i], memory));
  OK(cudaGetLastError());
  OK(cudaPeekAtLastError());
  OK(cudaMemcpy(&byte, (void *)SIM_ADDRESS_FIRST, 1, cudaMemcpyDeviceToHost));
}
END_TEST

START_TEST(bad_ptx_is_uploaded_once) {
  fake(SIM_MODULE_LOAD, "status", SIM_BAD_PTX);
  EXPECT(launch(), cudaErrorInvalidPtx);
  EXPECT(launch(), cudaErrorInvalidPtx);
  OK(cudaDeviceSynchronize());
}
END_TEST

START_TEST(containers_are_explained) {
  static const struct {
    int offset, value;
    cudaError_t error;
    const char *line;
  } cases[] = {
      {57, 0x80, cudaErrorNoKernelImageForDevice, "compressed PTX: compile it with nvcc -no-compress"},
      {16, 2, cudaErrorNoKernelImageForDevice,
       "no PTX: compile it with nvcc -gencode arch=compute_80,code=compute_80"},
      {44, 120, cudaErrorNoKernelImageForDevice,
       "PTX for compute_120, newer than the device's compute_90: compile"},
      {0, 0, cudaErrorInvalidKernelImage,
       "device code in an unknown format: expected the output of nvcc 12 or 13"},
  };
  container[cases[_i].offset] = (unsigned char)cases[_i].value;
  EXPECT(launch(), cases[_i].error);
  EXPECT(launch(), cases[_i].error);
  ck_assert_msg(strstr(said(), cases[_i].line) && strstr(said(), "'variable'") == NULL, "said: %s", said());
  ck_assert_int_eq(lines_said(), 1);
  OK(cudaDeviceSynchronize());
}
END_TEST

static cudaError_t use_texture(void *memory) {
  const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  const struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear,
                                            .res.linear = {memory, format, 64}};
  const struct cudaTextureDesc reads = {.sRGB = 0};
  cudaTextureObject_t texture = 0;
  cudaError_t error = cudaCreateTextureObject(&texture, &resource, &reads, NULL);
  return error ? error : cudaDestroyTextureObject(texture);
}

/* A conditional node whose body does not run. The functions are those of CUDA 13. */
#if CUDART_VERSION >= 13000
enum { WITHOUT_CONDITIONS = false };

static cudaError_t launch_conditional(cudaGraph_t graph) {
  struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeConditional,
                                       .conditional = {.type = cudaGraphCondTypeIf, .size = 1}};
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  cudaError_t error = cudaGraphConditionalHandleCreate(&params.conditional.handle, graph, 0, 0);
  if (!error)
    error = cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params);
  if (!error)
    error = cudaGraphInstantiate(&exec, graph, 0);
  if (error)
    return error;
  error = cudaGraphLaunch(exec, NULL);
  const cudaError_t later = cudaGraphExecDestroy(exec);
  return error ? error : later;
}

static cudaError_t use_condition(void) {
  cudaGraph_t graph;
  cudaError_t error = cudaGraphCreate(&graph, 0);
  if (error)
    return error;
  error = launch_conditional(graph);
  const cudaError_t later = cudaGraphDestroy(graph);
  return error ? error : later;
}
#else
enum { WITHOUT_CONDITIONS = true };
static cudaError_t use_condition(void) { return cudaSuccess; }
#endif

/* Memory that the program maps itself. */
static CUresult use_virtual(void) {
  const CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                          .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                          .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 0}};
  const CUmemAccessDesc access = {.location = properties.location,
                                  .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUdeviceptr address;
  CUmemGenericAllocationHandle handle;
  unsigned long long flags;
  CUresult error = cuMemAddressReserve(&address, SIM_GRANULE, 0, 0, 0);
  if (!error)
    error = cuMemCreate(&handle, SIM_GRANULE, &properties, 0);
  if (!error)
    error = cuMemMap(address, SIM_GRANULE, 0, handle, 0);
  if (!error)
    error = cuMemSetAccess(address, SIM_GRANULE, &access, 1);
  if (!error)
    error = cuMemGetAccess(&flags, &access.location, address);
  if (!error)
    error = cuMemRetainAllocationHandle(&handle, (void *)(uintptr_t)address);
  if (!error)
    error = cuMemRelease(handle);
  if (!error)
    error = cuMemUnmap(address, SIM_GRANULE);
  return error ? error : cuMemAddressFree(address, SIM_GRANULE);
}

/* An object of the host's side, which is counted. */
static cudaError_t use_event(void) {
  cudaEvent_t event;
  cudaError_t error = cudaEventCreate(&event);
  return error ? error : cudaEventDestroy(event);
}

/* Without managed memory in this process, nothing. */
static cudaError_t use_managed(void) {
  void *memory = NULL;
  int supported = 0;
  cudaError_t error = cudaDeviceGetAttribute(&supported, cudaDevAttrManagedMemory, 0);
  if (!error && supported)
    error = cudaMallocManaged(&memory, 64, cudaMemAttachGlobal);
  return error || !memory ? error : cudaFree(memory);
}

/* Kernels need not reach it; so the next call tells of a lost device. */
static cudaError_t use_pinned(void) {
  void *memory;
  const cudaError_t error = cudaMallocHost(&memory, 64);
  return error ? error : cudaFreeHost(memory);
}

/* Of a module that the program loads itself, the client lists the managed variables. */
static cudaError_t use_image(void) {
  CUmodule module;
  const CUresult error = cuModuleLoadData(&module, ".version 7.0\n.target sm_80\n");
  return (cudaError_t)(error ? error : cuModuleUnload(module));
}

/* One call of each kind of request; the error of the first that fails. */
static cudaError_t use_everything(void) {
  void *memory = NULL;
  char bytes[64];
  size_t size;
  struct cudaPointerAttributes attributes;
  cudaError_t error = cudaMalloc(&memory, 64);
  if (!error)
    error = cudaMemset(memory, 0, 64);
  if (!error)
    error = cudaMemcpy(memory, bytes, 64, cudaMemcpyHostToDevice);
  if (!error)
    error = cudaMemcpy(bytes, memory, 64, cudaMemcpyDeviceToHost);
  if (!error)
    error = cudaMemcpy(memory, memory, 8, cudaMemcpyDeviceToDevice);
  if (!error)
    error = cudaPointerGetAttributes(&attributes, memory);
  if (!error)
    error = cudaMemGetInfo(&size, &size);
  if (!error)
    error = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
  if (!error)
    error = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1000);
  if (!error)
    error = cudaGetSymbolSize(&size, &shadow);
  if (!error)
    error = cudaFuncSetAttribute(&stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000);
  if (!error)
    error = launch();
  if (!error)
    error = cudaDeviceSynchronize();
  if (!error)
    error = use_texture(memory);
  if (!error)
    error = use_condition();
  if (!error)
    error = use_event();
  if (!error)
    error = use_managed();
  if (!error)
    error = use_pinned();
  if (!error)
    error = (cudaError_t)use_virtual();
  if (!error)
    error = use_image();
  if (!error)
    error = cudaFree(memory);
  return error ? error : cudaDeviceReset();
}

START_TEST(everything_works) {
  OK(use_everything());
  ck_assert_str_eq(said(), "");
}
END_TEST

/* What happens instead of the reply, from SIM_MODULE_LOAD on. */
static const struct {
  const char *what;
  unsigned long number;
  const char *line;
} mishaps[] = {
    {"kill", SIGKILL, "simgpu: the device process ended (killed by signal 9)\n"},
    {"exit", 3, "simgpu: the device process ended (exit status 3)\n"},
    {"exit", 0, "simgpu: the device process ended\n"},
    {"type", 99, "simgpu: malformed reply from the device process: header\n"},
    {"status", SIM_STATUSES, "simgpu: malformed reply from the device process: header\n"},
    {"length", SIM_MAX_MESSAGE + 1, "simgpu: malformed reply from the device process: header\n"},
    {"length", 7, "simgpu: malformed reply from the device process: "},
    {"data", 8, "simgpu: malformed reply from the device process: failure with data\n"},
};
enum { MISHAPS = sizeof mishaps / sizeof *mishaps, FIRST_REQUEST = SIM_MODULE_LOAD };

START_TEST(lost_device_is_told_once) {
  unsigned type = FIRST_REQUEST + (unsigned)_i / MISHAPS;
  int mishap = _i % MISHAPS;
  void *memory;
  if (type == SIM_LAUNCH && mishap >= MISHAPS - 2)
    return; /* a launch's text has any length, and may come with a failure */
  if (type == SIM_LIST && mishap == MISHAPS - 2)
    return; /* names have any length, too */
  if (WITHOUT_CONDITIONS && (type == SIM_CONDITION_SET || type == SIM_CONDITION_GET))
    return;
#if defined(__SANITIZE_ADDRESS__) /* its shadow memory occupies the addresses that both sides would share */
  if (type == SIM_SHARE)
    return;
#endif
  fake(type, mishaps[mishap].what, mishaps[mishap].number);
  cudaError_t error = use_everything();
  ck_assert_msg(error != cudaSuccess || type == SIM_RANGE_FIND, "request %u, %s: no error", type,
                mishaps[mishap].what);
  for (int again = 0; again < 3; again++) {
    EXPECT(cudaMalloc(&memory, 16), cudaErrorDevicesUnavailable);
    EXPECT(launch(), cudaErrorDevicesUnavailable);
    EXPECT(cudaDeviceSynchronize(), cudaErrorDevicesUnavailable);
  }
  ck_assert_msg(!strncmp(said(), mishaps[mishap].line, strlen(mishaps[mishap].line)), "request %u said: %s",
                type, said());
  ck_assert_int_eq(lines_said(), 1);
}
END_TEST

START_TEST(hello_goes_wrong) {
  static const struct {
    const char *what;
    unsigned long number;
    const char *line;
  } cases[] = {
      {"version", SIM_PROTOCOL_VERSION + 1, "does not speak version 11 of the protocol"},
      {"status", SIM_INVALID_VALUE, "does not speak version 11 of the protocol"},
      {"length", 8, "malformed reply from the device process: hello"},
      {"kill", SIGSEGV, "the device process ended (killed by signal 11)"},
  };
  int count;
  if (strcmp(cases[_i].what, "kill") == 0 && !emulator_permits(emulator_tells_of_signals()))
    return;
  fake(SIM_HELLO, cases[_i].what, cases[_i].number);
  EXPECT(cudaGetDeviceCount(&count), cudaErrorInitializationError);
  EXPECT(cudaDeviceSynchronize(), cudaErrorInitializationError);
  ck_assert_msg(strstr(said(), cases[_i].line), "said: %s", said());
  ck_assert_int_eq(lines_said(), 1);
}
END_TEST

START_TEST(kernel_description_lies) {
  static const struct {
    const char *what;
    unsigned long number;
  } lies[] = {{"count", 2},
              {"count", UINT32_MAX},
              {"count", SIM_MAX_PARAMS + 1},
              {"offset", 17},
              {"offset", UINT32_MAX}};
  fake(SIM_KERNEL_FIND, lies[_i].what, lies[_i].number);
  EXPECT(launch(), cudaErrorDevicesUnavailable);
  ck_assert_msg(strstr(said(), "malformed reply from the device process: kernel parameters"), "said: %s",
                said());
}
END_TEST

START_TEST(device_cannot_start) {
  int count;
  if (!emulator_permits(emulator_hides_failed_start()))
    return;
  setenv(SIM_ENV_DEVICE, _i ? "/" : "/nowhere/simgpu-device", 1);
  EXPECT(cudaGetDeviceCount(&count), cudaErrorInitializationError);
  EXPECT(cudaGetDeviceCount(&count), cudaErrorInitializationError);
  ck_assert_msg(strstr(said(), "simgpu: cannot start the device '/"), "said: %s", said());
  ck_assert_int_eq(lines_said(), 1);
  ck_assert_int_eq(children(), 0);
}
END_TEST

START_TEST(inherited_socket) {
  int ends[2], count;
  char number[16];
  ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  pid_t device = fork();
  if (device == 0) {
    close(ends[0]);
    snprintf(number, sizeof number, "%d", ends[1]);
    execl(fake_device, fake_device, number, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  snprintf(number, sizeof number, "%d", ends[0]);
  setenv(SIM_ENV_SOCKET, number, 1);
  OK(use_everything());
  ck_assert_int_eq(children(), 1); /* only our own */
  kill(device, SIGKILL);
  waitpid(device, NULL, 0);
  EXPECT(cudaMemGetInfo(NULL, NULL), cudaErrorDevicesUnavailable);
  ck_assert_str_eq(said(), "simgpu: the device process ended\n");
  OK(cudaGetDeviceCount(&count));
}
END_TEST

START_TEST(bad_socket_number) {
  static const char *const texts[] = {"77", "x", "3x", "-1", "99999999999", "0"};
  int count, null = open("/dev/null", O_RDONLY);
  dup2(null, 0); /* open, but no socket */
  setenv(SIM_ENV_SOCKET, texts[_i], 1);
  EXPECT(cudaGetDeviceCount(&count), cudaErrorInitializationError);
  ck_assert_msg(strstr(said(), "is not the number of an open socket"), "said: %s", said());
}
END_TEST

/* A child of this process runs `body` with standard output into a pipe; returns what it printed and its status. */
static const char *output_of(void (*body)(void), int *status) {
  static char text[4096];
  int ends[2];
  size_t size = 0;
  ck_assert_int_eq(pipe(ends), 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    body();
    exit(0);
  }
  close(ends[1]);
  /* ends only when no process, not even the device, holds the pipe */
  for (ssize_t count; (count = read(ends[0], text + size, sizeof text - 1 - size)) > 0;)
    size += (size_t)count;
  text[size] = '\0';
  close(ends[0]);
  waitpid(child, status, 0);
  return text;
}

static void print_and_synchronise(void) {
  launch();
  launch();
  puts("launched");
  cudaDeviceSynchronize();
  puts("synchronised");
  launch();
}

static void print_and_fault(void) {
  fake(SIM_LAUNCH, "status", SIM_FAULT_TRAP);
  launch();
  launch(); /* dropped */
  exit(cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 5 : 6);
}

/* The text of one launch has arrived, and that of another is on its way. */
static void print_and_fork(void) {
  void *memory;
  launch();
  cudaMalloc(&memory, 16);
  launch();
  if (fork() == 0)
    exit(0);
  wait(NULL);
}

START_TEST(kernels_print_when_synchronised_and_at_exit) {
  int status;
  ck_assert_str_eq(output_of(print_and_synchronise, &status),
                   "launched\nhello from a kernel\nhello from a kernel\nsynchronised\nhello from a kernel\n");
  ck_assert_int_eq(status, 0);
  ck_assert_str_eq(output_of(print_and_fault, &status), "hello from a kernel\n");
  ck_assert_int_eq(WEXITSTATUS(status), 5);
  ck_assert_str_eq(output_of(print_and_fork, &status), "hello from a kernel\nhello from a kernel\n");
}
END_TEST

static void use_and_exit(void) {
  int count;
  cudaGetDeviceCount(&count);
}

/* The device has a limited time to finish its files. */
START_TEST(exit_waits_for_the_device) {
  static const struct {
    unsigned long linger;
    int least, most;
  } cases[] = {{1, 1, 6}, {60, 5, 20}}; /* seconds, on a busy machine too */
  int status;
  fake(0, "linger", cases[_i].linger);
  time_t start = time(NULL);
  output_of(use_and_exit, &status);
  double seconds = difftime(time(NULL), start);
  ck_assert_int_eq(status, 0);
  ck_assert_msg(cases[_i].least <= seconds && seconds <= cases[_i].most, "took %g s", seconds);
}
END_TEST

START_TEST(program_keeps_its_descriptors) {
  int count, ends[2], sockets = 0;
  struct stat status;
  ck_assert_int_eq(pipe(ends), 0);
  OK(cudaGetDeviceCount(&count));
  for (int fd = 3; fd < 64; fd++)
    if (!fstat(fd, &status) && S_ISSOCK(status.st_mode)) {
      ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
      sockets++;
    }
  ck_assert_int_eq(sockets, 1);
  /* the device has no copy of our pipe's writing end */
  close(ends[1]);
  ck_assert_int_eq(read(ends[0], &count, 1), 0);
}
END_TEST

START_TEST(device_addresses_are_taken) {
  void *memory;
  OK(cudaMalloc(&memory, 16));
  const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
  void *page = mmap((void *)(SIM_ADDRESS_LAST - bytes), bytes, PROT_READ,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  ck_assert_ptr_eq(page, MAP_FAILED);
}
END_TEST

START_TEST(names_that_the_device_does_not_know) {
  size_t size;
  fake(_i ? SIM_SYMBOL_FIND : SIM_KERNEL_FIND, "status", SIM_NOT_FOUND);
  EXPECT(launch(), _i ? cudaSuccess : cudaErrorInvalidDeviceFunction);
  EXPECT(cudaGetSymbolSize(&size, &shadow), _i ? cudaErrorInvalidSymbol : cudaSuccess);
}
END_TEST

/* 40 registers for each of 256 threads: 12 warps on each of 4 partitions, 6 blocks of 8 warps. */
START_TEST(registers_limit_occupancy) {
  int blocks;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &stub, 256, 0));
  ck_assert_int_eq(blocks, 6);
}
END_TEST

START_TEST(device_reaches_pinned_memory) {
  struct cudaPointerAttributes attributes;
  void *memory;
  OK(cudaMallocHost(&memory, 16));
  OK(cudaPointerGetAttributes(&attributes, memory));
  ck_assert_int_eq(attributes.type, cudaMemoryTypeHost);
  ck_assert_ptr_eq(attributes.devicePointer, memory);
  OK(cudaFreeHost(memory));
}
END_TEST

START_TEST(fork_child_has_no_device) {
  void *memory;
  int status;
  OK(cudaMalloc(&memory, 16));
  if (fork() == 0) {
    bool right = cudaMalloc(&memory, 16) == cudaErrorInitializationError &&
                 launch() == cudaErrorInitializationError && children() == 0;
    exit(right ? 0 : 1);
  }
  wait(&status);
  ck_assert_int_eq(status, 0);
  OK(launch());
  OK(cudaFree(memory));
}
END_TEST

START_TEST(host_access_to_device_memory_faults) {
  volatile char *memory;
  OK(cudaMalloc((void **)&memory, 16));
  memory[0] = 1;
}
END_TEST

START_TEST(bad_host_pointer_faults) {
  void *memory;
  OK(cudaMalloc(&memory, 16));
  cudaMemcpy(memory, (void *)8, 16, cudaMemcpyHostToDevice);
}
END_TEST

static void *many_calls(void *failed) {
  void *memory;
  for (int i = 0; i < 200; i++)
    if (cudaMalloc(&memory, 64) || launch() || cudaMemset(memory, 0, 64) || cudaFree(memory))
      *(int *)failed = 1;
  return NULL;
}

START_TEST(threads_share_the_device) {
  pthread_t threads[4];
  int failed[4] = {0};
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, many_calls, &failed[i]);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    ck_assert_int_eq(failed[i], 0);
  }
  /* The kernel makes the child of a thread one of the first thread only after the join. */
  for (int i = 0; i < 1000 && children() == 0; i++)
    usleep(1000);
  ck_assert_int_eq(children(), 1);
}
END_TEST

static void *fail_in_thread(void *unused) {
  (void)unused;
  cudaFreeHost(&stub);
  return cudaPeekAtLastError() == cudaErrorInvalidValue ? &stub : NULL;
}

START_TEST(last_error_is_per_thread) {
  pthread_t thread;
  void *right;
  pthread_create(&thread, NULL, fail_in_thread, NULL);
  pthread_join(thread, &right);
  ck_assert_ptr_nonnull(right);
  OK(cudaGetLastError());
}
END_TEST

START_TEST(events_show_modelled_time) {
  cudaEvent_t start, end;
  float milliseconds;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&end));
  OK(launch());
  OK(cudaEventRecord(start, 0));
  for (int i = 0; i < 250; i++)
    OK(launch()); /* 1000 ns each */
  OK(cudaEventRecord(end, 0));
  OK(cudaEventElapsedTime(&milliseconds, start, end));
  ck_assert_float_eq(milliseconds, 0.25f);
  OK(cudaEventElapsedTime(&milliseconds, end, start));
  ck_assert_float_eq(milliseconds, -0.25f);
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(end));
}
END_TEST

/* Functions that an object compiled by CUDA 12 calls, under names that CUDA 13 no longer declares. */
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaEventElapsedTime_v2(float *, cudaEvent_t, cudaEvent_t);

START_TEST(names_of_older_toolkits) {
  cudaEvent_t start, end;
  float milliseconds;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&end));
  OK(launch()); /* through cudaLaunchKernel(), as in the stubs of nvcc 12 */
  OK(cudaEventRecord(start, 0));
  OK(launch());
  OK(cudaEventRecord(end, 0));
  OK(cudaThreadSynchronize());
  OK(cudaEventElapsedTime_v2(&milliseconds, start, end));
  ck_assert_float_eq(milliseconds, 0.001f);
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(end));
  OK(cudaThreadExit());
}
END_TEST

START_TEST(unsupported_is_said_once) {
  EXPECT(cudaGraphicsUnregisterResource(NULL), cudaErrorNotSupported);
  EXPECT(cudaGraphicsUnregisterResource(NULL), cudaErrorNotSupported);
  EXPECT(cudaGetLastError(), cudaErrorNotSupported);
  ck_assert_str_eq(said(), "simgpu: cudaGraphicsUnregisterResource is not supported\n");
}
END_TEST

static cudaError_t new_array(unsigned flags) {
  cudaArray_t array;
  const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  return cudaMalloc3DArray(&array, &format, (struct cudaExtent){8, 8, 6}, flags);
}
static cudaError_t new_sparse_array(void) { return new_array(cudaArraySparse); }
static cudaError_t new_sparse_mipmap(void) {
  cudaMipmappedArray_t mipmap;
  const struct cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  return cudaMallocMipmappedArray(&mipmap, &format, (struct cudaExtent){8, 8, 0}, 2, cudaArraySparse);
}
static cudaError_t new_deferred_array(void) { return new_array(cudaArrayDeferredMapping); }

static cudaError_t new_texture(enum cudaResourceType type, int srgb,
                               enum cudaResourceViewFormat view_format) {
  cudaTextureObject_t texture;
  const struct cudaResourceDesc resource = {
      .resType = type,
      .res.linear = {
          .devPtr = &texture, .desc = {8, 0, 0, 0, cudaChannelFormatKindUnsigned}, .sizeInBytes = 8}};
  const struct cudaTextureDesc reads = {.sRGB = srgb};
  const struct cudaResourceViewDesc view = {.format = view_format};
  return cudaCreateTextureObject(&texture, &resource, &reads, &view);
}
static cudaError_t new_srgb_texture(void) {
  return new_texture(cudaResourceTypeLinear, 1, cudaResViewFormatNone);
}
static cudaError_t new_viewed_texture(void) {
  return new_texture(cudaResourceTypeLinear, 0, cudaResViewFormatUnsignedChar1);
}

static cudaError_t new_device_graph(void) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  EXPECT(cudaGraphCreate(&graph, 0), cudaSuccess);
  return cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch);
}

static const struct {
  cudaError_t (*call)(void);
  const char *name;
} unsupported_arguments[] = {{new_sparse_array, "a sparse array"},
                             {new_sparse_mipmap, "a sparse array"},
                             {new_deferred_array, "an array with deferred mapping"},
                             {new_srgb_texture, "a texture object with sRGB"},
                             {new_viewed_texture, "a texture object with another view of its resource"},
                             {new_device_graph, "a graph that is launched by the device"}};

START_TEST(unsupported_arguments_are_named) {
  char line[128];
  EXPECT(unsupported_arguments[_i].call(), cudaErrorNotSupported);
  EXPECT(cudaGetLastError(), cudaErrorNotSupported);
  snprintf(line, sizeof line, "simgpu: %s is not supported\n", unsupported_arguments[_i].name);
  ck_assert_str_eq(said(), line);
}
END_TEST

START_TEST(every_error_has_its_name) {
  char line[512], name[128];
  int code, found = 0;
  FILE *file = fopen(driver_types, "r");
  ck_assert_ptr_nonnull(file);
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, " %127[A-Za-z] = %d", name, &code) != 2 ||
        (strncmp(name, "cudaError", 9) != 0 && strcmp(name, "cudaSuccess") != 0))
      continue;
    if (!strcmp(name, "cudaErrorApiFailureBase"))
      continue; /* not an error: the base of older codes */
    ck_assert_str_eq(cudaGetErrorName((cudaError_t)code), name);
    ck_assert_str_ne(cudaGetErrorString((cudaError_t)code), "unrecognized error code");
    found++;
  }
  fclose(file);
  ck_assert_int_gt(found, 100);
  ck_assert_str_eq(cudaGetErrorName((cudaError_t)-1), "unrecognized error code");
}
END_TEST

static Suite *client_suite(void) {
  TCase *tests = tcase_create("client");
  tcase_add_checked_fixture(tests, set_up, NULL);
  tcase_set_timeout(tests, 30);
  tcase_add_test(tests, starts_nothing_unasked);
  tcase_add_test(tests, parameters_arrive_packed);
  tcase_add_test(tests, stubs_launch);
  tcase_add_test(tests, closed_library_is_forgotten);
  tcase_add_test(tests, rows_of_any_pitch);
  tcase_add_loop_test(tests, fault_comes_late_and_stays, 0, sizeof faults / sizeof *faults);
  tcase_add_loop_test(tests, refused_launch_is_told_at_once_and_forgotten, 0,
                      sizeof refusals / sizeof *refusals);
  tcase_add_loop_test(tests, a_device_may_not_refuse_what_is_within_its_limits, 0,
                      sizeof refusals / sizeof *refusals);
  tcase_add_loop_test(tests, work_waits_for_nothing_and_a_copy_for_one_exchange, 0,
                      sizeof queued / sizeof *queued);
  tcase_add_test(tests, bad_ptx_is_uploaded_once);
  tcase_add_loop_test(tests, containers_are_explained, 0, 4);
  tcase_add_test(tests, everything_works);
  tcase_add_loop_test(tests, lost_device_is_told_once, 0, (SIM_REQUESTS - FIRST_REQUEST) * MISHAPS);
  tcase_add_loop_test(tests, hello_goes_wrong, 0, 4);
  tcase_add_loop_test(tests, kernel_description_lies, 0, 5);
  tcase_add_loop_test(tests, device_cannot_start, 0, 2);
  tcase_add_test(tests, inherited_socket);
  tcase_add_loop_test(tests, bad_socket_number, 0, 6);
  tcase_add_test(tests, kernels_print_when_synchronised_and_at_exit);
  tcase_add_loop_test(tests, exit_waits_for_the_device, 0, 2);
  tcase_add_test(tests, program_keeps_its_descriptors);
  tcase_add_test(tests, device_addresses_are_taken);
  tcase_add_loop_test(tests, names_that_the_device_does_not_know, 0, 2);
  tcase_add_test(tests, registers_limit_occupancy);
  tcase_add_test(tests, device_reaches_pinned_memory);
  tcase_add_test(tests, fork_child_has_no_device);
  tcase_add_test_raise_signal(tests, host_access_to_device_memory_faults, SIGSEGV);
  tcase_add_test_raise_signal(tests, bad_host_pointer_faults, SIGSEGV);
  tcase_add_test(tests, threads_share_the_device);
  tcase_add_test(tests, last_error_is_per_thread);
  tcase_add_test(tests, events_show_modelled_time);
  tcase_add_test(tests, names_of_older_toolkits);
  tcase_add_test(tests, unsupported_is_said_once);
  tcase_add_loop_test(tests, unsupported_arguments_are_named, 0,
                      sizeof unsupported_arguments / sizeof *unsupported_arguments);
  tcase_add_test(tests, every_error_has_its_name);
  Suite *suite = suite_create("runtime_client");
  suite_add_tcase(suite, tests);
  return suite;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s fake-device driver_types.h\n", argv[0]);
    return 2;
  }
  fake_device = argv[1];
  driver_types = argv[2];
  return suite_run(client_suite());
}
