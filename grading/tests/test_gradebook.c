/* test_gradebook GRADE: fills sheets of learning platforms, and makes a course's table, from summaries. */
#include "class_summary.h"
#include "error.h"
#include "files.h"
#include "late.h"
#include "program.h"
#include "student.h"
#include "suite.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char grade[PATH_MAX];

/* Words separated by blanks; '_' is a blank inside a word. */
static struct program_result run(const char *command) {
  static char line[1024];
  const char *words[24] = {grade};
  int count = 1;
  snprintf(line, sizeof line, "%s", command);
  for (char *word = strtok(line, " "); word && count < 23; word = strtok(NULL, " ")) {
    for (char *c = word; *c; c++)
      *c = *c == '_' ? ' ' : *c;
    words[count++] = word;
  }
  unlink("out.csv");
  return program_run(words, 20);
}

static void expect_said(const char *command, const char *said) {
  const struct program_result ended = run(command);
  ck_assert_msg(ended.status == 0, "%s: %s", command, ended.message);
  ck_assert_str_eq(ended.output, said);
}

/* Expects one line, and no output file. */
static void expect_refused(const char *command, const char *says) {
  const struct program_result ended = run(command);
  ck_assert_msg(ended.status == 2, "%s: expected exit status 2, got %d", command, ended.status);
  suite_assert_line(ended.message, says);
  ck_assert_int_ne(access("out.csv", F_OK), 0);
}

#define HEADER "submission,sha256,verdict,reason,points,max_points,03_compressed\n"

/* The rows of a summary: each reason is one line, and a graded submission has none. */
static const struct {
  const char *result, *row;
} results[] = {
    {"{'submission': {'name': 'a', 'sha256': 'x'}, 'verdict': 'PASS', 'points': 2, 'max_points': 2, 'labs': ["
     "{'lab': '1_x', 'verdict': 'PASS', 'points': 1}, {'lab': '2_y', 'verdict': 'PASS', 'points': 1}]}",
     "\"a\",x,PASS,\"\",2,2,,1,1\n"},
    {"{'submission': {'name': '-b', 'sha256': 'x'}, 'verdict': 'WRONG', 'points': 0.5, 'max_points': 2, "
     "'labs': ["
     "{'lab': '1_x', 'verdict': 'WRONG', 'points': 0.5, 'message': 'not told'},"
     "{'lab': '2_y', 'verdict': 'MISSING', 'points': 0, 'message': 'y.cu: a \\n\\\"link\\\"'}], 'message': "
     "'=z.zip: odd'}",
     "\"'-b\",x,WRONG,\"'=z.zip: odd; 2_y: y.cu: a  \"\"link\"\"\",0.5,2,,0.5,0\n"},
    {"{'submission': {'name': 'c', 'sha256': ''}, 'verdict': 'MISSING', 'points': 0, 'max_points': 2, "
     "'labs': ["
     "{'lab': '1_x', 'verdict': 'MISSING', 'points': 0, 'message': 'x.cu: not handed in'},"
     "{'lab': '2_y', 'verdict': 'MISSING', 'points': 0, 'message': 'y.cu: not handed in'}], 'message': 'c: a "
     "link'}",
     "\"c\",,MISSING,\"c: a link\",0,2,,0,0\n"},
    {"{'submission': {'name': 'd', 'sha256': ''}, 'verdict': 'INFRA', 'points': null, 'max_points': 2, "
     "'labs': ["
     "{'lab': '1_x', 'verdict': 'INFRA', 'points': null, 'items': [{'verdict': 'PASS', 'message': ''},"
     "{'verdict': 'INFRA', 'message': 'no nvcc'}]}, {'lab': '2_y', 'verdict': 'PASS', 'points': 1}]}",
     "\"d\",,INFRA,\"1_x: no nvcc\",,2,,,1\n"},
};

START_TEST(a_summary_says_why) {
  static const struct installation kit = {.count = 2, .labs = {{.name = "1_x"}, {.name = "2_y"}}};
  char text[1024], expected[1024];
  struct class_summary summary;
  struct error error;
  snprintf(text, sizeof text, "%s", results[_i].result);
  for (char *c = text; *c; c++)
    *c = *c == '\'' ? '"' : *c;
  json_t *result = json_loads(text, 0, NULL);
  ck_assert_msg(result != NULL, "%s", text);
  ck_assert(class_summary_write("summary.csv", &kit, NULL, 1, &result, &error));
  snprintf(expected, sizeof expected, "submission,sha256,verdict,reason,points,max_points,bonus,1_x,2_y\n%s",
           results[_i].row);
  files_expect("summary.csv", expected);
  ck_assert_msg(class_summary_read(&summary, "summary.csv", &error), "%s", error.text);
  const struct class_summary_row row = class_summary_row(&summary, 0);
  ck_assert_str_eq(row.submission,
                   json_string_value(json_object_get(json_object_get(result, "submission"), "name")));
  ck_assert_int_eq(row.is_graded, json_is_number(json_object_get(result, "points")));
  class_summary_free(&summary);
  json_decref(result);
}
END_TEST

static const struct {
  const char *submission, *id, *key;
  enum student_platform platform;
} students[] = {
    {"Ada Smith_12345_assignsubmission_file_", "12345", "Ada Smith", STUDENT_MOODLE},
    {"Ada_Smith_12_assignsubmission_file_compressed.cu", "12", "Ada_Smith", STUDENT_MOODLE},
    {"smithada_123_4567_compressed.cu", "123", "smithada (123)", STUDENT_CANVAS},
    {"smithada_LATE_123_4567_a_b-1.zip", "123", "smithada (123)", STUDENT_CANVAS},
    {"smith.tar.gz", "", "smith", STUDENT_PLAIN},
    {"smith.CU", "", "smith", STUDENT_PLAIN},
    {"j. smith", "", "j. smith", STUDENT_PLAIN},
    {"smith_12_compressed.cu", "", "smith_12_compressed", STUDENT_PLAIN},
};

START_TEST(students_are_known_by_names) {
  const struct student student = student_of(students[_i].submission);
  ck_assert_int_eq(student.platform, students[_i].platform);
  ck_assert_str_eq(student.id, students[_i].id);
  ck_assert_str_eq(student.key, students[_i].key);
}
END_TEST

static const struct {
  const char *text;
  double seconds; /* after 2026-11-20 00:00; NaN: refused */
} times[] = {
    {"2026-11-20 00:00", 0},          {"2026-11-20T00:00:30", 30},
    {"2026-11-20 01:00:00+01:00", 0}, {"2026-11-19T23:30:00-0030", 0},
    {"2026-11-20 00:00Z", 0},         {"2026-11-31 00:00", NAN},
    {"2026-11-20 24:00", NAN},        {"2026-11-20", NAN},
    {"20.11.2026 00:00", NAN},        {"2026-11-20 00:00 noon", NAN},
    {"2026-11-20 00:00+99:00", NAN},  {"", NAN},
};

START_TEST(times_are_read) {
  struct late_time start, time;
  struct error error;
  ck_assert(late_time_read("2026-11-20 00:00", &start, &error));
  const bool read = late_time_read(times[_i].text, &time, &error);
  ck_assert_msg(read == !isnan(times[_i].seconds), "%s", times[_i].text);
  if (read)
    ck_assert_double_eq(difftime(time.seconds, start.seconds), times[_i].seconds);
}
END_TEST

START_TEST(lateness_costs_by_the_minute) {
  struct late_policy policy = {true, {.seconds = 0}, .grace_minutes = 15, .per_day = 20, .most = 50};
  ck_assert_double_eq(late_percent(&policy, (struct late_time){.seconds = -86400}), 0);
  ck_assert_double_eq(late_percent(&policy, (struct late_time){.seconds = 15 * 60}), 0);
  ck_assert_double_eq(late_percent(&policy, (struct late_time){.seconds = 15 * 60 + 43200}), 10);
  ck_assert_double_eq(late_percent(&policy, (struct late_time){.seconds = 15 * 60 + 2 * 86400}), 40);
  ck_assert_double_eq(late_percent(&policy, (struct late_time){.seconds = 30 * 86400}), 50);
}
END_TEST

/* --- export --- */

#define MOODLE_HEADER                                                                                        \
  "\xef\xbb\xbfIdentifier,\"Full name\",Status,Grade,\"Maximum Grade\",\"Feedback comments\"\r\n"

START_TEST(a_moodle_sheet_is_filled_in) {
  files_write("summary.csv",
              HEADER "\"Ada Smith_11_assignsubmission_file_\",x,PASS,\"\",87.5,100,87.5\n"
                     "\"Bob B_12_assignsubmission_file_\",,INFRA,\"no nvcc\",,0,\n"
                     "\"Cy C_13_assignsubmission_file_\",,MISSING,\"c.zip: encrypted\",0,100,0\n"
                     "\"Dee D_99_assignsubmission_file_\",x,PASS,\"\",1,100,1\n"
                     "\"notes.txt\",,MISSING,\"no lab\",0,100,0\n");
  files_write("sheet.csv",
              MOODLE_HEADER "Participant 11,\"Smith, Ada\",Submitted,,100.00,\"a \"\"b\"\"\r\nc\"\r\n"
                            "Participant 12,Bob B,Submitted,\"1\",100.00,\r\n"
                            "Participant 13,Cy C,Submitted,\"\",10.00,\r\n"
                            "Participant 14,Eve E,,-,100.00,");
  expect_said("export --moodle sheet.csv --summary summary.csv --out out.csv",
              "Cy C_13_assignsubmission_file_: MISSING, 0 points: c.zip: encrypted\n"
              "Dee D_99_assignsubmission_file_: not in the sheet: no row has the id 99\n"
              "notes.txt: not in the sheet: its name has no Moodle id\n"
              "Bob B: unchanged: a submission is not graded: grade the class again\n"
              "Eve E: unchanged: no submission\n"
              "wrote out.csv: filled in 2 rows\n");
  files_expect("out.csv",
               MOODLE_HEADER "Participant 11,\"Smith, Ada\",Submitted,87.5,100.00,\"a \"\"b\"\"\r\nc\"\r\n"
                             "Participant 12,Bob B,Submitted,\"1\",100.00,\r\n"
                             "Participant 13,Cy C,Submitted,\"0\",10.00,\r\n"
                             "Participant 14,Eve E,,-,100.00,");
}
END_TEST

#define CANVAS_HEADER "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (70),Lab 3 (71),Current Score\n"
#define CANVAS_POSSIBLE "    Points Possible,,,,,100,20,(read only)\n"

/* If a student has two submissions, the best one counts, unless one is not graded. */
START_TEST(a_canvas_sheet_is_filled_in) {
  files_write("summary.csv", HEADER "\"smithada_1_500_compressed.cu\",x,PASS,\"\",100,100,100\n"
                                    "\"smithada_1_501_notes.pdf\",,MISSING,\"no lab\",0,100,0\n"
                                    "\"bobb_LATE_2_502_compressed-1.cu\",x,WRONG,\"\",33.3,100,33.3\n"
                                    "\"cyc_3_503_compressed.cu\",x,WRONG,\"\",33.3,100,33.3\n"
                                    "\"cyc_3_504_other.cu\",x,INFRA,\"\",,0,\n");
  files_write("sheet.csv", CANVAS_HEADER CANVAS_POSSIBLE "\"Smith, Ada\",1,,ada,A,50,,\n"
                                                         "\"B, Bob\",2,,bob,A,,,\n"
                                                         "\"C, Cy\",3,,cy,A,,7,\n");
  expect_said("export --canvas sheet.csv --assignment Lab_3 --summary summary.csv --out out.csv",
              "smithada_1_501_notes.pdf: MISSING, 0 points: no lab\n"
              "C, Cy: unchanged: a submission is not graded: grade the class again\n"
              "wrote out.csv: filled in 2 rows\n");
  files_expect("out.csv", CANVAS_HEADER CANVAS_POSSIBLE "\"Smith, Ada\",1,,ada,A,50,20,\n"
                                                        "\"B, Bob\",2,,bob,A,,6.66,\n"
                                                        "\"C, Cy\",3,,cy,A,,7,\n");
  ck_assert_int_eq(
      run("export --canvas sheet.csv --assignment 71 --summary summary.csv --out out.csv").status, 0);
}
END_TEST

#define MOODLE "export --moodle bad.csv --summary summary.csv --out out.csv"
#define CANVAS "export --canvas bad.csv --summary summary.csv --out out.csv"
static const struct {
  const char *sheet, *command, *says;
} bad_sheets[] = {
    {"", MOODLE, "bad.csv: empty"},
    {"Identifier\n", MOODLE, "bad.csv: no column 'Grade': expected Moodle's grading worksheet"},
    {"Identifier;Grade\nParticipant 1;\n", MOODLE, "no column 'Identifier'"},
    {"Identifier,Grade\nParticipant 1\n", MOODLE, "bad.csv:2: 1 cell: expected 2"},
    {"Identifier,Grade\nParticipant 1,\"\n\n", MOODLE, "bad.csv:2: a quote is not closed"},
    {"Identifier,Grade\nParticipant one,\n", MOODLE, "bad.csv:2: Identifier = 'Participant one'"},
    {"Identifier,Grade\nParticipant 1,\n\"Participant 1\",\n", MOODLE,
     "bad.csv:3: Identifier = 'Participant 1' is also in line 2"},
    {"Identifier,Grade,Maximum Grade\nParticipant 11,,many\n", MOODLE, "bad.csv:2: Maximum Grade = 'many'"},
    {"Student,ID\n", CANVAS, "bad.csv: no assignment 'NAME (ID)'"},
    {"Student,ID,Lab 3\n", CANVAS, "bad.csv: no assignment 'NAME (ID)'"},
    {"Student,ID,Lab 2 (70),Lab 3 (71)\n", CANVAS,
     "bad.csv: several assignments: 'Lab 2 (70)' and 'Lab 3 (71)'"},
    {"Student,ID,Lab 2 (70)\n", CANVAS " --assignment Lab_3", "bad.csv: no assignment 'Lab 3'"},
    {"a", "export --moodle bad.csv --summary none.csv --out out.csv", "none.csv: cannot read"},
    {"a", "export --moodle bad.csv --summary bad.csv --out out.csv", "bad.csv: no 'submission' as column 1"},
    {"a", "export --moodle bad.csv", "expected --moodle or --canvas SHEET, --summary FILE"},
    {"a", "export --moodle", "--moodle needs a value: SHEET.csv"},
    {"a", "export --moodle a --canvas b --summary c --out d", "expected --moodle or --canvas SHEET"},
    {"a", "export --blackboard a", "unknown option --blackboard"},
    {HEADER "a,x,PASS,,many,100,1\n", "gradebook --out out.csv bad.csv", "bad.csv:2: points = 'many'"},
    {HEADER "a,x,PASS,,1,100,-1\n", "gradebook --out out.csv bad.csv", "bad.csv:2: 03_compressed = '-1'"},
    {"submission,sha256,verdict,points,max_points\n", "gradebook --out out.csv bad.csv",
     "bad.csv: no 'reason' as column 4"},
    {HEADER "A_1_assignsubmission_file_,x,PASS,,1,9,1\nA_2_assignsubmission_file_,x,PASS,,1,9,1\n",
     "gradebook --out out.csv bad.csv", "two students are named 'A', with the ids 1 and 2"},
    {"a", "gradebook summary.csv", "gradebook: expected --out FILE and one or more summary.csv"},
    {"a", "gradebook --out out.csv", "gradebook: expected --out FILE and one or more summary.csv"},
    {"a", "gradebook --out out.csv --per-day x summary.csv", "--per-day x: expected a number from 0 to 100"},
    {"a", "gradebook --out out.csv --deadline monday summary.csv",
     "--deadline 'monday': expected a time like"},
    {"a", "gradebook --out out.csv --per-day 5 --deadline 2026-11-20_23:59 summary.csv",
     "--deadline without --times"},
    {"submission,submitted\nx,2026-11-20 10:00\n",
     "gradebook --out out.csv --per-day 5 --deadline 2026-11-20_23:59 --times bad.csv summary.csv",
     "bad.csv: no time for 'Ada_11_assignsubmission_file_'"},
    {"submission,submitted\nAda_11_assignsubmission_file_,yesterday\n",
     "gradebook --out out.csv --per-day 5 --deadline 2026-11-20_23:59 --times bad.csv summary.csv",
     "bad.csv:2: 'yesterday': expected a time like"},
    {"submission,submitted\nAda_11_assignsubmission_file_,2026-11-20 23:59Z\n",
     "gradebook --out out.csv --per-day 5 --deadline 2026-11-20_23:59 --times bad.csv summary.csv",
     "expected both with a time zone or both without"},
    {"submission,submitted\nAda_11_assignsubmission_file_,2026-11-20 23:59Z\n",
     "gradebook --out out.csv --deadline 2026-11-20_23:59 --times bad.csv summary.csv",
     "--deadline without --per-day"},
    {"a", "gradebook --out out.csv --weights 03=5,01 summary.csv",
     "--weights 03=5,01: expected LAB=WEIGHT for each lab"},
    {"a", "gradebook --out out.csv --weights 03=5, summary.csv", "--weights 03=5,: expected LAB=WEIGHT"},
    {"a", "gradebook --out out.csv --weights 03=nan summary.csv", "with weights from 0 to 1000"},
    {"a", "gradebook --out out.csv --weights 03=-1 summary.csv", "with weights from 0 to 1000"},
    {"a", "gradebook --out out.csv --weights 03=1;01=2 summary.csv", "separated by commas"},
    {"a", "gradebook --out out.csv --weights 01=2,0=1 summary.csv",
     "--weights gives 0 weights to 03_compressed: expected one"},
    {"a", "gradebook --out out.csv --weights 03=2,03=1 summary.csv",
     "--weights gives 2 weights to 03_compressed: expected one"},
    {"a", "gradebook --out out.csv --weights 03=0,01=4 summary.csv",
     "all labs of the summaries have the weight 0"},
};

START_TEST(bad_files_are_refused_in_a_line) {
  files_write("summary.csv", HEADER "Ada_11_assignsubmission_file_,x,PASS,,90,100,90\n");
  files_write("bad.csv", bad_sheets[_i].sheet);
  expect_refused(bad_sheets[_i].command, bad_sheets[_i].says);
}
END_TEST

/* --- gradebook --- */

#define TWO_LABS "submission,sha256,verdict,reason,points,max_points,01_stencil,03_compressed\n"

/* ada: late once, better in the second try; bob: one try is not graded; cy: none is graded; dee: only lab 03. */
START_TEST(a_course_is_one_table) {
  files_write("first.csv", TWO_LABS "\"ada.zip\",x,WRONG,\"\",150,200,100,50\n"
                                    "\"bob.cu\",x,INFRA,\"\",,0,,\n"
                                    "\"cy\",x,INFRA,\"\",,0,,\n"
                                    "\"'=1+1\",x,PASS,\"\",200,200,100,100\n");
  files_write("second.csv", HEADER "\"ada\",x,PASS,\"\",90,100,90\n\"bob\",x,PASS,\"\",80.5,100,80.5\n"
                                   "\"dee\",,MISSING,\"a link\",0,100,0\n");
  files_write("times.csv", "submission,submitted\nada,2026-11-21 12:14\n\"bob\",2026-11-20 00:00\n");
  expect_said(
      "gradebook --out out.csv first.csv --per-day 20 --grace 15 --most 50 --deadline 2026-11-20_23:59 "
      "--times times.csv second.csv",
      "wrote out.csv: 5 students, 2 labs\n");
  files_expect("out.csv",
               "student,01_stencil,03_compressed,total,remarks\n"
               "\"'=1+1\",100,100,200,\"\"\n"
               "\"ada\",100,81,181,\"03_compressed: late, 10 % off\"\n"
               "\"bob\",,80.5,,\"01_stencil: not graded; 03_compressed: another submission is not graded\"\n"
               "\"cy\",,,,\"01_stencil: not graded; 03_compressed: not graded\"\n"
               "\"dee\",,0,0,\"01_stencil: no submission; 03_compressed: nothing to grade\"\n");
  expect_said("gradebook --per-day 20 --deadline 2020-01-01_00:00 --no-deadline --out out.csv second.csv",
              "wrote out.csv: 3 students, 1 lab\n");
  files_expect(
      "out.csv",
      "student,03_compressed,total,remarks\n"
      "\"ada\",90,90,\"\"\n\"bob\",80.5,80.5,\"\"\n\"dee\",0,0,\"03_compressed: nothing to grade\"\n");
}
END_TEST

/* 01 counts three times as much as 03; weights of labs that come later in the course do no harm. */
START_TEST(labs_have_weights) {
  files_write("two.csv", TWO_LABS "\"ada\",x,WRONG,\"\",150,200,100,50\n\"bob\",x,INFRA,\"\",,200,,80\n"
                                  "\"cy\",x,WRONG,\"\",33.33,200,0,33.33\n");
  expect_said("gradebook --weights 03=4,01=12,05=18 --out out.csv two.csv",
              "wrote out.csv: 3 students, 2 labs\n");
  files_expect("out.csv", "student,01_stencil,03_compressed,total,remarks\n"
                          "\"ada\",100,50,87.5,\"\"\n"
                          "\"bob\",,,,\"01_stencil: not graded; 03_compressed: not graded\"\n"
                          "\"cy\",0,33.33,8.33,\"\"\n");
}
END_TEST

int main(int argc, char **argv) {
  if (argc != 2 || !realpath(argv[1], grade))
    error_die("expected GRADE");
  TCase *cases = tcase_create("gradebook");
  tcase_add_loop_test(cases, a_summary_says_why, 0, sizeof results / sizeof *results);
  tcase_add_loop_test(cases, students_are_known_by_names, 0, sizeof students / sizeof *students);
  tcase_add_loop_test(cases, times_are_read, 0, sizeof times / sizeof *times);
  tcase_add_test(cases, lateness_costs_by_the_minute);
  tcase_add_test(cases, a_moodle_sheet_is_filled_in);
  tcase_add_test(cases, a_canvas_sheet_is_filled_in);
  tcase_add_loop_test(cases, bad_files_are_refused_in_a_line, 0, sizeof bad_sheets / sizeof *bad_sheets);
  tcase_add_test(cases, a_course_is_one_table);
  tcase_add_test(cases, labs_have_weights);
  tcase_set_timeout(cases, 60);
  program_enter_directory();
  return suite_run_case("gradebook", cases);
}
