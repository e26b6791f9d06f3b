/* Fills of device and managed memory. */
#pragma once

#include <driver_types.h>
#include <stdint.h>

/* `rows` rows of `width` bytes, `pitch` bytes apart, of elements of 1, 2 or 4 bytes. */
struct work_fill {
  void *target;
  size_t pitch, width, rows;
  uint32_t value, value_size;
};

cudaError_t work_fill_check(const struct work_fill *fill);
cudaError_t work_fill_run(const struct work_fill *fill);
