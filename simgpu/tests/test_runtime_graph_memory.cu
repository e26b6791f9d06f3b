// Nodes that allocate and free memory, by calls and by capture, checked by an ordinary CUDA program. The expectations
// are those of the CUDA Programming Guide ("Graph Memory Nodes").
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>

#include "semantics.h"

enum { COUNT = 1000 };
__global__ void fill(int *p, int value) {
  for (int i = threadIdx.x; i < COUNT; i += blockDim.x)
    p[i] = value + i;
}
__global__ void sum(const int *p, int *out) {
  for (int i = threadIdx.x; i < COUNT; i += blockDim.x)
    atomicAdd(out, p[i]);
}
static const int expected = 7 * COUNT + COUNT * (COUNT - 1) / 2;

static int *new_result() {
  int *p;
  OK(cudaMalloc(&p, sizeof *p));
  OK(cudaMemset(p, 0, sizeof *p));
  return p;
}

static int taken(int *p) { // the result, which becomes 0
  int value = -1;
  OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
  OK(cudaMemset(p, 0, sizeof *p));
  return value;
}

static cudaMemAllocNodeParams request(size_t bytes) {
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = bytes;
  return params;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t after, void *kernel, void **arguments) {
  cudaKernelNodeParams params = {};
  cudaGraphNode_t node;
  params.func = kernel;
  params.gridDim = 1;
  params.blockDim = 128;
  params.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&node, graph, &after, 1, &params));
  return node;
}

/* allocate, fill, sum and, if wished, free */
static cudaGraph_t make(int **data, int *result, bool frees) {
  cudaGraph_t graph;
  cudaGraphNode_t node, first;
  cudaMemAllocNodeParams params = request(COUNT * sizeof(int));
  int value = 7;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  first = node;
  *data = (int *)params.dptr;
  TRUE(*data != nullptr);
  void *fill_arguments[] = {data, &value}, *sum_arguments[] = {data, &result};
  node = add_kernel(graph, node, (void *)fill, fill_arguments);
  node = add_kernel(graph, node, (void *)sum, sum_arguments);
  if (frees) {
    void *address = nullptr;
    OK(cudaGraphAddMemFreeNode(&node, graph, &node, 1, *data));
    OK(cudaGraphMemFreeNodeGetParams(node, &address));
    TRUE(address == *data);
  }
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(first, &type));
  TRUE(type == cudaGraphNodeTypeMemAlloc);
  memset(&params, 0, sizeof params);
  OK(cudaGraphMemAllocNodeGetParams(first, &params));
  TRUE(params.dptr == *data && params.bytesize == COUNT * sizeof(int));
  return graph;
}

static cudaGraphExec_t executable(cudaGraph_t graph, unsigned long long flags = 0) {
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, flags));
  OK(cudaGraphDestroy(graph));
  return exec;
}

static uint64_t used() {
  uint64_t bytes = 99;
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  return bytes;
}

static void built() {
  int *data, *result = new_result();
  cudaGraphExec_t exec = executable(make(&data, result, true));
  for (int i = 0; i < 3; i++) {
    OK(cudaGraphLaunch(exec, 0));
    TRUE(taken(result) == expected);
    OK(cudaDeviceGraphMemTrim(0)); // until then, an H200 counts the memory as used
    TRUE(used() == 0);
  }
  EXPECT(cudaFree(data), cudaErrorInvalidValue); // the graph has freed it
  OK(cudaGraphExecDestroy(exec));
  OK(cudaFree(result));
}

static void left_to_the_program() {
  int *data, *result = new_result(), host[COUNT];
  cudaGraphExec_t exec = executable(make(&data, result, false));
  OK(cudaGraphLaunch(exec, 0));
  TRUE(taken(result) == expected);
  TRUE(used() >= COUNT * sizeof(int));
  EXPECT(cudaGraphLaunch(exec, 0), cudaErrorInvalidValue); // the memory is still allocated
  OK(cudaFreeAsync(data, 0));
  OK(cudaGraphLaunch(exec, 0));
  OK(cudaGraphExecDestroy(exec)); // the memory outlives the graph
  OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  TRUE(host[0] == 7 && host[COUNT - 1] == 7 + COUNT - 1);
  OK(cudaFree(data));
  OK(cudaDeviceGraphMemTrim(0));
  TRUE(used() == 0);
  OK(cudaFree(result));
}

static void freed_on_launch() {
  int *data, *result = new_result();
  cudaGraphExec_t exec = executable(make(&data, result, false), cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int i = 0; i < 3; i++) {
    OK(cudaGraphLaunch(exec, 0));
    TRUE(taken(result) == expected);
  }
  OK(cudaFree(data));
  OK(cudaGraphExecDestroy(exec));
  OK(cudaFree(result));
}

/* Another stream frees memory, and is destroyed as soon as its work is joined. */
static void free_elsewhere(void *data, cudaStream_t stream) {
  cudaStream_t fork;
  cudaEvent_t event;
  OK(cudaStreamCreateWithFlags(&fork, cudaStreamNonBlocking));
  OK(cudaEventCreate(&event));
  OK(cudaEventRecord(event, stream));
  OK(cudaStreamWaitEvent(fork, event, 0));
  OK(cudaFreeAsync(data, fork));
  OK(cudaEventRecord(event, fork));
  OK(cudaStreamWaitEvent(stream, event, 0));
  OK(cudaStreamDestroy(fork));
  OK(cudaEventDestroy(event));
}

static void captured() {
  int *data, *other, *result = new_result();
  cudaStream_t stream;
  cudaGraph_t graph;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMallocAsync(&data, COUNT * sizeof *data, stream));
  OK(cudaMallocAsync(&other, 100, stream));
  TRUE(other != data);
  fill<<<1, 64, 0, stream>>>(data, 7);
  sum<<<1, 64, 0, stream>>>(data, result);
  OK(cudaFreeAsync(data, stream));
  free_elsewhere(other, stream);
  OK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  TRUE(nodes == 6 && used() == 0);
  cudaGraphExec_t exec = executable(graph);
  for (int i = 0; i < 2; i++) {
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    TRUE(taken(result) == expected);
  }
  OK(cudaGraphExecDestroy(exec));
  OK(cudaStreamDestroy(stream));
  OK(cudaFree(result));
}

static void refused() {
  int *data, *plain, *result = new_result();
  cudaGraph_t graph = make(&data, result, true), copy;
  cudaGraphNode_t node;
  cudaMemAllocNodeParams params = request(0);
  EXPECT(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  params = request(100);
  params.poolProps.location.id = 99;
  EXPECT(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  OK(cudaMalloc(&plain, 100));
  EXPECT(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, plain), cudaErrorInvalidValue); // not a graph's
  EXPECT(cudaGraphClone(&copy, graph), cudaErrorNotSupported);
  uint64_t zero = 0, one = 1;
  OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  EXPECT(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one), cudaErrorInvalidValue);
  OK(cudaGraphDestroy(graph));
  OK(cudaDeviceGraphMemTrim(0));
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &one));
  TRUE(one == 0); // nothing is left of any graph
  OK(cudaFree(plain));
  OK(cudaFree(result));
}

int main() {
  return run_parts({{"built", built},
                    {"left to the program", left_to_the_program},
                    {"freed on launch", freed_on_launch},
                    {"captured", captured},
                    {"refused", refused}});
}
