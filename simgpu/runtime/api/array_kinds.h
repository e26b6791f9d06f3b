/* The kinds of arrays that the simulated device does not offer. */
#pragma once

#include "api.h"

/* Names the kind that the flags of a new array ask for. */
cudaError_t array_kinds_refuse(unsigned flags);
