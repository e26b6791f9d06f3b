/* Nodes of each type: adding them, and reading and changing their parameters, in graphs and executable graphs. */
#include "submit.h"

#include "../graph_exec.h"
#include "../registry.h"

#include <stdlib.h>
#include <string.h>

static cudaError_t kernel_work(const struct cudaKernelNodeParams *params, char *buffer, struct work *work) {
  static bool reported;
  if (!params)
    return cudaErrorInvalidValue;
  if (params->extra)
    return unsupported("a kernel node with its parameters in 'extra'", &reported);
  *work = (struct work){.type = cudaGraphNodeTypeKernel,
                        .launch = {.device = device_current(),
                                   .grid = params->gridDim,
                                   .block = params->blockDim,
                                   .shared = params->sharedMemBytes,
                                   .params = buffer}};
  cudaError_t error = registry_find_kernel(params->func, &work->launch.kernel);
  return error ? error : work_launch_pack(&work->launch, params->kernelParams);
}

static cudaError_t memset_work(const struct cudaMemsetParams *params, struct work *work) {
  size_t width;
  if (!params || __builtin_mul_overflow(params->width, params->elementSize, &width))
    return cudaErrorInvalidValue;
  *work = (struct work){.type = cudaGraphNodeTypeMemset,
                        .fill = {params->dst, params->height > 1 ? params->pitch : width, width,
                                 params->height, params->value, params->elementSize}};
  return cudaSuccess;
}

static cudaError_t memcpy_work(const struct cudaMemcpy3DParms *params, struct work *work) {
  *work = (struct work){.type = cudaGraphNodeTypeMemcpy};
  return work_copy_from_box(params, &work->copy);
}

static struct work memcpy_plain_work(void *target, const void *source, size_t size,
                                     enum cudaMemcpyKind kind) {
  return (struct work){.type = cudaGraphNodeTypeMemcpy, .copy = work_copy_plain(target, source, size, kind)};
}

static cudaError_t to_symbol_work(const void *symbol, const void *source, size_t size, size_t offset,
                                  enum cudaMemcpyKind kind, struct work *work) {
  void *target;
  cudaError_t error = work_copy_symbol(symbol, offset, size, &target);
  if (!error)
    *work = memcpy_plain_work(target, source, size, kind);
  return error;
}

static cudaError_t from_symbol_work(void *target, const void *symbol, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, struct work *work) {
  void *source;
  cudaError_t error = work_copy_symbol(symbol, offset, size, &source);
  if (!error)
    *work = memcpy_plain_work(target, source, size, kind);
  return error;
}

static cudaError_t host_work(const struct cudaHostNodeParams *params, struct work *work) {
  if (!params)
    return cudaErrorInvalidValue;
  *work = (struct work){.type = cudaGraphNodeTypeHost, .host = *params};
  return cudaSuccess;
}

/* The object that a call changes: a graph that gets a node, a node of a graph, or one of an executable graph. */
struct place {
  cudaGraphNode_t *added;
  cudaGraph_t graph;
  const cudaGraphNode_t *dependencies;
  size_t count;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
};

/* New parameters leave a kernel its attributes. */
static void keep_attributes(struct work *work, const struct work *old) {
  if (work->type != cudaGraphNodeTypeKernel || old->type != cudaGraphNodeTypeKernel)
    return;
  work->launch.flags = old->launch.flags;
  work->launch.priority = old->launch.priority;
  work->launch.window = old->launch.window;
}

static cudaError_t change(const struct place *place, struct work *work) {
  if (place->graph || place->added)
    return graph_add(place->added, place->graph, place->dependencies, place->count, work);
  struct graph_exec_step *step = place->exec ? graph_exec_find(place->exec, place->node) : NULL;
  if (!place->node || (place->exec && !step))
    return cudaErrorInvalidValue;
  keep_attributes(work, step ? &step->work : &place->node->work);
  if (step)
    return work_replace(&step->work, work);
  free(place->node->arguments);
  place->node->arguments = NULL;
  return work_replace(&place->node->work, work);
}

cudaError_t submit_change(cudaGraphExec_t exec, cudaGraphNode_t node, struct work *work) {
  const struct place place = {.exec = exec, .node = node};
  const cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : change(&place, work));
}

/* Ends a call that made *work, or failed to. */
static cudaError_t put(const struct place *place, cudaError_t error, struct work *work) {
  return context_leave(error ? error : change(place, work));
}

#define ADDED                                                                                                \
  &(struct place) { .added = node, .graph = graph, .dependencies = dependencies, .count = count }
#define NODE                                                                                                 \
  &(struct place) { .node = node }
#define EXECUTABLE                                                                                           \
  &(struct place) { .exec = exec, .node = node }

static cudaError_t put_kernel(const struct place *place, const struct cudaKernelNodeParams *params) {
  char buffer[SIM_MAX_PARAM_BYTES];
  struct work work;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return put(place, error ? error : kernel_work(params, buffer, &work), &work);
}

static cudaError_t put_memset(const struct place *place, const struct cudaMemsetParams *params) {
  struct work work;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return put(place, error ? error : memset_work(params, &work), &work);
}

static cudaError_t put_memcpy(const struct place *place, const struct cudaMemcpy3DParms *params) {
  struct work work;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return put(place, error ? error : memcpy_work(params, &work), &work);
}

static cudaError_t put_to_symbol(const struct place *place, const void *symbol, const void *source,
                                 size_t size, size_t offset, enum cudaMemcpyKind kind) {
  struct work work;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return put(place, error ? error : to_symbol_work(symbol, source, size, offset, kind, &work), &work);
}

static cudaError_t put_from_symbol(const struct place *place, void *target, const void *symbol, size_t size,
                                   size_t offset, enum cudaMemcpyKind kind) {
  struct work work;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return put(place, error ? error : from_symbol_work(target, symbol, size, offset, kind, &work), &work);
}

static cudaError_t put_host(const struct place *place, const struct cudaHostNodeParams *params) {
  struct work work;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return put(place, error ? error : host_work(params, &work), &work);
}

/* Work that can be made without the lock. */
static cudaError_t put_plain(const struct place *place, struct work work) {
  return put(place, context_enter(CONTEXT_QUEUES), &work);
}

#define ADD cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count

cudaError_t cudaGraphAddKernelNode(ADD, const struct cudaKernelNodeParams *params) {
  return put_kernel(ADDED, params);
}

cudaError_t cudaGraphAddMemsetNode(ADD, const struct cudaMemsetParams *params) {
  return put_memset(ADDED, params);
}

cudaError_t cudaGraphAddMemcpyNode(ADD, const struct cudaMemcpy3DParms *params) {
  return put_memcpy(ADDED, params);
}

cudaError_t cudaGraphAddMemcpyNode1D(ADD, void *target, const void *source, size_t size,
                                     enum cudaMemcpyKind kind) {
  return put_plain(ADDED, memcpy_plain_work(target, source, size, kind));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(ADD, const void *symbol, const void *source, size_t size,
                                           size_t offset, enum cudaMemcpyKind kind) {
  return put_to_symbol(ADDED, symbol, source, size, offset, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(ADD, void *target, const void *symbol, size_t size,
                                             size_t offset, enum cudaMemcpyKind kind) {
  return put_from_symbol(ADDED, target, symbol, size, offset, kind);
}

cudaError_t cudaGraphAddHostNode(ADD, const struct cudaHostNodeParams *params) {
  return put_host(ADDED, params);
}

cudaError_t cudaGraphAddEmptyNode(ADD) {
  return put_plain(ADDED, (struct work){.type = cudaGraphNodeTypeEmpty});
}

cudaError_t cudaGraphAddChildGraphNode(ADD, cudaGraph_t child) {
  return put_plain(ADDED, (struct work){.type = cudaGraphNodeTypeGraph, .child = child});
}

cudaError_t cudaGraphAddEventRecordNode(ADD, cudaEvent_t event) {
  return put_plain(ADDED, (struct work){.type = cudaGraphNodeTypeEventRecord, .event = event});
}

cudaError_t cudaGraphAddEventWaitNode(ADD, cudaEvent_t event) {
  return put_plain(ADDED, (struct work){.type = cudaGraphNodeTypeWaitEvent, .event = event});
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params) {
  return put_kernel(NODE, params);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params) {
  return put_memset(NODE, params);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params) {
  return put_memcpy(NODE, params);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *target, const void *source,
                                           size_t size, enum cudaMemcpyKind kind) {
  return put_plain(NODE, memcpy_plain_work(target, source, size, kind));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol, const void *source,
                                                 size_t size, size_t offset, enum cudaMemcpyKind kind) {
  return put_to_symbol(NODE, symbol, source, size, offset, kind);
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *target, const void *symbol,
                                                   size_t size, size_t offset, enum cudaMemcpyKind kind) {
  return put_from_symbol(NODE, target, symbol, size, offset, kind);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params) {
  return put_host(NODE, params);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return put_plain(NODE, (struct work){.type = cudaGraphNodeTypeEventRecord, .event = event});
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return put_plain(NODE, (struct work){.type = cudaGraphNodeTypeWaitEvent, .event = event});
}

#define IN_EXEC cudaGraphExec_t exec, cudaGraphNode_t node

cudaError_t cudaGraphExecKernelNodeSetParams(IN_EXEC, const struct cudaKernelNodeParams *params) {
  return put_kernel(EXECUTABLE, params);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(IN_EXEC, const struct cudaMemsetParams *params) {
  return put_memset(EXECUTABLE, params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(IN_EXEC, const struct cudaMemcpy3DParms *params) {
  return put_memcpy(EXECUTABLE, params);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(IN_EXEC, void *target, const void *source, size_t size,
                                               enum cudaMemcpyKind kind) {
  return put_plain(EXECUTABLE, memcpy_plain_work(target, source, size, kind));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(IN_EXEC, const void *symbol, const void *source,
                                                     size_t size, size_t offset, enum cudaMemcpyKind kind) {
  return put_to_symbol(EXECUTABLE, symbol, source, size, offset, kind);
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(IN_EXEC, void *target, const void *symbol, size_t size,
                                                       size_t offset, enum cudaMemcpyKind kind) {
  return put_from_symbol(EXECUTABLE, target, symbol, size, offset, kind);
}

cudaError_t cudaGraphExecHostNodeSetParams(IN_EXEC, const struct cudaHostNodeParams *params) {
  return put_host(EXECUTABLE, params);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(IN_EXEC, cudaGraph_t child) {
  return put_plain(EXECUTABLE, (struct work){.type = cudaGraphNodeTypeGraph, .child = child});
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(IN_EXEC, cudaEvent_t event) {
  return put_plain(EXECUTABLE, (struct work){.type = cudaGraphNodeTypeEventRecord, .event = event});
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(IN_EXEC, cudaEvent_t event) {
  return put_plain(EXECUTABLE, (struct work){.type = cudaGraphNodeTypeWaitEvent, .event = event});
}

/* The node's work; NULL if it has another type or `result` is NULL. */
static const struct work *work_of(cudaGraphNode_t node, enum cudaGraphNodeType type, const void *result) {
  return node && result && node->work.type == type ? &node->work : NULL;
}

/* The pointers stay valid until the node changes. */
static void **argument_pointers(cudaGraphNode_t node) {
  const struct work_launch *launch = &node->work.launch;
  uint32_t count = launch->kernel->info.param_count;
  if (!node->arguments)
    node->arguments = calloc(count + 1, sizeof *node->arguments); /* a kernel may have none */
  for (uint32_t i = 0; node->arguments && i < count; i++)
    node->arguments[i] = launch->params + launch->kernel->params[i].offset;
  return node->arguments;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  const struct work *work = work_of(node, cudaGraphNodeTypeKernel, params);
  if (!error && !work)
    error = cudaErrorInvalidValue;
  if (!error) {
    *params = (struct cudaKernelNodeParams){
        .func = (void *)work->launch.kernel->host,
        .gridDim = work->launch.grid,
        .blockDim = work->launch.block,
        .sharedMemBytes = (unsigned)work->launch.shared,
        .kernelParams = argument_pointers(node),
    };
    error = params->kernelParams ? cudaSuccess : cudaErrorMemoryAllocation;
  }
  return context_leave(error);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params) {
  const struct work *work = work_of(node, cudaGraphNodeTypeMemset, params);
  if (!work)
    return last_error_record(cudaErrorInvalidValue);
  *params = (struct cudaMemsetParams){
      .dst = work->fill.target,
      .pitch = work->fill.pitch,
      .value = work->fill.value,
      .elementSize = work->fill.value_size,
      .width = work->fill.width / work->fill.value_size,
      .height = work->fill.rows,
  };
  return cudaSuccess;
}

/* Describes the copy as a box that begins at its pointers. */
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params) {
  const struct work *work = work_of(node, cudaGraphNodeTypeMemcpy, params);
  if (!work)
    return last_error_record(cudaErrorInvalidValue);
  const struct work_copy *copy = &work->copy;
  size_t to_rows = copy->target_pitch ? copy->target_slice / copy->target_pitch : 0;
  size_t from_rows = copy->source_pitch ? copy->source_slice / copy->source_pitch : 0;
  *params = (struct cudaMemcpy3DParms){
      .dstPtr = {copy->target, copy->target_pitch, copy->width, to_rows},
      .srcPtr = {(void *)copy->source, copy->source_pitch, copy->width, from_rows},
      .extent = {copy->width, copy->rows, copy->slices},
      .kind = copy->kind,
  };
  return cudaSuccess;
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params) {
  const struct work *work = work_of(node, cudaGraphNodeTypeHost, params);
  if (!work)
    return last_error_record(cudaErrorInvalidValue);
  *params = work->host;
  return cudaSuccess;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  const struct work *work = work_of(node, cudaGraphNodeTypeGraph, graph);
  if (!work)
    return last_error_record(cudaErrorInvalidValue);
  *graph = work->child;
  return cudaSuccess;
}

static cudaError_t get_event(cudaGraphNode_t node, enum cudaGraphNodeType type, cudaEvent_t *event) {
  const struct work *work = work_of(node, type, event);
  if (!work)
    return last_error_record(cudaErrorInvalidValue);
  *event = work->event;
  return cudaSuccess;
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return get_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}
