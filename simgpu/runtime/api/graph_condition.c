/* Nodes of every type by one function, and conditional nodes. */
#include "api.h"

#include "../graph_condition.h"

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
    return error_record(cudaErrorInvalidValue);
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
    return error_record(unsupported("a graph node of this type", &reported));
  }
}
#endif
