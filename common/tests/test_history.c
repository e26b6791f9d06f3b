#include "files.h"
#include "history.h"
#include "suite.h"

static void leave_directory(void) { files_leave("h.csv"); }

START_TEST(rows_follow_the_header) {
  struct history history = history_open("h.csv");
  history_add(&history, "jacobi", 0, 1);
  history_add(&history, "gs", 20, 0.1);
  ck_assert_int_eq(access("h.csv", F_OK), -1); /* the file appears only when it is complete */
  history_close(&history);
  files_expect("h.csv", "method,iteration,relative_residual\njacobi,0,1\n"
                        "gs,20,0.10000000000000001\n");
}
END_TEST

START_TEST(no_file_is_no_error) {
  struct history history = history_open(NULL);
  history_add(&history, "gs", 1, 0.5);
  history_close(&history);
}
END_TEST

static void open_nowhere(void *path) { history_open(path); }

START_TEST(missing_directory_gets_one_line_and_status_2) {
  struct suite_child child = suite_child_run(STDERR_FILENO, open_nowhere, "no/such/h.csv");
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, "no/such/h.csv");
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("history");
  tcase_add_checked_fixture(tests, files_enter, leave_directory);
  tcase_add_test(tests, rows_follow_the_header);
  tcase_add_test(tests, no_file_is_no_error);
  tcase_add_test(tests, missing_directory_gets_one_line_and_status_2);
  return suite_run_case("history", tests);
}
