/* Attributes of kernels in graphs. */
#include "api.h"

#include "../graph.h"

/* NULL: it is no kernel. */
static struct work_launch *launch_of(cudaGraphNode_t node) {
  return node && node->work.type == cudaGraphNodeTypeKernel ? &node->work.launch : NULL;
}

static uint32_t cluster_flags(const cudaLaunchAttributeValue *value) {
  return SIM_LAUNCH_CLUSTER(value->clusterDim.x, value->clusterDim.y, value->clusterDim.z);
}

static bool is_cluster(const cudaLaunchAttributeValue *value) {
  const unsigned x = value->clusterDim.x, y = value->clusterDim.y, z = value->clusterDim.z;
  return x && y && z && x <= UINT8_MAX && y <= UINT8_MAX && z <= UINT8_MAX;
}

static cudaError_t get(const struct work_launch *launch, cudaLaunchAttributeID id,
                       cudaLaunchAttributeValue *value) {
  static bool reported;
  switch (id) {
  case cudaLaunchAttributeCooperative:
    value->cooperative = (launch->flags & SIM_LAUNCH_COOPERATIVE) != 0;
    return cudaSuccess;
  case cudaLaunchAttributePriority:
    value->priority = launch->priority;
    return cudaSuccess;
  case cudaLaunchAttributeAccessPolicyWindow:
    value->accessPolicyWindow = launch->window;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    value->clusterDim.x = launch->flags >> 8 & 0xff;
    value->clusterDim.y = launch->flags >> 16 & 0xff;
    value->clusterDim.z = launch->flags >> 24;
    return cudaSuccess;
  default:
    return unsupported("this attribute of a kernel in a graph", &reported);
  }
}

static cudaError_t set(struct work_launch *launch, cudaLaunchAttributeID id,
                       const cudaLaunchAttributeValue *value) {
  static bool reported;
  switch (id) {
  case cudaLaunchAttributeCooperative:
    launch->flags &= ~SIM_LAUNCH_COOPERATIVE;
    launch->flags |= value->cooperative ? SIM_LAUNCH_COOPERATIVE : 0;
    return cudaSuccess;
  case cudaLaunchAttributePriority:
    launch->priority = value->priority;
    return cudaSuccess;
  case cudaLaunchAttributeAccessPolicyWindow:
    launch->window = value->accessPolicyWindow;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    if (!is_cluster(value))
      return cudaErrorInvalidClusterSize;
    launch->flags = (launch->flags & 0xff) | cluster_flags(value);
    return cudaSuccess;
  default:
    return unsupported("this attribute of a kernel in a graph", &reported);
  }
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue *value) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  const struct work_launch *launch = launch_of(node);
  if (!error)
    error = launch && value ? get(launch, id, value) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue *value) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  struct work_launch *launch = launch_of(node);
  if (!error)
    error = launch && value ? set(launch, id, value) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  const struct work_launch *source = launch_of(from);
  struct work_launch *target = launch_of(to);
  if (!error && (!source || !target))
    error = cudaErrorInvalidValue;
  if (!error) {
    target->flags = source->flags;
    target->priority = source->priority;
    target->window = source->window;
  }
  return context_leave(error);
}
