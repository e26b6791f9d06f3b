#include "compile.h"
#include "program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 2 * INSTALLATION_WORDS + 16, CANNOT_RUN = 127 };

const struct supervisor_limits compile_limits = {
    .cpu_seconds = 60,
    .idle_seconds = 10,
    .seconds = 600,
    .memory = UINT64_C(2) << 30,
    .file = UINT64_C(64) << 20,
    .processes = 64,
    .foreign = true,
};

static void append(const char **words, int *count, const char *const *more) {
  for (; *more; more++)
    words[(*count)++] = *more;
}

static bool is_text(const char *text, size_t size, const char *program, struct error *why) {
  if (size == 0)
    return error_set(why, "%s.cu: an empty file", program);
  const char *zero = memchr(text, 0, size);
  return !zero || error_set(why, "%s.cu: byte %zu is zero: expected CUDA C as UTF-8 text", program,
                            (size_t)(zero - text) + 1);
}

/* What the linker misses, or has twice, by its name: of its own words the last line says least. */
static bool linker_error(const char *said, const char *program, struct error *why) {
  static const struct {
    const char *words, *meaning;
  } faults[] = {{"undefined reference to `", "is nowhere defined as it is declared"},
                {"multiple definition of `", "is defined a second time: the lab's program has it"}};
  for (size_t n = 0; n < sizeof faults / sizeof *faults; n++) {
    const char *name = strstr(said, faults[n].words);
    if (!name)
      continue;
    name += strlen(faults[n].words);
    return !error_set(why, "%s.cu: error: %.*s %s", program, (int)strcspn(name, "'"), name,
                      faults[n].meaning);
  }
  return false;
}

/* The first line with "error", as the compiler says it; else how it ended. */
static void first_error(const struct program_result *result, const char *program, struct error *why) {
  char ending[512];
  const char *at = strstr(result->message, "error");
  if (!at)
    at = result->message;
  while (at > result->message && at[-1] != '\n')
    at--;
  const int length = (int)strcspn(at, "\n");
  program_describe(result, ending, sizeof ending);
  if (result->report.end != SUPERVISOR_ENDED || result->signal)
    error_set(why, "the compiler: %s", ending);
  else if (!linker_error(result->message, program, why))
    error_set(why, "%.*s", length, at);
}

/* The first warning about more than what is never used: behind a crash there may be a missing return. */
static void first_warning(const char *said, struct error *warning) {
  warning->text[0] = '\0';
  for (const char *line = said; *line; line += strspn(line, "\n")) {
    const int length = (int)strcspn(line, "\n");
    const char *mark = strstr(line, "warning #"), *never = strstr(line, " never ");
    if (mark && mark < line + length && !(never && never < line + length)) {
      error_set(warning, "%.*s", length, line);
      return;
    }
    line += length;
  }
}

static bool run(const char *const *words, const char *program, const struct supervisor_limits *limits,
                struct error *why, bool *fault) {
  const struct program_result result = program_run_within(words, limits);
  const char *verdict = program_verdict(&result);
  if (strcmp(verdict, "PASS") == 0) {
    first_warning(result.message, why);
    return true;
  }
  *fault = result.status == CANNOT_RUN || strcmp(verdict, "INFRA") == 0;
  first_error(&result, program, why);
  return false;
}

static bool write_source(const char *path, const char *text, size_t size, struct error *why, bool *fault) {
  FILE *file = fopen(path, "wb");
  const bool written = file && fwrite(text, 1, size, file) == size;
  if (file && fclose(file) == 0 && written)
    return true;
  *fault = true;
  return error_set(why, "%s: cannot write", path);
}

bool compile_lab(const struct installation *kit, const struct installation_lab *lab, const char *text,
                 size_t size, const char *const *libraries, const struct supervisor_limits *limits,
                 struct error *why, bool *fault) {
  char source[256], contract[4096];
  const char *words[WORDS] = {kit->nvcc};
  int count = 1;
  *fault = false;
  if (!is_text(text, size, lab->rubric.program, why))
    return false;
  snprintf(source, sizeof source, "%s.cu", lab->rubric.program);
  snprintf(contract, sizeof contract, "-I%s", lab->contract);
  if (!write_source(source, text, size, why, fault))
    return false;
  append(words, &count, kit->compile);
  append(words, &count, (const char *const[]){contract, "-c", source, "-o", "program.o", NULL});
  if (!run(words, lab->rubric.program, limits, why, fault))
    return false;
  const struct error warning = *why;
  memset(words, 0, sizeof words);
  words[0] = kit->cc;
  count = 1;
  append(words, &count, (const char *const[]){lab->main_object, "program.o", "-o", "program", NULL});
  append(words, &count, libraries);
  if (!run(words, lab->rubric.program, limits, why, fault))
    return false;
  *why = warning;
  return true;
}
