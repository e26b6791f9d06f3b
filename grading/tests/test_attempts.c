/* What a check tells a student: earlier values from a file of attempts, the meaning of a value, the next step. */
#include "attempts.h"
#include "files.h"
#include "guide.h"
#include "program.h"
#include "result.h"
#include "schema.h"
#include "suite.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "progress.csv"
#define HEADER "time,kind,id,verdict,points,max_points,bonus,measured,unit\n"

static const struct metric metric = {.name = "m", .unit = "sectors"};
static const struct installation kit = {
    .count = 2,
    .labs = {{.name = "01_x",
              .rubric = {.count = 6,
                         .items = {{.id = "01/a", .title = "a", .points = 60, .part = 1},
                                   {.id = "01/c",
                                    .title = "c",
                                    .kind = RUBRIC_COUNTER,
                                    .points = 40,
                                    .part = 1,
                                    .none_at = 30,
                                    .full_at = 5,
                                    .metric = &metric,
                                    .meaning = "Few sectors."},
                                   {.id = "01/h", .title = "h", .points = 5, .part = 1, .hidden = true},
                                   {.id = "01/t", .title = "t", .kind = RUBRIC_TIME, .points = 5, .part = 1},
                                   {.id = "01/b", .title = "b", .points = 9, .part = 2, .bonus = true},
                                   {.id = "01/e", .title = "e", .points = 7, .part = 2}}}},
             {.name = "02_y",
              .rubric = {.count = 1, .items = {{.id = "02/a", .title = "a", .points = 100, .part = 1}}}}}};
static const struct rubric_item *const items = kit.labs[0].rubric.items;

static json_t *item_of(int n, const char *verdict, double measured) {
  json_t *json = result_item(&items[n], verdict, "");
  if (measured > 0)
    result_measure(json, &items[n], measured, metric.unit, "");
  return json;
}

/* The result of a check of these items; "" or a message about the whole lab. */
static json_t *result_of(json_t *list, const char *message) {
  static const struct result_origin origin = {"1", "", "", "", 1, "counters", "sim", NULL, NULL};
  static const struct submission submission = {.name = "ada"};
  return result_whole(&submission, &origin, json_pack("[o]", result_lab("01_x", list, message)), 1);
}

static void check(json_t *list, const char *message, const char *what) {
  json_t *attempts = attempts_read(FILE_NAME), *result = result_of(list, message);
  attempts_append(FILE_NAME, attempts, result, what);
  json_decref(attempts);
  json_decref(result);
}

/* The file without its times. */
static void expect_rows(const char *expected) {
  char text[4096] = "", line[512];
  FILE *file = fopen(FILE_NAME, "r");
  ck_assert_ptr_nonnull(file);
  while (fgets(line, sizeof line, file)) {
    const bool timed = strlen(line) > 20 && line[4] == '-' && line[19] == ',';
    strcat(text, timed ? line + 20 : line);
  }
  fclose(file);
  ck_assert_str_eq(text, expected);
}

START_TEST(only_changes_are_kept) {
  unlink(FILE_NAME);
  check(json_pack("[o, o]", item_of(0, "PASS", 0), item_of(1, "WRONG", 29)), "", "01");
  check(json_pack("[o, o]", item_of(0, "PASS", 0), item_of(1, "WRONG", 29.00001)), "", "01");
  check(json_pack("[o]", item_of(1, "PASS", 4.4)), "", "01/c");
  check(json_pack("[o, o]", item_of(2, "PASS", 0), item_of(4, "PASS", 0)), "", "01");
  check(json_pack("[o]", item_of(0, "COMPILE", 0)), "x.cu:3: error", "01");
  check(json_pack("[o]", item_of(0, "INFRA", 0)), "", "01");
  expect_rows(HEADER "item,01/a,PASS,60,60,,,\n"
                     "item,01/c,WRONG,1.6,40,,29,sectors\ncheck,01,WRONG,61.6,100,,,\n"
                     "check,01,WRONG,61.6,100,,,\n"
                     "item,01/c,PASS,40,40,,4.4,sectors\ncheck,01/c,PASS,40,40,,,\n"
                     "item,01/b,PASS,9,9,,,\ncheck,01,PASS,14,5,9,,\n"
                     "check,01,COMPILE,0,60,,,\n");
}
END_TEST

/* A line of an interrupted check is ignored, and the next line is whole. */
START_TEST(torn_lines_are_ignored) {
  files_write(FILE_NAME, HEADER "2026-11-23 10:00:00,item,01/c,WRONG,1,40,,29,sectors\nnonsense\n"
                                "2026-11-23 10:00:01,item,01/c,WRONG,1,40,,7,sectors,more\n"
                                "2026-11-23 10:00:01,item,01/c,SKIPPED,0,40,,,\n"
                                "2026-11-23 10:00:01,item,01/a,WRONG,many,60,,,\n"
                                "2026-11-23 10:00:02,item,\xff\xfe,PASS,1,60,,,\n"
                                "2026-11-23 10:00:02,item,01/a,PA");
  json_t *attempts = attempts_read(FILE_NAME);
  ck_assert_uint_eq(json_object_size(attempts), 1);
  ck_assert_double_eq(json_number_value(json_object_get(json_object_get(attempts, "01/c"), "measured")), 29);
  json_decref(attempts);
  check(json_pack("[o]", item_of(0, "PASS", 0)), "", "01/a");
  attempts = attempts_read(FILE_NAME);
  ck_assert_uint_eq(json_object_size(attempts), 2);
  json_decref(attempts);
}
END_TEST

/* Whatever the file is, a check goes on. */
START_TEST(odd_files_cost_nothing) {
  static const char *const texts[] = {"", "\n", "a,b\n1,2\n", HEADER, "kind,measured\nitem,1\n"};
  for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
    files_write(FILE_NAME, texts[n]);
    check(json_pack("[o]", item_of(0, "PASS", 0)), "", "01/a");
    json_t *attempts = attempts_read(FILE_NAME);
    ck_assert_uint_le(json_object_size(attempts), 1);
    json_decref(attempts);
  }
  unlink(FILE_NAME);
  ck_assert_int_eq(mkdir(FILE_NAME, 0777), 0);
  check(json_pack("[o]", item_of(0, "PASS", 0)), "", "01/a");
  rmdir(FILE_NAME);
  ck_assert_int_eq(mkfifo(FILE_NAME, 0666), 0); /* nobody reads it: a check must not wait */
  check(json_pack("[o]", item_of(0, "PASS", 0)), "", "01/a");
  unlink(FILE_NAME);
  attempts_append("none/" FILE_NAME, NULL, NULL, "01");
}
END_TEST

static const struct {
  const char *verdict;
  double before, measured;
  const char *text, *lacks;
} values[] = {
    {"PASS", 29, 4.4,
     "passed: 29 → 4.4 sectors; full marks up to 5, none from 30, linear between\n                    Few sectors.\n",
     "Next"},
    {"PASS", 4.4, 4.5, "passed: 4.5 sectors; ", "→"},
    {"PASS", 0, 4.4, "passed: 4.4 sectors; ", "→"},
    {"WRONG", 29, 12, "partly: 29 → 12 sectors; ", "Few"},
};

START_TEST(a_value_is_compared_and_explained) {
  char *text = NULL;
  size_t size;
  json_t *item = item_of(1, values[_i].verdict, values[_i].measured);
  json_t *attempts =
      json_pack("{s:{s:f}}", "01/c", values[_i].before > 0 ? "measured" : "points", values[_i].before);
  guide_item(item, &items[1], attempts);
  FILE *out = open_memstream(&text, &size);
  result_print_item(item, out);
  fclose(out);
  ck_assert_msg(strstr(text, values[_i].text) != NULL, "expected '%s' in '%s'", values[_i].text, text);
  ck_assert_msg(!strstr(text, values[_i].lacks), "'%s' in '%s'", values[_i].lacks, text);
  free(text);
  struct error error;
  json_t *schema = json_load_file(RESULT_SCHEMA, 0, NULL), *result = result_of(json_pack("[o]", item), "");
  ck_assert_msg(schema && schema_check(schema, schema, result, &error), "%s", error.text);
  json_decref(schema);
  json_decref(result);
  json_decref(attempts);
}
END_TEST

/* a, c, e and the bonus b of the lab: their verdicts in this check, and in earlier ones; then that of the next lab. */
static const struct {
  const char *now[4], *before[4], *name, *text, *later;
} steps[] = {
    {{"PASS", "WRONG", "WRONG", "PASS"}, {NULL}, NULL, "Next: 01/c, c: ./kit check 01/c\n", NULL},
    {{"PASS", "PASS", "PASS", "UNWRITTEN"},
     {NULL},
     NULL,
     "Next: lab 02: labs/02_y/README.md\nNext (bonus): 01/b, b: ./kit check 01/b\n",
     NULL},
    {{"PASS", "PASS", "PASS", "PASS"}, {NULL}, NULL, "Next: lab 02: labs/02_y/README.md\n", NULL},
    {{"PASS", "PASS", "PASS", "PASS"}, {NULL}, NULL, "", "PASS"},
    {{"PASS", "PASS", "PASS", "PASS"}, {NULL}, NULL, "Next: lab 02: labs/02_y/README.md\n", "WRONG"},
    {{"PASS"}, {NULL}, "01/a", "Next: 01/c, c: ./kit check 01/c\n", NULL},
    {{NULL, "PASS"}, {NULL}, "01/c", "Next: 01/e, e: ./kit check 01/e\n", NULL},
    {{"WRONG"}, {NULL}, "01/a", "", NULL},
    {{"PASS"}, {NULL, "PASS", "PASS", "PASS"}, "01/a", "Next: lab 02: labs/02_y/README.md\n", NULL},
    {{NULL, "PASS"}, {"WRONG", NULL, "PASS"}, "01/c", "Next: 01/a, a: ./kit check 01/a\n", NULL},
};

START_TEST(the_next_step_follows) {
  static const int places[] = {0, 1, 5, 4};
  json_t *list = json_array(), *attempts = json_object();
  char *text = NULL;
  size_t size;
  for (int n = 0; n < 4; n++) {
    const struct rubric_item *item = &items[places[n]];
    if (steps[_i].now[n])
      json_array_append_new(list, item_of(places[n], steps[_i].now[n], 0));
    if (steps[_i].before[n])
      json_object_set_new(attempts, item->id,
                          json_pack("{s:s, s:f, s:f}", "verdict", steps[_i].before[n], "points", item->points,
                                    "max_points", item->points));
  }
  if (steps[_i].later)
    json_object_set_new(
        attempts, "02/a",
        json_pack("{s:s, s:i, s:i}", "verdict", steps[_i].later, "points", 100, "max_points", 100));
  json_t *result = result_of(list, "");
  FILE *out = open_memstream(&text, &size);
  guide_print_next(&kit, &kit.labs[0], steps[_i].name, result, attempts, out);
  fclose(out);
  ck_assert_str_eq(text, steps[_i].text);
  free(text);
  json_decref(result);
  json_decref(attempts);
}
END_TEST

START_TEST(nothing_follows_what_does_not_compile) {
  char *text = NULL;
  size_t size;
  json_t *result = result_of(json_pack("[o]", item_of(0, "COMPILE", 0)), "x.cu:3: error");
  FILE *out = open_memstream(&text, &size);
  guide_print_next(&kit, &kit.labs[0], NULL, result, NULL, out);
  guide_print_next(&kit, &kit.labs[1], NULL, result, NULL, out);
  fclose(out);
  ck_assert_str_eq(text, "");
  free(text);
  json_decref(result);
}
END_TEST

START_TEST(a_meaning_belongs_to_a_value) {
  struct rubric rubric;
  struct error error;
  files_write("rubric.cfg",
              "lab = \"x\"; program = \"x\"; items = ( { id = \"1/a\"; kind = \"correctness\"; part = 1; "
              "points = 5; title = \"a\"; meaning = \"m\"; } );");
  ck_assert(!rubric_read("rubric.cfg", &rubric, &error));
  ck_assert_msg(strstr(error.text, "1/a: meaning: expected a sentence, for a counter or time item") != NULL,
                "%s", error.text);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("attempts");
  tcase_add_test(cases, only_changes_are_kept);
  tcase_add_test(cases, torn_lines_are_ignored);
  tcase_add_test(cases, odd_files_cost_nothing);
  tcase_add_loop_test(cases, a_value_is_compared_and_explained, 0, sizeof values / sizeof *values);
  tcase_add_loop_test(cases, the_next_step_follows, 0, sizeof steps / sizeof *steps);
  tcase_add_test(cases, nothing_follows_what_does_not_compile);
  tcase_add_test(cases, a_meaning_belongs_to_a_value);
  program_enter_directory();
  return suite_run_case("attempts", cases);
}
