/* The functions of the CUDA runtime that kernels call: NVIDIA's libcudadevrt. nvcc -rdc=true leaves them to the system.
 * A kernel that calls one runs on one host thread (see struct kernel, is_ordered), so that launches have an order. */
#pragma once

#include "device/machine.h"

enum { DEVICE_RUNTIME_ARGUMENTS = 8 };

struct device_runtime_signature {
  uint32_t result, count; /* bytes; arguments */
  uint8_t bytes[DEVICE_RUNTIME_ARGUMENTS];
};

/* The number of the function with this name in PTX, or -1. */
int device_runtime_find(const char *name);
const struct device_runtime_signature *device_runtime_signature(int function);
/* Whether the name is that of any function of libcudadevrt, even one that is not supported here. */
bool device_runtime_has(const char *name);
/* Runs op->mode, the number of a function, with the arguments of the call op->call. */
void device_runtime_run(struct warp *w, const struct op *op, const struct frame *f, uint32_t m);
