#include "rubric.h"
#include "allocate.h"
#include "sha256.h"

#include <libconfig.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const rubric_kinds[] = {"correctness", "counter", "time", "rung", NULL};
const char *const time_againsts[] = {"reference", "copy", NULL};
static const struct {
  const char *name;
  size_t size;
} elements[] = {{"float32", sizeof(float)}, {"float64", sizeof(double)}};

static const double TOLERATED_NOISE = 0.15; /* before grade calibrate has measured it */

static bool lacks(const struct rubric_item *item, const char *name, const char *expected,
                  struct error *error) {
  return error_set(error, "rubric item %s: %s: expected %s", item->id ? item->id : "without id", name,
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

/* The index of the setting's value in the list, or -1. */
static int read_choice(const config_setting_t *from, const char *name, const char *const *choices) {
  const char *value;
  for (int n = 0; config_setting_lookup_string(from, name, &value) && choices[n]; n++)
    if (strcmp(value, choices[n]) == 0)
      return n;
  return -1;
}

/* Splits the words in place. */
static bool split_words(char *text, const char **words, int limit) {
  int count = 0;
  for (char *rest = NULL, *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    if (count == limit - 1)
      return false;
    words[count++] = word;
  }
  return count > 0;
}

const struct rubric_item *rubric_find(const struct rubric *rubric, const char *id) {
  for (int n = 0; n < rubric->count; n++)
    if (strcmp(rubric->items[n].id, id) == 0)
      return &rubric->items[n];
  return NULL;
}

static bool read_needs(const config_setting_t *from, const struct rubric *rubric, struct rubric_item *item) {
  const config_setting_t *needs = config_setting_get_member(from, "needs");
  const int count = needs ? config_setting_length(needs) : 0;
  if (count < 1 || count >= RUBRIC_NEEDS)
    return false;
  for (int n = 0; n < count; n++) {
    item->needs[n] = config_setting_get_string_elem(needs, n);
    const struct rubric_item *needed = item->needs[n] ? rubric_find(rubric, item->needs[n]) : NULL;
    if (!needed || needed->kind != RUBRIC_CORRECTNESS || needed->hidden > item->hidden ||
        needed->bonus > item->bonus)
      return false;
  }
  return true;
}

static const char needs_expected[] =
    "ids of correctness items above it, public ones if it is public, and no bonus unless it is one";

static bool read_run(const config_setting_t *from, const struct rubric *rubric, struct rubric_item *item,
                     struct error *error) {
  const char *run;
  if (!read_needs(from, rubric, item))
    return lacks(item, "needs", needs_expected, error);
  if (!config_setting_lookup_string(from, "run", &run) ||
      !split_words((char *)(uintptr_t)run, item->run, RUBRIC_WORDS)) /* our copy of the file's text */
    return lacks(item, "run", "arguments of the program", error);
  return true;
}

static bool read_limits(const config_setting_t *from, struct rubric_item *item, struct error *error) {
  if (!read_number(from, "none_at", 0, &item->none_at) || !read_number(from, "full_at", 0, &item->full_at) ||
      item->none_at == item->full_at)
    return lacks(item, "none_at and full_at", "two numbers that differ", error);
  return true;
}

static bool read_bytes(const config_setting_t *from, struct rubric_item *item, struct error *error) {
  return read_number(from, "bytes", 0, &item->bytes) || lacks(item, "bytes", "a number, at least 0", error);
}

static bool read_counter(const config_setting_t *from, const struct rubric *rubric, struct rubric_item *item,
                         struct error *error) {
  const char *metric;
  if (!read_needs(from, rubric, item))
    return lacks(item, "needs", needs_expected, error);
  if (!read_limits(from, item, error))
    return false;
  if (!config_setting_lookup_string(from, "metric", &metric) || !(item->metric = metric_find(metric)))
    return lacks(item, "metric", "one of grading/lab_program/metric.c", error);
  return strcmp(metric, "of_copy") != 0 || read_bytes(from, item, error);
}

static bool read_element(const config_setting_t *from, struct rubric_item *item) {
  const char *name;
  for (size_t n = 0;
       config_setting_lookup_string(from, "result", &name) && n < sizeof elements / sizeof *elements; n++)
    if (strcmp(name, elements[n].name) == 0)
      item->element_size = elements[n].size;
  return item->element_size > 0;
}

static bool read_work(const config_setting_t *from, struct rubric_item *item, struct error *error) {
  if (!config_setting_lookup_int(from, "count", &item->count) || item->count < 1)
    return lacks(item, "count", "a number of sweeps, at least 1", error);
  if (!read_number(from, "per", 1, &item->per))
    return lacks(item, "per", "a number of points, at least 1", error);
  return read_bytes(from, item, error);
}

static bool read_time(const config_setting_t *from, const struct rubric *rubric, struct rubric_item *item,
                      struct error *error) {
  if (!read_run(from, rubric, item, error) || !read_limits(from, item, error))
    return false;
  if (!(item->none_at < item->full_at))
    return lacks(item, "none_at", "less than full_at: larger is faster", error);
  const int against = read_choice(from, "against", time_againsts);
  if (against < 0)
    return lacks(item, "against", "reference or copy", error);
  item->against = (enum time_against)against;
  if (!read_work(from, item, error))
    return false;
  if (!read_element(from, item))
    return lacks(item, "result", "float32 or float64", error);
  item->noise = TOLERATED_NOISE;
  return read_number(from, "within", 0, &item->within) ||
         lacks(item, "within", "a number, at least 0", error);
}

static bool is_time_item(const struct rubric *rubric, const char *id) {
  const struct rubric_item *item = rubric_find(rubric, id);
  return item && item->kind == RUBRIC_TIME && !item->hidden;
}

static bool is_bandwidth_item(const struct rubric *rubric, const char *id) {
  const struct rubric_item *item = rubric_find(rubric, id);
  return item && item->kind == RUBRIC_COUNTER && !item->hidden && strcmp(item->metric->name, "of_copy") == 0;
}

static bool read_rung(const config_setting_t *from, const struct rubric *rubric, struct rubric_item *item,
                      struct error *error) {
  if (!config_setting_lookup_string(from, "work", &item->work))
    return lacks(item, "work", "the name of the work that all rungs of the ladder do", error);
  if (config_setting_lookup_string(from, "time", &item->time) && !is_time_item(rubric, item->time))
    return lacks(item, "time", "the id of a public time item above it", error);
  if (!config_setting_lookup_string(from, "counter", &item->counter) ||
      !is_bandwidth_item(rubric, item->counter))
    return lacks(item, "counter", "the id of a public counter item of the metric of_copy above it", error);
  item->bytes = rubric_find(rubric, item->counter)->bytes;
  return read_number(from, "reference", 0, &item->reference) ||
         lacks(item, "reference", "the solution's fraction of copy bandwidth", error);
}

/* The first unknown member, or NULL. Without this check, a misspelt member would have no effect. */
static const char *unknown_member(const config_setting_t *item) {
  static const char *const known[] = {"id",      "kind",      "part",    "points", "title",   "public",
                                      "needs",   "run",       "metric",  "per",    "none_at", "full_at",
                                      "against", "count",     "bytes",   "result", "within",  "work",
                                      "time",    "reference", "counter", "bonus",  "meaning"};
  for (int n = 0; n < config_setting_length(item); n++) {
    const char *name = config_setting_name(config_setting_get_elem(item, (unsigned)n));
    bool found = false;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      found |= strcmp(known[k], name) == 0;
    if (!found)
      return name;
  }
  return NULL;
}

static bool read_public(const config_setting_t *from, struct rubric_item *item) {
  int public = 1;
  const bool fine = !config_setting_get_member(from, "public") ||
                    config_setting_lookup_bool(from, "public", &public) == CONFIG_TRUE;
  item->hidden = !public;
  return fine;
}

/* Students must see what earns extra points, and a failed bonus must cost nothing. */
static bool read_bonus(const config_setting_t *from, struct rubric_item *item, struct error *error) {
  int bonus = 0;
  if (config_setting_get_member(from, "bonus") &&
      config_setting_lookup_bool(from, "bonus", &bonus) != CONFIG_TRUE)
    return lacks(item, "bonus", "true or false", error);
  item->bonus = bonus;
  if (bonus && item->hidden)
    return lacks(item, "bonus", "a public item, not public = false", error);
  return !bonus || item->points > 0 || lacks(item, "bonus", "an item with points above 0", error);
}

/* Only values have a meaning that the title does not give. */
static bool read_meaning(const config_setting_t *from, struct rubric_item *item, struct error *error) {
  if (!config_setting_get_member(from, "meaning"))
    return true;
  const bool has_value = item->kind == RUBRIC_COUNTER || item->kind == RUBRIC_TIME;
  return (has_value && config_setting_lookup_string(from, "meaning", &item->meaning) && item->meaning[0]) ||
         lacks(item, "meaning", "a sentence, for a counter or time item", error);
}

static bool read_item(const config_setting_t *from, struct rubric *rubric, struct error *error) {
  struct rubric_item *item = &rubric->items[rubric->count];
  if (!config_setting_lookup_string(from, "id", &item->id))
    return lacks(item, "id", "a string", error);
  if (rubric_find(rubric, item->id))
    return lacks(item, "id", "an id that no other item has", error);
  if (unknown_member(from))
    return lacks(item, unknown_member(from), "a member that grading/README.md lists", error);
  if (!config_setting_lookup_string(from, "title", &item->title))
    return lacks(item, "title", "a string", error);
  if (!read_public(from, item))
    return lacks(item, "public", "true or false", error);
  const int kind = read_choice(from, "kind", rubric_kinds);
  if (kind < 0)
    return lacks(item, "kind", "correctness, counter, time or rung", error);
  item->kind = (enum rubric_kind)kind;
  if (!config_setting_lookup_int(from, "part", &item->part))
    return lacks(item, "part", "the number of a TODO", error);
  if (kind != RUBRIC_RUNG && !read_number(from, "points", 0, &item->points))
    return lacks(item, "points", "a number, at least 0", error);
  if (!read_bonus(from, item, error) || !read_meaning(from, item, error))
    return false;
  if (item->kind == RUBRIC_CORRECTNESS && config_setting_get_member(from, "needs") &&
      !read_needs(from, rubric, item))
    return lacks(item, "needs", needs_expected, error);
  if ((item->kind == RUBRIC_COUNTER && !read_counter(from, rubric, item, error)) ||
      (item->kind == RUBRIC_TIME && !read_time(from, rubric, item, error)) ||
      (item->kind == RUBRIC_RUNG && !read_rung(from, rubric, item, error)))
    return false;
  rubric->count++;
  return true;
}

static double sum_of(const struct rubric *rubric, enum rubric_kind kind, bool bonus, bool public) {
  double points = 0;
  for (int n = 0; n < rubric->count; n++) {
    const struct rubric_item *item = &rubric->items[n];
    points += item->kind == kind && item->bonus == bonus && !(public && item->hidden) ? item->points : 0;
  }
  return points;
}

static bool time_is_replaceable(const struct rubric *rubric, bool bonus, bool public, struct error *error) {
  const double time = sum_of(rubric, RUBRIC_TIME, bonus, public);
  const double counters = sum_of(rubric, RUBRIC_COUNTER, bonus, public);
  return time <= counters ||
         error_set(
             error,
             "%g points of %s%stime items: expected at most the %g of %scounter items, which they replace",
             time, public ? "public " : "", bonus ? "bonus " : "", counters, bonus ? "bonus " : "");
}

/* Checks the whole rubric and its public items, which students have. */
static bool check_sums(const struct rubric *rubric, struct error *error) {
  double regular = 0, extra = 0;
  for (enum rubric_kind kind = RUBRIC_CORRECTNESS; kind <= RUBRIC_COUNTER; kind++) {
    regular += rubric_sum(rubric, kind, false);
    extra += rubric_sum(rubric, kind, true);
  }
  if (extra > 0 && !(regular > 0))
    return error_set(error,
                     "every item with points has bonus = true: expected points for the lab itself, too");
  for (int n = 0; n < 4; n++)
    if (!time_is_replaceable(rubric, n & 1, n & 2, error))
      return false;
  return true;
}

static bool read_items(const config_t *config, struct rubric *rubric, struct error *error) {
  const config_setting_t *items = config_lookup(config, "items");
  const int count = items ? config_setting_length(items) : 0;
  if (!config_lookup_string(config, "lab", &rubric->lab) ||
      !config_lookup_string(config, "program", &rubric->program) || count < 1 || count > RUBRIC_ITEMS)
    return error_set(error, "expected lab, program and 1 to %d items", RUBRIC_ITEMS);
  int optional = 0;
  if (config_lookup(config, "optional") && config_lookup_bool(config, "optional", &optional) != CONFIG_TRUE)
    return error_set(error, "optional: expected true or false");
  rubric->optional = optional;
  for (int n = 0; n < count; n++)
    if (!read_item(config_setting_get_elem(items, (unsigned)n), rubric, error))
      return false;
  return check_sums(rubric, error);
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
    read = read_items(config, rubric, &why) && sha256_of_file(path, rubric->sha256, &why);
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

bool rubric_is_named(const char *id, const char *const *names) {
  if (!names[0])
    return true;
  for (; *names; names++)
    if (strcmp(*names, id) == 0)
      return true;
  return false;
}

double rubric_sum(const struct rubric *rubric, enum rubric_kind kind, bool bonus) {
  return sum_of(rubric, kind, bonus, false);
}

bool rubric_has_time(const struct rubric *rubric) {
  return rubric_sum(rubric, RUBRIC_TIME, false) + rubric_sum(rubric, RUBRIC_TIME, true) > 0;
}

double rubric_points(const struct rubric_item *item, double measured) {
  const double share = (measured - item->none_at) / (item->full_at - item->none_at);
  if (!(share > 0)) /* NaN included */
    return 0;
  return share >= 1 ? item->points : floor(100 * share * item->points + 0.5) / 100;
}
