/* Nodes that allocate and free memory, and the memory of all graphs. */
#include "api.h"

#include "../allocation.h"
#include "../devices.h"
#include "../graph.h"

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     struct cudaMemAllocNodeParams *params) {
  struct work work = {.type = cudaGraphNodeTypeMemAlloc};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error &&
      (!params || params->poolProps.allocType != cudaMemAllocationTypePinned ||
       params->poolProps.handleTypes || params->poolProps.location.type != cudaMemLocationTypeDevice ||
       device_check(params->poolProps.location.id)))
    error = cudaErrorInvalidValue;
  if (!error)
    error = graph_memory_new(&work.memory, params->bytesize);
  if (error)
    return context_leave(error);
  error = graph_add(node, graph, dependencies, count, &work);
  if (!error)
    params->dptr = graph_memory_address(work.memory);
  graph_memory_drop(work.memory);
  return context_leave(error);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t count, void *address) {
  struct work work = {.type = cudaGraphNodeTypeMemFree};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !(work.memory = graph_memory_find(address)))
    error = cudaErrorInvalidValue;
  return context_leave(error ? error : graph_add(node, graph, dependencies, count, &work));
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params) {
  if (!node || !params || node->work.type != cudaGraphNodeTypeMemAlloc)
    return last_error_record(cudaErrorInvalidValue);
  *params = (struct cudaMemAllocNodeParams){
      .poolProps = {.allocType = cudaMemAllocationTypePinned,
                    .location = {.type = cudaMemLocationTypeDevice,
                                 .id = allocation_device(graph_memory_address(node->work.memory))}},
      .bytesize = graph_memory_size(node->work.memory),
      .dptr = graph_memory_address(node->work.memory)};
  return cudaSuccess;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *address) {
  if (!node || !address || node->work.type != cudaGraphNodeTypeMemFree)
    return last_error_record(cudaErrorInvalidValue);
  *(void **)address = graph_memory_address(node->work.memory);
  return cudaSuccess;
}

static struct graph_memory_bytes *bytes_of(enum cudaGraphMemAttributeType attribute) {
  const bool of_use = attribute == cudaGraphMemAttrUsedMemCurrent || attribute == cudaGraphMemAttrUsedMemHigh;
  return of_use ? graph_memory_used() : graph_memory_reserved();
}

static bool is_high(enum cudaGraphMemAttributeType attribute) {
  return attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && device_check(device))
    error = cudaErrorInvalidDevice;
  if (!error && (!value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh))
    error = cudaErrorInvalidValue;
  if (!error)
    *(uint64_t *)value = is_high(attribute) ? bytes_of(attribute)->high : bytes_of(attribute)->now;
  return context_leave(error);
}

/* A program can only reset the highest values. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && device_check(device))
    error = cudaErrorInvalidDevice;
  if (!error && (!value || *(const uint64_t *)value || !is_high(attribute)))
    error = cudaErrorInvalidValue;
  if (!error)
    bytes_of(attribute)->high = bytes_of(attribute)->now;
  return context_leave(error);
}

/* Memory without a graph is released at once. */
cudaError_t cudaDeviceGraphMemTrim(int device) {
  return last_error_record(device_check(device) ? cudaErrorInvalidDevice : cudaSuccess);
}
