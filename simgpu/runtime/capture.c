/* A capture begins on one stream and includes every stream that waits for an event recorded in it. All of
 * them must have rejoined the first stream when the capture ends. The rules and the errors are those of the CUDA
 * Programming Guide ("Prohibited and Unhandled Operations") and of the runtime's reference for
 * cudaStreamBeginCapture() and cudaThreadExchangeStreamCaptureMode(). */
#include "capture.h"

#include "event.h"
#include "explain.h"
#include "graph.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

struct capture {
  unsigned long long id, first_node; /* nodes with lower ids were in the graph before */
  cudaGraph_t graph;
  const void *origin;
  const void *thread;
  enum cudaStreamCaptureMode mode;
  bool own_graph, invalid;
};

/* A stream that takes part in a capture. */
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
static _Thread_local char per_thread_stream; /* its address identifies the thread, and the thread's stream */

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

static cudaError_t invalidate(struct capture *capture, cudaError_t error) {
  capture->invalid = true;
  return error;
}

static bool goes_on(const struct capture *capture) { return capture && !capture->invalid; }

bool capture_goes_on(unsigned long long id) { return goes_on(find_capture(id)); }

cudaError_t capture_forbids_asking(unsigned long long id) {
  struct capture *capture = find_capture(id);
  return goes_on(capture) ? invalidate(capture, cudaErrorCapturedEvent) : cudaErrorInvalidValue;
}

/* The legacy stream waits for all blocking streams, which is forbidden during a capture. A query leaves
 * the capture valid. */
static cudaError_t forbid_legacy(cudaStream_t stream, bool asks) {
  cudaError_t error = cudaSuccess;
  for (struct part *part = parts; part && is_legacy(stream); part = part->next)
    if (part->blocking) {
      part->capture->invalid |= !asks;
      error = cudaErrorStreamCaptureImplicit;
    }
  return error;
}

static cudaError_t set_nodes(struct part *part, const cudaGraphNode_t *nodes, size_t count) {
  cudaGraphNode_t *copy = malloc((count + 1) * sizeof(cudaGraphNode_t)); /* count may be 0 */
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

/* The part of a stream that is being captured (NULL: it is not), or an error if its capture is invalid. */
static cudaError_t usable(cudaStream_t stream, struct part **part) {
  *part = find(stream);
  if (!*part)
    return forbid_legacy(stream, false);
  return (*part)->capture->invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
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
  return error ? invalidate(part->capture, error) : cudaSuccess;
}

cudaError_t capture_or_run(cudaStream_t stream, const struct work *work) {
  bool taken = false;
  cudaError_t error = capture_take(stream, work, &taken);
  if (error == cudaErrorStreamCaptureImplicit)
    explain_capture(work->type == cudaGraphNodeTypeKernel ? work->launch.kernel->name : NULL);
  if (error || taken)
    return error;
  waits_enter(stream_waits(stream));
  return work_run(work);
}

cudaError_t capture_forbids_unsafe(void) {
  cudaError_t error = cudaSuccess;
  for (struct part *part = parts; part && thread_mode != cudaStreamCaptureModeRelaxed; part = part->next) {
    const struct capture *capture = part->capture;
    bool ours = capture->thread == &per_thread_stream && capture->mode != cudaStreamCaptureModeRelaxed;
    bool global = capture->mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal;
    if (ours || global)
      error = invalidate(part->capture, cudaErrorStreamCaptureUnsupported);
  }
  return error;
}

cudaError_t capture_forbids_waiting(cudaStream_t stream) {
  struct part *part;
  cudaError_t error = usable(stream, &part);
  if (error == cudaErrorStreamCaptureInvalidated) /* a later wait gets the same error as the first */
    return cudaErrorStreamCaptureUnsupported;
  return error || !part ? error : invalidate(part->capture, cudaErrorStreamCaptureUnsupported);
}

cudaError_t capture_forbids_waiting_for_all(void) {
  for (struct part *part = parts; part; part = part->next)
    invalidate(part->capture, cudaErrorStreamCaptureUnsupported);
  return parts ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

/* A stream that joined a capture can be destroyed before the capture ends: its nodes stay. */
void capture_forget_stream(cudaStream_t stream) {
  struct part **link = &parts;
  while (*link && (*link)->stream != identity(stream))
    link = &(*link)->next;
  if (*link && (*link)->capture->origin == (*link)->stream)
    invalidate((*link)->capture, cudaErrorStreamCaptureInvalidated);
  else if (*link)
    leave(link);
}

cudaError_t capture_event(cudaStream_t stream, cudaEvent_t event, bool *taken) {
  struct part *part;
  cudaError_t error = usable(stream, &part);
  *taken = error || part;
  return error || !part ? error : event_capture(event, part->capture->id, part->nodes, part->count);
}

/* A stream that waits for an event of a capture joins this capture. */
static cudaError_t wait_captured(cudaStream_t stream, cudaEvent_t event) {
  struct capture *capture = find_capture(event->capture);
  struct part *part;
  cudaError_t error = usable(stream, &part);
  if (error)
    return error;
  if (!capture)
    return part ? invalidate(part->capture, cudaErrorStreamCaptureMerge) : cudaErrorInvalidValue;
  if (is_legacy(stream))
    return invalidate(capture, cudaErrorStreamCaptureImplicit);
  if (!part)
    return take_part(stream, capture, event->nodes, event->node_count);
  if (part->capture == capture)
    return join(part, event->nodes, event->node_count);
  invalidate(capture, cudaErrorStreamCaptureMerge);
  return invalidate(part->capture, cudaErrorStreamCaptureMerge);
}

cudaError_t capture_wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  struct work work = {.type = cudaGraphNodeTypeWaitEvent, .event = event};
  struct part *part;
  bool taken = false;
  if (!event)
    return cudaErrorInvalidResourceHandle;
  if (flags & ~(unsigned)cudaEventWaitExternal)
    return cudaErrorInvalidValue;
  if (flags & cudaEventWaitExternal)
    return find(stream) ? capture_take(stream, &work, &taken) : cudaErrorInvalidValue;
  if (event->capture)
    return wait_captured(stream, event);
  cudaError_t error = usable(stream, &part);
  if (!error && part && event->recorded)
    error = invalidate(part->capture, cudaErrorStreamCaptureIsolation);
  if (!error && !part && event->recorded) /* the work is already done */
    waits_follow(stream_waits(stream), &event->moment);
  return error;
}

cudaError_t capture_begin(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,
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

/* True if the origin waits for all work of the other streams. */
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
  if (origin->capture->invalid)
    return cudaErrorStreamCaptureInvalidated;
  return all_joined(origin) ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
}

cudaError_t capture_end(cudaStream_t stream, cudaGraph_t *result) {
  struct part *origin = find(stream);
  cudaGraph_t known, *graph = result ? result : &known;
  *graph = NULL;
  if (!origin)
    return cudaErrorIllegalState;
  struct capture *capture = origin->capture;
  if (!result && capture->own_graph)
    return cudaErrorInvalidValue;
  if (capture->origin != origin->stream)
    return invalidate(capture, cudaErrorStreamCaptureUnmatched);
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

cudaError_t capture_follow(cudaStream_t stream, const cudaGraphNode_t *nodes, size_t count, bool replaces) {
  struct part *part = find(stream);
  if (!part)
    return cudaErrorIllegalState;
  for (size_t i = 0; i < count; i++)
    if (!nodes || !nodes[i] || nodes[i]->graph != part->capture->graph)
      return cudaErrorInvalidValue;
  return replaces ? set_nodes(part, nodes, count) : join(part, nodes, count);
}

static enum cudaStreamCaptureStatus status_of(const struct part *part) {
  if (!part)
    return cudaStreamCaptureStatusNone;
  return part->capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

cudaError_t capture_get_info(cudaStream_t stream, struct capture_info *info) {
  cudaError_t error = forbid_legacy(stream, true);
  const struct part *part = error ? NULL : find(stream);
  *info = (struct capture_info){.status = status_of(part)};
  if (part) {
    info->id = part->capture->id;
    info->graph = part->capture->graph;
    info->nodes = part->nodes;
    info->count = part->count;
  }
  return error;
}

enum cudaStreamCaptureMode capture_exchange_mode(enum cudaStreamCaptureMode mode) {
  enum cudaStreamCaptureMode before = thread_mode;
  thread_mode = mode;
  return before;
}
