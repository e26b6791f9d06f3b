/* Why a measurement is bad, in one sentence at the source line that causes it. */
#pragma once

#include "metric.h"

struct waste {
  char source[320]; /* "compressed.cu:41" */
  char sentence[384];
};

/* Finds the source line that contributes most to the fault, in kernels whose names begin with kernel. lines,
 * addresses: files that the device wrote as SIMGPU_LINES and SIMGPU_ADDRESSES. False if they name no such line. */
bool waste_find(enum metric_fault fault, const char *kernel, const char *lines, const char *addresses,
                struct waste *waste);
