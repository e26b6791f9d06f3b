/* Conditional nodes of graphs: their bodies run if, while or as often as a condition says, which kernels set
 * (cudaGraphSetConditional). The device holds the conditions' values. */
#pragma once

#include "graph.h"

enum graph_condition_kind { GRAPH_IF, GRAPH_WHILE, GRAPH_SWITCH }; /* as in cudaGraphConditionalNodeType */

struct graph_condition {
  uint32_t number;
  enum graph_condition_kind kind;
  unsigned size;        /* number of bodies */
  cudaGraph_t bodies[]; /* of the node */
};

/* *number, from 1: a new condition. Each launch of a graph with a node for it sets it to `value` if `assigns`. */
cudaError_t graph_condition_number(uint32_t *number, uint32_t value, bool assigns);

/* A node's condition with empty bodies. */
cudaError_t graph_condition_new(struct graph_condition **result, uint32_t number,
                                enum graph_condition_kind kind, unsigned size);
cudaError_t graph_condition_clone(struct graph_condition **clone, const struct graph_condition *condition);
void graph_condition_free(struct graph_condition *condition);

/* Gives the conditions of this work, and of graphs in it, the values with which a launch begins. */
cudaError_t graph_condition_begin(const struct work *work);
cudaError_t graph_condition_run(const struct graph_condition *condition);
