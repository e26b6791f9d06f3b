/* Nodes of every type by one function, and conditional nodes. */
#include "api.h"

#include "../graph_condition.h"

#include <string.h>

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned value, unsigned flags) {
  uint32_t number = 0;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!handle || !graph || flags & ~(unsigned)cudaGraphCondAssignDefault))
    error = cudaErrorInvalidValue;
  if (!error)
    error = graph_condition_number(&number, value, flags & cudaGraphCondAssignDefault);
  if (!error)
    *handle = number;
  return context_leave(error);
}

static enum graph_condition_kind kind_of(enum cudaGraphConditionalNodeType type) {
  return type == cudaGraphCondTypeWhile ? GRAPH_WHILE : type == cudaGraphCondTypeIf ? GRAPH_IF : GRAPH_SWITCH;
}

/* The program fills the bodies of the node afterwards. */
static cudaError_t add_condition(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t count,
                                 struct cudaConditionalNodeParams *params) {
  struct work work = {.type = cudaGraphNodeTypeConditional};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = params->handle > SIM_CONDITIONS ? cudaErrorInvalidValue
                                            : graph_condition_new(&work.condition, (uint32_t)params->handle,
                                                                  kind_of(params->type), params->size);
  if (error)
    return context_leave(error);
  error = graph_add(node, graph, dependencies, count, &work);
  graph_condition_free(work.condition);
  if (!error)
    params->phGraph_out = (*node)->work.condition->bodies;
  return context_leave(error);
}

static cudaError_t add_memory(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                              size_t count, struct cudaMemAllocNodeParamsV2 *params) {
  struct cudaMemAllocNodeParams plain = {.poolProps = params->poolProps,
                                         .accessDescs = params->accessDescs,
                                         .accessDescCount = params->accessDescCount,
                                         .bytesize = params->bytesize};
  cudaError_t error = cudaGraphAddMemAllocNode(node, graph, dependencies, count, &plain);
  params->dptr = plain.dptr;
  return error;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *params) {
  static bool reported;
  (void)edges;
  if (!params)
    return last_error_record(cudaErrorInvalidValue);
  switch (params->type) {
  case cudaGraphNodeTypeKernel:
    return cudaGraphAddKernelNode(
        node, graph, dependencies, count,
        &(struct cudaKernelNodeParams){params->kernel.func, params->kernel.gridDim, params->kernel.blockDim,
                                       params->kernel.sharedMemBytes, params->kernel.kernelParams,
                                       params->kernel.extra});
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &params->memcpy.copyParams);
  case cudaGraphNodeTypeMemset:
    return cudaGraphAddMemsetNode(node, graph, dependencies, count,
                                  &(struct cudaMemsetParams){params->memset.dst, params->memset.pitch,
                                                             params->memset.value, params->memset.elementSize,
                                                             params->memset.width, params->memset.height});
  case cudaGraphNodeTypeHost:
    return cudaGraphAddHostNode(node, graph, dependencies, count,
                                &(struct cudaHostNodeParams){params->host.fn, params->host.userData});
  case cudaGraphNodeTypeGraph:
    return cudaGraphAddChildGraphNode(node, graph, dependencies, count, params->graph.graph);
  case cudaGraphNodeTypeEmpty:
    return cudaGraphAddEmptyNode(node, graph, dependencies, count);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphAddEventRecordNode(node, graph, dependencies, count, params->eventRecord.event);
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphAddEventWaitNode(node, graph, dependencies, count, params->eventWait.event);
  case cudaGraphNodeTypeMemAlloc:
    return add_memory(node, graph, dependencies, count, &params->alloc);
  case cudaGraphNodeTypeMemFree:
    return cudaGraphAddMemFreeNode(node, graph, dependencies, count, params->free.dptr);
  case cudaGraphNodeTypeConditional:
    return add_condition(node, graph, dependencies, count, &params->conditional);
  default:
    return last_error_record(unsupported("a graph node of this type", &reported));
  }
}

/* A child graph of a graph's node: the runtime has no other function for it. */
static cudaError_t set_child(cudaGraphNode_t node, cudaGraph_t child) {
  const struct work work = {.type = cudaGraphNodeTypeGraph, .child = child};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : work_replace(&node->work, &work));
}

/* The reserved fields must be 0. */
static bool is_clear(const struct cudaGraphNodeParams *params) {
  const int none[sizeof params->reserved0 / sizeof *params->reserved0] = {0};
  return !params->reserved2 && memcmp(params->reserved0, none, sizeof none) == 0;
}

#define SET(what, value) (exec ? cudaGraphExec##what(exec, node, value) : cudaGraph##what(node, value))

/* `exec`: changes the node there; NULL: changes the node of a graph. */
static cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaGraphNodeParams *params) {
  static bool reported;
  if (!node || !params || node->work.type != params->type || !is_clear(params))
    return last_error_record(cudaErrorInvalidValue);
  const struct cudaKernelNodeParams kernel = {params->kernel.func,         params->kernel.gridDim,
                                              params->kernel.blockDim,     params->kernel.sharedMemBytes,
                                              params->kernel.kernelParams, params->kernel.extra};
  const struct cudaMemsetParams fill = {params->memset.dst,   params->memset.pitch,
                                        params->memset.value, params->memset.elementSize,
                                        params->memset.width, params->memset.height};
  const struct cudaHostNodeParams host = {params->host.fn, params->host.userData};
  switch (params->type) {
  case cudaGraphNodeTypeKernel:
    return SET(KernelNodeSetParams, &kernel);
  case cudaGraphNodeTypeMemcpy:
    return SET(MemcpyNodeSetParams, &params->memcpy.copyParams);
  case cudaGraphNodeTypeMemset:
    return SET(MemsetNodeSetParams, &fill);
  case cudaGraphNodeTypeHost:
    return SET(HostNodeSetParams, &host);
  case cudaGraphNodeTypeGraph:
    return exec ? cudaGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph)
                : set_child(node, params->graph.graph);
  case cudaGraphNodeTypeEmpty:
    return cudaSuccess;
  case cudaGraphNodeTypeEventRecord:
    return SET(EventRecordNodeSetEvent, params->eventRecord.event);
  case cudaGraphNodeTypeWaitEvent:
    return SET(EventWaitNodeSetEvent, params->eventWait.event);
  default:
    return unsupported("new parameters of a graph node of this type", &reported);
  }
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
  return set(NULL, node, params);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *params) {
  return exec ? set(exec, node, params) : last_error_record(cudaErrorInvalidValue);
}
#endif
