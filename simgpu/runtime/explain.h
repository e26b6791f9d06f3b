/* One line on standard error about a call that was refused: the error code alone does not say why. */
#pragma once

#include <driver_types.h>
#include <stddef.h>
#include <stdint.h>

/* `rows` rows of `width` bytes, `pitch` bytes apart: one end of a copy, or a fill. */
struct explain_rows {
  const void *address;
  size_t width, rows, pitch;
};

void explain_copy(enum cudaMemcpyKind kind, struct explain_rows target, struct explain_rows source);
void explain_fill(struct explain_rows target);

/* A copy of `size` bytes at `offset` of the variable `name`, which has `bytes` bytes. */
void explain_symbol(const char *name, uint64_t bytes, size_t offset, size_t size);

/* A launch, or the record of an event, on a stream of another device than `expected`; `whose` says whose
 * device that is. */
void explain_device(const char *what, int given, const char *whose, int expected);

/* Work in the default stream while a stream that waits for it is captured. `kernel`: of a launch; NULL: of a copy
 * or a fill. */
void explain_capture(const char *kernel);
