/* The driver API: graphs and the capture of streams. Handles, flags and the numbers of types are the runtime's. */
#include "driver.h"
#include "submit.h"

#include "graph.h"

FORWARD(cuUserObjectCreate,
        (CUuserObject * object, void *data, CUhostFn destroy, unsigned references, unsigned flags),
        cudaUserObjectCreate(object, data, destroy, references, flags))
FORWARD(cuUserObjectRetain, (CUuserObject object, unsigned count), cudaUserObjectRetain(object, count))
FORWARD(cuUserObjectRelease, (CUuserObject object, unsigned count), cudaUserObjectRelease(object, count))
FORWARD(cuGraphRetainUserObject, (CUgraph graph, CUuserObject object, unsigned count, unsigned flags),
        cudaGraphRetainUserObject(graph, object, count, flags))
FORWARD(cuGraphReleaseUserObject, (CUgraph graph, CUuserObject object, unsigned count),
        cudaGraphReleaseUserObject(graph, object, count))

FORWARD(cuStreamBeginCapture, (CUstream stream, CUstreamCaptureMode mode),
        cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode))
FORWARD(cuStreamEndCapture, (CUstream stream, CUgraph *graph), cudaStreamEndCapture(stream, graph))
FORWARD(cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus *status),
        cudaStreamIsCapturing(stream, (enum cudaStreamCaptureStatus *)status))
FORWARD(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode * mode),
        cudaThreadExchangeStreamCaptureMode((enum cudaStreamCaptureMode *)mode))

FORWARD(cuGraphCreate, (CUgraph * graph, unsigned flags), cudaGraphCreate(graph, flags))
FORWARD(cuGraphDestroy, (CUgraph graph), cudaGraphDestroy(graph))
FORWARD(cuGraphClone, (CUgraph * clone, CUgraph graph), cudaGraphClone(clone, graph))
FORWARD(cuGraphNodeFindInClone, (CUgraphNode * node, CUgraphNode original, CUgraph clone),
        cudaGraphNodeFindInClone(node, original, clone))
FORWARD(cuGraphNodeGetType, (CUgraphNode node, CUgraphNodeType *type),
        cudaGraphNodeGetType(node, (enum cudaGraphNodeType *)type))
FORWARD(cuGraphGetNodes, (CUgraph graph, CUgraphNode *nodes, size_t *count),
        cudaGraphGetNodes(graph, nodes, count))
FORWARD(cuGraphGetRootNodes, (CUgraph graph, CUgraphNode *nodes, size_t *count),
        cudaGraphGetRootNodes(graph, nodes, count))
FORWARD(cuGraphDestroyNode, (CUgraphNode node), cudaGraphDestroyNode(node))
FORWARD(cuGraphDebugDotPrint, (CUgraph graph, const char *path, unsigned flags),
        cudaGraphDebugDotPrint(graph, path, flags))
FORWARD(cuGraphLaunch, (CUgraphExec exec, CUstream stream), cudaGraphLaunch(exec, stream))
FORWARD(cuGraphUpload, (CUgraphExec exec, CUstream stream), cudaGraphUpload(exec, stream))
FORWARD(cuGraphExecDestroy, (CUgraphExec exec), cudaGraphExecDestroy(exec))

FORWARD(cuGraphExecGetFlags, (CUgraphExec exec, cuuint64_t *flags),
        cudaGraphExecGetFlags(exec, (unsigned long long *)flags))
FORWARD(cuGraphNodeSetEnabled, (CUgraphExec exec, CUgraphNode node, unsigned enabled),
        cudaGraphNodeSetEnabled(exec, node, enabled))
FORWARD(cuGraphNodeGetEnabled, (CUgraphExec exec, CUgraphNode node, unsigned *enabled),
        cudaGraphNodeGetEnabled(exec, node, enabled))
FORWARD(cuGraphExecChildGraphNodeSetParams, (CUgraphExec exec, CUgraphNode node, CUgraph child),
        cudaGraphExecChildGraphNodeSetParams(exec, node, child))
FORWARD(cuGraphEventRecordNodeGetEvent, (CUgraphNode node, CUevent *event),
        cudaGraphEventRecordNodeGetEvent(node, event))
FORWARD(cuGraphEventRecordNodeSetEvent, (CUgraphNode node, CUevent event),
        cudaGraphEventRecordNodeSetEvent(node, event))
FORWARD(cuGraphEventWaitNodeGetEvent, (CUgraphNode node, CUevent *event),
        cudaGraphEventWaitNodeGetEvent(node, event))
FORWARD(cuGraphEventWaitNodeSetEvent, (CUgraphNode node, CUevent event),
        cudaGraphEventWaitNodeSetEvent(node, event))
FORWARD(cuGraphExecEventRecordNodeSetEvent, (CUgraphExec exec, CUgraphNode node, CUevent event),
        cudaGraphExecEventRecordNodeSetEvent(exec, node, event))
FORWARD(cuGraphExecEventWaitNodeSetEvent, (CUgraphExec exec, CUgraphNode node, CUevent event),
        cudaGraphExecEventWaitNodeSetEvent(exec, node, event))
FORWARD(cuGraphHostNodeGetParams, (CUgraphNode node, CUDA_HOST_NODE_PARAMS *params),
        cudaGraphHostNodeGetParams(node, (struct cudaHostNodeParams *)params))
FORWARD(cuGraphKernelNodeGetAttribute,
        (CUgraphNode node, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue *value),
        cudaGraphKernelNodeGetAttribute(node, (cudaLaunchAttributeID)attribute,
                                        (cudaLaunchAttributeValue *)value))
FORWARD(cuGraphKernelNodeSetAttribute,
        (CUgraphNode node, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue *value),
        cudaGraphKernelNodeSetAttribute(node, (cudaLaunchAttributeID)attribute,
                                        (const cudaLaunchAttributeValue *)value))
FORWARD(cuGraphKernelNodeCopyAttributes, (CUgraphNode to, CUgraphNode from),
        cudaGraphKernelNodeCopyAttributes(to, from))

#define ADD CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count

FORWARD(cuGraphAddEmptyNode, (ADD), cudaGraphAddEmptyNode(node, graph, dependencies, count))
FORWARD(cuGraphAddChildGraphNode, (ADD, CUgraph child),
        cudaGraphAddChildGraphNode(node, graph, dependencies, count, child))
FORWARD(cuGraphChildGraphNodeGetGraph, (CUgraphNode node, CUgraph *child),
        cudaGraphChildGraphNodeGetGraph(node, child))
FORWARD(cuGraphAddEventRecordNode, (ADD, CUevent event),
        cudaGraphAddEventRecordNode(node, graph, dependencies, count, event))
FORWARD(cuGraphAddEventWaitNode, (ADD, CUevent event),
        cudaGraphAddEventWaitNode(node, graph, dependencies, count, event))

/* These structures have the same fields in the same order. */
FORWARD(cuGraphAddHostNode, (ADD, const CUDA_HOST_NODE_PARAMS *params),
        cudaGraphAddHostNode(node, graph, dependencies, count, (const struct cudaHostNodeParams *)params))
FORWARD(cuGraphHostNodeSetParams, (CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params),
        cudaGraphHostNodeSetParams(node, (const struct cudaHostNodeParams *)params))
FORWARD(cuGraphExecHostNodeSetParams,
        (CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params),
        cudaGraphExecHostNodeSetParams(exec, node, (const struct cudaHostNodeParams *)params))

static struct cudaMemsetParams fill_of(const CUDA_MEMSET_NODE_PARAMS *p) {
  return (struct cudaMemsetParams){driver_pointer(p->dst), p->pitch, p->value,
                                   p->elementSize,         p->width, p->height};
}

CUresult CUDAAPI cuGraphAddMemsetNode(ADD, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context) {
  KEEP_LAST_ERROR;
  (void)context;
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  const struct cudaMemsetParams fill = fill_of(params);
  return (CUresult)cudaGraphAddMemsetNode(node, graph, dependencies, count, &fill);
}

CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params) {
  KEEP_LAST_ERROR;
  struct cudaMemsetParams fill;
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = (CUresult)cudaGraphMemsetNodeGetParams(node, &fill);
  if (!error)
    *params = (CUDA_MEMSET_NODE_PARAMS){
        (CUdeviceptr)(uintptr_t)fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height};
  return error;
}

CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params) {
  KEEP_LAST_ERROR;
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  const struct cudaMemsetParams fill = fill_of(params);
  return (CUresult)cudaGraphMemsetNodeSetParams(node, &fill);
}

CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context) {
  KEEP_LAST_ERROR;
  (void)context;
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  const struct cudaMemsetParams fill = fill_of(params);
  return (CUresult)cudaGraphExecMemsetNodeSetParams(exec, node, &fill);
}

CUresult CUDAAPI cuGraphAddMemcpyNode(ADD, const CUDA_MEMCPY3D *copy, CUcontext context) {
  KEEP_LAST_ERROR;
  (void)context;
  struct work work = {.type = cudaGraphNodeTypeMemcpy};
  const CUresult bad = driver_copy(copy, &work.copy);
  if (bad)
    return bad;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  return (CUresult)context_leave(error ? error : graph_add(node, graph, dependencies, count, &work));
}

static CUresult change_copy(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy) {
  KEEP_LAST_ERROR;
  struct work work = {.type = cudaGraphNodeTypeMemcpy};
  const CUresult bad = driver_copy(copy, &work.copy);
  return bad ? bad : (CUresult)submit_change(exec, node, &work);
}

CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
  return change_copy(NULL, node, copy);
}

CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy,
                                                CUcontext context) {
  (void)context;
  return exec ? change_copy(exec, node, copy) : CUDA_ERROR_INVALID_VALUE;
}

/* Describes the copy as a box that begins at its pointers. */
CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy) {
  KEEP_LAST_ERROR;
  struct cudaMemcpy3DParms box;
  if (!copy)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = (CUresult)cudaGraphMemcpyNodeGetParams(node, &box);
  if (error)
    return error;
  *copy = (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                          .srcDevice = (CUdeviceptr)(uintptr_t)box.srcPtr.ptr,
                          .srcPitch = box.srcPtr.pitch,
                          .srcHeight = box.srcPtr.ysize,
                          .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                          .dstDevice = (CUdeviceptr)(uintptr_t)box.dstPtr.ptr,
                          .dstPitch = box.dstPtr.pitch,
                          .dstHeight = box.dstPtr.ysize,
                          .WidthInBytes = box.extent.width,
                          .Height = box.extent.height,
                          .Depth = box.extent.depth};
  return CUDA_SUCCESS;
}

FORWARD(cuGraphAddMemFreeNode, (ADD, CUdeviceptr address),
        cudaGraphAddMemFreeNode(node, graph, dependencies, count, driver_pointer(address)))
FORWARD(cuGraphMemFreeNodeGetParams, (CUgraphNode node, CUdeviceptr *address),
        cudaGraphMemFreeNodeGetParams(node, address))
/* These structures have the same fields in the same order, too. */
FORWARD(cuGraphAddMemAllocNode, (ADD, CUDA_MEM_ALLOC_NODE_PARAMS *params),
        cudaGraphAddMemAllocNode(node, graph, dependencies, count, (struct cudaMemAllocNodeParams *)params))
FORWARD(cuGraphMemAllocNodeGetParams, (CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params),
        cudaGraphMemAllocNodeGetParams(node, (struct cudaMemAllocNodeParams *)params))

#if CUDA_VERSION >= 12000 /* before, these functions had other parameters */
FORWARD(cuGraphInstantiateWithParams,
        (CUgraphExec * exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS *params),
        cudaGraphInstantiateWithParams(exec, graph, (cudaGraphInstantiateParams *)params))

CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
  KEEP_LAST_ERROR;
  struct cudaKernelNodeParams kernel;
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = (CUresult)cudaGraphKernelNodeGetParams(node, &kernel);
  if (!error)
    *params = (CUDA_KERNEL_NODE_PARAMS){.func = (CUfunction)kernel.func,
                                        .gridDimX = kernel.gridDim.x,
                                        .gridDimY = kernel.gridDim.y,
                                        .gridDimZ = kernel.gridDim.z,
                                        .blockDimX = kernel.blockDim.x,
                                        .blockDimY = kernel.blockDim.y,
                                        .blockDimZ = kernel.blockDim.z,
                                        .sharedMemBytes = kernel.sharedMemBytes,
                                        .kernelParams = kernel.kernelParams};
  return error;
}
FORWARD(cuGraphInstantiateWithFlags, (CUgraphExec * exec, CUgraph graph, unsigned long long flags),
        cudaGraphInstantiate(exec, graph, flags))
FORWARD(cuGraphExecUpdate, (CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info),
        cudaGraphExecUpdate(exec, graph, (cudaGraphExecUpdateResultInfo *)info))

/* The function or, if there is none, the kernel of a library: both are kernels of the runtime. */
static struct cudaKernelNodeParams kernel_of(const CUDA_KERNEL_NODE_PARAMS *p) {
  return (struct cudaKernelNodeParams){.func = p->func ? (void *)p->func : (void *)p->kern,
                                       .gridDim = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                       .blockDim = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                       .sharedMemBytes = p->sharedMemBytes,
                                       .kernelParams = p->kernelParams,
                                       .extra = p->extra};
}

CUresult CUDAAPI cuGraphAddKernelNode(ADD, const CUDA_KERNEL_NODE_PARAMS *params) {
  KEEP_LAST_ERROR;
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  const struct cudaKernelNodeParams kernel = kernel_of(params);
  return (CUresult)cudaGraphAddKernelNode(node, graph, dependencies, count, &kernel);
}

CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  KEEP_LAST_ERROR;
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  const struct cudaKernelNodeParams kernel = kernel_of(params);
  return (CUresult)cudaGraphKernelNodeSetParams(node, &kernel);
}

CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                const CUDA_KERNEL_NODE_PARAMS *params) {
  KEEP_LAST_ERROR;
  if (!params)
    return CUDA_ERROR_INVALID_VALUE;
  const struct cudaKernelNodeParams kernel = kernel_of(params);
  return (CUresult)cudaGraphExecKernelNodeSetParams(exec, node, &kernel);
}
#endif

#if CUDA_VERSION >= 13000
FORWARD(cuGraphAddDependencies,
        (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges,
         size_t count),
        cudaGraphAddDependencies(graph, from, to, (const cudaGraphEdgeData *)edges, count))
FORWARD(cuGraphRemoveDependencies,
        (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *edges,
         size_t count),
        cudaGraphRemoveDependencies(graph, from, to, (const cudaGraphEdgeData *)edges, count))
FORWARD(cuGraphGetEdges,
        (CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges, size_t *count),
        cudaGraphGetEdges(graph, from, to, (cudaGraphEdgeData *)edges, count))
FORWARD(cuGraphNodeGetDependencies,
        (CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges, size_t *count),
        cudaGraphNodeGetDependencies(node, nodes, (cudaGraphEdgeData *)edges, count))
FORWARD(cuGraphNodeGetDependentNodes,
        (CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges, size_t *count),
        cudaGraphNodeGetDependentNodes(node, nodes, (cudaGraphEdgeData *)edges, count))
#endif
