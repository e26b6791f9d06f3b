/* Gradescope's results.json, https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
 *
 * The score at the top overrides the sum of the tests. A test is passed or failed, so an item that was not run has
 * neither status nor score. Gradescope treats a result without any score as a failed autograder, which is right for
 * INFRA. A bonus is extra credit: the score may be above the assignment's maximum. Hidden items are one visible test:
 * if any test were hidden, nobody would see the total. */
#include "report.h"
#include <stdlib.h>
#include <string.h>

static json_t *tags(const struct report_lab *lab, const struct report_item *item) {
  json_t *list = json_pack("[s]", lab->name);
  if (item->kind[0])
    json_array_append_new(list, json_string(item->kind));
  if (item->part > 0)
    json_array_append_new(list, json_sprintf("part %d", item->part));
  if (item->bonus)
    json_array_append_new(list, json_string("bonus"));
  return list;
}

static json_t *item_test(const struct report_lab *lab, const struct report_item *item) {
  json_t *test =
      json_pack("{s:o, s:s, s:s, s:o, s:s}", "name", json_sprintf("%s: %s", item->id, item->title), "number",
                item->id, "output", item->text, "tags", tags(lab, item), "visibility", "visible");
  if (item->status == REPORT_NOT_RUN)
    return test;
  json_object_set_new(test, "score", json_real(item->points));
  json_object_set_new(test, "max_score", json_real(item->max_points));
  if (item->status != REPORT_NO_BONUS)
    json_object_set_new(test, "status", json_string(item->status == REPORT_PASSED ? "passed" : "failed"));
  return test;
}

/* Points, then the speeds of the result's leaderboard. */
static json_t *leaderboard_of(const struct report *report) {
  json_t *board =
      json_pack("[{s:s, s:f, s:s}]", "name", "points", "value", report->points.points, "order", "desc");
  json_t *entry;
  size_t n;
  json_array_foreach((json_t *)report->leaderboard, n, entry) {
    json_array_append_new(board, json_pack("{s:O, s:O, s:O}", "name", json_object_get(entry, "item"), "value",
                                           json_object_get(entry, "value"), "order",
                                           json_object_get(entry, "order")));
  }
  return board;
}

static void add_grade(json_t *root, const struct report *report) {
  json_t *tests = json_array();
  for (size_t i = 0; i < report->lab_count; i++)
    for (size_t j = 0; j < report->labs[i].item_count; j++)
      json_array_append_new(tests, item_test(&report->labs[i], &report->labs[i].items[j]));
  json_object_set_new(root, "score", json_real(report->points.points));
  json_object_set_new(root, "tests", tests);
  if (report->leaderboard)
    json_object_set_new(root, "leaderboard", leaderboard_of(report));
}

bool report_gradescope(const struct report *report, FILE *out) {
  char *output = report->graded ? report_summary(report) : report_infra(report);
  json_t *root = json_pack("{s:f, s:s, s:s, s:s, s:s, s:s, s:o}", "execution_time", report->seconds, "output",
                           output, "output_format", "text", "test_output_format", "text", "visibility",
                           "visible", "stdout_visibility", "hidden", "extra_data", report_provenance(report));
  free(output);
  if (report->graded)
    add_grade(root, report);
  return report_dump(root, out, JSON_INDENT(1));
}
