/* The driver API: streams, their captures, and values in memory. Attributes and their values are the runtime's. */
#include "driver.h"

#include "capture.h"

FORWARD(cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
FORWARD(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
        cudaStreamCreateWithPriority(stream, flags, priority))
FORWARD(cuStreamGetFlags, (CUstream stream, unsigned *flags), cudaStreamGetFlags(stream, flags))
FORWARD(cuStreamGetPriority, (CUstream stream, int *priority), cudaStreamGetPriority(stream, priority))
FORWARD(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
FORWARD(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
FORWARD(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
FORWARD(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
        cudaStreamWaitEvent(stream, event, flags))
FORWARD(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *data),
        cudaLaunchHostFunc(stream, function, data))

#define ATTRIBUTE(attribute) ((cudaLaunchAttributeID)(attribute))
FORWARD(cuStreamGetAttribute, (CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue *value),
        cudaStreamGetAttribute(stream, ATTRIBUTE(attribute), (cudaLaunchAttributeValue *)value))
FORWARD(cuStreamSetAttribute, (CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue *value),
        cudaStreamSetAttribute(stream, ATTRIBUTE(attribute), (const cudaLaunchAttributeValue *)value))
FORWARD(cuStreamCopyAttributes, (CUstream to, CUstream from), cudaStreamCopyAttributes(to, from))
FORWARD(cuStreamAddCallback, (CUstream stream, CUstreamCallback callback, void *data, unsigned flags),
        cudaStreamAddCallback(stream, (cudaStreamCallback_t)callback, data, flags))
FORWARD(cuStreamAttachMemAsync, (CUstream stream, CUdeviceptr address, size_t length, unsigned flags),
        cudaStreamAttachMemAsync(stream, driver_pointer(address), length, flags))
FORWARD(cuStreamGetId, (CUstream stream, unsigned long long *id), cudaStreamGetId(stream, id))
#if CUDA_VERSION >= 12080
FORWARD(cuStreamGetDevice, (CUstream stream, CUdevice *device), cudaStreamGetDevice(stream, device))
#endif

#if CUDA_VERSION >= 13000 /* before, these functions had other parameters */
FORWARD(cuStreamBeginCaptureToGraph,
        (CUstream stream, CUgraph graph, const CUgraphNode *nodes, const CUgraphEdgeData *edges, size_t count,
         CUstreamCaptureMode mode),
        cudaStreamBeginCaptureToGraph(stream, graph, nodes, (const cudaGraphEdgeData *)edges, count,
                                      (enum cudaStreamCaptureMode)mode))
FORWARD(cuStreamUpdateCaptureDependencies,
        (CUstream stream, CUgraphNode *nodes, const CUgraphEdgeData *edges, size_t count, unsigned flags),
        cudaStreamUpdateCaptureDependencies(stream, nodes, (const cudaGraphEdgeData *)edges, count, flags))

CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                        CUgraph *graph, const CUgraphNode **nodes,
                                        const CUgraphEdgeData **edges, size_t *count) {
  KEEP_LAST_ERROR;
  unsigned long long number = 0;
  const CUresult error =
      (CUresult)cudaStreamGetCaptureInfo(stream, (enum cudaStreamCaptureStatus *)status, &number, graph,
                                         nodes, (const cudaGraphEdgeData **)edges, count);
  if (!error && id && number)
    *id = number;
  return error;
}
#endif

/* Writes the words of a value in the order of the stream. */
static cudaError_t write_value(CUstream stream, CUdeviceptr address, uint64_t value, size_t size) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!address || address % size))
    error = cudaErrorInvalidValue;
  for (size_t word = 0; word < size / sizeof(uint32_t) && !error; word++) {
    const struct work work = {.type = cudaGraphNodeTypeMemset,
                              .fill = {driver_pointer(address + word * sizeof(uint32_t)), sizeof(uint32_t),
                                       sizeof(uint32_t), 1, (uint32_t)(value >> 32 * word),
                                       sizeof(uint32_t)}};
    error = capture_or_run(stream, &work);
  }
  return context_leave(error);
}

static bool is_reached(uint64_t now, uint64_t value, size_t size, unsigned flags) {
  const uint64_t mask = size == sizeof(uint32_t) ? UINT32_MAX : UINT64_MAX;
  switch (flags & ~(unsigned)CU_STREAM_WAIT_VALUE_FLUSH) {
  case CU_STREAM_WAIT_VALUE_GEQ: /* cyclic: the signed difference */
    return ((now - value) & mask) <= mask >> 1;
  case CU_STREAM_WAIT_VALUE_EQ:
    return now == value;
  case CU_STREAM_WAIT_VALUE_AND:
    return (now & value) != 0;
  default:
    return (~(now | value) & mask) != 0; /* CU_STREAM_WAIT_VALUE_NOR */
  }
}

/* Streams run in the order of the calls, so a value that is not there yet would never come. */
static cudaError_t wait_value(CUstream stream, CUdeviceptr address, uint64_t value, size_t size,
                              unsigned flags) {
  static bool reported;
  uint64_t now = 0;
  const unsigned known = CU_STREAM_WAIT_VALUE_NOR | CU_STREAM_WAIT_VALUE_FLUSH;
  if (!address || address % size || flags & ~known)
    return last_error_record(cudaErrorInvalidValue);
  cudaError_t error = cudaStreamSynchronize(stream);
  if (!error)
    error = cudaMemcpy(&now, driver_pointer(address), size, cudaMemcpyDefault);
  if (!error && !is_reached(now, value, size, flags))
    error = unsupported("a stream that waits for a value that memory does not have yet", &reported);
  return error;
}

FORWARD(cuStreamWriteValue32, (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags),
        ((void)flags, write_value(stream, address, value, sizeof value)))
FORWARD(cuStreamWriteValue64, (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags),
        ((void)flags, write_value(stream, address, value, sizeof value)))
FORWARD(cuStreamWaitValue32, (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags),
        wait_value(stream, address, value, sizeof value, flags))
FORWARD(cuStreamWaitValue64, (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags),
        wait_value(stream, address, value, sizeof value, flags))

static CUresult do_operation(CUstream stream, const CUstreamBatchMemOpParams *o) {
  switch (o->operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    return cuStreamWaitValue32(stream, o->waitValue.address, o->waitValue.value, o->waitValue.flags);
  case CU_STREAM_MEM_OP_WAIT_VALUE_64:
    return cuStreamWaitValue64(stream, o->waitValue.address, o->waitValue.value64, o->waitValue.flags);
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    return cuStreamWriteValue32(stream, o->writeValue.address, o->writeValue.value, o->writeValue.flags);
  case CU_STREAM_MEM_OP_WRITE_VALUE_64:
    return cuStreamWriteValue64(stream, o->writeValue.address, o->writeValue.value64, o->writeValue.flags);
  case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
  case CU_STREAM_MEM_OP_BARRIER:
    return CUDA_SUCCESS; /* work runs in order */
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult CUDAAPI cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams *operations,
                                    unsigned flags) {
  CUresult error = flags || (count && !operations) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  for (unsigned i = 0; i < count && !error; i++)
    error = do_operation(stream, &operations[i]);
  return error;
}
