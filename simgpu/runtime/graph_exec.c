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
  for (size_t i = 0; i < exec->count; i++) {
    work_drop(&exec->steps[i].work);
    free(exec->steps[i].dependencies);
  }
  user_objects_drop(&exec->objects);
  free(exec);
}

/* The graph->count nodes in the order in which they run. The caller frees the array. */
static cudaError_t ordered_nodes(cudaGraph_t graph, cudaGraphNode_t **ordered) {
  *ordered = malloc((graph->count + 1) * sizeof **ordered); /* may be empty */
  return *ordered ? graph_order(graph, *ordered) : cudaErrorMemoryAllocation;
}

/* A step continues the branch of a dependency that no other step continues, or begins one. */
static void choose_branch(cudaGraphExec_t exec, struct graph_exec_step *step) {
  for (size_t d = 0; d < step->dependency_count; d++) {
    struct graph_exec_step *before = &exec->steps[step->dependencies[d]];
    if (before->continued)
      continue;
    before->continued = true;
    step->branch = before->branch;
    return;
  }
  step->branch = exec->branches++;
}

/* The nodes before this one have their steps. */
static cudaError_t make_step(cudaGraphExec_t exec, cudaGraphNode_t node) {
  struct graph_exec_step *step = &exec->steps[exec->count++];
  *step = (struct graph_exec_step){.node = node->id, .dependency_count = node->dependency_count};
  const cudaError_t error = work_keep(&step->work, &node->work);
  if (error)
    return error;
  step->dependencies = calloc(node->dependency_count + 1, sizeof *step->dependencies);
  if (!step->dependencies)
    return cudaErrorMemoryAllocation;
  for (size_t d = 0; d < node->dependency_count; d++)
    step->dependencies[d] = node->dependencies[d]->place - 1;
  choose_branch(exec, step);
  return cudaSuccess;
}

cudaError_t graph_exec_new(cudaGraphExec_t *result, cudaGraph_t graph, unsigned long long flags) {
  cudaGraphNode_t *ordered;
  cudaError_t error = ordered_nodes(graph, &ordered);
  cudaGraphExec_t exec = calloc(1, sizeof *exec + graph->count * sizeof *exec->steps);
  if (exec)
    tally_add(TALLY_OBJECTS, 1);
  else if (!error)
    error = cudaErrorMemoryAllocation;
  for (size_t i = 0; !error && i < graph->count; i++)
    error = make_step(exec, ordered[i]);
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

/* Each branch is a stream of its own; the stream of the launch follows all of them. */
static cudaError_t run_branches(cudaGraphExec_t exec, struct waits_stream *stream) {
  struct waits_moment *after = calloc(exec->count, sizeof *after);
  cudaError_t error = after ? cudaSuccess : cudaErrorMemoryAllocation;
  for (size_t i = 0; i < exec->count && !error; i++) {
    const struct graph_exec_step *step = &exec->steps[i];
    struct waits_stream branch = waits_of_new_stream(step->branch, false);
    waits_follow(&branch, &stream->moment);
    for (size_t d = 0; d < step->dependency_count; d++)
      waits_follow(&branch, &after[step->dependencies[d]]);
    waits_enter(&branch);
    if (!step->disabled)
      error = work_run(&step->work);
    after[i] = branch.moment;
  }
  waits_enter(stream);
  for (size_t i = 0; after && i < exec->count; i++)
    waits_follow(stream, &after[i]);
  free(after);
  return error;
}

static cudaError_t run_in_turn(cudaGraphExec_t exec) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < exec->count && !error; i++)
    if (!exec->steps[i].disabled)
      error = work_run(&exec->steps[i].work);
  return error;
}

cudaError_t graph_exec_run(cudaGraphExec_t exec, struct waits_stream *stream) {
  cudaError_t error = cudaSuccess;
  exec->running = true;
  waits_enter(stream);
  free_memory(exec);
  for (size_t i = 0; i < exec->count && !error; i++)
    error = graph_condition_begin(&exec->steps[i].work);
  if (!error)
    error = exec->branches > 1 ? run_branches(exec, stream) : run_in_turn(exec);
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
