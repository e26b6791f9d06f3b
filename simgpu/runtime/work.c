/* Work of a stream: kernels, copies, fills, functions of the program, events, graphs. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

cudaError_t work_submit(cudaStream_t stream, const struct work *work) {
  bool taken = false;
  cudaError_t error = capture_take(stream, work, &taken);
  return error || taken ? error : work_run(work);
}

static cudaError_t call_host(const struct cudaHostNodeParams *host) {
  cudaError_t error = context_wait();
  if (error || context_faulted())
    return error;
  context_unlock();
  host->fn(host->userData);
  context_lock();
  return cudaSuccess;
}

cudaError_t work_run(const struct work *work) {
  switch (work->type) {
  case cudaGraphNodeTypeKernel:
    return launch_run(&work->launch);
  case cudaGraphNodeTypeMemcpy:
    return copy_run(&work->copy);
  case cudaGraphNodeTypeMemset:
    return copy_fill(&work->fill);
  case cudaGraphNodeTypeHost:
    return call_host(&work->host);
  case cudaGraphNodeTypeEventRecord:
    return event_record(work->event);
  case cudaGraphNodeTypeGraph:
    return graph_run(work->child);
  default: /* nothing, or waiting for what is done */
    return cudaSuccess;
  }
}

static cudaError_t check_fill(const struct fill *fill) {
  if (fill->value_size != 1 && fill->value_size != 2 && fill->value_size != 4)
    return cudaErrorInvalidValue;
  bool reached = memory_on_device(fill->target) || managed_kind(fill->target);
  return reached && (fill->rows <= 1 || fill->pitch >= fill->width) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t work_check(const struct work *work) {
  switch (work->type) {
  case cudaGraphNodeTypeKernel:
    return launch_check(&work->launch);
  case cudaGraphNodeTypeMemcpy:
    return copy_check(&work->copy);
  case cudaGraphNodeTypeMemset:
    return check_fill(&work->fill);
  case cudaGraphNodeTypeHost:
    return work->host.fn ? cudaSuccess : cudaErrorInvalidValue;
  case cudaGraphNodeTypeEventRecord:
  case cudaGraphNodeTypeWaitEvent:
    return work->event ? cudaSuccess : cudaErrorInvalidValue;
  case cudaGraphNodeTypeGraph:
    return work->child ? cudaSuccess : cudaErrorInvalidValue;
  default:
    return cudaSuccess;
  }
}

cudaError_t work_keep(struct work *to, const struct work *from) {
  *to = *from;
  if (from->type == cudaGraphNodeTypeKernel) {
    size_t size = from->launch.kernel->info.param_bytes;
    to->launch.params = malloc(size + 1); /* a kernel may have none */
    if (!to->launch.params)
      return cudaErrorMemoryAllocation;
    memcpy(to->launch.params, from->launch.params, size);
  }
  return from->type == cudaGraphNodeTypeGraph ? graph_clone(&to->child, from->child) : cudaSuccess;
}

void work_drop(struct work *work) {
  if (work->type == cudaGraphNodeTypeKernel)
    free(work->launch.params);
  if (work->type == cudaGraphNodeTypeGraph)
    graph_free(work->child);
}
