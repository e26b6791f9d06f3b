#include "compile.h"
#include "program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COMPILE_SECONDS = 60, WORDS = 2 * INSTALLATION_WORDS + 16 };

static void append(const char **words, int *count, const char *const *more) {
  for (; *more; more++)
    words[(*count)++] = *more;
}

/* The first line with "error", as the compiler says it, without the folder. */
static void first_error(const struct program_result *result, struct error *why) {
  const char *at = strstr(result->message, "error");
  if (!at)
    at = result->message;
  while (at > result->message && at[-1] != '\n')
    at--;
  const int length = (int)strcspn(at, "\n");
  if (result->timed_out)
    error_set(why, "the compiler did not end within %d s", COMPILE_SECONDS);
  else if (result->signal)
    error_set(why, "the compiler ended by signal %d", result->signal);
  else
    error_set(why, "%.*s", length, at);
}

static bool run(const char *const *words, struct error *why, bool *fault) {
  const struct program_result result = program_run(words, COMPILE_SECONDS);
  if (result.status == 0 && !result.timed_out)
    return true;
  *fault = result.status == 127;
  first_error(&result, why);
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
                 size_t size, const char *const *libraries, struct error *why, bool *fault) {
  char source[256], contract[4096];
  const char *words[WORDS] = {kit->nvcc};
  int count = 1;
  *fault = false;
  snprintf(source, sizeof source, "%s.cu", lab->rubric.program);
  snprintf(contract, sizeof contract, "-I%s", lab->contract);
  if (!write_source(source, text, size, why, fault))
    return false;
  append(words, &count, kit->compile);
  append(words, &count, (const char *const[]){contract, "-c", source, "-o", "program.o", NULL});
  if (!run(words, why, fault))
    return false;
  memset(words, 0, sizeof words);
  words[0] = kit->cc;
  count = 1;
  append(words, &count, (const char *const[]){lab->main_object, "program.o", "-o", "program", NULL});
  append(words, &count, libraries);
  return run(words, why, fault);
}
