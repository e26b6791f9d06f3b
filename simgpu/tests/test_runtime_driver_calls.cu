// The driver API: streams, contexts, kernels of libraries, graphs, managed variables and
// memory, beside test_runtime_driver.
#include "driver_semantics.h"

#include <cstring>
#include <string>
#include <vector>

static const char ptx[] = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .global .attribute(.managed) .align 4 .u32 counter = 5;
.visible .global .align 4 .u32 plain = 3;
.visible .entry add(.param .u64 p, .param .u32 step) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [step];
  ld.global.u32 %r2, [%rd1];
  add.u32 %r2, %r2, %r1;
  st.global.u32 [%rd1], %r2;
  ret;
}
.func helper() { ret; }
.visible .entry count() {
  .reg .b32 %r<2>;
  ld.global.u32 %r1, [counter];
  add.u32 %r1, %r1, 1;
  st.global.u32 [counter], %r1;
  ret;
}
)";

static CUcontext start() {
  CUcontext context;
  GOOD(cuInit(0));
#if CUDA_VERSION >= 13000
  GOOD(cuCtxCreate(&context, nullptr, CU_CTX_SCHED_YIELD, 0));
#else
  GOOD(cuCtxCreate(&context, CU_CTX_SCHED_YIELD, 0));
#endif
  return context;
}

static void contexts() {
  CUcontext own = start(), primary, current;
  CUdevice device;
  unsigned flags;
  int is_active;
  unsigned long long first, second;
  GOOD(cuCtxGetFlags(&flags));
  TRUE((flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_YIELD);
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
  TRUE(!is_active);
  GOOD(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
  GOOD(cuDevicePrimaryCtxRetain(&primary, 0));
  TRUE(primary != own);
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
  TRUE(is_active && (flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_SPIN);
  GOOD(cuCtxGetId(own, &first));
  GOOD(cuCtxGetId(primary, &second));
  TRUE(first != second);
  GOOD(cuCtxPushCurrent(primary));
  GOOD(cuCtxGetCurrent(&current));
  TRUE(current == primary);
  GOOD(cuCtxPopCurrent(&current));
  TRUE(current == primary);
  GOOD(cuCtxGetDevice(&device));
  TRUE(device == 0);
  GOOD(cuCtxDestroy(own));
  GIVES(cuCtxPushCurrent(own), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  GIVES(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
  GOOD(cuDevicePrimaryCtxRelease(0));
  GIVES(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
  GOOD(cuCtxGetCurrent(&current));
  TRUE(current == nullptr);
  OK(cudaSetDevice(0)); // makes the primary context current
  GOOD(cuCtxGetCurrent(&current));
  TRUE(current == primary);
}

static void streams() {
  start();
  CUstream stream, other;
  CUstreamAttrValue value = {}, got = {};
  CUdeviceptr memory;
  unsigned long long first, second;
  unsigned host[2] = {};
  GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  GOOD(cuStreamCreate(&other, CU_STREAM_DEFAULT));
  GOOD(cuStreamGetId(stream, &first));
  GOOD(cuStreamGetId(other, &second));
  TRUE(first != second);
  value.syncPolicy = CU_SYNC_POLICY_YIELD;
  GOOD(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  GOOD(cuStreamCopyAttributes(other, stream));
  GOOD(cuStreamGetAttribute(other, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &got));
  TRUE(got.syncPolicy == CU_SYNC_POLICY_YIELD);
  GOOD(cuMemAlloc(&memory, 8));
  GOOD(cuMemsetD32(memory, 0, 2));
  GOOD(cuStreamWriteValue32(stream, memory + 4, 7, 0));
  GOOD(cuStreamWaitValue32(stream, memory + 4, 7, CU_STREAM_WAIT_VALUE_EQ));
  GOOD(cuStreamWaitValue32(stream, memory + 4, 0xffffff07u,
                           CU_STREAM_WAIT_VALUE_GEQ)); // 7 is behind it, cyclically
  GOOD(cuStreamWaitValue32(stream, memory + 4, 4, CU_STREAM_WAIT_VALUE_AND));
  GOOD(cuStreamWaitValue32(stream, memory + 4, 8, CU_STREAM_WAIT_VALUE_NOR));
  GOOD(cuMemcpyDtoH(host, memory, 8));
  TRUE(host[0] == 0 && host[1] == 7);
  BAD(cuStreamWriteValue64(stream, memory + 4, 1, 0));
  GOOD(cuStreamWriteValue64(stream, memory, 0x100000002ull, 0));
  GOOD(cuStreamWaitValue64(stream, memory, 0x100000001ull, CU_STREAM_WAIT_VALUE_GEQ));
  CUstreamBatchMemOpParams both[2] = {};
  both[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  both[0].writeValue.address = memory;
  both[0].writeValue.value = 9;
  both[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  both[1].waitValue.address = memory;
  both[1].waitValue.value = 9;
  both[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  GOOD(cuStreamBatchMemOp(stream, 2, both, 0));
  GOOD(cuMemcpyDtoH(host, memory, 8));
  TRUE(host[0] == 9 && host[1] == 1);
  GOOD(cuMemFree(memory));
}

static void kernels() {
  start();
  CUlibrary library, of_kernel;
  CUmodule module, of_function;
  CUkernel all[3] = {}, add;
  CUfunction functions[2] = {}, function;
  unsigned count = 0;
  int threads = 0;
  size_t offset = 0, size = 0;
  const char *name = nullptr;
  CUfunctionLoadingState state;
  GOOD(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  GOOD(cuLibraryGetKernelCount(&count, library));
  TRUE(count == 2); // a function is no kernel
  GOOD(cuLibraryEnumerateKernels(all, 3, library));
  TRUE(all[0] && all[1] && !all[2]);
  GOOD(cuLibraryGetKernel(&add, library, "add"));
  TRUE(all[0] == add || all[1] == add);
  GOOD(cuKernelGetName(&name, add));
  TRUE(std::string(name) == "add");
  GOOD(cuKernelGetLibrary(&of_kernel, add));
  TRUE(of_kernel == library);
  GOOD(cuKernelGetParamInfo(add, 1, &offset, &size));
  TRUE(offset == 8 && size == 4);
  BAD(cuKernelGetParamInfo(add, 2, &offset, &size));
  GOOD(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add, 0));
  TRUE(threads == 1024);
  GIVES(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add, 99),
        CUDA_ERROR_INVALID_DEVICE);
  GOOD(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 65536, add, 0));
  GOOD(cuKernelGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, add, 0));
  TRUE(threads == 65536);
  GOOD(cuModuleLoadData(&module, ptx));
  GOOD(cuModuleGetFunctionCount(&count, module));
  TRUE(count == 2);
  GOOD(cuModuleEnumerateFunctions(functions, 1, module));
  TRUE(functions[0] && !functions[1]);
  GOOD(cuModuleGetFunction(&function, module, "add"));
  GOOD(cuFuncGetModule(&of_function, function));
  TRUE(of_function == module);
  GOOD(cuFuncIsLoaded(&state, function));
  TRUE(state == CU_FUNCTION_LOADING_STATE_LOADED);
  int blocks = 0, block = 0;
  GOOD(cuOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &block, function, nullptr, 0, 0, 0));
  TRUE(block == 1024 && blocks > 0);
}

// A module that the program loads itself has managed variables, too.
static void managed_variables() {
  start();
  CUmodule module;
  CUfunction count;
  CUdeviceptr address;
  CUlibrary library;
  unsigned is_managed = 0;
  size_t size = 0;
  int can = 0;
  GOOD(cuDeviceGetAttribute(&can, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 0));
  GOOD(cuModuleLoadData(&module, ptx));
  GOOD(cuModuleGetGlobal(&address, &size, module, "counter"));
  TRUE(size == 4);
  GOOD(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
  TRUE(can && is_managed);
  volatile unsigned *const counter = (unsigned *)address;
  TRUE(*counter == 5);
  *counter = 10;
  GOOD(cuModuleGetFunction(&count, module, "count"));
  GOOD(cuLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  GOOD(cuCtxSynchronize());
  TRUE(*counter == 11);
  GOOD(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  GOOD(cuLibraryGetManaged(&address, &size, library, "counter"));
  TRUE(address != (CUdeviceptr)counter && *(unsigned *)address == 5);
  GIVES(cuLibraryGetManaged(&address, &size, library, "plain"), CUDA_ERROR_NOT_FOUND);
}

static void graphs() {
  start();
  CUmodule module;
  CUfunction add;
  CUdeviceptr memory;
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode fill, kernel, copy, dependencies[2];
  unsigned host[2] = {}, step = 4, is_enabled = 0;
  GOOD(cuModuleLoadData(&module, ptx));
  GOOD(cuModuleGetFunction(&add, module, "add"));
  GOOD(cuMemAlloc(&memory, 8));
  GOOD(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fills = {memory, 8, 3, 4, 2, 1}, got = {};
  GOOD(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &fills, nullptr));
  GOOD(cuGraphMemsetNodeGetParams(fill, &got));
  TRUE(got.dst == memory && got.value == 3 && got.elementSize == 4 && got.width == 2);
  void *arguments[] = {&memory, &step};
#if CUDA_VERSION >= 13000
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_KERNEL;
  params.kernel.func = add;
  params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
  params.kernel.blockDimX = params.kernel.blockDimY = params.kernel.blockDimZ = 1;
  params.kernel.kernelParams = arguments;
  GOOD(cuGraphAddNode(&kernel, graph, &fill, nullptr, 1, &params));
  size_t count = 2;
  GOOD(cuGraphNodeGetDependencies(kernel, dependencies, nullptr, &count));
  TRUE(count == 1 && dependencies[0] == fill);
#else
  CUDA_KERNEL_NODE_PARAMS launch = {add, 1, 1, 1, 1, 1, 1, 0, arguments};
  GOOD(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
  (void)dependencies;
#endif
  CUDA_KERNEL_NODE_PARAMS back = {};
  GOOD(cuGraphKernelNodeGetParams(kernel, &back));
  TRUE(back.gridDimX == 1 && *(unsigned *)back.kernelParams[1] == 4);
  CUDA_MEMCPY3D box = {};
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = memory;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = host;
  box.WidthInBytes = 4;
  box.Height = box.Depth = 1;
  GOOD(cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &box, nullptr));
  GOOD(cuGraphInstantiate(&exec, graph, 0));
  GOOD(cuGraphLaunch(exec, nullptr));
  GOOD(cuCtxSynchronize());
  TRUE(host[0] == 7 && host[1] == 0);
  box.WidthInBytes = 8;
  GOOD(cuGraphExecMemcpyNodeSetParams(exec, copy, &box, nullptr));
  GOOD(cuGraphNodeSetEnabled(exec, kernel, 0));
  GOOD(cuGraphNodeGetEnabled(exec, kernel, &is_enabled));
  TRUE(!is_enabled);
  GOOD(cuGraphLaunch(exec, nullptr));
  GOOD(cuCtxSynchronize());
  TRUE(host[0] == 3 && host[1] == 3);
  GOOD(cuGraphExecDestroy(exec));
  GOOD(cuGraphDestroy(graph));
}

// What a program says about managed memory, page by page.
static void advice() {
  start();
  enum { PAGE = 4096, PAGES = 4 };
  CUdeviceptr p;
  int value, users[3];
  GOOD(cuMemAllocManaged(&p, PAGES * PAGE, CU_MEM_ATTACH_GLOBAL));
#define ASK(attribute, from, bytes)                                                                          \
  (value = 77,                                                                                               \
   GOOD(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_##attribute, p + (from), bytes)), value)
  TRUE(ASK(READ_MOSTLY, 0, PAGES * PAGE) == 0);
  TRUE(ASK(PREFERRED_LOCATION, 0, 1) == CU_DEVICE_INVALID);
  TRUE(ASK(LAST_PREFETCH_LOCATION, 0, 1) == CU_DEVICE_INVALID);
#if CUDA_VERSION >= 13000
  const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  GOOD(cuMemPrefetchAsync(p, 2 * PAGE, device, 0, nullptr));
#else
  const CUdevice device = 0, host = CU_DEVICE_CPU;
  GOOD(cuMemPrefetchAsync(p, 2 * PAGE, device, nullptr));
#endif
  TRUE(ASK(LAST_PREFETCH_LOCATION, 0, 2 * PAGE) == 0);
  TRUE(ASK(LAST_PREFETCH_LOCATION, PAGE, PAGE + 1) == CU_DEVICE_INVALID); // one of two pages
  GOOD(cuMemAdvise(p + PAGE, 2 * PAGE, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
  TRUE(ASK(READ_MOSTLY, PAGE, 2 * PAGE) == 1);
  TRUE(ASK(READ_MOSTLY, 0, 2 * PAGE) == 0);
  GOOD(cuMemAdvise(p + PAGE, PAGE, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device));
  TRUE(ASK(READ_MOSTLY, 2 * PAGE, PAGE) == 1);
  TRUE(ASK(READ_MOSTLY, PAGE, PAGE) == 0);
  GOOD(cuMemAdvise(p, PAGES * PAGE, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  TRUE(ASK(PREFERRED_LOCATION, 0, PAGES * PAGE) == CU_DEVICE_CPU);
  GOOD(cuMemAdvise(p, PAGES * PAGE, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
  GOOD(cuMemAdvise(p, PAGE, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
  GOOD(cuMemRangeGetAttribute(users, sizeof users, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, p, PAGE));
  TRUE(users[0] == 0 && users[1] == CU_DEVICE_CPU && users[2] == CU_DEVICE_INVALID);
  GOOD(cuMemRangeGetAttribute(users, sizeof users, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, p, 2 * PAGE));
  TRUE(users[0] == 0 && users[1] == CU_DEVICE_INVALID);
  BAD(cuMemRangeGetAttribute(&value, 3, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, PAGE));
  BAD(cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, PAGES * PAGE + 1));
  GOOD(cuMemFree(p));
}

// The preferences of the cache, and of the size of banks, which has not been a choice for long.
static void preferences() {
  start();
  CUfunc_cache cache;
  GOOD(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED));
  GOOD(cuCtxGetCacheConfig(&cache));
  TRUE(cache == CU_FUNC_CACHE_PREFER_SHARED);
  BAD(cuCtxSetCacheConfig((CUfunc_cache)9));
}

static void pointers() {
  start();
  CUdeviceptr memory, base = 0;
  size_t size = 0;
  int ordinal = 9, local = 0;
  CUcontext context = nullptr;
  GOOD(cuMemAlloc(&memory, 1000));
  CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_CONTEXT};
  void *values[] = {&base, &size, &ordinal, &context};
  GOOD(cuPointerGetAttributes(4, names, values, memory + 10));
  TRUE(base == memory && size == 1000 && ordinal == 0 && context);
  GOOD(cuPointerGetAttributes(4, names, values, (CUdeviceptr)&local)); // no memory of CUDA's
  TRUE(base == 0 && size == 0 && ordinal == 0 && !context);
  BAD(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)&local));
}

static void arrays() {
  start();
  CUarray from, to;
  CUdeviceptr memory;
  CUDA_ARRAY_DESCRIPTOR is = {8, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1};
  unsigned host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
  GOOD(cuArrayCreate(&from, &is));
  GOOD(cuArrayCreate(&to, &is));
  GOOD(cuMemAlloc(&memory, sizeof host));
  GOOD(cuMemcpyHtoA(from, 0, host, sizeof host));
  GOOD(cuMemcpyAtoA(to, 16, from, 0, 16));
  GOOD(cuMemcpyAtoD(memory, to, 16, 8));
  GOOD(cuMemcpyDtoA(to, 0, memory, 8));
  GOOD(cuMemcpyAtoH(back, to, 0, sizeof back));
  TRUE(back[0] == 1 && back[1] == 2 && back[4] == 1 && back[7] == 4);
  GIVES(cuMemcpyAtoH(back, to, 4, sizeof back), CUDA_ERROR_INVALID_VALUE);
  CUDA_ARRAY_SPARSE_PROPERTIES sparse;
  CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
  BAD(cuArrayGetSparseProperties(&sparse, from));
  BAD(cuArrayGetMemoryRequirements(&needs, from, 0));
  CUDA_RESOURCE_DESC resource = {}, got = {};
  CUDA_TEXTURE_DESC reads = {}, read = {};
  CUtexObject texture;
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT16;
  resource.res.linear.numChannels = 2;
  resource.res.linear.sizeInBytes = sizeof host;
  reads.flags = CU_TRSF_READ_AS_INTEGER;
  GOOD(cuTexObjectCreate(&texture, &resource, &reads, nullptr));
  GOOD(cuTexObjectGetResourceDesc(&got, texture));
  TRUE(got.res.linear.devPtr == memory && got.res.linear.format == CU_AD_FORMAT_UNSIGNED_INT16 &&
       got.res.linear.numChannels == 2 && got.res.linear.sizeInBytes == sizeof host);
  GOOD(cuTexObjectGetTextureDesc(&read, texture));
  TRUE(read.flags == CU_TRSF_READ_AS_INTEGER);
}

int main() {
  return run_parts({{"contexts", contexts},
                    {"streams", streams},
                    {"kernels", kernels},
                    {"managed variables", managed_variables},
                    {"graphs", graphs},
                    {"advice", advice},
                    {"preferences", preferences},
                    {"pointers", pointers},
                    {"arrays", arrays}});
}
