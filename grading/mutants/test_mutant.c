/* test_mutant SUITE PROGRAM MUTANT.cu: the suite finds what is wrong, and says it in words that help.
 *
 * The first line of a mutant is "// NAME: words": its program must fail test NAME, in a message with these
 * words. */
#include "error.h"
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUITE_SECONDS = 120 };

struct expectation {
  char name[64], words[512];
};

static struct expectation read_expectation(const char *path) {
  struct expectation e;
  char line[1024];
  FILE *stream = fopen(path, "r");
  if (!stream || !fgets(line, sizeof line, stream) ||
      sscanf(line, "// %63[^:]: %511[^\n]", e.name, e.words) != 2)
    error_die("%s: expected a first line like // 02/sweep: words of the message", path);
  fclose(stream);
  return e;
}

int main(int argc, char **argv) {
  static char suite[PATH_MAX], program[PATH_MAX];
  if (argc != 4)
    error_die("expected SUITE PROGRAM MUTANT.cu");
  if (!realpath(argv[1], suite) || !realpath(argv[2], program))
    error_die("%s or %s: no such file", argv[1], argv[2]);
  const struct expectation e = read_expectation(argv[3]);
  program_enter_directory();
  const struct program_result result =
      program_run((const char *[]){suite, "--program", program, e.name, NULL}, SUITE_SECONDS);
  char failed[96];
  snprintf(failed, sizeof failed, "%-14s failed: ", e.name);
  if (result.status == 1 && strncmp(result.output, failed, strlen(failed)) == 0 &&
      strstr(result.output, e.words))
    return 0;
  printf("%s: expected exit status 1 and '%s', got %d and:\n%s%s", e.name, e.words, result.status,
         result.output, result.message);
  return 1;
}
