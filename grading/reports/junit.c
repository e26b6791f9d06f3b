/* JUnit's XML as Jenkins' xUnit plugin defines it (junit-10.xsd of the plugin): a suite per lab, points as
 * properties of the suite, a failure for an item that lost points, an error for INFRA, skipped for an item
 * that was not run and for a bonus below its points. */
#include "report.h"
#include <stdlib.h>
#include <string.h>

static void attribute(FILE *out, const char *name, const char *text) {
  fprintf(out, " %s=\"", name);
  text_put_escaped(out, text, true);
  putc('"', out);
}

static void property(FILE *out, const char *name, const char *value) {
  fputs("<property", out);
  attribute(out, "name", name);
  attribute(out, "value", value);
  fputs("/>\n", out);
}

static void points_property(FILE *out, const char *id, const char *what, double points) {
  char value[32];
  char *name = malloc(strlen(id) + strlen(what) + 2);
  if (!name)
    error_die("no memory for a report");
  sprintf(name, "%s%s%s", id, *id ? " " : "", what);
  snprintf(value, sizeof value, "%.6g", points);
  property(out, name, value);
  free(name);
}

/* Lists of tests show this message: points, and the first line. */
static void element(FILE *out, const char *name, const struct report_item *item) {
  size_t size;
  char *message = NULL;
  FILE *stream = open_memstream(&message, &size);
  if (!stream)
    error_die("no memory for a report");
  if (item->status == REPORT_FAILED || item->status == REPORT_NO_BONUS)
    fprintf(stream, "%.6g of %.6g%s points: ", item->points, item->max_points, item->bonus ? " bonus" : "");
  fwrite(item->text, 1, strcspn(item->text, "\n"), stream);
  if (fclose(stream) != 0)
    error_die("no memory for a report");
  fprintf(out, "<%s", name);
  attribute(out, "type", item->verdict);
  attribute(out, "message", message);
  putc('>', out);
  text_put_escaped(out, item->text, false);
  fprintf(out, "</%s>\n", name);
  free(message);
}

static void testcase(FILE *out, const struct report_lab *lab, const struct report_item *item) {
  static const char *const elements[] = {[REPORT_FAILED] = "failure",
                                         [REPORT_NOT_RUN] = "skipped",
                                         [REPORT_NO_BONUS] = "skipped",
                                         [REPORT_ERROR] = "error"};
  fputs("<testcase", out);
  attribute(out, "classname", lab->name);
  fputs(" name=\"", out);
  text_put_escaped(out, item->id, true);
  fputs(": ", out);
  text_put_escaped(out, item->title, true);
  fputs("\">\n", out);
  if (item->status != REPORT_PASSED)
    element(out, elements[item->status], item);
  fputs("</testcase>\n", out);
}

static size_t count(const struct report_lab *lab, enum report_status status) {
  size_t found = 0;
  for (size_t j = 0; j < lab->item_count; j++)
    found += lab->items[j].status == status;
  return found;
}

static void properties(FILE *out, const struct report *report, const struct report_lab *lab) {
  const char *key;
  json_t *provenance = report_provenance(report), *value;
  fputs("<properties>\n", out);
  json_object_foreach(provenance, key, value)
    if (json_is_string(value))
      property(out, key, json_string_value(value));
  json_decref(provenance);
  points_property(out, "", "seed", (double)report->seed);
  if (report->graded) {
    points_property(out, "", "points", lab->points.points);
    points_property(out, "", "max_points", lab->points.max_points);
    if (lab->points.max_bonus > 0) {
      points_property(out, "", "bonus", lab->points.bonus);
      points_property(out, "", "max_bonus", lab->points.max_bonus);
    }
  }
  for (size_t j = 0; report->graded && j < lab->item_count; j++) {
    points_property(out, lab->items[j].id, "points", lab->items[j].points);
    points_property(out, lab->items[j].id, "max_points", lab->items[j].max_points);
  }
  fputs("</properties>\n", out);
}

static void suite(FILE *out, const struct report *report, const struct report_lab *lab) {
  fputs("<testsuite", out);
  attribute(out, "name", lab->name);
  fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", lab->item_count,
          count(lab, REPORT_FAILED), count(lab, REPORT_ERROR),
          count(lab, REPORT_NOT_RUN) + count(lab, REPORT_NO_BONUS));
  properties(out, report, lab);
  for (size_t j = 0; j < lab->item_count; j++)
    testcase(out, lab, &lab->items[j]);
  fputs("</testsuite>\n", out);
}

/* INFRA must appear as an error even if no item has it. */
static struct report_lab infra_lab(char *text, struct report_item *item) {
  *item = (struct report_item){.id = "grade",
                               .title = "grading",
                               .kind = "",
                               .verdict = "INFRA",
                               .status = REPORT_ERROR,
                               .text = text};
  return (struct report_lab){.name = "grading", .verdict = "INFRA", .items = item, .item_count = 1};
}

bool report_junit(const struct report *report, FILE *out) {
  size_t tests = 0, failures = 0, errors = 0;
  char *text = report_infra(report);
  struct report_item item;
  struct report_lab infra = infra_lab(text, &item);
  for (size_t i = 0; i < report->lab_count; i++) {
    tests += report->labs[i].item_count;
    failures += count(&report->labs[i], REPORT_FAILED);
    errors += count(&report->labs[i], REPORT_ERROR);
  }
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
  attribute(out, "name", report->submission);
  fprintf(out, " time=\"%.3f\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", report->seconds,
          tests + !report->graded, failures, errors + !report->graded);
  for (size_t i = 0; i < report->lab_count; i++)
    suite(out, report, &report->labs[i]);
  if (!report->graded)
    suite(out, report, &infra);
  free(text);
  return fputs("</testsuites>\n", out) != EOF;
}
