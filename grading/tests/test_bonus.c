/* Items with bonus = true: their points come on top of a lab's, and what is wrong with them costs nothing. */
#include "allocate.h"
#include "class_summary.h"
#include "files.h"
#include "installation.h"
#include "judge_lab.h"
#include "merge.h"
#include "program.h"
#include "report.h"
#include "result.h"
#include "schema.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *grade;

/* --- the rubric --- */

#define ITEM(id, rest) "{ id = \"" id "\"; part = 1; title = \"t\"; " rest " }"
#define RIGHT(id, rest) ITEM(id, "kind = \"correctness\"; " rest)
#define COUNTER(id, needs, rest)                                                                               \
  ITEM(                                                                                                        \
      id,                                                                                                      \
      "kind = \"counter\"; metric = \"of_copy\"; bytes = 12; none_at = 0.1; full_at = 0.9; needs = [ \"" needs \
      "\" ]; " rest)
#define TIME(id, needs, rest)                                                                                \
  ITEM(                                                                                                      \
      id,                                                                                                    \
      "kind = \"time\"; run = \"x\"; none_at = 0.1; full_at = 0.9; against = \"copy\"; count = 1; per = 9; " \
      "bytes = 12; result = \"float32\"; within = 1e-5; needs = [ \"" needs "\" ]; " rest)
#define LAB RIGHT("1/a", "points = 90;") ", " COUNTER("1/c", "1/a", "points = 10;")

static bool read_rubric(const char *items, struct rubric *rubric, struct error *error) {
  char text[4096];
  snprintf(text, sizeof text, "lab = \"1_x\"; program = \"x\"; items = (%s);", items);
  files_write("rubric.cfg", text);
  return rubric_read("rubric.cfg", rubric, error);
}

START_TEST(a_bonus_is_read) {
  struct rubric rubric;
  struct error error;
  ck_assert_msg(read_rubric(LAB ", " RIGHT("1/b", "points = 4; bonus = true;") ", " COUNTER(
                                "1/d", "1/b",
                                "points = 2; bonus = true;") ", " RIGHT("1/e", "points = 0; bonus = false;"),
                            &rubric, &error),
                "%s", error.text);
  for (int n = 0; n < 5; n++)
    ck_assert_int_eq(rubric.items[n].bonus, n == 2 || n == 3);
  ck_assert_double_eq(rubric_sum(&rubric, RUBRIC_CORRECTNESS, false), 90);
  ck_assert_double_eq(rubric_sum(&rubric, RUBRIC_COUNTER, true), 2);
  rubric_free(&rubric);
}
END_TEST

/* Labs 1 and 3 of a course, and two optional ones. */
static void three_labs(struct installation *kit) {
  static const char *const names[] = {"01_a", "02_b", "03_c", "04_d"};
  *kit = (struct installation){.count = 4, .known = 4};
  for (int n = 0; n < 4; n++) {
    kit->labs[n].name = names[n];
    kit->labs[n].rubric.program = names[n] + 3;
    kit->labs[n].rubric.optional = n % 2 == 1;
  }
}

/* The labs that are graded, then "|" and those that are only known. */
static void expect_labs(const char *expected, const char *lab, const char *path) {
  static struct installation kit;
  char got[8] = "";
  three_labs(&kit);
  installation_leave_out_optional(&kit, lab, path);
  for (int n = 0; n < kit.known; n++) {
    strcat(got, n == kit.count ? "|" : "");
    strcat(got, kit.labs[n].rubric.program);
  }
  ck_assert_msg(strcmp(got, expected) == 0, "--lab %s, %s: expected %s, got %s", lab, path, expected, got);
}

START_TEST(optional_labs_are_left_out) {
  expect_labs("ac|db", NULL, NULL);
  expect_labs("ac|db", NULL, "labs");
  expect_labs("ac|db", "03", "labs/04_d");
  expect_labs("acd|b", "04", NULL);
  expect_labs("acd|b", "4/item", "labs");
  expect_labs("abc|d", "02_b", "labs");
  expect_labs("abc|d", NULL, "labs/02_b/b.cu");
  expect_labs("ac|db", NULL, "labs/02_b/bb.cu");
}
END_TEST

START_TEST(a_rubric_says_what_is_optional) {
  struct rubric rubric;
  struct error error;
  files_write("rubric.cfg", "lab = \"1_x\"; program = \"x\"; optional = true; items = (" LAB ");");
  ck_assert_msg(rubric_read("rubric.cfg", &rubric, &error), "%s", error.text);
  ck_assert(rubric.optional);
  rubric_free(&rubric);
  ck_assert_msg(read_rubric(LAB, &rubric, &error), "%s", error.text);
  ck_assert(!rubric.optional);
  rubric_free(&rubric);
  files_write("rubric.cfg", "lab = \"1_x\"; program = \"x\"; optional = 1; items = (" LAB ");");
  ck_assert(!rubric_read("rubric.cfg", &rubric, &error));
  ck_assert_msg(strstr(error.text, "optional: expected true or false"), "%s", error.text);
}
END_TEST

static const struct {
  const char *items, *says;
} nonsense[] = {
    {LAB ", " RIGHT("1/b", "points = 4; bonus = 1;"), "1/b: bonus: expected true or false"},
    {LAB ", " RIGHT("1/b", "points = 0; bonus = true;"), "1/b: bonus: expected an item with points above 0"},
    {LAB ", " RIGHT("1/b", "points = 4; bonus = true; public = false;"),
     "1/b: bonus: expected a public item"},
    {LAB ", " ITEM("1/r", "kind = \"rung\"; bonus = true; work = \"w\"; counter = \"1/c\"; reference = 1;"),
     "1/r: bonus: expected an item with points above 0"},
    {LAB ", " RIGHT("1/b", "points = 4; bonus = true;") ", " COUNTER("1/d", "1/b", "points = 2;"),
     "1/d: needs: expected ids of correctness items above it, public ones if it is public, and no bonus unless"},
    {RIGHT("1/b", "points = 4; bonus = true;"), "every item with points has bonus = true"},
    {LAB ", " TIME("1/t", "1/a", "points = 3; bonus = true;"),
     "3 points of bonus time items: expected at most the 0 of bonus counter items, which they replace"},
    {RIGHT("1/a", "points = 9;") ", " COUNTER("1/c", "1/a", "points = 5; bonus = true;") ", " TIME(
         "1/t", "1/a", "points = 5;"),
     "5 points of time items: expected at most the 0 of counter items, which they replace"},
};

START_TEST(nonsense_is_refused) {
  struct rubric rubric;
  struct error error;
  ck_assert_msg(!read_rubric(nonsense[_i].items, &rubric, &error), "%s was taken", nonsense[_i].items);
  ck_assert_msg(strstr(error.text, nonsense[_i].says) && !strchr(error.text, '\n'), "expected '%s' in: %s",
                nonsense[_i].says, error.text);
}
END_TEST

/* --- the result --- */

static const struct rubric_item items[] = {
    {.id = "1/a", .title = "a", .points = 60, .part = 1},
    {.id = "1/b", .title = "b", .points = 40, .part = 2},
    {.id = "1/x", .title = "x", .points = 6, .part = 3, .bonus = true},
    {.id = "1/y", .title = "y", .points = 8, .part = 3, .bonus = true}};

/* A lab with these verdicts of the items from the first-th on. */
static json_t *lab_of(int first, const char *const *verdicts) {
  json_t *list = json_array();
  for (int n = 0; verdicts[n]; n++)
    json_array_append_new(list, result_item(&items[first + n], verdicts[n], ""));
  return result_lab("1_x", list, "");
}

static json_t *result_of(json_t *lab) {
  static const struct result_origin origin = {"1", "", "", "", 1, "counters", "sim", NULL, NULL};
  const struct submission submission = {.name = "ada"};
  return result_whole(&submission, &origin, json_pack("[o]", lab), 1);
}

static char *printed(const json_t *lab) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  result_print_lab_end(lab, out);
  fclose(out);
  return text;
}

static const struct {
  int first;
  const char *verdicts[5];
  const char *verdict;
  double points, max_points, bonus; /* points < 0: null */
  const char *text;
} judged_labs[] = {
    {0,
     {"PASS", "PASS", "PASS", "WRONG"},
     "PASS",
     106,
     100,
     6,
     "1_x: 106 of 100 points (bonus: 6 of 14); full marks\n"},
    {0,
     {"PASS", "PASS", "UNWRITTEN", "SKIPPED"},
     "PASS",
     100,
     100,
     0,
     "100 of 100 points (bonus: 0 of 14); full marks\n"},
    {0,
     {"PASS", "PASS", "CRASH", "TIMEOUT"},
     "PASS",
     100,
     100,
     0,
     "100 of 100 points (bonus: 0 of 14); full marks\n"},
    {0,
     {"PASS", "PASS", "VIOLATION", "SUSPECT"},
     "PASS",
     100,
     100,
     0,
     "100 of 100 points (bonus: 0 of 14); full marks\n"},
    {0,
     {"PASS", "WRONG", "PASS", "PASS"},
     "WRONG",
     74,
     100,
     14,
     "74 of 100 points (bonus: 14 of 14); 1 of 2 items below full marks\n"},
    {0,
     {"UNWRITTEN", "UNWRITTEN", "PASS", "PASS"},
     "WRONG",
     14,
     100,
     14,
     "14 of 100 points (bonus: 14 of 14); not written yet\n"},
    {0, {"PASS", "PASS", "INFRA", "PASS"}, "INFRA", -1, 100, 0, "not graded"},
    {2, {"PASS", "WRONG"}, "WRONG", 6, 0, 6, "1_x: 6 of 14 bonus points; 1 of 2 items below full marks\n"},
    {2, {"PASS", "PASS"}, "PASS", 14, 0, 14, "1_x: 14 of 14 bonus points; full marks\n"},
};

static void expect_conforms(const json_t *result) {
  struct error error;
  json_t *schema = json_load_file(RESULT_SCHEMA, 0, NULL);
  ck_assert_msg(schema && schema_check(schema, schema, result, &error), "%s", error.text);
  json_decref(schema);
}

static void expect_numbers(const json_t *json, int n) {
  if (judged_labs[n].points < 0)
    ck_assert(json_is_null(json_object_get(json, "points")) && json_is_null(json_object_get(json, "bonus")));
  else
    ck_assert_double_eq(json_number_value(json_object_get(json, "points")), judged_labs[n].points);
  ck_assert_double_eq(json_number_value(json_object_get(json, "max_points")), judged_labs[n].max_points);
  ck_assert_double_eq(json_number_value(json_object_get(json, "bonus")), judged_labs[n].bonus);
  ck_assert_double_eq(json_number_value(json_object_get(json, "max_bonus")), 14);
  ck_assert_str_eq(result_verdict(json), judged_labs[n].verdict);
}

START_TEST(a_bonus_comes_on_top) {
  json_t *lab = lab_of(judged_labs[_i].first, judged_labs[_i].verdicts);
  char *text = printed(lab);
  ck_assert_msg(strstr(text, judged_labs[_i].text) != NULL, "expected '%s' in '%s'", judged_labs[_i].text,
                text);
  free(text);
  expect_numbers(lab, _i);
  json_t *result = result_of(lab);
  expect_numbers(result, _i);
  expect_conforms(result);
  result_make_infra(result, "x", "y");
  ck_assert(json_is_null(json_object_get(result, "bonus")));
  expect_conforms(result);
  json_decref(result);
}
END_TEST

START_TEST(a_lab_without_bonus_does_not_mention_it) {
  json_t *result = result_of(lab_of(0, (const char *[]){"PASS", "PASS", NULL}));
  char *text = json_dumps(result, 0);
  ck_assert_msg(!strstr(text, "bonus"), "%s", text);
  free(text);
  json_decref(result);
}
END_TEST

START_TEST(an_item_says_that_it_is_a_bonus) {
  json_t *item = result_item(&items[2], "UNWRITTEN", "f: TODO(3): not written yet");
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  result_print_item(item, out);
  fclose(out);
  ck_assert_msg(strstr(text, "    0/6    not written yet (bonus): f: TODO(3)\n") != NULL, "%s", text);
  free(text);
  json_decref(item);
}
END_TEST

/* A bonus that hangs stops other bonus items, and no item of the lab. */
START_TEST(timeouts_of_a_bonus_stop_nothing_else) {
  struct installation_lab lab = {.rubric = {.count = 4}};
  struct judge_lab judged = {.lab = &lab};
  static const int order[] = {0, 2, 3, 1};
  for (int n = 0; n < 4; n++) {
    lab.rubric.items[n] = items[order[n]];
    judged.items[n] = result_item(&items[order[n]], n == 3 ? "PASS" : "TIMEOUT", "");
  }
  ck_assert_int_eq(judge_lab_timeouts(&judged, 3, false), 1);
  ck_assert_int_eq(judge_lab_timeouts(&judged, 3, true), 3);
  judged.made = json_pack("{s:s}", "verdict", "PASS");
  judge_lab_give_up(&judged, 3);
  ck_assert_str_eq(result_verdict(judged.items[3]), "PASS");
  judge_lab_free(&judged);
}
END_TEST

/* --- both halves --- */

static json_t *half(const struct installation *kit, bool time) {
  const struct rubric *rubric = &kit->labs[0].rubric;
  json_t *list = json_array();
  for (int n = 0; n < rubric->count; n++)
    if ((rubric->items[n].kind == RUBRIC_TIME) == time)
      json_array_append_new(list, result_item(&rubric->items[n], "PASS", ""));
  const struct result_origin origin = {
      .kit = "1", .rubrics = "", .judge = "", .limits = "", .mode = time ? "time" : "counters", .device = ""};
  const struct submission submission = {.name = "x"};
  return result_whole(&submission, &origin, json_pack("[o]", result_lab("1_x", list, "")), 1);
}

/* Both halves, merged, all of whose items pass. */
static json_t *merged(const struct installation *kit) {
  struct error error;
  json_t *counters = half(kit, false), *time = half(kit, true);
  json_t *result = merge_results(kit, counters, time, (const char *const[]){"a", "b"}, &error);
  ck_assert_msg(result != NULL, "%s", error.text);
  json_decref(counters);
  json_decref(time);
  return result;
}

/* Time items take their points from counter items of the same sort: the lab keeps its 100, and the bonus its 6. */
START_TEST(halves_keep_the_bonus_apart) {
  struct installation kit = {.version = "1", .count = 1, .labs = {{.name = "1_x"}}};
  struct error error;
  ck_assert_msg(
      read_rubric(
          LAB ", " RIGHT("1/b", "points = 2; bonus = true;") ", " COUNTER(
              "1/d", "1/b",
              "points = 4; bonus = true;") ", " TIME("1/s", "1/a",
                                                     "points = 5;") ", " TIME("1/t", "1/b",
                                                                              "points = 3; bonus = true;"),
          &kit.labs[0].rubric, &error),
      "%s", error.text);
  json_t *result = merged(&kit);
  ck_assert_double_eq(json_number_value(json_object_get(result, "points")), 106);
  ck_assert_double_eq(json_number_value(json_object_get(result, "max_points")), 100);
  ck_assert_double_eq(json_number_value(json_object_get(result, "max_bonus")), 6);
  json_decref(result);
  rubric_free(&kit.labs[0].rubric);
}
END_TEST

/* Shares that are no hundredths: the rounded items still sum to 100, for every number of points that time takes. */
START_TEST(halves_sum_to_100) {
  char text[2048], time_item[512];
  for (int points = 1; points <= 29; points++) {
    struct installation kit = {.version = "1", .count = 1, .labs = {{.name = "1_x"}}};
    struct error error;
    snprintf(time_item, sizeof time_item, TIME("1/t", "1/a", "points = %d;"), points);
    snprintf(text, sizeof text, "%s, %s, %s, %s, %s", RIGHT("1/a", "points = 70;"),
             COUNTER("1/c", "1/a", "points = 10;"), COUNTER("1/d", "1/a", "points = 10;"),
             COUNTER("1/e", "1/a", "points = 10;"), time_item);
    ck_assert_msg(read_rubric(text, &kit.labs[0].rubric, &error), "%s", error.text);
    json_t *result = merged(&kit);
    ck_assert_double_eq(json_number_value(json_object_get(result, "points")), 100);
    ck_assert_double_eq(json_number_value(json_object_get(result, "max_points")), 100);
    json_decref(result);
    rubric_free(&kit.labs[0].rubric);
  }
}
END_TEST

/* --- reports --- */

static char *report_of(const json_t *result, const char *name) {
  struct report report;
  struct error error;
  char *text = NULL;
  size_t size;
  const struct report_format *format = report_formats;
  while (strcmp(format->name, name) != 0)
    format++;
  ck_assert_msg(report_read(&report, result, &error), "%s", error.text);
  FILE *out = open_memstream(&text, &size);
  ck_assert(format->write(&report, out));
  fclose(out);
  report_release(&report);
  return text;
}

static const struct {
  const char *format, *says[4], *lacks;
} reports[] = {
    {"html",
     {"<div class=\"total\">106 <small>of 100 points (bonus: 6 of 14)</small></div>",
      "<h2>1_x: 106 of 100 points (bonus: 6 of 14); <span class=\"standing full\">full marks</span></h2>",
      ">6 of 6 bonus points</span>"},
     "below full marks"},
    {"gradescope",
     {"\"score\": 106.0", "\"bonus\"", "\"output\": \"PASS: 106 of 100 points (bonus: 6 of 14)\\n"},
     "failed"},
    {"autolab",
     {"{\"scores\":{\"1_x\":106.0}", "\"1/x: x (6 of 6, bonus)\":{\"passed\":true",
      "\"1/y: y (0 of 8, bonus)\":\"WRONG\""},
     "\"passed\":false"},
    {"classroom50", {"\"score\": 100,\n \"max-score\": 100", "1/x: x (bonus)"}, "106,"},
    {"prairielearn", {"\"score\": 1.0", "\"1_x, 1/x, bonus\""}, "\"score\": 1.06"},
    {"junit",
     {"failures=\"0\"", "<property name=\"bonus\" value=\"6\"/>",
      "<property name=\"max_bonus\" value=\"14\"/>",
      "<skipped type=\"WRONG\" message=\"0 of 8 bonus points: "},
     "<failure"},
    {"tap", {"ok 3 - 1/x: x\n", "not ok 4 - 1/y: y # TODO a bonus\n"}, "not ok 3"},
};

START_TEST(each_format_adds_the_bonus) {
  json_t *result = result_of(lab_of(0, (const char *[]){"PASS", "PASS", "PASS", "WRONG", NULL}));
  char *text = report_of(result, reports[_i].format);
  for (int n = 0; n < 4 && reports[_i].says[n]; n++)
    ck_assert_msg(strstr(text, reports[_i].says[n]) != NULL, "expected '%s' in: %.2000s", reports[_i].says[n],
                  text);
  ck_assert_msg(!strstr(text, reports[_i].lacks), "'%s' in: %.2000s", reports[_i].lacks, text);
  free(text);
  json_decref(result);
}
END_TEST

/* On the page of several labs, a bonus does not hide points that are missing elsewhere. */
START_TEST(a_bonus_hides_no_loss) {
  json_t *result = result_of(lab_of(0, (const char *[]){"PASS", "WRONG", "PASS", "PASS", NULL}));
  json_t *labs_of = json_object_get(result, "labs");
  json_array_append_new(labs_of, lab_of(0, (const char *[]){"PASS", "PASS", NULL}));
  json_t *lab = json_array_get(labs_of, 0);
  json_object_set_new(json_array_get(json_object_get(lab, "items"), 1), "points", json_real(35));
  json_object_set_new(lab, "points", json_real(109));
  char *page = report_of(result, "html"), *text = NULL;
  size_t size;
  ck_assert_ptr_nonnull(strstr(page, "1 of 2 labs below full marks"));
  free(page);
  FILE *out = open_memstream(&text, &size);
  result_print_end(result, out);
  fclose(out);
  ck_assert_msg(strstr(text, "1 of 2 labs below full marks") != NULL, "%s", text);
  free(text);
  json_decref(result);
}
END_TEST

/* --- a class --- */

START_TEST(a_summary_has_the_bonus) {
  static const struct installation kit = {.count = 1, .labs = {{.name = "1_x"}}};
  struct class_summary summary;
  struct error error;
  double points;
  json_t *result = result_of(lab_of(0, (const char *[]){"PASS", "PASS", "PASS", "WRONG", NULL}));
  ck_assert(class_summary_write("summary.csv", &kit, NULL, 1, &result, &error));
  files_expect("summary.csv", "submission,sha256,verdict,reason,points,max_points,bonus,1_x\n"
                              "\"ada\",,PASS,\"\",106,100,6,106\n");
  ck_assert_msg(class_summary_read(&summary, "summary.csv", &error), "%s", error.text);
  ck_assert_int_eq(summary.labs, 1);
  ck_assert_str_eq(class_summary_lab(&summary, 0), "1_x");
  ck_assert(class_summary_lab_points(&summary, 0, 0, &points) && points == 106);
  class_summary_free(&summary);
  json_decref(result);
}
END_TEST

static void expect_said(const char *arguments, const char *says) {
  char command[512];
  snprintf(command, sizeof command, "%s export %s --summary summary.csv --out out.csv", grade, arguments);
  const char *words[16] = {NULL};
  char *rest = NULL;
  int count = 0;
  for (char *word = strtok_r(command, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    words[count++] = word;
  const struct program_result ended = program_run(words, 10);
  ck_assert_int_eq(ended.status, 0);
  ck_assert_msg(strstr(ended.output, says) != NULL, "expected '%s' in '%s'", says, ended.output);
}

/* Moodle refuses a grade above its maximum, Canvas does not. */
START_TEST(sheets_get_what_the_platform_takes) {
  files_write("summary.csv",
              "submission,sha256,verdict,reason,points,max_points,bonus,1_x\n"
              "Ada_11_assignsubmission_file_,x,PASS,,106,100,6,106\nada_1_5_x.cu,x,PASS,,106,100,6,106\n");
  files_write("sheet.csv", "Identifier,Grade,Maximum Grade\nParticipant 11,,50\n");
  expect_said("--moodle sheet.csv",
              "Participant 11: full marks, without the bonus: Moodle accepts no grade above its maximum\n");
  files_expect("out.csv", "Identifier,Grade,Maximum Grade\nParticipant 11,50,50\n");
  files_write("sheet.csv", "Student,ID,Lab 1 (7)\n    Points Possible,,50\nAda,1,\n");
  expect_said("--canvas sheet.csv", "wrote out.csv: filled in 1 row\n");
  files_expect("out.csv", "Student,ID,Lab 1 (7)\n    Points Possible,,50\nAda,1,53\n");
}
END_TEST

int main(int argc, char **argv) {
  TCase *cases = tcase_create("bonus");
  if (argc != 2)
    return 2;
  grade = realpath(argv[1], NULL);
  tcase_add_test(cases, a_bonus_is_read);
  tcase_add_test(cases, optional_labs_are_left_out);
  tcase_add_test(cases, a_rubric_says_what_is_optional);
  tcase_add_loop_test(cases, nonsense_is_refused, 0, sizeof nonsense / sizeof *nonsense);
  tcase_add_loop_test(cases, a_bonus_comes_on_top, 0, sizeof judged_labs / sizeof *judged_labs);
  tcase_add_test(cases, a_lab_without_bonus_does_not_mention_it);
  tcase_add_test(cases, an_item_says_that_it_is_a_bonus);
  tcase_add_test(cases, timeouts_of_a_bonus_stop_nothing_else);
  tcase_add_test(cases, halves_keep_the_bonus_apart);
  tcase_add_test(cases, halves_sum_to_100);
  tcase_add_loop_test(cases, each_format_adds_the_bonus, 0, sizeof reports / sizeof *reports);
  tcase_add_test(cases, a_bonus_hides_no_loss);
  tcase_add_test(cases, a_summary_has_the_bonus);
  tcase_add_test(cases, sheets_get_what_the_platform_takes);
  program_enter_directory();
  return suite_run_case("bonus", cases);
}
