/* The table of items that scripts read (rubric/items.awk) says what the grader reads:
 * test_rubric_table ITEMS.awk RUBRIC... */
#include "files.h"
#include "rubric.h"
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **arguments;

static void append_row(FILE *out, const struct rubric_item *item) {
  fprintf(out, "%s\t%s\t%d\t%.12g\t%s\t%s\t", item->id, rubric_kinds[item->kind], item->part, item->points,
          item->bonus ? "true" : "false", item->hidden ? "false" : "true");
  for (int n = 0; n < RUBRIC_NEEDS && item->needs[n]; n++)
    fprintf(out, "%s%s", n ? " " : "", item->needs[n]);
  fprintf(out, "\t%s\n", item->title);
}

static void expect_same_table(const char *path) {
  struct rubric rubric;
  struct error error;
  ck_assert_msg(rubric_read(path, &rubric, &error), "%s", error.text);
  char *expected, command[4096], line[4096];
  size_t size;
  FILE *out = open_memstream(&expected, &size);
  for (int n = 0; n < rubric.count; n++)
    append_row(out, &rubric.items[n]);
  fclose(out);
  snprintf(command, sizeof command, "awk -f '%s' '%s'", arguments[0], path);
  FILE *table = popen(command, "r");
  const char *at = expected;
  while (fgets(line, sizeof line, table)) {
    ck_assert_msg(strncmp(at, line, strlen(line)) == 0, "%s: expected %.*sgot %s", path,
                  (int)strcspn(at, "\n") + 1, at, line);
    at += strlen(line);
  }
  ck_assert_int_eq(pclose(table), 0);
  ck_assert_str_eq(at, "");
  free(expected);
  rubric_free(&rubric);
}

START_TEST(rubrics_of_the_labs) {
  for (char **path = arguments + 1; *path; path++)
    expect_same_table(*path);
}
END_TEST

/* Members in any order and on any line, comments, and text that looks like members. */
START_TEST(unusual_layout) {
  files_enter();
  files_write(
      "rubric.cfg",
      "lab = \"1_x\"; # lab { id = \"1/no\"; }\nprogram = \"x\";\nitems\n =\n(\n"
      "{ title = \"part = 7; { id = 1 }\"; // points = 3;\n  points = 2.5;\n  part\n = 3; kind = \"correctness\";\n"
      "  id = \"1/a\"; }, { id:\"1/b\"; kind = \"correctness\"; /* part = 9; */ part = 4; public = False; points = 1.0;\n"
      "  bonus = FALSE;\n title = \"b\"; needs = [\n \"1/a\" ]; });\n");
  expect_same_table("rubric.cfg");
  files_leave("rubric.cfg");
}
END_TEST

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  arguments = argv + 1;
  TCase *cases = tcase_create("table");
  tcase_add_test(cases, rubrics_of_the_labs);
  tcase_add_test(cases, unusual_layout);
  return suite_run_case("rubric_table", cases);
}
