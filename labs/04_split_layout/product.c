#include "product.h"

#include "allocate.h"
#include "error.h"
#include "npy.h"
#include "random.h"
#include "split_layout.h"
#include "sweeps.h"

const char *const product_names[] = {[PRODUCT_NAIVE] = "naive",
                                     [PRODUCT_TILE] = "tile",
                                     [PRODUCT_PIPELINED] = "pipelined",
                                     [PRODUCT_VARIANTS] = NULL};
const struct product_function product_functions[] = {
    [PRODUCT_NAIVE] = {sgemm_naive, "sgemm_naive", "naive_kernel"},
    [PRODUCT_TILE] = {sgemm_tile, "sgemm_tile", "tile_kernel"},
    [PRODUCT_PIPELINED] = {sgemm_pipelined, "sgemm_pipelined", "pipelined_kernel"},
};

/* --- matrices --- */

static float *read_matrix(const char *path, int rows, int columns) {
  struct npy array;
  struct error error;
  if (!npy_read(path, NPY_FLOAT32, 2, &array, &error) || !npy_check_finite(path, &array, &error))
    error_die("%s", error.text);
  if (array.shape[0] != (size_t)rows || array.shape[1] != (size_t)columns)
    error_die("%s: shape (%zu, %zu): expected (%d, %d) from --m, --n and --k", path, array.shape[0],
              array.shape[1], rows, columns);
  return array.data;
}

static float *random_matrix(struct random *random, int rows, int columns) {
  const size_t count = (size_t)rows * (size_t)columns;
  float *matrix = allocate_zeroed(count, sizeof *matrix);
  for (size_t e = 0; e < count; e++)
    matrix[e] = random_float(random, -1, 1);
  return matrix;
}

static size_t matrix_bytes(int rows, int columns) { return (size_t)rows * (size_t)columns * sizeof(float); }

static float *device_matrix(int rows, int columns, const float *values) {
  float *matrix;
  CUDA_CHECK(cudaMalloc((void **)&matrix, matrix_bytes(rows, columns)));
  if (values)
    CUDA_CHECK(cudaMemcpy(matrix, values, matrix_bytes(rows, columns), cudaMemcpyHostToDevice));
  else /* an entry that is not written remains NaN */
    CUDA_CHECK(cudaMemset(matrix, 0xff, matrix_bytes(rows, columns)));
  return matrix;
}

/* Draws A first, so that B does not depend on --a. */
struct matrices matrices_open(const struct product *p, int rows, int columns, int inner) {
  struct random random = random_seed((uint64_t)sweeps_settings.seed);
  float *random_a = random_matrix(&random, rows, inner), *random_b = random_matrix(&random, inner, columns);
  float *a = p->a_path ? read_matrix(p->a_path, rows, inner) : random_a;
  float *b = p->b_path ? read_matrix(p->b_path, inner, columns) : random_b;
  const struct matrices d = {.m = rows,
                             .n = columns,
                             .k = inner,
                             .a = device_matrix(rows, inner, a),
                             .b = device_matrix(inner, columns, b),
                             .c = device_matrix(rows, columns, NULL)};
  if (a != random_a)
    free(a);
  if (b != random_b)
    free(b);
  free(random_a);
  free(random_b);
  return d;
}

void matrices_close(struct matrices *d) {
  CUDA_CHECK(cudaFree(d->a));
  CUDA_CHECK(cudaFree(d->b));
  CUDA_CHECK(cudaFree(d->c));
}

/* --- C = A B --- */

static double teraflops(const struct matrices *d, double ms) { return 2.0 * d->m * d->n * d->k / (ms * 1e9); }

void product_show(const struct product *p, const struct matrices *d, struct stopwatch watch) {
  float *c = allocate_zeroed((size_t)d->m * (size_t)d->n, sizeof *c);
  CUDA_CHECK(cudaMemcpy(c, d->c, matrix_bytes(d->m, d->n), cudaMemcpyDeviceToHost));
  const double ms = stopwatch_read(watch);
  printf("%s: m %d, n %d, k %d: %.4f ms\n", product_names[p->variant], d->m, d->n, d->k, ms);
  npy_save(sweeps_settings.out_path, NPY_FLOAT32, (size_t)d->m, (size_t)d->n, c);
  free(c);
}

int product_run(const struct product *p) {
  struct matrices d = matrices_open(p, p->m, p->n, p->k);
  const struct product_function *f = &product_functions[p->variant];
  const struct stopwatch watch = stopwatch_start();
  unwritten_check(f->multiply(d.m, d.n, d.k, d.a, d.b, d.c), f->function);
  CUDA_CHECK(cudaGetLastError());
  stopwatch_mark(watch);
  product_show(p, &d, watch);
  matrices_close(&d);
  return 0;
}

/* --- the table of times --- */

/* Returns the unwritten part, or 0 and the median time. */
static int time_variant(const struct matrices *d, int v, int repeats, double *ms) {
  double *samples = allocate_zeroed((size_t)repeats, sizeof *samples);
  int part = 0;
  for (int r = -1; r < repeats && !part; r++) {
    const struct stopwatch watch = stopwatch_start();
    part = product_functions[v].multiply(d->m, d->n, d->k, d->a, d->b, d->c);
    CUDA_CHECK(cudaGetLastError());
    samples[r < 0 ? 0 : r] = stopwatch_stop(watch);
  }
  *ms = timing_summarise((size_t)repeats, samples).median;
  free(samples);
  return part;
}

static void time_size(const struct product *p, int size, struct table *table) {
  struct matrices d = matrices_open(p, size, size, size);
  for (int v = 0; v < PRODUCT_VARIANTS; v++) {
    double ms;
    const int part = time_variant(&d, v, sweeps_settings.repeats, &ms);
    const struct table_cell row[] = {table_number(size), table_text(product_names[v]),
                                     table_text(product_functions[v].kernel), table_number(ms),
                                     table_number(teraflops(&d, ms))};
    if (part)
      table_unwritten(table, row, 2, NULL, part);
    else
      table_row(table, row);
  }
  matrices_close(&d);
}

int product_table(const struct product *p) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"variant", -12, NULL, "variant", NULL},
                                                {NULL, 0, NULL, "kernel", NULL},
                                                {"time (ms)", 12, "%.4f", "ms", "%.6f"},
                                                {"TFLOP/s", 10, "%.2f", "teraflop_per_s", "%.3f"},
                                                TABLE_END};
  const struct sizes sizes = sizes_read(p->sizes, SGEMM_MIN, SGEMM_MAX);
  struct table table;
  table_open(&table, sweeps_settings.csv_path, columns,
             "device %s; time of C = A B by device events, median of %d", stopwatch_device(),
             sweeps_settings.repeats);
  for (int size = 0; size < sizes.count; size++)
    time_size(p, sizes.n[size], &table);
  free(sizes.n);
  return table_close(&table);
}
