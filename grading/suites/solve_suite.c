#include "solve_suite.h"

#include "allocate.h"
#include "counters.h"
#include "judged_setup.h"
#include "lab_checks.h"
#include "lab_files.h"
#include "lab_suite.h"
#include "plural.h"
#include "problem.h"
#include "random.h"
#include "reference.h"
#include "rules.h"
#include "traffic.h"
#include "unwritten.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SENT = 4096 }; /* bytes of pointers and scalars that a call may send to the device */

void arguments_add(struct arguments *a, const char *word) { a->list[a->count++] = word; }

void arguments_add_number(struct arguments *a, const char *option, double value) {
  char *text = a->text[a->texts++];
  snprintf(text, sizeof a->text[0], "%.17g", value);
  arguments_add(a, option);
  arguments_add(a, text);
}

void arguments_add_grid(struct arguments *a, struct grid g, double kappa) {
  arguments_add_number(a, "--nx", g.nx);
  arguments_add_number(a, "--ny", g.ny);
  arguments_add_number(a, "--kappa", kappa);
}

bool solve_suite_is_unwritten(const struct program_result *result) {
  return result->status == UNWRITTEN_STATUS;
}

struct solve_use solve_suite_use(bool known) {
  if (!known)
    return (struct solve_use){0};
  return (struct solve_use){true,
                            counters_total("launches"),
                            counters_total("host_waits"),
                            counters_total("starved_waits"),
                            counters_total("bytes_to_host"),
                            counters_total("bytes_to_device"),
                            counters_total("managed_bytes"),
                            counters_total("bytes_on_device") - counters_total("bytes_filled"),
                            counters_total("allocated_bytes") - counters_total("freed_bytes"),
                            counters_total("leaked_pinned"),
                            counters_total("leaked_objects"),
                            counters_total("concurrent_launches"),
                            counters_total("concurrent_copies"),
                            counters_total("early_accesses"),
                            counters_total("memory_calls"),
                            counters_total("launch_waits"),
                            counters_total("mapped_writes"),
                            counters_total("host_functions"),
                            counters_total("graphs_made")};
}

struct program_result solve_suite_watch(const char *const *arguments, struct solve_use *use) {
  counters_begin();
  const struct program_result result = lab_suite_run(arguments);
  *use = solve_suite_use((result.status == 0 || result.status == 1) && counters_end());
  return result;
}

static struct program_result measure_beyond(const char *const *arguments, double per) {
  counters_begin_beyond(arguments, per);
  const struct program_result result = lab_suite_run(arguments);
  if (result.status == 0 || result.status == 1)
    counters_end();
  return result;
}

struct solve_use solve_suite_beyond(const struct solve_use *more, const struct solve_use *less) {
  return (struct solve_use){more->known && less->known,
                            more->launches - less->launches,
                            more->host_waits - less->host_waits,
                            more->starved_waits - less->starved_waits,
                            more->bytes_to_host - less->bytes_to_host,
                            more->bytes_to_device - less->bytes_to_device,
                            more->managed_bytes - less->managed_bytes,
                            more->bytes_on_device - less->bytes_on_device,
                            more->leaks - less->leaks,
                            more->pinned - less->pinned,
                            more->objects - less->objects,
                            more->concurrent - less->concurrent,
                            more->concurrent_copies - less->concurrent_copies,
                            more->early - less->early,
                            more->memory_calls - less->memory_calls,
                            more->launch_waits - less->launch_waits,
                            more->mapped_writes - less->mapped_writes,
                            more->host_functions - less->host_functions,
                            more->graphs_made - less->graphs_made};
}

double solve_suite_waits(const struct solve_use *use) { return use->host_waits + use->host_functions; }

double solve_suite_starved_waits(const struct solve_use *use) {
  return use->starved_waits + (use->launch_waits < use->host_functions / 2 ? use->host_functions : 0);
}

bool solve_suite_is_slow(double points, double bytes) {
  enum { BYTES_PER_NS = 1000, LAUNCH = 15000 }; /* a quarter of the modelled bandwidth; nanoseconds */
  return counters_slow_launch() || counters_longest_launch() > LAUNCH + points * bytes / BYTES_PER_NS;
}

void solve_suite_fail_slow(const char *what, const char *slow, double points, double ns) {
  if (slow)
    ck_abort_msg("%s: %s", what, slow);
  ck_abort_msg(
      "%s: a launch takes %.0f µs of modelled time for %.0f points, far longer than memory needs: do few blocks "
      "or warps do the work?",
      what, ns / 1000, points);
}

void solve_suite_check_longest(const char *what, double points, double bytes) {
  if (solve_suite_is_slow(points, bytes))
    solve_suite_fail_slow(what, counters_slow_launch(), points, counters_longest_launch());
}

bool solve_suite_name_end(const char *what, const struct solve_use *use, char *text, size_t size) {
  if (rules_name_disorder(what, use->concurrent, use->concurrent_copies, use->early, text, size))
    return true;
  if (use->leaks > 0)
    snprintf(text, size, "%s: %.0f bytes of device memory are never freed: free what the call allocates",
             what, use->leaks);
  else if (use->pinned > 0)
    snprintf(text, size, "%s: %.0f array%s of pinned memory %s never freed: use cudaFreeHost", what,
             use->pinned, PLURAL(use->pinned), PLURAL_IS(use->pinned));
  else if (use->objects > 0)
    snprintf(text, size,
             "%s: %.0f stream%s, event%s or graph%s %s never destroyed: destroy what the call creates", what,
             use->objects, PLURAL(use->objects), PLURAL(use->objects), PLURAL(use->objects),
             PLURAL_IS(use->objects));
  return use->leaks > 0 || use->pinned > 0 || use->objects > 0;
}

void solve_suite_check_end(const char *what, const struct solve_use *use) {
  char text[512];
  if (solve_suite_name_end(what, use, text, sizeof text))
    ck_abort_msg("%s", text);
}

void solve_suite_check_memory_calls(const char *what, const struct solve_use *use, double most,
                                    const char *units) {
  if (use->known && use->memory_calls > most)
    ck_abort_msg(
        "%s: allocates or frees memory %.0f times in %s: expected %s: allocate before the loop: the host may wait "
        "for the device there",
        what, use->memory_calls, units, most > 0 ? "far fewer" : "never");
}

void solve_suite_check_launched(const char *what, const struct solve_use *use, double least) {
  if (use->known && use->launches == 0)
    ck_abort_msg("%s: no kernel was launched: was the result computed on the host?", what);
  if (use->known && use->launches < least)
    ck_abort_msg(
        "%s: %.0f kernel%s launched: expected at least %.0f: was part of the result computed on the host?",
        what, use->launches, use->launches == 1 ? " was" : "s were", least);
}

bool solve_suite_sends(const struct solve_use *use, double uploads) {
  return use->known && use->bytes_to_device > uploads + SENT;
}

void solve_suite_check_sent(const char *what, const struct solve_use *use, double uploads) {
  if (solve_suite_sends(use, uploads))
    ck_abort_msg(
        "%s: %.0f bytes of the host go to the device, by copies or in managed memory: expected at most %d: "
        "was the result computed on the host?",
        what, use->bytes_to_device - uploads, SENT);
}

static struct npy array_of(struct grid g, double *values) {
  return (struct npy){NPY_FLOAT64, 2, {(size_t)g.ny, (size_t)g.nx}, values};
}

/* As setup.c scales them: the boundary is zero. */
void solve_suite_check_inputs(struct grid g, const double *f, const double *u) {
  double *h2f = allocate_zeroed(grid_points(g), sizeof *h2f),
         *start = allocate_zeroed(grid_points(g), sizeof *u);
  for (int i = 1; i < g.ny - 1; i++)
    for (size_t k = grid_index(g, i, 1); k < grid_index(g, i, g.nx - 1); k++) {
      h2f[k] = g.h * g.h * (f ? f[k] : 1);
      start[k] = u ? u[k] : 0;
    }
  traffic_check_inputs(2, (struct npy[]){array_of(g, h2f), array_of(g, start)});
  free(h2f);
  free(start);
}

double solve_suite_operations(void) {
  return counters_sum("", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum") +
         counters_sum("", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum") +
         counters_sum("", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum");
}

struct program_result solve_suite_run(const struct solve *s, const char *command, const char *option) {
  struct arguments a = {0};
  if (command)
    arguments_add(&a, command);
  arguments_add(&a, option), arguments_add(&a, s->method);
  arguments_add(&a, "--out"), arguments_add(&a, "out.npy");
  arguments_add(&a, "--history"), arguments_add(&a, "h.csv");
  arguments_add_grid(&a, s->g, s->kappa);
  arguments_add_number(&a, "--tolerance", s->tolerance);
  arguments_add_number(&a, "--check-every", s->check_every);
  arguments_add_number(&a, "--limit", s->limit);
  if (s->shift)
    arguments_add_number(&a, "--shift", s->shift);
  if (s->omega)
    arguments_add_number(&a, "--omega", s->omega);
  if (s->is_wide)
    arguments_add(&a, "--wider"), arguments_add(&a, "32");
  if (s->calls)
    arguments_add_number(&a, "--calls", s->calls), arguments_add(&a, "--heap");
  if (s->dot)
    arguments_add(&a, "--dot"), arguments_add(&a, s->dot);
  if (s->f) {
    solve_suite_write("f.npy", s->g, s->f);
    arguments_add(&a, "--f"), arguments_add(&a, "f.npy");
  }
  if (s->u0) {
    solve_suite_write("u.npy", s->g, s->u0);
    arguments_add(&a, "--u"), arguments_add(&a, "u.npy");
  }
  unlink("out.npy");
  unlink("h.csv");
  const struct program_result result = s->per > 0 ? measure_beyond(a.list, s->per)
                                       : s->use   ? solve_suite_watch(a.list, s->use)
                                                  : lab_suite_run(a.list);
  if (solve_suite_is_unwritten(&result)) /* fails with the name of the unwritten part */
    lab_suite_expect_success(a.list);
  if (!s->calls && (result.status == 0 || result.status == 1))
    solve_suite_check_inputs(s->g, s->f, s->u0);
  return result;
}

/* Removes the time from what a solver's run prints: ", 1.2345 ms". */
static void forget_time(char *output) {
  char *end = strstr(output, " ms"), *begin = end;
  while (begin && begin > output && *begin != ',')
    begin--;
  if (end)
    memmove(begin, end + strlen(" ms"), strlen(end + strlen(" ms")) + 1);
}

const char *solve_suite_check_later_calls(struct solve s, const char *command, const char *option) {
  enum { ITSELF = 1 };
  static char left[640];
  char ending[512];
  lab_checks_stop();
  struct program_result alone = solve_suite_run(&s, command, option);
  if (alone.status != 0)
    return NULL;
  double *expected = solve_suite_read("out.npy", s.g);
  s.calls = JUDGED_OTHERS + HEAP_CALLS + ITSELF;
  struct program_result last = solve_suite_run(&s, command, option);
  program_describe(&last, ending, sizeof ending);
  snprintf(left, sizeof left, "%s %s, in %d calls: %s", option, s.method, s.calls, ending);
  if (strstr(last.message, HEAP_WORDS))
    return left;
  if (last.status != 0 && !strstr(last.output, "relative residual"))
    ck_abort_msg("%s", left);
  double *u = solve_suite_read("out.npy", s.g);
  forget_time(alone.output), forget_time(last.output);
  if (strcmp(alone.output, last.output) != 0 || memcmp(u, expected, grid_points(s.g) * sizeof *u) != 0)
    ck_abort_msg(
        "%s %s, nx %d, ny %d: a call after ones with other grids and right-hand sides differs from a single "
        "call: does a static variable, or memory that is kept, hold something of an earlier call?\nalone: %.300slast "
        "of %d: %.300s",
        option, s.method, s.g.nx, s.g.ny, alone.output, s.calls, last.output);
  free(expected);
  free(u);
  return NULL;
}

/* Integers, whose A u has no rounding; h² is a power of two, so f = A u/h² and h²f have none either. */
static void solved_before(struct solve *s, double *u, double *f) {
  const struct grid g = grid_make(17, 12);
  struct random random = random_seed(lab_suite_seed(57));
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      u[grid_index(g, i, j)] = (double)(random_next(&random) % 9) - 4;
  reference_apply(g, 0, u, f);
  s->g = g, s->omega = 1.5, s->check_every = 4, s->limit = 40, s->f = f, s->u0 = u;
}

/* off: of one value of u. */
static void check_no_steps(struct solve s, const char *command, const char *option, const char *units,
                           const char *from, double off, double tolerance) {
  enum { ROOM = 17 * 12 };
  double u[ROOM] = {0}, f[ROOM] = {0};
  char what[192], words[64];
  solved_before(&s, u, f);
  u[grid_index(s.g, 5, 5)] += off;
  s.tolerance = tolerance;
  const struct program_result result = solve_suite_run(&s, command, option);
  snprintf(what, sizeof what, "%s %s from %s", option, s.method, from);
  snprintf(words, sizeof words, "converged after 0 %s", units);
  solve_suite_check_ending(what, &result, 0, words);
}

void solve_suite_check_solved_before(struct solve s, const char *command, const char *option,
                                     const char *units) {
  check_no_steps(s, command, option, units,
                 "the exact solution, with the tolerance 0 and the residual 0, which is within it", 0, 0);
}

void solve_suite_check_nearly_solved(struct solve s, const char *command, const char *option,
                                     const char *units) {
  check_no_steps(s, command, option, units, "a u whose residual is within the tolerance of 0.01, but not 0",
                 0x1p-10, 0.01);
}

/* u at the limit of its steps, which the caller frees; NULL if the run ends otherwise. */
static double *run_to_the_limit(const struct solve *s, const char *command, const char *option,
                                struct program_result *result) {
  *result = solve_suite_run(s, command, option);
  return result->status == 1 && strstr(result->output, "limit reached") ? solve_suite_read("out.npy", s->g)
                                                                        : NULL;
}

void solve_suite_check_wide(struct solve s, const char *command, const char *option) {
  const double most = 1e-6; /* of the difference, relative to the largest value */
  double largest = 0, difference = 0;
  struct program_result result;
  char ending[512];
  s.tolerance = 0;
  double *expected = run_to_the_limit(&s, command, option, &result);
  if (!expected)
    return; /* for other tests */
  s.is_wide = true;
  double *u = run_to_the_limit(&s, command, option, &result);
  for (size_t k = 0; u && k < grid_points(s.g); k++) {
    largest = fmax(largest, fabs(expected[k]));
    difference = isnan(u[k]) ? INFINITY : fmax(difference, fabs(u[k] - expected[k]));
  }
  program_describe(&result, ending, sizeof ending);
  if (!u || difference > most * largest)
    ck_abort_msg(
        "%s %s, nx %d, ny %d, %d steps: the result is right, but not where the pitch is longer than it need be: is the "
        "pitch that of the call?\n%s",
        option, s.method, s.g.nx, s.g.ny, s.limit, u ? "u is wrong" : ending);
  free(expected);
  free(u);
}

const char *solve_suite_check_later_output(const char *what, struct arguments a) {
  enum { OTHERS = 2, ITSELF = 1 }; /* in main.c of lab 05 */
  static char left[640];
  char ending[512];
  lab_checks_stop();
  struct program_result alone = lab_suite_run(a.list);
  if (alone.status != 0)
    return NULL;
  arguments_add_number(&a, "--calls", OTHERS + HEAP_CALLS + ITSELF), arguments_add(&a, "--heap");
  struct program_result last = lab_suite_run(a.list);
  program_describe(&last, ending, sizeof ending);
  snprintf(left, sizeof left, "%s, in several calls: %s", what, ending);
  if (strstr(last.message, HEAP_WORDS))
    return left;
  forget_time(alone.output), forget_time(last.output);
  if (strcmp(alone.output, last.output) != 0)
    ck_abort_msg(
        "%s: a call after ones with other problems differs from a single call: does a static variable, or memory "
        "that is kept, hold something of an earlier call?\nalone: %.200slast: %.200s%s",
        what, alone.output, last.output, last.status ? ending : "");
  return NULL;
}

static void read_bytes(const char *path, size_t room, char *bytes) {
  FILE *file = lab_files_open(path);
  memset(bytes, 0, room);
  ck_assert_uint_gt(fread(bytes, 1, room, file), 0);
  fclose(file);
}

void solve_suite_check_bits(const char *what, const char *const *arguments) {
  static char first[1 << 17], again[1 << 17];
  static const char *const orders[] = {"random:3", "reverse", "random:17"};
  for (int n = 0; n < 3; n++) {
    setenv("SIMGPU_ORDER", orders[n], 1);
    setenv("SIMGPU_THREADS", n ? "2" : "1", 1);
    lab_suite_expect_success(arguments);
    unsetenv("SIMGPU_ORDER");
    unsetenv("SIMGPU_THREADS");
    read_bytes("h.csv", sizeof first, n == 0 ? first : again);
    if (n > 0 && memcmp(first, again, sizeof first) != 0)
      ck_abort_msg("%s: two runs have different residuals: a sum depends on the order of the blocks", what);
  }
}

const char *solve_suite_float_hint(double relative_error) {
  return 1e-10 < relative_error && relative_error < 1e-5
             ? "\nthe error is as large as a rounding error in float: look for a variable or a sum in float"
             : "";
}

/* Residuals of the history that a run has just written: the first one and, of LATEST, the last ones. NaN: none. */
enum { LATEST = 3 }; /* a solver may stop one stretch after it has met its criterion */

static double residuals_of_history(double latest[LATEST]) {
  char line[128];
  double first = NAN, residual;
  FILE *file = fopen("h.csv", "r");
  for (int n = 0; n < LATEST; n++)
    latest[n] = NAN;
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "%*[^,],%*d,%lf", &residual) == 1) {
      first = isnan(first) ? residual : first;
      memmove(latest, latest + 1, (LATEST - 1) * sizeof *latest);
      latest[LATEST - 1] = residual;
    }
  if (file)
    fclose(file);
  return first;
}

const char *solve_suite_criterion_hint(double residual, double f_norm, double tolerance) {
  static const char *const criteria[] = {"is relative to the first residual, not to the norm of h2f",
                                         "is not divided by the norm of h2f", "is a square"};
  static char text[256];
  double latest[LATEST];
  const double most = tolerance * (1 + 1e-3), first = residuals_of_history(latest), before = latest[0];
  const bool meets[] = {residual <= most * first, residual * f_norm <= most, residual * residual <= most};
  const bool met_before[] = {before <= tolerance * first, before * f_norm <= tolerance,
                             before * before <= tolerance};
  text[0] = '\0';
  for (size_t n = 0; n < sizeof meets / sizeof *meets; n++)
    if (meets[n] && !met_before[n])
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s",
               text[0] ? ", or that" : "\nthis u is within the tolerance if what is compared", criteria[n]);
  if (!text[0])
    snprintf(text, sizeof text,
             "\nwhat ends the loop? Only a residual within the tolerance, relative to the norm of h2f, "
             "has converged");
  return text;
}

double solve_suite_said(const struct program_result *result, const char *before) {
  const char *place = strstr(result->output, before);
  double value;
  if (!place || sscanf(place + strlen(before), "%lf", &value) != 1)
    ck_abort_msg("expected '%s' and a number on standard output, got:\n%s", before, result->output);
  return value;
}

void solve_suite_check_ending(const char *what, const struct program_result *result, int status,
                              const char *words) {
  char ending[512];
  if (result->status == status && strstr(result->output, words))
    return;
  if (strlen(result->output) + 1 == sizeof result->output)
    ck_abort_msg("%s: more than %zu bytes of output: does a kernel call printf? Kernels print nothing", what,
                 strlen(result->output));
  if (result->status == status && !result->message[0])
    ck_abort_msg("%s: expected '%s', but the program printed:\n%s", what, words, result->output);
  program_describe(result, ending, sizeof ending);
  ck_abort_msg("%s: expected exit status %d and '%s', got: %s%s\n%s", what, status, words, ending,
               lab_suite_explain_ending(ending), result->output);
}

double *solve_suite_random(struct grid g, uint64_t seed) {
  struct random random = random_seed(lab_suite_seed(seed));
  double *u = allocate_zeroed(grid_points(g), sizeof *u);
  for (int i = 1; i < g.ny - 1; i++)
    for (int j = 1; j < g.nx - 1; j++)
      u[grid_index(g, i, j)] = random_double(&random, -1, 1);
  return u;
}

double *solve_suite_ones(struct grid g) {
  double *f = allocate_zeroed(grid_points(g), sizeof *f);
  problem_rhs(&(struct problem){.kind = PROBLEM_CONSTANT}, g, f);
  return f;
}

double *solve_suite_copy(struct grid g, const double *u) {
  return memcpy(allocate_zeroed(grid_points(g), sizeof *u), u, grid_points(g) * sizeof *u);
}

void solve_suite_write(const char *path, struct grid g, const double *u) {
  lab_files_write(path, NPY_FLOAT64, (size_t)g.ny, (size_t)g.nx, u);
}

double *solve_suite_read(const char *path, struct grid g) {
  return lab_files_read(path, NPY_FLOAT64, (size_t)g.ny, (size_t)g.nx).data;
}
