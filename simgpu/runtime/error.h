/* The last error of each thread. Needs no lock. */
#pragma once

#include <driver_types.h>

/* Makes a failure the calling thread's last error. Returns `error`. */
cudaError_t error_record(cudaError_t error);

cudaError_t error_last(void);
void error_clear(void);

/* Makes `*error` the last error again. */
void error_restore(const cudaError_t *error);
