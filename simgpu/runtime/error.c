#include "runtime/error.h"

static _Thread_local cudaError_t last_error;

cudaError_t error_record(cudaError_t error) {
  if (error)
    last_error = error;
  return error;
}

cudaError_t error_last(void) { return last_error; }

void error_clear(void) { last_error = cudaSuccess; }

void error_restore(const cudaError_t *error) { last_error = *error; }
