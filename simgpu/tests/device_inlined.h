// Helpers of device_inlined.cu, as a kit's header has them.
#pragma once

static __device__ inline float header_read(const float *u, int i) {
  return u[i]; // HERE header_read
}
