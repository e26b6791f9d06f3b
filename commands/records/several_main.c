/* The program around several.cu: red-black sweeps and conjugate gradients on several GPUs. --help lists the commands.
 *
 * Exit status: 0; 1 when bits differ, or CUDA or NCCL failed; 2 for bad input. */
#include "several_run.h"

#include "allocate.h"
#include "cuda_check.h"
#include "error.h"
#include "grid.h"
#include "options.h"
#include "reference.h"
#include "sizes.h"
#include "table.h"
#include "timing.h"

#include <math.h>
#include <string.h>

static const char *sizes_list, *gpus_list, *csv_path, *id_file;
static int repeats = 11, sweeps = 20, iterations = 128;
static bool launcher, uneven;
static double tolerance = 0;

#define TABLE_OPTIONS                                                                                        \
  OPTIONS_STRING("sizes", &sizes_list, "LIST", "numbers of points per row"),                                 \
      OPTIONS_STRING("gpus", &gpus_list, "LIST", "numbers of GPUs; 1, 2, 4, … if not given"),                \
      OPTIONS_FLAG("uneven", &uneven, "parts of different sizes"),                                           \
      OPTIONS_INT("repeats", &repeats, 1, 1000, "repeats of each measurement, after one warm-up"),           \
      OPTIONS_STRING("csv", &csv_path, "FILE", "write the table to this file"),                              \
      OPTIONS_FLAG("launcher", &launcher, "this process is one rank of a launcher such as mpirun"),          \
      OPTIONS_STRING("id-file", &id_file, "FILE", "with --launcher: a new file that all ranks see")
static const struct options_option sweep_options[] = {
    TABLE_OPTIONS, OPTIONS_INT("sweeps", &sweeps, 1, 100000, "sweeps in a batch"), OPTIONS_END};
static const struct options_option cg_options[] = {
    TABLE_OPTIONS, OPTIONS_INT("iterations", &iterations, 1, 1000000, "limit of iterations"),
    OPTIONS_DOUBLE("tolerance", &tolerance, 0, 1, "relative residual at which to stop"), OPTIONS_END};
static const struct options_option check_options[] = {OPTIONS_END};

enum command { CHECK, SWEEPS, CG };
static const struct options_command commands[] = {
    [CHECK] = {"check", "compare the bits on 1, 2, 3, 5 and 8 GPUs, as far as there are so many",
               check_options},
    [SWEEPS] = {"sweeps", "time of a red-black sweep", sweep_options},
    [CG] = {"cg", "time of an iteration of reduced conjugate gradients", cg_options},
    OPTIONS_END,
};

/* --- a run on all ranks --- */

struct run {
  bool is_cg, uneven;
  int nx, ny, repeats; /* all of them, with the warm-up */
  struct several_task task;
  void *u[2]; /* host memory for the whole u by colour, or NULL */
  /* Results, which rank 0 writes. */
  double *ms;
  struct pcg_result solved;
  unsigned long long checksum;
};

/* Copies a rank's rows to the host. The first and the last rank also have a row of the boundary. */
static void collect(const struct team_self *self, const struct several_part *p, size_t size,
                    const void *array, void *u) {
  const int from = self->rank == 0 ? 0 : p->first;
  const int to = self->rank + 1 == self->ranks ? p->ny : p->first + p->rows;
  CUDA_CHECK(cudaMemcpy((char *)u + (size_t)(from * p->pitch) * size,
                        (const char *)array + (size_t)several_place(p, from) * size,
                        (size_t)((to - from) * p->pitch) * size, cudaMemcpyDeviceToHost));
}

static void run_rank(const struct team_self *self, void *argument) {
  struct run *run = argument;
  double *ms = allocate_zeroed((size_t)run->repeats, sizeof *ms);
  struct pcg_result solved = {0};
  struct several_result result;
  several_load();
  if (run->is_cg)
    several_solve(self, &run->task, run->uneven, run->repeats, ms, &solved, &result);
  else
    several_sweeps(self, run->nx, run->ny, run->uneven, sweeps, run->repeats, ms, &result);
  for (int colour = GRID_RED; colour <= GRID_BLACK && run->u[0]; colour++)
    collect(self, &result.part, run->is_cg ? sizeof(double) : sizeof(float), result.u[colour],
            run->u[colour]);
  several_free(&result);
  if (self->rank == 0) {
    memcpy(run->ms, ms, (size_t)run->repeats * sizeof *ms);
    run->solved = solved;
    run->checksum = result.checksum;
  }
  free(ms);
}

static int devices(void) {
  int count;
  CUDA_CHECK(cudaGetDeviceCount(&count));
  return count;
}

/* --- check --- */

/* The numbers of several_fill of a whole grid, by colour, in host memory. */
static void whole(int nx, int ny, size_t size, enum several_boundary boundary, unsigned seed,
                  void **colours) {
  const struct several_part p = several_part_of(nx, ny, &(struct team_self){.ranks = 1}, false);
  const size_t count = (size_t)several_elements(&p), rows = (size_t)(ny * p.pitch) * size;
  void *array;
  CUDA_CHECK(cudaMalloc(&array, count * size));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++) {
    if (size == sizeof(float))
      several_fill_float(&p, colour, boundary, seed, 1, array);
    else
      several_fill_double(&p, colour, boundary, seed, pow(grid_make(nx, ny).h, 2), array);
    colours[colour] = allocate_zeroed(rows, 1);
    CUDA_CHECK(cudaMemcpy(colours[colour], (char *)array + (size_t)several_place(&p, 0) * size, rows,
                          cudaMemcpyDeviceToHost));
  }
  CUDA_CHECK(cudaFree(array));
}

static void free_colours(void **colours) {
  free(colours[GRID_RED]);
  free(colours[GRID_BLACK]);
}

static float *interleaved(struct grid g, void **colours) {
  float *u = allocate_zeroed(grid_points(g), sizeof *u);
  grid_split_unpack(g, sizeof *u, colours[GRID_RED], colours[GRID_BLACK], u);
  return u;
}

/* The bits of sweeps on the host. */
static float *reference_sweeps(struct grid g) {
  void *start[2], *h2f[2];
  whole(g.nx, g.ny, sizeof(float), SEVERAL_NUMBERS, 2, start);
  whole(g.nx, g.ny, sizeof(float), SEVERAL_ZERO, 1, h2f);
  float *u = interleaved(g, start), *f = interleaved(g, h2f);
  for (int half = 0; half < 2 * sweeps; half++)
    reference_gs_half_sweep_float(g, 0, half & 1, f, u);
  free_colours(start);
  free_colours(h2f);
  free(f);
  return u;
}

static struct run run_make(bool is_cg, int nx, int ny, size_t size) {
  struct run run = {.is_cg = is_cg, .nx = nx, .ny = ny, .repeats = 1};
  run.ms = allocate_zeroed(1, sizeof *run.ms);
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    run.u[colour] = allocate_zeroed(grid_split_points(grid_make(nx, ny)), size);
  return run;
}

static void run_free(struct run *run) {
  free_colours(run->u);
  free(run->ms);
}

static bool check_sweeps(int nx, int ny, int ranks, bool is_uneven) {
  const struct grid g = grid_make(nx, ny);
  struct run run = run_make(false, nx, ny, sizeof(float));
  run.uneven = is_uneven;
  team_run(ranks, run_rank, &run);
  float *u = interleaved(g, run.u), *expected = reference_sweeps(g);
  const bool equal = memcmp(u, expected, grid_points(g) * sizeof *u) == 0;
  if (!equal)
    printf("sweeps, %d x %d points on %d GPUs%s: bits differ from those of the host\n", nx, ny, ranks,
           is_uneven ? ", uneven parts" : "");
  free(u);
  free(expected);
  run_free(&run);
  return equal;
}

static struct run solve_on(int nx, int ny, double kappa, int ranks, bool is_uneven) {
  struct run run = run_make(true, nx, ny, sizeof(double));
  run.uneven = is_uneven;
  run.task = (struct several_task){nx, ny, kappa, 1, 1e-6, 500};
  team_run(ranks, run_rank, &run);
  return run;
}

/* One GPU against lab 06: the sums have another order, so the last bits differ. */
static bool check_against_lab(const struct run *run) {
  const struct grid g = grid_make(run->nx, run->ny);
  const struct pcg_grid lab = {g.nx, g.ny, grid_pitch(g.nx), 4 + pow(run->task.kappa * g.h, 2)};
  const struct pcg_control control = {
      .tolerance = run->task.tolerance, .limit = run->task.limit, .check_every = 64, .dot = pcg_dot};
  const size_t half = grid_split_points(g), bytes = half * sizeof(double);
  double *h2f, *u, *expected = allocate_zeroed(2 * half, sizeof *expected), most = 0, scale = 0;
  void *colours[2];
  struct pcg_result result;
  whole(g.nx, g.ny, sizeof(double), SEVERAL_ZERO, run->task.seed, colours);
  CUDA_CHECK(cudaMalloc((void **)&h2f, 2 * bytes));
  CUDA_CHECK(cudaMalloc((void **)&u, 2 * bytes));
  CUDA_CHECK(cudaMemset(u, 0, 2 * bytes));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    CUDA_CHECK(cudaMemcpy(h2f + (size_t)colour * half, colours[colour], bytes, cudaMemcpyHostToDevice));
  reduced_cg(&lab, h2f, u, control, &result);
  CUDA_CHECK(cudaMemcpy(expected, u, 2 * bytes, cudaMemcpyDeviceToHost));
  for (int colour = GRID_RED; colour <= GRID_BLACK; colour++)
    for (size_t n = 0; n < half; n++) {
      const double value = expected[(size_t)colour * half + n];
      most = fmax(most, fabs(value - ((double *)run->u[colour])[n]));
      scale = fmax(scale, fabs(value));
    }
  const bool good = run->solved.status == PCG_CONVERGED && run->solved.relative_residual <= 1.01e-6 &&
                    abs(run->solved.iterations - result.iterations) <= 1 && most <= 1e-4 * scale;
  if (!good)
    printf("CG, %d x %d points: status %d after %d iterations (lab 06: %d), residual %.2e, difference %.1e\n",
           g.nx, g.ny, (int)run->solved.status, run->solved.iterations, result.iterations,
           run->solved.relative_residual, scale > 0 ? most / scale : most);
  CUDA_CHECK(cudaFree(h2f));
  CUDA_CHECK(cudaFree(u));
  free_colours(colours);
  free(expected);
  return good;
}

static bool same_solution(const struct run *a, const struct run *b, int ranks) {
  const size_t bytes = grid_split_points(grid_make(a->nx, a->ny)) * sizeof(double);
  const bool equal =
      memcmp(&a->solved.relative_residual, &b->solved.relative_residual, sizeof(double)) == 0 &&
      a->solved.iterations == b->solved.iterations && a->checksum == b->checksum &&
      memcmp(a->u[GRID_RED], b->u[GRID_RED], bytes) == 0 &&
      memcmp(a->u[GRID_BLACK], b->u[GRID_BLACK], bytes) == 0;
  if (!equal)
    printf("CG, %d x %d points on %d GPUs%s: bits differ from those of one GPU\n", a->nx, a->ny, ranks,
           b->uneven ? ", uneven parts" : "");
  return equal;
}

static bool check_cg(int nx, int ny, double kappa, const int *ranks, int counts) {
  struct run one = solve_on(nx, ny, kappa, 1, false);
  bool good = check_against_lab(&one);
  for (int n = 0; n < counts; n++)
    for (int is_uneven = 0; is_uneven <= 1 && several_ranks(ny, ranks[n]) == ranks[n]; is_uneven++) {
      struct run run = solve_on(nx, ny, kappa, ranks[n], is_uneven);
      good &= same_solution(&one, &run, ranks[n]);
      run_free(&run);
    }
  run_free(&one);
  return good;
}

static int run_check(void) {
  static const int all_ranks[] = {1, 2, 3, 5, 8};
  static const struct {
    int nx, ny;
    double kappa;
  } grids[] = {{3, 3, 0}, {3, 6, 0}, {4, 7, 0}, {5, 18, 0}, {17, 33, 3}, {66, 23, 0}, {1100, 21, 0}};
  enum { RANKS = sizeof all_ranks / sizeof *all_ranks, GRIDS = sizeof grids / sizeof *grids };
  int counts = 1;
  char text[64] = "1";
  bool equal = true, solved = true;
  while (counts < RANKS && all_ranks[counts] <= devices() && team_version())
    snprintf(text + strlen(text), sizeof text - strlen(text), ", %d", all_ranks[counts++]);
  if (!team_version())
    error_warn("NCCL is missing (libnccl.so.2): only one GPU is checked");
  sweeps = 3;
  for (int k = 0; k < GRIDS; k++) {
    for (int n = 0; n < counts; n++)
      for (int is_uneven = 0; is_uneven <= 1 && several_ranks(grids[k].ny, all_ranks[n]) == all_ranks[n];
           is_uneven++)
        equal &= check_sweeps(grids[k].nx, grids[k].ny, all_ranks[n], is_uneven);
    solved &= check_cg(grids[k].nx, grids[k].ny, grids[k].kappa, all_ranks, counts);
  }
  if (equal)
    printf("red-black sweeps on %d grids, %s GPUs, even and uneven parts: the bits of the host\n", GRIDS,
           text);
  if (solved)
    printf("conjugate gradients on %d grids: the solution of lab 06 on one GPU, and its bits on %s GPUs\n",
           GRIDS, text);
  return equal && solved ? 0 : 1;
}

/* --- tables --- */

/* This process as one rank of a launcher; ranks is 0 without one. */
static struct team_self process;

static bool is_writer(void) { return process.rank == 0; }

static void run_on(int ranks, struct run *run) {
  if (!process.ranks)
    team_run(ranks, run_rank, run);
  else if (ranks > 1)
    run_rank(&process, run);
  else if (process.rank == 0)
    run_rank(&(struct team_self){.ranks = 1}, run);
  if (process.ranks)
    team_largest(&process, 0);
}

/* Of --gpus: 1, 2, 4, … and the number of devices; under a launcher, one and all. */
static struct sizes gpu_numbers(void) {
  const int most = process.ranks ? process.ranks : team_version() ? devices() : 1;
  char text[64] = "1";
  for (int n = 2; n < most && !process.ranks; n *= 2)
    snprintf(text + strlen(text), sizeof text - strlen(text), ",%d", n);
  if (most > 1)
    snprintf(text + strlen(text), sizeof text - strlen(text), ",%d", most);
  return sizes_read_option("gpus", gpus_list ? gpus_list : text, 1, most);
}

static void add_rows(int size, struct sizes gpus, bool is_cg, struct table *table) {
  double alone = 0;
  unsigned long long expected = 0;
  struct run run = {.is_cg = is_cg, .uneven = uneven, .nx = size, .ny = size, .repeats = repeats + 1};
  run.task = (struct several_task){size, size, 0, 0, tolerance, iterations};
  run.ms = allocate_zeroed((size_t)run.repeats, sizeof *run.ms);
  for (int n = 0; n < gpus.count; n++) {
    if (several_ranks(size, gpus.n[n]) < gpus.n[n])
      error_die("%d points per row: expected two rows inside of the boundary for each of %d GPUs", size,
                gpus.n[n]);
    run_on(gpus.n[n], &run);
    if (!is_writer())
      continue;
    const struct timing_summary ms = timing_summarise((size_t)repeats, run.ms + 1);
    const int steps = !is_cg ? sweeps : run.solved.iterations > 1 ? run.solved.iterations : 1;
    const bool is_first = gpus.n[n] == 1;
    alone = is_first ? ms.median : alone;
    expected = is_first ? run.checksum : expected;
    const struct table_cell none = table_none();
    table_row(table,
              (struct table_cell[]){table_number(size), table_number(gpus.n[n]), table_number(steps),
                                    table_number(ms.median / steps), table_number(ms.spread / steps),
                                    alone > 0 ? table_number(alone / ms.median) : none,
                                    alone > 0 ? table_number(alone / ms.median / gpus.n[n]) : none,
                                    alone > 0 && !is_first ? table_flag(run.checksum == expected) : none,
                                    is_cg ? table_number(run.solved.relative_residual) : none});
  }
  free(run.ms);
}

static void print_versions(void) {
  int runtime, driver;
  struct cudaDeviceProp properties;
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  CUDA_CHECK(cudaDriverGetVersion(&driver));
  printf("CUDA runtime %d.%d, driver for CUDA %d.%d, NCCL %s\n", runtime / 1000, runtime % 1000 / 10,
         driver / 1000, driver % 1000 / 10, team_version() ? team_version() : "is missing");
  for (int device = 0; device < devices(); device++) {
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    printf("device %d: %s, %d multiprocessors, %.0f GiB; peers:", device, properties.name,
           properties.multiProcessorCount, (double)properties.totalGlobalMem / (1 << 30));
    for (int peer = 0, can; peer < devices(); peer++) {
      CUDA_CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
      if (can)
        printf(" %d", peer);
    }
    printf("\n");
  }
}

static int run_table(bool is_cg) {
  static const struct table_column columns[] = {{"N", 6, "%.0f", "n", "%.0f"},
                                                {"GPUs", 5, "%.0f", "gpus", "%.0f"},
                                                {"steps", 6, "%.0f", "steps", "%.0f"},
                                                {"step (ms)", 10, "%.4f", "ms", "%.6f"},
                                                {"spread (ms)", 12, "%.4f", "spread_ms", "%.6f"},
                                                {"speed", 7, "%.3f", "speed", "%.4f"},
                                                {"efficiency", 11, "%.3f", "efficiency", "%.4f"},
                                                {"bits of one", 12, NULL, "same_bits", NULL},
                                                {"residual", 10, "%.2e", "relative_residual", "%.4e"},
                                                TABLE_END};
  if (launcher && !id_file)
    error_die("--launcher: expected --id-file FILE, a new file that all ranks see");
  if (launcher)
    process = team_join(team_of_launcher(), id_file);
  else if (!team_version())
    error_warn("NCCL is missing (libnccl.so.2): only one GPU is measured");
  const struct sizes sizes = sizes_read(sizes_list ? sizes_list : "8192,16384", 3, 32768),
                     gpus = gpu_numbers();
  struct table table;
  if (is_writer()) {
    print_versions();
    table_open(&table, csv_path, columns, "%s; medians of %d",
               is_cg ? "iterations of reduced CG in double, f = 1" : "red-black Gauss-Seidel sweeps in float",
               repeats);
  }
  for (int n = 0; n < sizes.count; n++)
    add_rows(sizes.n[n], gpus, is_cg, &table);
  free(sizes.n);
  free(gpus.n);
  if (process.ranks)
    team_leave(&process);
  return is_writer() ? table_close(&table) : 0;
}

int main(int argc, char **argv) {
  const enum command command =
      (enum command)options_parse("sweeps and conjugate gradients on several GPUs", commands, argc, argv);
  setenv("CUDA_MODULE_LOADING", "EAGER",
         0); /* no kernel is loaded while NCCL's kernels wait for each other */
  return command == CHECK ? run_check() : run_table(command == CG);
}
