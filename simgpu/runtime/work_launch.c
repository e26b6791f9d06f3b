#include "work_launch.h"

#include "context.h"
#include "managed.h"
#include "pinned_copies.h"
#include "runtime/waits.h"

#include <string.h>

static bool within(dim3 size, const uint32_t limit[3]) {
  return size.x && size.y && size.z && size.x <= limit[0] && size.y <= limit[1] && size.z <= limit[2];
}

/* The clusters that the launch, or else the kernel, asks for divide the grid. */
static bool clusters_fit(const struct work_launch *launch) {
  const uint32_t *own = launch->kernel->info.cluster,
                 grid[] = {launch->grid.x, launch->grid.y, launch->grid.z};
  uint32_t blocks = 1;
  for (int d = 0; d < 3; d++) {
    const uint32_t given = launch->flags >> (8 + 8 * d) & 0xff, size = given ? given : own[d] ? own[d] : 1;
    if (grid[d] % size)
      return false;
    blocks *= size;
  }
  return blocks <= (launch->kernel->large_clusters ? 16 : 8);
}

cudaError_t work_launch_check(const struct work_launch *launch) {
  const struct sim_device_info *device = context_device();
  const struct sim_kernel_info *info = &launch->kernel->info;
  const uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
  if (!within(launch->grid, device->max_grid) || !within(launch->block, device->max_block) ||
      threads > info->max_threads || threads > device->max_threads_per_block ||
      info->shared_static > device->shared_per_block || launch->shared > launch->kernel->shared_dynamic)
    return cudaErrorInvalidValue;
  return clusters_fit(launch) ? cudaSuccess : cudaErrorInvalidClusterSize;
}

cudaError_t work_launch_pack(const struct work_launch *launch, void **arguments) {
  const struct registry_kernel *kernel = launch->kernel;
  if (kernel->info.param_count && !arguments)
    return cudaErrorInvalidValue;
  memset(launch->params, 0, kernel->info.param_bytes);
  for (uint32_t i = 0; i < kernel->info.param_count; i++)
    memcpy(launch->params + kernel->params[i].offset, arguments[i], kernel->params[i].size);
  return cudaSuccess;
}

/* The device reports in one line what it refuses. */
static cudaError_t run_and_wait(const struct sim_launch *request, const struct host_rows *params) {
  struct sim_header reply;
  cudaError_t error = managed_send();
  if (!error)
    error = context_request(SIM_LAUNCH, request, sizeof *request, params, &reply);
  if (!error)
    error = context_receive_text(reply.length);
  if (!error)
    error = context_outcome(reply.status);
  if (!error)
    waits_add(WAITS_LAUNCHES);
  return error ? error : managed_fetch();
}

/* The kernel may use each pointer among its arguments, alone or in a structure. */
static void reach_arguments(const struct work_launch *launch, uint32_t bytes) {
  const void *pointer;
  if (context_device()->shares) /* the device uses the program's own pages */
    return;
  for (uint32_t at = 0; at + sizeof pointer <= bytes; at += sizeof pointer) {
    memcpy(&pointer, launch->params + at, sizeof pointer);
    pinned_copies_begin(pointer);
  }
}

static cudaError_t run(const struct work_launch *launch) {
  struct registry_kernel *kernel;
  /* after cudaDeviceReset() this loads the kernel again */
  cudaError_t error = registry_find_kernel(launch->kernel, &kernel);
  if (error)
    return error;
  const struct sim_kernel_info *info = &kernel->info;
  if (launch->shared > UINT32_MAX)
    return cudaErrorInvalidValue;
  if (context_faulted())
    return cudaSuccess;
  reach_arguments(launch, info->param_bytes);
  struct sim_launch request = {
      .kernel = info->kernel,
      .grid = {launch->grid.x, launch->grid.y, launch->grid.z},
      .block = {launch->block.x, launch->block.y, launch->block.z},
      .shared_dynamic = (uint32_t)launch->shared,
      .flags = launch->flags | (launch->kernel->large_clusters ? SIM_LAUNCH_LARGE_CLUSTERS : 0),
      .param_bytes = info->param_bytes,
  };
  struct host_rows params = {launch->params, info->param_bytes, 1, info->param_bytes};
  error = waits_order();
  if (error)
    return error;
  if (launch->flags || managed_is_copied() || work_launch_check(launch))
    return run_and_wait(&request, &params);
  waits_add(WAITS_LAUNCHES);
  return context_queue(SIM_LAUNCH, &request, sizeof request, &params);
}

cudaError_t work_launch_run(const struct work_launch *launch) {
  const int device = device_select(launch->device);
  const cudaError_t error = run(launch);
  device_select(device);
  return error;
}
