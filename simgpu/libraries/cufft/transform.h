/* One transform of a plan: from its input through one pass per axis and radix to its output. */
#pragma once

#include <cufft.h>

enum { CUFFT_AXES = 3 };

/* Where the elements of a batch lie: `stored` are the storage dimensions, the last one varies fastest. */
struct layout {
  long long stored[CUFFT_AXES], stride, distance;
};

/* The shape of all arrays. The first axes have size 1 if the transform has fewer than three. */
struct shape {
  long long size[CUFFT_AXES], batches;
  __host__ __device__ long long points() const { return size[0] * size[1] * size[2]; }
  __host__ __device__ long long half() const { return size[2] / 2 + 1; } /* of a Hermitian row */
};

/* exp(-2 pi i k / n) for 0 <= k < n, of each axis, in device memory: of float2 or of double2. */
struct roots {
  void *axis[CUFFT_AXES];
};

/* The transform's type gives the number formats; `area` is the plan's work area, twice all points. */
struct transform {
  cufftType type;
  struct shape shape;
  struct layout input, output;
  struct roots roots;
  void *area;
  cudaStream_t stream;
};

static inline bool transform_is_double(cufftType type) {
  return type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
}

/* Makes the table of an axis; NULL if there is no memory. */
void *transform_roots(cufftType type, long long n);

cufftResult transform_run(const struct transform *t, const void *input, void *output, bool inverse);
