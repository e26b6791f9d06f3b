// NVRTC: kernels that are compiled while the program runs.
#include "semantics.h"

#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <vector>

#define GOOD(call) TRUE((call) == NVRTC_SUCCESS)
#define LOADED(call) TRUE((call) == CUDA_SUCCESS)

static const char source[] =
    "template <int N> __global__ void shift(int *x) { x[threadIdx.x] += N; }\n"
    "extern \"C\" __global__ void scale(int *x, int by) { x[threadIdx.x] *= by; }\n"
    "__constant__ int table[3] = {5, 6, 7};\n"
    "extern \"C\" __global__ void look(int *x) { x[threadIdx.x] = table[threadIdx.x % 3]; }\n";

static const char template_name[] = "shift<3>";

static nvrtcProgram compiled(const char *text, const std::vector<const char *> &options,
                             nvrtcResult expected) {
  nvrtcProgram program;
  GOOD(nvrtcCreateProgram(&program, text, "kernels.cu", 0, nullptr, nullptr));
  if (text == source)
    GOOD(nvrtcAddNameExpression(program, template_name));
  TRUE(nvrtcCompileProgram(program, (int)options.size(), options.data()) == expected);
  return program;
}

static std::string code_of(nvrtcProgram program, bool is_ptx) {
  size_t size = 0;
  GOOD(is_ptx ? nvrtcGetPTXSize(program, &size) : nvrtcGetCUBINSize(program, &size));
  TRUE(size > 0);
  std::string code(size, '\0');
  GOOD(is_ptx ? nvrtcGetPTX(program, &code[0]) : nvrtcGetCUBIN(program, &code[0]));
  return code;
}

static void run(const char *code, const char *lowered) {
  CUmodule module;
  CUfunction scale, shift, look;
  int *x, by = 10, host[32];
  OK(cudaMalloc(&x, sizeof host));
  OK(cudaMemset(x, 0, sizeof host));
  LOADED(cuModuleLoadData(&module, code));
  LOADED(cuModuleGetFunction(&scale, module, "scale"));
  LOADED(cuModuleGetFunction(&shift, module, lowered));
  LOADED(cuModuleGetFunction(&look, module, "look"));
  void *of_scale[] = {&x, &by}, *of_x[] = {&x};
  LOADED(cuLaunchKernel(shift, 1, 1, 1, 32, 1, 1, 0, nullptr, of_x, nullptr));
  LOADED(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, of_scale, nullptr));
  OK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  TRUE(host[0] == 30 && host[31] == 30);
  LOADED(cuLaunchKernel(look, 1, 1, 1, 32, 1, 1, 0, nullptr, of_x, nullptr));
  OK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  TRUE(host[0] == 5 && host[31] == 6);
  LOADED(cuModuleUnload(module));
  OK(cudaFree(x));
}

static void compile_and_run(const std::vector<const char *> &options, bool is_ptx) {
  const char *lowered = nullptr;
  nvrtcProgram program = compiled(source, options, NVRTC_SUCCESS);
  GOOD(nvrtcGetLoweredName(program, template_name, &lowered));
  run(code_of(program, is_ptx).c_str(), lowered);
  GOOD(nvrtcDestroyProgram(&program));
}

static void ptx() {
  OK(cudaFree(nullptr));
  compile_and_run({}, true);
  compile_and_run({"--gpu-architecture=compute_80", "--std=c++17"}, true);
  compile_and_run({"-arch=compute_90", "-lineinfo"}, true);
}

static void machine_code() {
  OK(cudaFree(nullptr));
  compile_and_run({"--gpu-architecture=sm_90"}, false);
  compile_and_run({"--use_fast_math", "-arch", "sm_90"}, false);
  compile_and_run({"-arch=sm_90", "-G"}, false);
}

static void faults() {
  OK(cudaFree(nullptr));
  size_t size = 0;
  nvrtcProgram program =
      compiled("__global__ void f(int *x) { *x = y; }\n", {"-arch=sm_90"}, NVRTC_ERROR_COMPILATION);
  GOOD(nvrtcGetProgramLogSize(program, &size));
  std::string log(size, '\0');
  GOOD(nvrtcGetProgramLog(program, &log[0]));
  TRUE(log.find("identifier \"y\" is undefined") != std::string::npos && log.find("kernels.cu(1)") == 0);
  GOOD(nvrtcDestroyProgram(&program));
  program = compiled(source, {"-arch=sm_9"}, NVRTC_ERROR_INVALID_OPTION);
  GOOD(nvrtcDestroyProgram(&program));
  program = compiled(source, {"--no-such-option"}, NVRTC_ERROR_INVALID_OPTION);
  GOOD(nvrtcDestroyProgram(&program));
  TRUE(strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
  int major = 0, minor = 0;
  GOOD(nvrtcVersion(&major, &minor));
  TRUE(major >= 12);
}

int main() { return run_parts({{"PTX", ptx}, {"machine code", machine_code}, {"faults", faults}}); }
