/* Executable graphs: the nodes' work in the order in which it runs. Each kernel of a launch takes the
 * modelled time of an ordinary launch. */
#pragma once

#include "graph.h"
#include "waits.h"

struct graph_exec_step {
  unsigned long long node; /* its id */
  bool disabled;
  size_t dependency_count; /* all that an update compares */
  size_t *dependencies;    /* the steps that it follows */
  unsigned branch;         /* steps of different branches may run at the same time */
  bool continued;          /* another step of the branch follows */
  struct work work;
};

struct CUgraphExec_st {
  unsigned long long flags;
  bool running, destroyed; /* destroyed by a function that it runs */
  struct user_objects objects;
  unsigned branches;
  size_t count;
  struct graph_exec_step steps[];
};

/* The executable graph is independent of the graph from which it is made. */
cudaError_t graph_exec_new(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags);
void graph_exec_free(cudaGraphExec_t exec);
/* Runs the steps one after the other. What they may rely on is what their dependencies promise. */
cudaError_t graph_exec_run(cudaGraphExec_t exec, struct waits_stream *stream);

/* The step of the graph's node; NULL if there is none. */
struct graph_exec_step *graph_exec_find(cudaGraphExec_t exec, cudaGraphNode_t node);

/* Gives all steps the work of the graph's nodes, which must have the same number, order and types. */
cudaError_t graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info);
