/* The functions that programs call if they were compiled with `nvcc --default-stream per-thread`. For them,
 * stream 0 is the calling thread's own stream, cudaStreamPerThread. */
#include "api.h"

#include "../capture.h"
#include "runtime/waits.h"

static cudaStream_t own(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

#define VARIANT(name, parameters, ...)                                                                       \
  cudaError_t name##_ptsz parameters;                                                                        \
  cudaError_t name##_ptsz parameters { return name(__VA_ARGS__); }

/* cudaStreamSynchronize() for captures of this stream only: other streams may go on capturing. */
static cudaError_t wait_own(void) {
  cudaError_t error = context_enter(CONTEXT_SYNCHRONISES);
  return context_leave(error ? error : capture_forbids_waiting(cudaStreamPerThread));
}

static cudaError_t leave_waiting(cudaError_t error) {
  if (error)
    return error;
  error = context_enter(CONTEXT_QUEUES);
  return context_leave_as(CONTEXT_SYNCHRONISES, error ? error : waits_for_copies(&waits_per_thread));
}

/* A call without a stream waits for the thread's own stream. */
#define WAITING(name, parameters, ...)                                                                       \
  cudaError_t name##_ptds parameters;                                                                        \
  cudaError_t name##_ptds parameters {                                                                       \
    cudaError_t error = wait_own();                                                                          \
    return leave_waiting(error ? error : name##Async(__VA_ARGS__, cudaStreamPerThread));                     \
  }

// clang-format off
VARIANT(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags), own(stream),
        event, flags)
VARIANT(cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode), own(stream), mode)
VARIANT(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), own(stream), graph)
VARIANT(cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status), own(stream),
        status)
WAITING(cudaMemcpy, (void *target, const void *source, size_t size, enum cudaMemcpyKind kind),
        target, source, size, kind)
VARIANT(cudaMemcpyAsync, (void *target, const void *source, size_t size, enum cudaMemcpyKind kind,
        cudaStream_t stream), target, source, size, kind, own(stream))
WAITING(cudaMemcpy2D, (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t
        width, size_t height, enum cudaMemcpyKind kind),
        target, target_pitch, source, source_pitch, width, height, kind)
VARIANT(cudaMemcpy2DAsync, (void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t
        width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
        target, target_pitch, source, source_pitch, width, height, kind, own(stream))
WAITING(cudaMemcpyToArray, (cudaArray_t array, size_t x, size_t y, const void *source, size_t count, enum
        cudaMemcpyKind kind), array, x, y, source, count, kind)
VARIANT(cudaMemcpyToArrayAsync, (cudaArray_t array, size_t x, size_t y, const void *source, size_t count, enum
        cudaMemcpyKind kind, cudaStream_t stream), array, x, y, source, count, kind, own(stream))
WAITING(cudaMemcpyFromArray, (void *target, cudaArray_const_t array, size_t x, size_t y, size_t count, enum
        cudaMemcpyKind kind), target, array, x, y, count, kind)
VARIANT(cudaMemcpyFromArrayAsync, (void *target, cudaArray_const_t array, size_t x, size_t y, size_t count, enum
        cudaMemcpyKind kind, cudaStream_t stream), target, array, x, y, count, kind, own(stream))
WAITING(cudaMemcpy2DToArray, (cudaArray_t array, size_t x, size_t y, const void *source, size_t pitch, size_t
        width, size_t height, enum cudaMemcpyKind kind), array, x, y, source, pitch, width, height, kind)
VARIANT(cudaMemcpy2DToArrayAsync, (cudaArray_t array, size_t x, size_t y, const void *source, size_t pitch, size_t
        width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
        array, x, y, source, pitch, width, height, kind, own(stream))
WAITING(cudaMemcpy2DFromArray, (void *target, size_t pitch, cudaArray_const_t array, size_t x, size_t y, size_t
        width, size_t height, enum cudaMemcpyKind kind), target, pitch, array, x, y, width, height, kind)
VARIANT(cudaMemcpy2DFromArrayAsync, (void *target, size_t pitch, cudaArray_const_t array, size_t x, size_t y,
        size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
        target, pitch, array, x, y, width, height, kind, own(stream))
WAITING(cudaMemcpy3D, (const struct cudaMemcpy3DParms *box), box)
VARIANT(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *box, cudaStream_t stream), box, own(stream))
WAITING(cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *params), params)
VARIANT(cudaMemcpy3DPeerAsync, (const struct cudaMemcpy3DPeerParms *params, cudaStream_t stream), params, own(stream))
WAITING(cudaMemcpyToSymbol, (const void *symbol, const void *source, size_t size, size_t offset, enum
        cudaMemcpyKind kind), symbol, source, size, offset, kind)
VARIANT(cudaMemcpyToSymbolAsync, (const void *symbol, const void *source, size_t size, size_t offset, enum
        cudaMemcpyKind kind, cudaStream_t stream), symbol, source, size, offset, kind, own(stream))
WAITING(cudaMemcpyFromSymbol, (void *target, const void *symbol, size_t size, size_t offset, enum
        cudaMemcpyKind kind), target, symbol, size, offset, kind)
VARIANT(cudaMemcpyFromSymbolAsync, (void *target, const void *symbol, size_t size, size_t offset, enum
        cudaMemcpyKind kind, cudaStream_t stream), target, symbol, size, offset, kind, own(stream))
VARIANT(cudaMemset2DAsync, (void *target, size_t pitch, int value, size_t width, size_t height, cudaStream_t
        stream), target, pitch, value, width, height, own(stream))
WAITING(cudaMemset2D, (void *target, size_t pitch, int value, size_t width, size_t height),
        target, pitch, value, width, height)
VARIANT(cudaMemsetAsync, (void *target, int value, size_t size, cudaStream_t stream),
        target, value, size, own(stream))
WAITING(cudaMemset, (void *target, int value, size_t size), target, value, size)
VARIANT(cudaMemset3DAsync, (struct cudaPitchedPtr target, int value, struct cudaExtent extent, cudaStream_t
        stream), target, value, extent, own(stream))
WAITING(cudaMemset3D, (struct cudaPitchedPtr target, int value, struct cudaExtent extent),
        target, value, extent)
VARIANT(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags), event,
        own(stream), flags)
VARIANT(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), event, own(stream))
VARIANT(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), exec, own(stream))
VARIANT(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), exec, own(stream))
VARIANT(cudaLaunchKernel, (const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
        cudaStream_t stream), function, grid, block, arguments, shared, own(stream))
VARIANT(cudaLaunchCooperativeKernel, (const void *function, dim3 grid, dim3 block, void **arguments, size_t
        shared, cudaStream_t stream), function, grid, block, arguments, shared, own(stream))
VARIANT(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t function, void *data), own(stream),
        function, data)
VARIANT(cudaStreamAddCallback, (cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned
        flags), own(stream), callback, data, flags)
VARIANT(cudaMallocAsync, (void **address, size_t size, cudaStream_t stream), address, size, own(stream))
VARIANT(cudaMallocFromPoolAsync, (void **address, size_t size, cudaMemPool_t pool, cudaStream_t stream),
        address, size, pool, own(stream))
VARIANT(cudaFreeAsync, (void *address, cudaStream_t stream), address, own(stream))
VARIANT(cudaStreamSynchronize, (cudaStream_t stream), own(stream))
VARIANT(cudaStreamQuery, (cudaStream_t stream), own(stream))
VARIANT(cudaStreamGetPriority, (cudaStream_t stream, int *priority), own(stream), priority)
VARIANT(cudaStreamSetAttribute,
        (cudaStream_t stream, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value), own(stream), id, value)
VARIANT(cudaStreamGetAttribute,
        (cudaStream_t stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue *value), own(stream), id, value)
VARIANT(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from), own(to), own(from))
VARIANT(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags), own(stream), flags)
VARIANT(cudaStreamGetId, (cudaStream_t stream, unsigned long long *id), own(stream), id)

#if CUDART_VERSION >= 13000
VARIANT(cudaStreamGetCaptureInfo, (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long
        long *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges, size_t
        *count), own(stream), status, id, graph, nodes, edges, count)
VARIANT(cudaStreamUpdateCaptureDependencies, (cudaStream_t stream, cudaGraphNode_t *nodes,
        const cudaGraphEdgeData *edges, size_t count, unsigned flags), own(stream), nodes, edges, count, flags)
VARIANT(cudaMemPrefetchAsync, (const void *address, size_t count, struct cudaMemLocation place, unsigned
        flags, cudaStream_t stream), address, count, place, flags, own(stream))
ALIAS(cudaMemPrefetchAsync_v2_ptsz, cudaMemPrefetchAsync_ptsz);
VARIANT(cudaMemcpyBatchAsync, (void *const *targets, const void *const *sources, const size_t *sizes, size_t count,
        struct cudaMemcpyAttributes *attributes, size_t *starts, size_t number, cudaStream_t stream),
        targets, sources, sizes, count, attributes, starts, number, own(stream))
VARIANT(cudaMemPrefetchBatchAsync, (void **addresses, size_t *sizes, size_t count, struct cudaMemLocation *places,
        size_t *starts, size_t number, unsigned long long flags, cudaStream_t stream),
        addresses, sizes, count, places, starts, number, flags, own(stream))
VARIANT(cudaMemDiscardBatchAsync, (void **addresses, size_t *sizes, size_t count, unsigned long long flags,
        cudaStream_t stream), addresses, sizes, count, flags, own(stream))
VARIANT(cudaMemDiscardAndPrefetchBatchAsync, (void **addresses, size_t *sizes, size_t count,
        struct cudaMemLocation *places, size_t *starts, size_t number, unsigned long long flags, cudaStream_t stream),
        addresses, sizes, count, places, starts, number, flags, own(stream))
#else
#if CUDART_VERSION >= 12030
VARIANT(cudaStreamGetCaptureInfo_v3, (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long
        long *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **edges, size_t
        *count), own(stream), status, id, graph, nodes, edges, count)
#endif
VARIANT(cudaStreamGetCaptureInfo_v2, (cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long
        long *id, cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *count), own(stream),
        status, id, graph, nodes, count)
VARIANT(cudaMemPrefetchAsync, (const void *address, size_t count, int device, cudaStream_t stream),
        address, count, device, own(stream))
#if CUDART_VERSION >= 12020
VARIANT(cudaMemPrefetchAsync_v2, (const void *address, size_t count, struct cudaMemLocation place, unsigned
        flags, cudaStream_t stream), address, count, place, flags, own(stream))
#endif
#endif

#if CUDART_VERSION >= 12030
VARIANT(cudaStreamBeginCaptureToGraph, (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *nodes,
        const cudaGraphEdgeData *edges, size_t count, enum cudaStreamCaptureMode mode), own(stream),
        graph, nodes, edges, count, mode)
#endif

#if CUDART_VERSION >= 12080
VARIANT(cudaStreamGetDevice, (cudaStream_t stream, int *device), own(stream), device)
#endif
// clang-format on

ALIAS(__cudaLaunchKernel_ptsz, cudaLaunchKernel_ptsz);

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *function,
                                     void **arguments);
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *function,
                                     void **arguments) {
  if (!config)
    return cudaLaunchKernelExC(NULL, function, arguments);
  cudaLaunchConfig_t launch = *config;
  launch.stream = own(launch.stream);
  return cudaLaunchKernelExC(&launch, function, arguments);
}
