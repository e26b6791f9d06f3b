#include "work.h"

#include "context.h"
#include "event.h"
#include "graph.h"
#include "graph_condition.h"
#include "tally.h"

#include <stdlib.h>
#include <string.h>

static bool has_memory(const struct work *work) {
  return work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree;
}

/* A thread of the runtime calls it when its turn comes, so the program's own thread does not wait. */
static cudaError_t call_host(const struct cudaHostNodeParams *host) {
  cudaError_t error = context_wait();
  if (error || context_faulted())
    return error;
  tally_add(TALLY_HOST_FUNCTIONS, 1);
  context_call_host(host->fn, host->userData);
  return cudaSuccess;
}

cudaError_t work_run(const struct work *work) {
  switch ((int)work->type) {
  case WORK_CONDITION:
    return graph_condition_run(work->condition);
  case cudaGraphNodeTypeKernel:
    return work_launch_run(&work->launch);
  case cudaGraphNodeTypeMemcpy:
    return work_copy_run(&work->copy);
  case cudaGraphNodeTypeMemset:
    return work_fill_run(&work->fill);
  case cudaGraphNodeTypeHost:
    return call_host(&work->host);
  case cudaGraphNodeTypeEventRecord:
    return event_record(work->event);
  case cudaGraphNodeTypeGraph:
    return graph_run(work->child);
  case cudaGraphNodeTypeMemAlloc:
    return graph_memory_allocate(work->memory);
  case cudaGraphNodeTypeMemFree:
    return graph_memory_free(work->memory);
  default: /* nothing, or a wait for work that is already done */
    return cudaSuccess;
  }
}

cudaError_t work_check(const struct work *work) {
  switch (work->type) {
  case cudaGraphNodeTypeKernel:
    return work_launch_check(&work->launch);
  case cudaGraphNodeTypeMemcpy:
    return work_copy_check(&work->copy);
  case cudaGraphNodeTypeMemset:
    return work_fill_check(&work->fill);
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
  if (has_memory(from))
    graph_memory_keep(from->memory);
  if ((int)from->type == WORK_CONDITION)
    return graph_condition_clone(&to->condition, from->condition);
  if (from->type == cudaGraphNodeTypeMemcpy) /* the host does not wait for a node */
    to->copy.host_waits = false;
  return from->type == cudaGraphNodeTypeGraph ? graph_clone(&to->child, from->child) : cudaSuccess;
}

void work_drop(struct work *work) {
  if (work->type == cudaGraphNodeTypeKernel)
    free(work->launch.params);
  if (has_memory(work))
    graph_memory_drop(work->memory);
  if ((int)work->type == WORK_CONDITION)
    graph_condition_free(work->condition);
  if (work->type == cudaGraphNodeTypeGraph)
    graph_free(work->child);
}

cudaError_t work_replace(struct work *old, const struct work *work) {
  struct work kept;
  cudaError_t error = work->type == old->type ? work_check(work) : cudaErrorInvalidValue;
  if (!error)
    error = work_keep(&kept, work);
  if (error)
    return error;
  work_drop(old);
  *old = kept;
  return cudaSuccess;
}
