// The driver API beside the runtime: a module from PTX text, its kernels and variables, memory, streams, errors.
#include "driver_semantics.h"

#include <cstring>
#include <vector>

static const char ptx[] = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 offset = 10;
.visible .entry add(.param .u64 p, .param .u32 n, .param .u32 step) {
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  ld.param.u32 %r2, [step];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r6, %r1;
  @%p1 bra done;
  mul.wide.u32 %rd2, %r6, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r7, [%rd3];
  add.u32 %r7, %r7, %r2;
  ld.global.u32 %r8, [offset];
  add.u32 %r7, %r7, %r8;
  st.global.u32 [%rd3], %r7;
done:
  ret;
}
)";

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

static CUcontext start() {
  CUdevice device;
  CUcontext context, current;
  int count, major;
  char name[100];
  size_t bytes;
  GOOD(cuInit(0));
  GOOD(cuDeviceGetCount(&count));
  TRUE(count >= 1);
  GIVES(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
  GOOD(cuDeviceGet(&device, 0));
  GOOD(cuDeviceGetName(name, sizeof name, device));
  GOOD(cuDeviceTotalMem(&bytes, device));
  GOOD(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  TRUE(strlen(name) > 0 && bytes > 0 && major >= 7);
#if CUDA_VERSION >= 13000
  GOOD(cuCtxCreate(&context, nullptr, 0, device));
#else
  GOOD(cuCtxCreate(&context, 0, device));
#endif
  GOOD(cuCtxGetCurrent(&current));
  TRUE(current == context);
  return context;
}

static void module() {
  enum { COUNT = 1000 };
  const CUcontext context = start();
  CUmodule loaded;
  CUfunction add, again;
  CUdeviceptr memory, variable;
  CUstream stream;
  size_t size;
  std::vector<char> text(ptx, ptx + sizeof ptx);
  GOOD(cuModuleLoadData(&loaded, text.data()));
  text.assign(text.size(), 'x'); // the module has its own copy
  GOOD(cuModuleGetFunction(&add, loaded, "add"));
  GOOD(cuModuleGetFunction(&again, loaded, "add"));
  TRUE(add == again);
  GIVES(cuModuleGetFunction(&again, loaded, "sub"), CUDA_ERROR_NOT_FOUND);
  TRUE(again == nullptr);
  GIVES(cuModuleGetGlobal(&variable, &size, loaded, "no"), CUDA_ERROR_NOT_FOUND);
  TRUE(variable == 0 && size == 0);
  GIVES(cuModuleGetGlobal(nullptr, nullptr, loaded, "offset"), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuModuleGetGlobal(&variable, nullptr, loaded, "offset"));
  GOOD(cuModuleGetGlobal(nullptr, &size, loaded, "offset"));
  TRUE(variable != 0 && size == 4);
  OK(cudaPeekAtLastError()); // which the driver's failures leave alone
  GOOD(cuMemAlloc(&memory, COUNT * 4));
  GOOD(cuMemsetD32(memory, 5, COUNT));
  GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  unsigned count = COUNT, step = 7, offset = 100;
  void *arguments[] = {&memory, &count, &step};
  GOOD(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  GOOD(cuMemcpyHtoDAsync(variable, &offset, 4, stream));
  struct {
    CUdeviceptr p;
    unsigned n, step;
  } block = {memory, 1, 1};
  size_t block_size = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &block_size,
                   CU_LAUNCH_PARAM_END};
  GOOD(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, extra));
  GIVES(cuLaunchKernel(add, 1, 1, 1, 2048, 1, 1, 0, stream, arguments, nullptr), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuStreamSynchronize(stream));
  std::vector<unsigned> host(COUNT);
  GOOD(cuMemcpyDtoH(host.data(), memory, COUNT * 4));
  TRUE(host[0] == 5 + 7 + 10 + 1 + 100 && host[1] == 22 && host[999] == 22);
  int threads;
  GOOD(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add));
  TRUE(threads == 1024);
  GOOD(cuModuleUnload(loaded));
  GOOD(cuMemFree(memory));
  GOOD(cuStreamDestroy(stream));
  GOOD(cuCtxDestroy(context));
}

// A kernel of the program uses memory of the driver API.
static void beside_the_runtime() {
  start();
  CUdeviceptr memory, base;
  size_t size;
  unsigned short halves[6];
  unsigned char rows[2][4];
  GIVES(cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
  TRUE(memory == 0);
  GIVES(cuMemGetAddressRange(&base, &size, 12345), CUDA_ERROR_NOT_FOUND);
  TRUE(base == 0 && size == 0);
  GOOD(cuMemAlloc(&memory, 64));
  GOOD(cuMemGetAddressRange(&base, &size, memory + 8));
  TRUE(base == memory && size == 64);
  GOOD(cuMemsetD16(memory, 0x0102, 6));
  twice<<<1, 3>>>(reinterpret_cast<int *>(memory));
  GOOD(cuMemcpyDtoH(halves, memory, sizeof halves));
  TRUE(halves[0] == 0x0204 && halves[5] == 0x0204);
  GOOD(cuMemsetD8(memory, 9, 64));
  GOOD(cuMemsetD2D8(memory, 16, 3, 4, 2));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.srcPitch = 16;
  copy.srcXInBytes = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = rows;
  copy.WidthInBytes = 4;
  copy.Height = 2;
  GOOD(cuMemcpy2D(&copy));
  TRUE(rows[1][0] == 3 && rows[1][2] == 3 && rows[1][3] == 9);
  unsigned type;
  GOOD(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  TRUE(type == CU_MEMORYTYPE_DEVICE);
  OK(cudaFree(reinterpret_cast<void *>(memory)));
}

#if CUDA_VERSION >= 13000
struct Nodes {
  CUgraph graph;
  CUgraphNode fill, add, copy, call;
  CUDA_MEMSET_NODE_PARAMS filled;
  CUDA_KERNEL_NODE_PARAMS launch;
};

// Fills four words, adds to them, copies them to the host, and counts.
static Nodes built(CUfunction add, void **arguments, CUdeviceptr memory, unsigned *host, unsigned *calls) {
  Nodes n = {};
  CUDA_MEMCPY3D copy = {};
  const CUDA_HOST_NODE_PARAMS call = {[](void *count) { ++*(unsigned *)count; }, calls};
  n.filled = {memory, 0, 5, 4, 4, 1};
  n.launch.func = add;
  n.launch.gridDimX = n.launch.gridDimY = n.launch.gridDimZ = n.launch.blockDimY = n.launch.blockDimZ = 1;
  n.launch.blockDimX = 32;
  n.launch.kernelParams = arguments;
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = memory;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = host;
  copy.WidthInBytes = 16, copy.Height = 1, copy.Depth = 1;
  GOOD(cuGraphCreate(&n.graph, 0));
  GOOD(cuGraphAddMemsetNode(&n.fill, n.graph, nullptr, 0, &n.filled, nullptr));
  GOOD(cuGraphAddKernelNode(&n.add, n.graph, &n.fill, 1, &n.launch));
  GOOD(cuGraphAddMemcpyNode(&n.copy, n.graph, &n.add, 1, &copy, nullptr));
  GOOD(cuGraphAddHostNode(&n.call, n.graph, &n.copy, 1, &call));
  BAD(cuGraphAddKernelNode(&n.call, n.graph, nullptr, 0, nullptr));
  return n;
}

static void run(CUgraphExec exec, CUstream stream) {
  GOOD(cuGraphLaunch(exec, stream));
  GOOD(cuStreamSynchronize(stream));
}

static void graph_of_nodes(CUkernel kernel, CUfunction add, CUdeviceptr memory, CUstream stream) {
  CUgraphNode found[9];
  CUgraphExec exec;
  CUgraphNodeType type;
  unsigned words = 4, step = 7, host[4] = {}, calls = 0;
  size_t count = 9;
  void *arguments[] = {&memory, &words, &step};
  Nodes n = built(add, arguments, memory, host, &calls);
  GOOD(cuGraphGetNodes(n.graph, found, &count));
  GOOD(cuGraphNodeGetType(n.copy, &type));
  TRUE(count == 4 && found[3] == n.call && type == CU_GRAPH_NODE_TYPE_MEMCPY);
  GOOD(cuGraphInstantiate(&exec, n.graph, 0));
  run(exec, stream);
  TRUE(host[0] == 5 + 7 + 10 && host[3] == 22 && calls == 1);
  step = 8, n.launch.func = nullptr, n.launch.kern = kernel;
  GOOD(cuGraphExecKernelNodeSetParams(exec, n.add, &n.launch));
  n.filled.value = 6;
  GOOD(cuGraphExecMemsetNodeSetParams(exec, n.fill, &n.filled, nullptr));
  run(exec, stream);
  TRUE(host[0] == 6 + 8 + 10 && calls == 2);
  GOOD(cuGraphExecDestroy(exec));
  GOOD(cuGraphDestroy(n.graph));
}

static void captured_graph(CUfunction add, CUdeviceptr memory, CUstream stream) {
  CUgraph graph;
  CUgraphExec exec;
  CUstreamCaptureStatus status;
  unsigned words = 4, step = 8, host[4] = {};
  void *arguments[] = {&memory, &words, &step};
  GOOD(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  GOOD(cuMemsetD32Async(memory, 1, 4, stream));
  GOOD(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr));
  GOOD(cuStreamIsCapturing(stream, &status));
  TRUE(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  GOOD(cuStreamEndCapture(stream, &graph));
  GOOD(cuGraphInstantiate(&exec, graph, 0));
  run(exec, stream);
  GOOD(cuMemcpyDtoH(host, memory, 16));
  TRUE(host[3] == 1 + 8 + 10);
  GOOD(cuMemsetD2D16Async(memory, 8, 7, 1, 2, stream));
  GOOD(cuStreamSynchronize(stream));
  GOOD(cuMemcpyDtoH(host, memory, 16));
  TRUE(host[0] == 7 && host[1] == 19 && host[2] == 7);
  GOOD(cuGraphExecDestroy(exec));
  GOOD(cuGraphDestroy(graph));
}

// With memory of a pool and a kernel of a library.
static void graphs() {
  start();
  CUlibrary library;
  CUkernel kernel;
  CUfunction add;
  CUmodule loaded;
  CUmemoryPool pool;
  CUstream stream;
  CUdeviceptr memory;
  GOOD(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  GIVES(cuLibraryGetKernel(&kernel, library, "sub"), CUDA_ERROR_NOT_FOUND);
  GOOD(cuLibraryGetKernel(&kernel, library, "add"));
  GOOD(cuKernelGetFunction(&add, kernel));
  GOOD(cuLibraryGetModule(&loaded, library));
  BAD(cuKernelGetFunction(nullptr, kernel));
  GOOD(cuDeviceGetDefaultMemPool(&pool, 0));
  GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  GOOD(cuMemAllocFromPoolAsync(&memory, 64, pool, stream));
  GOOD(cuStreamSynchronize(stream));
  graph_of_nodes(kernel, add, memory, stream);
  captured_graph(add, memory, stream);
  GOOD(cuMemFreeAsync(memory, stream));
  GOOD(cuLibraryUnload(library));
}
#else
static void graphs() {}
#endif

/* A copy of 3 x 2 floats; the array's ends begin at texel (1, 1). */
static CUDA_MEMCPY2D copied(CUarray to, CUarray from, const void *source, void *target) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = from ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  copy.dstMemoryType = to ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  copy.srcArray = from, copy.dstArray = to;
  copy.srcHost = source, copy.dstHost = target;
  copy.srcXInBytes = from ? sizeof(float) : 0, copy.dstXInBytes = to ? sizeof(float) : 0;
  copy.srcY = from != nullptr, copy.dstY = to != nullptr;
  copy.WidthInBytes = 3 * sizeof(float), copy.Height = 2;
  return copy;
}

__global__ void fetch(cudaTextureObject_t texture, float *into) {
  into[threadIdx.x] = tex2D<float>(texture, threadIdx.x % 3 + 1.5f, threadIdx.x / 3 + 1.5f);
}
__global__ void store(cudaSurfaceObject_t surface) {
  surf2Dwrite(float(threadIdx.x + 10), surface, (threadIdx.x % 3 + 1) * 4, threadIdx.x / 3 + 1);
}

static void descriptors() {
  start();
  CUarray array;
  const CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_UNSIGNED_INT16,
                                    CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
                                    CU_AD_FORMAT_SIGNED_INT16,   CU_AD_FORMAT_SIGNED_INT32,
                                    CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
  for (CUarray_format format : formats)
    for (unsigned channels : {1, 2, 4}) {
      const CUDA_ARRAY3D_DESCRIPTOR wanted = {5, 4, 3, format, channels, 0};
      CUDA_ARRAY3D_DESCRIPTOR got;
      CUDA_ARRAY_DESCRIPTOR flat;
      GOOD(cuArray3DCreate(&array, &wanted));
      GOOD(cuArray3DGetDescriptor(&got, array));
      GOOD(cuArrayGetDescriptor(&flat, array));
      TRUE(got.Width == 5 && got.Height == 4 && got.Depth == 3 && got.Format == format &&
           got.NumChannels == channels && got.Flags == 0);
      TRUE(flat.Width == 5 && flat.Height == 4 && flat.Format == format && flat.NumChannels == channels);
      GOOD(cuArrayDestroy(array));
    }
  const CUDA_ARRAY_DESCRIPTOR three = {5, 4, CU_AD_FORMAT_FLOAT, 3};
  GIVES(cuArrayCreate(&array, &three), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuArrayCreate(&array, nullptr), CUDA_ERROR_INVALID_VALUE);
}

// Copies of bytes between rows of 16: each begins and ends anywhere, but within the array.
static void within_texels(CUarray array, CUarray other) {
  unsigned char values[48], none[48] = {}, got[48];
  for (int i = 0; i < 48; i++)
    values[i] = i + 1;
  CUDA_MEMCPY2D whole = copied(array, nullptr, values, nullptr);
  whole.dstXInBytes = 0, whole.dstY = 0, whole.WidthInBytes = 16, whole.Height = 3;
  CUDA_MEMCPY2D clear = whole, back = copied(nullptr, other, nullptr, got),
                part = copied(other, array, nullptr, nullptr);
  clear.dstArray = other, clear.srcHost = none;
  back.srcXInBytes = 0, back.srcY = 0, back.WidthInBytes = 16, back.Height = 3;
  part.srcY = part.dstY = 1;
  GOOD(cuMemcpy2D(&whole));
  for (size_t from : {0, 1, 4, 6, 9, 15, 16})
    for (size_t to : {0, 2, 3, 8, 9, 15})
      for (size_t width : {1, 4, 7, 16}) {
        part.srcXInBytes = from, part.dstXInBytes = to, part.WidthInBytes = width;
        const bool fits = from + width <= 16 && to + width <= 16;
        GOOD(cuMemcpy2D(&clear));
        GIVES(cuMemcpy2D(&part), fits ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
        GOOD(cuMemcpy2D(&back));
        for (size_t i = 0; i < 48; i++) {
          const size_t x = i % 16;
          const bool copied = fits && i >= 16 && x >= to && x < to + width;
          TRUE(got[i] == (copied ? values[i - to + from] : 0));
        }
      }
}

static void arrays() {
  start();
  CUarray array, other;
  const CUDA_ARRAY_DESCRIPTOR descriptor = {4, 3, CU_AD_FORMAT_FLOAT, 1};
  const float values[] = {1, 2, 3, 4, 5, 6};
  float got[6] = {}, *fetched;
  GOOD(cuArrayCreate(&array, &descriptor));
  CUDA_ARRAY3D_DESCRIPTOR for_surfaces = {4, 3, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  GOOD(cuArray3DCreate(&other, &for_surfaces));
  CUDA_MEMCPY2D in = copied(array, nullptr, values, nullptr), across = copied(other, array, nullptr, nullptr),
                out = copied(nullptr, other, nullptr, got);
  GOOD(cuMemcpy2D(&in));
  GOOD(cuMemcpy2DAsync(&across, nullptr));
  GOOD(cuMemcpy2D(&out));
  TRUE(memcmp(got, values, sizeof got) == 0);

  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC reads = {};
  CUtexObject texture;
  CUsurfObject surface;
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  GOOD(cuTexObjectCreate(&texture, &resource, &reads, nullptr));
  OK(cudaMalloc(&fetched, sizeof got));
  fetch<<<1, 6>>>(texture, fetched);
  OK(cudaMemcpy(got, fetched, sizeof got, cudaMemcpyDefault));
  TRUE(memcmp(got, values, sizeof got) == 0);
  resource.res.array.hArray = other;
  GOOD(cuSurfObjectCreate(&surface, &resource));
  store<<<1, 6>>>(surface);
  GOOD(cuMemcpy2D(&out));
  TRUE(got[0] == 10 && got[5] == 15);
  GOOD(cuTexObjectDestroy(texture));
  GOOD(cuSurfObjectDestroy(surface));
  OK(cudaFree(fetched));
  within_texels(array, other);
  GOOD(cuArrayDestroy(array));
  GOOD(cuArrayDestroy(other));
}

__global__ void fetch_level(cudaTextureObject_t mipmap, cudaTextureObject_t cube, float *into) {
  *into++ = tex2DLod<float>(mipmap, 0.5f, 0.5f, 0.25f);
  *into++ = texCubemap<float>(cube, 0.1f, 1, 0.999f); // beside the edge of +z
}

static void mipmaps() {
  start();
  const CUDA_ARRAY3D_DESCRIPTOR flat = {4, 2, 0, CU_AD_FORMAT_FLOAT, 1, 0},
                                faces = {1, 1, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP},
                                bad = {4, 2, 6, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_CUBEMAP};
  CUDA_ARRAY3D_DESCRIPTOR got;
  CUmipmappedArray mipmap;
  CUarray level, cube;
  const float values[] = {1, 1, 1, 1, 1, 1, 1, 1, 9, 9}, sides[] = {0, 0, 2, 0, 4, 0};
  GIVES(cuMipmappedArrayCreate(&mipmap, nullptr, 2), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMipmappedArrayCreate(nullptr, &flat, 2), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMipmappedArrayCreate(&mipmap, &bad, 2), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMipmappedArrayDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuMipmappedArrayCreate(&mipmap, &flat, 9));
  GIVES(cuMipmappedArrayGetLevel(&level, mipmap, 3), CUDA_ERROR_INVALID_VALUE);
  for (unsigned k = 0; k < 2; k++) {
    GOOD(cuMipmappedArrayGetLevel(&level, mipmap, k));
    GOOD(cuArray3DGetDescriptor(&got, level));
    TRUE(got.Width == 4u >> k && got.Height == 2u >> k && got.Depth == 0);
    CUDA_MEMCPY2D in = copied(level, nullptr, values + 8 * k, nullptr);
    in.dstXInBytes = in.dstY = 0, in.srcPitch = 0, in.WidthInBytes = 4 * got.Width, in.Height = got.Height;
    GOOD(cuMemcpy2D(&in));
  }
  GOOD(cuArray3DCreate(&cube, &faces));
  CUDA_MEMCPY3D in = {};
  in.srcMemoryType = CU_MEMORYTYPE_HOST, in.srcHost = sides;
  in.dstMemoryType = CU_MEMORYTYPE_ARRAY, in.dstArray = cube;
  in.WidthInBytes = 4, in.Height = 1, in.Depth = 6;
  GOOD(cuMemcpy3D(&in));

  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC reads = {};
  CUtexObject levels, seamless;
  float *fetched, value[2];
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = mipmap;
  reads.flags = CU_TRSF_NORMALIZED_COORDINATES;
  reads.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
  reads.mipmapLevelBias = 0.5f;
  reads.minMipmapLevelClamp = 0.125f;
  reads.maxMipmapLevelClamp = 0.625f;
  GOOD(cuTexObjectCreate(&levels, &resource, &reads, nullptr));
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = cube;
  reads.flags |= CU_TRSF_SEAMLESS_CUBEMAP;
  reads.filterMode = CU_TR_FILTER_MODE_LINEAR;
  GOOD(cuTexObjectCreate(&seamless, &resource, &reads, nullptr));
  OK(cudaMalloc(&fetched, sizeof value));
  fetch_level<<<1, 1>>>(levels, seamless, fetched);
  OK(cudaMemcpy(value, fetched, sizeof value, cudaMemcpyDefault));
  TRUE(value[0] == 6);                   // 0.625 of 9
  TRUE(value[1] > 2.7f && value[1] < 3); // faces +y and +z by halves, a little of +x
  GOOD(cuTexObjectDestroy(levels));
  GOOD(cuTexObjectDestroy(seamless));
  GOOD(cuMipmappedArrayDestroy(mipmap));
  GOOD(cuArrayDestroy(cube));
}

/* A kernel and the function that it calls, in two texts. */
static void link() {
  start();
  const char caller[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                        ".extern .func (.param .b32 r) seven ();\n"
                        ".visible .entry set(.param .u64 p) { .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
                        "  ld.param.u64 %rd1, [p];\n"
                        "  { .param .b32 v; call.uni (v), seven, (); ld.param.b32 %r1, [v]; }\n"
                        "  st.global.u32 [%rd1], %r1; ret; }\n",
             callee[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                        ".visible .func (.param .b32 r) seven () { st.param.b32 [r], 7; ret; }\n";
  char log[8] = "unset";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log)}, *image;
  int *p, got = 0;
  size_t size;
  CUlinkState state;
  CUmodule loaded;
  CUfunction set;
  GIVES(cuLinkCreate(1, options, values, &state), CUDA_ERROR_INVALID_VALUE); // without the size of the log
  GOOD(cuLinkCreate(0, nullptr, nullptr, &state));
  GOOD(cuLinkComplete(state, &image, &size)); // of nothing
  GOOD(cuModuleLoadData(&loaded, image));
  GOOD(cuModuleUnload(loaded));
  GIVES(cuLinkComplete(state, &image, &size), CUDA_ERROR_INVALID_HANDLE);
  GIVES(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)callee, sizeof callee, "text", 0, nullptr, nullptr),
        CUDA_ERROR_INVALID_VALUE);
  GOOD(cuLinkDestroy(state));
  GOOD(cuLinkCreate(2, options, values, &state));
  for (const char *text : {caller, callee})
    GOOD(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)text, strlen(text) + 1, "text", 0, nullptr, nullptr));
  GOOD(cuLinkComplete(state, &image, &size));
  GOOD(cuModuleLoadData(&loaded, image));
  TRUE(strlen(log) == 0 && size > 0);
  GOOD(cuLinkDestroy(state)); // the module does not need it
  GOOD(cuModuleGetFunction(&set, loaded, "set"));
  OK(cudaMalloc(&p, sizeof *p));
  void *arguments[] = {&p};
  GOOD(cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cudaMemcpy(&got, p, sizeof got, cudaMemcpyDefault));
  TRUE(got == 7);
  OK(cudaFree(p));
  GOOD(cuModuleUnload(loaded));
}

static void bad_images() {
  start();
  const CUmodule unset = reinterpret_cast<CUmodule>(7);
  CUmodule loaded = unset;
  const char *name;
  for (const char *image : {"", " ", "this is not PTX", ".entry", "\177ELF\2\1\1 and so on, without PTX"})
    GIVES(cuModuleLoadData(&loaded, image), CUDA_ERROR_INVALID_IMAGE);
  GIVES(cuModuleLoadData(&loaded, ".version 7.0\n.target sm_80\nnonsense"), CUDA_ERROR_INVALID_PTX);
  TRUE(loaded == unset);
  GOOD(cuModuleLoadData(&loaded, "/* a */ // comment\n.version 7.0\n.target sm_80\n.address_size 64\n"));
  GOOD(cuModuleUnload(loaded));
  GIVES(cuModuleLoad(&loaded, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
  GOOD(cuGetErrorName(CUDA_ERROR_FILE_NOT_FOUND, &name));
  TRUE(strlen(name) > 0);
}

#if CUDA_VERSION >= 12000
using Encode = CUresult(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                        const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
                        CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// What a tensor map may be: the answers are those of an H100.
static void encode(Encode *encode) {
  struct {
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    cuuint32_t rank = 2;
    uintptr_t address = 4096;
    cuuint64_t size[2] = {64, 64}, pitch[1] = {256};
    cuuint32_t box[2] = {32, 8}, stride[2] = {1, 1};
    CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
    CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  } const good;
  const auto gives = [&](CUresult expected, int line, auto change) {
    auto t = good;
    CUtensorMap map;
    change(t);
    same(encode(&map, t.type, t.rank, (void *)t.address, t.size, t.pitch, t.box, t.stride, t.interleave,
                t.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, t.fill),
         expected, "cuTensorMapEncodeTiled", line);
  };
#define ENCODED(error, change) gives(error, __LINE__, [](auto &t) { change; })
  ENCODED(CUDA_SUCCESS, (void)t);
  ENCODED(CUDA_SUCCESS, t.address = 0);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.address = 4104);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.rank = 0);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.rank = 6);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.pitch[0] = 264);
  ENCODED(CUDA_SUCCESS, t.pitch[0] = 128);
  ENCODED(CUDA_SUCCESS, t.pitch[0] = 0);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.pitch[0] = 1ull << 40);
  ENCODED(CUDA_ERROR_INVALID_VALUE, (t.type = CU_TENSOR_MAP_DATA_TYPE_UINT8, t.box[0] = 257));
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.box[0] = t.box[1] = 256);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.box[0] = 3);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.box[0] = 0);
  ENCODED(CUDA_ERROR_INVALID_VALUE, (t.box[0] = 64, t.swizzle = CU_TENSOR_MAP_SWIZZLE_128B));
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.stride[1] = 9);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.stride[1] = 0);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.stride[0] = 0);
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.size[0] = 0);
  ENCODED(CUDA_SUCCESS, (t.type = CU_TENSOR_MAP_DATA_TYPE_UINT8, t.size[0] = 1ull << 32));
  ENCODED(CUDA_ERROR_INVALID_VALUE, (t.type = CU_TENSOR_MAP_DATA_TYPE_UINT8, t.size[0] = (1ull << 32) + 1));
  ENCODED(CUDA_ERROR_INVALID_VALUE, (t.type = CU_TENSOR_MAP_DATA_TYPE_INT32,
                                     t.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA));
  ENCODED(CUDA_ERROR_INVALID_VALUE, t.interleave = CU_TENSOR_MAP_INTERLEAVE_16B);
}

static void entry_points() {
  OK(cudaFree(nullptr)); // begins a context
  using Find = CUresult(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);
  void *function = &function, *found = &found;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointVersionNotSufficent;
  CUdriverProcAddressQueryResult answer;
  OK(cudaGetDriverEntryPointByVersion("cuNonsense", &function, 12000, cudaEnableDefault, &status));
  TRUE(!function && status == cudaDriverEntryPointSymbolNotFound);
  OK(cudaGetDriverEntryPointByVersion("cuGetProcAddress", &function, 12000, cudaEnableDefault, &status));
  TRUE(function && status == cudaDriverEntryPointSuccess);
  GOOD(((Find *)function)("cuNonsense", &found, 12000, 0, &answer));
  TRUE(!found && answer == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  GOOD(((Find *)function)("cuMemAlloc", &found, 12000, 0, &answer));
  CUdeviceptr memory = 0;
  GOOD(((CUresult(*)(CUdeviceptr *, size_t))found)(&memory, 1000));
  GOOD(cuMemFree(memory));
  OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                      &status));
  encode((Encode *)function);
}
#else
static void entry_points() {}
#endif

int main() {
  return run_parts({{"module", module},
                    {"beside the runtime", beside_the_runtime},
                    {"descriptors of arrays", descriptors},
                    {"arrays", arrays},
                    {"mipmaps and cubemaps", mipmaps},
                    {"link", link},
                    {"bad images", bad_images},
                    {"entry points", entry_points},
                    {"graphs", graphs}});
}
