#include "far.h"

#include "allocate.h"
#include "fields.h"
#include "judged_grids.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "lab_suite.h"
#include "reference.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 10 };        /* even: points of these rows have the colours that they have in the grid */
enum { BUDGET = 4000000 }; /* instructions of warps: fifty times those of the blocks that run */
static const char every[] = "131072"; /* block, and as large a part of the last blocks */

static const char advice[] =
    "smaller grids are right: is an index, a number of points or a number of bytes too large for its type? int counts to "
    "2³¹ − 1";

/* A u, or u after a half-sweep; values of u are 1 and −1, so that each rounds to itself. The first row has
 * its north elsewhere. */
static double *expected_of(struct grid strip, enum far_function function) {
  const size_t nx = (size_t)strip.nx;
  double *values = allocate_zeroed(grid_points(strip), sizeof *values);
  for (size_t k = nx; k < grid_points(strip); k++) {
    const int i = (int)(k / nx), j = (int)(k % nx);
    const double u = judged_far_value(strip, k);
    values[k] = u;
    if (!grid_is_interior(strip, i, j) ||
        (function != FAR_PRODUCT && (grid_colour(i, j) == GRID_RED) != (function == FAR_RED)))
      continue;
    const double sum = judged_far_value(strip, k - 1) + judged_far_value(strip, k + 1) +
                       judged_far_value(strip, k - nx) + judged_far_value(strip, k + nx);
    values[k] = function == FAR_PRODUCT ? (4 * u - sum) / (strip.h * strip.h) : sum / 4;
  }
  return values;
}

/* What is not written is NaN or, in a sweep, as before. */
static void compare(const char *what, struct grid strip, enum far_function function, const double *got) {
  const double allowed = 1e-5 * (function == FAR_PRODUCT ? 8 / (strip.h * strip.h) : 1);
  double *expected = expected_of(strip, function);
  for (size_t k = (size_t)strip.nx; k < grid_points(strip); k++) {
    const bool is_unwritten =
        isnan(got[k]) || (function != FAR_PRODUCT && got[k] == judged_far_value(strip, k));
    if (!is_unwritten && fabs(got[k] - expected[k]) > allowed)
      ck_abort_msg("%s, nx %d, ny %d: wrong value at (i, j) = (%zu, %zu): expected %.9g, got %.9g\n%s", what,
                   FIELDS_MAX, FIELDS_MAX, k / (size_t)strip.nx + (size_t)(FIELDS_MAX - strip.ny),
                   k % (size_t)strip.nx, expected[k], got[k], advice);
  }
  free(expected);
}

/* "stencil.cu:57: write of 4 bytes outside the arrays" of an access to what lies between them, which has been freed. */
static void describe(const struct program_result *result, char *text, size_t size) {
  static const char between[] = "use after free: ", status[] = "exit status 1: ";
  char ending[512];
  program_describe(result, ending, sizeof ending);
  const char *place = strncmp(ending, status, sizeof status - 1) == 0 ? ending + sizeof status - 1 : ending;
  const char *found = strstr(place, between), *access = found ? found + sizeof between - 1 : "";
  const char *end = strstr(access, " at byte ");
  if (found && end)
    snprintf(text, size, "%.*s%.*s outside the arrays", (int)(found - place), place, (int)(end - access),
             access);
  else
    snprintf(text, size, "%s", ending);
}

/* By what the grader itself has seen: a program could say so, or sleep, in this run alone. */
static bool is_too_long(const struct program_result *result) {
  return result->report.end == SUPERVISOR_CPU || result->report.end == SUPERVISOR_MEMORY ||
         program_device_said(result, "the launch executes more than ");
}

/* The largest arrays need the device's addresses alone. */
static const uint64_t addresses = UINT64_C(128) << 30;

static struct program_result run_some_blocks(const char *const *arguments, uint64_t memory) {
  lab_checks_stop();
  lab_suite_limit_device(memory, BUDGET);
  setenv("SIMGPU_EVERY", every, 1);
  const struct program_result result = lab_suite_run(arguments);
  unsetenv("SIMGPU_EVERY");
  lab_suite_limit_device(program_limits.device_memory,
                         program_limits.launch); /* of later runs of this test */
  return result;
}

struct program_result far_run(const char *const *arguments, uint64_t memory) {
  const char *all[FAR_ARGUMENTS + 16];
  char side[16], rows[16];
  int count = 0;
  snprintf(side, sizeof side, "%d", FIELDS_MAX);
  snprintf(rows, sizeof rows, "%d", ROWS);
  while (arguments[count] && count < FAR_ARGUMENTS) {
    all[count] = arguments[count];
    count++;
  }
  const char *const more[] = {"--nx", side, "--ny", side, "--far", rows, "--out", "out.npy", NULL};
  memcpy(all + count, more, sizeof more);
  unlink("out.npy");
  return run_some_blocks(all, memory);
}

/* False: the run took too long, which says nothing. */
static bool is_inside(const char *what, const struct program_result *result) {
  char ending[512];
  if (is_too_long(result))
    return false;
  describe(result, ending, sizeof ending);
  if (strcmp(program_verdict(result), "PASS") != 0)
    ck_abort_msg("%s: %s\n%s", what, ending, advice);
  return true;
}

void far_expect_inside(const char *what, const char *const *arguments) {
  if (!lab_suite_is_simulated())
    return;
  const struct program_result result = run_some_blocks(arguments, addresses);
  is_inside(what, &result);
}

void far_check(const char *what, const char *const *arguments, enum npy_type type,
               enum far_function function) {
  struct grid strip = {FIELDS_MAX, ROWS, grid_make(FIELDS_MAX, FIELDS_MAX).h};
  char sized[128];
  if (!lab_suite_is_simulated())
    return;
  const struct program_result result = far_run(arguments, addresses);
  snprintf(sized, sizeof sized, "%s, nx %d, ny %d", what, FIELDS_MAX, FIELDS_MAX);
  if (!is_inside(sized, &result))
    return;
  struct npy out = lab_files_read_of_host("out.npy", type, ROWS, FIELDS_MAX);
  double *got = allocate_zeroed(grid_points(strip), sizeof *got);
  for (size_t k = 0; k < grid_points(strip); k++)
    got[k] = type == NPY_FLOAT64 ? ((const double *)out.data)[k] : ((const float *)out.data)[k];
  compare(what, strip, function, got);
  free(got);
  npy_free(&out);
}
