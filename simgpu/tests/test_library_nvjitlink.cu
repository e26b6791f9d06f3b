// nvJitLink: two pieces of LTO-IR become one kernel, against plain C.
#include "semantics.h"

#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#define LINKED(call) TRUE((call) == NVJITLINK_SUCCESS)

static std::string intermediate(const char *source) {
  nvrtcProgram program;
  size_t size = 0;
  const char *const options[] = {"-dlto", "--relocatable-device-code=true", "-arch=compute_90"};
  TRUE(nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  TRUE(nvrtcCompileProgram(program, 3, options) == NVRTC_SUCCESS);
  TRUE(nvrtcGetLTOIRSize(program, &size) == NVRTC_SUCCESS && size > 0);
  std::string code(size, '\0');
  TRUE(nvrtcGetLTOIR(program, &code[0]) == NVRTC_SUCCESS);
  TRUE(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return code;
}

static const char kernel_source[] =
    "extern __device__ int f(int);\n"
    "extern \"C\" __global__ void apply(int *x) { x[threadIdx.x] = f(x[threadIdx.x]); }\n";
static const char function_source[] = "__device__ int f(int x) { return 3 * x + 1; }\n";

static nvJitLinkHandle with_parts(const std::vector<std::string> &parts) {
  nvJitLinkHandle handle;
  const char *options[] = {"-lto", "-arch=sm_90"};
  LINKED(nvJitLinkCreate(&handle, 2, options));
  for (const std::string &part : parts)
    LINKED(nvJitLinkAddData(handle, NVJITLINK_INPUT_LTOIR, part.data(), part.size(), "part"));
  return handle;
}

static void linked() {
  OK(cudaFree(nullptr));
  nvJitLinkHandle handle = with_parts({intermediate(kernel_source), intermediate(function_source)});
  size_t size = 0;
  LINKED(nvJitLinkComplete(handle));
  LINKED(nvJitLinkGetLinkedCubinSize(handle, &size));
  std::vector<char> code(size);
  LINKED(nvJitLinkGetLinkedCubin(handle, code.data()));
  LINKED(nvJitLinkDestroy(&handle));
  CUmodule module;
  CUfunction apply;
  int host[32], *x;
  for (int i = 0; i < 32; i++)
    host[i] = i;
  OK(cudaMalloc(&x, sizeof host));
  OK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  TRUE(cuModuleLoadData(&module, code.data()) == CUDA_SUCCESS);
  TRUE(cuModuleGetFunction(&apply, module, "apply") == CUDA_SUCCESS);
  void *arguments[] = {&x};
  TRUE(cuLaunchKernel(apply, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS);
  OK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++)
    TRUE(host[i] == 3 * i + 1);
  TRUE(cuModuleUnload(module) == CUDA_SUCCESS);
  OK(cudaFree(x));
}

static void faults() {
  nvJitLinkHandle handle = with_parts({intermediate(kernel_source)});
  size_t size = 0;
  TRUE(nvJitLinkComplete(handle) != NVJITLINK_SUCCESS ||
       nvJitLinkGetLinkedPtxSize(handle, &size) == NVJITLINK_SUCCESS);
  LINKED(nvJitLinkDestroy(&handle));
  const char *options[] = {"-lto", "-no-such-option"};
  TRUE(nvJitLinkCreate(&handle, 2, options) == NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  unsigned major = 0, minor = 0;
  LINKED(nvJitLinkVersion(&major, &minor));
  TRUE(major >= 12);
}

/* NVIDIA's linker links PTX, too. */
static void missing() {
  nvJitLinkHandle handle;
  const char *options[] = {"-arch=sm_90"};
  TRUE(nvJitLinkCreate(&handle, 1, options) == NVJITLINK_ERROR_INVALID_INPUT);
}

int main() { return run_parts({{"linked", linked}, {"faults", faults}, {"missing", missing}}); }
