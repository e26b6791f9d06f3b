// For programs that check the driver API: results of its functions, beside what semantics.h compares.
#pragma once

#include "semantics.h"

#include <cuda.h>

static void same(CUresult got, CUresult expected, const char *what, int line) {
  if (got == expected)
    return;
  printf("%s:%d: %s gave %d, expected %d\n", __BASE_FILE__, line, what, got, expected);
  differences++;
}
#define GIVES(call, error) same(call, error, #call, __LINE__)
#define GOOD(call) GIVES(call, CUDA_SUCCESS)
#define BAD(call) GIVES(call, CUDA_ERROR_INVALID_VALUE)
