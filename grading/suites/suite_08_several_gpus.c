/* Lab 08: runs a program on simulated GPUs (see lab_suite.h for the command line) and judges its files. */
#include "allocate.h"
#include "counters.h"
#include "gpu_work.h"
#include "judge.h"
#include "lab_files.h"
#include "lab_suite.h"
#include "plural.h"
#include "reference.h"
#include "rules.h"
#include "solve_suite.h"
#include "traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const colours[] = {"red", "black"};

/* --- runs --- */

/* The number of GPUs that the program sees, and the checks of its runs. False: a real machine has fewer of them. */
static bool begin(int gpus) {
  char number[8];
  snprintf(number, sizeof number, "%d", gpus);
  setenv("SIMGPU_DEVICES", number, 1);
  setenv("SIMGPU_CHECKS", "races,uninitialised,frees,streams", 1);
  if (lab_suite_is_simulated())
    return true;
  const struct program_result result =
      lab_suite_run((const char *[]){"exchange", "--gpus", number, "--nx", "10", NULL});
  return !strstr(result.message, "this machine has");
}

/* command NULL: sweeps. u and f are written to files. */
static void add_problem(struct arguments *a, const char *command, const struct gpu_work_split *split,
                        struct grid g, const double *u, const double *f) {
  if (command)
    arguments_add(a, command);
  arguments_add(a, "--rows");
  snprintf(a->text[a->texts], sizeof *a->text, "%s", gpu_work_list(split));
  arguments_add(a, a->text[a->texts++]);
  solve_suite_write("u.npy", g, u);
  solve_suite_write("f.npy", g, f);
  arguments_add(a, "--u"), arguments_add(a, "u.npy");
  arguments_add(a, "--f"), arguments_add(a, "f.npy");
}

/* What a call of the runtime that fails in the student's function is likely to mean. */
static const char *cause_of(const char *message) {
  static const char *const causes[][2] = {
      {"cudaErrorInvalidValue",
       "does the first GPU copy to a part above it, or the last one to a part below it? They have none. Or does a copy extend past "
       "an array?"},
      {"cudaErrorInvalidResourceHandle",
       "is the part's GPU the current one (cudaSetDevice) when its streams and events are used? Or is the stream or event of a "
       "part used that does not exist, above the first or below the last?"},
      {"cudaErrorInvalidDevice", "cudaSetDevice takes part.gpu"},
  };
  for (size_t n = 0; n < sizeof causes / sizeof *causes; n++)
    if (strstr(message, causes[n][0]))
      return causes[n][1];
  return NULL;
}

/* Fails the test with the program's message and the likely cause unless it succeeds. */
static struct program_result run(const char *function, const struct arguments *a) {
  const struct program_result result = lab_suite_run(a->list);
  const char *cause = cause_of(result.message);
  if (result.status == 1 && cause) {
    char text[512];
    program_describe(&result, text, sizeof text);
    ck_abort_msg("%s: a call of the CUDA runtime fails: %s\n%s", function, cause, text);
  }
  return result.status == 0 && !result.timed_out && !result.signal ? result
                                                                   : lab_suite_expect_success(a->list);
}

static double *random_field(struct grid g, uint64_t purpose) {
  return solve_suite_random(g, lab_suite_seed(purpose + 1000 * (uint64_t)g.ny + (uint64_t)g.nx));
}

/* --- 08/rows --- */

static void fail_rows(const char *message, int ny, int gpus) {
  const char *said = rules_after(message, "sg_rows: ");
  const int lost = (ny - 2) % gpus;
  ck_abort_msg(
      "sg_rows, ny %d: %.*s%s", ny, (int)strcspn(said, "\n"), said,
      lost > 0 ? ": is the remainder of the division shared among the GPUs, so that each row has one?" : "");
}

/* Numbers of rows from the lines "GPU 0: rows 1 to 5". A program that prints none has shown nothing. */
static void check_balance(const char *output, int ny, int gpus) {
  int least = ny, most = 0, gpu = 0, end = 1, k, first, last;
  for (const char *line = strstr(output, "GPU "); line; line = strstr(line + 1, "GPU "))
    if (sscanf(line, "GPU %d: rows %d to %d", &k, &first, &last) == 3 && k == gpu && first == end) {
      least = last - first + 1 < least ? last - first + 1 : least;
      most = last - first + 1 > most ? last - first + 1 : most;
      end = last + 1;
      gpu++;
    }
  if (gpu != gpus || end != ny - 1)
    ck_abort_msg(
        "sg_rows, ny %d: the program names %d GPUs, with rows up to %d: expected %d, with rows up to %d", ny,
        gpu, end - 1, gpus, ny - 2);
  if (most - least > 1)
    ck_abort_msg(
        "sg_rows, ny %d: %d GPUs have from %d to %d rows: expected numbers that differ by at most 1: all GPUs wait "
        "for the one with most rows",
        ny, gpus, least, most);
}

static void check_rows(int ny, int gpus) {
  struct arguments a = {0};
  arguments_add(&a, "rows");
  arguments_add_number(&a, "--ny", ny);
  arguments_add_number(&a, "--gpus", gpus);
  const struct program_result result = lab_suite_run(a.list);
  if (result.status == 1 && strstr(result.message, "sg_rows: "))
    fail_rows(result.message, ny, gpus);
  lab_suite_expect_success(a.list);
  check_balance(result.output, ny, gpus);
}

START_TEST(rows_of_all_grids) {
  static const int ny[] = {12, 3, 4, 5, 9, 10, 11, 17, 66, 1025, 32768};
  for (size_t n = 0; n < sizeof ny / sizeof *ny; n++)
    for (int gpus = 1; gpus <= SUITE_08_MOST && gpus <= ny[n] - 2; gpus += gpus < 3 ? 1 : 2)
      check_rows(ny[n], gpus);
  check_rows(10, 8);
  check_rows(34, 8);
}
END_TEST

/* --- 08/exchange --- */

static const struct {
  int nx;
  struct gpu_work_split split;
} cases[] = {
    {10, {3, {3, 4, 3}}},
    {9, {2, {3, 4}}},
    {34, {3, {3, 1, 4}}},
    {3, {2, {1, 1}}},
    {65, {1, {5}}},
    {66, {4, {1, 2, 1, 5}}},
    {17, {8, {1, 1, 1, 1, 1, 1, 1, 1}}},
    {130, {7, {4, 1, 2, 9, 1, 1, 3}}},
};
enum { CASES = sizeof cases / sizeof *cases };

/* u of one part as the program keeps it: an array for each colour, with halo rows. */
static size_t offset_of(const struct gpu_work_split *split, int colour, int part, int nx) {
  size_t rows = 0;
  for (int n = 0; n < colour * split->gpus + part; n++)
    rows += (size_t)split->rows[n % split->gpus] + 2;
  return rows * (size_t)grid_pitch(nx);
}

static int first_row(const struct gpu_work_split *split, int part) {
  int row = 1;
  for (int k = 0; k < part; k++)
    row += split->rows[k];
  return row;
}

static const char *misplaced(const struct gpu_work_split *split, int part, bool above, int row) {
  const int neighbour = above ? part - 1 : part + 1, first = first_row(split, neighbour),
            last = first + split->rows[neighbour] - 1;
  if (row == (above ? first : last))
    return above ? "the neighbour's first row: its last one is next to this halo"
                 : "the neighbour's last row: its first one is next to this halo";
  if (row == (above ? last + 1 : first - 1))
    return "this part's own border row";
  return "a row further away";
}

/* What a wrong halo row holds: a row of the grid, or zeros, as before. */
static void fail_halo(int nx, const struct gpu_work_split *split, int colour, int part, bool above,
                      const double *got, double *const split_u[2]) {
  const size_t pitch = (size_t)grid_pitch(nx);
  const struct grid g = gpu_work_grid(nx, split);
  const int expected = first_row(split, part) + (above ? -1 : split->rows[part]);
  static const double zeros[1 << 14];
  const char *side = above ? "above" : "below", *words = gpu_work_words(nx, split);
  if (memcmp(got, zeros, pitch * sizeof *got) == 0)
    ck_abort_msg(
        "sg_exchange, %s: no row arrives %s GPU %d's part: expected the %s points of row %d, from GPU %d",
        words, side, part, colours[colour], expected, above ? part - 1 : part + 1);
  for (int n = 0; n < 2 * g.ny; n++) {
    const int row = n / 2, other = n % 2 ? 1 - colour : colour;
    if (memcmp(got, split_u[other] + (size_t)row * pitch, pitch * sizeof *got) == 0)
      ck_abort_msg(
          "sg_exchange, %s: the halo row %s GPU %d's part holds the %s points of row %d of the grid: expected the %s "
          "points of row %d: %s",
          words, side, part, colours[other], row, colours[colour], expected,
          other != colour ? "halo rows of the wrong colour travel" : misplaced(split, part, above, row));
  }
  ck_abort_msg(
      "sg_exchange, %s: the halo row %s GPU %d's part holds no row of the grid: expected the %s points of row %d: are "
      "the length and the first element those of a row (part.pitch)?",
      words, side, part, colours[colour], expected);
}

static void check_arrays(int nx, const struct gpu_work_split *split, int sent_colour, const double *arrays,
                         double *const split_u[2]) {
  static const double zeros[1 << 14];
  const size_t pitch = (size_t)grid_pitch(nx), bytes = pitch * sizeof *arrays;
  for (int n = 0; n < 2 * split->gpus; n++) {
    const int colour = n < split->gpus ? 1 - sent_colour : sent_colour; /* the wrong colour names a cause */
    const int part = n % split->gpus, rows = split->rows[part];
    const double *array = arrays + offset_of(split, colour, part, nx);
    const double *own = split_u[colour] + (size_t)first_row(split, part) * pitch;
    for (int r = 1; r <= rows; r++)
      if (memcmp(array + (size_t)r * pitch, own + (size_t)(r - 1) * pitch, bytes) != 0)
        ck_abort_msg(
            "sg_exchange, %s: GPU %d's own row %d (%s) has changed: expected that only halo rows are written: row 0 "
            "and row count + 1",
            gpu_work_words(nx, split), part, r, colours[colour]);
    for (int side = 0; side < 2; side++) {
      const double *got = array + (side ? (size_t)(rows + 1) * pitch : 0);
      const bool is_boundary = side ? part == split->gpus - 1 : part == 0;
      if (is_boundary && memcmp(got, zeros, bytes) != 0)
        ck_abort_msg(
            "sg_exchange, %s: the row %s GPU %d's part has changed: it is the boundary of the grid, and no neighbour "
            "is there",
            gpu_work_words(nx, split), side ? "below" : "above", part);
      if (!is_boundary && colour == sent_colour &&
          memcmp(got, side ? own + (size_t)rows * pitch : own - pitch, bytes) != 0)
        fail_halo(nx, split, colour, part, !side, got, split_u);
      if (!is_boundary && colour != sent_colour && memcmp(got, zeros, bytes) != 0)
        ck_abort_msg(
            "sg_exchange, %s: a halo row of GPU %d has got %s points: expected %s ones alone, the colour of the call",
            gpu_work_words(nx, split), part, colours[colour], colours[sent_colour]);
    }
  }
}

static void check_exchange(int nx, const struct gpu_work_split *split, int colour) {
  const struct grid g = gpu_work_grid(nx, split);
  const size_t half = grid_split_points(g);
  double *u = random_field(g, 1), *f = random_field(g, 2),
         *packed = allocate_zeroed(2 * half, sizeof *packed);
  double *const split_u[2] = {packed, packed + half};
  struct arguments a = {0};
  grid_split_pack(g, sizeof *u, u, split_u[0], split_u[1]);
  add_problem(&a, "exchange", split, g, u, f);
  arguments_add(&a, "--colour"), arguments_add(&a, colours[colour]);
  arguments_add(&a, "--out"), arguments_add(&a, "out.npy");
  unlink("out.npy");
  run("sg_exchange", &a);
  struct npy out = lab_files_read_of_host("out.npy", NPY_FLOAT64, 2 * (size_t)(g.ny - 2 + 2 * split->gpus),
                                          (size_t)grid_pitch(nx));
  check_arrays(nx, split, colour, out.data, split_u);
  npy_free(&out);
  free(packed);
  free(f);
  free(u);
}

START_TEST(exchange_brings_halo_rows) {
  for (int n = 0; n < CASES; n++)
    for (int colour = 0; colour < 2; colour++)
      if (begin(cases[n].split.gpus))
        check_exchange(cases[n].nx, &cases[n].split, colour);
}
END_TEST

/* Two exchanges of each colour. */
static void check_exchange_work(int nx, const struct gpu_work_split *split) {
  const struct grid g = gpu_work_grid(nx, split);
  double *u = random_field(g, 3), *f = random_field(g, 4);
  struct arguments a = {0};
  add_problem(&a, "exchange", split, g, u, f);
  arguments_add_number(&a, "--sweeps", 2);
  gpu_work_record();
  run("sg_exchange", &a);
  if (gpu_work_read(nx, split)) {
    gpu_work_check_copies("sg_exchange", 4);
    gpu_work_check_order("sg_exchange");
  }
  free(f);
  free(u);
}

START_TEST(exchange_copies_halo_rows_alone) {
  begin(4);
  check_exchange_work(34, &(struct gpu_work_split){3, {3, 5, 4}});
  check_exchange_work(66, &(struct gpu_work_split){4, {3, 1, 2, 4}});
}
END_TEST

/* Neither waits of the host nor copies through it, in the calls that `more` makes beyond `few`. */
static void check_calls(const char *function, const struct arguments *few, const struct arguments *more,
                        double calls) {
  if (!counters_run(few->list))
    return;
  const struct rules_frame frame = rules_frame_read();
  counters_run(more->list);
  const double to_host = counters_total("bytes_to_host") - frame.bytes_to_host;
  if (to_host > 0)
    ck_abort_msg("%s: %.0f bytes go to the host in %.0f calls: expected none: halo rows go from GPU to GPU",
                 function, to_host, calls);
  rules_check_waits(&(struct rules){function, "several_gpus.h", .calls = calls}, &frame);
}

static void check_waits(const char *function, const char *command) {
  const struct gpu_work_split split = {3, {3, 4, 3}};
  const struct grid g = gpu_work_grid(18, &split);
  double *u = random_field(g, 5), *f = random_field(g, 6);
  struct arguments few = {0}, more = {0};
  begin(split.gpus);
  add_problem(&few, command, &split, g, u, f);
  arguments_add_number(&few, "--sweeps", 1);
  add_problem(&more, command, &split, g, u, f);
  arguments_add_number(&more, "--sweeps", 3);
  check_calls(function, &few, &more, 4);
  free(f);
  free(u);
}

START_TEST(exchange_does_not_wait) { check_waits("sg_exchange", "exchange"); }
END_TEST

/* --- 08/sweep --- */

/* What a half-sweep leaves out or does otherwise. */
enum fault {
  NO_EXCHANGE = 1,
  OTHER_COLOUR = 2,
  NO_FIRST_ROW = 8,
  NO_LAST_ROW = 16,
  NO_INNER_ROWS = 32,
  LAST_INNER_LEFT = 64,
  ONE_ROW_TWICE = 128,
  FIRST_INNER_LEFT = 256,
};

static const struct {
  enum fault fault;
  const char *words;
} faults[] = {
    {NO_EXCHANGE, "half-sweeps that exchange no halo rows"},
    {OTHER_COLOUR,
     "half-sweeps whose halo rows are a half-sweep old: rows of the colour that has just been computed travel, and "
     "they are sent after they are computed"},
    {NO_FIRST_ROW, "half-sweeps that do not compute the first row of a part"},
    {NO_LAST_ROW, "half-sweeps that do not compute the last row of a part"},
    {NO_INNER_ROWS, "half-sweeps that compute border rows alone"},
    {LAST_INNER_LEFT,
     "half-sweeps without the last inner row, row count - 1 of a part: the end of sweep_rows is the row after the "
     "last one"},
    {FIRST_INNER_LEFT, "half-sweeps without the first inner row, row 2 of a part"},
    {ONE_ROW_TWICE, "half-sweeps that compute the row of a part with a single row twice"},
};

struct problem {
  int nx;
  struct gpu_work_split split;
  double omega;
  int sweeps;
  const char *colour; /* NULL: both */
  double *u, *f;
};

/* A part of the grid with its halo, interleaved, and the place of its row 0. */
struct piece {
  int first, count;
  double *u;
};

static void relax_row(const struct problem *p, const struct piece *piece, int r, int colour) {
  const struct grid g = gpu_work_grid(p->nx, &p->split);
  const int i = piece->first - 1 + r;
  for (int j = grid_first_column(i, colour); j < g.nx - 1; j += 2) {
    double *u = piece->u + grid_index(g, r, j);
    const double sum = ((u[-1] + u[1]) + u[-g.nx]) + u[g.nx] + g.h * g.h * p->f[grid_index(g, i, j)];
    *u = (1 - p->omega) * *u + p->omega * (sum * 0.25);
  }
}

static void relax_piece(const struct problem *p, const struct piece *piece, int colour, enum fault fault) {
  const int rows = piece->count;
  for (int r = 1; r <= rows; r++) {
    const bool is_left = (fault & NO_FIRST_ROW && r == 1) || (fault & NO_LAST_ROW && r == rows) ||
                         (fault & NO_INNER_ROWS && 1 < r && r < rows) ||
                         (fault & LAST_INNER_LEFT && 2 <= r && r == rows - 1) ||
                         (fault & FIRST_INNER_LEFT && r == 2 && r < rows);
    if (!is_left)
      relax_row(p, piece, r, colour);
    if (fault & ONE_ROW_TWICE && rows == 1)
      relax_row(p, piece, r, colour);
  }
}

static void copy_colour(struct grid g, int i, int colour, const double *from, double *to) {
  for (int j = grid_colour(i, 0) == colour ? 0 : 1; j < g.nx; j += 2)
    to[j] = from[j];
}

static void send_rows(struct grid g, const struct gpu_work_split *split, const struct piece *pieces,
                      int colour) {
  for (int k = 0; k + 1 < split->gpus; k++) {
    const struct piece *upper = &pieces[k], *lower = &pieces[k + 1];
    const int i = lower->first;
    copy_colour(g, i, colour, lower->u + grid_index(g, 1, 0), upper->u + grid_index(g, upper->count + 1, 0));
    copy_colour(g, i - 1, colour, upper->u + grid_index(g, upper->count, 0), lower->u);
  }
}

static void half_sweep_with(const struct problem *p, struct grid g, const struct piece *pieces, int colour,
                            enum fault fault) {
  for (int k = 0; k < p->split.gpus; k++)
    relax_piece(p, &pieces[k], colour, fault);
  if (!(fault & NO_EXCHANGE))
    send_rows(g, &p->split, pieces, fault & OTHER_COLOUR ? 1 - colour : colour);
}

/* u after the sweeps, which the caller frees. */
static double *sweeps_with(const struct problem *p, enum fault fault) {
  const struct grid g = gpu_work_grid(p->nx, &p->split);
  double *u = solve_suite_copy(g, p->u);
  struct piece pieces[SUITE_08_MOST];
  for (int k = 0; k < p->split.gpus; k++) {
    pieces[k] = (struct piece){first_row(&p->split, k), p->split.rows[k], NULL};
    const size_t points = (size_t)(pieces[k].count + 2) * (size_t)g.nx;
    pieces[k].u = allocate_zeroed(points, sizeof *u);
    memcpy(pieces[k].u, u + grid_index(g, pieces[k].first - 1, 0), points * sizeof *u);
  }
  for (int n = 0; n < 2 * p->sweeps; n++)
    if (!p->colour || strcmp(p->colour, colours[n % 2]) == 0)
      half_sweep_with(p, g, pieces, n % 2, fault);
  for (int k = 0; k < p->split.gpus; k++) {
    memcpy(u + grid_index(g, pieces[k].first, 0), pieces[k].u + g.nx,
           (size_t)pieces[k].count * (size_t)g.nx * sizeof *u);
    free(pieces[k].u);
  }
  return u;
}

static const char *explain(const struct problem *p, const double *got) {
  const size_t bytes = grid_points(gpu_work_grid(p->nx, &p->split)) * sizeof *got;
  const char *found = NULL;
  for (size_t n = 0; n < sizeof faults / sizeof *faults && !found; n++) {
    double *wrong = sweeps_with(p, faults[n].fault);
    found = memcmp(wrong, got, bytes) == 0 ? faults[n].words : NULL;
    free(wrong);
  }
  return found;
}

static int part_of(const struct gpu_work_split *split, int row) {
  int part = 0;
  while (part + 1 < split->gpus && first_row(split, part + 1) <= row)
    part++;
  return part;
}

static void judge_sweeps(const struct problem *p, const double *expected, const double *got) {
  const struct grid g = gpu_work_grid(p->nx, &p->split);
  size_t first = 0, wrong = 0;
  for (size_t k = grid_points(g); k-- > 0;)
    if (memcmp(&expected[k], &got[k], sizeof *got) != 0) {
      first = k;
      wrong++;
    }
  if (wrong == 0)
    return;
  const int row = (int)(first / (size_t)g.nx), part = part_of(&p->split, row);
  const char *cause = explain(p, got);
  ck_abort_msg(
      "sg_half_sweep, %s, %d %s%ssweep%s: %zu of %zu values differ from those of one GPU; the first is in row %d of the "
      "grid, row %d of GPU %d's %d: %.17g, expected %.17g%s%s",
      gpu_work_words(p->nx, &p->split), p->sweeps, p->colour ? p->colour : "", p->colour ? " half-" : "",
      PLURAL(p->sweeps), wrong, grid_interior_points(g), row, row - first_row(&p->split, part) + 1, part,
      p->split.rows[part], got[first], expected[first], cause ? "\nit equals " : "", cause ? cause : "");
}

static struct problem problem_of(int n, int nx, const struct gpu_work_split *split) {
  const struct grid g = gpu_work_grid(nx, split);
  static const char *const half[] = {"red", NULL, "black"};
  return (struct problem){
      nx, *split, n % 2 ? 1.5 : 1, 1 + n % 3, half[n % 3], random_field(g, 7), random_field(g, 8)};
}

static void sweep_arguments(struct arguments *a, const struct problem *p) {
  add_problem(a, NULL, &p->split, gpu_work_grid(p->nx, &p->split), p->u, p->f);
  arguments_add_number(a, "--omega", p->omega);
  arguments_add_number(a, "--sweeps", p->sweeps);
  arguments_add(a, "--colour"), arguments_add(a, p->colour ? p->colour : "both");
}

static void problem_free(struct problem *p) {
  free(p->u);
  free(p->f);
}

static void check_sweeps(struct problem p) {
  struct arguments a = {0};
  if (!begin(p.split.gpus))
    return;
  sweep_arguments(&a, &p);
  arguments_add(&a, "--out"), arguments_add(&a, "out.npy");
  unlink("out.npy");
  run("sg_half_sweep", &a);
  double *expected = sweeps_with(&p, 0), *got = solve_suite_read("out.npy", gpu_work_grid(p.nx, &p.split));
  judge_sweeps(&p, expected, got);
  free(expected);
  free(got);
}

START_TEST(sweep_gives_the_bits_of_one_gpu) {
  for (int n = 0; n < CASES; n++)
    for (int k = 1; k < 3; k++) {
      struct problem p = problem_of(n + k, cases[n].nx, &cases[n].split);
      check_sweeps(p);
      problem_free(&p);
    }
}
END_TEST

/* Every number of GPUs, and more rows than a part has threads. */
START_TEST(sweep_of_all_numbers_of_gpus) {
  for (int gpus = 1; gpus <= SUITE_08_MOST; gpus++) {
    struct gpu_work_split split = {.gpus = gpus};
    for (int k = 0; k < gpus; k++)
      split.rows[k] = 1 + (7 * k + 3 * gpus) % 11;
    struct problem p = problem_of(1, 41, &split);
    check_sweeps(p);
    problem_free(&p);
  }
}
END_TEST

/* The reference of the labs, with the same h2f: the expected values are not this suite's alone. */
START_TEST(sweep_equals_the_reference) {
  struct problem p = problem_of(1, 34, &(struct gpu_work_split){3, {9, 2, 21}});
  const struct grid g = gpu_work_grid(p.nx, &p.split);
  double *expected = sweeps_with(&p, 0), *reference = solve_suite_copy(g, p.u);
  for (int n = 0; n < 2 * p.sweeps; n++)
    reference_sor_half_sweep(g, 0, p.omega, n % 2, p.f, reference);
  for (size_t k = 0; k < grid_points(g); k++)
    ck_assert(fabs(expected[k] - reference[k]) <= 1e-13);
  free(expected);
  free(reference);
  problem_free(&p);
}
END_TEST

/* --- 08/overlap --- */

static void check_sweep_work(const struct gpu_work_split *split, int sweeps) {
  enum { NX = 34 };
  struct problem p = problem_of(1, NX, split);
  struct arguments a = {0};
  begin(split->gpus);
  p.sweeps = sweeps;
  sweep_arguments(&a, &p);
  gpu_work_record();
  run("sg_half_sweep", &a);
  if (gpu_work_read(NX, split)) {
    gpu_work_check_copies("sg_half_sweep", 2 * sweeps + 2);
    gpu_work_check_order("sg_half_sweep");
    bool has_inner = true;
    for (int k = 0; k < split->gpus; k++)
      has_inner &= split->rows[k] > 2;
    if (has_inner)
      gpu_work_check_overlap(sweeps);
  }
  problem_free(&p);
}

START_TEST(overlap_of_copies_and_inner_rows) {
  check_sweep_work(&(struct gpu_work_split){3, {6, 5, 7}}, 3);
  check_sweep_work(&(struct gpu_work_split){4, {3, 1, 2, 4}}, 3);
}
END_TEST

START_TEST(overlap_without_waits) { check_waits("sg_half_sweep", NULL); }
END_TEST

/* --- 08/residual --- */

/* Squares of the residual of each row, in the order of row_kernels.h. */
static double *row_squares(struct grid g, const double *f, const double *u) {
  enum { THREADS = 256 };
  double *squares = allocate_zeroed((size_t)g.ny, sizeof *squares);
  for (int i = 1; i < g.ny - 1; i++) {
    double sums[THREADS] = {0};
    for (int colour = 0; colour < 2; colour++)
      for (int j = grid_first_column(i, colour); j < g.nx - 1; j += 2) {
        const double *at = u + grid_index(g, i, j), h2f = g.h * g.h * f[grid_index(g, i, j)];
        const double residual = ((at[-1] + at[1]) + at[-g.nx]) + at[g.nx] + h2f - 4 * at[0];
        sums[j / 2 % THREADS] += residual * residual;
      }
    for (int width = THREADS / 2; width > 0; width /= 2)
      for (int t = 0; t < width; t++)
        sums[t] += sums[t + width];
    squares[i] = sums[0];
  }
  return squares;
}

enum order { IN_ROWS, BY_PARTS, FROM_BELOW, FIRST_PART, LAST_ROW_LEFT, ROOT, ORDERS };
static const char *const order_words[] = {
    [BY_PARTS] =
        "the sums of the GPUs, added: this depends on the number of GPUs: expected the order of the rows",
    [FROM_BELOW] = "the sums of the rows from the last one to the first: expected the order of the rows",
    [FIRST_PART] = "the rows of GPU 0 alone",
    [LAST_ROW_LEFT] = "the rows without the last one, row ny − 2",
    [ROOT] = "the root of what is expected: the square is wanted",
};

static double sum_in(enum order order, const struct gpu_work_split *split, const double *squares) {
  double sum = 0;
  const int rows = first_row(split, split->gpus) - 1;
  if (order == BY_PARTS)
    for (int k = 0; k < split->gpus; k++) {
      double of_part = 0;
      for (int r = 0; r < split->rows[k]; r++)
        of_part += squares[first_row(split, k) + r];
      sum += of_part;
    }
  else
    for (int n = 1; n <= (order == FIRST_PART ? split->rows[0] : rows - (order == LAST_ROW_LEFT)); n++)
      sum += squares[order == FROM_BELOW ? rows + 1 - n : n];
  return order == ROOT ? sqrt(sum) : sum;
}

static void judge_square(int nx, const struct gpu_work_split *split, const double *squares, double got) {
  const double expected = sum_in(IN_ROWS, split, squares);
  if (!(got < expected || got > expected) && got == got)
    return;
  const char *cause = NULL;
  for (int order = BY_PARTS; order < ORDERS && !cause; order++) {
    const double wrong = sum_in((enum order)order, split, squares);
    cause = wrong < got || wrong > got || got != got ? NULL : order_words[order];
  }
  if (!cause && fabs(got - expected) <= 1e-12 * expected)
    cause = "the right sum up to rounding: is the order that of the rows, whatever the number of GPUs?";
  ck_abort_msg("sg_residual, %s: the square is %.17g: expected %.17g%s%s", gpu_work_words(nx, split), got,
               expected, cause ? "\nit is " : "", cause ? cause : "");
}

static void check_square(int nx, const struct gpu_work_split *split) {
  const struct grid g = gpu_work_grid(nx, split);
  double *u = random_field(g, 9), *f = random_field(g, 10), *squares = row_squares(g, f, u);
  struct arguments a = {0};
  if (begin(split->gpus)) {
    add_problem(&a, "residual", split, g, u, f);
    const struct program_result result = run("sg_residual", &a);
    judge_square(nx, split, squares,
                 strtod(lab_suite_line(result.output, "residual ") + strlen("residual "), NULL));
    traffic_check_launches(split->gpus);
  }
  free(squares);
  free(f);
  free(u);
}

START_TEST(residual_of_all_rows) {
  for (int n = 0; n < CASES; n++)
    check_square(cases[n].nx, &cases[n].split);
  check_square(601, &(struct gpu_work_split){3, {4, 1, 6}});
}
END_TEST

/* After sweeps that nothing has waited for. */
START_TEST(residual_follows_the_sweeps) {
  const struct gpu_work_split split = {3, {5, 4, 6}};
  const struct grid g = gpu_work_grid(34, &split);
  double *u = random_field(g, 11), *f = random_field(g, 12);
  struct arguments a = {0};
  begin(split.gpus);
  add_problem(&a, "residual", &split, g, u, f);
  run("sg_residual", &a); /* which is written */
  arguments_add_number(&a, "--sweeps", 1);
  gpu_work_record();
  const bool sweeps = lab_suite_run(a.list).status == 0; /* otherwise 08/sweep says why */
  if (gpu_work_read(g.nx, &split) && sweeps)
    gpu_work_check_order("sg_residual");
  free(f);
  free(u);
}
END_TEST

/* --- 08/input --- */

START_TEST(input_is_refused) {
  const struct grid g = grid_make(9, 9);
  double *ones = solve_suite_ones(g);
  for (int j = 0; j < g.nx; j++)
    ones[j] = 1;
  solve_suite_write("boundary.npy", g, ones);
  free(ones);
  lab_suite_expect_refused((const char *[]){"--gpus", "8", "--nx", "5", "--out", "out.npy", NULL},
                           "3 interior rows", "out.npy");
  lab_suite_expect_refused((const char *[]){"--gpus", "9", "--out", "out.npy", NULL}, "--gpus", "out.npy");
  lab_suite_expect_refused((const char *[]){"--gpus", "0", "--out", "out.npy", NULL}, "--gpus", "out.npy");
  lab_suite_expect_refused(
      (const char *[]){"--rows", "3,4", "--nx", "9", "--ny", "10", "--out", "out.npy", NULL},
      "7 rows in all: expected 8", "out.npy");
  lab_suite_expect_refused((const char *[]){"--rows", "3,x", "--out", "out.npy", NULL}, "--rows", "out.npy");
  lab_suite_expect_refused(
      (const char *[]){"--rows", "1,1,1,1,1,1,1,1,1", "--nx", "11", "--out", "out.npy", NULL}, "at most 8",
      "out.npy");
  lab_suite_expect_refused((const char *[]){"--u", "boundary.npy", "--out", "out.npy", NULL},
                           "boundary point", "out.npy");
  lab_suite_expect_refused((const char *[]){"residual", "--u", "boundary.npy", NULL}, "boundary point",
                           "out.npy");
}
END_TEST

START_TEST(too_few_gpus_are_one_line) {
  setenv("SIMGPU_DEVICES", "2", 1);
  if (lab_suite_is_simulated())
    lab_suite_expect_refused((const char *[]){"--rows", "3,1,3", "--nx", "9", "--out", "out.npy", NULL},
                             "3 GPUs: this machine has 2", "out.npy");
}
END_TEST

static const struct lab_test tests[] = {
    {"08/rows", &rows_of_all_grids},
    {"08/exchange", &exchange_brings_halo_rows},
    {"08/exchange", &exchange_copies_halo_rows_alone},
    {"08/exchange", &exchange_does_not_wait},
    {"08/sweep", &sweep_gives_the_bits_of_one_gpu},
    {"08/sweep", &sweep_of_all_numbers_of_gpus},
    {"08/sweep", &sweep_equals_the_reference},
    {"08/overlap", &overlap_of_copies_and_inner_rows},
    {"08/overlap", &overlap_without_waits},
    {"08/residual", &residual_of_all_rows},
    {"08/residual", &residual_follows_the_sweeps},
    {"08/input", &input_is_refused},
    {"08/input", &too_few_gpus_are_one_line},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  static const char *const probe[] = {"exchange", "--gpus", "1", "--nx", "3", NULL};
  return lab_suite_main(argc, argv, tests, probe);
}
