// The behaviour of the CUDA runtime, checked by an ordinary CUDA program. The expectations hold on an H200
// (driver 580, CUDA 13.0) and on the simulated GPU.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "semantics.h"

struct Mixed {
  char c;
  double d;
};

__constant__ float constants[4] = {1, 2, 3, 4};
__device__ int counter = 5;

__global__ void store(int *p, int value) { *p = value; }
__global__ void mixed(char a, double b, short c, Mixed m, double *out) {
  *out = a + b * 10 + c * 100 + m.c * 1000 + m.d;
}
#if CUDART_VERSION >= 12010
struct Long {
  int values[8188]; // followed by a pointer: as much as PTX allows
};
__global__ void long_parameter(Long l, int *out) { *out = l.values[8187]; }
#endif
__global__ void symbols(float *out) { *out = constants[threadIdx.x] + counter; }
__global__ void __launch_bounds__(64) bounded(int *p) { *p = 1; }
__global__ void dynamic_shared(int *p) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  *p = shared[blockDim.x - 1];
}
// Where the array begins, after 80 bytes that are not dynamic; the compiler takes its alignment for granted.
__global__ void aligned_shared(unsigned *p) {
  __shared__ unsigned long long first[10];
  extern __shared__ __align__(1024) unsigned char tiles[];
  first[threadIdx.x] = threadIdx.x;
  tiles[threadIdx.x] = 1;
  __syncthreads();
  asm volatile("and.b32 %0, %1, 1023;" : "=r"(p[0]) : "r"((unsigned)__cvta_generic_to_shared(tiles)));
  p[1] = (unsigned)first[9] + tiles[9];
}
__global__ void static_shared(double *p) {
  __shared__ int shared[10000];
  shared[threadIdx.x] = 1;
  *p = shared[0];
}
__global__ void trap() { asm("trap;"); }
__global__ void add_one(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i]++;
}
template <class T> __global__ void fill(T *p, int n, T value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = value;
}
__global__ void arrive(unsigned *count, unsigned *seen) {
  if (threadIdx.x == 0)
    atomicAdd(count, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0)
    seen[blockIdx.x] = *count;
}

static void memory() {
  int *p, *q;
  void *none = &p;
  OK(cudaMalloc(&none, 0));
  TRUE(none == nullptr);
  OK(cudaFree(nullptr));
  OK(cudaMalloc(&p, 1000));
  OK(cudaMalloc(&q, 1));
  INVALID(cudaFree(p + 1));
  INVALID(cudaFree(&p));
  OK(cudaFree(q));
  INVALID(cudaFree(q));
  INVALID(cudaMalloc((void **)nullptr, 10));
  EXPECT(cudaMalloc(&q, size_t(1) << 46), cudaErrorMemoryAllocation);
  INVALID(cudaMemset(p, 0, 1001));
  INVALID(cudaMemset(&p, 0, 4));
  OK(cudaMemset(nullptr, 0, 0));
  INVALID(cudaMemset2D(p, 10, 0, 20, 2));
  OK(cudaMemset2D(p, 100, 0, 100, 10));

  size_t pitch;
  OK(cudaMallocPitch(&q, &pitch, 100, 10));
  TRUE(pitch == 512);
  OK(cudaMallocPitch(&q, &pitch, 513, 2));
  TRUE(pitch == 1024);
  OK(cudaMallocPitch(&none, &pitch, 0, 2));
  TRUE(pitch == 0 && none == nullptr);

  OK(cudaMallocAsync(&q, 100, 0));
  OK(cudaFreeAsync(q, 0));
  INVALID(cudaFreeAsync(q, 0));
  OK(cudaMallocAsync(&q, 100, 0));
  OK(cudaFree(q));

  cudaPointerAttributes attributes;
  char *pinned, plain[4];
  OK(cudaMallocHost(&pinned, 100));
  OK(cudaPointerGetAttributes(&attributes, pinned + 50));
  TRUE(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned + 50);
  OK(cudaPointerGetAttributes(&attributes, plain));
  TRUE(attributes.type == cudaMemoryTypeUnregistered && attributes.device == cudaInvalidDeviceId);
  OK(cudaPointerGetAttributes(&attributes, p + 1));
  TRUE(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == p + 1 &&
       !attributes.hostPointer);
  INVALID(cudaHostAlloc(&none, 100, 99));
  INVALID(cudaFreeHost(pinned + 1));
  INVALID(cudaFree(pinned));
  OK(cudaFreeHost(pinned));
  INVALID(cudaFreeHost(pinned));
  INVALID(cudaFreeHost(plain));
  OK(cudaFreeHost(nullptr));
  size_t free_bytes = 0, total = 0;
  OK(cudaMemGetInfo(&free_bytes, &total));
  TRUE(free_bytes > 0 && free_bytes <= total);
}

// Nothing depends on them, but a program reads back what it set.
static void stream_attributes() {
  cudaStream_t stream, other;
  cudaStreamAttrValue value, got;
  cudaDeviceProp device;
  size_t limit = 0;
  OK(cudaGetDeviceProperties(&device, 0));
  TRUE(device.persistingL2CacheMaxSize > 0 && device.accessPolicyMaxWindowSize > 0);
  const size_t most = (size_t)device.persistingL2CacheMaxSize;
  OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most));
  OK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  TRUE(limit == most);
  OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1));
  OK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  TRUE(limit == most / 10);
  INVALID(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most + 1));
  OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1));
  OK(cudaStreamCreate(&other));
  OK(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &got));
  TRUE(got.priority == -1);
  memset(&value, 0, sizeof value);
  value.accessPolicyWindow.num_bytes = 1000;
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  OK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got));
  TRUE(got.accessPolicyWindow.num_bytes == 1000 && got.accessPolicyWindow.hitRatio == 0.5f &&
       got.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting &&
       got.accessPolicyWindow.missProp == cudaAccessPropertyNormal);
  OK(cudaStreamCopyAttributes(other, stream));
  OK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &got));
  TRUE(got.accessPolicyWindow.num_bytes == 1000);
  OK(cudaStreamGetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &got));
  TRUE(got.accessPolicyWindow.num_bytes == 0);
  INVALID(cudaStreamSetAttribute(stream, cudaLaunchAttributeClusterDimension, &value));
  INVALID(cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &got));
  OK(cudaCtxResetPersistingL2Cache());
  OK(cudaStreamDestroy(other));
  OK(cudaStreamDestroy(stream));
}

static void registered() {
  static char pages[3 * 4096];
  unsigned flags = 99;
  char *pinned, *p, back[10];
  INVALID(cudaHostRegister(nullptr, 4096, cudaHostRegisterDefault));
  INVALID(cudaHostRegister(pages, 0, cudaHostRegisterDefault));
  INVALID(cudaHostRegister(pages, 4096, 1 << 20));
  EXPECT(cudaHostUnregister(pages), cudaErrorHostMemoryNotRegistered);
  OK(cudaHostRegister(pages, sizeof pages, cudaHostRegisterPortable));
  EXPECT(cudaHostRegister(pages, sizeof pages, cudaHostRegisterPortable),
         cudaErrorHostMemoryAlreadyRegistered);
  OK(cudaHostGetFlags(&flags, pages));
  TRUE(flags & cudaHostRegisterPortable);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, pages + 5000));
  TRUE(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pages + 5000);
  pages[17] = 42;
  OK(cudaMalloc(&p, 100));
  OK(cudaMemcpyAsync(p, pages, 100, cudaMemcpyHostToDevice, 0));
  OK(cudaMemcpy(back, p + 10, 10, cudaMemcpyDeviceToHost));
  TRUE(back[7] == 42);
  INVALID(cudaFreeHost(pages));
  OK(cudaHostUnregister(pages));
  OK(cudaPointerGetAttributes(&attributes, pages));
  TRUE(attributes.type == cudaMemoryTypeUnregistered);
  INVALID(cudaHostGetFlags(&flags, back));
  OK(cudaHostAlloc(&pinned, 10, cudaHostAllocPortable | cudaHostAllocWriteCombined));
  OK(cudaHostGetFlags(&flags, pinned));
  TRUE(flags & cudaHostAllocWriteCombined);
  OK(cudaFreeHost(pinned));
}

static uint64_t pool_value(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 999;
  OK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

static void pools() {
  cudaMemPool_t standard, own, got;
  int *p, *q;
  OK(cudaDeviceGetDefaultMemPool(&standard, 0));
  OK(cudaDeviceGetMemPool(&got, 0));
  TRUE(got == standard);
  EXPECT(cudaDeviceGetDefaultMemPool(&got, 99), cudaErrorInvalidDevice);
  TRUE(pool_value(standard, cudaMemPoolAttrReleaseThreshold) == 0);
  uint64_t threshold = UINT64_MAX, used = 1;
  OK(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
  TRUE(pool_value(standard, cudaMemPoolAttrReleaseThreshold) == UINT64_MAX);
  INVALID(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &used));

  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  OK(cudaMemPoolCreate(&own, &props));
  INVALID(cudaMemPoolCreate(&own, nullptr));
  OK(cudaMallocFromPoolAsync((void **)&p, 4000, own, 0));
  OK(cudaMallocAsync((void **)&q, 2000, 0));
  TRUE(pool_value(own, cudaMemPoolAttrUsedMemCurrent) >= 4000);
  TRUE(pool_value(standard, cudaMemPoolAttrUsedMemCurrent) >= 2000);
  OK(cudaMemset(p, 0, 4000));
  add_one<<<4, 256>>>(p, 1000);
  int last = 0;
  OK(cudaMemcpy(&last, p + 999, 4, cudaMemcpyDeviceToHost));
  TRUE(last == 1);
  OK(cudaFreeAsync(p, 0));
  OK(cudaStreamSynchronize(0));
  OK(cudaMemPoolTrimTo(own, 0));
  TRUE(pool_value(own, cudaMemPoolAttrUsedMemCurrent) == 0);
  TRUE(pool_value(own, cudaMemPoolAttrUsedMemHigh) >= 4000);

  OK(cudaDeviceSetMemPool(0, own));
  OK(cudaMallocAsync((void **)&p, 4000, 0));
  TRUE(pool_value(own, cudaMemPoolAttrUsedMemCurrent) >= 4000);
  OK(cudaFree(p)); // the pool does not notice
  OK(cudaDeviceSynchronize());
  TRUE(pool_value(own, cudaMemPoolAttrUsedMemCurrent) == 4000);
  OK(cudaMallocAsync((void **)&p, 1000, 0));
  OK(cudaStreamSynchronize(0));
  TRUE(pool_value(own, cudaMemPoolAttrUsedMemCurrent) == 5000);
  OK(cudaFreeAsync(p, 0));
  OK(cudaStreamSynchronize(0));
  TRUE(pool_value(own, cudaMemPoolAttrUsedMemCurrent) == 4000);
  OK(cudaMemPoolDestroy(own));
  OK(cudaDeviceGetMemPool(&got, 0));
  TRUE(got == standard);
  OK(cudaFreeAsync(q, 0));
}

// The device, or the host.
static auto place(int device) {
#if CUDART_VERSION >= 13000
  return cudaMemLocation{device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
                         device};
#else
  return device;
#endif
}

static cudaError_t prefetch(const void *memory, size_t size, int device) {
#if CUDART_VERSION >= 13000
  return cudaMemPrefetchAsync(memory, size, place(device), 0, 0);
#else
  return cudaMemPrefetchAsync(memory, size, device, 0);
#endif
}

static void managed() {
  int *p, *q, value = 7, supported;
  OK(cudaDeviceGetAttribute(&supported, cudaDevAttrManagedMemory, 0));
  if (!supported)
    skip("no managed memory in this process");
  OK(cudaMallocManaged(&p, 0));
  OK(cudaFree(p));
  INVALID(cudaMallocManaged(&p, 4, 99));
  OK(cudaMallocManaged(&p, 4000));
  OK(cudaMalloc(&q, 4000));
  for (int i = 0; i < 1000; i++)
    p[i] = i;
  add_one<<<4, 256>>>(p, 1000);
  OK(cudaDeviceSynchronize());
  TRUE(p[0] == 1 && p[999] == 1000);
  OK(cudaMemcpy(q, p, 4000, cudaMemcpyDeviceToDevice));
  OK(cudaMemset(p, 0, 4000));
  INVALID(cudaMemset(p, 0, 4001));
  OK(cudaDeviceSynchronize());
  TRUE(p[0] == 0 && p[999] == 0);
  OK(cudaMemcpy(p + 1, q + 1, 3996, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(&value, p + 999, 4, cudaMemcpyDeviceToHost));
  TRUE(p[0] == 7 && p[1] == 2 && value == 1000);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, p + 1));
  TRUE(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == p + 1 &&
       attributes.hostPointer == p + 1);
  OK(prefetch(p, 4000, 0));
  OK(prefetch(p + 1, 3996, cudaCpuDeviceId));
  EXPECT(prefetch(p, 4000, 99), cudaErrorInvalidDevice);
  INVALID(prefetch(p, 0, 0));
  INVALID(prefetch(p, size_t(1) << 40, 0));
  INVALID(prefetch(p, 8192, 0));
  INVALID(prefetch(nullptr, 4000, 0));
  OK(cudaMemAdvise(p, 4000, cudaMemAdviseSetReadMostly, place(0)));
  OK(cudaMemAdvise(p, 4000, cudaMemAdviseSetPreferredLocation, place(cudaCpuDeviceId)));
  EXPECT(cudaMemAdvise(p, 4000, cudaMemAdviseSetAccessedBy, place(99)), cudaErrorInvalidValue);
  INVALID(cudaMemAdvise(p, 4000, cudaMemoryAdvise(0), place(0)));
  INVALID(cudaMemAdvise(p, 0, cudaMemAdviseSetReadMostly, place(0)));
  INVALID(cudaMemAdvise(nullptr, 4000, cudaMemAdviseSetReadMostly, place(0)));
  OK(cudaFree(p));
  INVALID(cudaFree(p));
  INVALID(prefetch(q, 4000, 0)); // not managed

  OK(cudaHostAlloc(&p, 40, cudaHostAllocMapped));
  INVALID(cudaHostGetDevicePointer(&q, &value, 0));
  OK(cudaHostGetDevicePointer(&q, p, 0));
  p[9] = 41;
  add_one<<<1, 32>>>(q, 10);
  OK(cudaDeviceSynchronize());
  TRUE(p[9] == 42);
  INVALID(cudaFree(p));
  OK(cudaFreeHost(p));
}

// Stream 0 is the legacy stream, which waits for all blocking streams, or the thread's own stream.
static void default_stream() {
  int *p, value = 0;
  cudaGraph_t graph;
  cudaStream_t blocking;
  cudaStreamCaptureStatus status;
  OK(cudaStreamCreate(&blocking));
  OK(cudaMalloc(&p, 40));
  OK(cudaMemset(p, 0, 40));
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  OK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  OK(cudaStreamIsCapturing(cudaStreamPerThread, &status));
  TRUE(status == cudaStreamCaptureStatusActive);
  add_one<<<1, 32>>>(p, 10);
  OK(cudaMemsetAsync(p, 0, 4));
  OK(cudaStreamEndCapture(0, &graph));
  size_t count = 9;
  OK(cudaGraphGetNodes(graph, nullptr, &count));
  TRUE(count == 2);
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamBeginCapture(0, cudaStreamCaptureModeRelaxed));
  EXPECT(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost), cudaErrorStreamCaptureUnsupported);
  EXPECT(cudaStreamEndCapture(0, &graph), cudaErrorStreamCaptureInvalidated);

  OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal));
  add_one<<<1, 32>>>(p, 10);
  OK(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost));
  TRUE(value == 1);
  OK(cudaStreamEndCapture(blocking, &graph));
  OK(cudaGraphDestroy(graph));
#else
  EXPECT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal));
  EXPECT(cudaStreamIsCapturing(0, &status), cudaErrorStreamCaptureImplicit);
  OK(cudaStreamIsCapturing(blocking, &status));
  TRUE(status == cudaStreamCaptureStatusActive); // a query keeps the capture valid
  EXPECT(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost), cudaErrorStreamCaptureImplicit);
  EXPECT(cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);
#endif
  OK(cudaStreamDestroy(blocking));
}

static void copies() {
  char *p, host[2000], back[2000];
  for (int i = 0; i < 2000; i++)
    host[i] = char(i * 7);
  OK(cudaMalloc(&p, 1000));
  INVALID(cudaMemcpy(host, back, 10, cudaMemcpyHostToDevice));
  INVALID(cudaMemcpy(host, back, 10, cudaMemcpyDeviceToHost));
  INVALID(cudaMemcpy(host, back, 10, cudaMemcpyDeviceToDevice));
  INVALID(cudaMemcpy(host, p, 10, cudaMemcpyHostToDevice));
  INVALID(cudaMemcpy(p, host, 10, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(p, host, 10, cudaMemcpyHostToHost));
  OK(cudaMemcpy(p, p + 10, 10, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(p, p + 10, 10, cudaMemcpyDeviceToHost));
  INVALID(cudaMemcpy(p, host, 1001, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  INVALID(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
  INVALID(cudaMemcpy(p, nullptr, 4, cudaMemcpyHostToDevice));
  EXPECT(cudaMemcpy(p, host, 10, cudaMemcpyKind(7)), cudaErrorInvalidMemcpyDirection);

  OK(cudaMemcpy(p, host, 1000, cudaMemcpyDefault));
  OK(cudaMemcpy(p + 500, p, 400, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(back, p, 1000, cudaMemcpyDefault));
  TRUE(!memcmp(back, host, 500) && !memcmp(back + 500, host, 400) && !memcmp(back + 900, host + 900, 100));

  EXPECT(cudaMemcpy2D(p, 10, host, 20, 20, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT(cudaMemcpy2D(p, 20, host, 10, 20, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  OK(cudaMemcpy2D(p, 600, host, 500, 400, 2, cudaMemcpyHostToDevice));
  INVALID(cudaMemcpy2D(p, 600, host, 500, 401, 2, cudaMemcpyHostToDevice));
  // 90 rows of 3 bytes, 11 apart on the device and 7 apart on the host
  memset(back, 0, sizeof back);
  OK(cudaMemset(p, 0, 1000));
  OK(cudaMemcpy2D(p, 11, host, 5, 3, 90, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2D(back, 7, p, 11, 3, 90, cudaMemcpyDeviceToHost));
  for (int row = 0; row < 90; row++)
    TRUE(!memcmp(back + row * 7, host + row * 5, 3) && back[row * 7 + 3] == 0);

  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMemcpyAsync(p, host + 1, 999, cudaMemcpyHostToDevice, stream));
  OK(cudaMemsetAsync(p, 9, 10, stream));
  OK(cudaMemcpyAsync(back, p, 999, cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamSynchronize(stream));
  TRUE(back[0] == 9 && back[9] == 9 && back[10] == host[11] && back[998] == host[999]);
  OK(cudaStreamDestroy(stream));

  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, make_cudaExtent(10, 4, 3)));
  TRUE(box.pitch == 512 && box.xsize == 10 && box.ysize == 4);
  cudaMemcpy3DParms parms = {};
  parms.srcPtr = make_cudaPitchedPtr(host, 10, 10, 4);
  parms.dstPtr = box;
  parms.extent = make_cudaExtent(10, 4, 3);
  parms.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&parms));
  OK(cudaMemcpy(back, (char *)box.ptr + 6 * box.pitch, 10, cudaMemcpyDeviceToHost));
  TRUE(!memcmp(back, host + 60, 10));
}

static void symbol_calls() {
  float host[4] = {10, 20, 30, 40}, got = 0, *out;
  void *address;
  size_t size;
  OK(cudaMalloc(&out, 4));
  symbols<<<1, 1>>>(out);
  OK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
  TRUE(got == 6);
  OK(cudaMemcpyToSymbol(constants, host, 16));
  int seven = 7, back = 0;
  OK(cudaMemcpyToSymbol(counter, &seven, 4));
  symbols<<<1, 1>>>(out);
  OK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
  TRUE(got == 17);
  OK(cudaMemcpyFromSymbol(&back, counter, 4));
  TRUE(back == 7);
  OK(cudaMemcpyFromSymbol(&got, constants, 4, 8));
  TRUE(got == 30);
  INVALID(cudaMemcpyToSymbol(constants, host, 17));
  INVALID(cudaMemcpyToSymbol(constants, host, 4, 14));
  EXPECT(cudaMemcpyToSymbol(host, host, 4), cudaErrorInvalidSymbol);
  EXPECT(cudaMemcpyToSymbol(constants, host, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  INVALID(cudaMemcpyToSymbol(constants, host, 4, 0, cudaMemcpyDeviceToDevice));
  OK(cudaGetSymbolSize(&size, constants));
  TRUE(size == 16);
  OK(cudaGetSymbolAddress(&address, counter));
  OK(cudaMemcpy(&back, address, 4, cudaMemcpyDeviceToHost));
  TRUE(back == 7);
  INVALID(cudaFree(address));
}

static void launches() {
  int *p, host = 0;
  double *d, sum = 0;
  OK(cudaMalloc(&p, 4096));
  OK(cudaMalloc(&d, 8));
  store<<<1, 1>>>(p, 42);
  LAUNCHED(cudaSuccess);
  OK(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
  TRUE(host == 42);
  mixed<<<1, 1>>>(1, 2.0, 3, Mixed{4, 0.5}, d);
  OK(cudaMemcpy(&sum, d, 8, cudaMemcpyDeviceToHost));
  TRUE(sum == 4321.5);
#if CUDART_VERSION >= 12010
  static Long values;
  values.values[8187] = 5;
  long_parameter<<<1, 1>>>(values, p);
  OK(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
  TRUE(host == 5);
#endif
  fill<<<4, 256>>>(p, 1000, 3);
  fill<<<1, 1>>>(d, 1, 2.5);
  OK(cudaMemcpy(&host, p + 999, 4, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&sum, d, 8, cudaMemcpyDeviceToHost));
  TRUE(host == 3 && sum == 2.5);
}

// The launch itself reports that it is beyond the limits, and cudaGetLastError() clears the error.
static void launches_beyond_limits() {
  int *p;
  OK(cudaMalloc(&p, 4096));
  const dim3 grids[] = {dim3(0), dim3(1, 65536), dim3(1, 1, 65536), dim3(0x80000000u)};
  for (dim3 grid : grids) {
    store<<<grid, 1>>>(p, 0);
    LAUNCHED(cudaErrorInvalidValue);
  }
  const dim3 blocks[] = {dim3(0), dim3(1025), dim3(1, 1025), dim3(1, 1, 65), dim3(32, 33)};
  for (dim3 block : blocks) {
    store<<<1, block>>>(p, 0);
    LAUNCHED(cudaErrorInvalidValue);
  }
  bounded<<<1, 64>>>(p);
  LAUNCHED(cudaSuccess);
  bounded<<<1, 65>>>(p);
  LAUNCHED(cudaErrorInvalidValue);
}

static void dynamic_shared_launches() {
  int *p, host = 0;
  OK(cudaMalloc(&p, 4096));
  dynamic_shared<<<1, 32, 48 << 10>>>(p);
  LAUNCHED(cudaSuccess);
  dynamic_shared<<<1, 32, (48 << 10) + 1>>>(p);
  LAUNCHED(cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  dynamic_shared<<<1, 1024, 200 << 10>>>(p);
  LAUNCHED(cudaSuccess);
  OK(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
  TRUE(host == 1023);
  dynamic_shared<<<1, 32, (200 << 10) + 4>>>(p);
  LAUNCHED(cudaErrorInvalidValue);
  INVALID(cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10));
  INVALID(cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  INVALID(cudaFuncSetAttribute(static_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
  unsigned at[2];
  aligned_shared<<<1, 10, 4096>>>((unsigned *)p);
  LAUNCHED(cudaSuccess);
  OK(cudaMemcpy(at, p, sizeof at, cudaMemcpyDeviceToHost));
  TRUE(at[0] == 0 && at[1] == 10);
  OK(cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  INVALID(cudaFuncSetAttribute(dynamic_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
}

static void explicit_launches() {
  int *p, host = 0, value = 8;
  OK(cudaMalloc(&p, 4096));
  void *arguments[] = {&p, &value};
  OK(cudaLaunchKernel((const void *)store, 1, 1, arguments, 0, 0));
  OK(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
  TRUE(host == 8);
  EXPECT(cudaLaunchKernel(nullptr, 1, 1, arguments, 0, 0), cudaErrorInvalidDeviceFunction);
  INVALID(cudaLaunchKernel((const void *)store, 0, 1, arguments, 0, 0));
  INVALID(cudaLaunchKernel((const void *)store, 1, 1, nullptr, 0, 0));
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = 1;
  OK(cudaLaunchKernelEx(&config, store, p, 9));
  OK(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost));
  TRUE(host == 9);
  OK(cudaDeviceSynchronize());
}

static void cooperative() {
  int supported;
  OK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  if (!supported)
    return;
  unsigned *count, *seen, host[8];
  OK(cudaMalloc(&count, 4));
  OK(cudaMemset(count, 0, 4));
  OK(cudaMalloc(&seen, sizeof host));
  void *arguments[] = {&count, &seen};
  OK(cudaLaunchCooperativeKernel((const void *)arrive, 8, 64, arguments, 0, 0));
  OK(cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost));
  for (unsigned arrived : host)
    TRUE(arrived == 8);
  EXPECT(cudaLaunchCooperativeKernel((const void *)arrive, 100000, 1024, arguments, 0, 0),
         cudaErrorCooperativeLaunchTooLarge);
}

// More values per thread than registers.
__device__ void mix(float *all) {
  enum { VALUES = 280 };
  float value[VALUES];
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    value[i] = all[i];
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    value[i] = value[i] * value[(i + 7) % VALUES] + value[(i * 5 + 1) % VALUES];
#pragma unroll
  for (int i = 0; i < VALUES; i++)
    all[i] = value[i];
}
__global__ void needs_all_registers(float *all) { mix(all); }
__global__ void __launch_bounds__(1024) needs_few_registers(float *all) { mix(all); }

static void registers() {
  cudaFuncAttributes attributes;
  float *all;
  int blocks;
  OK(cudaMalloc(&all, 4096));
  OK(cudaMemset(all, 0, 4096));
  void *arguments[] = {&all};
  OK(cudaFuncGetAttributes(&attributes, needs_all_registers));
  TRUE(attributes.numRegs > 248 && attributes.maxThreadsPerBlock == 256);
  needs_all_registers<<<1, 1024>>>(all);
  TRUE(cudaGetLastError() == cudaErrorLaunchOutOfResources);
  needs_all_registers<<<1, 256>>>(all);
  OK(cudaDeviceSynchronize());
  OK(cudaFuncGetAttributes(&attributes, needs_few_registers));
  TRUE(attributes.numRegs == 64 && attributes.maxThreadsPerBlock == 1024 && attributes.localSizeBytes > 0);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, needs_few_registers, 1024, 0));
  TRUE(blocks == 1);
  OK(cudaLaunchCooperativeKernel((const void *)needs_few_registers, 1, 1024, arguments, 0, 0));
  OK(cudaDeviceSynchronize());
  OK(cudaFree(all));
}

static void functions() {
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, static_shared));
  /* an H200 rounds it up to the alignment of the module's dynamic arrays, which is 1024 here */
  TRUE(attributes.sharedSizeBytes == 40000 || attributes.sharedSizeBytes == 40960);
  TRUE((size_t)attributes.maxDynamicSharedSizeBytes == 49152 - attributes.sharedSizeBytes);
  TRUE(attributes.maxThreadsPerBlock == 1024 && attributes.preferredShmemCarveout == -1);
  OK(cudaFuncGetAttributes(&attributes, bounded));
  TRUE(attributes.maxThreadsPerBlock == 64);
  EXPECT(cudaFuncGetAttributes(&attributes, (const void *)nullptr), cudaErrorInvalidDeviceFunction);
  const char *name;
  OK(cudaFuncGetName(&name, (const void *)store));
  TRUE(!strcmp(name, "_Z5storePii"));
  size_t offset, size;
  OK(cudaFuncGetParamInfo((const void *)store, 1, &offset, &size));
  TRUE(offset == 8 && size == 4);
  INVALID(cudaFuncGetParamInfo((const void *)store, 2, &offset, &size));

  int blocks, grid, block;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 256, 0));
  TRUE(blocks == 8);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 1, 0));
  TRUE(blocks == 32);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_shared, 256, 0));
  TRUE(blocks == 5);
  INVALID(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 0, 0));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 2000, 0));
  TRUE(blocks == 0);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic_shared, 32, 1 << 20));
  TRUE(blocks == 0);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic_shared, 32, 100 << 10));
  TRUE(blocks == 0); // the default limit is 48 KiB
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&size, store, 2, 256));
  TRUE(size == 49152);
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store));
  TRUE(block == 1024 && grid == 2 * properties.multiProcessorCount);
}

static void shared_events() {
  cudaEvent_t event;
  INVALID(cudaEventCreateWithFlags(&event, cudaEventInterprocess)); // needs an event without time
  OK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  OK(cudaEventRecord(event));
  OK(cudaEventSynchronize(event));
  OK(cudaEventDestroy(event));
}

static void events() {
  cudaEvent_t start, end, untimed;
  float milliseconds = -1;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&end));
  OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  EXPECT(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  OK(cudaEventQuery(start));
  OK(cudaEventRecord(start));
  int *p;
  OK(cudaMalloc(&p, 1 << 20));
  fill<<<1024, 256>>>(p, 1 << 18, 1);
  OK(cudaEventRecord(end));
  OK(cudaEventSynchronize(end));
  OK(cudaEventElapsedTime(&milliseconds, start, end));
  TRUE(milliseconds > 0 && milliseconds < 1000);
  OK(cudaEventElapsedTime(&milliseconds, end, end));
  TRUE(milliseconds == 0);
  OK(cudaEventRecord(untimed));
  OK(cudaEventSynchronize(untimed));
  EXPECT(cudaEventElapsedTime(&milliseconds, start, untimed), cudaErrorInvalidResourceHandle);
  INVALID(cudaEventElapsedTime(nullptr, start, end));
  OK(cudaEventDestroy(start));
  INVALID(cudaEventCreate(nullptr));
  INVALID(cudaEventCreateWithFlags(&start, 99));
  EXPECT(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);

  cudaStream_t stream;
  int least, greatest, priority;
  unsigned flags;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaStreamGetFlags(stream, &flags));
  TRUE(flags == cudaStreamNonBlocking);
  OK(cudaStreamWaitEvent(stream, end, 0));
  EXPECT(cudaStreamWaitEvent(stream, nullptr, 0), cudaErrorInvalidResourceHandle);
  OK(cudaStreamQuery(stream));
  OK(cudaStreamDestroy(stream));
  EXPECT(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT(cudaStreamDestroy(cudaStreamLegacy), cudaErrorInvalidResourceHandle);
  INVALID(cudaStreamCreate(nullptr));
  INVALID(cudaStreamCreateWithFlags(&stream, 77));
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  OK(cudaStreamCreateWithPriority(&stream, 0, greatest - 10));
  OK(cudaStreamGetPriority(stream, &priority));
  TRUE(priority == greatest);
  OK(cudaStreamSynchronize(cudaStreamLegacy));
  OK(cudaStreamSynchronize(cudaStreamPerThread));
  int ran = 0;
  OK(cudaLaunchHostFunc(
      stream, [](void *data) { *(int *)data = 1; }, &ran));
  OK(cudaStreamSynchronize(stream));
  TRUE(ran == 1);
  INVALID(cudaLaunchHostFunc(stream, nullptr, nullptr));
  OK(cudaStreamDestroy(stream));
  OK(cudaEventDestroy(end));
  OK(cudaEventDestroy(untimed));
}

static int *device_memory;
static cudaEvent_t recorded;

static void calls_in_host_function(void *count) {
  int value = 0;
  void *memory;
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  cudaGetLastError(); // of this thread, which may have called the function before
  ++*static_cast<int *>(count);
  OK(cudaGetDeviceCount(&value));
  OK(cudaRuntimeGetVersion(&value));
  OK(cudaGetDeviceProperties(&properties, 0));
  OK(cudaEventQuery(recorded));
  OK(cudaEventSynchronize(recorded));
  const cudaError_t refused = cudaErrorNotPermitted;
  EXPECT(cudaGetDevice(&value), refused);
  EXPECT(cudaSetDevice(0), refused);
  EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0), refused);
  EXPECT(cudaMalloc(&memory, 16), refused);
  EXPECT(cudaFree(memory), refused);
  EXPECT(cudaMallocHost(&memory, 16), refused);
  EXPECT(cudaMemcpy(device_memory, &value, sizeof value, cudaMemcpyHostToDevice), refused);
  EXPECT(cudaMemcpyAsync(device_memory, &value, sizeof value, cudaMemcpyHostToDevice), refused);
  EXPECT(cudaMemset(device_memory, 0, 4), refused);
  EXPECT(cudaStreamQuery(nullptr), refused);
  EXPECT(cudaStreamSynchronize(nullptr), refused);
  EXPECT(cudaDeviceSynchronize(), refused);
  EXPECT(cudaEventRecord(recorded), refused);
  EXPECT(cudaFuncGetAttributes(&attributes, store), refused);
  EXPECT(cudaLaunchHostFunc(nullptr, calls_in_host_function, count), refused);
  store<<<1, 1>>>(device_memory, 1);
  LAUNCHED(refused);
  cudaDeviceSynchronize(); // the last error of this thread, which may be the program's own
}

static void calls_in_callback(cudaStream_t, cudaError_t, void *count) { calls_in_host_function(count); }

static void host_functions() {
  int count = 0;
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t executable;
  const cudaHostNodeParams host = {calls_in_host_function, &count};
  OK(cudaMalloc(&device_memory, sizeof *device_memory));
  OK(cudaEventCreate(&recorded));
  OK(cudaEventRecord(recorded));
  OK(cudaDeviceSynchronize());
  OK(cudaLaunchHostFunc(nullptr, calls_in_host_function, &count));
  OK(cudaDeviceSynchronize());
  OK(cudaStreamAddCallback(nullptr, calls_in_callback, &count, 0));
  OK(cudaDeviceSynchronize());
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host));
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, nullptr));
  OK(cudaDeviceSynchronize());
  TRUE(count == 3);
}

static void limits() {
  size_t bytes = 0;
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10));
  for (const size_t most : {size_t(512) << 10, size_t(1) << 30, size_t(1) << 40})
    INVALID(cudaDeviceSetLimit(cudaLimitStackSize, most));
  OK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
  TRUE(bytes == 256 << 10);
}

static void devices() {
  int count = 0, value;
  OK(cudaGetDeviceCount(&count));
  TRUE(count >= 1);
  EXPECT(cudaSetDevice(99), cudaErrorInvalidDevice);
  EXPECT(cudaSetDevice(-1), cudaErrorInvalidDevice);
  OK(cudaSetDevice(0));
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(cudaGetDeviceProperties(&properties, 99), cudaErrorInvalidDevice);
  TRUE(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 && properties.name[0]);
  TRUE(properties.sharedMemPerBlock == 49152 && properties.regsPerBlock == 65536);
  TRUE(properties.maxGridSize[0] == 0x7fffffff && properties.maxGridSize[1] == 65535);
  TRUE(properties.maxTexture2DLinear[1] == 65000 && properties.maxTexture2DGather[0] == 32768);
  TRUE(properties.maxSurface2DLayered[2] == 2048 && properties.hostRegisterSupported);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  TRUE(value == properties.multiProcessorCount && value > 0);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, 0));
  TRUE(value > 0);
  INVALID(cudaDeviceGetAttribute(&value, cudaDeviceAttr(0), 0));
  INVALID(cudaDeviceGetAttribute(&value, cudaDeviceAttr(1000), 0));
  EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99), cudaErrorInvalidDevice);
  OK(cudaRuntimeGetVersion(&value));
  TRUE(value == CUDART_VERSION);
  OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  INVALID(cudaDeviceSetLimit(cudaLimit(50), 1));
  int *p;
  OK(cudaMalloc(&p, 4));
  store<<<1, 1>>>(p, 1);
  OK(cudaDeviceReset());
  OK(cudaMalloc(&p, 4));
  store<<<1, 1>>>(p, 1);
  OK(cudaDeviceSynchronize());
}

// The result of every call after a kernel has ended with `fault`.
static void after_fault(cudaError_t fault) {
  int *p, host, value;
  cudaEvent_t event;
  cudaDeviceProp properties;
  LAUNCHED(cudaSuccess);
  EXPECT(cudaDeviceSynchronize(), fault);
  compare(cudaGetLastError(), cudaSuccess, "last error, read twice", __LINE__);
  EXPECT(cudaDeviceSynchronize(), fault);
  EXPECT(cudaMalloc(&p, 10), fault);
  EXPECT(cudaFree(nullptr), fault);
  EXPECT(cudaEventCreate(&event), fault);
  EXPECT(cudaStreamQuery(nullptr), fault);
  EXPECT(cudaMemcpy(&host, &value, 4, cudaMemcpyHostToHost), fault);
  store<<<1, 1>>>(nullptr, 0);
  LAUNCHED(fault);
  store<<<0, 1>>>(nullptr, 0);
  LAUNCHED(fault);
  OK(cudaGetDeviceCount(&value));
  OK(cudaSetDevice(0));
  EXPECT(cudaSetDevice(99), cudaErrorInvalidDevice);
  OK(cudaGetDeviceProperties(&properties, 0));
  compare(cudaDeviceReset(), cudaSuccess, "reset after a fault", __LINE__);
  cudaGetLastError();
  EXPECT(cudaMalloc(&p, 10), cudaErrorDevicesUnavailable);
}

static void illegal_address() {
  OK(cudaFree(nullptr));
  store<<<1, 1>>>(nullptr, 1);
  after_fault(cudaErrorIllegalAddress);
}

static void misaligned_address() {
  char *p;
  OK(cudaMalloc(&p, 8));
  store<<<1, 1>>>((int *)(p + 1), 1);
  after_fault(cudaErrorMisalignedAddress);
}

static void trapped() {
  OK(cudaFree(nullptr));
  trap<<<1, 1>>>();
  after_fault(cudaErrorLaunchFailure);
}

static void fault_reported_by_copy() {
  int *p, host;
  OK(cudaMalloc(&p, 4));
  store<<<1, 1>>>(nullptr, 1);
  EXPECT(cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
}

static void fault_reported_by_free() {
  int *p;
  OK(cudaMalloc(&p, 4));
  store<<<1, 1>>>(nullptr, 1);
  EXPECT(cudaFree(p), cudaErrorIllegalAddress);
}

static void fork_child() {
  int *p, count, status;
  OK(cudaMalloc(&p, 4));
  fflush(stdout);
  if (fork() == 0) {
    EXPECT(cudaMalloc(&p, 4), cudaErrorInitializationError);
    EXPECT(cudaDeviceSynchronize(), cudaErrorInitializationError);
    OK(cudaGetDeviceCount(&count));
    exit(differences != 0);
  }
  wait(&status);
  differences += status != 0;
  OK(cudaFree(p));
}

int main() {
  return run_parts({{"memory", memory},
                    {"stream attributes", stream_attributes},
                    {"registered memory", registered},
                    {"pools", pools},
                    {"managed", managed},
                    {"default stream", default_stream},
                    {"copies", copies},
                    {"symbols", symbol_calls},
                    {"launches", launches},
                    {"launches beyond the limits", launches_beyond_limits},
                    {"dynamic shared memory", dynamic_shared_launches},
                    {"explicit launches", explicit_launches},
                    {"cooperative", cooperative},
                    {"registers", registers},
                    {"functions", functions},
                    {"events", events},
                    {"events for other processes", shared_events},
                    {"host functions", host_functions},
                    {"limits", limits},
                    {"devices", devices},
                    {"illegal address", illegal_address},
                    {"misaligned address", misaligned_address},
                    {"trap", trapped},
                    {"fault reported by a copy", fault_reported_by_copy},
                    {"fault reported by a free", fault_reported_by_free},
                    {"fork", fork_child}});
}
