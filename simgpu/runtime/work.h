/* The work of a stream: kernels, copies, fills, functions of the program, events, graphs, their memory. */
#pragma once

#include "graph_memory.h"
#include "work_copy.h"
#include "work_fill.h"
#include "work_launch.h"

enum { WORK_CONDITION = 13 }; /* cudaGraphNodeTypeConditional, which CUDA has since 12.3 */

struct work {
  enum cudaGraphNodeType type;
  union {
    struct work_launch launch;
    struct work_copy copy;
    struct work_fill fill;
    struct cudaHostNodeParams host;
    cudaEvent_t event;
    struct graph_memory *memory;
    struct graph_condition *condition;
    cudaGraph_t child; /* its nodes in an order in which they can run */
  };
};

/* Releases the lock while a function of the program runs. */
cudaError_t work_run(const struct work *work);
cudaError_t work_check(const struct work *work);

/* Makes *to an independent copy, which work_drop() frees. */
cudaError_t work_keep(struct work *to, const struct work *from);
void work_drop(struct work *work);

/* Puts a copy of *work in place of *old, which must be of the same type. */
cudaError_t work_replace(struct work *old, const struct work *work);
