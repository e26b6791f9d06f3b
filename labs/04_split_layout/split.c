#include "split.h"

#include "cuda_check.h"
#include "split_layout.h"

size_t split_bytes(const struct split *d) { return (size_t)d->pitch * (size_t)d->g.ny * sizeof(float); }

void split_allocate(const struct split *d, float **colours) {
  for (int c = GRID_RED; c <= GRID_BLACK; c++)
    CUDA_CHECK(cudaMalloc((void **)&colours[c], split_bytes(d)));
}

void split_poison(const struct split *d, float *const *colours) {
  for (int c = GRID_RED; c <= GRID_BLACK; c++)
    CUDA_CHECK(cudaMemset(colours[c], 0xff, split_bytes(d)));
}

int split_to_colours(const struct split *d, const float *values, float *const *colours) {
  float *interleaved;
  const size_t bytes = grid_points(d->g) * sizeof *interleaved;
  CUDA_CHECK(cudaMalloc((void **)&interleaved, bytes));
  CUDA_CHECK(cudaMemcpy(interleaved, values, bytes, cudaMemcpyHostToDevice));
  const int part =
      split_pack(d->g.nx, d->g.ny, d->pitch, interleaved, colours[GRID_RED], colours[GRID_BLACK]);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaFree(interleaved));
  return part;
}

/* A point that is not unpacked remains NaN. */
int split_from_colours(const struct split *d, float *u) {
  float *interleaved;
  const size_t bytes = grid_points(d->g) * sizeof *interleaved;
  CUDA_CHECK(cudaMalloc((void **)&interleaved, bytes));
  CUDA_CHECK(cudaMemset(interleaved, 0xff, bytes));
  const int part = split_unpack(d->g.nx, d->g.ny, d->pitch, d->u[GRID_RED], d->u[GRID_BLACK], interleaved);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(u, interleaved, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(interleaved));
  return part;
}

int split_open(struct split *d, struct grid g, const float *h2f, const float *u) {
  *d = (struct split){.g = g, .pitch = grid_pitch(g.nx)};
  split_allocate(d, d->h2f);
  split_allocate(d, d->u);
  const int part = split_to_colours(d, h2f, d->h2f);
  return part ? part : split_to_colours(d, u, d->u);
}

void split_close(struct split *d) {
  for (int c = GRID_RED; c <= GRID_BLACK; c++) {
    CUDA_CHECK(cudaFree(d->h2f[c]));
    CUDA_CHECK(cudaFree(d->u[c]));
    CUDA_CHECK(cudaFree(d->next[c]));
  }
}
