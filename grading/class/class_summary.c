#include "class_summary.h"
#include "output.h"
#include "result.h"

#include <string.h>

static void put_text(FILE *stream, const char *text) {
  putc('"', stream);
  if (text[0] && strchr("=+-@", text[0]))
    putc('\'', stream);
  for (; *text; text++) {
    if (*text == '"')
      putc('"', stream);
    putc(*text == '\n' ? ' ' : *text, stream);
  }
  putc('"', stream);
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
  fprintf(stream, ",%s,%s", json_string_value(json_object_get(submission, "sha256")), result_verdict(result));
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
  fputs("submission,sha256,verdict,points,max_points", out.stream);
  for (int n = 0; n < kit->count; n++)
    if (!only || only == &kit->labs[n])
      fprintf(out.stream, ",%s", kit->labs[n].name);
  putc('\n', out.stream);
  for (int n = 0; n < count; n++)
    put_row(out.stream, only ? 1 : (size_t)kit->count, results[n]);
  return output_commit(&out, error);
}
