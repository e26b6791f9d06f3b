/* Launches: the calls that <<<>>> compiles to, the explicit calls, and host functions in a stream. */
#include "api.h"

#include "../capture.h"
#include "../devices.h"
#include "../explain.h"
#include "../registry.h"
#include "../stream.h"
#include "../tally.h"

#include <string.h>

struct configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};

/* The arguments of a launch may themselves launch, so configurations nest. */
enum { MAX_NESTED_LAUNCHES = 16 };
static _Thread_local struct configuration pushed[MAX_NESTED_LAUNCHES];
static _Thread_local unsigned pushed_count;

/* A result other than 0 makes the caller skip the launch. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream) {
  if (pushed_count == MAX_NESTED_LAUNCHES)
    return last_error_record(cudaErrorLaunchPendingCountExceeded);
  pushed[pushed_count++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (!pushed_count)
    return last_error_record(cudaErrorMissingConfiguration);
  struct configuration *top = &pushed[--pushed_count];
  *grid = top->grid;
  *block = top->block;
  *shared = top->shared;
  memcpy(stream, &top->stream, sizeof top->stream);
  return cudaSuccess;
}

/* Of several devices, a stream takes work while its own device is the current one. */
static cudaError_t check_device(cudaStream_t stream) {
  if (stream_is_default(stream) || stream->device == device_current())
    return cudaSuccess;
  explain_device("a launch", stream->device, "the current one", device_current());
  return cudaErrorInvalidResourceHandle;
}

static cudaError_t launch(const void *function, struct configuration configuration, void **arguments,
                          uint32_t flags) {
  char params[SIM_MAX_PARAM_BYTES];
  struct work work = {.type = cudaGraphNodeTypeKernel,
                      .launch = {.grid = configuration.grid,
                                 .block = configuration.block,
                                 .shared = configuration.shared,
                                 .flags = flags,
                                 .device = device_current(),
                                 .params = params}};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = registry_find_kernel(function, &work.launch.kernel);
  if (!error)
    error = check_device(configuration.stream);
  if (!error)
    error = work_launch_pack(&work.launch, arguments);
  if (!error)
    error = capture_or_run(configuration.stream, &work);
  return context_leave(error);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream) {
  return launch(function, (struct configuration){grid, block, shared, stream}, arguments, 0);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream) {
  return launch(function, (struct configuration){grid, block, shared, stream}, arguments,
                SIM_LAUNCH_COOPERATIVE);
}

/* The attributes that change the result. The others are advice. */
static cudaError_t read_attributes(const cudaLaunchConfig_t *config, uint32_t *flags) {
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const cudaLaunchAttribute *attribute = &config->attrs[i];
    if (attribute->id == cudaLaunchAttributeCooperative && attribute->val.cooperative)
      *flags |= SIM_LAUNCH_COOPERATIVE;
    if (attribute->id != cudaLaunchAttributeClusterDimension)
      continue;
    const unsigned x = attribute->val.clusterDim.x, y = attribute->val.clusterDim.y,
                   z = attribute->val.clusterDim.z;
    if (!x || !y || !z || x > UINT8_MAX || y > UINT8_MAX || z > UINT8_MAX)
      return cudaErrorInvalidClusterSize;
    *flags |= SIM_LAUNCH_CLUSTER(x, y, z);
  }
  return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments) {
  uint32_t flags = 0;
  if (!config || (config->numAttrs && !config->attrs))
    return last_error_record(cudaErrorInvalidValue);
  cudaError_t error = read_attributes(config, &flags);
  if (error)
    return last_error_record(error);
  struct configuration configuration = {config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                        config->stream};
  return launch(function, configuration, arguments, flags);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  struct work work = {.type = cudaGraphNodeTypeHost, .host = {function, data}};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !function)
    error = cudaErrorInvalidValue;
  if (!error)
    error = capture_or_run(stream, &work);
  return context_leave(error);
}

struct callback {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  cudaError_t status;
  void *data;
};

static void call_back(void *data) {
  const struct callback *callback = data;
  callback->function(callback->stream, callback->status, callback->data);
}

/* Runs the callback at once, after all earlier work. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = context_wait();
  cudaError_t status = context_faulted() ? cudaErrorLaunchFailure : cudaSuccess;
  if (!error && (!callback || flags))
    error = cudaErrorInvalidValue;
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error) {
    tally_add(TALLY_HOST_FUNCTIONS, 1);
    context_call_host(call_back, &(struct callback){callback, stream, status, data});
  }
  return context_leave(error);
}
