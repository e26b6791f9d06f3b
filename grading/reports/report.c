#include "report.h"
#include "allocate.h"
#include "load_result.h"
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

/* The reader keeps the first fault. After it, getters return zeros, so callers need not check each call. */
struct reader {
  struct error *error;
  bool failed;
};

static void fault(struct reader *reader, const char *where, const char *key, const char *expected) {
  if (!reader->failed)
    error_set(reader->error, "result: member '%s' of %s: expected %s", key, where, expected);
  reader->failed = true;
}

static char *copy_text(const json_t *value) {
  return text_clean(json_string_value(value), json_string_length(value), TEXT_LIMIT);
}

static char *get_text(struct reader *reader, const json_t *object, const char *where, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (json_is_string(value))
    return copy_text(value);
  fault(reader, where, key, "a string");
  return text_clean("", 0, 0);
}

/* "" if there is none. */
static char *get_optional(struct reader *reader, const json_t *object, const char *where, const char *key) {
  const json_t *value = json_object_get(object, key);
  return value && !json_is_null(value) ? get_text(reader, object, where, key) : text_clean("", 0, 0);
}

static double get_number(struct reader *reader, const json_t *object, const char *where, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_number(value))
    fault(reader, where, key, "a number");
  return json_number_value(value);
}

/* 0 for null, which means that there is no grade. */
static double get_points(struct reader *reader, const json_t *object, const char *where) {
  return json_is_null(json_object_get(object, "points")) ? 0 : get_number(reader, object, where, "points");
}

/* Of a lab or of the whole. */
static struct standing_points get_all_points(struct reader *reader, const json_t *object, const char *where) {
  const json_t *bonus = json_object_get(object, "bonus");
  return (struct standing_points){
      .points = get_points(reader, object, where),
      .max_points = get_number(reader, object, where, "max_points"),
      .bonus = bonus && !json_is_null(bonus) ? get_number(reader, object, where, "bonus") : 0,
      .max_bonus = bonus ? get_number(reader, object, where, "max_bonus") : 0};
}

static const json_t *get_array(struct reader *reader, const json_t *object, const char *where,
                               const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_array(value))
    fault(reader, where, key, "an array");
  return value;
}

static enum report_status item_status(const char *verdict, double points, double max_points, bool bonus) {
  if (strcmp(verdict, "INFRA") == 0)
    return REPORT_ERROR;
  if (strcmp(verdict, "SKIPPED") == 0 || strcmp(verdict, "INCONCLUSIVE") == 0)
    return REPORT_NOT_RUN;
  if (strcmp(verdict, "PASS") == 0 && points >= max_points)
    return REPORT_PASSED;
  return bonus ? REPORT_NO_BONUS : REPORT_FAILED;
}

static void add_text(FILE *out, const char *words, const char *text) {
  if (text[0])
    fprintf(out, "%s%s\n", words, text);
}

static void add_measure(FILE *out, const struct report_item *item) {
  if (!item->has_measured)
    return;
  fprintf(out, "measured: %.6g%s%s\n", item->measured, item->unit[0] ? " " : "", item->unit);
  if (item->has_limits)
    fprintf(out, "limits: no points at %.6g, full marks at %.6g%s%s\n", item->none_at, item->full_at,
            item->unit[0] ? " " : "", item->unit);
  add_text(out, "formula: ", item->formula);
  add_text(out, "", item->meaning);
}

static char *item_text(const struct report_item *item) {
  struct page page;
  page_open(&page);
  add_text(page.stream, "", item->message);
  add_text(page.stream, "", item->remark);
  add_text(page.stream, "shows: ", item->shown);
  add_text(page.stream, "the program printed:\n", item->printed);
  add_measure(page.stream, item);
  add_text(page.stream, "at: ", item->source);
  add_text(page.stream, "hint: ", item->hint);
  char *text = page_close(&page);
  if (page.size > 0)
    text[page.size - 1] = '\0'; /* every line above ends with a newline */
  return text;
}

static void read_measure(struct report_item *item, const json_t *json) {
  const json_t *measured = json_object_get(json, "measured"), *none = json_object_get(json, "none_at"),
               *full = json_object_get(json, "full_at"), *previous = json_object_get(json, "previous");
  item->has_measured = json_is_number(measured);
  item->has_limits = json_is_number(none) && json_is_number(full);
  item->measured = json_number_value(measured);
  item->previous = json_is_number(previous) ? json_number_value(previous) : item->measured;
  item->none_at = json_number_value(none);
  item->full_at = json_number_value(full);
  item->less_is_better = item->full_at < item->none_at;
}

static void read_item(struct reader *reader, struct report_item *item, const json_t *json, const char *lab) {
  const json_t *part = json_object_get(json, "part");
  item->id = get_text(reader, json, lab, "id");
  item->title = get_text(reader, json, item->id, "title");
  item->kind = get_text(reader, json, item->id, "kind");
  item->verdict = get_text(reader, json, item->id, "verdict");
  item->points = get_points(reader, json, item->id);
  item->max_points = get_number(reader, json, item->id, "max_points");
  item->part = json_is_integer(part) ? (int)json_integer_value(part) : 0;
  item->message = get_optional(reader, json, item->id, "message");
  item->remark = get_optional(reader, json, item->id, "remark");
  item->shown = get_optional(reader, json, item->id, "shown");
  item->printed = get_optional(reader, json, item->id, "printed");
  item->unit = get_optional(reader, json, item->id, "unit");
  item->formula = get_optional(reader, json, item->id, "formula");
  item->source = get_optional(reader, json, item->id, "source");
  item->hint = get_optional(reader, json, item->id, "hint");
  item->meaning = get_optional(reader, json, item->id, "meaning");
  read_measure(item, json);
  item->bonus = json_is_true(json_object_get(json, "bonus"));
  item->status = item_status(item->verdict, item->points, item->max_points, item->bonus);
  item->standing = standing_of_item(item->verdict, item->points, item->max_points);
  item->text = item_text(item);
}

static void release_item(struct report_item *item) {
  char *texts[] = {item->id,     item->title, item->kind,    item->verdict, item->message,
                   item->remark, item->shown, item->printed, item->unit,    item->formula,
                   item->source, item->hint,  item->text,    item->meaning};
  for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
    free(texts[k]);
}

static char *copy_string(const char *text) { return text_clean(text, strlen(text), TEXT_LIMIT); }

static void hide_item(struct report_item *hidden, struct report_item *item, const char *lab) {
  if (!hidden->id) {
    struct page page;
    page_open(&page);
    fprintf(page.stream, "%.*s/hidden", (int)strcspn(lab, "_"), lab);
    *hidden = (struct report_item){.id = page_close(&page),
                                   .title = copy_string("hidden tests"),
                                   .kind = copy_string(""),
                                   .message = copy_string("hidden tests are not shown"),
                                   .remark = copy_string(""),
                                   .shown = copy_string(""),
                                   .printed = copy_string(""),
                                   .unit = copy_string(""),
                                   .formula = copy_string(""),
                                   .source = copy_string(""),
                                   .hint = copy_string(""),
                                   .meaning = copy_string(""),
                                   .text = copy_string("hidden tests are not shown"),
                                   .status = REPORT_PASSED};
  }
  hidden->points += item->points;
  hidden->max_points += item->max_points;
  if (item->status == REPORT_ERROR || (item->status == REPORT_FAILED && hidden->status != REPORT_ERROR))
    hidden->status = item->status;
  release_item(item);
}

/* Public items one by one, hidden items as one. */
static void read_items(struct reader *reader, struct report_lab *lab, const json_t *items) {
  struct report_item hidden = {0};
  size_t k;
  json_t *json;
  lab->items = allocate_zeroed(json_array_size(items) + 1, sizeof *lab->items);
  json_array_foreach(items, k, json) {
    struct report_item item = {0};
    read_item(reader, &item, json, lab->name);
    if (json_is_false(json_object_get(json, "public")))
      hide_item(&hidden, &item, lab->name);
    else
      lab->items[lab->item_count++] = item;
  }
  if (!hidden.id)
    return;
  static const char *const verdicts[] = {
      [REPORT_PASSED] = "PASS", [REPORT_FAILED] = "WRONG", [REPORT_ERROR] = "INFRA"};
  hidden.verdict = copy_string(verdicts[hidden.status]);
  hidden.standing = standing_of_item(hidden.verdict, hidden.points, hidden.max_points);
  lab->items[lab->item_count++] = hidden;
}

/* Hidden items are those without a kind. A bonus counts only if nothing else was judged. */
static void sum_items(struct report_lab *lab) {
  for (size_t k = 0; k < lab->item_count; k++) {
    const struct report_item *item = &lab->items[k];
    if (item->bonus && lab->points.max_points > 0)
      continue;
    if (item->kind[0])
      standing_add(&lab->sum, &item->standing, item->points, item->max_points, item->remark[0] != '\0');
    else
      standing_add_points(&lab->sum, item->points, item->max_points);
  }
  lab->standing = standing_of_sum(&lab->sum, lab->verdict, "item");
}

static void read_lab(struct reader *reader, struct report_lab *lab, const json_t *json) {
  lab->name = get_text(reader, json, "a lab", "lab");
  lab->verdict = get_text(reader, json, lab->name, "verdict");
  lab->message = get_optional(reader, json, lab->name, "message");
  lab->points = get_all_points(reader, json, lab->name);
  lab->kernels = json_object_get(json, "kernels");
  read_items(reader, lab, get_array(reader, json, lab->name, "items"));
  sum_items(lab);
}

/* INFRA anywhere: otherwise part of the points would look like the total. */
static bool is_graded(const struct report *report) {
  if (strcmp(report->verdict, "INFRA") == 0)
    return false;
  for (size_t i = 0; i < report->lab_count; i++) {
    const struct report_lab *lab = &report->labs[i];
    if (strcmp(lab->verdict, "INFRA") == 0)
      return false;
    for (size_t j = 0; j < lab->item_count; j++)
      if (lab->items[j].status == REPORT_ERROR)
        return false;
  }
  return true;
}

/* A single lab has the state of the whole. */
static struct standing whole_standing(const struct report *report) {
  struct standing_sum sum = {0};
  for (size_t k = 0; k < report->lab_count; k++) {
    const struct report_lab *lab = &report->labs[k];
    standing_add(&sum, &lab->standing, lab->points.points - lab->points.bonus, lab->points.max_points,
                 lab->sum.remarks);
  }
  return standing_of_sum(report->lab_count == 1 ? &report->labs[0].sum : &sum,
                         report->graded ? report->verdict : "INFRA", report->lab_count == 1 ? "item" : "lab");
}

static void read_head(struct reader *reader, struct report *report, const json_t *result) {
  const json_t *submission = json_object_get(result, "submission");
  const json_t *schema = json_object_get(result, "schema"), *seed = json_object_get(result, "seed");
  if (!json_is_string(schema) || strcmp(json_string_value(schema), LOAD_RESULT_SCHEMA) != 0)
    fault(reader, "the top level", "schema", "\"" LOAD_RESULT_SCHEMA "\"");
  report->kit = get_text(reader, result, "the top level", "kit");
  report->submission = get_text(reader, submission, "the submission", "name");
  report->sha256 = get_text(reader, submission, "the submission", "sha256");
  report->mode = get_text(reader, result, "the top level", "mode");
  const json_t *isolation = json_object_get(result, "isolation");
  report->isolation = get_text(reader, isolation, "isolation", "level");
  report->missing = get_text(reader, isolation, "isolation", "missing");
  report->device = get_optional(reader, result, "the top level", "device");
  report->verdict = get_text(reader, result, "the top level", "verdict");
  report->message = get_optional(reader, result, "the top level", "message");
  report->points = get_all_points(reader, result, "the top level");
  report->seconds = get_number(reader, result, "the top level", "seconds");
  report->seed = json_integer_value(seed);
  if (!json_is_integer(seed))
    fault(reader, "the top level", "seed", "an integer");
}

/* NULL: none was requested. */
static const json_t *read_leaderboard(struct reader *reader, const json_t *result) {
  const json_t *board = json_object_get(result, "leaderboard");
  size_t n;
  json_t *entry;
  json_array_foreach(board, n, entry)
    if (!json_is_string(json_object_get(entry, "item")) || !json_is_string(json_object_get(entry, "title")) ||
        !json_is_string(json_object_get(entry, "unit")) || !json_is_string(json_object_get(entry, "order")) ||
        !json_is_number(json_object_get(entry, "value")))
      fault(reader, "the top level", "leaderboard", "entries with item, title, value, unit and order");
  return board;
}

bool report_read(struct report *report, const json_t *result, struct error *error) {
  struct reader reader = {.error = error};
  size_t k;
  json_t *json;
  *report = (struct report){0};
  read_head(&reader, report, result);
  const json_t *labs = get_array(&reader, result, "the top level", "labs");
  report->labs = allocate_zeroed(json_array_size(labs), sizeof *report->labs);
  json_array_foreach(labs, k, json)
    read_lab(&reader, &report->labs[report->lab_count++], json);
  report->ladders = json_object_get(result, "ladders");
  report->leaderboard = read_leaderboard(&reader, result);
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
    for (size_t j = 0; j < lab->item_count; j++)
      release_item(&lab->items[j]);
    free(lab->items);
    free(lab->name);
    free(lab->verdict);
    free(lab->message);
  }
  free(report->labs);
  char *texts[] = {report->kit,    report->submission, report->sha256,  report->mode,   report->isolation,
                   report->device, report->verdict,    report->message, report->missing};
  for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
    free(texts[k]);
  *report = (struct report){0};
}

/* Hidden items are those without a kind. */
static void add_hidden_note(const struct report *report, FILE *out) {
  bool hidden = false, all_public_passed = true;
  for (size_t i = 0; i < report->lab_count; i++)
    for (size_t j = 0; j < report->labs[i].item_count; j++) {
      const struct report_item *item = &report->labs[i].items[j];
      if (item->kind[0] == '\0')
        hidden = true;
      else if (item->status == REPORT_FAILED || item->status == REPORT_ERROR)
        all_public_passed = false;
    }
  if (hidden)
    fprintf(out, "%shidden tests are not shown\n", all_public_passed ? "all public tests passed; " : "");
}

static void add_points(FILE *out, const char *name, const char *verdict,
                       const struct standing_points *points) {
  fprintf(out, "%s%s%s", name, name[0] ? ": " : "", verdict);
  fputs(name[0] ? ", " : ": ", out);
  standing_put_points(out, points);
  putc('\n', out);
}

char *report_summary(const struct report *report) {
  struct page page;
  page_open(&page);
  if (report->graded)
    add_points(page.stream, "", report->verdict, &report->points);
  else
    fprintf(page.stream, "INFRA: not graded\n");
  if (report->message[0])
    fprintf(page.stream, "%s\n", report->message);
  for (size_t i = 0; report->graded && i < report->lab_count; i++) {
    const struct report_lab *lab = &report->labs[i];
    add_points(page.stream, lab->name, lab->verdict, &lab->points);
    if (lab->message[0])
      fprintf(page.stream, "%s\n", lab->message);
  }
  add_hidden_note(report, page.stream);
  fprintf(page.stream, "kit %s, submission %s, seed %lld, mode %s, isolation %s%s%s, %s", report->kit,
          report->sha256[0] ? report->sha256 : "without a file", report->seed, report->mode,
          report->isolation, report->missing[0] ? ", missing: " : "", report->missing,
          report->device[0] ? report->device : "no device");
  return page_close(&page);
}

/* The grader's first message about the failure, or "". */
static const char *infra_message(const struct report *report) {
  if (report->message[0])
    return report->message;
  for (size_t i = 0; i < report->lab_count; i++) {
    const struct report_lab *lab = &report->labs[i];
    if (strcmp(lab->verdict, "INFRA") == 0 && lab->message[0])
      return lab->message;
    for (size_t j = 0; j < lab->item_count; j++)
      if (lab->items[j].status == REPORT_ERROR)
        return lab->items[j].text;
  }
  return "";
}

char *report_infra(const struct report *report) {
  const char *message = infra_message(report);
  struct page page;
  page_open(&page);
  fprintf(page.stream, "not graded: the grader or its machine failed, not the submission: grade it again");
  if (message[0])
    fprintf(page.stream, "\n%s", message);
  return page_close(&page);
}

json_t *report_provenance(const struct report *report) {
  return json_pack("{s:s, s:s, s:I, s:s, s:s, s:s, s:s}", "kit", report->kit, "sha256", report->sha256,
                   "seed", (json_int_t)report->seed, "mode", report->mode, "isolation", report->isolation,
                   "device", report->device, "verdict", report->verdict);
}

bool report_dump(json_t *json, FILE *out, size_t flags) {
  bool written =
      json && json_dumpf(json, out, JSON_REAL_PRECISION(12) | flags) == 0 && putc('\n', out) != EOF;
  json_decref(json);
  return written;
}
