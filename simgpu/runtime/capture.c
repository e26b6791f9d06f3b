/* Capture: what is issued to a stream becomes nodes of a graph instead of running.
 *
 * A capture begins on one stream and takes in every stream that waits for an event recorded in it; all must
 * have joined the first again when it ends. The rules of what is forbidden meanwhile, and the errors, are
 * those of the CUDA Programming Guide ("Prohibited and Unhandled Operations") and of the runtime's reference
 * for cudaStreamBeginCapture() and cudaThreadExchangeStreamCaptureMode(). */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

struct capture {
  unsigned long long id, first_node; /* nodes with lower ids were in the graph before */
  cudaGraph_t graph;
  const void *origin;
  const void *thread;
  enum cudaStreamCaptureMode mode;
  bool own_graph, spoilt;
};

/* A stream that takes part. */
struct part {
  struct part *next;
  const void *stream;
  bool blocking; /* with the legacy stream */
  struct capture *capture;
  size_t count;
  cudaGraphNode_t *nodes; /* on which the stream's next node depends */
};
static struct part *parts;

static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;
static _Thread_local char per_thread_stream; /* its address tells the threads' streams, and threads, apart */

static bool is_legacy(cudaStream_t stream) { return !stream || stream == cudaStreamLegacy; }

static const void *identity(cudaStream_t stream) {
  return stream == cudaStreamPerThread ? &per_thread_stream : (const void *)stream;
}

static struct part *find(cudaStream_t stream) {
  struct part *part = parts;
  while (part && part->stream != identity(stream))
    part = part->next;
  return part;
}

static struct capture *find_capture(unsigned long long id) {
  for (struct part *part = parts; part; part = part->next)
    if (part->capture->id == id)
      return part->capture;
  return NULL;
}

static cudaError_t spoil(struct capture *capture, cudaError_t error) {
  capture->spoilt = true;
  return error;
}

static bool goes_on(const struct capture *capture) { return capture && !capture->spoilt; }

bool capture_goes_on(unsigned long long id) { return goes_on(find_capture(id)); }

cudaError_t capture_forbids_asking(unsigned long long id) {
  struct capture *capture = find_capture(id);
  return goes_on(capture) ? spoil(capture, cudaErrorCapturedEvent) : cudaErrorInvalidValue;
}

/* The legacy stream waits for all blocking streams, which captured ones cannot allow. To ask how it is does
 * no harm. */
static cudaError_t forbid_legacy(cudaStream_t stream, bool asks) {
  cudaError_t error = cudaSuccess;
  for (struct part *part = parts; part && is_legacy(stream); part = part->next)
    if (part->blocking) {
      part->capture->spoilt |= !asks;
      error = cudaErrorStreamCaptureImplicit;
    }
  return error;
}

static cudaError_t set_nodes(struct part *part, const cudaGraphNode_t *nodes, size_t count) {
  cudaGraphNode_t *copy = malloc((count + 1) * sizeof(cudaGraphNode_t)); /* may be none */
  if (!copy)
    return cudaErrorMemoryAllocation;
  if (count)
    memcpy(copy, nodes, count * sizeof *copy);
  free(part->nodes);
  part->nodes = copy;
  part->count = count;
  return cudaSuccess;
}

static bool has(const struct part *part, cudaGraphNode_t node) {
  for (size_t i = 0; i < part->count; i++)
    if (part->nodes[i] == node)
      return true;
  return false;
}

/* The stream's next node depends on these too. */
static cudaError_t join(struct part *part, const cudaGraphNode_t *nodes, size_t count) {
  cudaGraphNode_t *all = realloc(part->nodes, (part->count + count + 1) * sizeof *all);
  if (!all)
    return cudaErrorMemoryAllocation;
  part->nodes = all;
  for (size_t i = 0; i < count; i++)
    if (!has(part, nodes[i]))
      all[part->count++] = nodes[i];
  return cudaSuccess;
}

static cudaError_t take_part(cudaStream_t stream, struct capture *capture, const cudaGraphNode_t *nodes,
                             size_t count) {
  struct part *part = calloc(1, sizeof *part);
  if (!part)
    return cudaErrorMemoryAllocation;
  *part = (struct part){
      .next = parts, .stream = identity(stream), .blocking = stream_blocking(stream), .capture = capture};
  cudaError_t error = set_nodes(part, nodes, count);
  if (error)
    free(part);
  else
    parts = part;
  return error;
}

static void leave(struct part **link) {
  struct part *part = *link;
  *link = part->next;
  free(part->nodes);
  free(part);
}

/* The part of a stream that captures, or the error that it cannot. */
static cudaError_t usable(cudaStream_t stream, struct part **part) {
  *part = find(stream);
  if (!*part)
    return forbid_legacy(stream, false);
  return (*part)->capture->spoilt ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

cudaError_t capture_take(cudaStream_t stream, const struct work *work, bool *taken) {
  struct part *part;
  cudaError_t error = usable(stream, &part);
  if (error || !part)
    return error;
  cudaGraphNode_t node;
  error = graph_add(&node, part->capture->graph, part->nodes, part->count, work);
  if (!error)
    error = set_nodes(part, &node, 1);
  *taken = true;
  return error ? spoil(part->capture, error) : cudaSuccess;
}

cudaError_t capture_forbids_unsafe(void) {
  cudaError_t error = cudaSuccess;
  for (struct part *part = parts; part && thread_mode != cudaStreamCaptureModeRelaxed; part = part->next) {
    const struct capture *capture = part->capture;
    bool ours = capture->thread == &per_thread_stream && capture->mode != cudaStreamCaptureModeRelaxed;
    bool global = capture->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal;
    if (ours || global)
      error = spoil(part->capture, cudaErrorStreamCaptureUnsupported);
  }
  return error;
}

cudaError_t capture_forbids_waiting(cudaStream_t stream) {
  struct part *part;
  cudaError_t error = usable(stream, &part);
  return error || !part ? error : spoil(part->capture, cudaErrorStreamCaptureUnsupported);
}

cudaError_t capture_forbids_waiting_for_all(void) {
  for (struct part *part = parts; part; part = part->next)
    spoil(part->capture, cudaErrorStreamCaptureUnsupported);
  return parts ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

void capture_forget_stream(cudaStream_t stream) {
  struct part *part = find(stream);
  if (part)
    spoil(part->capture, cudaErrorStreamCaptureInvalidated);
}

cudaError_t capture_event(cudaStream_t stream, cudaEvent_t event, bool *taken) {
  struct part *part;
  cudaError_t error = usable(stream, &part);
  *taken = error || part;
  return error || !part ? error : event_capture(event, part->capture->id, part->nodes, part->count);
}

/* A stream waits for an event of a capture, and so joins it. */
static cudaError_t wait_captured(cudaStream_t stream, cudaEvent_t event) {
  struct capture *capture = find_capture(event->capture);
  struct part *part;
  cudaError_t error = usable(stream, &part);
  if (error)
    return error;
  if (!capture)
    return part ? spoil(part->capture, cudaErrorStreamCaptureMerge) : cudaErrorInvalidValue;
  if (is_legacy(stream))
    return spoil(capture, cudaErrorStreamCaptureImplicit);
  if (!part)
    return take_part(stream, capture, event->nodes, event->node_count);
  if (part->capture == capture)
    return join(part, event->nodes, event->node_count);
  spoil(capture, cudaErrorStreamCaptureMerge);
  return spoil(part->capture, cudaErrorStreamCaptureMerge);
}

static cudaError_t wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  struct work work = {.type = cudaGraphNodeTypeWaitEvent, .event = event};
  struct part *part;
  if (!event)
    return cudaErrorInvalidResourceHandle;
  if (flags & ~(unsigned)cudaEventWaitExternal)
    return cudaErrorInvalidValue;
  if (flags & cudaEventWaitExternal)
    return find(stream) ? work_submit(stream, &work) : cudaErrorInvalidValue;
  if (event->capture)
    return wait_captured(stream, event);
  cudaError_t error = usable(stream, &part);
  if (!error && part && event->recorded)
    error = spoil(part->capture, cudaErrorStreamCaptureIsolation);
  return error; /* what is not captured is done */
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  cudaError_t error = context_enter(CALL_QUEUES);
  return context_leave(error ? error : wait_event(stream, event, flags));
}

/* Into `graph` behind these nodes or, without one, into a new graph. */
static cudaError_t begin(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,
                         enum cudaStreamCaptureMode mode) {
  static unsigned long long last_id;
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed || (count && !nodes))
    return cudaErrorInvalidValue;
  if (is_legacy(stream))
    return cudaErrorStreamCaptureUnsupported;
  if (find(stream))
    return cudaErrorIllegalState;
  struct capture *capture = calloc(1, sizeof *capture);
  if (!capture)
    return cudaErrorMemoryAllocation;
  *capture = (struct capture){.id = ++last_id,
                              .first_node = graph_last_id() + 1,
                              .graph = graph ? graph : graph_new(),
                              .origin = identity(stream),
                              .thread = &per_thread_stream,
                              .mode = mode,
                              .own_graph = !graph};
  cudaError_t error = capture->graph ? take_part(stream, capture, nodes, count) : cudaErrorMemoryAllocation;
  if (error) {
    if (capture->own_graph)
      graph_free(capture->graph);
    free(capture);
  }
  return error;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  cudaError_t error = context_enter(CALL_QUEUES);
  return context_leave(error ? error : begin(stream, NULL, NULL, 0, mode));
}

#if CUDART_VERSION >= 12030
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *nodes, const cudaGraphEdgeData *edges,
                                          size_t count, enum cudaStreamCaptureMode mode) {
  (void)edges;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !graph)
    error = cudaErrorInvalidValue;
  return context_leave(error ? error : begin(stream, graph, nodes, count, mode));
}
#endif

/* Nothing that other streams did is left that this one does not wait for. */
static bool all_joined(const struct part *origin) {
  for (cudaGraphNode_t node = origin->capture->graph->first; node; node = node->next) {
    bool last = node->id >= origin->capture->first_node && !has(origin, node);
    for (cudaGraphNode_t later = node->next; later && last; later = later->next)
      last = !graph_depends(later, node);
    if (last)
      return false;
  }
  return true;
}

static cudaError_t verdict(const struct part *origin) {
  if (origin->capture->spoilt)
    return cudaErrorStreamCaptureInvalidated;
  return all_joined(origin) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

static cudaError_t end(cudaStream_t stream, cudaGraph_t *graph) {
  struct part *origin = find(stream);
  *graph = NULL;
  if (!origin)
    return cudaErrorIllegalState;
  struct capture *capture = origin->capture;
  if (capture->origin != origin->stream)
    return spoil(capture, cudaErrorStreamCaptureUnmatched);
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != &per_thread_stream)
    return cudaErrorStreamCaptureWrongThread;
  cudaError_t error = verdict(origin);
  for (struct part **link = &parts; *link;)
    if ((*link)->capture == capture)
      leave(link);
    else
      link = &(*link)->next;
  if (error && capture->own_graph)
    graph_free(capture->graph);
  *graph = error ? NULL : capture->graph;
  free(capture);
  return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !graph)
    error = cudaErrorInvalidValue;
  return context_leave(error ? error : end(stream, graph));
}

static enum cudaStreamCaptureStatus status_of(const struct part *part) {
  if (!part)
    return cudaStreamCaptureStatusNone;
  return part->capture->spoilt ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  cudaError_t error = context_enter(CALL_QUERIES);
  if (!error)
    error = status ? forbid_legacy(stream, true) : cudaErrorInvalidValue;
  if (!error)
    *status = status_of(find(stream));
  return context_leave(error);
}

static cudaError_t get_info(cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                            cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count) {
  cudaError_t error = context_enter(CALL_QUERIES);
  if (!error)
    error = status ? forbid_legacy(stream, true) : cudaErrorInvalidValue;
  struct part *part = error ? NULL : find(stream);
  if (!error)
    *status = status_of(part);
  if (part && id)
    *id = part->capture->id;
  if (part && graph)
    *graph = part->capture->graph;
  if (part && nodes)
    *nodes = part->nodes;
  if (part && count)
    *count = part->count;
  return context_leave(error);
}

/* CUDA 12 has this as _v3, and without kinds of edges as _v2, which its header makes the plain name. */
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
    return error_record(cudaErrorInvalidValue);
  enum cudaStreamCaptureMode before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return cudaSuccess;
}
