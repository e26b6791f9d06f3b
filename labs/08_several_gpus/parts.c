#include "parts.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "plural.h"

#include <stdlib.h>

enum { FAILED_STATUS = 1 };

void parts_find_gpus(int gpus) {
  int there;
  CUDA_CHECK(cudaGetDeviceCount(&there));
  if (gpus > there)
    error_die("%d GPU%s: this machine has %d: expected at most as many", gpus, PLURAL(gpus), there);
}

void parts_check_rows(const struct sg_part *parts, int gpus, int ny) {
  int next = 1;
  for (int k = 0; k < gpus; next += parts[k++].count)
    if (parts[k].first != next || parts[k].count < 1 || parts[k].count > ny - 1 - next) {
      fprintf(stderr,
              "several_gpus: sg_rows: GPU %d of %d has %d row%s from row %d on: expected at least one of the "
              "interior rows 1 to %d, and row %d to be its first\n",
              k, gpus, parts[k].count, PLURAL(parts[k].count), parts[k].first, ny - 2, next);
      exit(FAILED_STATUS);
    }
  if (next != ny - 1) {
    fprintf(stderr, "several_gpus: sg_rows: %d GPU%s have rows 1 to %d: expected rows 1 to %d\n", gpus,
            PLURAL(gpus), next - 1, ny - 2);
    exit(FAILED_STATUS);
  }
}

/* Without direct access, a copy between the GPUs takes the way through the host. */
static void let_access(int from, int to) {
  int can;
  CUDA_CHECK(cudaSetDevice(from));
  CUDA_CHECK(cudaDeviceCanAccessPeer(&can, from, to));
  if (can)
    CUDA_CHECK(cudaDeviceEnablePeerAccess(to, 0));
}

static size_t row_bytes(const struct sg_part *p) { return (size_t)p->pitch * sizeof(double); }
static size_t array_bytes(const struct sg_part *p) { return (size_t)(p->count + 2) * row_bytes(p); }

/* Its rows from array, which has the whole grid; the halo, too, unless it is a neighbour's. */
static double *to_gpu(const struct sg_part *p, bool has_halo, const double *array) {
  const int skipped = has_halo ? 0 : 1;
  double *copy;
  CUDA_CHECK(cudaMalloc((void **)&copy, array_bytes(p)));
  CUDA_CHECK(cudaMemset(copy, 0, array_bytes(p)));
  CUDA_CHECK(cudaMemcpy(copy + skipped * p->pitch, array + (p->first - 1 + skipped) * (ptrdiff_t)p->pitch,
                        array_bytes(p) - 2 * (size_t)skipped * row_bytes(p), cudaMemcpyHostToDevice));
  return copy;
}

static void open_streams(struct sg_part *p) {
  int least, greatest;
  CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CUDA_CHECK(cudaStreamCreateWithPriority(&p->border, cudaStreamNonBlocking, greatest));
  CUDA_CHECK(cudaStreamCreateWithPriority(&p->inner, cudaStreamNonBlocking, least));
  CUDA_CHECK(cudaEventCreateWithFlags(&p->border_done, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventCreateWithFlags(&p->inner_done, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventCreateWithFlags(&p->sent, cudaEventDisableTiming));
}

static void split(struct grid g, const double *values, double *split[2]) {
  split[0] = allocate_zeroed(2 * grid_split_points(g), sizeof **split);
  split[1] = split[0] + grid_split_points(g);
  grid_split_pack(g, sizeof **split, values, split[0], split[1]);
}

void parts_open(struct sg_part *parts, int gpus, struct grid g, const double *f, const double *u) {
  double *scaled = allocate_zeroed(grid_points(g), sizeof *scaled), *u_split[2], *h2f_split[2];
  for (size_t k = 0; k < grid_points(g); k++)
    scaled[k] = g.h * g.h * f[k];
  split(g, u, u_split);
  split(g, scaled, h2f_split);
  for (int k = 0; k < gpus; k++) {
    struct sg_part *p = &parts[k];
    p->gpu = k;
    p->nx = g.nx;
    p->pitch = grid_pitch(g.nx);
    CUDA_CHECK(cudaSetDevice(k));
    for (int colour = 0; colour < 2; colour++)
      p->u[colour] = to_gpu(p, false, u_split[colour]);
    for (int colour = 0; colour < 2; colour++)
      p->h2f[colour] = to_gpu(p, true, h2f_split[colour]);
    CUDA_CHECK(cudaMalloc((void **)&p->squares, (size_t)p->count * sizeof *p->squares));
    open_streams(p);
    if (k > 0) {
      let_access(k, k - 1);
      let_access(k - 1, k);
    }
  }
  free(u_split[0]);
  free(h2f_split[0]);
  free(scaled);
}

void parts_close(struct sg_part *parts, int gpus) {
  for (int k = 0; k < gpus; k++) {
    struct sg_part *p = &parts[k];
    CUDA_CHECK(cudaSetDevice(p->gpu));
    for (int colour = 0; colour < 2; colour++) {
      CUDA_CHECK(cudaFree(p->u[colour]));
      CUDA_CHECK(cudaFree(p->h2f[colour]));
    }
    CUDA_CHECK(cudaFree(p->squares));
    CUDA_CHECK(cudaEventDestroy(p->border_done));
    CUDA_CHECK(cudaEventDestroy(p->inner_done));
    CUDA_CHECK(cudaEventDestroy(p->sent));
    CUDA_CHECK(cudaStreamDestroy(p->border));
    CUDA_CHECK(cudaStreamDestroy(p->inner));
  }
}

void parts_wait(const struct sg_part *parts, int gpus) {
  for (int k = 0; k < gpus; k++) {
    CUDA_CHECK(cudaSetDevice(parts[k].gpu));
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
  }
}

void parts_get_array(const struct sg_part *part, int colour, double *array) {
  CUDA_CHECK(cudaSetDevice(part->gpu));
  CUDA_CHECK(cudaMemcpy(array, part->u[colour], array_bytes(part), cudaMemcpyDeviceToHost));
}

void parts_get(const struct sg_part *parts, int gpus, struct grid g, double *u) {
  double *whole[2];
  split(g, u, whole);
  for (int k = 0; k < gpus; k++)
    for (int colour = 0; colour < 2; colour++) {
      const struct sg_part *p = &parts[k];
      CUDA_CHECK(cudaMemcpy(whole[colour] + p->first * (ptrdiff_t)p->pitch, p->u[colour] + p->pitch,
                            (size_t)p->count * row_bytes(p), cudaMemcpyDeviceToHost));
    }
  grid_split_unpack(g, sizeof *u, whole[0], whole[1], u);
  free(whole[0]);
}
