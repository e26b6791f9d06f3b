/* The functions that CUDA's device libraries leave to the system: printf, malloc, free, assert,
 * cudaGraphSetConditional. A kernel that calls malloc or free runs on one host thread (see
 * struct kernel, is_ordered). */
#pragma once

#include "device/machine.h"

void system_call_print(struct warp *w, const struct op *op, const struct frame *f, uint32_t m);
void system_call_malloc(struct warp *w, const struct op *op, const struct frame *f, uint32_t m);
/* Returns false after a fault. */
bool system_call_free(struct warp *w, const struct op *op, const struct frame *f, uint32_t pc, uint32_t m);
void system_call_condition(struct warp *w, const struct op *op, const struct frame *f, uint32_t m);
/* A failed assertion is a fault; always false. */
bool system_call_assert(struct warp *w, const struct op *op, const struct frame *f, uint32_t pc, uint32_t m);
