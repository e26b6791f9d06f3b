/* Graphs of work. Nodes run one after the other, in an order that respects their dependencies and otherwise
 * follows their creation. Called with the runtime's lock held. */
#ifndef SIMGPU_GRAPH_H
#define SIMGPU_GRAPH_H

#include "runtime.h"

/* CUDA 13 gave the plain names to the functions that know kinds of edges; in 12 these end in _v2
 * (since 12.3). */
#if CUDART_VERSION >= 13000
#define WITH_EDGES(name) name
#else
#define WITH_EDGES(name) name##_v2
#endif
#if CUDART_VERSION < 12030
typedef struct {
  unsigned char bytes[8];
} cudaGraphEdgeData;
#endif

struct CUgraphNode_st {
  struct CUgraphNode_st *next; /* in order of creation */
  cudaGraph_t graph;
  unsigned long long id, origin; /* unique; the id of the node that it was cloned from, or its own */
  bool ready;                    /* while the order is found */
  struct work work;
  void **arguments; /* for cudaGraphKernelNodeGetParams(), made when asked for */
  size_t dependency_count;
  cudaGraphNode_t *dependencies;
};

struct CUgraph_st {
  cudaGraphNode_t first, *end;
  size_t count;
};

unsigned long long graph_last_id(void);

cudaGraph_t graph_new(void);
void graph_free(cudaGraph_t graph);
cudaError_t graph_clone(cudaGraph_t *clone, cudaGraph_t graph);

/* Append a node that does *work, of which it keeps a copy. */
cudaError_t graph_add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                      size_t count, const struct work *work);

/* Let the node depend on these as well. */
cudaError_t graph_depend(cudaGraphNode_t node, const cudaGraphNode_t *dependencies, size_t count);

bool graph_depends(cudaGraphNode_t node, cudaGraphNode_t on);

/* All nodes in an order in which they can run, count of them; cudaErrorInvalidValue when they form a cycle.
 */
cudaError_t graph_order(cudaGraph_t graph, cudaGraphNode_t *ordered);

cudaError_t graph_run(cudaGraph_t graph);

/* *work in place of *old, which must be of the same type. */
cudaError_t graph_set_work(struct work *old, const struct work *work);

/* The same in an executable graph, which keeps nothing of the graph that it was made from. */
cudaError_t graph_exec_set(cudaGraphExec_t exec, cudaGraphNode_t node, const struct work *work);

#endif
