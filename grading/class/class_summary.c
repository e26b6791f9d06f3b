#include "class_summary.h"
#include "output.h"
#include "result.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a blank that a spreadsheet passes over; 0: none begins here. */
static size_t blank_bytes(const unsigned char *c) {
  if (*c <= ' ')
    return *c != 0;
  if (c[0] == 0xc2 && c[1] == 0xa0) /* U+00A0 */
    return 2;
  const bool is_space = c[0] == 0xe2 && c[1] == 0x80 && (c[2] <= 0x8f || c[2] == 0xaf), /* U+2000, U+202F */
      is_joiner = c[0] == 0xe2 && c[1] == 0x81 && (c[2] == 0x9f || c[2] == 0xa0),       /* U+205F, U+2060 */
      is_wide = c[0] == 0xe3 && c[1] == 0x80 && c[2] == 0x80,                           /* U+3000 */
      is_mark = c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf;                           /* U+FEFF */
  return is_space || is_joiner || is_wide || is_mark ? 3 : 0;
}

/* Full-width signs count, too. An apostrophe of the text's own counts as a blank, so that plain_text() finds out
 * which was added. */
static bool is_formula(const char *text) {
  static const char *const signs[] = {"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\u2212"};
  for (size_t blank = 0; (blank = blank_bytes((const unsigned char *)text)) || *text == '\'';)
    text += blank ? blank : 1;
  for (size_t n = 0; n < sizeof signs / sizeof *signs; n++)
    if (strncmp(text, signs[n], strlen(signs[n])) == 0)
      return true;
  return false;
}

void class_summary_put_text(FILE *stream, const char *text) {
  putc('"', stream);
  if (is_formula(text))
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

/* The reason why the lab has no grade: its own message, or that of the first item without a grade. */
static const char *reason_of(const json_t *lab) {
  const char *why = message_of(lab);
  size_t n;
  json_t *item;
  if (!has_verdict(lab, "MISSING") && !has_verdict(lab, "INFRA"))
    return "";
  json_array_foreach(json_object_get(lab, "items"), n, item)
    if (!why[0] && has_verdict(item, "INFRA"))
      why = message_of(item);
  return why;
}

/* The fault of the whole, then those of labs that are missing or not graded, unless already named. */
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
    json_array_foreach(json_object_get(result, "labs"), n, lab)
      if (reason_of(lab)[0]) {
        fprintf(reason, "%s%s: %s", between, json_string_value(json_object_get(lab, "lab")), reason_of(lab));
        between = "; ";
      }
  fclose(reason);
  class_summary_put_text(stream, all);
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
  class_summary_put_text(stream, json_string_value(json_object_get(submission, "name")));
  fprintf(stream, ",%s,%s,", json_string_value(json_object_get(submission, "sha256")),
          result_verdict(result));
  put_reason(stream, result);
  put_points(stream, result, "points");
  put_points(stream, result, "max_points");
  put_points(stream, result, "bonus");
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
  fputs("submission,sha256,verdict,reason,points,max_points,bonus", out.stream);
  for (int n = 0; n < kit->count; n++)
    if (!only || only == &kit->labs[n])
      fprintf(out.stream, ",%s", kit->labs[n].name);
  putc('\n', out.stream);
  for (int n = 0; n < count; n++)
    put_row(out.stream, only ? 1 : (size_t)kit->count, results[n]);
  return output_commit_to_disk(&out, error);
}

/* --- reading --- */

/* Checks every number, so that nothing can fail later. */
static bool check_numbers(const struct class_summary *summary, struct error *error) {
  const struct sheet *sheet = &summary->sheet;
  double number;
  for (int row = 1; row < sheet->rows; row++)
    for (int column = summary->points; column < sheet->columns; column++)
      if (!sheet_number(sheet, row, column, &number, error) && error->text[0])
        return false;
  return true;
}

bool class_summary_read(struct class_summary *summary, const char *path, struct error *error) {
  static const char *const names[] = {"submission", "sha256", "verdict", "reason", "points", "max_points"};
  *summary = (struct class_summary){0};
  if (!sheet_read(&summary->sheet, path, error))
    return false;
  for (int n = 0; n < 6; n++)
    if (sheet_column(&summary->sheet, names[n]) != n) {
      class_summary_free(summary);
      return error_set(error,
                       "%s: no '%s' as column %d: expected the summary.csv of this kit's grade --class", path,
                       names[n], n + 1);
    }
  const int first_lab = sheet_column(&summary->sheet, "bonus") == 6 ? 7 : 6; /* older kits wrote no bonus */
  *summary = (struct class_summary){.sheet = summary->sheet,
                                    .count = summary->sheet.rows - 1,
                                    .labs = summary->sheet.columns - first_lab,
                                    .first_lab = first_lab,
                                    .verdict = 2,
                                    .reason = 3,
                                    .points = 4,
                                    .max_points = 5};
  if (check_numbers(summary, error))
    return true;
  class_summary_free(summary);
  return false;
}

void class_summary_free(struct class_summary *summary) { sheet_free(&summary->sheet); }

/* Removes the apostrophe that class_summary_put_text writes before a formula. */
static const char *plain_text(const struct class_summary *summary, int n, int column) {
  const char *text = sheet_text(&summary->sheet, n + 1, column);
  return text[0] == '\'' && is_formula(text + 1) ? text + 1 : text;
}

struct class_summary_row class_summary_row(const struct class_summary *summary, int n) {
  struct class_summary_row row = {.submission = plain_text(summary, n, summary->submission),
                                  .verdict = plain_text(summary, n, summary->verdict),
                                  .reason = plain_text(summary, n, summary->reason)};
  struct error error;
  row.is_graded = sheet_number(&summary->sheet, n + 1, summary->points, &row.points, &error) &&
                  strcmp(row.verdict, "INFRA") != 0;
  sheet_number(&summary->sheet, n + 1, summary->max_points, &row.max_points, &error);
  return row;
}

const char *class_summary_lab(const struct class_summary *summary, int lab) {
  return sheet_text(&summary->sheet, 0, summary->first_lab + lab);
}

bool class_summary_lab_points(const struct class_summary *summary, int n, int lab, double *points) {
  struct error error;
  return sheet_number(&summary->sheet, n + 1, summary->first_lab + lab, points, &error);
}
