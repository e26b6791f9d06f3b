/* Executable graphs: the nodes' work in the order in which it runs. Each kernel of a launch takes the
 * modelled time of an ordinary one. */
#include "graph.h"

#include <stdlib.h>

struct step {
  unsigned long long node; /* its id */
  bool disabled;
  size_t dependency_count; /* all that an update compares */
  struct work work;
};

struct CUgraphExec_st {
  unsigned long long flags;
  bool running, destroyed; /* destroyed by a function that it runs */
  size_t count;
  struct step steps[];
};

cudaError_t graph_set_work(struct work *old, const struct work *work) {
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

static struct step *find(cudaGraphExec_t exec, cudaGraphNode_t node) {
  for (size_t i = 0; exec && node && i < exec->count; i++)
    if (exec->steps[i].node == node->id)
      return &exec->steps[i];
  return NULL;
}

cudaError_t graph_exec_set(cudaGraphExec_t exec, cudaGraphNode_t node, const struct work *work) {
  struct step *step = find(exec, node);
  return step ? graph_set_work(&step->work, work) : cudaErrorInvalidValue;
}

static void free_exec(cudaGraphExec_t exec) {
  for (size_t i = 0; i < exec->count; i++)
    work_drop(&exec->steps[i].work);
  free(exec);
}

/* As many as graph->count nodes in the order of their running, which the caller frees. */
static cudaError_t ordered_nodes(cudaGraph_t graph, cudaGraphNode_t **ordered) {
  *ordered = malloc((graph->count + 1) * sizeof **ordered); /* may be empty */
  return *ordered ? graph_order(graph, *ordered) : cudaErrorMemoryAllocation;
}

static cudaError_t instantiate(cudaGraphExec_t *result, cudaGraph_t graph, unsigned long long flags) {
  const unsigned known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                         cudaGraphInstantiateFlagUseNodePriority;
  static bool told;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    return unsupported("a graph that is launched by the device", &told);
  if (!result || !graph || flags & ~(unsigned long long)known)
    return cudaErrorInvalidValue;
  cudaGraphNode_t *ordered;
  cudaError_t error = ordered_nodes(graph, &ordered);
  cudaGraphExec_t exec = calloc(1, sizeof *exec + graph->count * sizeof *exec->steps);
  if (!error && !exec)
    error = cudaErrorMemoryAllocation;
  for (size_t i = 0; !error && i < graph->count; i++) {
    exec->steps[i] = (struct step){.node = ordered[i]->id, .dependency_count = ordered[i]->dependency_count};
    error = work_keep(&exec->steps[i].work, &ordered[i]->work);
    exec->count = i + 1;
  }
  free(ordered);
  if (error && exec)
    free_exec(exec);
  if (error)
    return error;
  exec->flags = flags;
  *result = exec;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  cudaError_t error = context_enter(CALL_QUEUES);
  return context_leave(error ? error : instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params) {
  if (!params)
    return error_record(cudaErrorInvalidValue);
  cudaError_t error = cudaGraphInstantiate(exec, graph, params->flags);
  params->errNode_out = NULL;
  params->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
  return error;
}
ALIAS(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
  if (!exec || !flags)
    return error_record(cudaErrorInvalidValue);
  *flags = exec->flags;
  return cudaSuccess;
}

static cudaError_t run(cudaGraphExec_t exec) {
  cudaError_t error = cudaSuccess;
  exec->running = true;
  for (size_t i = 0; i < exec->count && !error; i++)
    if (!exec->steps[i].disabled)
      error = work_run(&exec->steps[i].work);
  exec->running = false;
  if (exec->destroyed)
    free_exec(exec);
  return error;
}

/* An H200 refuses it in a stream that is being captured: only the graph itself can become another's node. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!exec || exec->running))
    error = cudaErrorInvalidValue;
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error)
    error = run(exec);
  return context_leave(error);
}

/* There is nothing to prepare. */
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  (void)stream;
  return error_record(exec ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !exec)
    error = cudaErrorInvalidValue;
  if (!error && exec->running)
    exec->destroyed = true;
  else if (!error)
    free_exec(exec);
  return context_leave(error);
}

/* Disabling is for kernels, copies and fills, as the API documents it. */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  cudaError_t error = context_enter(CALL_QUEUES);
  struct step *step = error ? NULL : find(exec, node);
  if (!error && (!step || step->work.type > cudaGraphNodeTypeMemset))
    error = cudaErrorInvalidValue;
  if (!error)
    step->disabled = !enabled;
  return context_leave(error);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled) {
  cudaError_t error = context_enter(CALL_QUEUES);
  struct step *step = error ? NULL : find(exec, node);
  if (!error && (!step || !enabled))
    error = cudaErrorInvalidValue;
  if (!error)
    *enabled = !step->disabled;
  return context_leave(error);
}

/* The first node that is not of the same kind as the step in its place. */
static enum cudaGraphExecUpdateResult compare(cudaGraphExec_t exec, cudaGraph_t graph,
                                              const cudaGraphNode_t *ordered, cudaGraphNode_t *culprit) {
  if (exec->count != graph->count)
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < graph->count; i++) {
    *culprit = ordered[i];
    if (ordered[i]->dependency_count != exec->steps[i].dependency_count)
      return cudaGraphExecUpdateErrorTopologyChanged;
    if (ordered[i]->work.type != exec->steps[i].work.type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
  }
  *culprit = NULL;
  return cudaGraphExecUpdateSuccess;
}

static cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
  cudaGraphNode_t *ordered;
  cudaError_t error = ordered_nodes(graph, &ordered);
  *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateError};
  if (!error) {
    info->result = compare(exec, graph, ordered, &info->errorNode);
    error = info->result ? cudaErrorGraphExecUpdateFailure : cudaSuccess;
  }
  for (size_t i = 0; !error && i < exec->count; i++) {
    error = graph_set_work(&exec->steps[i].work, &ordered[i]->work);
    exec->steps[i].node = ordered[i]->id;
  }
  free(ordered);
  return error;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
  cudaGraphExecUpdateResultInfo unseen;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!exec || !graph))
    error = cudaErrorInvalidValue;
  if (!error)
    error = update(exec, graph, info ? info : &unseen);
  return context_leave(error);
}
