/* Stream capture: work that is issued to a stream becomes nodes of a graph instead of running. */
#pragma once

#include "work.h"

/* Runs the work now or, if the stream is being captured, makes it a node of the graph. */
cudaError_t capture_or_run(cudaStream_t stream, const struct work *work);

/* Makes the work a node if the stream is being captured; *taken says whether it did. */
cudaError_t capture_take(cudaStream_t stream, const struct work *work, bool *taken);

/* Captures into `graph` after these nodes or, if it is NULL, into a new graph. */
cudaError_t capture_begin(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes, size_t count,
                          enum cudaStreamCaptureMode mode);
/* The next node of the stream depends on these nodes of the capture's graph, alone or too. */
cudaError_t capture_follow(cudaStream_t stream, const cudaGraphNode_t *nodes, size_t count, bool replaces);
/* graph: may be NULL if the program has given the graph. */
cudaError_t capture_end(cudaStream_t stream, cudaGraph_t *graph);

/* The state of a stream's capture; the members after `status` are 0 if the stream takes part in none. */
struct capture_info {
  enum cudaStreamCaptureStatus status;
  unsigned long long id;
  cudaGraph_t graph;
  const cudaGraphNode_t *nodes; /* on which the stream's next node depends */
  size_t count;
};
cudaError_t capture_get_info(cudaStream_t stream, struct capture_info *info);

/* Sets the calling thread's mode and returns the one before. Needs no lock. */
enum cudaStreamCaptureMode capture_exchange_mode(enum cudaStreamCaptureMode mode);

bool capture_goes_on(unsigned long long id);

/* Records the event in the stream's capture; *taken is false if there is none. */
cudaError_t capture_event(cudaStream_t stream, cudaEvent_t event, bool *taken);

/* Makes the stream wait for the event; a stream that waits for a captured event joins its capture. */
cudaError_t capture_wait_event(cudaStream_t stream, cudaEvent_t event, unsigned flags);

void capture_forget_stream(cudaStream_t stream);

/* The error for a call that a capture in progress forbids; the call invalidates the capture. */
cudaError_t capture_forbids_asking(unsigned long long id);
cudaError_t capture_forbids_unsafe(void);
cudaError_t capture_forbids_waiting(cudaStream_t stream);
cudaError_t capture_forbids_waiting_for_all(void);
