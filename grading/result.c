#include "result.h"
#include "allocate.h"
#include "load_result.h"
#include "output.h"
#include "standing.h"
#include "working_folder.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In order of severity. */
static const char *const gravity[] = {"INFRA",     "VIOLATION", "COMPILE",      "CRASH", "TIMEOUT",
                                      "MEMORY",    "OUTPUT",    "SUSPECT",      "WRONG", "MISSING",
                                      "UNWRITTEN", "SKIPPED",   "INCONCLUSIVE", "PASS"};
enum { GRAVITIES = sizeof gravity / sizeof *gravity };

/* An unknown verdict is a fault of the grader. */
static int gravity_of(const char *verdict) {
  for (int n = 0; n < GRAVITIES; n++)
    if (strcmp(gravity[n], verdict) == 0)
      return n;
  return 0;
}

/* Bytes of a character that a terminal or a page does not show but obeys: control characters, and those that change
 * the direction of text or end a line. 0: it is none of these. */
static size_t hidden_bytes(const unsigned char *c) {
  const bool is_mark = c[0] == 0xd8 && c[1] == 0x9c; /* U+061C */
  const bool is_direction = c[0] == 0xe2 && c[1] == 0x80 &&
                            (c[2] == 0x8e || c[2] == 0x8f ||                            /* U+200E, U+200F */
                             (c[2] >= 0xa8 && c[2] <= 0xae));                           /* U+2028 to U+202E */
  const bool is_isolate = c[0] == 0xe2 && c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9; /* U+2066 to U+2069 */
  if ((c[0] < 0x20 && c[0] != '\n') || c[0] == 0x7f)
    return 1;
  if ((c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) || is_mark)
    return 2;
  return is_direction || is_isolate ? 3 : 0;
}

/* Whether a machine that runs the grader would obey what begins here: "::error ::…" at the beginning of a line on
 * GitHub, "##[…]" and "##name[…]" anywhere on others. */
static bool is_command(const char *c, bool at_beginning) {
  if (strncmp(c, "::", 2) == 0)
    return at_beginning;
  return strncmp(c, "##", 2) == 0 && c[2 + strspn(c + 2, "abcdefghijklmnopqrstuvwxyz")] == '[';
}

json_t *result_string(const char *text) {
  char *clean = allocate_zeroed(2 * strlen(text) + 1, 1), *to = clean;
  bool at_beginning = true;
  for (const char *c = text; *c;) {
    const size_t hidden = hidden_bytes((const unsigned char *)c);
    const bool command = is_command(c, at_beginning);
    at_beginning = *c == '\n' || (at_beginning && *c == ' ');
    *to++ = hidden ? '?' : *c;
    if (command)
      *to++ = ' ';
    c += hidden ? hidden : 1;
  }
  working_folder_drop(clean);
  json_t *string = json_string(clean);
  for (char *c = clean; !string && *c; c++) /* not UTF-8: keep ASCII */
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  if (!string)
    string = json_string(clean);
  free(clean);
  return string;
}

/* A name is one line. Names that differ in control characters look different: U+2400 and the following show them. */
static json_t *name_string(const char *name) {
  char line[3 * 256], *to = line;
  for (const char *c = name; *c && to < line + sizeof line - 3; c++)
    if ((unsigned char)*c < ' ')
      to += sprintf(to, "\xe2\x90%c", 0x80 + *c);
    else
      *to++ = *c;
  *to = '\0';
  return result_string(line);
}

/* Hints do not help with a compiler's error, a fault of the machine or a missing file. A skipped item waits for another
 * one, whose hint helps. */
static bool is_of_the_part(const char *verdict) {
  static const char *const others[] = {"COMPILE", "MISSING", "INFRA", "SKIPPED"};
  bool is_other = false;
  for (size_t n = 0; n < sizeof others / sizeof *others; n++)
    is_other |= strcmp(verdict, others[n]) == 0;
  return !is_other;
}

json_t *result_item(const struct rubric_item *item, const char *verdict, const char *message) {
  char hint[64];
  const bool passed = strcmp(verdict, "PASS") == 0;
  json_t *json = json_pack("{s:s, s:s, s:s, s:i, s:s, s:f, s:f, s:o, s:b}", "id", item->id, "title",
                           item->title, "kind", rubric_kinds[item->kind], "part", item->part, "verdict",
                           verdict, "points", passed ? item->points : 0, "max_points", item->points,
                           "message", result_string(message), "public", !item->hidden);
  if (item->bonus)
    json_object_set_new(json, "bonus", json_true());
  snprintf(hint, sizeof hint, "./kit hint %.2s %d", item->id, item->part);
  if (!passed && is_of_the_part(verdict))
    json_object_set_new(json, "hint", json_string(hint));
  return json;
}

void result_measure(json_t *json, const struct rubric_item *item, double measured, const char *unit,
                    const char *formula) {
  json_object_set_new(json, "measured", json_real(measured));
  json_object_set_new(json, "unit", json_string(unit));
  json_object_set_new(json, "none_at", json_real(item->none_at));
  json_object_set_new(json, "full_at", json_real(item->full_at));
  json_object_set_new(json, "formula", json_string(formula));
  json_object_set_new(json, "points", json_real(rubric_points(item, measured)));
}

const char *result_verdict(const json_t *result) {
  return json_string_value(json_object_get(result, "verdict"));
}

static double number(const json_t *from, const char *name) {
  return json_number_value(json_object_get(from, name));
}

/* Sums of hundredths are exact when they are rounded to hundredths. */
static double hundredths(double points) { return floor(100 * points + 0.5) / 100; }

static double sum(const json_t *parts, const char *name) {
  double total = 0;
  size_t n;
  json_t *part;
  json_array_foreach(parts, n, part)
    total += number(part, name);
  return hundredths(total);
}

static bool is_bonus(const json_t *item) { return json_is_true(json_object_get(item, "bonus")); }

static double bonus_sum(const json_t *items, const char *name) {
  double total = 0;
  size_t n;
  json_t *item;
  json_array_foreach(items, n, item)
    total += is_bonus(item) ? number(item, name) : 0;
  return hundredths(total);
}

static bool only_bonus(const json_t *items) {
  size_t n;
  json_t *item;
  json_array_foreach(items, n, item)
    if (!is_bonus(item))
      return false;
  return true;
}

/* An item without points costs nothing: what it finds wrong is a remark. */
static int gravity_of_part(const json_t *part) {
  static const char *const remarks[] = {"WRONG", "UNWRITTEN", "SKIPPED"};
  const char *verdict = result_verdict(part);
  const bool costs_nothing = !json_object_get(part, "items") && !(number(part, "max_points") > 0);
  for (size_t n = 0; n < sizeof remarks / sizeof *remarks; n++)
    if (costs_nothing && strcmp(verdict, remarks[n]) == 0)
      return GRAVITIES - 1;
  return gravity_of(verdict);
}

/* A missing, unwritten or skipped part makes the whole WRONG, unless every part is missing. A bonus counts only if
 * nothing else was judged; a fault of the grader always does. */
static const char *gravest(const json_t *parts) {
  const bool all = only_bonus(parts);
  int worst = GRAVITIES - 1, best = 0;
  size_t n;
  json_t *part;
  json_array_foreach(parts, n, part) {
    const int this = gravity_of_part(part);
    if (is_bonus(part) && !all && this != gravity_of("INFRA"))
      continue;
    worst = this < worst ? this : worst;
    best = this > best ? this : best;
  }
  if (worst == best && worst == gravity_of("MISSING"))
    return "MISSING";
  return worst > gravity_of("WRONG") && worst < gravity_of("INCONCLUSIVE") ? "WRONG" : gravity[worst];
}

static json_t *points_of(const json_t *parts, const char *verdict) {
  return strcmp(verdict, "INFRA") == 0 ? json_null() : json_real(sum(parts, "points"));
}

static void set_bonus(json_t *whole, double bonus, double max_bonus) {
  const bool is_graded = !json_is_null(json_object_get(whole, "points"));
  if (!(max_bonus > 0))
    return;
  json_object_set_new(whole, "bonus", is_graded ? json_real(bonus) : json_null());
  json_object_set_new(whole, "max_bonus", json_real(max_bonus));
}

json_t *result_lab(const char *lab, json_t *items, const char *message) {
  const char *verdict = gravest(items);
  const double bonus = bonus_sum(items, "max_points");
  json_t *json =
      json_pack("{s:s, s:s, s:o, s:f}", "lab", lab, "verdict", verdict, "points", points_of(items, verdict),
                "max_points", hundredths(sum(items, "max_points") - bonus));
  set_bonus(json, bonus_sum(items, "points"), bonus);
  if (message[0])
    json_object_set_new(json, "message", result_string(message));
  json_object_set_new(json, "items", items);
  return json;
}

static json_t *whole(const struct submission *submission, const struct result_origin *origin,
                     const char *verdict, json_t *points, double max_points, double seconds) {
  json_t *isolation = json_pack("{s:s, s:s}", "level", origin->isolation ? origin->isolation : "none",
                                "missing", origin->missing ? origin->missing : "");
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:{s:o, s:s}, s:s, s:o, s:i, s:s, s:s, s:o, s:f, s:f}",
                   "schema", LOAD_RESULT_SCHEMA, "kit", origin->kit, "rubrics", origin->rubrics, "judge",
                   origin->judge, "limits", origin->limits, "submission", "name",
                   name_string(submission->name), "sha256", submission->sha256, "mode", origin->mode,
                   "isolation", isolation, "seed", origin->seed, "device", origin->device, "verdict", verdict,
                   "points", points, "max_points", max_points, "seconds", seconds);
}

json_t *result_whole(const struct submission *submission, const struct result_origin *origin, json_t *labs,
                     double seconds) {
  const char *verdict = gravest(labs);
  json_t *json = whole(submission, origin, verdict, points_of(labs, verdict), sum(labs, "max_points"),
                       floor(1000 * seconds + 0.5) / 1000);
  set_bonus(json, sum(labs, "bonus"), sum(labs, "max_bonus"));
  json_object_set_new(json, "labs", labs);
  return json;
}

json_t *result_infra(const struct submission *submission, const struct result_origin *origin,
                     const char *message) {
  json_t *json = whole(submission, origin, "INFRA", json_null(), 0, 0);
  json_object_set_new(json, "message", result_string(message));
  json_object_set_new(json, "labs", json_array());
  return json;
}

void result_make_infra(json_t *whole, const char *id, const char *message) {
  struct error text;
  error_set(&text, "%s: %s", id, message);
  json_object_set_new(whole, "verdict", json_string("INFRA"));
  json_object_set_new(whole, "points", json_null());
  if (json_object_get(whole, "bonus"))
    json_object_set_new(whole, "bonus", json_null());
  json_object_set_new(whole, "message", result_string(text.text));
}

bool result_write(const json_t *result, const char *path, struct error *error) {
  struct output out;
  if (!output_open(&out, path, error))
    return false;
  if (json_dumpf(result, out.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) != 0) {
    const int cause = errno; /* a result larger than the buffer is written in part before the end */
    output_discard(&out);
    return error_set(error, "%s: cannot write: %s", path, strerror(cause));
  }
  putc('\n', out.stream);
  return output_commit_to_disk(&out, error);
}

/* --- output for people --- */

enum { INDENT = 20 };

static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

/* Indents every line after the first. */
static void print_indented(FILE *out, const char *message) {
  for (; *message; message++)
    if (*message == '\n')
      fprintf(out, "\n%*s", INDENT, "");
    else
      putc(*message, out);
}

static void print_measurement(FILE *out, const json_t *item) {
  fputs(": ", out);
  if (json_object_get(item, "previous"))
    standing_put_change(out, number(item, "previous"), number(item, "measured"));
  standing_put_measure(out, number(item, "measured"), text(item, "unit"), number(item, "none_at"),
                       number(item, "full_at"));
}

static struct standing standing_of(const json_t *part) {
  return standing_of_item(result_verdict(part), number(part, "points"), number(part, "max_points"));
}

/* Omits the words that the line already shows: "f: TODO(1): not written yet". */
static void print_message(FILE *out, const char *words, const char *message) {
  char *shown = strcpy(allocate_zeroed(strlen(message) + 1, 1), message), *end = strstr(message, words);
  if (end && end - message > 2 && !end[strlen(words)])
    shown[end - message - 2] = '\0';
  if (shown[0])
    fputs(": ", out);
  print_indented(out, shown);
  free(shown);
}

static bool is_hidden(const json_t *item) { return json_is_false(json_object_get(item, "public")); }

/* The measured value, and its formula if it costs points. */
static void print_measured(FILE *out, const json_t *item) {
  if (!json_object_get(item, "measured"))
    return;
  if (text(item, "message")[0])
    fprintf(out, "\n%*s%s", INDENT, "", text(item, "title"));
  print_measurement(out, item);
  if (strcmp(result_verdict(item), "PASS") != 0)
    fprintf(out, "\n%*s(%s)", INDENT, "", text(item, "formula"));
}

void result_print_item(const json_t *item, FILE *out) {
  const struct standing standing = standing_of(item);
  if (is_hidden(item))
    return;
  fprintf(out, "%-*s", INDENT, text(item, "id"));
  if (number(item, "max_points") > 0)
    fprintf(out, "%5.4g/%-4.4g", number(item, "points"), number(item, "max_points"));
  else
    fputs("    —     ", out);
  fprintf(out, " %s%s", standing.words, is_bonus(item) ? " (bonus)" : "");
  print_message(out, standing.words, text(item, "message"));
  print_measured(out, item);
  if (text(item, "meaning")[0])
    fprintf(out, "\n%*s%s", INDENT, "", text(item, "meaning"));
  if (text(item, "printed")[0]) {
    fprintf(out, "\n%*sthe program printed:\n%*s", INDENT, "", INDENT, "");
    print_indented(out, text(item, "printed"));
  }
  if (text(item, "shown")[0])
    fprintf(out, "\n%*sshows: %s", INDENT, "", text(item, "shown"));
  if (text(item, "remark")[0])
    fprintf(out, "\n%*sremark, costs no points: %s", INDENT, "", text(item, "remark"));
  putc('\n', out);
}

/* Prints hidden items as one, since a student may read the output. */
static void print_hidden(FILE *out, const char *lab, const json_t *items) {
  double points = 0, max_points = 0;
  size_t n;
  json_t *item;
  char id[32];
  json_array_foreach(items, n, item)
    if (is_hidden(item)) {
      points += number(item, "points");
      max_points += number(item, "max_points");
    }
  snprintf(id, sizeof id, "%.*s/hidden", (int)strcspn(lab, "_"), lab);
  if (max_points > 0)
    fprintf(out, "%-*s%5.4g/%-4.4g hidden tests are not shown\n", INDENT, id, points, max_points);
}

/* True when an item before the one at index points to the same hint. */
static bool is_told(const json_t *items, size_t index, const char *hint) {
  for (size_t n = 0; n < index; n++)
    if (strcmp(text(json_array_get(items, n), "hint"), hint) == 0)
      return true;
  return false;
}

/* The hints of the items, each once. */
static void print_hints(FILE *out, const json_t *items) {
  const char *before = "hints: ";
  size_t n;
  json_t *item;
  json_array_foreach(items, n, item) {
    const char *hint = text(item, "hint");
    if (!hint[0] || is_hidden(item) || is_told(items, n, hint))
      continue;
    fprintf(out, "%s%s", before, hint);
    before = ", ";
  }
  if (before[0] == ',')
    putc('\n', out);
}

const char *result_fault(const json_t *json) {
  const json_t *labs = json_object_get(json, "labs"), *parts = labs ? labs : json_object_get(json, "items");
  size_t n;
  json_t *part;
  if (text(json, "message")[0])
    return text(json, "message");
  json_array_foreach(parts, n, part)
    if (strcmp(result_verdict(part), "INFRA") == 0)
      return result_fault(part);
  return "";
}

/* Hidden items count as one, by their points alone. A bonus counts only if nothing else was judged. */
static struct standing_sum sum_of(const json_t *lab) {
  struct standing_sum sum = {0};
  double points = 0, max_points = 0;
  size_t n;
  json_t *item, *items = json_object_get(lab, "items");
  json_array_foreach(items, n, item) {
    const struct standing standing = standing_of(item);
    if (is_bonus(item) && !only_bonus(items))
      continue;
    if (!is_hidden(item))
      standing_add(&sum, &standing, number(item, "points"), number(item, "max_points"),
                   text(item, "remark")[0] != '\0');
    points += is_hidden(item) ? number(item, "points") : 0;
    max_points += is_hidden(item) ? number(item, "max_points") : 0;
  }
  standing_add_points(&sum, points, max_points);
  return sum;
}

static struct standing standing_of_lab(const json_t *lab) {
  const struct standing_sum sum = sum_of(lab);
  return standing_of_sum(&sum, result_verdict(lab), "item");
}

static struct standing standing_of_all(const json_t *result) {
  struct standing_sum sum = {0};
  size_t n;
  json_t *lab;
  json_array_foreach(json_object_get(result, "labs"), n, lab) {
    const struct standing standing = standing_of_lab(lab);
    standing_add(&sum, &standing, number(lab, "points") - number(lab, "bonus"), number(lab, "max_points"),
                 sum_of(lab).remarks);
  }
  return standing_of_sum(&sum, result_verdict(result), "lab");
}

void result_print_points(const json_t *json, FILE *out) {
  standing_put_points(out, &(struct standing_points){number(json, "points"), number(json, "max_points"),
                                                     number(json, "bonus"), number(json, "max_bonus")});
}

static void print_total(FILE *out, const json_t *json, const struct standing *standing) {
  if (json_is_null(json_object_get(json, "points")))
    fprintf(out, "not graded, because of a fault of the grader or its machine: %s\n", result_fault(json));
  else {
    result_print_points(json, out);
    fprintf(out, "; %s\n", standing->words);
  }
}

void result_print_lab_end(const json_t *lab, FILE *out) {
  const struct standing standing = standing_of_lab(lab);
  if (text(lab, "message")[0]) {
    fprintf(out, "%s\n", text(lab, "message"));
  } else {
    print_hidden(out, text(lab, "lab"), json_object_get(lab, "items"));
    print_hints(out, json_object_get(lab, "items"));
  }
  fprintf(out, "%s: ", text(lab, "lab"));
  print_total(out, lab, &standing);
}

/* A person who reads the points must see that the machine is not as it should be. */
static void print_isolation(const json_t *result, FILE *out) {
  const json_t *isolation = json_object_get(result, "isolation");
  if (text(isolation, "missing")[0])
    fprintf(out, "isolation %s: missing: %s\n", text(isolation, "level"), text(isolation, "missing"));
}

void result_print_end(const json_t *result, FILE *out) {
  print_isolation(result, out);
  const json_t *labs = json_object_get(result, "labs");
  const bool is_fault = strcmp(text(result, "verdict"), "INFRA") == 0; /* the lab may have another verdict */
  if (json_array_size(labs) == 1 &&
      (!is_fault || strcmp(text(json_array_get(labs, 0), "verdict"), "INFRA") == 0))
    return;
  const struct standing standing = standing_of_all(result);
  fprintf(out, "%s: ", text(json_object_get(result, "submission"), "name"));
  print_total(out, result, &standing);
}

void result_print(const json_t *result, FILE *out) {
  size_t n, k;
  json_t *lab, *item;
  json_array_foreach(json_object_get(result, "labs"), n, lab) {
    if (!text(lab, "message")[0])
      json_array_foreach(json_object_get(lab, "items"), k, item)
        result_print_item(item, out);
    result_print_lab_end(lab, out);
  }
  result_print_end(result, out);
}
