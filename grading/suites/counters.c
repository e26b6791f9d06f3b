#include "counters.h"
#include "counter_file.h"
#include "csv.h"
#include "error.h"
#include "lab_checks.h"
#include "lab_suite.h"
#include "metric.h"
#include "request_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file in the folder of --counts. */
static const char *place(const char *file) {
  static char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/%s", lab_suite_counts(), file);
  return path;
}

/* The files that the device process writes. Those of a plain run come first. */
static const char *const written[][2] = {{"SIMGPU_COUNTERS", COUNTER_FILE_COUNTERS},
                                         {"SIMGPU_TOTALS", COUNTER_FILE_TOTALS},
                                         {"SIMGPU_LINES", COUNTER_FILE_LINES},
                                         {"SIMGPU_ADDRESSES", COUNTER_FILE_REQUESTS}};
enum { PLAIN = 2, ALL = 4 };

static int files; /* that the run writes */

static void begin(int count) {
  files = count;
  for (int n = 0; n < files; n++) {
    unlink(place(written[n][1]));
    setenv(written[n][0], place(written[n][1]), 1);
  }
  setenv("SIMGPU_ADDRESSES_LAUNCHES", "1", 1);
}

bool counters_end(void) {
  unsetenv("SIMGPU_ADDRESSES_LAUNCHES");
  for (int n = 0; n < files; n++)
    unsetenv(written[n][0]);
  if (access(place(COUNTER_FILE_COUNTERS), F_OK) == 0)
    return true;
  if (lab_suite_is_simulated())
    error_die("the simulated GPU wrote no " COUNTER_FILE_COUNTERS); /* INFRA: its run has succeeded */
  return false;
}

void counters_begin(void) { begin(PLAIN); }

bool counters_run(const char *const *arguments) {
  counters_begin();
  lab_suite_expect_success(arguments);
  return counters_end();
}

bool counters_run_requests(const char *const *arguments) {
  begin(ALL);
  lab_suite_expect_success(arguments);
  return counters_end();
}

double counters_row_step(double row_bytes) {
  const double same_row = 0.9; /* a warp may store a row in several steps */
  struct request_file file;
  struct request request;
  long long last = -1;
  double least = 0;
  request_file_open(&file, place(COUNTER_FILE_REQUESTS));
  while (request_file_next(&file, &request)) {
    if (request.is_shared || strcmp(request.operation, "store") != 0)
      continue;
    const double rows = fabs((double)(request.address[0] - last)) / row_bytes,
                 step = last < 0 ? 0 : round(rows);
    if (last >= 0 && rows < same_row)
      continue;
    least = step > 0 && !(least > 0 && least < step) ? step : least;
    last = request.address[0];
  }
  request_file_close(&file);
  return least;
}

void counters_begin_measure(const char *const *arguments, double per) {
  lab_suite_counted(per, arguments);
  begin(ALL);
}

bool counters_measure(const char *const *arguments, double per) {
  counters_begin_measure(arguments, per);
  lab_suite_expect_success(arguments);
  return counters_end();
}

void counters_begin_beyond(const char *const *arguments, double per) {
  char less[PATH_MAX + 32];
  snprintf(less, sizeof less, "%s", place(COUNTER_FILE_LESS));
  rename(place(COUNTER_FILE_COUNTERS), less); /* there is none on a real GPU */
  counters_begin_measure(arguments, per);
}

const char *counters_race(const char *const *arguments) {
  static char report[512];
  setenv("SIMGPU_CHECKS", "races", 1);
  const struct program_result result = lab_suite_expect_success(arguments);
  unsetenv("SIMGPU_CHECKS");
  lab_checks_forget(); /* a race is expected here */
  const char *line = program_device_said(&result, ": race: ");
  if (!line)
    return lab_suite_is_simulated() ? "" : NULL;
  while (line > result.message && line[-1] != '\n')
    line--;
  snprintf(report, sizeof report, "%.*s", (int)strcspn(line, "\n"), line);
  program_drop_folders(report);
  return report;
}

double counters_sum(const char *kernel, const char *column) {
  struct error error;
  double sum;
  if (!counter_file_sum(place(COUNTER_FILE_COUNTERS), kernel, column, &sum, &error))
    ck_abort_msg("%s", error.text);
  return sum;
}

static double volume(const struct csv *launches, const char *column) {
  unsigned x = 0, y = 0, z = 0;
  sscanf(csv_text(launches, column), "%ux%ux%u", &x, &y, &z);
  return (double)x * y * z;
}

static double launched(bool threads) {
  struct csv launches;
  double sum = 0;
  if (csv_open(&launches, place(COUNTER_FILE_COUNTERS)))
    while (csv_next(&launches))
      sum += volume(&launches, "grid") * (threads ? volume(&launches, "block") : 1);
  csv_close(&launches);
  return sum;
}

double counters_fewest_blocks(void) {
  struct csv launches;
  double fewest = INFINITY;
  if (csv_open(&launches, place(COUNTER_FILE_COUNTERS)))
    while (csv_next(&launches))
      fewest = fmin(fewest, volume(&launches, "grid"));
  csv_close(&launches);
  return fewest;
}

void counters_kernel(char *text, size_t size) {
  struct csv launches;
  text[0] = '\0';
  if (csv_open(&launches, place(COUNTER_FILE_COUNTERS)) && csv_next(&launches))
    snprintf(text, size, "%s", csv_text(&launches, "kernel"));
  csv_close(&launches);
}

/* "naive_kernel" of "naive_kernel(int, int)" or "void naive_kernel<true>(int)"; of a long name, the beginning. */
static void add_name(char *text, size_t size, const char *kernel) {
  const char *end = kernel + strcspn(kernel, "(<"), *start = end;
  while (start > kernel && start[-1] != ' ')
    start--;
  const size_t used = strlen(text);
  char name[96];
  snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
  if (!strstr(text, name) && used + strlen(name) + 8 < size)
    snprintf(text + used, size - used, "%s%s", used ? ", " : "of ", name);
}

const char *counters_kernels(void) {
  static char text[512];
  struct csv launches;
  text[0] = '\0';
  if (csv_open(&launches, place(COUNTER_FILE_COUNTERS)))
    while (csv_next(&launches))
      add_name(text, sizeof text, csv_text(&launches, "kernel"));
  csv_close(&launches);
  return text;
}

bool counters_have_kernel(const char *name) {
  struct csv launches;
  bool found = false;
  if (csv_open(&launches, place(COUNTER_FILE_COUNTERS)))
    while (!found && csv_next(&launches))
      found = strcmp(csv_text(&launches, "kernel"), name) == 0;
  csv_close(&launches);
  return found;
}

double counters_blocks(void) { return launched(false); }
double counters_threads(void) { return launched(true); }

/* The largest value of a launch in the last run; 0 if there is none. */
static double most_of_a_launch(double (*value)(const struct csv *launch)) {
  struct csv launches;
  double most = 0;
  if (csv_open(&launches, place(COUNTER_FILE_COUNTERS)))
    while (csv_next(&launches))
      most = fmax(most, value(&launches));
  csv_close(&launches);
  return most;
}

static double time_of(const struct csv *launch) { return csv_number(launch, "simgpu__time_model_ns"); }

double counters_longest_launch(void) { return most_of_a_launch(time_of); }

static double warps_of(const struct csv *launch) {
  enum { LANES = 32 };
  return volume(launch, "grid") * ceil(volume(launch, "block") / LANES);
}

/* The instructions of the warp that executes most of them, of the average of all; 0: of a small launch. */
static double longest_warp(const struct csv *launch) {
  enum { SMALL = 20000 };
  const double all = csv_number(launch, "smsp__inst_executed.sum"),
               most = csv_number(launch, "simgpu__inst_executed_longest_warp.max");
  return all >= SMALL ? most * warps_of(launch) / all : 0;
}

static bool few_warps_work(const struct csv *launch) {
  enum { PARTS = 40, TIMES = 16 };
  const double times = longest_warp(launch);
  return times >= TIMES && times * PARTS >= warps_of(launch);
}

static bool few_lanes_work(const struct csv *launch) {
  enum { FEW = 2, MANY_WARPS = 64 };
  return longest_warp(launch) > 0 && warps_of(launch) >= MANY_WARPS &&
         csv_number(launch, "simgpu__thread_inst_executed_op_work.sum") <
             FEW * csv_number(launch, "simgpu__inst_executed_op_work.sum");
}

static const char *why_slow(const struct csv *launch) {
  if (few_warps_work(launch))
    return "few of the warps of a launch do nearly all of its work: expected an even share for each block";
  if (few_lanes_work(launch))
    return "one lane of each warp works, and the others are idle: expected 32 working lanes";
  if (csv_number(launch, "simgpu__prints.sum") > 0)
    return "a kernel calls printf: expected no output of kernels: it takes a GPU far longer than the work";
  if (csv_number(launch, "simgpu__sleeps.sum") > 0)
    return "a kernel calls __nanosleep: expected that no thread sleeps: a GPU is idle meanwhile";
  return NULL;
}

const char *counters_slow_launch(void) {
  struct csv launches;
  const char *found = NULL;
  if (csv_open(&launches, place(COUNTER_FILE_COUNTERS)))
    while (!found && csv_next(&launches))
      found = why_slow(&launches);
  csv_close(&launches);
  return found;
}

/* Coalesced accesses to doubles need 8 sectors, to double2 16, and one more if rows are not aligned. */
static double sectors_per_request(const struct csv *launch) {
  enum { SMALL = 1024 };
  double requests = csv_number(launch, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") +
                    csv_number(launch, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
         sectors = csv_number(launch, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") +
                   csv_number(launch, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
  return requests >= SMALL ? sectors / requests : 0;
}

const char *counters_scattered_launch(void) {
  enum { MOST = 20 };
  return most_of_a_launch(sectors_per_request) > MOST
             ? "the threads of a warp read or write addresses far apart, so that most of each sector of 32 bytes is moved in "
               "vain: expected neighbouring elements for neighbouring threads"
             : NULL;
}

void counters_check_slow_launch(const char *what) {
  const char *slow = counters_slow_launch();
  if (slow)
    ck_abort_msg("%s: %s", what, slow);
}

static double spills_of(const struct csv *launch) {
  return csv_number(launch, "simgpu__spilled_registers.max");
}

void counters_check_spills(const char *what) {
  const double most = most_of_a_launch(spills_of);
  if (most > 0)
    ck_abort_msg(
        "%s: about %.0f registers of each thread do not fit: expected none: __launch_bounds__ or __maxnreg__ leaves so few "
        "that ptxas keeps their values in local memory",
        what, most);
}

void counters_check_odd(const char *what, struct grid odd, double time, double usual) {
  enum { TIMES = 30 }; /* 3 to 8 are usual, since a launch itself takes as long as its work */
  if (time > TIMES * usual)
    ck_abort_msg(
        "%s, nx %d, ny %d: a point takes %.0f times as long as in rows of 4096 points: expected at most %d "
        "times: do few blocks or lanes do the work where nx is odd?",
        what, odd.nx, odd.ny, time / usual, TIMES);
}

double counters_longest_warp(void) { return most_of_a_launch(longest_warp); }

double counters_loads_beside_copies(void) {
  struct request_file file;
  struct request request;
  double loads = 0, beside = 0;
  bool copies = false;
  request_file_open(&file, place(COUNTER_FILE_REQUESTS));
  while (request_file_next(&file, &request)) {
    copies = copies || strcmp(request.operation, "copy") == 0;
    if (!copies || !request.is_shared || strcmp(request.operation, "load") != 0)
      continue;
    loads++;
    beside += request.copying > 0;
  }
  request_file_close(&file);
  return loads > 0 ? beside / loads : 1;
}

double counters_loads_beside_values(void) {
  struct request_file file;
  struct request request;
  double loads = 0, beside = 0;
  bool values = false, stores = false;
  request_file_open(&file, place(COUNTER_FILE_REQUESTS));
  while (request_file_next(&file, &request)) {
    const bool is_load = strcmp(request.operation, "load") == 0,
               puts = request.is_shared && strcmp(request.operation, "store") == 0;
    stores = stores || puts;
    values = !puts && (values || (is_load && !request.is_shared));
    loads += is_load && request.is_shared;
    beside += is_load && request.is_shared && values;
  }
  request_file_close(&file);
  return stores && loads > 0 ? beside / loads : 1;
}

double counters_total(const char *name) {
  struct csv totals;
  double value = -1;
  if (csv_open(&totals, place(COUNTER_FILE_TOTALS)))
    while (csv_next(&totals))
      if (strcmp(csv_text(&totals, "name"), name) == 0)
        value = csv_number(&totals, "value");
  csv_close(&totals);
  if (value < 0)
    ck_abort_msg("the simulated GPU wrote no total %s", name);
  return value;
}

static double measure(const char *metric, const char *kernel) {
  struct error error;
  double value;
  const struct metric_run run = {.counters = place(COUNTER_FILE_COUNTERS), .kernel = kernel, .per = 1};
  if (!metric_measure(metric_find(metric), &run, &value, &error))
    ck_abort_msg("%s", error.text);
  return value;
}

double counters_active_lanes(const char *kernel) { return measure("active_lanes", kernel); }
double counters_bytes_per_sector(const char *kernel) { return measure("bytes_per_sector", kernel); }
