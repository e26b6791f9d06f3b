/* Lab 01, as the suite runs it: other calls of a function before the one that counts, memory of the caller beside the
 * arrays, another 1/h². */
#define main lab_main
#include "../../labs/01_stencil/main.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include "heap.h"
#include "judged.h"
#include "judged_far.h"
#include "judged_grids.h"
#include "triples.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static int calls = 1, last_rows;
static double inv_h2;

static const struct options_option more_options[] = {
    OPTIONS_DOUBLE("inv-h2", &inv_h2, 0, 1e12, "1/h² that the function gets; 0: (nx − 1)²"),
    OPTIONS_INT("calls", &calls, 1, 1000,
                "calls of the function; the last one counts, and earlier ones have other grids"),
    HEAP_OPTION,
    JUDGED_FAR,
    OPTIONS_INT("last-rows", &last_rows, 1, STENCIL_MAX, "write only so many rows, the last ones"),
    OPTIONS_END,
};

/* --- the calls --- */

/* What a function keeps from earlier calls does not fit the last one. Each has another kappa; the first has sides
 * exchanged, the second fewer rows, the third the grid of the last one. */
enum { EXCHANGED, FEWER_ROWS, SAME_GRID };
static bool is_other(int call) { return call < calls - 1 && call <= SAME_GRID; }

static struct grid grid_of_call(struct grid g, int call) {
  if (!is_other(call) || call == SAME_GRID)
    return g;
  return call == EXCHANGED ? grid_make(g.ny, g.nx) : judged_fewer_rows(g);
}

static double kappa_of_call(int call) { return is_other(call) ? kappa + 1 : kappa; }

static double inv_h2_of_call(struct grid g) { return inv_h2 > 0 ? inv_h2 : (double)(g.nx - 1) * (g.nx - 1); }

static void write_result(struct grid g, const float *f) {
  const int rows = last_rows && last_rows < g.ny ? last_rows : g.ny;
  npy_save(out_path, NPY_FLOAT32, (size_t)rows, (size_t)g.nx, f + grid_index(g, g.ny - rows, 0));
}

/* --- the matrix --- */

/* A loop that never ends writes beyond the arrays and what follows them. */
static void tell_trespass(int signal) {
  static const char text[] =
      "stencil: csr_assemble: writes or reads far outside its arrays: does a loop never end?\n";
  (void)signal;
  const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(written < 0 ? EXIT_FAILURE : MATRIX_FAILED_STATUS);
}

/* Entries beyond the matrix that csr_assemble must not write to: room for five in every row, and a few. */
static size_t guard_entries(size_t points, size_t entries) { return 5 * points + 64 - entries; }

enum { GUARD = 0x5a }; /* each byte */

static void check_guard(const char *array, const void *guard, size_t bytes, size_t entries) {
  const unsigned char *byte = guard;
  for (size_t k = 0; k < bytes; k++)
    if (byte[k] != GUARD) {
      fprintf(stderr, "stencil: csr_assemble: writes beyond the end of %s: the matrix has %zu entries\n",
              array, entries);
      exit(MATRIX_FAILED_STATUS);
    }
}

/* f = A u in double by the assembled matrix; the part that is not written, or 0. */
static int multiply_guarded(struct grid g, double kappa_now, bool is_last, const float *u, double *f) {
  const size_t entries = reference_csr_entries(g), guard = guard_entries(grid_points(g), entries);
  struct reference_csr a = csr_matrix_open(g, guard);
  memset(a.column + entries, GUARD, guard * sizeof *a.column);
  memset(a.value + entries, GUARD, guard * sizeof *a.value);
  void (*const before)(int) = signal(SIGSEGV, tell_trespass);
  const int part =
      csr_assemble(g.nx, g.ny, inv_h2_of_call(g), kappa_now * kappa_now, a.row_start, a.column, a.value);
  signal(SIGSEGV, before);
  check_guard("column", a.column + entries, guard * sizeof *a.column, entries);
  check_guard("value", a.value + entries, guard * sizeof *a.value, entries);
  if (part == 0) {
    csr_matrix_check(&a, g);
    csr_matrix_multiply(&a, u, f);
    if (is_last && csr_matrix_path)
      triples_write(csr_matrix_path, &a);
  }
  reference_csr_free(&a);
  return part;
}

static void judged_matrix(struct grid g, const float *u) {
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  struct heap heap = heap_watch("csr_assemble");
  for (int n = 0; n < calls; n++) {
    unwritten_check(multiply_guarded(grid_of_call(g, n), kappa_of_call(n), !is_other(n), u, f),
                    heap.function);
    if (!is_other(n))
      heap_note_call(&heap);
  }
  heap_check(&heap);
  printf("csr: %zu entries\n", reference_csr_entries(g));
  fields_write(out_path, NPY_FLOAT64, g, f);
  free(f);
}

/* --- the kernels --- */

static void judged_kernel(struct grid g, const float *u) {
  float *f = allocate_zeroed(grid_points(g), sizeof *f);
  memcpy(f, u, grid_points(g) * sizeof *f); /* a kernel without boundary leaves it as the identity requires */
  struct device d = device_open((enum variant)variant, g, kappa);
  device_put(&d, u);
  device_poison(&d);
  struct heap heap = heap_watch(d.kernel->function);
  const struct stopwatch watch = stopwatch_start();
  for (int n = 0; n < calls; n++) {
    struct device of_call = d;
    of_call.g = grid_of_call(g, n);
    of_call.inv_h2 = inv_h2_of_call(of_call.g);
    if (kappa > 0) /* the term with kappa may be unwritten */
      of_call.kappa2 = (float)(kappa_of_call(n) * kappa_of_call(n));
    if (n > 0)
      device_poison(&d);
    unwritten_check(device_launch(&of_call), d.kernel->function);
    if (!is_other(n))
      heap_note_call(&heap);
  }
  stopwatch_mark(watch);
  device_get(&d, f); /* the first wait: any wait of the function itself comes before it */
  const double ms = stopwatch_read(watch);
  heap_check(&heap);
  device_close(&d);
  printf("%s: nx %d, ny %d, kappa %g: %.4f ms\n", device_names[variant], g.nx, g.ny, kappa, ms);
  write_result(g, f);
  free(f);
}

/* The kernel's arrays omit `border` rows and columns. What is not written stays NaN. */
static void judged_kernel_far(void) {
  const struct grid g = grid_make(nx, ny ? ny : nx), strip = judged_far_strip(g);
  struct device d = {.kernel = &device_kernels[variant], .g = g, .inv_h2 = (double)(g.nx - 1) * (g.nx - 1)};
  const size_t border = (size_t)d.kernel->border, rows = (size_t)strip.ny - border,
               left = (size_t)strip.nx - 2 * border;
  const size_t end = ((size_t)g.ny - 2 * border) * left, bytes = left * sizeof(float);
  judged_far_open(end * sizeof(float), 2, (void **[]){(void **)&d.u, (void **)&d.f});
  float *values = judged_far_values(strip);
  CUDA_CHECK(cudaMemcpy2D(d.u + (end - rows * left), bytes, values + border,
                          (size_t)strip.nx * sizeof *values, bytes, rows, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d.f + (end - rows * left), 0xff, rows * bytes));
  unwritten_check(device_launch(&d), d.kernel->function);
  memset(values, 0xff, grid_points(strip) * sizeof *values);
  CUDA_CHECK(cudaMemcpy2D(values + border, (size_t)strip.nx * sizeof *values, d.f + (end - rows * left),
                          bytes, bytes, rows, cudaMemcpyDeviceToHost));
  device_close(&d);
  fields_write(out_path, NPY_FLOAT32, strip, values);
  free(values);
}

/* Arrays of the host that can be read, and are never filled. */
static void judged_host_far(void) {
  const struct grid g = grid_make(nx, ny ? ny : nx);
  const size_t bytes = grid_points(g) * sizeof(float);
  float *arrays[2];
  for (int n = 0; n < 2; n++)
    if ((arrays[n] = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) ==
        MAP_FAILED)
      error_die("no addresses for %zu bytes", bytes);
  unwritten_check(apply_host(g.nx, g.ny, 1, 0, arrays[0], arrays[1]), "apply_host");
}

enum { OTHER_BYTES = 256, OTHER = 0x5a };

/* Memory of the caller, which a function must leave alone. */
static unsigned char *open_other(void) {
  unsigned char *other;
  CUDA_CHECK(cudaMalloc((void **)&other, OTHER_BYTES));
  CUDA_CHECK(cudaMemset(other, OTHER, OTHER_BYTES));
  return other;
}

/* Ends the program with one line and exit status 1 if it is lost or changed, and frees it. */
static void check_other(unsigned char *other, const char *function) {
  unsigned char bytes[OTHER_BYTES];
  struct cudaPointerAttributes place;
  bool kept = cudaPointerGetAttributes(&place, other) == cudaSuccess && place.type == cudaMemoryTypeDevice &&
              cudaMemcpy(bytes, other, OTHER_BYTES, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int k = 0; k < OTHER_BYTES && kept; k++)
    kept = bytes[k] == OTHER;
  if (!kept) {
    fprintf(stderr, "stencil: %s: the caller's memory on the device is lost: expected no cudaDeviceReset\n",
            function);
    exit(MATRIX_FAILED_STATUS);
  }
  CUDA_CHECK(cudaFree(other));
}

/* f begins as NaN, so that a missing copy is detected. */
static void judged_host(struct grid g, const float *u) {
  float *f = allocate_zeroed(grid_points(g), sizeof *f);
  const double start = timing_now();
  struct heap heap = heap_watch("apply_host");
  unsigned char *other = calls > 1 ? open_other() : NULL;
  for (int n = 0; n < calls; n++) {
    const struct grid of_call = grid_of_call(g, n);
    memset(f, 0xff, grid_points(g) * sizeof *f);
    unwritten_check(
        apply_host(of_call.nx, of_call.ny, (float)inv_h2_of_call(of_call), (float)(kappa * kappa), u, f),
        heap.function);
    if (!is_other(n))
      heap_note_call(&heap);
  }
  heap_check(&heap);
  if (other)
    check_other(other, heap.function);
  printf("host: nx %d, ny %d, kappa %g: %.4f ms with transfers\n", g.nx, g.ny, kappa,
         1e3 * (timing_now() - start));
  write_result(g, f);
  free(f);
}

static int judged_apply(void) {
  if (judged_far > 0 && variant != CSR) {
    (variant == HOST ? judged_host_far : judged_kernel_far)();
    return 0;
  }
  struct grid g;
  float *u = input(&g);
  if (variant == CSR)
    judged_matrix(g, u);
  else if (variant == HOST)
    judged_host(g, u);
  else
    judged_kernel(g, u);
  free(u);
  return 0;
}

int main(int argc, char **argv) {
  const struct options_command judged[] = {
      [APPLY] = {NULL, "f = A u", judged_options(apply_options, more_options)},
      [COMPARE] = commands[COMPARE],
      [TABLE] = commands[TABLE],
      [SOLVE] = commands[SOLVE],
      OPTIONS_END,
  };
  const int command = options_parse("the discrete Laplacian, judged", judged, argc, argv);
  return command == APPLY ? judged_apply() : run(command);
}
