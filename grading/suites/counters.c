#include "counters.h"
#include "counter_file.h"
#include "lab_checks.h"
#include "lab_suite.h"
#include "metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "counters.csv";

static bool is_simulated(void) {
  const char *const probe[] = {"table", "--sizes", "3", "--repeats", "1", NULL};
  return strstr(lab_suite_run(probe).output, "simulated GPU") != NULL;
}

bool counters_run(const char *const *arguments) {
  unlink(path);
  setenv("SIMGPU_COUNTERS", path, 1);
  lab_suite_expect_success(arguments);
  unsetenv("SIMGPU_COUNTERS");
  if (access(path, F_OK) == 0)
    return true;
  if (is_simulated())
    ck_abort_msg("the simulated GPU wrote no %s", path);
  return false;
}

const char *counters_race(const char *const *arguments) {
  static char report[512];
  setenv("SIMGPU_CHECKS", "races", 1);
  const struct program_result result = lab_suite_expect_success(arguments);
  unsetenv("SIMGPU_CHECKS");
  lab_checks_forget(); /* a race is expected here */
  const char *line = strstr(result.message, ": race: ");
  if (!line)
    return is_simulated() ? "" : NULL;
  while (line > result.message && line[-1] != '/' && line[-1] != '\n')
    line--;
  snprintf(report, sizeof report, "%.*s", (int)strcspn(line, "\n"), line);
  return report;
}

double counters_sum(const char *kernel, const char *column) {
  struct error error;
  double sum;
  if (!counter_file_sum(path, kernel, column, &sum, &error))
    ck_abort_msg("%s", error.text);
  return sum;
}

static double measure(const char *metric, const char *kernel) {
  struct error error;
  double value;
  if (!metric_measure(metric_find(metric), path, kernel, 1, &value, &error))
    ck_abort_msg("%s", error.text);
  return value;
}

double counters_active_lanes(const char *kernel) { return measure("active_lanes", kernel); }
double counters_bytes_per_sector(const char *kernel) { return measure("bytes_per_sector", kernel); }
