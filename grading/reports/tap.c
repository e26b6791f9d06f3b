/* TAP 13, https://testanything.org/tap-version-13-specification.html: the plan first, so that a report that
 * was cut off is seen to be; verdict, points and text in a YAML block. INFRA bails out. Strings in the block
 * are JSON's, which are YAML's too. */
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

static void test_line(FILE *out, const struct report_line *line, size_t number) {
  bool fine = line->status == REPORT_PASSED || line->status == REPORT_NOT_RUN;
  fprintf(out, "%sok %zu - ", fine ? "" : "not ", number);
  description(out, line->id);
  fputs(": ", out);
  description(out, line->title);
  if (line->status == REPORT_NOT_RUN) {
    fputs(" # SKIP ", out);
    description(out, line->text[0] ? line->text : line->verdict);
  }
  fputs("\n  ---\n", out);
  quoted(out, "verdict", line->verdict);
  fprintf(out, "  points: %.6g\n  max_points: %.6g\n", line->points, line->max_points);
  quoted(out, "message", line->text);
  fputs("  ...\n", out);
}

static void comments(FILE *out, const char *text) {
  for (const char *line = text; *line; line += line[0] == '\n') {
    size_t length = strcspn(line, "\n");
    fprintf(out, "# %.*s\n", (int)length, line);
    line += length;
  }
}

bool report_tap(const struct report *report, FILE *out) {
  size_t count = 0;
  char *text = report->graded ? report_summary(report) : report_infra(report);
  for (size_t i = 0; i < report->lab_count; i++)
    count += report->labs[i].line_count;
  fprintf(out, "TAP version 13\n1..%zu\n", count > 0 ? count : 1);
  comments(out, text);
  if (!report->graded)
    fprintf(out, "Bail out! %.*s\n", (int)strcspn(text, "\n"), text);
  free(text);
  count = 0;
  for (size_t i = 0; report->graded && i < report->lab_count; i++)
    for (size_t j = 0; j < report->labs[i].line_count; j++)
      test_line(out, &report->labs[i].lines[j], ++count);
  return !ferror(out);
}
