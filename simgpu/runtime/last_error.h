/* The last error of each thread. Needs no lock. */
#pragma once

#include <driver_types.h>

/* Makes a failure the calling thread's last error. Returns `error`. */
cudaError_t last_error_record(cudaError_t error);

cudaError_t last_error_get(void);
void last_error_clear(void);

/* Makes `*error` the last error again. */
void last_error_restore(const cudaError_t *error);

/* A failure of the driver API is not the runtime's last error: begins each function that calls the runtime's. */
#define KEEP_LAST_ERROR                                                                                      \
  const cudaError_t kept __attribute__((cleanup(last_error_restore), unused)) = last_error_get()
