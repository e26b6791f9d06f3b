/* The structure of graphs: nodes, dependencies, copies, order. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

static unsigned long long last_id;

unsigned long long graph_last_id(void) { return last_id; }

cudaGraph_t graph_new(void) {
  cudaGraph_t graph = calloc(1, sizeof *graph);
  if (graph)
    graph->end = &graph->first;
  return graph;
}

static void free_node(cudaGraphNode_t node) {
  work_drop(&node->work);
  free(node->dependencies);
  free(node->arguments);
  free(node);
}

void graph_free(cudaGraph_t graph) {
  while (graph && graph->first) {
    cudaGraphNode_t node = graph->first;
    graph->first = node->next;
    free_node(node);
  }
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

static cudaGraphNode_t find_clone(cudaGraph_t clone, cudaGraphNode_t original) {
  cudaGraphNode_t node = clone->first;
  while (node && node->origin != original->id)
    node = node->next;
  return node;
}

/* The clone's nodes stand in the same order. */
static cudaError_t clone_dependencies(cudaGraph_t clone, cudaGraph_t graph) {
  cudaError_t error = cudaSuccess;
  cudaGraphNode_t copy = clone->first;
  for (cudaGraphNode_t node = graph->first; node && !error; node = node->next, copy = copy->next)
    for (size_t i = 0; i < node->dependency_count && !error; i++)
      error = graph_depend(copy, &(cudaGraphNode_t){find_clone(clone, node->dependencies[i])}, 1);
  return error;
}

cudaError_t graph_clone(cudaGraph_t *result, cudaGraph_t graph) {
  cudaError_t error = cudaSuccess;
  cudaGraph_t clone = graph_new();
  *result = clone;
  if (!clone)
    return cudaErrorMemoryAllocation;
  for (cudaGraphNode_t node = graph->first, copy; node && !error; node = node->next) {
    error = graph_add(&copy, clone, NULL, 0, &node->work);
    if (!error)
      copy->origin = node->id;
  }
  if (!error)
    error = clone_dependencies(clone, graph);
  if (error) {
    graph_free(clone);
    *result = NULL;
  }
  return error;
}

static bool can_run(cudaGraphNode_t node) {
  for (size_t i = 0; i < node->dependency_count; i++)
    if (!node->dependencies[i]->ready)
      return false;
  return !node->ready;
}

/* One pass, unless a dependency was added to an older node. */
cudaError_t graph_order(cudaGraph_t graph, cudaGraphNode_t *ordered) {
  size_t done = 0, before;
  for (cudaGraphNode_t node = graph->first; node; node = node->next)
    node->ready = false;
  do {
    before = done;
    for (cudaGraphNode_t node = graph->first; node; node = node->next)
      if (can_run(node)) {
        node->ready = true;
        ordered[done++] = node;
      }
  } while (done > before && done < graph->count);
  return done == graph->count ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t graph_run(cudaGraph_t graph) {
  cudaGraphNode_t *ordered = malloc((graph->count + 1) * sizeof(cudaGraphNode_t)); /* may be empty */
  cudaError_t error = ordered ? graph_order(graph, ordered) : cudaErrorMemoryAllocation;
  for (size_t i = 0; i < graph->count && !error; i++)
    error = work_run(&ordered[i]->work);
  free(ordered);
  return error;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!graph || flags))
    error = cudaErrorInvalidValue;
  if (!error && !(*graph = graph_new()))
    error = cudaErrorMemoryAllocation;
  return context_leave(error);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !graph)
    error = cudaErrorInvalidValue;
  if (!error)
    graph_free(graph);
  return context_leave(error);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error)
    error = clone && graph ? graph_clone(clone, graph) : cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!node || !original || !clone || !(*node = find_clone(clone, original))))
    error = cudaErrorInvalidValue;
  return context_leave(error);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  if (!node || !type)
    return error_record(cudaErrorInvalidValue);
  *type = node->work.type;
  return cudaSuccess;
}

/* A list of nodes for the program: how many there are or, when it has room for *room, as many as fit; what is
 * left of the room becomes NULL. */
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

/* All edges are of the ordinary kind. */
static void clear_edges(cudaGraphEdgeData *edges, size_t count) {
  if (edges)
    memset(edges, 0, count * sizeof *edges);
}

static cudaError_t list_nodes(cudaGraph_t graph, struct list list, bool roots) {
  cudaError_t error = context_enter(CALL_QUEUES);
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
  cudaError_t error = context_enter(CALL_QUEUES);
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

cudaError_t WITH_EDGES(cudaGraphNodeGetDependencies)(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                     cudaGraphEdgeData *edges, size_t *count) {
  cudaError_t error = context_enter(CALL_QUEUES);
  struct list list = {nodes, count, 0};
  if (!error && (!node || !count))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; !error && i < node->dependency_count; i++)
    put(&list, node->dependencies[i]);
  if (!error) {
    error = finish(&list);
    clear_edges(edges, nodes ? *count : 0);
  }
  return context_leave(error);
}

cudaError_t WITH_EDGES(cudaGraphNodeGetDependentNodes)(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                       cudaGraphEdgeData *edges, size_t *count) {
  cudaError_t error = context_enter(CALL_QUEUES);
  struct list list = {nodes, count, 0};
  if (!error && (!node || !count))
    error = cudaErrorInvalidValue;
  for (cudaGraphNode_t other = error ? NULL : node->graph->first; other; other = other->next)
    if (graph_depends(other, node))
      put(&list, other);
  if (!error) {
    error = finish(&list);
    clear_edges(edges, nodes ? *count : 0);
  }
  return context_leave(error);
}

cudaError_t WITH_EDGES(cudaGraphAddDependencies)(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                 const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                 size_t count) {
  (void)edges;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!graph || (count && (!from || !to))))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; !error && i < count; i++)
    error = to[i] && to[i]->graph == graph ? graph_depend(to[i], &from[i], 1) : cudaErrorInvalidValue;
  return context_leave(error);
}

static cudaError_t undepend(cudaGraphNode_t node, cudaGraphNode_t from) {
  for (size_t i = 0; node && i < node->dependency_count; i++)
    if (node->dependencies[i] == from) {
      node->dependency_count--;
      memmove(&node->dependencies[i], &node->dependencies[i + 1],
              (node->dependency_count - i) * sizeof *node->dependencies);
      return cudaSuccess;
    }
  return cudaErrorInvalidValue;
}

cudaError_t WITH_EDGES(cudaGraphRemoveDependencies)(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                    const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                                    size_t count) {
  (void)edges;
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && (!graph || (count && (!from || !to))))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; !error && i < count; i++)
    error = undepend(to[i], from[i]);
  return context_leave(error);
}

static void remove_node(cudaGraphNode_t node) {
  cudaGraph_t graph = node->graph;
  cudaGraphNode_t *link = &graph->first;
  for (; *link != node; link = &(*link)->next)
    ;
  *link = node->next;
  if (graph->end == &node->next)
    graph->end = link;
  graph->count--;
  for (cudaGraphNode_t other = graph->first; other; other = other->next)
    undepend(other, node);
  free_node(node);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  cudaError_t error = context_enter(CALL_QUEUES);
  if (!error && !node)
    error = cudaErrorInvalidValue;
  if (!error)
    remove_node(node);
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
