/* For several files that define copies. */
#pragma once

#include "api.h"

#include "../work.h"

/* Runs a copy, or adds it to the graph that the stream captures. */
cudaError_t submit_copy(enum context_use use, cudaStream_t stream, struct work_copy copy);

/* Gives the node other work of its type; exec: only there, or NULL. */
cudaError_t submit_change(cudaGraphExec_t exec, cudaGraphNode_t node, struct work *work);
