/* TAP 13, https://testanything.org/tap-version-13-specification.html: the plan comes first, so that a truncated report
 * is detected; a bonus below its points is a TODO, which fails nothing; verdict, points and text in a YAML block. INFRA
 * bails out. Strings in the block are JSON's, which are YAML's too. */
#include "report.h"
#include <stdlib.h>
#include <string.h>

/* The first line; in a description # starts a directive and \ quotes. */
static void description(FILE *out, const char *text) {
  for (; *text && *text != '\n'; text++) {
    if (*text == '#' || *text == '\\')
      putc('\\', out);
    putc(*text, out);
  }
}

static void quoted(FILE *out, const char *key, const char *text) {
  json_t *string = json_string(text);
  fprintf(out, "  %s: ", key);
  json_dumpf(string, out, JSON_ENCODE_ANY);
  putc('\n', out);
  json_decref(string);
}

static void test_item(FILE *out, const struct report_item *item, size_t number) {
  bool fine = item->status == REPORT_PASSED || item->status == REPORT_NOT_RUN;
  fprintf(out, "%sok %zu - ", fine ? "" : "not ", number);
  description(out, item->id);
  fputs(": ", out);
  description(out, item->title);
  if (item->status == REPORT_NOT_RUN) {
    fputs(" # SKIP ", out);
    description(out, item->text[0] ? item->text : item->verdict);
  }
  if (item->status == REPORT_NO_BONUS)
    fputs(" # TODO a bonus", out);
  fputs("\n  ---\n", out);
  quoted(out, "verdict", item->verdict);
  fprintf(out, "  points: %.6g\n  max_points: %.6g\n", item->points, item->max_points);
  quoted(out, "message", item->text);
  fputs("  ...\n", out);
}

static void comments(FILE *out, const char *text) {
  for (const char *item = text; *item; item += item[0] == '\n') {
    size_t length = strcspn(item, "\n");
    fprintf(out, "# %.*s\n", (int)length, item);
    item += length;
  }
}

bool report_tap(const struct report *report, FILE *out) {
  size_t count = 0;
  char *text = report->graded ? report_summary(report) : report_infra(report);
  for (size_t i = 0; i < report->lab_count; i++)
    count += report->labs[i].item_count;
  fprintf(out, "TAP version 13\n1..%zu\n", count > 0 ? count : 1);
  comments(out, text);
  if (!report->graded)
    fprintf(out, "Bail out! %.*s\n", (int)strcspn(text, "\n"), text);
  free(text);
  count = 0;
  for (size_t i = 0; report->graded && i < report->lab_count; i++)
    for (size_t j = 0; j < report->labs[i].item_count; j++)
      test_item(out, &report->labs[i].items[j], ++count);
  return !ferror(out);
}
