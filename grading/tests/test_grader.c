/* The parts of the grader that run no program: points, rubrics, hashes, results. */
#include "allocate.h"
#include "class_leaderboard.h"
#include "class_summary.h"
#include "files.h"
#include "ladder.h"
#include "program.h"
#include "result.h"
#include "schema.h"
#include "sha256.h"
#include "suite.h"
#include "tasks.h"
#include "timing.h"
#include "unwritten_part.h"
#include "warnings.h"
#include "waste.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

START_TEST(points_are_linear_between_the_limits) {
  const struct rubric_item rising = {.points = 20, .none_at = 0.6, .full_at = 0.95};
  const struct rubric_item falling = {.points = 8, .none_at = 3, .full_at = 1};
  ck_assert_double_eq(rubric_points(&rising, 0.6), 0);
  ck_assert_double_eq(rubric_points(&rising, 0.1), 0);
  ck_assert_double_eq(rubric_points(&rising, 0.95), 20);
  ck_assert_double_eq(rubric_points(&rising, 2), 20);
  ck_assert_double_eq_tol(rubric_points(&rising, 0.775), 10, 1e-12);
  ck_assert_double_eq(rubric_points(&falling, 1), 8);
  ck_assert_double_eq(rubric_points(&falling, 2), 4);
  ck_assert_double_eq(rubric_points(&falling, 9), 0);
  ck_assert_double_eq(rubric_points(&falling, (double)NAN), 0);
}
END_TEST

static void expect_hash(const char *text, size_t repeats, const char *expected) {
  struct sha256_ctx sum;
  char hex[65];
  sha256_init(&sum);
  for (size_t n = 0; n < repeats; n++)
    sha256_update(&sum, strlen(text), (const uint8_t *)text);
  sha256_finish(&sum, hex);
  ck_assert_str_eq(hex, expected);
}

/* The examples that NIST publishes for FIPS 180-4. */
START_TEST(hashes_are_those_of_the_standard) {
  expect_hash("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect_hash("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  expect_hash("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

static void expect_text(const char *text, const char *expected) {
  json_t *string = result_string(text);
  ck_assert_str_eq(json_string_value(string), expected);
  json_decref(string);
}

/* What a program prints must not command the terminal or the machine that shows it. */
START_TEST(words_are_no_commands) {
  expect_text("::error file=a::no", ": :error file=a::no");
  expect_text("a\n  ::set-output name=b::c", "a\n  : :set-output name=b::c");
  expect_text("std::min(a, b)", "std::min(a, b)");
  expect_text("x ##[error]y ##vso[task.complete]z", "x # #[error]y # #vso[task.complete]z");
  expect_text("#define GLUE(a, b) a ## b", "#define GLUE(a, b) a ## b");
  expect_text("\xc2\x9b"
              "31m, \033[31m",
              "?31m, ?[31m");
  const char turned[] = {'a', '\xe2', '\x80', '\xae', 'b',    '\xe2', '\x81', '\xa6',
                         'c', '\xd8', '\x9c', 'd',    '\xe2', '\x80', '\x8f', '\0'};
  expect_text(turned, "a?b?c?d?");
  expect_text("\xc3\xa9 \xe2\x80\xa6 \xe2\x82\xac \xd8\x9d", "\xc3\xa9 \xe2\x80\xa6 \xe2\x82\xac \xd8\x9d");
}
END_TEST

/* Characters that split a line, or hide the text before them. */
START_TEST(a_name_is_one_line) {
  static const struct result_origin origin = {"1", "", "", "", 1, "counters", "sim", NULL, NULL};
  struct submission submission = {.name = "a\nb\r\x1b[2K\xc2\x85"
                                          "c\xe2\x80\xa8"
                                          "d\xc3\x9c"};
  json_t *result = result_infra(&submission, &origin, "");
  ck_assert_str_eq(json_string_value(json_object_get(json_object_get(result, "submission"), "name")),
                   "a␊b␍␛[2K?c?dÜ");
  json_decref(result);
}
END_TEST

START_TEST(text_of_any_bytes_is_a_string) {
  expect_text("a \"b\"\n\xc2\xbc", "a \"b\"\n\xc2\xbc");
  expect_text("red\x1b[31m\x7f\t", "red?[31m??");
  expect_text("\xff\xfe broken \xc2", "?? broken ?");
}
END_TEST

#define LINES(lines) "lab = \"x\"; program = \"x\"; items = (" lines ");"
#define RIGHT "{ id = \"1/a\"; kind = \"correctness\"; part = 1; points = 5; title = \"a\"; }"
#define COUNTER(rest)                                                                                        \
  "{ id = \"1/c\"; kind = \"counter\"; part = 1; points = 5; title = \"c\"; needs = [ \"1/a\" ]; " rest " }"

static bool read_rubric(const char *text, struct rubric *rubric, struct error *error) {
  files_write("rubric.cfg", text);
  return rubric_read("rubric.cfg", rubric, error);
}

#define HIDDEN                                                                                               \
  "{ id = \"1/h\"; kind = \"correctness\"; part = 1; points = 5; title = \"h\"; public = false; }"

START_TEST(lines_are_hidden) {
  struct rubric rubric;
  struct error error;
  ck_assert_msg(read_rubric(LINES(RIGHT ", " HIDDEN), &rubric, &error), "%s", error.text);
  ck_assert(!rubric.items[0].hidden && rubric.items[1].hidden);
  json_t *lines = json_array(), *whole;
  for (int n = 0; n < 2; n++)
    json_array_append_new(lines, result_item(&rubric.items[n], n ? "WRONG" : "PASS", n ? "why" : ""));
  whole = json_pack("{s:[o]}", "labs", result_lab("1_x", lines, ""));
  char *printed = NULL;
  size_t size;
  FILE *out = open_memstream(&printed, &size);
  result_print(whole, out);
  fclose(out);
  ck_assert_msg(strstr(printed, "1/hidden                0/5    hidden tests are not shown\n") != NULL, "%s",
                printed);
  ck_assert_msg(!strstr(printed, "1/h ") && !strstr(printed, "why\n") && !strstr(printed, "hints"), "%s",
                printed);
  free(printed);
  json_decref(whole);
  rubric_free(&rubric);
}
END_TEST

START_TEST(rubric_is_read) {
  struct rubric rubric;
  struct error error;
  const char *text = LINES(RIGHT ", " COUNTER("metric = \"sectors_per_point\"; none_at = 3.5; full_at = 1;"));
  ck_assert_msg(read_rubric(text, &rubric, &error), "%s", error.text);
  ck_assert_int_eq(rubric.count, 2);
  ck_assert_str_eq(rubric.items[1].needs[0], "1/a");
  ck_assert_double_eq(rubric.items[1].none_at, 3.5);
  rubric_free(&rubric);
}
END_TEST

#define SPEED COUNTER("metric = \"of_copy\"; bytes = 12; none_at = 0.5; full_at = 0.9;")
#define TIME(points, rest)                                                                                   \
  LINES(RIGHT ", " SPEED ", { id = \"1/t\"; kind = \"time\"; part = 1; points = " points                     \
              "; title = \"t\"; needs = [ \"1/a\" ]; run = \"--nx 9\"; " rest " }")
#define LIMITED "none_at = 0.4; full_at = 0.8; "
#define AGAINST LIMITED "against = \"copy\"; "
#define COUNTED AGAINST "count = 7; per = 81; "
#define SIZED COUNTED "bytes = 12; result = \"float64\"; "
#define WHOLE SIZED "within = 1e-5;"

START_TEST(time_lines_are_read) {
  struct rubric rubric;
  struct error error;
  ck_assert_msg(read_rubric(TIME("5", WHOLE), &rubric, &error), "%s", error.text);
  const struct rubric_item *line = &rubric.items[2];
  ck_assert_int_eq(line->kind, RUBRIC_TIME);
  ck_assert_int_eq(line->against, TIME_COPY);
  ck_assert_int_eq(line->count, 7);
  ck_assert_uint_eq(line->element_size, sizeof(double));
  ck_assert_double_eq(line->per, 81);
  ck_assert_double_eq(line->bytes, 12);
  ck_assert_double_eq(line->within, 1e-5);
  ck_assert_double_gt(line->noise, 0);
  ck_assert_double_eq(rubric_sum(&rubric, RUBRIC_TIME, false), 5);
  ck_assert_uint_eq(strlen(rubric.sha256), 64);
  rubric_free(&rubric);
}
END_TEST

#define RUNG(rest)                                                                                           \
  LINES(RIGHT ", " SPEED ", { id = \"1/r\"; kind = \"rung\"; part = 1; title = \"r\"; " rest " }")
#define WORK "work = \"a sweep\"; "

START_TEST(rungs_are_read) {
  struct rubric rubric;
  struct error error;
  ck_assert_msg(read_rubric(RUNG(WORK "counter = \"1/c\"; reference = 0.5;"), &rubric, &error), "%s",
                error.text);
  ck_assert_int_eq(rubric.items[2].kind, RUBRIC_RUNG);
  ck_assert_double_eq(rubric.items[2].points, 0);
  ck_assert_double_eq(rubric.items[2].bytes, 12); /* its counter item's */
  ck_assert_double_eq(rubric.items[2].reference, 0.5);
  ck_assert_ptr_null(rubric.items[2].time);
  rubric_free(&rubric);
}
END_TEST

static const struct {
  const char *text, *says;
} malformed[] = {
    {TIME("5", ""), "1/t: none_at and full_at"},
    {TIME("5", "none_at = 0.8; full_at = 0.4;"), "1/t: none_at: expected less than full_at"},
    {TIME("5", LIMITED), "1/t: against"},
    {TIME("5", LIMITED "against = \"peak\";"), "1/t: against"},
    {TIME("5", AGAINST "count = 0;"), "1/t: count"},
    {TIME("5", AGAINST "count = 7;"), "1/t: per"},
    {TIME("5", COUNTED), "1/t: bytes"},
    {TIME("5", COUNTED "bytes = 12; result = \"int32\";"), "1/t: result"},
    {TIME("5", SIZED), "1/t: within"},
    {TIME("6", WHOLE), "6 points of time items: expected at most the 5 of counter items"},
    {LINES("{ id = \"1/a\"; kind = \"correctness\"; part = 1; points = 5; title = \"a\"; publik = false; }"),
     "1/a: publik: expected a member that"},
    {LINES("{ id = \"1/a\"; kind = \"correctness\"; part = 1; points = 5; title = \"a\"; public = \"no\"; }"),
     "1/a: public: expected true or false"},
    {LINES("{ id = \"1/a\"; kind = \"correctness\"; part = 1; points = 5; title = \"a\"; public = false; "
           "}, " COUNTER("")),
     "1/c: needs"},
    {"lab = ;", "line 1: syntax error"},
    {LINES(""), "1 to 48 items"},
    {LINES("{ id = \"1/a\"; }"), "1/a: title"},
    {LINES(RIGHT ", " RIGHT), "1/a: id"},
    {LINES("{ id = \"1/a\"; kind = \"speed\"; part = 1; points = 5; title = \"a\"; }"), "1/a: kind"},
    {LINES("{ id = \"1/a\"; kind = \"correctness\"; part = 1; points = -5; title = \"a\"; }"), "1/a: points"},
    {LINES(COUNTER("")), "1/c: needs"},
    {LINES(RIGHT ", " COUNTER("kernel = \"k\";")), "1/c: kernel: expected a member that"},
    {LINES(RIGHT ", " COUNTER("metric = \"speed\"; none_at = 1; full_at = 0;")), "1/c: metric"},
    {LINES(RIGHT ", " COUNTER("metric = \"of_copy\"; none_at = 1; full_at = 0;")), "1/c: bytes"},
    {LINES(RIGHT ", " COUNTER("metric = \"active_lanes\"; none_at = 1.0; full_at = 1.0;")),
     "1/c: none_at and full_at"},
    {RUNG(""), "1/r: work"},
    {RUNG(WORK), "1/r: counter"},
    {RUNG(WORK "counter = \"1/a\";"), "1/r: counter: expected the id of a public counter item"},
    {RUNG(WORK "counter = \"1/c\";"), "1/r: reference"},
    {RUNG(WORK "time = \"1/a\";"), "1/r: time: expected the id of a public time item"},
};

START_TEST(malformed_rubrics_are_refused) {
  struct rubric rubric;
  struct error error;
  ck_assert_msg(!read_rubric(malformed[_i].text, &rubric, &error), "%s was taken", malformed[_i].text);
  ck_assert_msg(strstr(error.text, malformed[_i].says) != NULL, "expected '%s' in: %s", malformed[_i].says,
                error.text);
}
END_TEST

static json_t *lab_of(const char *const *verdicts) {
  const struct rubric_item line = {.id = "1/a", .title = "a", .points = 0.1, .part = 1};
  json_t *lines = json_array();
  for (; *verdicts; verdicts++)
    json_array_append_new(lines, result_item(&line, *verdicts, ""));
  return result_lab("1_x", lines, "");
}

static void expect_lab(const char *const *verdicts, const char *verdict, double points, double of) {
  json_t *lab = lab_of(verdicts);
  ck_assert_str_eq(result_verdict(lab), verdict);
  ck_assert_double_eq(json_number_value(json_object_get(lab, "max_points")), of);
  if (points < 0)
    ck_assert(json_is_null(json_object_get(lab, "points")));
  else
    ck_assert_double_eq(json_number_value(json_object_get(lab, "points")), points);
  json_decref(lab);
}

START_TEST(the_gravest_verdict_is_the_labs) {
  expect_lab((const char *[]){"PASS", "PASS", "PASS", NULL}, "PASS", 0.3, 0.3);
  expect_lab((const char *[]){"PASS", "SKIPPED", NULL}, "WRONG", 0.1, 0.2);
  expect_lab((const char *[]){"UNWRITTEN", "PASS", NULL}, "WRONG", 0.1, 0.2);
  expect_lab((const char *[]){"MISSING", "PASS", NULL}, "WRONG", 0.1, 0.2);
  expect_lab((const char *[]){"MISSING", "MISSING", NULL}, "MISSING", 0, 0.2);
  expect_lab((const char *[]){"WRONG", "CRASH", "TIMEOUT", NULL}, "CRASH", 0, 0.3);
  expect_lab((const char *[]){"PASS", "INFRA", "PASS", NULL}, "INFRA", -1, 0.3); /* never a grade */
  expect_lab((const char *[]){"PASS", "what is this?", NULL}, "INFRA", -1, 0.2);
}
END_TEST

/* Task n waits for task n + 1; task 2 returns no result. */
enum { POOL_TASKS = 5 };
struct pooled {
  json_t *results[POOL_TASKS];
  int order[POOL_TASKS], done;
};

static bool pooled_ready(int n, void *context) {
  const struct pooled *pooled = context;
  return n == POOL_TASKS - 1 || (pooled->done > 0 && pooled->order[pooled->done - 1] == n + 1);
}
static json_t *pooled_task(int n, void *context) {
  (void)context;
  if (n == 2)
    _exit(0);
  return json_pack("{s:i}", "tens", n);
}
static void pooled_done(int n, json_t *result, void *context) {
  struct pooled *pooled = context;
  pooled->results[n] = result;
  pooled->order[pooled->done++] = n;
}

START_TEST(tasks_wait_for_what_they_need) {
  struct pooled pooled = {.done = 0};
  tasks_run(&(struct tasks_work){POOL_TASKS, pooled_ready, pooled_task, pooled_done, &pooled}, 3);
  for (int n = 0; n < POOL_TASKS; n++) {
    ck_assert_int_eq(pooled.order[n], POOL_TASKS - 1 - n);
    if (n == 2)
      ck_assert(pooled.results[n] == NULL);
    else
      ck_assert_int_eq(json_integer_value(json_object_get(pooled.results[n], "tens")), n);
    json_decref(pooled.results[n]);
  }
}
END_TEST

static bool last_wait(int n, void *context) {
  const struct pooled *pooled = context;
  return n < 3 || pooled->done > 2;
}
static json_t *endless_task(int n, void *context) {
  (void)context;
  if (n > 0)
    pause();
  return json_pack("{s:i}", "tens", n);
}

/* The first task is quick, two never end, and the last two wait. */
START_TEST(tasks_end_at_the_deadline) {
  struct pooled pooled = {.done = 0};
  const double start = timing_now();
  tasks_run_until(&(struct tasks_work){POOL_TASKS, last_wait, endless_task, pooled_done, &pooled}, 3,
                  start + 0.3);
  ck_assert(timing_now() - start >= 0.3 && timing_now() - start < 5);
  ck_assert_int_eq(pooled.done, POOL_TASKS);
  ck_assert(pooled.results[0] != NULL);
  json_decref(pooled.results[0]);
  for (int n = 1; n < POOL_TASKS; n++)
    ck_assert(pooled.results[n] == NULL);
}
END_TEST

/* The text for a lab with items of these parts, all with the same verdict. */
static char *print_lab(const int *parts, int count, const char *verdict, const char *message) {
  char *printed = NULL;
  size_t size;
  json_t *lines = json_array();
  for (int n = 0; n < count; n++)
    json_array_append_new(
        lines,
        result_item(&(struct rubric_item){.id = "04/x", .title = "x", .part = parts[n]}, verdict, "no"));
  json_t *whole = json_pack("{s:[o]}", "labs", result_lab("04_x", lines, message));
  FILE *out = open_memstream(&printed, &size);
  result_print(whole, out);
  fclose(out);
  json_decref(whole);
  return printed;
}

START_TEST(a_hint_is_told_once) {
  char *printed = print_lab((const int[]){4, 5, 4, 5}, 4, "WRONG", "");
  ck_assert_msg(strstr(printed, "hints: ./kit hint 04 4, ./kit hint 04 5\n") != NULL, "%s", printed);
  free(printed);
}
END_TEST

START_TEST(the_compiler_s_words_need_no_hint) {
  char *printed = print_lab((const int[]){4}, 1, "COMPILE", "x.cu:3: error");
  ck_assert_str_eq(printed, "x.cu:3: error\n04_x: 0 of 0 points; does not compile\n");
  free(printed);
  static const char *const verdicts[] = {"COMPILE", "MISSING", "INFRA", "SKIPPED", "WRONG"};
  for (int n = 0; n < 5; n++) {
    json_t *line =
        result_item(&(struct rubric_item){.id = "04/x", .title = "x", .part = 4}, verdicts[n], "no");
    ck_assert_msg(!json_object_get(line, "hint") == (n < 4), "%s", verdicts[n]);
    json_decref(line);
  }
}
END_TEST

/* A failed item without points costs nothing, so the lab still passes; a crash does not. */
START_TEST(full_points_are_a_pass) {
  static const struct {
    const char *verdict, *lab;
  } cases[] = {{"WRONG", "PASS"}, {"SKIPPED", "PASS"}, {"UNWRITTEN", "PASS"}, {"CRASH", "CRASH"}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    json_t *lines = json_array();
    json_array_append_new(
        lines, result_item(&(struct rubric_item){.id = "04/x", .title = "x", .points = 5}, "PASS", ""));
    json_array_append_new(
        lines, result_item(&(struct rubric_item){.id = "04/y", .title = "y"}, cases[n].verdict, ""));
    json_t *lab = result_lab("04_x", lines, "");
    ck_assert_str_eq(result_verdict(lab), cases[n].lab);
    json_decref(lab);
  }
}
END_TEST

static json_t *on_the_board(const char *name, const char *item, double value, const char *order) {
  return json_pack("{s:{s:s}, s:[{s:s, s:s, s:f, s:s, s:s}]}", "submission", "name", name, "leaderboard",
                   "item", item, "title", "t", "value", value, "unit", "us", "order", order);
}

/* The best first, whichever way the item counts; equal values share a rank; names are no formulas. */
START_TEST(a_leaderboard_is_sorted) {
  static const struct {
    const char *name, *item;
    double value;
    const char *order;
  } entries[] = {{"a", "06/b", 2, "asc"}, {"b", "03/a", 0.5, "desc"},  {"c", "03/a", 0.7, "desc"},
                 {"d", "06/b", 1, "asc"}, {"=e", "03/a", 0.7, "desc"}, {"f", "03/a", 0.4, "desc"}};
  enum { COUNT = sizeof entries / sizeof *entries };
  json_t *results[COUNT];
  struct error error;
  for (int n = 0; n < COUNT; n++)
    results[n] = on_the_board(entries[n].name, entries[n].item, entries[n].value, entries[n].order);
  ck_assert_msg(class_leaderboard_write("board.csv", COUNT, results, &error), "%s", error.text);
  char text[1024] = "";
  FILE *file = fopen("board.csv", "r");
  ck_assert(file && fread(text, 1, sizeof text - 1, file) > 0 && fclose(file) == 0);
  ck_assert_str_eq(text, "item,title,rank,submission,value,unit\n"
                         "03/a,\"t\",1,\"'=e\",0.7,\"us\"\n03/a,\"t\",1,\"c\",0.7,\"us\"\n"
                         "03/a,\"t\",3,\"b\",0.5,\"us\"\n03/a,\"t\",4,\"f\",0.4,\"us\"\n"
                         "06/b,\"t\",1,\"d\",1,\"us\"\n06/b,\"t\",2,\"a\",2,\"us\"\n");
  unlink("board.csv");
  for (int n = 0; n < COUNT; n++)
    json_decref(results[n]);
}
END_TEST

/* Even after blanks, and with full-width signs. */
START_TEST(a_text_is_no_formula) {
  static const char *const formulas[] = {"=1", " =1", "\t@a", "\ufeff=1", "\u3000+1", "\uff1d1", "'=1"};
  static const char *const plain[] = {"", "a=1", " a", "'a", "\ufeffa", "a-b.cu"};
  char written[64];
  for (size_t n = 0; n < sizeof formulas / sizeof *formulas + sizeof plain / sizeof *plain; n++) {
    const bool is_formula = n < sizeof formulas / sizeof *formulas;
    const char *text = is_formula ? formulas[n] : plain[n - sizeof formulas / sizeof *formulas];
    FILE *file = fmemopen(written, sizeof written, "w");
    class_summary_put_text(file, text);
    ck_assert(fclose(file) == 0);
    ck_assert_msg((written[1] == '\'' && (text[0] != '\'' || written[2] == '\'')) == is_formula, "%s",
                  written);
  }
}
END_TEST

START_TEST(a_fault_says_which) {
  char *printed = print_lab((const int[]){4}, 1, "INFRA", "");
  ck_assert_msg(strstr(printed, "a fault of the grader or its machine: no\n") != NULL, "%s", printed);
  free(printed);
}
END_TEST

START_TEST(a_line_that_waits_is_skipped) {
  char *printed = print_lab((const int[]){4}, 1, "SKIPPED", "");
  ck_assert_msg(strstr(printed, "skipped: no\n") != NULL && !strstr(printed, "failed"), "%s", printed);
  free(printed);
}
END_TEST

/* The text for an item of 8 points in this state. */
static char *print_item(const char *verdict, const char *message, double points, double measured) {
  const struct rubric_item line = {.id = "04/x", .title = "sectors of x", .points = 8};
  char *printed = NULL;
  size_t size;
  json_t *json = result_item(&line, verdict, message);
  if (measured > 0)
    result_measure(json, &line, measured, "sectors per point", "sectors / points");
  json_object_set_new(json, "points", json_real(points));
  json_object_set_new(json, "none_at", json_real(3));
  json_object_set_new(json, "full_at", json_real(0.9));
  FILE *out = open_memstream(&printed, &size);
  result_print_item(json, out);
  fclose(out);
  json_decref(json);
  return printed;
}

/* A skeleton's block, and blocks that someone has written. */
START_TEST(a_written_part_is_recognised) {
  static const struct {
    const char *text;
    bool is_left;
  } cases[] = {
      {"  // TODO(2): launch it. (2 lines)\n  return 2;\n  // END(2)\n", true},
      {"// TODO(2): delete this.\n if (kappa2 != 0)\n return 2; // unwritten;\n// END(2)\n", true},
      {"// TODO(2): a kernel\n x[0] = 1;\n// END(2)\n// TODO(2): a function\nreturn 2;\n// END(2)\n", true},
      {"// TODO(2): launch it.\n kernel<<<1, 1>>>(x);\n return 2;\n// END(2)\n", false},
      {"// TODO(2): launch it.\n return failed;\n// END(2)\n// TODO(3): another\n return 2;\n// END(3)\n",
       false},
      {"// TODO(2): a kernel\n// END(2)\n", false},
      {"// TODO(2): without an end\nreturn 2;\n", false},
      {"", false}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
    ck_assert_msg((unwritten_part_find(cases[n].text, strlen(cases[n].text), 2).line > 0) == cases[n].is_left,
                  "%s", cases[n].text);
}
END_TEST

START_TEST(a_part_written_but_for_a_statement_is_recognised) {
  static const char written[] = "int f() {\n// TODO(4): delete\n return 4;\n// END(4)\n}\n"
                                "// TODO(4): the term\n r += k * u;\n// END(4)\n",
                    unwritten[] =
                        "// TODO(4): delete\n return 4;\n// END(4)\n// TODO(4): the term\n// END(4)\n";
  struct unwritten_part part = unwritten_part_find(written, strlen(written), 4);
  ck_assert_int_eq(part.line, 3);
  ck_assert(part.has_other);
  part = unwritten_part_find(unwritten, strlen(unwritten), 4);
  ck_assert_int_eq(part.line, 2);
  ck_assert(!part.has_other);
  ck_assert(part.has_block);
  ck_assert(!unwritten_part_find(unwritten, strlen(unwritten), 3).has_block);
}
END_TEST

/* The most certain of several; a comma in parentheses; others as the compiler prints them. */
START_TEST(warnings_name_a_cause) {
  static const char source[] = "x;\nconst dim3 threads = (32, 8);\na == b;\nk<<<1, (32, 8)>>>(n);\n";
  static const struct {
    const char *said, *warning;
    int line;
  } cases[] = {
      {"s.cu(2): warning #174-D: expression has no effect\n",
       "s.cu:2: the comma in parentheses drops the value before it: expected dim3 name(x, y), without '='",
       2},
      {"s.cu(4): warning #174-D: expression has no effect\n",
       "s.cu:4: the comma in parentheses drops the value before it: expected dim3(x, y), not (x, y)", 4},
      {"s.cu(3): warning #174-D: expression has no effect\n",
       "s.cu:3: this expression has no effect: '==' compares and '=' assigns", 3},
      {"s.cu(1): warning #177-D: variable \"a\" was declared but never referenced\n"
       "s.cu(3): warning #549-D: variable \"s\" is used before its value is set\n"
       "s.cu(7): warning #940-D: missing return statement at end of non-void function \"f\"\n",
       "s.cu:7: the function ends without a return statement: expected return 0 at its end", 7},
      {"s.cu(4): warning #1813-D: empty dependent statement in if-statement\n",
       "s.cu:4: the ';' after if (...) ends the if: what follows runs in any case", 4},
      {"s.cu(5): warning #68-D: integer conversion\n",
       "the compiler warns: s.cu(5): warning #68-D: integer conversion", 5},
      {"s.cu(1): warning #177-D: variable \"a\" was declared but never referenced\n", "", 0},
      {"", "", 0}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    struct error warning;
    warnings_choose(cases[n].said, source, strlen(source), "s", &warning);
    ck_assert_str_eq(warning.text, cases[n].warning);
    ck_assert_int_eq(warnings_line(warning.text), cases[n].line);
  }
}
END_TEST

START_TEST(operators_that_bind_otherwise_than_it_looks) {
  static const struct {
    const char *line, *operator;
  } cases[] = {{"if (i + j % 2 == colour)", "'%'"},
               {"return 2 * jh + (i + colour) & 1;", "'+'"},
               {"if (inside && i - 1 + j % 2 == 0)", "'%'"},
               {"if ((i + j) % 2 == colour)", NULL},
               {"j = 2 * jh + ((i + colour) & 1);", NULL},
               {"k = i * nx + j; // i + j % 2 == 0", NULL},
               {"if (i + 1 < ny && j % 2 == colour)", NULL},
               {"f(a + b, &c);", NULL},
               {"int k = i + 1, m = k % 2 == 0;", NULL},
               {"x = a + b && c;", NULL},
               {"if (inside && (i + j) & 1 == colour)", "'=='"},
               {"if (((i + j) & 1) == colour)", NULL},
               {"if (inside && ((i + j) & 1) == colour && j == 1)", NULL},
               {"if (inside && (colour = (i + j) % 2))", "'='"},
               {"if (const int part = f(x))", NULL},
               {"if (colour == (i + j) % 2)", NULL},
               {"n = first + threadIdx.x % 32;", NULL},
               {"if (inside && i + j % 2)", "'%'"},
               {"j = 2 * jh + (i + colour % 2);", "'%'"},
               {"if (2 * jh + i % 2 < nx)", NULL},
               {"if ((i + j & 1) == colour)", NULL},
               {"j = 2 * (jh + (i + colour) & 1);", "'+'"},
               {"j = 2 * jh + i + colour & 1;", "'+'"},
               {"const dim3 grid = (f(nx, 32), f(ny, 8));", "dim3 name(x, y)"},
               {"const dim3 grid = (f(nx, 32));", NULL},
               {"k<<<f(nx, ny), (32, 8)>>>(nx, (a, b));", "dim3(x, y), not (x, y)"},
               {"k<<<f(nx, ny), dim3(32, 8)>>>(nx, ny);", NULL}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    struct error look;
    const bool found = warnings_of_precedence(cases[n].line, strlen(cases[n].line), "s", 1, 1, &look);
    ck_assert_msg(found == (cases[n].operator!= NULL), "%s", cases[n].line);
    if (found)
      ck_assert_msg(strncmp(look.text, "look at s.cu:1: ", 16) == 0 && strstr(look.text, cases[n].operator),
                    "%s", look.text);
  }
}
END_TEST

START_TEST(an_item_is_printed_as_it_stands) {
  static const struct {
    const char *verdict, *message;
    double points, measured;
    const char *text;
  } cases[] = {
      {"PASS", "", 8, 0, "    8/8    passed\n"},
      {"PASS", "", 8, 0.7952,
       "    8/8    passed: 0.7952 sectors per point; full marks up to 0.9, none from 3, linear between\n"},
      {"WRONG", "", 7.95, 0.91,
       " 7.95/8    partly: 0.91 sectors per point; full marks up to 0.9, none from 3, "},
      {"WRONG", "x.cu:3: why", 7.95, 0.91,
       " 7.95/8    partly: x.cu:3: why\n                    sectors of x: 0.91 "},
      {"WRONG", "no", 0, 0, "    0/8    failed: no\n"},
      {"CRASH", "", 0, 0, "    0/8    failed\n"},
      {"UNWRITTEN", "f: TODO(1): not written yet", 0, 0, "    0/8    not written yet: f: TODO(1)\n"},
      {"UNWRITTEN", "exit status 3", 0, 0, "    0/8    not written yet: exit status 3\n"},
      {"UNWRITTEN", "f: not written yet, g neither", 0, 0, ": f: not written yet, g neither\n"},
  };
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    char *printed = print_item(cases[n].verdict, cases[n].message, cases[n].points, cases[n].measured);
    ck_assert_msg(strstr(printed, cases[n].text) != NULL, "expected '%s' in '%s'", cases[n].text, printed);
    free(printed);
  }
}
END_TEST

/* Hidden items count as one, and give no reason. */
START_TEST(the_end_of_a_lab_leads_with_points) {
  static const struct {
    const char *verdicts[4]; /* the last two are hidden */
    const char *text;
  } cases[] = {{{"PASS", "WRONG", "WRONG", "PASS"}, "1_x: 10 of 20 points; 2 of 3 items below full marks\n"},
               {{"PASS", "PASS", "PASS", "PASS"}, "1_x: 20 of 20 points; full marks\n"},
               {{"UNWRITTEN", "SKIPPED", "WRONG", "UNWRITTEN"}, "1_x: 0 of 20 points; not written yet\n"}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    json_t *lines = json_array();
    char *printed = NULL;
    size_t size;
    for (int k = 0; k < 4; k++)
      json_array_append_new(
          lines, result_item(&(struct rubric_item){.id = "1/x", .title = "x", .points = 5, .hidden = k > 1},
                             cases[n].verdicts[k], "why"));
    json_t *lab = result_lab("1_x", lines, "");
    FILE *out = open_memstream(&printed, &size);
    result_print_lab_end(lab, out);
    fclose(out);
    ck_assert_msg(strstr(printed, cases[n].text) != NULL, "expected '%s' in '%s'", cases[n].text, printed);
    free(printed);
    json_decref(lab);
  }
}
END_TEST

START_TEST(each_metric_names_its_unit) {
  static const char *const names[][2] = {
      {"active_lanes", "of the lanes active"},          {"bytes_per_sector", "of 32 bytes per sector"},
      {"sectors_per_request", "sectors per request"},   {"sectors_per_point", "sectors per point"},
      {"requests_per_point", "requests per point"},     {"requests_per_entry", "requests per entry"},
      {"memory_bytes_per_point", "bytes per point"},    {"conflicts_per_entry", "conflicts per entry"},
      {"conflicts_per_point", "conflicts per point"},   {"lanes_of_steps", "of the lanes needed"},
      {"bytes_of_steps_per_sector", "bytes per sector"}};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    ck_assert_str_eq(metric_find(names[n][0])->unit, names[n][1]);
}
END_TEST

/* --- waste --- */

/* The request of a warp at line 7, in bytes. */
struct warp {
  const char *space;
  int lanes, lane_step, bytes, step, row_step; /* row_step: added after every eighth lane */
};

static void write_waste(const char *rows, const struct warp *warp) {
  FILE *lines = fopen("lines.csv", "w"), *addresses = fopen("addresses.csv", "w");
  fprintf(lines,
          "kernel,launches,file,line,branches,divergent_branches,load_requests,load_sectors,"
          "load_fewest_sectors,store_requests,store_sectors,store_fewest_sectors,shared_requests,"
          "shared_wavefronts,shared_fewest_wavefronts,work_instructions,work_thread_instructions,"
          "atomic_requests,atomic_sectors,atomic_fewest_sectors,local_requests\n%s",
          rows);
  fputs("launch,kernel,request,file,line,operation,space,bytes,lane,address,sectors,wavefronts\n", addresses);
  for (int n = 0; n < warp->lanes; n++)
    fprintf(addresses, "1,\"k\",1,\"a.cu\",7,load,%s,%d,%d,%d,9,9\n", warp->space, warp->bytes,
            n * warp->lane_step, 4096 + n * warp->step + n / 8 * warp->row_step);
  fclose(lines);
  fclose(addresses);
}

static const struct waste_case {
  enum metric_fault fault;
  const char *rows;
  struct warp warp;
  const char *source, *sentence; /* NULL: there is none */
} wastes[] = {
    {METRIC_SECTORS,
     "k,1,a.cu,7,0,0,10,80,40,0,0,0\nk,1,a.cu,8,0,0,10,50,40,10,40,40\n",
     {"global", 32, 1, 4, 8, 0},
     "a.cu:7",
     "loads: 8.0 sectors per request, 4.0 would be enough: neighbouring lanes are 8 bytes apart, every second element: "
     "if the layout asks for that, avoid accesses"},
    {METRIC_SECTORS,
     "k,1,a.cu,7,0,0,10,40,40,10,320,40\n",
     {"global", 32, 1, 4, 8, 0},
     "a.cu:7",
     "stores: 32.0 sectors per request, 4.0 would be enough"}, /* the warp stored nothing */
    {METRIC_SECTORS,
     "k,1,a.cu,7,0,0,10,40,20\n",
     {"global", 16, 2, 4, 8, 0},
     "a.cu:7",
     "loads: 4.0 sectors per request, 2.0 would be enough: only every second lane is active, and active "
     "lanes are 8 bytes apart"},
    {METRIC_SECTORS,
     "k,1,a.cu,7,0,0,10,80,40\n",
     {"global", 32, 1, 4, 4, 1000},
     "a.cu:7",
     "loads: 8.0 sectors per request, 4.0 would be enough: the lanes of a warp access 4 separate "
     "pieces of memory"},
    {METRIC_SECTORS,
     "k,3,a.cu,7,0,0,10,40,40,5,20,20\nk,3,a.cu,8,0,0,10,20,20\n",
     {"global", 0, 0, 0, 0, 0},
     "a.cu:7",
     "the loads on this line are 50 % of the sectors, in 3 launches, all of them full: which accesses could be "
     "avoided?"},
    {METRIC_TRAFFIC,
     "k,2,a.cu,7,0,0,10,80,40\nk,2,a.cu,8,0,0,0,0,0,5,20,20\n",
     {"global", 32, 1, 4, 8, 0},
     "a.cu:7",
     "the loads on this line are 80 % of the sectors, in 2 launches: which values were already in shared memory "
     "or registers?"},
    {METRIC_SECTORS, "other,1,a.cu,7,0,0,10,80,40\n", {"global", 0, 0, 0, 0, 0}, NULL, NULL},
    {METRIC_REQUESTS,
     "k,1,a.cu,7,0,0,30,80,40\nk,1,a.cu,8,0,0,0,0,0,10,50,40\n",
     {"global", 32, 1, 4, 4, 0},
     "a.cu:7",
     "loads of 4 bytes per lane are 75 % of the requests: one float4 access replaces four"},
    {METRIC_REQUESTS, /* line 6 has wide accesses, as no narrow one of it is known */
     "k,1,a.cu,6,0,0,30,80,40\nk,1,a.cu,7,0,0,10,50,40\n",
     {"global", 32, 1, 4, 4, 0},
     "a.cu:7",
     "loads of 4 bytes per lane are 25 % of the requests: one float4 access replaces four"},
    {METRIC_REQUESTS, /* a float4 would bring the other colour, too */
     "k,1,a.cu,7,0,0,30,80,40\nk,1,a.cu,8,0,0,0,0,0,10,50,40\n",
     {"global", 32, 1, 4, 8, 0},
     "a.cu:7",
     "the loads on this line are 75 % of the requests, in 1 launch: which of them could be avoided?"},
    {METRIC_REQUESTS, /* a lane may own the four elements from its address on */
     "k,1,a.cu,7,0,0,30,80,40\n",
     {"global", 32, 1, 4, 16, 0},
     "a.cu:7",
     "loads of 4 bytes per lane are 100 % of the requests: one float4 access replaces four"},
    {METRIC_REQUESTS,
     "k,1,a.cu,7,0,0,30,80,40\n",
     {"global", 32, 1, 8, 8, 0},
     "a.cu:7",
     "loads of 8 bytes per lane are 100 % of the requests: one 16-byte access replaces two"},
    {METRIC_REQUESTS,
     "k,1,a.cu,7,0,0,30,80,40\nk,1,a.cu,8,0,0,0,0,0,10,50,40\n",
     {"global", 32, 1, 16, 16, 0},
     "a.cu:7",
     "the loads on this line are 75 % of the requests, in 1 launch: which of them could be avoided?"},
    {METRIC_SECTORS,
     "k,1,a.cu,7,0,0,10,40,40,0,0,0,0,0,0,0,0,10,320,40\n",
     {"global", 0, 0, 0, 0, 0},
     "a.cu:7",
     "atomics: 32.0 sectors per request, 4.0 would be enough"},
    {METRIC_LOCAL,
     "k,1,a.cu,6,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,10\nk,1,a.cu,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,30\n",
     {"global", 0, 0, 0, 0, 0},
     "a.cu:7",
     "this line makes 75 % of the requests of local memory: an array is not in registers; unroll the loops, so "
     "that the compiler knows every index, or compute what a small table holds"},
    {METRIC_CONFLICTS,
     "k,1,a.cu,7,0,0,0,0,0,0,0,0,10,20,10\n",
     {"shared", 32, 1, 4, 8, 0},
     "a.cu:7",
     "2.0-way bank conflict: lanes 0 and 16 are 32 words apart, so they share a bank"},
    {METRIC_CONFLICTS,
     "k,1,a.cu,7,0,0,0,0,0,0,0,0,10,160,40\n",
     {"shared", 32, 1, 16, 64, 0},
     "a.cu:7",
     "4.0-way bank conflict: lanes 0 and 2 are 32 words apart, so they share a bank"},
    {METRIC_CONFLICTS,
     "k,1,a.cu,7,0,0,0,0,0,0,0,0,10,40,10\n",
     {"shared", 32, 1, 4, 0, 128},
     "a.cu:7",
     "4.0-way bank conflict: lanes 0 and 8 are 32 words apart, so they share a bank"}, /* 0 and 1: one word */
    {METRIC_CONFLICTS,
     "k,1,a.cu,7,0,0,0,0,0,0,0,0,10,10,10\n",
     {"shared", 32, 1, 4, 4, 0},
     "a.cu:7",
     "this line has most of the requests of shared memory: atomics count as conflicts"},
    {METRIC_CONFLICTS, "k,1,a.cu,7,0,0,0,0,0,0,0,0,0,0,0\n", {"shared", 32, 1, 4, 4, 0}, NULL, NULL},
    {METRIC_LANES,
     "k,1,a.cu,5,9,9\nk,1,a.cu,7,0,0,1,1,1,0,0,0,0,0,0,10,160\n",
     {"global", 16, 2, 4, 8, 0},
     "a.cu:5",
     "warps diverge here: 16 of 32 lanes continue to line 7, only every second lane works"},
    {METRIC_LANES,
     "k,1,a.cu,5,9,1\nk,1,a.cu,7,0,0,1,1,1,0,0,0,0,0,0,10,80\n",
     {"global", 8, 1, 4, 4, 0},
     "a.cu:7",
     "8 of 32 lanes are active"},
};

START_TEST(waste_is_told_in_a_sentence) {
  const struct waste_case *w = &wastes[_i];
  struct waste waste = {"", ""};
  write_waste(w->rows, &w->warp);
  ck_assert_int_eq(waste_find(w->fault, "k", "lines.csv", "addresses.csv", &waste), w->sentence != NULL);
  if (!w->sentence)
    return;
  ck_assert_str_eq(waste.source, w->source);
  ck_assert_str_eq(waste.sentence, w->sentence);
}
END_TEST

START_TEST(waste_without_files_is_none) {
  struct waste waste;
  ck_assert(!waste_find(METRIC_SECTORS, "", "missing.csv", "missing.csv", &waste));
}
END_TEST

static json_t *loaded(const char *path) {
  json_t *json = json_load_file(path, 0, NULL);
  ck_assert_msg(json != NULL, "%s: cannot read", path);
  return json;
}

static void expect_conforms(const json_t *schema, const json_t *value, bool expected, const char *what) {
  struct error error;
  ck_assert_msg(schema_check(schema, schema, value, &error) == expected, "%s: %s", what,
                expected ? error.text : "expected to be refused");
}

/* Removes each member of an object, gives it a wrong type, or adds one. */
static void expect_strict(const json_t *schema, json_t *whole, json_t *object, const char *const *optional) {
  json_t *copy = json_copy(object), *member;
  const char *name;
  json_object_foreach(copy, name, member) {
    bool may_lack = false;
    for (int n = 0; optional[n]; n++)
      may_lack |= strcmp(optional[n], name) == 0;
    json_object_del(object, name);
    expect_conforms(schema, whole, may_lack, name);
    json_object_set_new(object, name, json_pack("[s]", "wrong"));
    expect_conforms(schema, whole, false, name);
    json_object_set(object, name, member);
  }
  json_object_set_new(object, "another", json_true());
  expect_conforms(schema, whole, false, "a member more");
  json_object_del(object, "another");
  expect_conforms(schema, whole, true, "as it was");
  json_decref(copy);
}

/* A lab whose time item has 6 bytes per point, and its rung 12. */
static json_t *measured_rung(const char *verdict, const char *message) {
  static struct installation installed;
  installed = (struct installation){.count = 1, .known = 1};
  installed.labs[0].name = "04_x";
  installed.labs[0].rubric.count = 2;
  installed.labs[0].rubric.items[0] =
      (struct rubric_item){.id = "04/t", .title = "t", .kind = RUBRIC_TIME, .bytes = 6};
  installed.labs[0].rubric.items[1] = (struct rubric_item){
      .id = "04/r", .title = "r", .kind = RUBRIC_RUNG, .work = "a sweep", .bytes = 12, .time = "04/t"};
  json_t *labs = json_pack("[{s:s, s:[{s:s, s:s, s:s, s:{s:f, s:f, s:f}}]}]", "lab", "04_x", "items", "id",
                           "04/t", "verdict", verdict, "message", message, "milliseconds", "submission", 5.,
                           "reference", 4., "copy", 1.);
  json_t *ladders = ladder_measured(&installed, labs);
  const json_t *ladder = json_array_get(ladders, 0);
  ck_assert_str_eq(json_string_value(json_object_get(ladder, "clock")), "GPU");
  json_t *rung = json_incref(json_array_get(json_object_get(ladder, "rungs"), 0));
  ck_assert_double_eq(json_number_value(json_object_get(rung, "reference")), 0.5);
  json_decref(ladders);
  json_decref(labs);
  return rung;
}

START_TEST(a_rung_is_what_its_time_line_says) {
  static const char *const verdicts[][3] = {{"PASS", "", NULL},
                                            {"WRONG", "slow", NULL},
                                            {"INCONCLUSIVE", "run again", "run again"},
                                            {"SUSPECT", "too fast", "too fast"},
                                            {"COMPILE", "x.cu(3): error", "it does not compile"}};
  for (size_t n = 0; n < sizeof verdicts / sizeof *verdicts; n++) {
    json_t *rung = measured_rung(verdicts[n][0], verdicts[n][1]);
    const char *message = json_string_value(json_object_get(rung, "message"));
    ck_assert_double_eq(json_number_value(json_object_get(rung, "of_copy")), verdicts[n][2] ? 0 : 0.4);
    ck_assert_msg(message ? verdicts[n][2] && strcmp(message, verdicts[n][2]) == 0 : !verdicts[n][2],
                  "%s: %s", verdicts[n][0], message ? message : "no message");
    json_decref(rung);
  }
}
END_TEST

START_TEST(the_first_ladder_of_a_work_is_kept) {
  json_t *ladders = json_pack("[{s:s, s:s}]", "work", "a", "clock", "GPU");
  json_t *others =
      json_pack("[{s:s, s:s}, {s:s, s:s}]", "work", "b", "clock", "model", "work", "a", "clock", "model");
  ladders = ladder_either(ladders, others);
  ck_assert_uint_eq(json_array_size(ladders), 2);
  ck_assert_str_eq(json_string_value(json_object_get(json_array_get(ladders, 0), "clock")), "GPU");
  ck_assert_str_eq(json_string_value(json_object_get(json_array_get(ladders, 1), "work")), "b");
  ladders = ladder_either(ladders, NULL);
  ck_assert_uint_eq(json_array_size(ladders), 2);
  json_decref(ladders);
  json_decref(others);
}
END_TEST

START_TEST(the_schema_takes_results_alone) {
  json_t *schema = loaded(RESULT_SCHEMA), *result = loaded(RESULT_SAMPLE);
  json_t *lab = json_array_get(json_object_get(result, "labs"), 1);
  json_t *kernel = json_array_get(json_object_get(lab, "kernels"), 0);
  json_t *ladder = json_array_get(json_object_get(result, "ladders"), 0);
  expect_strict(schema, result, result, (const char *const[]){"ladders", "leaderboard", NULL});
  expect_strict(schema, result, ladder, (const char *const[]){NULL});
  for (size_t n = 0; n < 3; n++)
    expect_strict(schema, result, json_array_get(json_object_get(ladder, "rungs"), n),
                  (const char *const[]){"of_copy", "reference", "message", NULL});
  expect_strict(schema, result, lab, (const char *const[]){"kernels", NULL});
  expect_strict(schema, result, json_array_get(json_object_get(lab, "items"), 0),
                (const char *const[]){"source", "hint", NULL});
  expect_strict(schema, result, kernel, (const char *const[]){NULL});
  expect_strict(schema, result, json_array_get(json_object_get(kernel, "accesses"), 0),
                (const char *const[]){NULL});
  json_object_set_new(lab, "points", json_real(-1));
  expect_conforms(schema, result, false, "points below 0");
  json_object_set_new(lab, "points", json_null());
  expect_conforms(schema, result, true, "no points");
  json_object_set_new(lab, "verdict", json_string("GOOD"));
  expect_conforms(schema, result, false, "an unknown verdict");
  json_decref(result);
  json_decref(schema);
}
END_TEST

START_TEST(a_schema_with_words_that_nobody_checks_is_refused) {
  json_t *schema = json_pack("{s:i}", "maximum", 3), *value = json_integer(2);
  expect_conforms(schema, value, false, "maximum");
  json_decref(schema);
  schema = json_pack("{s:s}", "$ref", "#/$defs/missing");
  expect_conforms(schema, value, false, "$ref");
  json_decref(schema);
  json_decref(value);
}
END_TEST

/* --- submissions --- */

/* Files "path=text" of the folder in; text that begins with @ makes a link. Then the expected message, or the file
 * of lab 03's text. only: with --lab 03. */
static const struct {
  const char *files[4];
  bool only;
  const char *text, *says;
} handed_in[] = {
    {{"compressed.cu=a"}, false, "a", NULL},
    {{"labs/03_compressed/compressed.cu=a"}, false, "a", NULL},
    {{"Abgabe 3/1/2/compressed.cu=a"}, false, "a", NULL},
    {{"compressed.cu=a", "x/compressed.cu=a", "stencil.cu=b"}, false, "a", NULL},
    {{"compressed.cu=a", "03_compressed/compressed.cu=b"},
     false,
     NULL,
     "in/compressed.cu differ: expected one"},
    {{"compressed.cu=a", "03_compressed/compressed.cu=ab"}, true, NULL, "differ: expected one"},
    {{"compressed.cu=a", "__MACOSX/compressed.cu=b", ".git/compressed.cu=c", "build/compressed.cu=d"},
     false,
     "a",
     NULL},
    {{"compressed.cu=@other", "other=a"}, false, NULL, "compressed.cu: a link: expected a regular file"},
    {{"compressed.cu=PK\3\4 and more"}, false, NULL, "compressed.cu: an archive: expected"},
    {{"lab3_final.cu=a"}, true, "a", NULL},
    {{"final.CU=a", "notes.txt=b"}, true, "a", NULL},
    {{"one.cu=a", "two.cu=b"}, true, NULL, "expected one such as compressed.cu, found one.cu"},
    {{"lab3_final.cu=a", "a.txt=b"}, false, NULL, "expected one such as stencil.cu, found lab3_final.cu"},
    {{"all.7z=7z\xbc\xaf"}, false, NULL, "expected one such as stencil.cu, found all.7z"},
    {{"compressed.cu=a", "all.zip=PK\3\4"}, false, "a", NULL},
    {{"stencil.cu=a"}, true, NULL, "expected one such as compressed.cu"},
    {{"1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/compressed.cu=a"}, false, "a", NULL},
    {{"1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/compressed.cu=a"},
     false,
     NULL,
     "15/16/17: not searched: deeper than 16 folders"},
    {{NULL}, false, NULL, "no lab's file found: expected one such as stencil.cu"},
    {{"compressed (1).cu=a"}, false, "a", NULL},
    {{"Compressed.CU=a"}, false, "a", NULL},
    {{"compressed-2.cu=a"}, false, "a", NULL},
    {{"compressed_1234567_890.cu=a"}, false, "a", NULL},
    {{"smithjohn_123_4567_compressed.cu=a"}, false, "a", NULL},
    {{"smithjohn_LATE_123_4567_compressed-1.cu=a"}, false, "a", NULL},
    {{"Ada Smith_123_assignsubmission_file_compressed.cu=a"}, false, "a", NULL},
    {{"Ada Smith_12345_assignsubmission_file_/compressed.cu=a"}, false, "a", NULL},
    {{"compressed (1).cu=a", "Compressed.cu=a"}, false, "a", NULL},
    {{"compressed (1).cu=b", "compressed.cu=a", "x/compressed-2.cu=c"}, false, "a", NULL},
    {{"compressed (1).cu=@other", "compressed.cu=a"}, false, "a", NULL},
    {{"compressed (1).cu=a", "compressed-2.cu=b"},
     false,
     NULL,
     "in/compressed (1).cu and in/compressed-2.cu differ: expected one"},
    {{"compressed (1).cu=a", "compressed-2.cu=b", "compressed-3.cu=a"}, true, NULL, "compressed-2.cu differ"},
    {{"my_compressed.cu=a"}, false, NULL, "expected one such as stencil.cu, found my_compressed.cu"},
    {{"uncompressed.cu=a"}, false, NULL, "found uncompressed.cu"},
    {{"compressed2.cu=a"}, false, NULL, "found compressed2.cu"},
    {{"compressed_stencil.cu=a"}, false, NULL, "found compressed_stencil.cu"},
    {{"compressed_1_2_stencil.cu=a"},
     true,
     NULL,
     "expected one such as compressed.cu, found compressed_1_2_st"},
    {{"compressed.cu.txt=a"}, false, NULL, "found compressed.cu.txt"},
};

static void shell(const char *command) {
  const struct program_result ended = program_run((const char *[]){"/bin/sh", "-c", command, NULL}, 10);
  ck_assert_msg(ended.status == 0, "%s: %s", command, ended.message);
}

static void put_file(const char *file) {
  char command[512];
  const char *text = strchr(file, '=') + 1;
  const int length = (int)(text - file) - 1;
  const int written =
      snprintf(command, sizeof command, "mkdir -p \"$(dirname 'in/%.*s')\" && %s '%s' %s 'in/%.*s'", length,
               file, text[0] == '@' ? "ln -s" : "printf %s", text + (text[0] == '@'),
               text[0] == '@' ? "" : ">", length, file);
  ck_assert_int_lt(written, sizeof command);
  shell(command);
}

static struct installation two_labs = {
    .count = 2,
    .known = 2,
    .labs = {{.name = "01_stencil", .rubric = {.program = "stencil"}},
             {.name = "03_compressed", .rubric = {.program = "compressed"}}}};

START_TEST(a_folder_s_files_are_found) {
  struct submission submission;
  struct error error = {""};
  shell("rm -rf in && mkdir in");
  for (int n = 0; n < 4 && handed_in[_i].files[n]; n++)
    put_file(handed_in[_i].files[n]);
  const bool read =
      submission_read("in", &two_labs, handed_in[_i].only ? &two_labs.labs[1] : NULL, &submission, &error);
  ck_assert_msg(read == !handed_in[_i].says, "row %d: %s", _i, read ? "read" : error.text);
  if (read)
    ck_assert_str_eq(submission.texts[1], handed_in[_i].text);
  else
    ck_assert_msg(strstr(error.text, handed_in[_i].says) != NULL, "row %d: %s", _i, error.text);
  if (read)
    submission_free(&submission);
}
END_TEST

START_TEST(a_lab_s_folder_without_its_file_is_told) {
  struct submission submission;
  struct error error = {""};
  shell("rm -rf in && mkdir -p in/01_stencil");
  put_file("03_compressed/compressed.cu=a");
  ck_assert_msg(submission_read("in", &two_labs, NULL, &submission, &error), "%s", error.text);
  ck_assert_str_eq(submission.reasons[0].text, "01_stencil: no stencil.cu in this folder");
  ck_assert_str_eq(submission.reasons[1].text, "");
  submission_free(&submission);
  ck_assert(submission_read("in", &two_labs, &two_labs.labs[1], &submission, &error));
  ck_assert_str_eq(submission.reasons[0].text, "");
  submission_free(&submission);
}
END_TEST

/* Two versions of a lab's file cost only that lab; another lab's file does not replace it. */
START_TEST(a_lab_that_is_not_graded_has_a_reason) {
  struct submission submission;
  struct error error;
  shell("rm -rf in && mkdir in");
  put_file("stencil.cu=a");
  put_file("compressed (1).cu=b");
  put_file("compressed (2).cu=c");
  put_file("more.zip=PK\3\4");
  ck_assert_msg(submission_read("in", &two_labs, NULL, &submission, &error), "%s", error.text);
  ck_assert_str_eq(submission.texts[0], "a");
  ck_assert_str_eq(submission.reasons[0].text, "");
  ck_assert_msg(strncmp(submission.passed_over.text, "in/more.zip: ", 13) == 0, "%s",
                submission.passed_over.text);
  ck_assert_ptr_null(submission.texts[1]);
  ck_assert_str_eq(submission.reasons[1].text,
                   "in/compressed (1).cu and in/compressed (2).cu differ: expected one of them");
  submission_free(&submission);
  ck_assert(!submission_read("in/stencil.cu", &two_labs, &two_labs.labs[1], &submission, &error));
  ck_assert_str_eq(error.text,
                   "in/stencil.cu: this is the file of lab 01_stencil: expected one such as compressed.cu");
  ck_assert(submission_read("in/compressed (1).cu", &two_labs, NULL, &submission, &error));
  ck_assert_str_eq(submission.texts[1], "b");
  submission_free(&submission);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("grader");
  tcase_add_test(cases, words_are_no_commands);
  tcase_add_test(cases, points_are_linear_between_the_limits);
  tcase_add_test(cases, hashes_are_those_of_the_standard);
  tcase_add_test(cases, text_of_any_bytes_is_a_string);
  tcase_add_test(cases, a_name_is_one_line);
  tcase_add_test(cases, rubric_is_read);
  tcase_add_test(cases, lines_are_hidden);
  tcase_add_test(cases, rungs_are_read);
  tcase_add_test(cases, time_lines_are_read);
  tcase_add_loop_test(cases, malformed_rubrics_are_refused, 0, sizeof malformed / sizeof *malformed);
  tcase_add_test(cases, tasks_wait_for_what_they_need);
  tcase_add_test(cases, tasks_end_at_the_deadline);
  tcase_add_test(cases, the_gravest_verdict_is_the_labs);
  tcase_add_test(cases, a_hint_is_told_once);
  tcase_add_test(cases, the_compiler_s_words_need_no_hint);
  tcase_add_test(cases, a_fault_says_which);
  tcase_add_test(cases, a_leaderboard_is_sorted);
  tcase_add_test(cases, a_text_is_no_formula);
  tcase_add_test(cases, full_points_are_a_pass);
  tcase_add_test(cases, a_line_that_waits_is_skipped);
  tcase_add_test(cases, an_item_is_printed_as_it_stands);
  tcase_add_test(cases, a_written_part_is_recognised);
  tcase_add_test(cases, a_part_written_but_for_a_statement_is_recognised);
  tcase_add_test(cases, warnings_name_a_cause);
  tcase_add_test(cases, operators_that_bind_otherwise_than_it_looks);
  tcase_add_test(cases, the_end_of_a_lab_leads_with_points);
  tcase_add_test(cases, each_metric_names_its_unit);
  tcase_add_loop_test(cases, waste_is_told_in_a_sentence, 0, sizeof wastes / sizeof *wastes);
  tcase_add_test(cases, waste_without_files_is_none);
  tcase_add_test(cases, a_rung_is_what_its_time_line_says);
  tcase_add_test(cases, the_first_ladder_of_a_work_is_kept);
  tcase_add_test(cases, the_schema_takes_results_alone);
  tcase_add_test(cases, a_schema_with_words_that_nobody_checks_is_refused);
  tcase_add_loop_test(cases, a_folder_s_files_are_found, 0, sizeof handed_in / sizeof *handed_in);
  tcase_add_test(cases, a_lab_s_folder_without_its_file_is_told);
  tcase_add_test(cases, a_lab_that_is_not_graded_has_a_reason);
  program_enter_directory();
  return suite_run_case("grader", cases);
}
