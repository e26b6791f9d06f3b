#include "graph_exec.h"

#include "graph_condition.h"
#include "tally.h"

#include <stdlib.h>

struct graph_exec_step *graph_exec_find(cudaGraphExec_t exec, cudaGraphNode_t node) {
  for (size_t i = 0; exec && node && i < exec->count; i++)
    if (exec->steps[i].node == node->id)
      return &exec->steps[i];
  return NULL;
}

void graph_exec_free(cudaGraphExec_t exec) {
  tally_add(TALLY_OBJECTS, -1);
  for (size_t i = 0; i < exec->count; i++)
    work_drop(&exec->steps[i].work);
  user_objects_drop(&exec->objects);
  free(exec);
}

/* The graph->count nodes in the order in which they run. The caller frees the array. */
static cudaError_t ordered_nodes(cudaGraph_t graph, cudaGraphNode_t **ordered) {
  *ordered = malloc((graph->count + 1) * sizeof **ordered); /* may be empty */
  return *ordered ? graph_order(graph, *ordered) : cudaErrorMemoryAllocation;
}

cudaError_t graph_exec_new(cudaGraphExec_t *result, cudaGraph_t graph, unsigned long long flags) {
  cudaGraphNode_t *ordered;
  cudaError_t error = ordered_nodes(graph, &ordered);
  cudaGraphExec_t exec = calloc(1, sizeof *exec + graph->count * sizeof *exec->steps);
  if (exec)
    tally_add(TALLY_OBJECTS, 1);
  else if (!error)
    error = cudaErrorMemoryAllocation;
  for (size_t i = 0; !error && i < graph->count; i++) {
    exec->steps[i] =
        (struct graph_exec_step){.node = ordered[i]->id, .dependency_count = ordered[i]->dependency_count};
    error = work_keep(&exec->steps[i].work, &ordered[i]->work);
    exec->count = i + 1;
  }
  if (!error)
    error = user_objects_copy(&exec->objects, &graph->objects);
  free(ordered);
  if (error && exec)
    graph_exec_free(exec);
  if (error)
    return error;
  tally_add(TALLY_GRAPHS_MADE, 1);
  exec->flags = flags;
  *result = exec;
  return cudaSuccess;
}

/* Frees what the launch before has left, if the program asked for that. */
static void free_memory(cudaGraphExec_t exec) {
  for (size_t i = 0; i < exec->count && exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch; i++)
    if (exec->steps[i].work.type == cudaGraphNodeTypeMemAlloc)
      graph_memory_free(exec->steps[i].work.memory); /* fails if it is free */
}

cudaError_t graph_exec_run(cudaGraphExec_t exec) {
  cudaError_t error = cudaSuccess;
  exec->running = true;
  free_memory(exec);
  for (size_t i = 0; i < exec->count && !error; i++)
    error = graph_condition_begin(&exec->steps[i].work);
  for (size_t i = 0; i < exec->count && !error; i++)
    if (!exec->steps[i].disabled)
      error = work_run(&exec->steps[i].work);
  exec->running = false;
  if (exec->destroyed)
    graph_exec_free(exec);
  return error;
}

/* Sets *culprit to the first node whose type differs from its step. */
static enum cudaGraphExecUpdateResult compare(cudaGraphExec_t exec, cudaGraph_t graph,
                                              const cudaGraphNode_t *ordered, cudaGraphNode_t *culprit) {
  if (exec->count != graph->count)
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < graph->count; i++) {
    *culprit = ordered[i];
    if (ordered[i]->dependency_count != exec->steps[i].dependency_count)
      return cudaGraphExecUpdateErrorTopologyChanged;
    if (ordered[i]->work.type != exec->steps[i].work.type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
  }
  *culprit = NULL;
  return cudaGraphExecUpdateSuccess;
}

/* The new ones first: they may be the same. */
static cudaError_t replace_objects(cudaGraphExec_t exec, cudaGraph_t graph) {
  struct user_objects old = exec->objects;
  const cudaError_t error = user_objects_copy(&exec->objects, &graph->objects);
  if (error)
    exec->objects = old;
  else
    user_objects_drop(&old);
  return error;
}

cudaError_t graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
  cudaGraphNode_t *ordered;
  cudaError_t error = ordered_nodes(graph, &ordered);
  *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateError};
  if (!error) {
    info->result = compare(exec, graph, ordered, &info->errorNode);
    error = info->result ? cudaErrorGraphExecUpdateFailure : cudaSuccess;
  }
  for (size_t i = 0; !error && i < exec->count; i++) {
    error = work_replace(&exec->steps[i].work, &ordered[i]->work);
    exec->steps[i].node = ordered[i]->id;
  }
  free(ordered);
  return error ? error : replace_objects(exec, graph);
}
