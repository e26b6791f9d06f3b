/* kill_matrix SUITE PROGRAM …: prints a table of the tests of a suite that find each mutant.
 *
 * A row per mutant, a column per test: W wrong, C crashed, T took too long, M memory, "." passed. Exit status
 * 1 if a mutant passes all tests. The lines below name tests that find no mutant. */
#include "error.h"
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUITE_SECONDS = 300, TESTS_MAX = 32, MUTANTS_MAX = 64, LINE_LENGTH = 65536 };

static const char outcomes_path[] = "outcomes.json";

struct matrix {
  int mutants, tests;
  char name[TESTS_MAX][64];
  char mark[MUTANTS_MAX][TESTS_MAX + 1]; /* 0: the test did not run */
};

static int column_of(struct matrix *matrix, const char *name) {
  int n = 0;
  while (n < matrix->tests && strcmp(matrix->name[n], name) != 0)
    n++;
  if (n == matrix->tests) {
    if (n == TESTS_MAX)
      error_die("%s: too many tests: expected at most %d", name, TESTS_MAX);
    snprintf(matrix->name[matrix->tests++], sizeof matrix->name[0], "%s", name);
  }
  return n;
}

/* Each test has a line of its own in the file. */
static void read_outcomes(struct matrix *matrix, int mutant, const char *program) {
  static char line[LINE_LENGTH];
  char name[64], verdict[16];
  int count = 0;
  FILE *file = fopen(outcomes_path, "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, " {\"name\": \"%63[^\"]\", \"verdict\": \"%15[^\"]\"", name, verdict) == 2) {
      matrix->mark[mutant][column_of(matrix, name)] = strcmp(verdict, "PASS") == 0 ? '.' : verdict[0];
      count++;
    }
  if (file)
    fclose(file);
  if (count == 0)
    error_die("%s: the suite left no outcomes", program);
}

static const char *short_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void print_matrix(const struct matrix *matrix, char **programs) {
  printf("%-44s", "");
  for (int t = 0; t < matrix->tests; t++)
    printf(" %s", matrix->name[t]);
  putchar('\n');
  for (int m = 0; m < matrix->mutants; m++) {
    printf("%-44s", short_name(programs[m]));
    for (int t = 0; t < matrix->tests; t++)
      printf(" %*c", (int)strlen(matrix->name[t]), matrix->mark[m][t] ? matrix->mark[m][t] : ' ');
    putchar('\n');
  }
}

static bool is_killed(const struct matrix *matrix, int mutant) {
  return strspn(matrix->mark[mutant], ".") < strlen(matrix->mark[mutant]);
}

static bool kills(const struct matrix *matrix, int test) {
  for (int m = 0; m < matrix->mutants; m++)
    if (matrix->mark[m][test] && matrix->mark[m][test] != '.')
      return true;
  return false;
}

static bool print_survivors(const struct matrix *matrix, char **programs) {
  bool all_killed = true;
  for (int t = 0; t < matrix->tests; t++)
    if (!kills(matrix, t))
      printf("%s finds no mutant\n", matrix->name[t]);
  for (int m = 0; m < matrix->mutants; m++)
    if (!is_killed(matrix, m)) {
      printf("%s: no test finds it\n", short_name(programs[m]));
      all_killed = false;
    }
  return all_killed;
}

int main(int argc, char **argv) {
  static struct matrix matrix;
  if (argc < 3 || argc - 2 > MUTANTS_MAX)
    error_die("expected SUITE and 1 to %d programs", MUTANTS_MAX);
  static char path[MUTANTS_MAX + 1][PATH_MAX];
  for (int n = 1; n < argc; n++)
    if (!realpath(argv[n], path[n - 1]))
      error_die("%s: no such file", argv[n]);
  program_enter_directory();
  for (int m = 0; m < argc - 2; m++) {
    unlink(outcomes_path);
    program_run((const char *[]){path[0], "--program", path[m + 1], "--outcomes", outcomes_path, NULL},
                SUITE_SECONDS);
    read_outcomes(&matrix, m, argv[m + 2]);
    matrix.mutants++;
  }
  print_matrix(&matrix, argv + 2);
  return print_survivors(&matrix, argv + 2) ? 0 : 1;
}
