/* test_skeleton SUITE PROGRAM SKELETON.cu SOLUTION.cu NAME=PART …
 *
 * Checks two properties of a lab's skeleton. Outside the blocks from TODO(n) to END(n) it equals the solution,
 * line by line. Each of its tests NAME fails and reports that part PART is not written. In a student's tree some
 * parts are written, and ./kit check runs their tests. CHECKERBOARD_SKELETONS=unwritten marks the lab kit's own
 * tree, in which no part may be written. */
#include "blocks.h"
#include "error.h"
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the two files --- */

struct source {
  const char *path;
  FILE *stream;
  int line, part; /* part: of the block that the last line opened or lies in, 0 outside */
  int blocks;
  unsigned written; /* bit set of the parts whose blocks hold code */
  char text[1024];
};

/* Reads the next line outside of blocks; the markers are outside. False at the end. */
static bool next_line(struct source *source) {
  while (fgets(source->text, sizeof source->text, source->stream)) {
    source->line++;
    const int todo = blocks_mark(source->text, "TODO"), end = blocks_mark(source->text, "END");
    if (todo ? source->part != 0 : end && end != source->part)
      error_die("%s:%d: %s(%d) inside the block of part %d", source->path, source->line,
                todo ? "TODO" : "END", todo ? todo : end, source->part);
    const bool inside = source->part && !end;
    if (inside && source->part < 32 && !blocks_is_placeholder(source->text))
      source->written |= 1u << source->part;
    source->blocks += todo != 0;
    source->part = todo ? todo : end ? 0 : source->part;
    if (!inside)
      return true;
  }
  if (source->part)
    error_die("%s: TODO(%d) without END(%d)", source->path, source->part, source->part);
  return false;
}

static struct source open_source(const char *path) {
  struct source source = {.path = path, .stream = fopen(path, "r")};
  if (!source.stream)
    error_die("%s: cannot open", path);
  return source;
}

static bool sources_agree(const char *skeleton_path, const char *solution_path, unsigned *written) {
  struct source skeleton = open_source(skeleton_path), solution = open_source(solution_path);
  bool more_a = true, more_b = true, same = true;
  while (same && more_a && more_b) {
    more_a = next_line(&skeleton);
    more_b = next_line(&solution);
    same = more_a == more_b && (!more_a || strcmp(skeleton.text, solution.text) == 0);
  }
  if (!same)
    printf("%s:%d and %s:%d differ outside the TODO blocks\n", skeleton.path, skeleton.line, solution.path,
           solution.line);
  if (skeleton.blocks == 0)
    printf("%s: no TODO block\n", skeleton.path);
  same &= skeleton.blocks > 0;
  *written = skeleton.written;
  fclose(skeleton.stream);
  fclose(solution.stream);
  return same;
}

/* --- its tests --- */

static bool fails_as_unwritten(const char *suite, const char *program, const char *name, int part) {
  char expected[64];
  snprintf(expected, sizeof expected, "TODO(%d): not written yet", part);
  const struct program_result result =
      program_run((const char *[]){suite, "--program", program, name, NULL}, 120);
  if (result.status == 1 && strstr(result.output, name) && strstr(result.output, expected))
    return true;
  printf("%s: expected exit status 1 and '%s', got %d and: %s%s", name, expected, result.status,
         result.output, result.message);
  return false;
}

static bool check_part(const char *suite, const char *program, const char *argument, unsigned written) {
  char name[64];
  int part;
  if (sscanf(argument, "%63[^=]=%d", name, &part) != 2)
    error_die("%s: expected NAME=PART, as in 01/csr=1", argument);
  if (part > 0 && part < 32 && written >> part & 1) {
    const char *expected = getenv("CHECKERBOARD_SKELETONS");
    const bool refused = expected && strcmp(expected, "unwritten") == 0;
    printf("%s: part %d is written%s\n", name, part, refused ? ": expected an unwritten part" : "");
    return !refused;
  }
  return fails_as_unwritten(suite, program, name, part);
}

int main(int argc, char **argv) {
  if (argc < 6)
    error_die("expected SUITE PROGRAM SKELETON.cu SOLUTION.cu NAME=PART ...");
  static char suite[PATH_MAX], program[PATH_MAX];
  if (!realpath(argv[1], suite) || !realpath(argv[2], program))
    error_die("%s or %s: no such file", argv[1], argv[2]);
  unsigned written = 0;
  bool passed = sources_agree(argv[3], argv[4], &written);
  program_enter_directory();
  for (int n = 5; n < argc; n++)
    passed &= check_part(suite, program, argv[n], written);
  return passed ? 0 : 1;
}
