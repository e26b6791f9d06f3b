/* PrairieLearn's results.json, https://prairielearn.readthedocs.io/en/latest/externalGrading/#grading-results
 *
 * The score is a fraction of 1, so a bonus replaces lost points only; the file has at most 1 MB. "gradable": false
 * changes no points and costs no attempt. It is right for INFRA, and for a submission that does not compile or
 * lacks its file. */
#include "report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 1000000 };

static char *cut(const char *text, size_t limit) { return text_clean(text, strlen(text), limit); }

static json_t *item_test(const struct report_lab *lab, const struct report_item *item, size_t limit) {
  char *title = cut(item->title, limit), *text = cut(item->text, limit);
  json_t *test =
      json_pack("{s:s, s:o, s:f, s:f, s:s, s:s}", "name", title, "description",
                json_sprintf("%s, %s%s", lab->name, item->id, item->bonus ? ", bonus" : ""), "points",
                item->points, "max_points", item->max_points, "message", item->verdict, "output", text);
  free(title);
  free(text);
  return test;
}

static json_t *tests(const struct report *report, size_t limit) {
  json_t *list = json_array();
  for (size_t i = 0; limit > 0 && i < report->lab_count; i++)
    for (size_t j = 0; j < report->labs[i].item_count; j++)
      json_array_append_new(list, item_test(&report->labs[i], &report->labs[i].items[j], limit));
  return list;
}

static void set_text(json_t *root, const char *key, char *text) {
  json_object_set_new(root, key, json_string(text));
  free(text);
}

/* True if the submission does not compile or lacks its file. */
static bool is_gradable(const struct report *report) {
  return report->points.points > 0 ||
         (strcmp(report->verdict, "COMPILE") != 0 && strcmp(report->verdict, "MISSING") != 0);
}

static json_t *page(const struct report *report, size_t limit) {
  json_t *root = json_pack("{s:b, s:o}", "gradable", report->graded && is_gradable(report), "checkerboard",
                           report_provenance(report));
  if (!report->graded) {
    set_text(root, "format_errors", report_infra(report));
    return root;
  }
  if (!is_gradable(report))
    set_text(root, "format_errors", report_summary(report));
  const struct standing_points *points = &report->points;
  double fraction = points->max_points > 0 ? points->points / points->max_points : 0;
  json_object_set_new(root, "score", json_real(fmin(fmax(fraction, 0), 1)));
  json_object_set_new(root, "message", json_string(report->verdict));
  set_text(root, "output", report_summary(report));
  json_object_set_new(root, "tests", tests(report, limit));
  return root;
}

/* Shortens texts until the file fits; if that is not enough, removes the list of tests. */
bool report_prairielearn(const struct report *report, FILE *out) {
  for (size_t limit = TEXT_LIMIT;; limit /= 4) {
    json_t *root = page(report, limit);
    size_t size = json_dumpb(root, NULL, 0, JSON_REAL_PRECISION(12));
    if (limit == 0 || size < FILE_LIMIT)
      return report_dump(root, out, 0);
    json_decref(root);
  }
}
