#include "class_summary.h"
#include "output.h"
#include "result.h"

#include <stdlib.h>
#include <string.h>

/* In quotes, in one line. */
static void put_text(FILE *stream, const char *text) {
  putc('"', stream);
  if (text[0] && strchr("=+-@", text[0]))
    putc('\'', stream);
  for (; *text; text++) {
    if (*text == '"')
      putc('"', stream);
    putc((unsigned char)*text < ' ' ? ' ' : *text, stream);
  }
  putc('"', stream);
}

static bool has_verdict(const json_t *part, const char *verdict) {
  return strcmp(result_verdict(part), verdict) == 0;
}

static const char *message_of(const json_t *part) {
  const char *message = json_string_value(json_object_get(part, "message"));
  return message ? message : "";
}

/* Why the lab has no grade: its own message, or that of the first line which has none. */
static const char *reason_of(const json_t *lab) {
  const char *why = message_of(lab);
  size_t n;
  json_t *line;
  if (!has_verdict(lab, "MISSING") && !has_verdict(lab, "INFRA"))
    return "";
  json_array_foreach(json_object_get(lab, "lines"), n, line) if (!why[0] && has_verdict(line, "INFRA")) why =
      message_of(line);
  return why;
}

/* What is wrong with the whole; then, unless that says it, with each lab that is missing or not graded. */
static void put_reason(FILE *stream, const json_t *result) {
  char *all = NULL;
  size_t size, n;
  json_t *lab;
  FILE *reason = open_memstream(&all, &size);
  if (!reason)
    error_die("no memory for the reason of a verdict");
  const char *between = message_of(result)[0] ? "; " : "";
  fputs(message_of(result), reason);
  if (!message_of(result)[0] || !has_verdict(result, "MISSING"))
    json_array_foreach(json_object_get(result, "labs"), n, lab) if (reason_of(lab)[0]) {
      fprintf(reason, "%s%s", between, reason_of(lab));
      between = "; ";
    }
  fclose(reason);
  put_text(stream, all);
  free(all);
}

static void put_points(FILE *stream, const json_t *from, const char *name) {
  const json_t *points = json_object_get(from, name);
  if (json_is_number(points))
    fprintf(stream, ",%.6g", json_number_value(points));
  else
    putc(',', stream);
}

static void put_row(FILE *stream, size_t labs, const json_t *result) {
  const json_t *submission = json_object_get(result, "submission");
  put_text(stream, json_string_value(json_object_get(submission, "name")));
  fprintf(stream, ",%s,%s,", json_string_value(json_object_get(submission, "sha256")),
          result_verdict(result));
  put_reason(stream, result);
  put_points(stream, result, "points");
  put_points(stream, result, "max_points");
  for (size_t n = 0; n < labs; n++)
    put_points(stream, json_array_get(json_object_get(result, "labs"), n), "points");
  putc('\n', stream);
}

bool class_summary_write(const char *path, const struct installation *kit,
                         const struct installation_lab *only, int count, json_t *const *results,
                         struct error *error) {
  struct output out;
  if (!output_open(&out, path, error))
    return false;
  fputs("submission,sha256,verdict,reason,points,max_points", out.stream);
  for (int n = 0; n < kit->count; n++)
    if (!only || only == &kit->labs[n])
      fprintf(out.stream, ",%s", kit->labs[n].name);
  putc('\n', out.stream);
  for (int n = 0; n < count; n++)
    put_row(out.stream, only ? 1 : (size_t)kit->count, results[n]);
  return output_commit(&out, error);
}
