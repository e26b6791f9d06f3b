#include "guide.h"
#include "result.h"

#include <string.h>

static double number(const json_t *from, const char *name) {
  return json_number_value(json_object_get(from, name));
}

static bool has_passed(const json_t *item) {
  const char *verdict = result_verdict(item);
  return verdict && strcmp(verdict, "PASS") == 0 && number(item, "points") >= number(item, "max_points");
}

void guide_item(json_t *json, const struct rubric_item *item, const json_t *attempts) {
  const json_t *before = json_object_get(json_object_get(attempts, item->id), "measured");
  if (!json_object_get(json, "measured") || item->hidden)
    return;
  if (json_is_number(before))
    json_object_set_new(json, "previous", json_real(json_number_value(before)));
  if (item->meaning && has_passed(json))
    json_object_set_new(json, "meaning", result_string(item->meaning));
}

/* The item in the result of the lab, or in an earlier check; NULL: it was never judged. */
static const json_t *last_of(const json_t *result, const json_t *attempts, const char *id) {
  const json_t *lab = json_array_get(json_object_get(result, "labs"), 0);
  size_t n;
  json_t *item;
  json_array_foreach(json_object_get(lab, "items"), n, item) {
    if (strcmp(json_string_value(json_object_get(item, "id")), id) == 0)
      return item;
  }
  return json_object_get(attempts, id);
}

/* The first item that is not known to have full marks, from first on and then from the beginning; NULL: none. */
static const struct rubric_item *next_item(const struct rubric *rubric, int first, bool bonus,
                                           const json_t *result, const json_t *attempts) {
  for (int n = 0; n < rubric->count; n++) {
    const struct rubric_item *item = &rubric->items[(first + n) % rubric->count];
    const bool counts = (item->kind == RUBRIC_CORRECTNESS || item->kind == RUBRIC_COUNTER) &&
                        item->points > 0 && !item->hidden && item->bonus == bonus;
    if (counts && !has_passed(last_of(result, attempts, item->id)))
      return item;
  }
  return NULL;
}

static void print_item(const struct rubric_item *item, FILE *out) {
  fprintf(out, "Next%s: %s, %s: ./kit check %s\n", item->bonus ? " (bonus)" : "", item->id, item->title,
          item->id);
}

/* The next lab that is not known to have full marks; NULL: none. */
static const struct installation_lab *next_lab(const struct installation *kit,
                                               const struct installation_lab *lab, const json_t *attempts) {
  for (lab++; lab < kit->labs + kit->count; lab++)
    if (!lab->rubric.count || next_item(&lab->rubric, 0, false, NULL, attempts))
      return lab;
  return NULL;
}

void guide_print_next(const struct installation *kit, const struct installation_lab *lab, const char *name,
                      const json_t *result, const json_t *attempts, FILE *out) {
  const struct rubric *rubric = &lab->rubric;
  const json_t *judged = json_array_get(json_object_get(result, "labs"), 0);
  const struct rubric_item *only = name ? rubric_find(rubric, name) : NULL;
  if (!json_is_number(json_object_get(result, "points")) || json_object_get(judged, "message") ||
      (only && !has_passed(last_of(result, NULL, name))))
    return;
  const struct rubric_item *regular =
      next_item(rubric, only ? (int)(only - rubric->items) + 1 : 0, false, result, attempts);
  const struct rubric_item *bonus = regular ? NULL : next_item(rubric, 0, true, result, attempts);
  const struct installation_lab *next = regular ? NULL : next_lab(kit, lab, attempts);
  if (regular)
    print_item(regular, out);
  if (next)
    fprintf(out, "Next: lab %.2s: labs/%s/README.md\n", next->name, next->name);
  if (bonus)
    print_item(bonus, out);
}
