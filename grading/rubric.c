#include "rubric.h"
#include "allocate.h"

#include <libconfig.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const rubric_kinds[] = {"correctness", "counter", NULL};

static bool lacks(const struct rubric_line *line, const char *name, const char *expected,
                  struct error *error) {
  return error_set(error, "rubric line %s: %s: expected %s", line->id ? line->id : "without id", name,
                   expected);
}

static bool read_number(const config_setting_t *from, const char *name, double least, double *value) {
  const config_setting_t *setting = config_setting_get_member(from, name);
  if (!setting || !config_setting_is_number(setting))
    return false;
  *value = config_setting_get_float(setting);
  if (config_setting_type(setting) == CONFIG_TYPE_INT)
    *value = config_setting_get_int(setting);
  return *value >= least;
}

static bool read_kind(const config_setting_t *from, struct rubric_line *line) {
  const char *kind;
  if (!config_setting_lookup_string(from, "kind", &kind))
    return false;
  for (int n = 0; rubric_kinds[n]; n++)
    if (strcmp(kind, rubric_kinds[n]) == 0) {
      line->kind = (enum rubric_kind)n;
      return true;
    }
  return false;
}

/* Cuts the words apart in place. */
static bool split_words(char *text, const char **words, int limit) {
  int count = 0;
  for (char *rest = NULL, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    if (count == limit - 1)
      return false;
    words[count++] = word;
  }
  return count > 0;
}

static bool read_needs(const config_setting_t *from, const struct rubric *rubric, struct rubric_line *line) {
  const config_setting_t *needs = config_setting_get_member(from, "needs");
  const int count = needs ? config_setting_length(needs) : 0;
  if (count < 1 || count >= RUBRIC_NEEDS)
    return false;
  for (int n = 0; n < count; n++) {
    bool found = false;
    line->needs[n] = config_setting_get_string_elem(needs, n);
    for (int k = 0; line->needs[n] && k < rubric->count; k++)
      found |=
          rubric->lines[k].kind == RUBRIC_CORRECTNESS && strcmp(rubric->lines[k].id, line->needs[n]) == 0;
    if (!found)
      return false;
  }
  return true;
}

static bool read_counter(const config_setting_t *from, const struct rubric *rubric, struct rubric_line *line,
                         struct error *error) {
  const char *run, *metric;
  if (!read_needs(from, rubric, line))
    return lacks(line, "needs", "ids of correctness lines that stand before it", error);
  if (!config_setting_lookup_string(from, "run", &run) ||
      !split_words((char *)(uintptr_t)run, line->run, RUBRIC_WORDS)) /* our copy of the file's text */
    return lacks(line, "run", "arguments of the program", error);
  if (!config_setting_lookup_string(from, "kernel", &line->kernel))
    return lacks(line, "kernel", "the beginning of a kernel's name, or \"\"", error);
  if (!config_setting_lookup_string(from, "metric", &metric) || !(line->metric = metric_find(metric)))
    return lacks(line, "metric", "one of grading/metric.c", error);
  if (!line->metric->below[0] && !read_number(from, "per", 1, &line->per))
    return lacks(line, "per", "a number of points, at least 1", error);
  if (!read_number(from, "none_at", 0, &line->none_at) || !read_number(from, "full_at", 0, &line->full_at) ||
      line->none_at == line->full_at)
    return lacks(line, "none_at and full_at", "two numbers that differ", error);
  return true;
}

static bool read_line(const config_setting_t *from, struct rubric *rubric, struct error *error) {
  struct rubric_line *line = &rubric->lines[rubric->count];
  if (!config_setting_lookup_string(from, "id", &line->id))
    return lacks(line, "id", "a string", error);
  for (int n = 0; n < rubric->count; n++)
    if (strcmp(rubric->lines[n].id, line->id) == 0)
      return lacks(line, "id", "no second line of this name", error);
  if (!config_setting_lookup_string(from, "title", &line->title))
    return lacks(line, "title", "a string", error);
  if (!read_kind(from, line))
    return lacks(line, "kind", "correctness or counter", error);
  if (!config_setting_lookup_int(from, "part", &line->part))
    return lacks(line, "part", "the number of a TODO", error);
  if (!read_number(from, "points", 0, &line->points))
    return lacks(line, "points", "a number, at least 0", error);
  if (line->kind == RUBRIC_COUNTER && !read_counter(from, rubric, line, error))
    return false;
  rubric->count++;
  return true;
}

static bool read_lines(const config_t *config, struct rubric *rubric, struct error *error) {
  const config_setting_t *lines = config_lookup(config, "lines");
  const int count = lines ? config_setting_length(lines) : 0;
  if (!config_lookup_string(config, "lab", &rubric->lab) ||
      !config_lookup_string(config, "program", &rubric->program) || count < 1 || count > RUBRIC_LINES)
    return error_set(error, "expected lab, program and 1 to %d lines", RUBRIC_LINES);
  for (int n = 0; n < count; n++)
    if (!read_line(config_setting_get_elem(lines, (unsigned)n), rubric, error))
      return false;
  return true;
}

bool rubric_read(const char *path, struct rubric *rubric, struct error *error) {
  struct error why = {""};
  config_t *config = allocate_zeroed(1, sizeof *config);
  *rubric = (struct rubric){.owner = config};
  config_init(config);
  bool read = config_read_file(config, path);
  if (!read)
    error_set(&why, "line %d: %s", config_error_line(config), config_error_text(config));
  else
    read = read_lines(config, rubric, &why);
  if (read)
    return true;
  error_set(error, "%s: %s", path, why.text);
  rubric_free(rubric);
  return false;
}

void rubric_free(struct rubric *rubric) {
  if (rubric->owner)
    config_destroy(rubric->owner);
  free(rubric->owner);
  *rubric = (struct rubric){0};
}

double rubric_points(const struct rubric_line *line, double measured) {
  const double share = (measured - line->none_at) / (line->full_at - line->none_at);
  if (!(share > 0)) /* NaN included */
    return 0;
  return share >= 1 ? line->points : floor(100 * share * line->points + 0.5) / 100;
}
