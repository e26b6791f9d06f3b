/* Error names and texts, and the last error. */
#include "api.h"

cudaError_t cudaGetLastError(void) {
  cudaError_t error = last_error_get();
  last_error_clear();
  return error;
}

cudaError_t cudaPeekAtLastError(void) { return last_error_get(); }

const char *cudaGetErrorName(cudaError_t error) {
  switch ((int)error) {
#define ERROR(code, name, text)                                                                              \
  case code:                                                                                                 \
    return #name;
#include "../../errors.def"
#undef ERROR
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch ((int)error) {
#define ERROR(code, name, text)                                                                              \
  case code:                                                                                                 \
    return text;
#include "../../errors.def"
#undef ERROR
  }
  return "unrecognized error code";
}
