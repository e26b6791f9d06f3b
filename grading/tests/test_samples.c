/* Modelled time that lies between no points and all points is measured with three samples: the median counts. */
#include "files.h"
#include "judge_lab.h"
#include "program.h"
#include "result.h"
#include "suite.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
  const char *times; /* by sample */
  double points;
  int runs;
} cases[] = {
    {"12 240 240", 10, 1}, {"240 12 12", 0, 1},  {"24 12 12", 10, 3}, {"24 24 12", 5, 3},
    {"24 240 12", 5, 3},   {"24 240 240", 0, 3}, {"24 30 20", 5, 3},  {"20 30 24", 5, 3},
};

/* In place of a suite: the modelled time of sample n is the nth. */
static void write_suite(const char *times) {
  char text[512];
  snprintf(text, sizeof text,
           "#!/bin/bash\n"
           "times=(%s)\n"
           "while (($#)); do case $1 in --sample) n=$2 ;; --outcomes) out=$2 ;; esac; shift; done\n"
           "echo '{\"tests\": [{\"verdict\": \"PASS\", \"message\": \"\", \"per\": 1}]}' >\"$out\"\n"
           "printf 'kernel,simgpu__time_model_ns\\nk,%%s\\n' \"${times[n]}\" >counters.csv\n"
           "echo \"$n\" >>\"${0%%/*}/runs\"\n",
           times);
  files_write("suite", text);
  chmod("suite", 0755);
}

static int lines_in(const char *path) {
  int lines = 0;
  FILE *file = fopen(path, "r");
  for (int c; file && (c = fgetc(file)) != EOF;)
    lines += c == '\n';
  if (file)
    fclose(file);
  return lines;
}

START_TEST(median_counts) {
  static struct installation_lab lab;
  struct installation kit = {.model_copy = 1, .device = ""};
  struct error error;
  char folder[256], suite[300], runs[300];
  files_write(
      "rubric.cfg",
      "lab = \"1_x\"; program = \"x\"; items = ("
      "{ id = \"1/a\"; part = 1; title = \"t\"; kind = \"correctness\"; points = 90; },"
      "{ id = \"1/c\"; part = 1; title = \"t\"; kind = \"counter\"; points = 10; metric = \"of_copy\"; "
      "bytes = 12; none_at = 0.1; full_at = 0.9; needs = [ \"1/a\" ]; });");
  ck_assert_msg(rubric_read("rubric.cfg", &lab.rubric, &error), "%s", error.text);
  ck_assert(getcwd(folder, sizeof folder) != NULL);
  snprintf(suite, sizeof suite, "%s/suite", folder);
  snprintf(runs, sizeof runs, "%s/runs", folder);
  lab.suite = suite;
  unlink(runs);
  write_suite(cases[_i].times);
  struct judge_lab judged = {.kit = &kit, .lab = &lab, .text = "", .seed = 1};
  judged.made = json_pack("{s:s}", "verdict", "PASS");
  judged.items[0] = result_item(&lab.rubric.items[0], "PASS", "");
  json_t *item = judge_lab_item(&judged, 1);
  ck_assert_double_eq_tol(json_number_value(json_object_get(item, "points")), cases[_i].points, 0.005);
  ck_assert_int_eq(lines_in(runs), cases[_i].runs);
  json_decref(item);
  json_decref(judged.items[0]);
  json_decref(judged.made);
  rubric_free(&lab.rubric);
}
END_TEST

int main(void) {
  program_enter_directory();
  TCase *tests = tcase_create("samples");
  tcase_add_loop_test(tests, median_counts, 0, sizeof cases / sizeof *cases);
  return suite_run_case("samples", tests);
}
