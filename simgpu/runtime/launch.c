/* Kernel launches: what <<<>>> compiles to, and the explicit calls. */
#include "runtime.h"

#include <string.h>

struct configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};

/* Arguments of a launch may launch in turn, so configurations nest. */
enum { MAX_NESTED_LAUNCHES = 16 };
static _Thread_local struct configuration pushed[MAX_NESTED_LAUNCHES];
static _Thread_local unsigned pushed_count;

/* A result other than 0 makes the caller skip the launch. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream) {
  if (pushed_count == MAX_NESTED_LAUNCHES)
    return error_record(cudaErrorLaunchPendingCountExceeded);
  pushed[pushed_count++] = (struct configuration){grid, block, shared, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (!pushed_count)
    return error_record(cudaErrorMissingConfiguration);
  struct configuration *top = &pushed[--pushed_count];
  *grid = top->grid;
  *block = top->block;
  *shared = top->shared;
  memcpy(stream, &top->stream, sizeof top->stream);
  return cudaSuccess;
}

/* All blocks of a cooperative launch are resident at once. */
static bool fits_cooperatively(const struct launch *launch) {
  uint64_t blocks = (uint64_t)launch->grid.x * launch->grid.y; /* z is at most 65535 */
  uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
  const struct sim_device_info *device = context_device();
  if (threads == 0 || threads > device->max_threads_per_block || blocks > UINT32_MAX)
    return true; /* refused as any launch is */
  uint64_t resident =
      (uint64_t)occupancy_blocks(launch->kernel, (unsigned)threads, launch->shared) * device->multiprocessors;
  return blocks * launch->grid.z <= resident;
}

static bool within(dim3 size, const uint32_t limit[3]) {
  return size.x && size.y && size.z && size.x <= limit[0] && size.y <= limit[1] && size.z <= limit[2];
}

cudaError_t launch_check(const struct launch *launch) {
  const struct sim_device_info *device = context_device();
  const struct sim_kernel_info *info = &launch->kernel->info;
  const uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
  if (!within(launch->grid, device->max_grid) || !within(launch->block, device->max_block) ||
      threads > info->max_threads || threads > device->max_threads_per_block ||
      info->shared_static > device->shared_per_block || launch->shared > launch->kernel->shared_dynamic)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t launch_pack(const struct launch *launch, void **arguments) {
  const struct kernel *kernel = launch->kernel;
  if (kernel->info.param_count && !arguments)
    return cudaErrorInvalidValue;
  memset(launch->params, 0, kernel->info.param_bytes);
  for (uint32_t i = 0; i < kernel->info.param_count; i++)
    memcpy(launch->params + kernel->params[i].offset, arguments[i], kernel->params[i].size);
  return cudaSuccess;
}

/* The device says in a line what it refuses. */
static cudaError_t run_and_wait(const struct sim_launch *request, const struct host_rows *params) {
  struct sim_header reply;
  cudaError_t error = managed_send();
  if (!error)
    error = context_request(SIM_LAUNCH, request, sizeof *request, params, &reply);
  if (!error)
    error = context_receive_text(reply.length);
  if (!error)
    error = context_outcome(reply.status);
  return error ? error : managed_fetch();
}

cudaError_t launch_run(const struct launch *launch) {
  struct kernel *kernel;
  cudaError_t error = registry_kernel(launch->kernel, &kernel); /* once more after cudaDeviceReset() */
  if (error)
    return error;
  const struct sim_kernel_info *info = &kernel->info;
  if (launch->shared > UINT32_MAX)
    return cudaErrorInvalidValue;
  if (launch->flags & SIM_LAUNCH_COOPERATIVE && !fits_cooperatively(launch))
    return cudaErrorCooperativeLaunchTooLarge;
  if (context_faulted())
    return cudaSuccess;
  struct sim_launch request = {
      .kernel = info->kernel,
      .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
      .block = {launch->block.x, launch->block.y, launch->block.z},
      .shared_dynamic = (uint32_t)launch->shared,
      .flags = launch->flags,
      .param_bytes = info->param_bytes,
  };
  struct host_rows params = {launch->params, info->param_bytes, 1, info->param_bytes};
  if (launch->flags || managed_exists() || launch_check(launch))
    return run_and_wait(&request, &params);
  return context_queue(SIM_LAUNCH, &request, sizeof request, &params);
}

static cudaError_t launch_call(const void *function, struct configuration configuration, void **arguments,
                               uint32_t flags) {
  char params[SIM_MAX_PARAM_BYTES];
  struct work work = {.type = cudaGraphNodeTypeKernel,
                      .launch = {.grid = configuration.grid,
                                 .block = configuration.block,
                                 .shared = configuration.shared,
                                 .flags = flags,
                                 .params = params}};
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = registry_kernel(function, &work.launch.kernel);
  if (!error)
    error = launch_pack(&work.launch, arguments);
  if (!error)
    error = work_submit(configuration.stream, &work);
  return context_leave(error);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream) {
  return launch_call(function, (struct configuration){grid, block, shared, stream}, arguments, 0);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream) {
  return launch_call(function, (struct configuration){grid, block, shared, stream}, arguments,
                     SIM_LAUNCH_COOPERATIVE);
}

/* Attributes that ask for another result are refused; the others are advice. */
static cudaError_t read_attributes(const cudaLaunchConfig_t *config, uint32_t *flags) {
  static bool told;
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const cudaLaunchAttribute *attribute = &config->attrs[i];
    if (attribute->id == cudaLaunchAttributeCooperative && attribute->val.cooperative)
      *flags |= SIM_LAUNCH_COOPERATIVE;
    if (attribute->id == cudaLaunchAttributeClusterDimension &&
        attribute->val.clusterDim.x * attribute->val.clusterDim.y * attribute->val.clusterDim.z > 1)
      return unsupported("a launch with thread block clusters", &told);
  }
  return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments) {
  uint32_t flags = 0;
  if (!config || (config->numAttrs && !config->attrs))
    return error_record(cudaErrorInvalidValue);
  cudaError_t error = read_attributes(config, &flags);
  if (error)
    return error_record(error);
  struct configuration launch = {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream};
  return launch_call(function, launch, arguments, flags);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
  struct work work = {.type = cudaGraphNodeTypeHost, .host = {function, data}};
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !function)
    error = cudaErrorInvalidValue;
  if (!error)
    error = work_submit(stream, &work);
  return context_leave(error);
}

/* Runs at once, when everything before it is done. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = context_wait();
  cudaError_t status = context_faulted() ? cudaErrorLaunchFailure : cudaSuccess;
  if (!error && (!callback || flags))
    error = cudaErrorInvalidValue;
  if (!error)
    error = capture_forbids_waiting(stream);
  error = context_leave(error);
  if (!error)
    callback(stream, status, data);
  return error;
}
