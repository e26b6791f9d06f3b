#include "report.h"
#include "allocate.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows: a stream into memory that report_* functions return. */
struct page {
  FILE *stream;
  char *text;
  size_t size;
};

static void page_open(struct page *page) {
  page->stream = open_memstream(&page->text, &page->size);
  if (!page->stream)
    error_die("no memory for a report");
}

static char *page_close(struct page *page) {
  if (fclose(page->stream) != 0)
    error_die("no memory for a report");
  return page->text;
}

/* Reading. The first fault is kept; after it, getters return zeros, so that no caller needs to look at once.
 */
struct reader {
  struct error *error;
  bool failed;
};

static void fault(struct reader *reader, const char *where, const char *key, const char *expected) {
  if (!reader->failed)
    error_set(reader->error, "result: '%s' of %s: expected %s", key, where, expected);
  reader->failed = true;
}

static char *copy_text(const json_t *value) {
  return report_text(json_string_value(value), json_string_length(value), REPORT_TEXT_LIMIT);
}

static char *get_text(struct reader *reader, const json_t *object, const char *where, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (json_is_string(value))
    return copy_text(value);
  fault(reader, where, key, "a string");
  return report_text("", 0, 0);
}

/* "" where there is none. */
static char *get_optional(struct reader *reader, const json_t *object, const char *where, const char *key) {
  const json_t *value = json_object_get(object, key);
  return value && !json_is_null(value) ? get_text(reader, object, where, key) : report_text("", 0, 0);
}

static double get_number(struct reader *reader, const json_t *object, const char *where, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_number(value))
    fault(reader, where, key, "a number");
  return json_number_value(value);
}

/* null where there is no grade. */
static double get_points(struct reader *reader, const json_t *object, const char *where) {
  return json_is_null(json_object_get(object, "points")) ? 0 : get_number(reader, object, where, "points");
}

static const json_t *get_array(struct reader *reader, const json_t *object, const char *where,
                               const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_array(value))
    fault(reader, where, key, "an array");
  return value;
}

static enum report_status line_status(const char *verdict, double points, double max_points) {
  if (strcmp(verdict, "INFRA") == 0)
    return REPORT_ERROR;
  if (strcmp(verdict, "SKIPPED") == 0 || strcmp(verdict, "INCONCLUSIVE") == 0)
    return REPORT_NOT_RUN;
  return strcmp(verdict, "PASS") == 0 && points >= max_points ? REPORT_PASSED : REPORT_FAILED;
}

static void add_text(FILE *out, const char *words, const char *text) {
  if (text[0])
    fprintf(out, "%s%s\n", words, text);
}

static void add_measure(FILE *out, const struct report_line *line) {
  if (!line->has_measured)
    return;
  fprintf(out, "measured: %.6g%s%s\n", line->measured, line->unit[0] ? " " : "", line->unit);
  if (line->has_limits)
    fprintf(out, "limits: no points at %.6g, full points at %.6g%s%s\n", line->none_at, line->full_at,
            line->unit[0] ? " " : "", line->unit);
  add_text(out, "formula: ", line->formula);
}

static char *line_text(const struct report_line *line) {
  struct page page;
  page_open(&page);
  add_text(page.stream, "", line->message);
  add_text(page.stream, "", line->remark);
  add_text(page.stream, "shows: ", line->shown);
  add_measure(page.stream, line);
  add_text(page.stream, "at: ", line->source);
  add_text(page.stream, "hint: ", line->hint);
  char *text = page_close(&page);
  if (page.size > 0)
    text[page.size - 1] = '\0'; /* every line above ends with a newline */
  return text;
}

static void read_measure(struct report_line *line, const json_t *json) {
  const json_t *measured = json_object_get(json, "measured"), *none = json_object_get(json, "none_at"),
               *full = json_object_get(json, "full_at");
  line->has_measured = json_is_number(measured);
  line->has_limits = json_is_number(none) && json_is_number(full);
  line->measured = json_number_value(measured);
  line->none_at = json_number_value(none);
  line->full_at = json_number_value(full);
  line->less_is_better = line->full_at < line->none_at;
}

static void read_line(struct reader *reader, struct report_line *line, const json_t *json, const char *lab) {
  const json_t *part = json_object_get(json, "part");
  line->id = get_text(reader, json, lab, "id");
  line->title = get_text(reader, json, line->id, "title");
  line->kind = get_text(reader, json, line->id, "kind");
  line->verdict = get_text(reader, json, line->id, "verdict");
  line->points = get_points(reader, json, line->id);
  line->max_points = get_number(reader, json, line->id, "max_points");
  line->part = json_is_integer(part) ? (int)json_integer_value(part) : 0;
  line->message = get_optional(reader, json, line->id, "message");
  line->remark = get_optional(reader, json, line->id, "remark");
  line->shown = get_optional(reader, json, line->id, "shown");
  line->unit = get_optional(reader, json, line->id, "unit");
  line->formula = get_optional(reader, json, line->id, "formula");
  line->source = get_optional(reader, json, line->id, "source");
  line->hint = get_optional(reader, json, line->id, "hint");
  read_measure(line, json);
  line->status = line_status(line->verdict, line->points, line->max_points);
  line->standing = standing_of_item(line->verdict, line->points, line->max_points);
  line->text = line_text(line);
}

static void release_line(struct report_line *line) {
  char *texts[] = {line->id,    line->title, line->kind,    line->verdict, line->message, line->remark,
                   line->shown, line->unit,  line->formula, line->source,  line->hint,    line->text};
  for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
    free(texts[k]);
}

static char *copy_string(const char *text) { return report_text(text, strlen(text), REPORT_TEXT_LIMIT); }

static void hide_line(struct report_line *hidden, struct report_line *line, const char *lab) {
  if (!hidden->id) {
    struct page page;
    page_open(&page);
    fprintf(page.stream, "%.*s/hidden", (int)strcspn(lab, "_"), lab);
    *hidden = (struct report_line){.id = page_close(&page),
                                   .title = copy_string("hidden tests"),
                                   .kind = copy_string(""),
                                   .message = copy_string("hidden tests are not shown"),
                                   .remark = copy_string(""),
                                   .shown = copy_string(""),
                                   .unit = copy_string(""),
                                   .formula = copy_string(""),
                                   .source = copy_string(""),
                                   .hint = copy_string(""),
                                   .text = copy_string("hidden tests are not shown"),
                                   .status = REPORT_PASSED};
  }
  hidden->points += line->points;
  hidden->max_points += line->max_points;
  if (line->status == REPORT_ERROR || (line->status == REPORT_FAILED && hidden->status != REPORT_ERROR))
    hidden->status = line->status;
  release_line(line);
}

/* Public lines as they are, the others in one. */
static void read_lines(struct reader *reader, struct report_lab *lab, const json_t *lines) {
  struct report_line hidden = {0};
  size_t k;
  json_t *json;
  lab->lines = allocate_zeroed(json_array_size(lines) + 1, sizeof *lab->lines);
  json_array_foreach(lines, k, json) {
    struct report_line line = {0};
    read_line(reader, &line, json, lab->name);
    if (json_is_false(json_object_get(json, "public")))
      hide_line(&hidden, &line, lab->name);
    else
      lab->lines[lab->line_count++] = line;
  }
  if (!hidden.id)
    return;
  static const char *const verdicts[] = {
      [REPORT_PASSED] = "PASS", [REPORT_FAILED] = "WRONG", [REPORT_ERROR] = "INFRA"};
  hidden.verdict = copy_string(verdicts[hidden.status]);
  hidden.standing = standing_of_item(hidden.verdict, hidden.points, hidden.max_points);
  lab->lines[lab->line_count++] = hidden;
}

/* Hidden lines are those without a kind. */
static void sum_lines(struct report_lab *lab) {
  for (size_t k = 0; k < lab->line_count; k++) {
    const struct report_line *line = &lab->lines[k];
    if (line->kind[0])
      standing_add(&lab->sum, &line->standing, line->points, line->max_points, line->remark[0] != '\0');
    else
      standing_add_points(&lab->sum, line->points, line->max_points);
  }
  lab->standing = standing_of_sum(&lab->sum, lab->verdict, "item");
}

static void read_lab(struct reader *reader, struct report_lab *lab, const json_t *json) {
  lab->name = get_text(reader, json, "a lab", "lab");
  lab->verdict = get_text(reader, json, lab->name, "verdict");
  lab->message = get_optional(reader, json, lab->name, "message");
  lab->points = get_points(reader, json, lab->name);
  lab->max_points = get_number(reader, json, lab->name, "max_points");
  lab->kernels = json_object_get(json, "kernels");
  read_lines(reader, lab, get_array(reader, json, lab->name, "lines"));
  sum_lines(lab);
}

/* INFRA anywhere: part of the points would pass for the whole. */
static bool is_graded(const struct report *report) {
  if (strcmp(report->verdict, "INFRA") == 0)
    return false;
  for (size_t i = 0; i < report->lab_count; i++) {
    const struct report_lab *lab = &report->labs[i];
    if (strcmp(lab->verdict, "INFRA") == 0)
      return false;
    for (size_t j = 0; j < lab->line_count; j++)
      if (lab->lines[j].status == REPORT_ERROR)
        return false;
  }
  return true;
}

/* One lab stands as the whole does. */
static struct standing whole_standing(const struct report *report) {
  struct standing_sum sum = {0};
  for (size_t k = 0; k < report->lab_count; k++) {
    const struct report_lab *lab = &report->labs[k];
    standing_add(&sum, &lab->standing, lab->points, lab->max_points, lab->sum.remarks);
  }
  return standing_of_sum(report->lab_count == 1 ? &report->labs[0].sum : &sum,
                         report->graded ? report->verdict : "INFRA", report->lab_count == 1 ? "item" : "lab");
}

static void read_head(struct reader *reader, struct report *report, const json_t *result) {
  const json_t *submission = json_object_get(result, "submission");
  const json_t *schema = json_object_get(result, "schema"), *seed = json_object_get(result, "seed");
  if (!json_is_string(schema) || strcmp(json_string_value(schema), "checkerboard/result/v1") != 0)
    fault(reader, "the whole", "schema", "\"checkerboard/result/v1\"");
  report->kit = get_text(reader, result, "the whole", "kit");
  report->submission = get_text(reader, submission, "the submission", "name");
  report->sha256 = get_text(reader, submission, "the submission", "sha256");
  report->mode = get_text(reader, result, "the whole", "mode");
  report->isolation = get_text(reader, result, "the whole", "isolation");
  report->device = get_optional(reader, result, "the whole", "device");
  report->verdict = get_text(reader, result, "the whole", "verdict");
  report->message = get_optional(reader, result, "the whole", "message");
  report->points = get_points(reader, result, "the whole");
  report->max_points = get_number(reader, result, "the whole", "max_points");
  report->seconds = get_number(reader, result, "the whole", "seconds");
  report->seed = json_integer_value(seed);
  if (!json_is_integer(seed))
    fault(reader, "the whole", "seed", "an integer");
}

bool report_read(struct report *report, const json_t *result, struct error *error) {
  struct reader reader = {.error = error};
  size_t k;
  json_t *json;
  *report = (struct report){0};
  read_head(&reader, report, result);
  const json_t *labs = get_array(&reader, result, "the whole", "labs");
  report->labs = allocate_zeroed(json_array_size(labs), sizeof *report->labs);
  json_array_foreach(labs, k, json) read_lab(&reader, &report->labs[report->lab_count++], json);
  report->ladders = json_object_get(result, "ladders");
  report->graded = is_graded(report);
  report->standing = whole_standing(report);
  for (k = 0; !report->graded && k < report->lab_count; k++)
    report->labs[k].standing = report->standing;
  if (reader.failed)
    report_release(report);
  return !reader.failed;
}

void report_release(struct report *report) {
  for (size_t i = 0; i < report->lab_count; i++) {
    struct report_lab *lab = &report->labs[i];
    for (size_t j = 0; j < lab->line_count; j++)
      release_line(&lab->lines[j]);
    free(lab->lines);
    free(lab->name);
    free(lab->verdict);
    free(lab->message);
  }
  free(report->labs);
  char *texts[] = {report->kit,       report->submission, report->sha256,  report->mode,
                   report->isolation, report->device,     report->verdict, report->message};
  for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
    free(texts[k]);
  *report = (struct report){0};
}

/* Hidden lines are those without a kind. */
static void add_hidden_note(const struct report *report, FILE *out) {
  bool hidden = false, all_public_passed = true;
  for (size_t i = 0; i < report->lab_count; i++)
    for (size_t j = 0; j < report->labs[i].line_count; j++) {
      const struct report_line *line = &report->labs[i].lines[j];
      if (line->kind[0] == '\0')
        hidden = true;
      else if (line->status == REPORT_FAILED || line->status == REPORT_ERROR)
        all_public_passed = false;
    }
  if (hidden)
    fprintf(out, "%shidden tests are not shown\n", all_public_passed ? "all public tests passed; " : "");
}

char *report_summary(const struct report *report) {
  struct page page;
  page_open(&page);
  if (report->graded)
    fprintf(page.stream, "%s: %.6g of %.6g points\n", report->verdict, report->points, report->max_points);
  else
    fprintf(page.stream, "INFRA: not graded\n");
  if (report->message[0])
    fprintf(page.stream, "%s\n", report->message);
  for (size_t i = 0; report->graded && i < report->lab_count; i++) {
    const struct report_lab *lab = &report->labs[i];
    fprintf(page.stream, "%s: %s, %.6g of %.6g points\n", lab->name, lab->verdict, lab->points,
            lab->max_points);
    if (lab->message[0])
      fprintf(page.stream, "%s\n", lab->message);
  }
  add_hidden_note(report, page.stream);
  fprintf(page.stream, "kit %s, submission %s, seed %lld, mode %s, isolation %s, %s", report->kit,
          report->sha256[0] ? report->sha256 : "without a file", report->seed, report->mode,
          report->isolation, report->device[0] ? report->device : "no device");
  return page_close(&page);
}

/* The first word of the grader about what failed, or "". */
static const char *infra_message(const struct report *report) {
  if (report->message[0])
    return report->message;
  for (size_t i = 0; i < report->lab_count; i++) {
    const struct report_lab *lab = &report->labs[i];
    if (strcmp(lab->verdict, "INFRA") == 0 && lab->message[0])
      return lab->message;
    for (size_t j = 0; j < lab->line_count; j++)
      if (lab->lines[j].status == REPORT_ERROR)
        return lab->lines[j].text;
  }
  return "";
}

char *report_infra(const struct report *report) {
  const char *message = infra_message(report);
  struct page page;
  page_open(&page);
  fprintf(page.stream,
          "not graded: the grader or its machine failed, not the submission; it must be graded again");
  if (message[0])
    fprintf(page.stream, "\n%s", message);
  return page_close(&page);
}

json_t *report_provenance(const struct report *report) {
  return json_pack("{s:s, s:s, s:I, s:s, s:s, s:s, s:s}", "kit", report->kit, "sha256", report->sha256,
                   "seed", (json_int_t)report->seed, "mode", report->mode, "isolation", report->isolation,
                   "device", report->device, "verdict", report->verdict);
}
