/* The output of an Autolab autograder. The last line is the autoresult, the line before it is the formatted
 * feedback, and Autolab shows everything above unchanged. Each lab is a problem with the same name in
 * Autolab. https://docs.autolabproject.com/lab/, https://docs.autolabproject.com/features/formatted-feedback/
 *
 * Autolab quotes every word before a colon in the last line before it parses it (parseAutoresult in its
 * assessment_autograde_core.rb), inside strings too: no colon may follow a letter there. A problem whose
 * score is null stays ungraded. A bonus is part of the score, which may be above the problem's maximum. */
#include "report.h"
#include <stdlib.h>
#include <string.h>

/* The feedback table shows passed and hint; for an item that was not run it shows the verdict. */
static json_t *item_feedback(const struct report_item *item) {
  if (item->status == REPORT_NOT_RUN || item->status == REPORT_NO_BONUS || item->status == REPORT_ERROR)
    return json_string(item->verdict);
  if (item->status == REPORT_PASSED)
    return json_pack("{s:b}", "passed", 1);
  return json_pack("{s:b, s:s}", "passed", 0, "hint", item->text);
}

static json_t *feedback(const struct report *report) {
  json_t *root = json_pack("{s:s, s:[]}", "_presentation", "semantic", "stages");
  for (size_t i = 0; i < report->lab_count; i++) {
    const struct report_lab *lab = &report->labs[i];
    json_t *stage = json_object();
    for (size_t j = 0; j < lab->item_count; j++) {
      const struct report_item *item = &lab->items[j];
      json_t *name = json_sprintf("%s: %s (%.6g of %.6g%s)", item->id, item->title, item->points,
                                  item->max_points, item->bonus ? ", bonus" : "");
      json_object_set_new(stage, json_string_value(name), item_feedback(item));
      json_decref(name);
    }
    json_array_append_new(json_object_get(root, "stages"), json_string(lab->name));
    json_object_set_new(root, lab->name, stage);
  }
  return root;
}

static void set_score(json_t *scores, const char *name, json_t *score) {
  char *key = text_clean(name, strlen(name), TEXT_LIMIT);
  for (char *c = key; *c; c++)
    if (*c == ':')
      *c = ' ';
  json_object_set_new(scores, key, score);
  free(key);
}

static json_t *autoresult(const struct report *report) {
  json_t *root = json_pack("{s:{}}", "scores"), *scoreboard = json_array();
  for (size_t i = 0; i < report->lab_count; i++) {
    const struct report_lab *lab = &report->labs[i];
    set_score(json_object_get(root, "scores"), lab->name,
              report->graded ? json_real(lab->points.points) : json_null());
    json_array_append_new(scoreboard, json_real(lab->points.points));
  }
  json_array_append_new(scoreboard, json_real(report->points.points));
  if (report->graded)
    json_object_set_new(root, "scoreboard", scoreboard);
  else
    json_decref(scoreboard);
  return root;
}

bool report_autolab(const struct report *report, FILE *out) {
  char *above = report->graded ? report_summary(report) : report_infra(report);
  fprintf(out, "%s\n", above);
  free(above);
  return report_dump(feedback(report), out, JSON_COMPACT) &&
         report_dump(autoresult(report), out, JSON_COMPACT);
}
