#include "leaderboard.h"
#include "result.h"

#include <string.h>

static bool is_about_speed(const struct rubric_item *item) {
  return !item->hidden &&
         (item->kind == RUBRIC_TIME || (item->kind == RUBRIC_COUNTER && item->metric->fault == METRIC_TIME));
}

/* A value without its limits, or one that a person must check, is not comparable. */
static bool is_trusted(const json_t *item) {
  const char *verdict = result_verdict(item);
  return json_is_number(json_object_get(item, "measured")) &&
         (strcmp(verdict, "PASS") == 0 || strcmp(verdict, "WRONG") == 0);
}

static void add_items(json_t *board, const struct rubric *rubric, const json_t *lab) {
  size_t n;
  json_t *item;
  json_array_foreach(json_object_get(lab, "items"), n, item) {
    const struct rubric_item *rule = rubric_find(rubric, json_string_value(json_object_get(item, "id")));
    if (rule && is_about_speed(rule) && is_trusted(item))
      json_array_append_new(board, json_pack("{s:s, s:s, s:O, s:O, s:s}", "item", rule->id, "title",
                                             rule->title, "value", json_object_get(item, "measured"), "unit",
                                             json_object_get(item, "unit"), "order",
                                             rule->full_at < rule->none_at ? "asc" : "desc"));
  }
}

void leaderboard_keep(json_t *result, const struct installation *kit) {
  json_t *board = json_array(), *lab;
  size_t n;
  json_array_foreach(json_object_get(result, "labs"), n, lab) {
    const char *name = json_string_value(json_object_get(lab, "lab"));
    for (int k = 0; k < kit->count; k++)
      if (strcmp(kit->labs[k].name, name) == 0)
        add_items(board, &kit->labs[k].rubric, lab);
  }
  json_object_set_new(result, "leaderboard", board);
}
