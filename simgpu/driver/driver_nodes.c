/* The driver API: nodes of every type by one function. */
#include "driver.h"

#if CUDA_VERSION >= 13000
FORWARD(cuGraphConditionalHandleCreate,
        (CUgraphConditionalHandle * handle, CUgraph graph, CUcontext context, unsigned value, unsigned flags),
        ((void)context,
         cudaGraphConditionalHandleCreate((cudaGraphConditionalHandle *)handle, graph, value, flags)))

/* The function or, if there is none, the kernel of a library. */
static CUDA_KERNEL_NODE_PARAMS kernel_of(const CUgraphNodeParams *p) {
  return (CUDA_KERNEL_NODE_PARAMS){.func = p->kernel.func,
                                   .gridDimX = p->kernel.gridDimX,
                                   .gridDimY = p->kernel.gridDimY,
                                   .gridDimZ = p->kernel.gridDimZ,
                                   .blockDimX = p->kernel.blockDimX,
                                   .blockDimY = p->kernel.blockDimY,
                                   .blockDimZ = p->kernel.blockDimZ,
                                   .sharedMemBytes = p->kernel.sharedMemBytes,
                                   .kernelParams = p->kernel.kernelParams,
                                   .extra = p->kernel.extra,
                                   .kern = p->kernel.kern};
}

static CUDA_MEMSET_NODE_PARAMS fill_of(const CUgraphNodeParams *p) {
  return (CUDA_MEMSET_NODE_PARAMS){p->memset.dst,         p->memset.pitch, p->memset.value,
                                   p->memset.elementSize, p->memset.width, p->memset.height};
}

/* The runtime's form of parameters that are the same but for names. */
static struct cudaGraphNodeParams plain(const CUgraphNodeParams *p) {
  struct cudaGraphNodeParams runtime = {.type = (enum cudaGraphNodeType)p->type};
  switch (p->type) {
  case CU_GRAPH_NODE_TYPE_HOST:
    runtime.host.fn = p->host.fn;
    runtime.host.userData = p->host.userData;
    break;
  case CU_GRAPH_NODE_TYPE_GRAPH:
    runtime.graph.graph = p->graph.graph;
    break;
  case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
    runtime.eventRecord.event = p->eventRecord.event;
    break;
  case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    runtime.eventWait.event = p->eventWait.event;
    break;
  case CU_GRAPH_NODE_TYPE_MEM_FREE:
    runtime.free.dptr = driver_pointer(p->free.dptr);
    break;
  case CU_GRAPH_NODE_TYPE_CONDITIONAL:
    runtime.conditional.handle = p->conditional.handle;
    runtime.conditional.type = (enum cudaGraphConditionalNodeType)p->conditional.type;
    runtime.conditional.size = p->conditional.size;
    break;
  default:
    break;
  }
  return runtime;
}

static CUresult add_memory(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                           CUgraphNodeParams *p) {
  CUDA_MEM_ALLOC_NODE_PARAMS memory = {.poolProps = p->alloc.poolProps,
                                       .accessDescs = p->alloc.accessDescs,
                                       .accessDescCount = p->alloc.accessDescCount,
                                       .bytesize = p->alloc.bytesize};
  const CUresult error = cuGraphAddMemAllocNode(node, graph, dependencies, count, &memory);
  p->alloc.dptr = memory.dptr;
  return error;
}

CUresult CUDAAPI cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *p) {
  KEEP_LAST_ERROR;
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS kernel = kernel_of(p);
  const CUDA_MEMSET_NODE_PARAMS fill = fill_of(p);
  struct cudaGraphNodeParams runtime = plain(p);
  switch (p->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return cuGraphAddKernelNode(node, graph, dependencies, count, &kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return cuGraphAddMemcpyNode(node, graph, dependencies, count, &p->memcpy.copyParams, p->memcpy.copyCtx);
  case CU_GRAPH_NODE_TYPE_MEMSET:
    return cuGraphAddMemsetNode(node, graph, dependencies, count, &fill, p->memset.ctx);
  case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    return add_memory(node, graph, dependencies, count, p);
  default:
    break;
  }
  const CUresult error = (CUresult)cudaGraphAddNode(node, graph, dependencies,
                                                    (const cudaGraphEdgeData *)edges, count, &runtime);
  if (!error && p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    p->conditional.phGraph_out = runtime.conditional.phGraph_out;
  return error;
}

/* `exec`: changes the node there; NULL: changes the node of a graph. */
static CUresult set(CUgraphExec exec, CUgraphNode node, const CUgraphNodeParams *p) {
  KEEP_LAST_ERROR;
  CUgraphNodeType type;
  if (!p || cuGraphNodeGetType(node, &type) || type != p->type)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS kernel = kernel_of(p);
  const CUDA_MEMSET_NODE_PARAMS fill = fill_of(p);
  struct cudaGraphNodeParams runtime = plain(p);
  switch (p->type) {
  case CU_GRAPH_NODE_TYPE_KERNEL:
    return exec ? cuGraphExecKernelNodeSetParams(exec, node, &kernel)
                : cuGraphKernelNodeSetParams(node, &kernel);
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    return exec ? cuGraphExecMemcpyNodeSetParams(exec, node, &p->memcpy.copyParams, NULL)
                : cuGraphMemcpyNodeSetParams(node, &p->memcpy.copyParams);
  case CU_GRAPH_NODE_TYPE_MEMSET:
    return exec ? cuGraphExecMemsetNodeSetParams(exec, node, &fill, NULL)
                : cuGraphMemsetNodeSetParams(node, &fill);
  default:
    return (CUresult)(exec ? cudaGraphExecNodeSetParams(exec, node, &runtime)
                           : cudaGraphNodeSetParams(node, &runtime));
  }
}

CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params) {
  return set(NULL, node, params);
}

CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params) {
  return exec ? set(exec, node, params) : CUDA_ERROR_INVALID_VALUE;
}
#endif
