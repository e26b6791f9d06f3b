/* judge_mutant SUITE PROGRAM SPLICED.cu MUTANT.cu NAME, or judge_mutant --grade GRADE SPLICED.cu MUTANT.cu NAME...:
 * checks that the judge finds a mutant and explains it with the expected words.
 *
 * A mutant begins with lines "// NAME: words": its program must fail test NAME of the suite, or lose points
 * of each counter item NAME, in a message with these words. "// NAME: passes": the mistake is elsewhere, and the
 * program must pass the test. A line "// at: text" gives text of the source line that the grader blames for a
 * count; a message "as for 03/lanes" blames none. "// NAME at: text" is the same for a test of the suite. */
#include "error.h"
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 120, LINE_LENGTH = 1024, MESSAGE_LENGTH = 16384 };

struct expectation {
  char words[LINE_LENGTH], at[LINE_LENGTH]; /* at: "" if the mutant has no such line */
};

/* The rest of a line "// NAME: rest". */
static bool read_claim(const char *line, const char *name, char rest[LINE_LENGTH]) {
  const size_t length = strlen(name);
  if (strncmp(line, "// ", 3) != 0 || strncmp(line + 3, name, length) != 0 ||
      strncmp(line + 3 + length, ": ", 2) != 0)
    return false;
  snprintf(rest, LINE_LENGTH, "%.*s", (int)strcspn(line + 5 + length, "\n"), line + 5 + length);
  return true;
}

static struct expectation read_expectation(const char *path, const char *name, bool by_grade) {
  struct expectation e = {"", ""};
  char line[LINE_LENGTH], at[LINE_LENGTH];
  FILE *stream = fopen(path, "r");
  snprintf(at, sizeof at, "%s%sat", by_grade ? "" : name, by_grade ? "" : " ");
  while (stream && fgets(line, sizeof line, stream)) {
    read_claim(line, name, e.words);
    read_claim(line, at, e.at);
  }
  if (!e.words[0])
    error_die("%s: expected a line like // %s: words of the message", path, name);
  fclose(stream);
  return e;
}

/* Whether line `number` of the file contains the text. A person looks there after the message "stencil.cu:12". */
static bool stands_at(const char *path, int number, const char *text) {
  char line[LINE_LENGTH] = "";
  FILE *stream = fopen(path, "r");
  while (stream && number-- > 0)
    if (!fgets(line, sizeof line, stream))
      line[0] = '\0';
  if (stream)
    fclose(stream);
  return strstr(line, text) != NULL;
}

static int fail(const char *name, const struct expectation *e, const struct program_result *result) {
  printf("%s: expected it to fail with '%s'%s%s, got exit status %d and:\n%s%s", name, e->words,
         e->at[0] ? " at a line with " : "", e->at, result->status, result->output, result->message);
  return 1;
}

/* Whether a message names a line of the source with e->at, if the mutant claims one. */
static bool blames(const char *message, const char *source, const struct expectation *e) {
  const char *number = strstr(message, ".cu:");
  return !e->at[0] || (number && stands_at(source, atoi(number + strlen(".cu:")), e->at));
}

static int judge_by_suite(const char *suite, const char *program, const char *source, const char *name,
                          const struct expectation *e) {
  char failed[96];
  const struct program_result result =
      program_run((const char *[]){suite, "--program", program, name, NULL}, SECONDS);
  snprintf(failed, sizeof failed, "%-14s failed: ", name);
  if (strcmp(e->words, "passes") == 0)
    return result.status == 0 ? 0 : fail(name, e, &result);
  const bool found = result.status == 1 && strncmp(result.output, failed, strlen(failed)) == 0 &&
                     strstr(result.output, e->words) && blames(result.output, source, e);
  return found ? 0 : fail(name, e, &result);
}

/* The message of an item in the grader's result; "" if there is none. The terminal would not show the message of
 * a hidden item. */
static void read_message(const char *path, const char *name, char message[MESSAGE_LENGTH]) {
  char line[MESSAGE_LENGTH], id[LINE_LENGTH];
  bool is_item = false;
  FILE *file = fopen(path, "r");
  message[0] = '\0';
  snprintf(id, sizeof id, "\"id\": \"%s\"", name);
  while (file && !message[0] && fgets(line, sizeof line, file)) {
    const char *text = strstr(line, "\"message\": ");
    is_item = is_item || strstr(line, id);
    if (is_item && text)
      snprintf(message, MESSAGE_LENGTH, "%s", text);
  }
  if (file)
    fclose(file);
}

/* Each message has its words, and begins like "stencil.cu:41: " if a line is claimed. The names are in one run of the
 * grader, since it compiles the source. */
static int judge_by_grade(const char *grade, const char *source, const char *mutant, char *const *names) {
  char list[LINE_LENGTH], message[MESSAGE_LENGTH];
  int failures = 0;
  snprintf(list, sizeof list, "%s", names[0]);
  for (char *const *name = names + 1; *name; name++)
    snprintf(list + strlen(list), sizeof list - strlen(list), ",%s", *name + strlen("04/"));
  const struct program_result result =
      program_run((const char *[]){grade, "check", "--json", "result.json", "--limit-seconds", "86400",
                                   "--lab", list, source, NULL},
                  SECONDS);
  for (; *names; names++) {
    const struct expectation e = read_expectation(mutant, *names, true);
    read_message("result.json", *names, message);
    const bool found = result.status == 1 && strstr(message, e.words) &&
                       (strncmp(e.words, "as for ", 7) == 0 || blames(message, source, &e));
    failures += found ? 0 : fail(*names, &e, &result);
  }
  return failures > 0;
}

/* Of a path that exists, before program_enter_directory(). */
static const char *absolute(const char *path) {
  static char paths[3][PATH_MAX];
  static int count;
  if (!realpath(path, paths[count]))
    error_die("%s: no such file", path);
  return paths[count++];
}

int main(int argc, char **argv) {
  if (argc >= 6 && strcmp(argv[1], "--grade") == 0) {
    const char *grade = absolute(argv[2]), *source = absolute(argv[3]), *mutant = absolute(argv[4]);
    program_enter_directory();
    return judge_by_grade(grade, source, mutant, argv + 5);
  }
  if (argc != 6)
    error_die(
        "expected SUITE PROGRAM SPLICED.cu MUTANT.cu NAME, or --grade GRADE SPLICED.cu MUTANT.cu NAME...");
  const struct expectation e = read_expectation(argv[4], argv[5], false);
  const char *suite = absolute(argv[1]), *program = absolute(argv[2]), *source = absolute(argv[3]);
  program_enter_directory();
  return judge_by_suite(suite, program, source, argv[5], &e);
}
