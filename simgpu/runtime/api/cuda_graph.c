/* Graphs: their nodes and dependencies. */
#include "api.h"

#include "../graph_dot.h"

#include <string.h>

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!graph || flags))
    error = cudaErrorInvalidValue;
  if (!error && !(*graph = graph_new()))
    error = cudaErrorMemoryAllocation;
  return context_leave(error);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !graph)
    error = cudaErrorInvalidValue;
  if (!error)
    graph_free(graph);
  return context_leave(error);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = clone && graph ? graph_clone(clone, graph) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!node || !original || !clone || !(*node = graph_find_clone(clone, original))))
    error = cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!graph || !path))
    error = cudaErrorInvalidValue;
  FILE *const file = error ? NULL : fopen(path, "w");
  if (!error && !file)
    error = cudaErrorOperatingSystem;
  if (file)
    graph_dot_write(file, graph, flags);
  if (file && fclose(file) != 0)
    error = cudaErrorOperatingSystem;
  return context_leave(error);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  if (!node || !type)
    return last_error_record(cudaErrorInvalidValue);
  *type = node->work.type;
  return cudaSuccess;
}

/* A list of nodes for the program, whose array holds *room nodes. Unused elements become NULL. Without an array,
 * or with unused elements, *room becomes the number of nodes. */
struct list {
  cudaGraphNode_t *nodes;
  size_t *room, count;
};

static void put(struct list *list, cudaGraphNode_t node) {
  if (list->nodes && list->count < *list->room)
    list->nodes[list->count] = node;
  list->count++;
}

static cudaError_t finish(struct list *list) {
  for (size_t i = list->count; list->nodes && i < *list->room; i++)
    list->nodes[i] = NULL;
  if (!list->nodes || *list->room > list->count)
    *list->room = list->count;
  return cudaSuccess;
}

/* All edges are ordinary ones. */
static void clear_edges(cudaGraphEdgeData *edges, size_t count) {
  if (edges)
    memset(edges, 0, count * sizeof *edges);
}

static cudaError_t list_nodes(cudaGraph_t graph, struct list list, bool roots) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!graph || !list.room))
    error = cudaErrorInvalidValue;
  for (cudaGraphNode_t node = error ? NULL : graph->first; node; node = node->next)
    if (!roots || !node->dependency_count)
      put(&list, node);
  return context_leave(error ? error : finish(&list));
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return list_nodes(graph, (struct list){nodes, count, 0}, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return list_nodes(graph, (struct list){nodes, count, 0}, true);
}

cudaError_t WITH_EDGES(cudaGraphGetEdges)(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                          cudaGraphEdgeData *edges, size_t *count) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!graph || !count || !from != !to))
    error = cudaErrorInvalidValue;
  if (!error) {
    size_t room = *count;
    struct list sources = {from, &room, 0}, targets = {to, count, 0};
    for (cudaGraphNode_t node = graph->first; node; node = node->next)
      for (size_t i = 0; i < node->dependency_count; i++) {
        put(&sources, node->dependencies[i]);
        put(&targets, node);
      }
    finish(&sources);
    error = finish(&targets);
    clear_edges(edges, from ? *count : 0);
  }
  return context_leave(error);
}

/* The nodes of a graph on which this node depends, or those that depend on it. */
static cudaError_t list_neighbours(cudaGraphNode_t node, struct list list, cudaGraphEdgeData *edges,
                                   bool dependents) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!node || !list.room))
    error = cudaErrorInvalidValue;
  if (error)
    return context_leave(error);
  if (dependents) {
    for (cudaGraphNode_t other = node->graph->first; other; other = other->next)
      if (graph_depends(other, node))
        put(&list, other);
  } else {
    for (size_t i = 0; i < node->dependency_count; i++)
      put(&list, node->dependencies[i]);
  }
  finish(&list);
  clear_edges(edges, list.nodes ? *list.room : 0);
  return context_leave(cudaSuccess);
}

cudaError_t WITH_EDGES(cudaGraphNodeGetDependencies)(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                     cudaGraphEdgeData *edges, size_t *count) {
  return list_neighbours(node, (struct list){nodes, count, 0}, edges, false);
}

cudaError_t WITH_EDGES(cudaGraphNodeGetDependentNodes)(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                       cudaGraphEdgeData *edges, size_t *count) {
  return list_neighbours(node, (struct list){nodes, count, 0}, edges, true);
}

cudaError_t WITH_EDGES(cudaGraphAddDependencies)(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                 const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                 size_t count) {
  (void)edges;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!graph || (count && (!from || !to))))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; !error && i < count; i++)
    error = to[i] && to[i]->graph == graph ? graph_depend(to[i], &from[i], 1) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t WITH_EDGES(cudaGraphRemoveDependencies)(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                    const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                    size_t count) {
  (void)edges;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!graph || (count && (!from || !to))))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; !error && i < count; i++)
    error = graph_undepend(to[i], from[i]);
  return context_leave(error);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !node)
    error = cudaErrorInvalidValue;
  if (!error)
    graph_remove(node);
  return context_leave(error);
}

#if CUDART_VERSION < 13000
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count) {
  return WITH_EDGES(cudaGraphGetEdges)(graph, from, to, NULL, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count) {
  return WITH_EDGES(cudaGraphNodeGetDependencies)(node, nodes, NULL, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count) {
  return WITH_EDGES(cudaGraphNodeGetDependentNodes)(node, nodes, NULL, count);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count) {
  return WITH_EDGES(cudaGraphAddDependencies)(graph, from, to, NULL, count);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count) {
  return WITH_EDGES(cudaGraphRemoveDependencies)(graph, from, to, NULL, count);
}
#endif
