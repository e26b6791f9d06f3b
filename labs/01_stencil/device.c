#include "device.h"

#include "cuda_check.h"
#include "stencil.h"

const char *const device_names[] = {
    [CSR] = "csr",   [NAIVE] = "naive", [TILED] = "tiled", [MARCHING] = "marching",
    [HOST] = "host", [SCALE] = "scale", [VARIANTS] = NULL};

/* A stencil.cu of version 1.0 has no part 7. */
__attribute__((weak)) int scale(int count, float factor, const float *x, float *y) {
  (void)count, (void)factor, (void)x, (void)y;
  return 7;
}

static int apply_scale(int nx, int ny, float inv_h2, float kappa2, const float *u, float *f) {
  (void)kappa2;
  return scale(nx * ny, inv_h2, u, f);
}

const struct device_kernel device_kernels[VARIANTS] = {
    [NAIVE] = {apply_naive, "apply_naive", "naive_kernel", 0},
    [TILED] = {apply_tiled, "apply_tiled", "tiled_kernel", 1},
    [MARCHING] = {apply_marching, "apply_marching", "marching_kernel", 0},
    [SCALE] = {apply_scale, "scale", "scale_kernel", 0}};

static size_t device_row_bytes(const struct device *d) {
  return (size_t)(d->g.nx - 2 * d->kernel->border) * sizeof(float);
}
static size_t device_rows(const struct device *d) { return (size_t)(d->g.ny - 2 * d->kernel->border); }

/* The first of the host's points that the device also has. */
static size_t device_offset(const struct device *d) {
  return grid_index(d->g, d->kernel->border, d->kernel->border);
}

struct device device_open(enum variant v, struct grid g, double kappa) {
  struct device d = {.kernel = &device_kernels[v], .g = g, .kappa2 = (float)(kappa * kappa)};
  d.inv_h2 = (double)(g.nx - 1) * (g.nx - 1);
  CUDA_CHECK(cudaMalloc((void **)&d.u, device_row_bytes(&d) * device_rows(&d)));
  CUDA_CHECK(cudaMalloc((void **)&d.f, device_row_bytes(&d) * device_rows(&d)));
  return d;
}

void device_close(struct device *d) {
  CUDA_CHECK(cudaFree(d->u));
  CUDA_CHECK(cudaFree(d->f));
}

void device_put(struct device *d, const float *u) {
  CUDA_CHECK(cudaMemcpy2D(d->u, device_row_bytes(d), u + device_offset(d), (size_t)d->g.nx * sizeof(float),
                          device_row_bytes(d), device_rows(d), cudaMemcpyHostToDevice));
}

void device_get(const struct device *d, float *f) {
  CUDA_CHECK(cudaMemcpy2D(f + device_offset(d), (size_t)d->g.nx * sizeof(float), d->f, device_row_bytes(d),
                          device_row_bytes(d), device_rows(d), cudaMemcpyDeviceToHost));
}

void device_poison(struct device *d) {
  CUDA_CHECK(cudaMemset(d->f, 0xff, device_row_bytes(d) * device_rows(d)));
}

int device_launch(const struct device *d) {
  const int part = d->kernel->apply(d->g.nx, d->g.ny, (float)d->inv_h2, d->kappa2, d->u, d->f);
  CUDA_CHECK(cudaGetLastError());
  return part;
}
