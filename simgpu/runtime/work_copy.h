/* Copies: between host and device, within one of them, of rows and boxes. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

/* `slices` times `rows` rows of `width` bytes; pitches and slice sizes in bytes. */
struct work_copy {
  void *target;
  size_t target_pitch, target_slice;
  const void *source;
  size_t source_pitch, source_slice;
  size_t width, rows, slices;
  enum cudaMemcpyKind kind;
  bool host_waits;  /* until a copy to the host is complete */
  bool reads_later; /* an asynchronous copy from pinned memory */
};

struct work_copy work_copy_plain(void *target, const void *source, size_t size, enum cudaMemcpyKind kind);
struct work_copy work_copy_rows(void *target, size_t target_pitch, const void *source, size_t source_pitch,
                                size_t width, size_t rows, enum cudaMemcpyKind kind);

/* The copy that a box describes. */
cudaError_t work_copy_from_box(const struct cudaMemcpy3DParms *box, struct work_copy *copy);

/* The device memory of `size` bytes at `offset` in the variable. */
cudaError_t work_copy_symbol(const void *symbol, size_t offset, size_t size, void **address);

/* Checks the arguments only. work_copy_run() checks them too. */
cudaError_t work_copy_check(const struct work_copy *copy);
cudaError_t work_copy_run(const struct work_copy *copy);
