#include "graph_condition.h"

#include "context.h"

#include <stdlib.h>

static struct {
  uint32_t value;
  bool assigns;
} at_launch[SIM_CONDITIONS];
static uint32_t numbers;

static cudaError_t set(uint32_t number, uint32_t value) {
  return context_call(SIM_CONDITION_SET, &(struct sim_condition){number, value}, sizeof(struct sim_condition),
                      NULL, 0);
}

/* After all earlier work. */
static cudaError_t get(uint32_t number, uint32_t *value) {
  struct sim_condition condition;
  cudaError_t error = context_call(SIM_CONDITION_GET, &(struct sim_id){.id = number}, sizeof(struct sim_id),
                                   &condition, sizeof condition);
  *value = error ? 0 : condition.value;
  return error;
}

cudaError_t graph_condition_number(uint32_t *number, uint32_t value, bool assigns) {
  if (numbers == SIM_CONDITIONS)
    return cudaErrorMemoryAllocation;
  cudaError_t error = set(numbers + 1, value);
  if (error)
    return error;
  at_launch[numbers].value = value;
  at_launch[numbers].assigns = assigns;
  *number = ++numbers;
  return cudaSuccess;
}

static struct graph_condition *condition_of(uint32_t number, enum graph_condition_kind kind, unsigned size) {
  struct graph_condition *condition = calloc(1, sizeof *condition + size * sizeof *condition->bodies);
  if (condition) {
    condition->number = number;
    condition->kind = kind;
    condition->size = size;
  }
  return condition;
}

cudaError_t graph_condition_new(struct graph_condition **result, uint32_t number,
                                enum graph_condition_kind kind, unsigned size) {
  enum { MOST = 1 << 16 };
  const unsigned most = kind == GRAPH_WHILE ? 1 : kind == GRAPH_IF ? 2 : MOST;
  if (number == 0 || number > numbers || size == 0 || size > most)
    return cudaErrorInvalidValue;
  struct graph_condition *condition = condition_of(number, kind, size);
  bool complete = condition;
  for (unsigned i = 0; condition && i < size; i++)
    complete &= (condition->bodies[i] = graph_new()) != NULL;
  if (!complete) {
    graph_condition_free(condition);
    return cudaErrorMemoryAllocation;
  }
  *result = condition;
  return cudaSuccess;
}

cudaError_t graph_condition_clone(struct graph_condition **clone, const struct graph_condition *condition) {
  struct graph_condition *copy = condition_of(condition->number, condition->kind, condition->size);
  cudaError_t error = copy ? cudaSuccess : cudaErrorMemoryAllocation;
  for (unsigned i = 0; !error && i < condition->size; i++)
    error = graph_clone(&copy->bodies[i], condition->bodies[i]);
  if (error)
    graph_condition_free(copy);
  else
    *clone = copy;
  return error;
}

void graph_condition_free(struct graph_condition *condition) {
  for (unsigned i = 0; condition && i < condition->size; i++)
    graph_free(condition->bodies[i]);
  free(condition);
}

static cudaError_t begin_graph(cudaGraph_t graph) {
  cudaError_t error = cudaSuccess;
  for (cudaGraphNode_t node = graph->first; node && !error; node = node->next)
    error = graph_condition_begin(&node->work);
  return error;
}

cudaError_t graph_condition_begin(const struct work *work) {
  if (work->type == cudaGraphNodeTypeGraph)
    return begin_graph(work->child);
  if ((int)work->type != WORK_CONDITION)
    return cudaSuccess;
  const struct graph_condition *condition = work->condition;
  cudaError_t error = at_launch[condition->number - 1].assigns
                          ? set(condition->number, at_launch[condition->number - 1].value)
                          : cudaSuccess;
  for (unsigned i = 0; !error && i < condition->size; i++)
    error = begin_graph(condition->bodies[i]);
  return error;
}

/* The body to run, or NULL. */
static cudaGraph_t chosen(const struct graph_condition *condition, uint32_t value) {
  const unsigned number = condition->kind == GRAPH_SWITCH ? value : value ? 0 : 1;
  return condition->kind == GRAPH_WHILE && !value ? NULL
         : number < condition->size               ? condition->bodies[number]
                                                  : NULL;
}

cudaError_t graph_condition_run(const struct graph_condition *condition) {
  uint32_t value;
  cudaGraph_t body;
  cudaError_t error;
  do {
    error = get(condition->number, &value);
    body = error || context_faulted() ? NULL : chosen(condition, value);
    if (body)
      error = graph_run(body);
  } while (body && !error && condition->kind == GRAPH_WHILE);
  return error;
}
