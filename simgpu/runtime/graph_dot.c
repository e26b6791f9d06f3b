/* Without flags, the text has the form of that of driver 580; with flags, it has lines with the same details. */
#include "graph_dot.h"

#include "graph_condition.h"

#include <inttypes.h>

static bool wants(unsigned flags, unsigned flag) { return flags & (flag | cudaGraphDebugDotFlagsVerbose); }

static void write_handle(FILE *to, const char *name, uintptr_t value) {
  fprintf(to, "%s: 0x%016" PRIXPTR "\n", name, value);
}

static void write_dimensions(FILE *to, dim3 d) {
  if (d.y == 1 && d.z == 1)
    fprintf(to, "%u", d.x);
  else
    fprintf(to, "{%u,%u,%u}", d.x, d.y, d.z);
}

static void write_kernel(FILE *to, const struct work_launch *launch, unsigned flags) {
  fprintf(to, "%s\n", launch->kernel->name);
  if (wants(flags, cudaGraphDebugDotFlagsKernelNodeParams)) {
    fputs("\\<\\<\\<", to);
    write_dimensions(to, launch->grid);
    fputc(',', to);
    write_dimensions(to, launch->block);
    fprintf(to, ",%zu\\>\\>\\>\n", launch->shared);
  }
  if (wants(flags, cudaGraphDebugDotFlagsKernelNodeAttributes))
    fprintf(to, "cooperative: %d\n", (launch->flags & SIM_LAUNCH_COOPERATIVE) != 0);
  if (wants(flags, cudaGraphDebugDotFlagsHandles))
    write_handle(to, "func handle", (uintptr_t)launch->kernel->host);
}

static void write_copy(FILE *to, const struct work_copy *copy, unsigned flags) {
  static const char *const kinds[] = {"HtoH", "HtoD", "DtoH", "DtoD", "Default"};
  fprintf(to, "MEMCPY\n(%s,%zu)\n", (unsigned)copy->kind <= cudaMemcpyDefault ? kinds[copy->kind] : "?",
          copy->width * copy->rows * copy->slices);
  if (!wants(flags, cudaGraphDebugDotFlagsMemcpyNodeParams))
    return;
  write_handle(to, "srcPtr", (uintptr_t)copy->source);
  write_handle(to, "dstPtr", (uintptr_t)copy->target);
}

static void write_fill(FILE *to, const struct work_fill *fill, unsigned flags) {
  fprintf(to, "MEMSET\n(%u,%zu)\n", fill->value, fill->width * fill->rows);
  if (!wants(flags, cudaGraphDebugDotFlagsMemsetNodeParams))
    return;
  write_handle(to, "dptr", (uintptr_t)fill->target);
  fprintf(to, "pitch: %zu\nelementSize: %u\n", fill->pitch, fill->value_size);
}

static void write_host(FILE *to, const struct cudaHostNodeParams *host, unsigned flags) {
  fputs("HOST\n", to);
  if (!wants(flags, cudaGraphDebugDotFlagsHostNodeParams))
    return;
  write_handle(to, "fn", (uintptr_t)host->fn);
  write_handle(to, "userData", (uintptr_t)host->userData);
}

static void write_event(FILE *to, const char *name, cudaEvent_t event, unsigned flags) {
  fprintf(to, "%s\n", name);
  if (wants(flags, cudaGraphDebugDotFlagsEventNodeParams))
    write_handle(to, "event", (uintptr_t)event);
}

static void write_condition(FILE *to, const struct graph_condition *condition) {
  static const char *const kinds[] = {"IF", "WHILE", "SWITCH"};
  fprintf(to, "CONDITIONAL %s\n", kinds[condition->kind]);
  for (unsigned i = 0; i < condition->size; i++)
    fprintf(to, "graph_%u\n", condition->bodies[i]->number);
}

static void write_memory(FILE *to, const char *name, const struct graph_memory *memory) {
  fprintf(to, "%s\n", name);
  write_handle(to, "dptr", (uintptr_t)graph_memory_address(memory));
}

static void write_work(FILE *to, const struct work *work, unsigned flags) {
  switch ((int)work->type) {
  case cudaGraphNodeTypeKernel:
    write_kernel(to, &work->launch, flags);
    break;
  case cudaGraphNodeTypeMemcpy:
    write_copy(to, &work->copy, flags);
    break;
  case cudaGraphNodeTypeMemset:
    write_fill(to, &work->fill, flags);
    break;
  case cudaGraphNodeTypeHost:
    write_host(to, &work->host, flags);
    break;
  case cudaGraphNodeTypeGraph:
    fprintf(to, "graph_%u\n", work->child->number);
    break;
  case cudaGraphNodeTypeEventRecord:
    write_event(to, "EVENT_RECORD", work->event, flags);
    break;
  case cudaGraphNodeTypeWaitEvent:
    write_event(to, "EVENT_WAIT", work->event, flags);
    break;
  case cudaGraphNodeTypeMemAlloc:
    write_memory(to, "MEM_ALLOC", work->memory);
    break;
  case cudaGraphNodeTypeMemFree:
    write_memory(to, "MEM_FREE", work->memory);
    break;
  case WORK_CONDITION:
    write_condition(to, work->condition);
    break;
  default:
    fputs("EMPTY\n", to);
  }
}

static const char *shape_of(const struct work *work) {
  switch ((int)work->type) {
  case cudaGraphNodeTypeKernel:
    return "style=\"bold\" shape=\"octagon\"";
  case cudaGraphNodeTypeMemcpy:
    return "style=\"solid\" shape=\"trapezium\"";
  case cudaGraphNodeTypeMemset:
    return "style=\"solid\" shape=\"invtrapezium\"";
  default:
    return "style=\"solid\" shape=\"rectangle\"";
  }
}

/* In the order of creation. */
static size_t number_of(cudaGraphNode_t node) {
  size_t number = 0;
  for (cudaGraphNode_t other = node->graph->first; other != node; other = other->next)
    number++;
  return number;
}

static void write_graph(FILE *to, cudaGraph_t graph, unsigned flags);

/* The graphs in a node. */
static void write_inner(FILE *to, const struct work *work, unsigned flags) {
  if (work->type == cudaGraphNodeTypeGraph)
    write_graph(to, work->child, flags);
  for (unsigned i = 0; (int)work->type == WORK_CONDITION && i < work->condition->size; i++)
    write_graph(to, work->condition->bodies[i], flags);
}

static void write_graph(FILE *to, cudaGraph_t graph, unsigned flags) {
  const unsigned g = graph->number;
  size_t number = 0;
  fprintf(to, "subgraph cluster_%u {\nlabel=\"graph_%u\" graph[style=\"dashed\"];\n", g, g);
  for (cudaGraphNode_t node = graph->first; node; node = node->next, number++) {
    fprintf(to, "\"graph_%u_node_%zu\"[%s label=\"%zu\n", g, number, shape_of(&node->work), number);
    write_work(to, &node->work, flags);
    if (wants(flags, cudaGraphDebugDotFlagsHandles))
      write_handle(to, "node handle", (uintptr_t)node);
    fputs("\"];\n\n", to);
  }
  for (cudaGraphNode_t node = graph->first; node; node = node->next)
    for (size_t i = 0; i < node->dependency_count; i++)
      fprintf(to, "\"graph_%u_node_%zu\" -> \"graph_%u_node_%zu\";\n", g, number_of(node->dependencies[i]), g,
              number_of(node));
  fputs("}\n", to);
  for (cudaGraphNode_t node = graph->first; node; node = node->next)
    write_inner(to, &node->work, flags);
}

void graph_dot_write(FILE *to, cudaGraph_t graph, unsigned flags) {
  fputs("digraph dot {\n", to);
  write_graph(to, graph, flags);
  fputs("}\n", to);
}
