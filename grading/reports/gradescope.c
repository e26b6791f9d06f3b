/* Gradescope's results.json, https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
 *
 * The score at the top overrides the sum of the tests. It knows passed and failed and nothing between: a line
 * that was not run has neither status nor score. A result without any score is a failure of the autograder
 * there, which is what INFRA shall be. Hidden lines are visible as one: were any test hidden, nobody would
 * see their total. */
#include "report.h"
#include <stdlib.h>
#include <string.h>

static json_t *tags(const struct report_lab *lab, const struct report_line *line) {
  json_t *list = json_pack("[s]", lab->name);
  if (line->kind[0])
    json_array_append_new(list, json_string(line->kind));
  if (line->part > 0)
    json_array_append_new(list, json_sprintf("part %d", line->part));
  return list;
}

static json_t *line_test(const struct report_lab *lab, const struct report_line *line) {
  json_t *test =
      json_pack("{s:o, s:s, s:s, s:o, s:s}", "name", json_sprintf("%s: %s", line->id, line->title), "number",
                line->id, "output", line->text, "tags", tags(lab, line), "visibility", "visible");
  if (line->status == REPORT_NOT_RUN)
    return test;
  json_object_set_new(test, "score", json_real(line->points));
  json_object_set_new(test, "max_score", json_real(line->max_points));
  json_object_set_new(test, "status", json_string(line->status == REPORT_PASSED ? "passed" : "failed"));
  return test;
}

static void add_lab(const struct report_lab *lab, json_t *tests, json_t *leaderboard) {
  for (size_t j = 0; j < lab->line_count; j++) {
    const struct report_line *line = &lab->lines[j];
    json_array_append_new(tests, line_test(lab, line));
    if (strcmp(line->kind, "time") == 0 && strcmp(line->verdict, "PASS") == 0 && line->has_measured)
      json_array_append_new(leaderboard,
                            json_pack("{s:s, s:f, s:s}", "name", line->id, "value", line->measured, "order",
                                      line->less_is_better ? "asc" : "desc"));
  }
}

static void add_grade(json_t *root, const struct report *report) {
  json_t *tests = json_array();
  json_t *leaderboard =
      json_pack("[{s:s, s:f, s:s}]", "name", "points", "value", report->points, "order", "desc");
  for (size_t i = 0; i < report->lab_count; i++)
    add_lab(&report->labs[i], tests, leaderboard);
  json_object_set_new(root, "score", json_real(report->points));
  json_object_set_new(root, "tests", tests);
  json_object_set_new(root, "leaderboard", leaderboard);
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
