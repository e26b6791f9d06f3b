/* Graphs of work. Nodes run one after the other, in an order that respects their dependencies and otherwise
 * follows their creation. */
#pragma once

#include "user_object.h"
#include "work.h"

struct CUgraphNode_st {
  struct CUgraphNode_st *next; /* in order of creation */
  cudaGraph_t graph;
  unsigned long long id, origin; /* unique; the id of the node that it was cloned from, or its own */
  size_t place;                  /* in the last graph_order(), from 1; 0: not placed yet */
  struct work work;
  void **arguments; /* for cudaGraphKernelNodeGetParams(), made when a program asks for them */
  size_t dependency_count;
  cudaGraphNode_t *dependencies;
};

struct CUgraph_st {
  cudaGraphNode_t first, *end;
  size_t count;
  unsigned number; /* unique */
  struct user_objects objects;
};

unsigned long long graph_last_id(void);

cudaGraph_t graph_new(void);
void graph_free(cudaGraph_t graph);
cudaError_t graph_clone(cudaGraph_t *clone, cudaGraph_t graph);

/* The clone of a node; NULL if it has none. */
cudaGraphNode_t graph_find_clone(cudaGraph_t clone, cudaGraphNode_t original);

/* Appends a node that does a copy of *work. */
cudaError_t graph_add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                      size_t count, const struct work *work);
void graph_remove(cudaGraphNode_t node);

/* Adds dependencies to the node, or removes one. */
cudaError_t graph_depend(cudaGraphNode_t node, const cudaGraphNode_t *dependencies, size_t count);
cudaError_t graph_undepend(cudaGraphNode_t node, cudaGraphNode_t from);

bool graph_depends(cudaGraphNode_t node, cudaGraphNode_t on);

/* All nodes in an order in which they can run, graph->count of them; cudaErrorInvalidValue if they form a cycle. */
cudaError_t graph_order(cudaGraph_t graph, cudaGraphNode_t *ordered);

cudaError_t graph_run(cudaGraph_t graph);
