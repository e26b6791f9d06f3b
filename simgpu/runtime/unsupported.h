/* For calls and features that the simulated device does not offer. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

/* Reports on standard error that `name` is not supported, unless *reported, and makes cudaErrorNotSupported
 * the last error. */
cudaError_t unsupported(const char *name, bool *reported);
