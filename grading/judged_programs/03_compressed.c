/* Lab 03, as the suite runs it: other calls of a function before the one that counts, and a server. */
#define main lab_main
#include "../../labs/03_compressed/main.c" // NOLINT(bugprone-suspicious-include)
#undef main

#include "judged.h"
#include "judged_sweeps.h"

static int calls = 1;

static const struct options_option more_apply[] = {JUDGED_EARLIER, JUDGED_FAR, HEAP_OPTION, OPTIONS_END};
static const struct options_option more_columns[] = {
    OPTIONS_INT("calls", &calls, 1, 1000,
                "calls of compressed_columns; the first of several has a smaller grid and the other colour"),
    HEAP_OPTION,
    OPTIONS_END,
};
static const struct options_option serve_options[] = {
    OPTIONS_CHOICE("variant", &variant, variant_names, "variant of the sweep"),
    OPTIONS_INT("blocks", &blocks, 1, BLOCKS_MAX, "walk: blocks of 32 x 2 threads"),
    SWEEPS_NX,
    SWEEPS_NY,
    SWEEPS_SEED,
    OPTIONS_END,
};

static int judged_pass(void *arrays, int limit, int *done) {
  (void)limit;
  *done = 1;
  return pass(arrays);
}

static int judged_columns(void) {
  const struct grid g = sweeps_grid();
  const int width = (g.nx + 1) / 2;
  fields_check_output(s->out_path);
  const size_t count = (size_t)g.ny * (size_t)width;
  int *columns = allocate_zeroed(count, sizeof *columns), *device_columns;
  CUDA_CHECK(cudaMalloc((void **)&device_columns, count * sizeof *columns));
  struct heap heap = heap_watch("compressed_columns");
  for (int n = 0; n < calls; n++) {
    const int less =
        n == 0 &&
        calls > 1; /* what a function keeps from the first of several calls does not fit the others */
    CUDA_CHECK(cudaMemset(device_columns, 0xff, count * sizeof *columns)); /* unwritten entries are −1 */
    unwritten_check(compressed_columns(g.nx - less, g.ny - less, colour ^ less, device_columns),
                    heap.function);
    CUDA_CHECK(cudaGetLastError());
    if (n > 0)
      heap_note_call(&heap);
  }
  heap_check(&heap);
  CUDA_CHECK(cudaMemcpy(columns, device_columns, count * sizeof *columns, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device_columns));
  show_columns(g, width, columns);
  free(columns);
  return 0;
}

int main(int argc, char **argv) {
  enum { SERVE = COMMANDS };
  const struct options_command judged[] = {
      [APPLY] = {NULL, "sweeps of u", judged_options(apply_options, more_apply)},
      [TABLE] = commands[TABLE],
      [COLUMNS] = {"columns", "column of each compressed index",
                   judged_options(columns_options, more_columns)},
      [GEOMETRY] = commands[GEOMETRY],
      [FLIGHT] = commands[FLIGHT],
      [SERVE] = {"serve", JUDGED_SERVE_HELP, serve_options},
      OPTIONS_END,
  };
  const int command = options_parse("one thread per point of one colour, judged", judged, argc, argv);
  const struct judged_sweeps sweeps = {variant_names[variant], function_names[variant], &judged_interleaved,
                                       judged_pass};
  switch (command) {
  case APPLY:
    return judged_sweeps_apply(&sweeps);
  case COLUMNS:
    return judged_columns();
  case SERVE:
    return judged_sweeps_serve(&sweeps);
  default:
    return run(command);
  }
}
