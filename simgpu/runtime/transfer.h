/* Moves rows of bytes between host and device, and within the device, by one request each. */
#pragma once

#include "../protocol.h"

#include <driver_types.h>
#include <stdbool.h>

/* `rows` rows of `width` bytes; the pitches are in bytes. */
struct transfer {
  void *target;
  size_t target_pitch;
  const void *source;
  size_t source_pitch;
  size_t width, rows;
};

/* Host to device, device to host; flags: enum sim_rows_flag. */
cudaError_t transfer_to_device(const struct transfer *transfer, uint32_t flags);
cudaError_t transfer_from_device(const struct transfer *transfer, uint32_t flags);
cudaError_t transfer_on_device(const struct transfer *transfer);

/* Sets rows of device memory to request->value. */
cudaError_t transfer_fill(const struct sim_rows *request);
