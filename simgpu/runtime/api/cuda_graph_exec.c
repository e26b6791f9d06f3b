/* Executable graphs. */
#include "api.h"

#include "../capture.h"
#include "../graph_exec.h"
#include "../stream.h"

static cudaError_t instantiate(cudaGraphExec_t *result, cudaGraph_t graph, unsigned long long flags) {
  const unsigned known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                         cudaGraphInstantiateFlagUseNodePriority;
  static bool reported;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    return unsupported("a graph that is launched by the device", &reported);
  if (!result || !graph || flags & ~(unsigned long long)known)
    return cudaErrorInvalidValue;
  return graph_exec_new(result, graph, flags);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : instantiate(exec, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params) {
  if (!params)
    return last_error_record(cudaErrorInvalidValue);
  cudaError_t error = cudaGraphInstantiate(exec, graph, params->flags);
  params->errNode_out = NULL;
  params->result_out = error ? cudaGraphInstantiateError : cudaGraphInstantiateSuccess;
  return error;
}
ALIAS(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
  if (!exec || !flags)
    return last_error_record(cudaErrorInvalidValue);
  *flags = exec->flags;
  return cudaSuccess;
}

/* An H200 refuses this in a stream that is being captured: an executable graph cannot become a node. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!exec || exec->running))
    error = cudaErrorInvalidValue;
  if (!error)
    error = capture_forbids_waiting(stream);
  if (!error)
    error = graph_exec_run(exec, stream_waits(stream));
  return context_leave(error);
}

/* Nothing needs to be uploaded. */
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  (void)stream;
  return last_error_record(exec ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !exec)
    error = cudaErrorInvalidValue;
  if (!error && exec->running)
    exec->destroyed = true;
  else if (!error)
    graph_exec_free(exec);
  return context_leave(error);
}

/* As the API documents it, only kernels, copies and fills can be disabled. */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  struct graph_exec_step *step = error ? NULL : graph_exec_find(exec, node);
  if (!error && (!step || step->work.type > cudaGraphNodeTypeMemset))
    error = cudaErrorInvalidValue;
  if (!error)
    step->disabled = !enabled;
  return context_leave(error);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  struct graph_exec_step *step = error ? NULL : graph_exec_find(exec, node);
  if (!error && (!step || !enabled))
    error = cudaErrorInvalidValue;
  if (!error)
    *enabled = !step->disabled;
  return context_leave(error);
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *info) {
  cudaGraphExecUpdateResultInfo unseen;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!exec || !graph))
    error = cudaErrorInvalidValue;
  if (!error)
    error = graph_exec_update(exec, graph, info ? info : &unseen);
  return context_leave(error);
}
