/* Why a run is slow by the model, in one sentence. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Names the kernel that takes most of the modelled time, and its launches, from the counter file of a run.
 * False when the file has no launch. */
bool slow_explain(const char *counters, char *text, size_t size);
