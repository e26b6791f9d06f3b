// Stream capture and graphs, checked by an ordinary CUDA program.
#include <cstring>
#include <cuda_runtime.h>

#include "semantics.h"

__global__ void add(int *p, int value) { p[threadIdx.x] += value; }
__global__ void scale(int *p, int factor) { p[threadIdx.x] *= factor; }
__global__ void sum(const int *a, const int *b, int *out) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
__global__ void trap() { asm("trap;"); }

// Coefficients stay on the device from one launch of a graph to the next, as in a solver without host control.
__global__ void step(double *x, double *weight) {
  *x = (*x + 2 / *x) / 2;
  *weight += *x;
}

static cudaStream_t new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, flags));
  return stream;
}

static int *new_ints(int count) {
  int *p;
  OK(cudaMalloc(&p, count * sizeof *p));
  OK(cudaMemset(p, 0, count * sizeof *p));
  return p;
}

static int first(const int *p) {
  int value = -1;
  OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

static void run(cudaGraph_t graph, cudaStream_t stream, int times = 1) {
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < times; i++)
    OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaGraphExecDestroy(exec));
}

static size_t node_count(cudaGraph_t graph) {
  size_t count = 999;
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

static void captured() {
  cudaStream_t stream = new_stream();
  cudaGraph_t graph;
  int *p = new_ints(64), host[64], source[64], calls = 0;
  for (int i = 0; i < 64; i++)
    source[i] = host[i] = i;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(stream, &status));
  TRUE(status == cudaStreamCaptureStatusActive);
  OK(cudaMemcpyAsync(p, source, sizeof source, cudaMemcpyHostToDevice, stream));
  OK(cudaMemsetAsync(p, 0, 4 * sizeof *p, stream));
  int value = 100;
  add<<<1, 64, 0, stream>>>(p, value);
  value = 999; // the node keeps the old value
  LAUNCHED(cudaSuccess);
  OK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaLaunchHostFunc(
      stream, [](void *data) { ++*(int *)data; }, &calls));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamIsCapturing(stream, &status));
  TRUE(status == cudaStreamCaptureStatusNone);
  TRUE(node_count(graph) == 5);
  TRUE(calls == 0 && host[10] == 10 && first(p) == 0); // nothing has run

  source[63] = 1000; // copies read when the graph runs
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphDestroy(graph)); // the executable graph has a copy
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  TRUE(calls == 2 && host[0] == 100 && host[3] == 100 && host[4] == 104 && host[63] == 1100);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaStreamDestroy(stream));
}

static void iterated() {
  cudaStream_t stream = new_stream();
  cudaGraph_t graph;
  double *d, host[2] = {1, 0};
  OK(cudaMalloc(&d, sizeof host));
  OK(cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 3; i++)
    step<<<1, 1, 0, stream>>>(d, d + 1);
  OK(cudaStreamEndCapture(stream, &graph));
  run(graph, stream, 4);
  OK(cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost));
  double x = 1, weight = 0;
  for (int i = 0; i < 12; i++)
    weight += x = (x + 2 / x) / 2;
  TRUE(host[0] == x && host[1] == weight);
  OK(cudaGraphDestroy(graph));
}

// Two streams fork from one and join it again.
static void forked() {
  cudaStream_t a = new_stream(), b = new_stream(), c = new_stream();
  cudaEvent_t fork, done_b, done_c;
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&done_b));
  OK(cudaEventCreate(&done_c));
  int *p = new_ints(32), *q = new_ints(32), *out = new_ints(32);
  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  OK(cudaMemsetAsync(out, 0, 4, a));
  OK(cudaEventRecord(fork, a));
  OK(cudaStreamWaitEvent(b, fork, 0));
  OK(cudaStreamWaitEvent(c, fork, 0));
  add<<<1, 32, 0, b>>>(p, 3);
  add<<<1, 32, 0, c>>>(q, 4);
  OK(cudaEventRecord(done_b, b));
  OK(cudaEventRecord(done_c, c));
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(c, &status));
  TRUE(status == cudaStreamCaptureStatusActive);
  OK(cudaStreamWaitEvent(a, done_b, 0));
  OK(cudaStreamWaitEvent(a, done_c, 0));
  sum<<<1, 32, 0, a>>>(p, q, out);
  cudaGraph_t graph;
  OK(cudaStreamEndCapture(a, &graph));
  size_t roots = 9;
  OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  TRUE(node_count(graph) == 4 && roots == 1);
#if CUDART_VERSION >= 13000
  size_t edges = 9;
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  TRUE(edges == 4 || edges == 5); // the edge from the first node to the last is redundant
#endif
  run(graph, b, 2);
  TRUE(first(p) == 6 && first(q) == 8 && first(out) == 14);
  OK(cudaGraphDestroy(graph));

  EXPECT(cudaEventQuery(done_b), cudaErrorInvalidValue);
  EXPECT(cudaEventSynchronize(done_b), cudaErrorInvalidValue);
  INVALID(cudaStreamWaitEvent(a, done_b, 0));
  OK(cudaEventRecord(done_b, b));
  OK(cudaEventSynchronize(done_b));

  OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(fork, a));
  OK(cudaStreamWaitEvent(b, fork, 0));
  add<<<1, 32, 0, b>>>(p, 3);
  graph = (cudaGraph_t)&graph;
  EXPECT(cudaStreamEndCapture(a, &graph), cudaErrorStreamCaptureUnjoined);
  TRUE(graph == nullptr);
  OK(cudaStreamIsCapturing(b, &status));
  TRUE(status == cudaStreamCaptureStatusNone);
}

// A forbidden call invalidates the capture.
static void expect_spoilt(cudaStream_t stream) {
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(stream, &status));
  TRUE(status == cudaStreamCaptureStatusInvalidated);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  TRUE(graph == nullptr);
}

// An event recorded in a capture has no time.
static void asked() {
  cudaStream_t stream = new_stream();
  cudaGraph_t graph;
  cudaEvent_t before, within;
  float milliseconds;
  OK(cudaEventCreate(&before));
  OK(cudaEventCreate(&within));
  OK(cudaEventRecord(before, stream));
  OK(cudaEventSynchronize(before));
  for (int synchronise = 0; synchronise < 2; synchronise++) {
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(within, stream));
    EXPECT(synchronise ? cudaEventSynchronize(within) : cudaEventQuery(within), cudaErrorCapturedEvent);
    INVALID(cudaEventQuery(within)); // the capture is over
    expect_spoilt(stream);
  }
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(within, stream));
  EXPECT(cudaEventElapsedTime(&milliseconds, before, within), cudaErrorCapturedEvent);
  OK(cudaStreamEndCapture(stream, &graph)); // the capture is still valid
  INVALID(cudaEventElapsedTime(&milliseconds, before, within));
  OK(cudaGraphDestroy(graph));

  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaEventSynchronize(before), cudaErrorStreamCaptureUnsupported);
  OK(cudaEventElapsedTime(&milliseconds, before, before));
  expect_spoilt(stream);
}

// Only the stream that a capture began on can end it.
static void ended_elsewhere() {
  cudaStream_t origin = new_stream(), side = new_stream();
  cudaEvent_t fork;
  cudaGraph_t graph = (cudaGraph_t)&graph;
  int *p = new_ints(32);
  OK(cudaEventCreate(&fork));
  OK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(fork, origin));
  OK(cudaStreamWaitEvent(side, fork, 0));
  EXPECT(cudaStreamEndCapture(side, &graph), cudaErrorStreamCaptureUnmatched);
  TRUE(graph == nullptr);
  add<<<1, 32, 0, side>>>(p, 1);
  LAUNCHED(cudaErrorStreamCaptureInvalidated);
  EXPECT(cudaStreamEndCapture(side, &graph), cudaErrorStreamCaptureUnmatched);
  expect_spoilt(origin);
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(side, &status));
  TRUE(status == cudaStreamCaptureStatusNone);
}

static void forbidden_waits() {
  cudaStream_t stream = new_stream(), other = new_stream();
  cudaGraph_t graph;
  int *p = new_ints(32);
  EXPECT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);

  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  EXPECT(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamQuery(stream),
         cudaErrorStreamCaptureUnsupported); // although the capture has become invalid
  add<<<1, 32, 0, stream>>>(p, 1);
  LAUNCHED(cudaErrorStreamCaptureInvalidated);
  expect_spoilt(stream);

  for (cudaStream_t queried : {stream, other}) {
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    EXPECT(cudaStreamQuery(queried), cudaErrorStreamCaptureUnsupported);
    expect_spoilt(stream);
  }

  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  EXPECT(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  expect_spoilt(stream);
}

static void forbidden_allocations() {
  cudaStream_t stream = new_stream();
  cudaGraph_t graph;
  int *q;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaMalloc(&q, 4), cudaErrorStreamCaptureUnsupported);
  expect_spoilt(stream);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OK(cudaMalloc(&q, 4));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaMallocManaged(&q, 4), cudaErrorStreamCaptureUnsupported);
  expect_spoilt(stream);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
  TRUE(mode == cudaStreamCaptureModeGlobal);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMalloc(&q, 4));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphDestroy(graph));
  OK(cudaThreadExchangeStreamCaptureMode(&mode));
}

// The legacy stream waits for blocking streams only.
static void forbidden_dependencies() {
  cudaStream_t stream = new_stream(), other = new_stream(), blocking = new_stream(cudaStreamDefault);
  cudaGraph_t graph;
  cudaEvent_t event;
  int *p = new_ints(32);
  OK(cudaEventCreate(&event));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, cudaStreamLegacy>>>(p, 1);
  LAUNCHED(cudaSuccess);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, cudaStreamLegacy>>>(p, 1);
  LAUNCHED(cudaErrorStreamCaptureImplicit);
  expect_spoilt(blocking);
  TRUE(first(p) == 1);

  OK(cudaEventRecord(event, other));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureIsolation);
  expect_spoilt(stream);

  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaStreamBeginCapture(other, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(event, stream));
  EXPECT(cudaStreamWaitEvent(other, event, 0), cudaErrorStreamCaptureMerge);
  expect_spoilt(stream);
  expect_spoilt(other);
}

static cudaKernelNodeParams kernel(void *function, void **arguments) {
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = dim3(1);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  return params;
}

// A graph built by hand, whose nodes are added in another order than they must run.
struct ByHand {
  cudaGraph_t graph;
  cudaGraphNode_t times, plus, zero, back;
  int *p, two, five, host[32];
  void *scale_arguments[2], *add_arguments[2];
  cudaKernelNodeParams scale_params, add_params;
  cudaMemsetParams zero_params;
};

static cudaError_t add_dependencies(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                    size_t count) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
#else
  return cudaGraphAddDependencies(graph, from, to, count);
#endif
}

static void build(ByHand *b) {
  cudaGraphNode_t empty;
  *b = {};
  b->p = new_ints(32), b->two = 2, b->five = 5;
  b->scale_arguments[0] = b->add_arguments[0] = &b->p;
  b->scale_arguments[1] = &b->two, b->add_arguments[1] = &b->five;
  b->scale_params = kernel((void *)scale, b->scale_arguments);
  b->add_params = kernel((void *)add, b->add_arguments);
  b->zero_params.dst = b->p;
  b->zero_params.elementSize = 4;
  b->zero_params.value = 0x10001;
  b->zero_params.width = 32;
  b->zero_params.height = 1;
  INVALID(cudaGraphCreate(&b->graph, 1));
  OK(cudaGraphCreate(&b->graph, 0));
  OK(cudaGraphAddKernelNode(&b->times, b->graph, nullptr, 0, &b->scale_params));
  OK(cudaGraphAddMemcpyNode1D(&b->back, b->graph, &b->times, 1, b->host, b->p, sizeof b->host,
                              cudaMemcpyDeviceToHost));
  OK(cudaGraphAddKernelNode(&b->plus, b->graph, nullptr, 0, &b->add_params));
  OK(cudaGraphAddMemsetNode(&b->zero, b->graph, nullptr, 0, &b->zero_params));
  OK(cudaGraphAddEmptyNode(&empty, b->graph, &b->zero, 1));
  cudaGraphNode_t from[] = {empty, b->plus}, to[] = {b->plus, b->times};
  OK(add_dependencies(b->graph, from, to, 2));
  INVALID(add_dependencies(b->graph, from, to, 1)); // exists already
}

static void built() {
  ByHand b;
  build(&b);
  run(b.graph, 0);
  TRUE(b.host[0] == (0x10001 + 5) * 2 && b.host[31] == b.host[0]);

  cudaKernelNodeParams got;
  OK(cudaGraphKernelNodeGetParams(b.plus, &got));
  TRUE(got.func == (void *)add && got.blockDim.x == 32 && *(int *)got.kernelParams[1] == 5);
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(b.zero, &type));
  TRUE(type == cudaGraphNodeTypeMemset);
  INVALID(cudaGraphMemsetNodeGetParams(b.plus, &b.zero_params));

  cudaGraphExec_t exec;
  b.add_params.blockDim = dim3(2000);
  INVALID(cudaGraphAddKernelNode(&b.plus, b.graph, nullptr, 0, &b.add_params));
  b.zero_params.elementSize = 3;
  INVALID(cudaGraphAddMemsetNode(&b.zero, b.graph, nullptr, 0, &b.zero_params));
  INVALID(cudaGraphInstantiate(&exec, nullptr, 0));
  OK(cudaGraphDestroy(b.graph));
}

static void cloned() {
  ByHand b;
  cudaGraph_t clone;
  cudaGraphNode_t found, start;
  build(&b);
  OK(cudaGraphClone(&clone, b.graph));
  OK(cudaGraphNodeFindInClone(&found, b.plus, clone));
  b.two = 3, b.five = 7;
  OK(cudaGraphKernelNodeSetParams(found, &b.add_params));
  OK(cudaGraphNodeFindInClone(&found, b.times, clone));
  OK(cudaGraphKernelNodeSetParams(found, &b.scale_params));
  run(clone, 0);
  TRUE(b.host[0] == (0x10001 + 7) * 3);
  run(b.graph, 0);
  TRUE(b.host[0] == (0x10001 + 5) * 2);
  OK(cudaGraphDestroyNode(b.plus));
  TRUE(node_count(b.graph) == 4 && node_count(clone) == 5);
#if CUDART_VERSION >= 13000
  size_t left = 9;
  OK(cudaGraphNodeGetDependencies(b.times, nullptr, nullptr, &left));
  TRUE(left == 0);
#endif

  // a cycle cannot run
  OK(cudaGraphNodeFindInClone(&found, b.back, clone));
  OK(cudaGraphNodeFindInClone(&start, b.zero, clone));
  cudaError_t circle = add_dependencies(clone, &found, &start, 1);
  cudaGraphExec_t exec;
  TRUE(circle == cudaErrorInvalidValue || cudaGraphInstantiate(&exec, clone, 0) == cudaErrorInvalidValue);
  cudaGetLastError();
  OK(cudaGraphDestroy(clone));
  OK(cudaGraphDestroy(b.graph));
}

// Copies and fills of rows and boxes, and of elements of two bytes.
static void shaped() {
  cudaGraph_t graph;
  cudaGraphNode_t fill, in, out;
  cudaPitchedPtr box;
  char host[3 * 4 * 10], back[3 * 4 * 10] = {};
  for (size_t i = 0; i < sizeof host; i++)
    host[i] = char(3 * i + 1);
  OK(cudaMalloc3D(&box, make_cudaExtent(10, 4, 3)));
  cudaMemcpy3DParms parms = {};
  parms.srcPtr = make_cudaPitchedPtr(host, 10, 10, 4);
  parms.dstPtr = box;
  parms.extent = make_cudaExtent(10, 4, 3);
  parms.kind = cudaMemcpyHostToDevice;
  cudaMemsetParams shorts = {};
  shorts.dst = (char *)box.ptr + 4 * box.pitch + 2; // of the second slice
  shorts.pitch = box.pitch;
  shorts.value = 0x4142;
  shorts.elementSize = 2;
  shorts.width = 3;
  shorts.height = 2;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddMemcpyNode(&in, graph, nullptr, 0, &parms));
  OK(cudaGraphAddMemsetNode(&fill, graph, &in, 1, &shorts));
  parms.srcPtr = box;
  parms.dstPtr = make_cudaPitchedPtr(back, 10, 10, 4);
  parms.kind = cudaMemcpyDeviceToHost;
  OK(cudaGraphAddMemcpyNode(&out, graph, &fill, 1, &parms));
  run(graph, 0);
  for (int row = 4; row < 6; row++)
    memcpy(host + 10 * row + 2, "BABABA", 6);
  TRUE(!memcmp(host, back, sizeof host));
  OK(cudaGraphDestroy(graph));
}

static void changed() {
  cudaGraph_t graph, inner, outer, other;
  cudaGraphNode_t node, child, more;
  cudaGraphExec_t exec;
  int *p = new_ints(32), value = 1;
  void *arguments[] = {&p, &value};
  cudaKernelNodeParams params = kernel((void *)add, arguments);
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  value = 10;
  OK(cudaGraphExecKernelNodeSetParams(exec, node, &params));
  OK(cudaGraphLaunch(exec, 0));
  TRUE(first(p) == 10);
  OK(cudaGraphNodeSetEnabled(exec, node, 0));
  OK(cudaGraphLaunch(exec, 0));
  TRUE(first(p) == 10);
  OK(cudaGraphNodeSetEnabled(exec, node, 1));

  value = 100;
  cudaGraphExecUpdateResultInfo info;
  OK(cudaGraphCreate(&other, 0));
  OK(cudaGraphAddKernelNode(&more, other, nullptr, 0, &params));
  OK(cudaGraphExecUpdate(exec, other, &info));
  TRUE(info.result == cudaGraphExecUpdateSuccess);
  OK(cudaGraphLaunch(exec, 0));
  TRUE(first(p) == 110);
  OK(cudaGraphAddKernelNode(&more, other, &more, 1, &params));
  EXPECT(cudaGraphExecUpdate(exec, other, &info), cudaErrorGraphExecUpdateFailure);
  TRUE(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  OK(cudaGraphExecDestroy(exec));

  // a graph within a graph, by hand; not by capture
  OK(cudaGraphCreate(&outer, 0));
  OK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, other));
  OK(cudaGraphChildGraphNodeGetGraph(child, &inner));
  TRUE(node_count(inner) == 2);
  run(outer, 0);
  TRUE(first(p) == 310);
  cudaStream_t stream = new_stream();
  OK(cudaGraphInstantiate(&exec, other, 0));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaGraphLaunch(exec, stream), cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(stream, &inner), cudaErrorStreamCaptureInvalidated);
  TRUE(inner == nullptr && first(p) == 310);
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  TRUE(first(p) == 510);
}

static void timed() {
  cudaStream_t stream = new_stream();
  cudaEvent_t start, end;
  cudaGraph_t graph;
  float milliseconds = -1;
  int *p = new_ints(32);
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&end));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal));
  add<<<1, 32, 0, stream>>>(p, 1);
  OK(cudaEventRecordWithFlags(end, stream, cudaEventRecordExternal));
  OK(cudaStreamEndCapture(stream, &graph));
  TRUE(node_count(graph) == 3);
  run(graph, stream);
  OK(cudaEventElapsedTime(&milliseconds, start, end));
  TRUE(milliseconds > 0 && milliseconds < 1000);
}

static void faulting() {
  cudaStream_t stream = new_stream();
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int *p = new_ints(32);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  trap<<<1, 1, 0, stream>>>();
  add<<<1, 32, 0, stream>>>(p, 1);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, stream));
  EXPECT(cudaStreamSynchronize(stream), cudaErrorLaunchFailure);
  EXPECT(cudaGraphLaunch(exec, stream), cudaErrorLaunchFailure);
}

#if CUDART_VERSION >= 13000
__global__ void count_down(cudaGraphConditionalHandle condition, int *left, int *runs) {
  ++*runs;
  if (--*left <= 0)
    cudaGraphSetConditional(condition, 0);
}

__global__ void choose(cudaGraphConditionalHandle condition, const int *value) {
  cudaGraphSetConditional(condition, unsigned(*value));
}

static cudaGraphNodeParams kernel_params(const void *kernel, void **arguments) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = const_cast<void *>(kernel);
  params.kernel.gridDim = params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  return params;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t after, const void *kernel,
                                  void **arguments) {
  cudaGraphNodeParams params = kernel_params(kernel, arguments);
  cudaGraphNode_t node;
  OK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr, after ? 1 : 0, &params));
  return node;
}

// The bodies of a new node.
static cudaGraph_t *add_conditional(cudaGraph_t graph, cudaGraphNode_t after,
                                    cudaGraphConditionalHandle condition, cudaGraphConditionalNodeType type,
                                    unsigned size) {
  cudaGraphNodeParams params = {};
  cudaGraphNode_t node;
  cudaGraphNodeType found;
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = condition;
  params.conditional.type = type;
  params.conditional.size = size;
  OK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr, after ? 1 : 0, &params));
  OK(cudaGraphNodeGetType(node, &found));
  TRUE(found == cudaGraphNodeTypeConditional);
  return params.conditional.phGraph_out;
}

// A loop whose number of turns only the device knows; each launch begins with the default value.
static void repeated() {
  cudaGraph_t graph;
  cudaGraphConditionalHandle condition;
  int *left = new_ints(1), *runs = new_ints(1), five = 5;
  cudaStream_t stream = new_stream();
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
  cudaGraph_t *bodies = add_conditional(graph, nullptr, condition, cudaGraphCondTypeWhile, 1);
  OK(cudaStreamBeginCaptureToGraph(stream, bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  count_down<<<1, 1, 0, stream>>>(condition, left, runs);
  OK(cudaStreamEndCapture(stream, nullptr)); // the program has the graph
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int launches = 1; launches <= 3; launches++) {
    OK(cudaMemcpy(left, &five, sizeof five, cudaMemcpyHostToDevice));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    TRUE(first(runs) == 5 * launches && first(left) == 0);
  }
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
}

// A kernel chooses one of the bodies; in the last body is a loop.
static void chosen() {
  for (cudaGraphConditionalNodeType type : {cudaGraphCondTypeIf, cudaGraphCondTypeSwitch})
    for (int value = 0; value < 4; value++) {
      const unsigned size = type == cudaGraphCondTypeIf ? 2 : 3;
      cudaGraph_t graph;
      cudaGraphConditionalHandle condition, loop;
      int *chooser = new_ints(1), *marks = new_ints(3), *left = new_ints(1), *runs = new_ints(1), three = 3,
          one = 1;
      OK(cudaMemcpy(chooser, &value, sizeof value, cudaMemcpyHostToDevice));
      OK(cudaMemcpy(left, &three, sizeof three, cudaMemcpyHostToDevice));
      OK(cudaGraphCreate(&graph, 0));
      OK(cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
      OK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
      void *choice[] = {&condition, &chooser};
      const cudaGraphNode_t chooses = add_kernel(graph, nullptr, (void *)choose, choice);
      cudaGraph_t *bodies = add_conditional(graph, chooses, condition, type, size);
      cudaGraphNode_t last = nullptr;
      for (unsigned body = 0; body < size; body++) {
        int *mark = marks + body;
        void *arguments[] = {&mark, &one};
        last = add_kernel(bodies[body], nullptr, (void *)add, arguments);
      }
      void *arguments[] = {&loop, &left, &runs};
      add_kernel(*add_conditional(bodies[size - 1], last, loop, cudaGraphCondTypeWhile, 1), nullptr,
                 (void *)count_down, arguments);
      run(graph, new_stream());
      const unsigned body = type == cudaGraphCondTypeIf ? value == 0 : unsigned(value);
      for (unsigned i = 0; i < size; i++)
        TRUE(first(marks + i) == (i == body));
      TRUE(first(runs) == (body == size - 1 ? 3 : 0));
      OK(cudaGraphDestroy(graph));
    }
}

// A loop in the middle of a capture: the capture goes on behind the node that the program has added.
static void captured_loop() {
  cudaStream_t stream = new_stream();
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  cudaGraphConditionalHandle condition;
  const cudaGraphNode_t *before;
  size_t count;
  int *left = new_ints(1), *runs = new_ints(1);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(left, 4);
  OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count));
  TRUE(status == cudaStreamCaptureStatusActive && count == 1);
  OK(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = condition;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node;
  OK(cudaGraphAddNode(&node, graph, before, nullptr, count, &params));
  void *arguments[] = {&condition, &left, &runs};
  add_kernel(params.conditional.phGraph_out[0], nullptr, (void *)count_down, arguments);
  OK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
  scale<<<1, 1, 0, stream>>>(runs, 10);
  OK(cudaStreamEndCapture(stream, &graph));
  EXPECT(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, 0), cudaErrorIllegalState);
  run(graph, stream);
  TRUE(first(runs) == 40 && first(left) == 0);
  OK(cudaGraphDestroy(graph));
}

static void refused_conditions() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle condition;
  OK(cudaGraphCreate(&graph, 0));
  INVALID(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
  OK(cudaGraphConditionalHandleCreate(&condition, graph, 0, 0));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = condition;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 2;
  INVALID(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  params.conditional.size = 0;
  INVALID(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  INVALID(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr));
  OK(cudaGraphDestroy(graph));
}

// Every other type of node by the one function.
static void added() {
  cudaGraph_t graph, child;
  cudaGraphNode_t nodes[4];
  int *p = new_ints(4), calls = 0, one = 1;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphCreate(&child, 0));
  void *arguments[] = {&p, &one};
  cudaGraphNodeParams params = kernel_params((void *)add, arguments);
  OK(cudaGraphAddNode(&nodes[0], child, nullptr, nullptr, 0, &params));
  params = {};
  params.type = cudaGraphNodeTypeMemset;
  params.memset.dst = p;
  params.memset.value = 7;
  params.memset.elementSize = 4;
  params.memset.width = 4;
  params.memset.height = 1;
  OK(cudaGraphAddNode(&nodes[0], graph, nullptr, nullptr, 0, &params));
  params = {};
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  OK(cudaGraphAddNode(&nodes[1], graph, &nodes[0], nullptr, 1, &params));
  params = {};
  params.type = cudaGraphNodeTypeHost;
  params.host.fn = [](void *count) { ++*(int *)count; };
  params.host.userData = &calls;
  OK(cudaGraphAddNode(&nodes[2], graph, &nodes[1], nullptr, 1, &params));
  params = {};
  params.type = cudaGraphNodeTypeEmpty;
  OK(cudaGraphAddNode(&nodes[3], graph, &nodes[2], nullptr, 1, &params));
  run(graph, new_stream(), 2);
  TRUE(first(p) == 8 && first(p + 1) == 7 && calls == 2);
  OK(cudaGraphDestroy(graph));
}
#endif

int main() {
  return run_parts({
    {"captured", captured}, {"iterated", iterated}, {"forked", forked}, {"asked", asked},
        {"ended_elsewhere", ended_elsewhere}, {"forbidden waits", forbidden_waits},
        {"forbidden allocations", forbidden_allocations}, {"forbidden dependencies", forbidden_dependencies},
        {"built", built}, {"cloned", cloned}, {"shaped", shaped}, {"changed", changed}, {"timed", timed},
#if CUDART_VERSION >= 13000
        {"repeated", repeated}, {"chosen", chosen}, {"captured loop", captured_loop},
        {"refused conditions", refused_conditions}, {"added", added},
#endif
        {"faulting", faulting},
  });
}
