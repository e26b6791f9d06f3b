/* Compares the device's counters for hardware/access_patterns.cu with an H200's: every launch, every
 * column. argv[1]: the program, linked with the simulated GPU; argv[2]: the H200's table. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>

enum { MAX_CELLS = 64, MAX_ROWS = 1024, PATTERNS = 32, KERNELS = 23 };

struct table {
  char *text;
  char *cells[MAX_ROWS][MAX_CELLS]; /* the first row holds the headers */
  int columns, rows;
};

/* Splits a line into its cells; returns their number. */
static int cut(char *line, char **cells) {
  int count = 0;
  for (char *at = line; at;) {
    ck_assert_int_lt(count, MAX_CELLS);
    char quote = *at == '"' ? '"' : ',';
    cells[count++] = at += quote == '"';
    at = strchr(at, quote);
    if (at)
      *at++ = '\0';
    if (at && quote == '"')
      at = *at == ',' ? at + 1 : NULL;
  }
  return count;
}

static struct table *table_read(const char *path) {
  struct table *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->text = program_read_file(path);
  char *rest = t->text;
  for (char *line; (line = strtok_r(rest, "\r\n", &rest));) {
    ck_assert_int_lt(t->rows, MAX_ROWS);
    int columns = cut(line, t->cells[t->rows]);
    ck_assert_msg(t->rows == 0 || columns == t->columns, "%s: row %d has %d cells, expected %d", path,
                  t->rows, columns, t->columns);
    t->columns = columns;
    t->rows++;
  }
  return t;
}

static int column_of(const struct table *t, const char *header) {
  for (int c = 0; c < t->columns; c++)
    if (strcmp(t->cells[0][c], header) == 0)
      return c;
  return -1;
}

static void table_free(struct table *t) {
  free(t->text);
  free(t);
}

static const char *program, *measured_path;

START_TEST(every_launch_is_counted_as_on_an_h200) {
  static const char counters[] = "device_hardware.counters.csv";
  setenv("SIMGPU_COUNTERS", counters, 1);
  struct program_result result = program_run((const char *[]){program, NULL}, 60);
  ck_assert_msg(result.status == 0, "%s: %s", program, result.message);
  struct table *counted = table_read(counters), *measured = table_read(measured_path);
  remove(counters);
  ck_assert_int_eq(measured->rows, 1 + PATTERNS * KERNELS);
  ck_assert_int_eq(counted->rows, measured->rows);
  int kernel = column_of(counted, "kernel"), differences = 0;
  for (int c = 2; c < measured->columns; c++) {
    int own = column_of(counted, measured->cells[0][c]);
    ck_assert_msg(own >= 0, "no counter is named %s", measured->cells[0][c]);
    for (int r = 1; r < measured->rows; r++) {
      ck_assert_str_eq(counted->cells[r][kernel], measured->cells[r][0]);
      if (strcmp(counted->cells[r][own], measured->cells[r][c]) == 0)
        continue;
      differences++;
      fprintf(stderr, "%s, %s, %s: counted %s, an H200 counts %s\n", measured->cells[r][0],
              measured->cells[r][1], measured->cells[0][c], counted->cells[r][own], measured->cells[r][c]);
    }
  }
  ck_assert_int_eq(differences, 0);
  table_free(counted);
  table_free(measured);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM TABLE.csv");
  program = argv[1];
  measured_path = argv[2];
  TCase *tcase = tcase_create("counters");
  tcase_add_test(tcase, every_launch_is_counted_as_on_an_h200);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("device_hardware", tcase);
}
