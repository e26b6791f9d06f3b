/* Error names and texts, and the last error of each thread. */
#include "runtime.h"

#include <stdio.h>

static _Thread_local cudaError_t last_error;

cudaError_t error_record(cudaError_t error) {
  if (error)
    last_error = error;
  return error;
}

cudaError_t unsupported(const char *name, bool *told) {
  if (!*told)
    fprintf(stderr, "simgpu: %s is not supported\n", name);
  *told = true;
  return error_record(cudaErrorNotSupported);
}

cudaError_t cudaGetLastError(void) {
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) { return last_error; }

const char *cudaGetErrorName(cudaError_t error) {
  switch ((int)error) {
#define ERROR(code, name, text)                                                                              \
  case code:                                                                                                 \
    return #name;
#include "errors.def"
#undef ERROR
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch ((int)error) {
#define ERROR(code, name, text)                                                                              \
  case code:                                                                                                 \
    return text;
#include "errors.def"
#undef ERROR
  }
  return "unrecognized error code";
}
