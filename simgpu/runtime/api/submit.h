/* For the files that define copies: runs one, or adds it to the graph that the stream captures. */
#pragma once

#include "api.h"

#include "../work_copy.h"

cudaError_t submit_copy(enum context_use use, cudaStream_t stream, struct work_copy copy);
