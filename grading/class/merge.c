#include "merge.h"
#include "ladder.h"
#include "leaderboard.h"
#include "load_result.h"
#include "result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

static double number(const json_t *from, const char *name) {
  return json_number_value(json_object_get(from, name));
}

static double hundredths(double value) { return floor(100 * value + 0.5) / 100; }

static const json_t *find(const json_t *parts, const char *key, const char *value) {
  size_t n;
  json_t *part;
  json_array_foreach(parts, n, part)
    if (strcmp(text(part, key), value) == 0)
      return part;
  return NULL;
}

/* --- checks that both halves agree --- */

static bool check_half(const struct installation *kit, const json_t *half, const char *name,
                       struct error *error) {
  static const char *const keys[] = {"schema", "kit", "rubrics", "judge"};
  const char *const expected[] = {LOAD_RESULT_SCHEMA, kit->version, kit->rubrics, kit->judge};
  for (int n = 0; n < 4; n++)
    if (strcmp(text(half, keys[n]), expected[n]) != 0)
      return error_set(error, "%s: %s \"%s\": expected \"%s\"", name, keys[n], text(half, keys[n]),
                       expected[n]);
  if (!json_is_number(json_object_get(half, "points")))
    return error_set(error, "%s: %s: expected a result with points; grade again", name,
                     text(half, "verdict"));
  return true;
}

static bool check_both(const struct installation *kit, const json_t *const halves[2],
                       const char *const names[2], struct error *error) {
  const char *sums[2], *mode = text(halves[0], "mode");
  for (int n = 0; n < 2; n++) {
    if (!check_half(kit, halves[n], names[n], error))
      return false;
    sums[n] = text(json_object_get(halves[n], "submission"), "sha256");
  }
  if (strcmp(sums[0], sums[1]) != 0)
    return error_set(error, "%s is of submission %.12s, %s of %.12s: expected one submission", names[0],
                     sums[0], names[1], sums[1]);
  const char *other = strcmp(mode, "counters") == 0 ? "time" : "counters";
  if ((strcmp(mode, "counters") != 0 && strcmp(mode, "time") != 0) ||
      strcmp(text(halves[1], "mode"), other) != 0)
    return error_set(error, "%s has mode %s, %s has mode %s: expected one with counters and one with time",
                     names[0], mode, names[1], text(halves[1], "mode"));
  if (json_array_size(json_object_get(halves[0], "labs")) !=
      json_array_size(json_object_get(halves[1], "labs")))
    return error_set(error, "%s and %s: expected the same labs in both", names[0], names[1]);
  return true;
}

/* --- items --- */

/* The item of the rubric in its half of the result; NULL: it was not graded. */
static const json_t *item_in(const struct rubric_item *item, const json_t *counters, const json_t *time) {
  const json_t *half = item->kind == RUBRIC_TIME ? time : counters;
  return find(json_object_get(half, "items"), "id", item->id);
}

/* The item with other points. */
static json_t *worth(const json_t *item, double max_points) {
  const double before = number(item, "max_points");
  json_t *copy = json_deep_copy(item);
  json_object_set_new(copy, "points",
                      json_real(before > 0 ? hundredths(number(item, "points") / before * max_points) : 0));
  json_object_set_new(copy, "max_points", json_real(max_points));
  return copy;
}

static json_t *timed(const struct rubric_item *item, const json_t *measured, const json_t *counters) {
  char message[128];
  for (int n = 0; item->needs[n]; n++)
    if (strcmp(text(find(json_object_get(counters, "items"), "id", item->needs[n]), "verdict"), "PASS") !=
        0) {
      snprintf(message, sizeof message, "counts when %s passes", item->needs[n]);
      return result_item(item, "SKIPPED", message);
    }
  return json_deep_copy(measured);
}

/* The share of the counter items' points that remains: the time items, of the same sort, take the others. */
static double share_of_counters(const struct rubric *rubric, bool bonus) {
  const double time = rubric_sum(rubric, RUBRIC_TIME, bonus);
  return time > 0 ? 1 - time / rubric_sum(rubric, RUBRIC_COUNTER, bonus) : 1;
}

/* An item's part of the maximum, in hundredths. `so_far`: the sum of the items before it. The parts of all items sum to
 * the rounded part of their sum. */
static double part_of(double points, double share, double *so_far) {
  const double before = hundredths(share * *so_far);
  *so_far += points;
  return hundredths(hundredths(share * *so_far) - before);
}

static json_t *merge_lab(const struct installation_lab *lab, const json_t *counters, const json_t *time,
                         struct error *error) {
  const struct rubric *rubric = &lab->rubric;
  double so_far[2] = {0, 0}; /* points of the counter items: without and with a bonus */
  json_t *items = json_array();
  for (int n = 0; n < rubric->count; n++) {
    const struct rubric_item *item = &rubric->items[n];
    if (item->kind == RUBRIC_RUNG)
      continue;
    const json_t *graded = item_in(item, counters, time);
    if (!graded) {
      error_set(error, "no item %s: expected both halves to have all items of the labs that they grade",
                item->id);
      json_decref(items);
      return NULL;
    }
    if (item->kind == RUBRIC_TIME) {
      json_array_append_new(items, timed(item, graded, counters));
      continue;
    }
    const double points = number(graded, "max_points");
    json_array_append_new(items, worth(graded, item->kind == RUBRIC_COUNTER
                                                   ? part_of(points, share_of_counters(rubric, item->bonus),
                                                             &so_far[item->bonus])
                                                   : points));
  }
  json_t *result = result_lab(lab->name, items, text(counters, "message"));
  if (json_object_get(counters, "kernels"))
    json_object_set(result, "kernels", json_object_get(counters, "kernels"));
  return result;
}

static json_t *merge_labs(const struct installation *kit, const json_t *counters, const json_t *time,
                          struct error *error) {
  json_t *labs = json_array();
  for (int n = 0; n < kit->count; n++) {
    const json_t *lab = find(json_object_get(counters, "labs"), "lab", kit->labs[n].name),
                 *timed_lab = find(json_object_get(time, "labs"), "lab", kit->labs[n].name);
    if (!lab && !timed_lab)
      continue;
    json_t *merged = NULL;
    if (!lab || !timed_lab)
      error_set(error, "lab %s: expected it in both halves", kit->labs[n].name);
    else
      merged = merge_lab(&kit->labs[n], lab, timed_lab, error);
    if (!merged) {
      json_decref(labs);
      return NULL;
    }
    json_array_append_new(labs, merged);
  }
  return labs;
}

/* The lower of two levels. */
static const json_t *weaker_isolation(const json_t *a, const json_t *b) {
  for (int level = ISOLATION_NONE; isolation_names[level]; level++)
    if (strcmp(text(a, "level"), isolation_names[level]) == 0)
      return a;
    else if (strcmp(text(b, "level"), isolation_names[level]) == 0)
      return b;
  return a;
}

json_t *merge_results(const struct installation *kit, const json_t *a, const json_t *b,
                      const char *const names[2], struct error *error) {
  if (!check_both(kit, (const json_t *const[]){a, b}, names, error))
    return NULL;
  const bool in_order = strcmp(text(a, "mode"), "counters") == 0;
  const json_t *counters = in_order ? a : b, *time = in_order ? b : a;
  json_t *labs = merge_labs(kit, counters, time, error);
  if (!labs)
    return NULL;
  char device[512];
  struct submission submission = {.name = ""};
  snprintf(device, sizeof device, "%.200s, %.255s", text(counters, "device"), text(time, "device"));
  snprintf(submission.name, sizeof submission.name, "%s", text(json_object_get(a, "submission"), "name"));
  snprintf(submission.sha256, sizeof submission.sha256, "%s",
           text(json_object_get(a, "submission"), "sha256"));
  const json_t *weaker =
      weaker_isolation(json_object_get(counters, "isolation"), json_object_get(time, "isolation"));
  const struct result_origin origin = {.kit = kit->version,
                                       .rubrics = kit->rubrics,
                                       .judge = kit->judge,
                                       .limits = text(time, "limits"),
                                       .seed = (int)json_integer_value(json_object_get(counters, "seed")),
                                       .mode = "merged",
                                       .device = device,
                                       .isolation = text(weaker, "level"),
                                       .missing = text(weaker, "missing")};
  json_t *merged = result_whole(&submission, &origin, labs, number(a, "seconds") + number(b, "seconds"));
  if (json_object_get(a, "leaderboard") || json_object_get(b, "leaderboard"))
    leaderboard_keep(merged, kit);
  ladder_keep(merged, ladder_either(ladder_measured(kit, labs), json_object_get(counters, "ladders")));
  return merged;
}
