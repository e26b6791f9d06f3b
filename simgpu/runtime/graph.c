#include "graph.h"

#include "tally.h"
#include "waits.h"

#include <stdlib.h>
#include <string.h>

static unsigned long long last_id;
static unsigned last_number;

unsigned long long graph_last_id(void) { return last_id; }

cudaGraph_t graph_new(void) {
  cudaGraph_t graph = calloc(1, sizeof *graph);
  if (!graph)
    return NULL;
  graph->end = &graph->first;
  graph->number = ++last_number;
  tally_add(TALLY_OBJECTS, 1);
  return graph;
}

static void free_node(cudaGraphNode_t node) {
  work_drop(&node->work);
  free(node->dependencies);
  free(node->arguments);
  free(node);
}

void graph_free(cudaGraph_t graph) {
  if (graph)
    tally_add(TALLY_OBJECTS, -1);
  while (graph && graph->first) {
    cudaGraphNode_t node = graph->first;
    graph->first = node->next;
    free_node(node);
  }
  if (graph)
    user_objects_drop(&graph->objects);
  free(graph);
}

bool graph_depends(cudaGraphNode_t node, cudaGraphNode_t on) {
  for (size_t i = 0; i < node->dependency_count; i++)
    if (node->dependencies[i] == on)
      return true;
  return false;
}

cudaError_t graph_depend(cudaGraphNode_t node, const cudaGraphNode_t *dependencies, size_t count) {
  if (count && !dependencies)
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; i++)
    if (!dependencies[i] || dependencies[i]->graph != node->graph || dependencies[i] == node ||
        graph_depends(node, dependencies[i]))
      return cudaErrorInvalidValue;
  cudaGraphNode_t *all = realloc(node->dependencies, (node->dependency_count + count + 1) * sizeof *all);
  if (!all)
    return cudaErrorMemoryAllocation;
  node->dependencies = all;
  for (size_t i = 0; i < count; i++)
    all[node->dependency_count++] = dependencies[i];
  return cudaSuccess;
}

cudaError_t graph_undepend(cudaGraphNode_t node, cudaGraphNode_t from) {
  for (size_t i = 0; node && i < node->dependency_count; i++)
    if (node->dependencies[i] == from) {
      node->dependency_count--;
      memmove(&node->dependencies[i], &node->dependencies[i + 1],
              (node->dependency_count - i) * sizeof *node->dependencies);
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

cudaError_t graph_add(cudaGraphNode_t *result, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                      size_t count, const struct work *work) {
  if (!result || !graph)
    return cudaErrorInvalidValue;
  cudaError_t error = work_check(work);
  if (error)
    return error;
  cudaGraphNode_t node = calloc(1, sizeof *node);
  if (!node)
    return cudaErrorMemoryAllocation;
  node->graph = graph;
  node->id = node->origin = ++last_id;
  error = work_keep(&node->work, work);
  if (!error)
    error = graph_depend(node, dependencies, count);
  if (error) {
    free_node(node);
    return error;
  }
  *graph->end = node;
  graph->end = &node->next;
  graph->count++;
  *result = node;
  return cudaSuccess;
}

void graph_remove(cudaGraphNode_t node) {
  cudaGraph_t graph = node->graph;
  cudaGraphNode_t *link = &graph->first;
  for (; *link != node; link = &(*link)->next)
    ;
  *link = node->next;
  if (graph->end == &node->next)
    graph->end = link;
  graph->count--;
  for (cudaGraphNode_t other = graph->first; other; other = other->next)
    graph_undepend(other, node);
  free_node(node);
}

cudaGraphNode_t graph_find_clone(cudaGraph_t clone, cudaGraphNode_t original) {
  cudaGraphNode_t node = clone->first;
  while (node && node->origin != original->id)
    node = node->next;
  return node;
}

/* The clone's nodes are in the same order. */
static cudaError_t clone_dependencies(cudaGraph_t clone, cudaGraph_t graph) {
  cudaError_t error = cudaSuccess;
  cudaGraphNode_t copy = clone->first;
  for (cudaGraphNode_t node = graph->first; node && !error; node = node->next, copy = copy->next)
    for (size_t i = 0; i < node->dependency_count && !error; i++)
      error = graph_depend(copy, &(cudaGraphNode_t){graph_find_clone(clone, node->dependencies[i])}, 1);
  return error;
}

cudaError_t graph_clone(cudaGraph_t *result, cudaGraph_t graph) {
  cudaError_t error = cudaSuccess;
  cudaGraph_t clone = graph_new();
  *result = clone;
  if (!clone)
    return cudaErrorMemoryAllocation;
  for (cudaGraphNode_t node = graph->first, copy; node && !error; node = node->next) {
    const enum cudaGraphNodeType type = node->work.type; /* the address of memory belongs to one graph */
    error = type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree
                ? cudaErrorNotSupported
                : graph_add(&copy, clone, NULL, 0, &node->work);
    if (!error)
      copy->origin = node->id;
  }
  if (!error)
    error = clone_dependencies(clone, graph);
  if (!error)
    error = user_objects_copy(&clone->objects, &graph->objects);
  if (error) {
    graph_free(clone);
    *result = NULL;
  }
  return error;
}

static bool can_run(cudaGraphNode_t node) {
  for (size_t i = 0; i < node->dependency_count; i++)
    if (!node->dependencies[i]->place)
      return false;
  return !node->place;
}

/* One pass suffices unless an older node depends on a newer one. */
cudaError_t graph_order(cudaGraph_t graph, cudaGraphNode_t *ordered) {
  size_t done = 0, before;
  for (cudaGraphNode_t node = graph->first; node; node = node->next)
    node->place = 0;
  do {
    before = done;
    for (cudaGraphNode_t node = graph->first; node; node = node->next)
      if (can_run(node)) {
        ordered[done] = node;
        node->place = ++done;
      }
  } while (done > before && done < graph->count);
  return done == graph->count ? cudaSuccess : cudaErrorInvalidValue;
}

/* A node's turn. Each branch is a stream of its own. */
struct turn {
  size_t branch;
  bool continued; /* another node has taken over the branch */
  struct waits_moment after;
};

/* A node continues the branch of a dependency that no other node continues, or begins one. Returns their number. */
static size_t choose_branches(cudaGraph_t graph, const cudaGraphNode_t *ordered, struct turn *turns) {
  size_t branches = 0;
  for (size_t i = 0; i < graph->count; i++) {
    struct turn *before = NULL;
    for (size_t d = 0; d < ordered[i]->dependency_count && !before; d++) {
      struct turn *dependency = &turns[ordered[i]->dependencies[d]->place - 1];
      before = dependency->continued ? NULL : dependency;
    }
    turns[i].branch = before ? before->branch : branches++;
    if (before)
      before->continued = true;
  }
  return branches;
}

/* Branches begin with what comes before the current stream, which follows all of them. Their streams are not those of
 * graph_exec.c, which begin at 0. */
static cudaError_t run_branches(cudaGraph_t graph, const cudaGraphNode_t *ordered, struct turn *turns) {
  enum { FIRST = WAITS_SLOTS / 2 };
  struct waits_stream *outer = waits_current();
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < graph->count && !error; i++) {
    struct waits_stream branch = waits_of_new_stream(FIRST + turns[i].branch, false);
    waits_follow(&branch, &outer->moment);
    for (size_t d = 0; d < ordered[i]->dependency_count; d++)
      waits_follow(&branch, &turns[ordered[i]->dependencies[d]->place - 1].after);
    waits_enter(&branch);
    error = work_run(&ordered[i]->work);
    turns[i].after = branch.moment;
  }
  waits_enter(outer);
  for (size_t i = 0; i < graph->count; i++)
    waits_follow(outer, &turns[i].after);
  return error;
}

cudaError_t graph_run(cudaGraph_t graph) {
  cudaGraphNode_t *ordered = malloc((graph->count + 1) * sizeof(cudaGraphNode_t)); /* may be empty */
  struct turn *turns = calloc(graph->count + 1, sizeof *turns);
  cudaError_t error = ordered && turns ? graph_order(graph, ordered) : cudaErrorMemoryAllocation;
  const bool has_branches = !error && choose_branches(graph, ordered, turns) > 1;
  if (has_branches)
    error = run_branches(graph, ordered, turns);
  for (size_t i = 0; i < graph->count && !error && !has_branches; i++)
    error = work_run(&ordered[i]->work);
  free(ordered);
  free(turns);
  return error;
}
