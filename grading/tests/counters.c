#include "counters.h"
#include "lab_checks.h"
#include "lab_suite.h"

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
  lab_checks_forget(); /* here a race is what is wanted */
  const char *line = strstr(result.message, ": race: ");
  if (!line)
    return is_simulated() ? "" : NULL;
  while (line > result.message && line[-1] != '/' && line[-1] != '\n')
    line--;
  snprintf(report, sizeof report, "%.*s", (int)strcspn(line, "\n"), line);
  return report;
}

/* Splits a line of CSV in place at its commas and takes the quotes off. Returns the number of fields. */
static int split(char *line, int limit, char **fields) {
  int count = 0;
  char *to = line;
  bool quoted = false;
  fields[count++] = to;
  for (const char *from = line; *from && *from != '\n'; from++)
    if (*from == '"') {
      quoted = !quoted;
    } else if (*from == ',' && !quoted && count < limit) {
      *to++ = '\0';
      fields[count++] = to;
    } else {
      *to++ = *from;
    }
  *to = '\0';
  return count;
}

enum { FIELDS_LIMIT = 128 };

static int find_column(int count, char *const *header, const char *name) {
  for (int n = 0; n < count; n++)
    if (strcmp(header[n], name) == 0)
      return n;
  ck_abort_msg("%s: no column '%s'", path, name);
}

/* "void split_kernel<4>(int, float *)" is named split_kernel. */
static bool is_named(const char *kernel, const char *beginning) {
  const char *name = strncmp(kernel, "void ", 5) == 0 ? kernel + 5 : kernel;
  return strncmp(name, beginning, strlen(beginning)) == 0;
}

double counters_sum(const char *kernel, const char *column) {
  char *line = NULL, *fields[FIELDS_LIMIT];
  size_t room = 0;
  double sum = 0;
  int launches = 0, at_kernel = -1, at_column = -1;
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "%s: cannot open", path);
  while (getline(&line, &room, file) > 0) {
    const int count = split(line, FIELDS_LIMIT, fields);
    if (at_kernel < 0) {
      at_kernel = find_column(count, fields, "kernel");
      at_column = find_column(count, fields, column);
    } else if (at_kernel < count && at_column < count && is_named(fields[at_kernel], kernel)) {
      sum += strtod(fields[at_column], NULL);
      launches++;
    }
  }
  free(line);
  fclose(file);
  ck_assert_msg(launches > 0, "the kernel %s was not launched", kernel);
  return sum;
}

/* Loads and stores of global memory together. */
static double both(const char *kernel, const char *metric) {
  char load[96], store[96];
  snprintf(load, sizeof load, "%s_ld.sum", metric);
  snprintf(store, sizeof store, "%s_st.sum", metric);
  return counters_sum(kernel, load) + counters_sum(kernel, store);
}

static double requests(const char *kernel) {
  return both(kernel, "l1tex__t_requests_pipe_lsu_mem_global_op");
}
static double sectors(const char *kernel) { return both(kernel, "l1tex__t_sectors_pipe_lsu_mem_global_op"); }
static double bytes(const char *kernel) { return both(kernel, "smsp__sass_data_bytes_mem_global_op"); }

double counters_active_lanes(const char *kernel) { return bytes(kernel) / (32 * 4 * requests(kernel)); }
double counters_bytes_per_sector(const char *kernel) { return bytes(kernel) / sectors(kernel); }
double counters_sectors_per_request(const char *kernel) { return sectors(kernel) / requests(kernel); }
