/* Graphs as text in the DOT language of Graphviz. */
#pragma once

#include "graph.h"

#include <stdio.h>

/* Writes a cluster for the graph and for each graph in it. `flags`: cudaGraphDebugDotFlags. */
void graph_dot_write(FILE *to, cudaGraph_t graph, unsigned flags);
