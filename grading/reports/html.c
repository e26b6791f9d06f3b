/* Fills report.html: one page without scripts or external files, for light and dark screens and for paper.
 * Everything from a submission is escaped text, never an attribute's name, a style or an address. */
#include "html_kernels.h"
#include "html_ladder.h"
#include "html_measure.h"
#include "html_text.h"
#include "template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char html_template[]; /* report.html, by CMake */

static json_t *points_text(double points) { return html_text("%.6g", points); }

/* "7 bonus" points instead of "7" points */
static json_t *maximum_text(double points, bool bonus) {
  return html_text("%.6g%s", points, bonus ? " bonus" : "");
}

static void set_points(json_t *object, const struct standing_points *of) {
  const bool only_bonus = !(of->max_points > 0) && of->max_bonus > 0;
  json_object_set_new(object, "points", points_text(of->points));
  json_object_set_new(object, "max_points",
                      maximum_text(only_bonus ? of->max_bonus : of->max_points, only_bonus));
  if (of->max_bonus > 0 && !only_bonus)
    json_object_set_new(object, "bonus", html_text("%.6g of %.6g", of->bonus, of->max_bonus));
}

static json_t *standing_members(const struct standing *standing) {
  static const char *const tones[] = {
      [STANDING_FULL] = "full",      [STANDING_PARTLY] = "partly", [STANDING_REMARK] = "remark",
      [STANDING_UNWRITTEN] = "open", [STANDING_WAITING] = "open",  [STANDING_FAILED] = "failed"};
  return json_pack("{s:s, s:s}", "tone", tones[standing->tone], "words", standing->words);
}

static json_t *item_members(const struct report_lab *lab, const struct report_item *item, bool graded) {
  json_t *members = standing_members(&item->standing);
  const bool says_more = strcmp(item->message, lab->message) != 0; /* show the lab's message only once */
  json_t *more =
      json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o?, s:o?}", "meaning", item->meaning, "id",
                item->id, "title", item->title, "message", says_more ? item->message : "", "remark",
                item->remark, "shown", item->shown, "printed", item->printed, "source", item->source, "hint",
                item->hint, "measure", html_measure(item), "target", html_kernels_target(lab, item->source));
  json_object_update(members, more);
  json_decref(more);
  if (graded && item->max_points > 0) {
    json_object_set_new(members, "points", points_text(item->points));
    json_object_set_new(members, "max_points", maximum_text(item->max_points, item->bonus));
  } else if (graded && item->standing.tone == STANDING_REMARK)
    json_object_set_new(members, "costs_nothing", json_true());
  return members;
}

static json_t *lab_members(const struct report *report, size_t place) {
  const struct report_lab *lab = &report->labs[place];
  json_t *members = standing_members(&lab->standing), *items = json_array();
  json_object_set_new(members, "number", json_integer((json_int_t)place));
  json_object_set_new(members, "name", json_string(lab->name));
  json_object_set_new(members, "message", json_string(lab->message));
  if (report->graded)
    set_points(members, &lab->points);
  for (size_t k = 0; k < lab->item_count; k++)
    json_array_append_new(items, item_members(lab, &lab->items[k], report->graded));
  json_object_set_new(members, "items", items);
  return members;
}

/* A lab's row; it has no bar if the points are not a fraction. */
static json_t *ledger_row(const struct report *report, size_t place) {
  const struct report_lab *lab = &report->labs[place];
  const struct standing_points *of = &lab->points;
  const double part = of->max_points > 0 ? fmin(fmax(of->points / of->max_points, 0), 1) : 0;
  json_t *row = lab_members(report, place);
  json_object_set_new(row, "percent", html_text("%.0f", 100 * part));
  json_object_set_new(row, "width", html_text("%.1f", 160 * part));
  json_object_set_new(row, "fill", json_string(part < 1 ? "mark" : "good"));
  return row;
}

static json_t *ledger(const struct report *report) {
  json_t *labs = json_array();
  for (size_t k = 0; k < report->lab_count; k++)
    json_array_append_new(labs, ledger_row(report, k));
  return json_pack("{s:o}", "labs", labs);
}

/* The ladders of several labs come before the labs; those of a single lab are inside it. */
static json_t *sections(const struct report *report) {
  json_t *list = json_array(), *ladders = report->graded ? html_ladder_list(report) : NULL;
  const bool single = report->lab_count == 1;
  if (!single)
    json_array_append_new(list, json_pack("{s:o?}", "ladders", ladders));
  for (size_t k = 0; k < report->lab_count; k++)
    json_array_append_new(list,
                          json_pack("{s:o, s:o?, s:o?}", "lab", lab_members(report, k), "ladders",
                                    single ? ladders : NULL, "kernels", html_kernels(&report->labs[k])));
  return list;
}

/* NULL: none was requested, or it is empty. */
static json_t *leaderboard(const struct report *report) {
  json_t *rows = json_array(), *entry;
  size_t n;
  json_array_foreach((json_t *)report->leaderboard, n, entry) {
    json_array_append_new(rows,
                          json_pack("{s:O, s:O, s:o, s:O}", "item", json_object_get(entry, "item"), "title",
                                    json_object_get(entry, "title"), "value",
                                    html_text("%.4g", json_number_value(json_object_get(entry, "value"))),
                                    "unit", json_object_get(entry, "unit")));
  }
  json_t *board = json_array_size(rows) > 0 && report->graded ? json_pack("{s:O}", "rows", rows) : NULL;
  json_decref(rows);
  return board;
}

static json_t *page(const struct report *report) {
  json_t *members = standing_members(&report->standing);
  char *summary = report_summary(report), *infra = report_infra(report);
  const char *provenance = strrchr(summary, '\n'); /* the last line */
  json_object_set_new(members, "submission", json_string(report->submission));
  json_object_set_new(members, "message", json_string(report->graded ? report->message : infra));
  json_object_set_new(members, "provenance", json_string(provenance ? provenance + 1 : summary));
  json_object_set_new(members, "counted", json_boolean(strcmp(report->mode, "time") != 0));
  json_object_set_new(members, "sections", sections(report));
  if (report->graded) {
    json_t *total = json_object();
    set_points(total, &report->points);
    json_object_set_new(members, "total", total);
  }
  json_t *board = leaderboard(report);
  if (board)
    json_object_set_new(members, "leaderboard", board);
  if (report->graded && report->lab_count > 1)
    json_object_set_new(members, "ledger", ledger(report));
  free(summary);
  free(infra);
  return members;
}

bool report_html(const struct report *report, FILE *out) {
  json_t *members = page(report);
  template_write((const char *)html_template, members, out);
  json_decref(members);
  return !ferror(out);
}
