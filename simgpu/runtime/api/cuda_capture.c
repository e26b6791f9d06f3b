/* Capture of streams into graphs. */
#include "api.h"

#include "../capture.h"

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : capture_wait_event(stream, event, flags));
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : capture_begin(stream, NULL, NULL, 0, mode));
}

#if CUDART_VERSION >= 12030
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges,
                                          size_t count, enum cudaStreamCaptureMode mode) {
  (void)edges;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !graph)
    error = cudaErrorInvalidValue;
  return context_leave(error ? error : capture_begin(stream, graph, nodes, count, mode));
}
#endif

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return context_leave(error ? error : capture_end(stream, graph));
}

#if CUDART_VERSION >= 13000
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned flags) {
  (void)edges;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && flags > cudaStreamSetCaptureDependencies)
    error = cudaErrorInvalidValue;
  return context_leave(
      error ? error : capture_follow(stream, nodes, count, flags == cudaStreamSetCaptureDependencies));
}
#endif

static cudaError_t get_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                            cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count) {
  struct capture_info info = {0};
  cudaError_t error = context_enter(CONTEXT_QUERIES);
  if (!error)
    error = status ? capture_get_info(stream, &info) : cudaErrorInvalidValue;
  if (!error)
    *status = info.status;
  if (info.graph && id)
    *id = info.id;
  if (info.graph && graph)
    *graph = info.graph;
  if (info.graph && nodes)
    *nodes = info.nodes;
  if (info.graph && count)
    *count = info.count;
  return context_leave(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  return get_info(stream, status, NULL, NULL, NULL, NULL);
}

/* CUDA 12 calls this _v3; its _v2 has no kinds of edges, and the header gives it the plain name. */
#if CUDART_VERSION >= 13000
#define GET_INFO_WITH_EDGES cudaStreamGetCaptureInfo
#else
#define GET_INFO_WITH_EDGES cudaStreamGetCaptureInfo_v3
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **nodes, size_t *count) {
  return get_info(stream, status, id, graph, nodes, count);
}
#endif

cudaError_t GET_INFO_WITH_EDGES(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes,
                                const cudaGraphEdgeData **edges, size_t *count) {
  if (edges)
    *edges = NULL;
  return get_info(stream, status, id, graph, nodes, count);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
    return last_error_record(cudaErrorInvalidValue);
  *mode = capture_exchange_mode(*mode);
  return cudaSuccess;
}
