// Several devices: each has its own variables, and copies of memory between them. The simulated GPU gives as many as
// SIMGPU_DEVICES says. On a machine with one GPU, there is nothing to check.
#include "semantics.h"

enum { COUNT = 1000 };
__device__ int variable = 5;
__constant__ int factor = 1;

__global__ void scale(int *p, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    p[i] = p[i] * factor + variable;
}

__global__ void add_one() { variable++; }

__global__ void large() {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 31)
    variable = words[31];
}

static int devices() {
  int count = 0;
  setenv("SIMGPU_DEVICES", "3", 1);
  OK(cudaGetDeviceCount(&count));
  if (count < 2)
    skip("one GPU");
  return count;
}

static void numbers() {
  const int count = devices();
  int device, can;
  for (int i = 0; i < count; i++) {
    char id[32];
    OK(cudaSetDevice(i));
    OK(cudaGetDevice(&device));
    TRUE(device == i);
    OK(cudaDeviceGetPCIBusId(id, sizeof id, i));
    OK(cudaDeviceGetByPCIBusId(&device, id));
    TRUE(device == i);
  }
  EXPECT(cudaSetDevice(count), cudaErrorInvalidDevice);
  EXPECT(cudaSetDevice(-1), cudaErrorInvalidDevice);
  OK(cudaGetDevice(&device));
  TRUE(device == count - 1);
  OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  TRUE(!can);
  EXPECT(cudaDeviceEnablePeerAccess(count - 1, 0), cudaErrorInvalidDevice);
  OK(cudaDeviceCanAccessPeer(&can, count - 1, 0));
  if (can) {
    OK(cudaDeviceEnablePeerAccess(0, 0));
    EXPECT(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessAlreadyEnabled);
    OK(cudaDeviceDisablePeerAccess(0));
    EXPECT(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  }
}

// Each device multiplies by a factor of its own, and counts its own launches.
static void variables() {
  const int count = devices();
  int host[COUNT], *p[8], value;
  for (int d = 0; d < count; d++) {
    const int own = d + 2;
    OK(cudaSetDevice(d));
    OK(cudaMemcpyToSymbol(factor, &own, sizeof own));
    OK(cudaMalloc(&p[d], sizeof host));
    for (int i = 0; i < COUNT; i++)
      host[i] = i;
    OK(cudaMemcpy(p[d], host, sizeof host, cudaMemcpyHostToDevice));
    cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, p[d] + 1));
    TRUE(attributes.device == d && attributes.type == cudaMemoryTypeDevice);
  }
  for (int d = count - 1; d >= 0; d--) {
    OK(cudaSetDevice(d));
    scale<<<4, 256>>>(p[d], COUNT);
    for (int launch = 0; launch <= d; launch++)
      add_one<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
    TRUE(value == 6 + d);
    OK(cudaMemcpy(host, p[d], sizeof host, cudaMemcpyDeviceToHost));
    TRUE(host[0] == 5 && host[999] == 999 * (d + 2) + 5);
  }
}

static void copies() {
  const int count = devices();
  int host[COUNT], *p[2];
  cudaStream_t stream;
  for (int d = 0; d < 2; d++) {
    OK(cudaSetDevice(d));
    OK(cudaMalloc(&p[d], sizeof host));
  }
  for (int i = 0; i < COUNT; i++)
    host[i] = i;
  OK(cudaStreamCreate(&stream)); // of device 1
  OK(cudaMemcpy(p[0], host, sizeof host, cudaMemcpyHostToDevice));
  OK(cudaMemcpyPeerAsync(p[1], 1, p[0], 0, sizeof host, stream));
  scale<<<4, 256, 0, stream>>>(p[1], COUNT);
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpyPeer(p[0], 0, p[1] + 1, 1, 4));
  EXPECT(cudaMemcpyPeer(p[0], 0, p[1], count, 4), cudaErrorInvalidDevice);
  OK(cudaMemcpy(host, p[0], sizeof host, cudaMemcpyDefault));
  TRUE(host[0] == 6 && host[1] == 1 && host[999] == 999);
}

// A limit that is set on one device; each device has its own graph nodes.
static void limits_and_graphs() {
  devices();
  const int bytes = 100 << 10;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  int value;
  for (int d = 0; d < 2; d++) {
    OK(cudaSetDevice(d));
    OK(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    large<<<1, 32, bytes>>>();
    OK(cudaDeviceSynchronize());
  }
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add_one<<<1, 1, 0, stream>>>();
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
  OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaSetDevice(0));
  OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
  TRUE(value == 31);
  OK(cudaSetDevice(1));
  OK(cudaMemcpyFromSymbol(&value, variable, sizeof value));
  TRUE(value == 32);
}

// A stream, an event and a launch on it belong to one device.
static void streams_and_events() {
  devices();
  cudaStream_t stream;
  cudaEvent_t event, other;
  int *p;
  OK(cudaSetDevice(0));
  OK(cudaMalloc(&p, 4));
  OK(cudaEventCreate(&other));
  OK(cudaSetDevice(1));
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&event));
  OK(cudaSetDevice(0));
  scale<<<1, 1, 0, stream>>>(p, 1);
  LAUNCHED(cudaErrorInvalidResourceHandle);
  EXPECT(cudaEventRecord(other, stream), cudaErrorInvalidResourceHandle);
  EXPECT(cudaEventRecord(event, 0), cudaErrorInvalidResourceHandle);
  OK(cudaEventRecord(other, 0));
  OK(cudaStreamWaitEvent(stream, other, 0));
  OK(cudaEventRecord(event, stream));
  OK(cudaMemsetAsync(p, 0, 4, stream));
  OK(cudaStreamSynchronize(stream));
}

int main() {
  return run_parts({{"numbers", numbers},
                    {"variables", variables},
                    {"copies", copies},
                    {"streams and events", streams_and_events},
                    {"limits and graphs", limits_and_graphs}});
}
