/* Launches of kernels. */
#pragma once

#include "registry.h"

#include <cuda_runtime_api.h>

struct work_launch {
  struct registry_kernel *kernel;
  dim3 grid, block;
  size_t shared;
  uint32_t flags; /* SIM_LAUNCH_COOPERATIVE, SIM_LAUNCH_CLUSTER */
  int device;     /* that runs it */
  int priority;   /* this and the window change nothing; a program can read them back */
  struct cudaAccessPolicyWindow window;
  char *params; /* info.param_bytes of them */
};

/* Gathers the arguments into launch->params. */
cudaError_t work_launch_pack(const struct work_launch *launch, void **arguments);

/* Fails for a launch that the device would refuse. */
cudaError_t work_launch_check(const struct work_launch *launch);
cudaError_t work_launch_run(const struct work_launch *launch);
