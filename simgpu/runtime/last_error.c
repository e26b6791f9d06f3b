#include "runtime/last_error.h"

static _Thread_local cudaError_t last_error;

cudaError_t last_error_record(cudaError_t error) {
  if (error)
    last_error = error;
  return error;
}

cudaError_t last_error_get(void) { return last_error; }

void last_error_clear(void) { last_error = cudaSuccess; }

void last_error_restore(const cudaError_t *error) { last_error = *error; }
