#include "files.h"
#include "suite.h"
#include "table.h"
#include "unwritten.h"

static const struct table_column columns[] = {
    {"N", 6, "%.0f", "n", "%.0f"},       {"variant", -9, NULL, "variant", NULL},
    {NULL, 0, NULL, "kernel", NULL},     {"time (ms)", 11, "%.2f", "ms", "%.4f"},
    {"same", 6, NULL, "same", NULL},     {"", 0, NULL, NULL, NULL},
    {"GB/s", 7, "%.1f", "rate", "%.2e"}, TABLE_END};

static void print_table(void *path) {
  struct table table;
  table_open(&table, path, columns, "device %s", "d");
  table_row(&table, (struct table_cell[]){table_number(33), table_text("naive"), table_text("k"),
                                          table_number(1.2345), table_flag(true), table_text("*"),
                                          table_number(700)});
  table_row(&table, (struct table_cell[]){table_number(33), table_text("copy"), table_none(), table_none(),
                                          table_flag(false), table_text(""), table_hidden(0)});
  table_unwritten(&table, (struct table_cell[]){table_number(33), table_text("tiled")}, 2, "apply_tiled", 3);
  exit(table_close(&table));
}

START_TEST(terminal_and_file_from_the_same_rows) {
  char path[] = "/tmp/test_table.XXXXXX";
  ck_assert_int_ge(mkstemp(path), 0);
  const struct suite_child child = suite_child_run(STDOUT_FILENO, print_table, path);
  ck_assert_int_eq(child.status, UNWRITTEN_STATUS);
  ck_assert_str_eq(child.text, "device d\n"
                               "     N  variant    time (ms)  same   GB/s\n"
                               "    33  naive           1.23   yes*  700.0\n"
                               "    33  copy               -    no\n"
                               "    33  tiled    apply_tiled: TODO(3): not written yet\n");
  files_expect(path, "n,variant,kernel,ms,same,rate\n"
                     "33,naive,k,1.2345,1,7.00e+02\n"
                     "33,copy,,,0,0.00e+00\n");
  unlink(path);
}
END_TEST

/* A study that shows one table and writes another. */
static const struct table_column written[] = {{NULL, 0, NULL, "n", "%.0f"}, TABLE_END};

static void print_nothing(void *path) {
  struct table table;
  table_open(&table, path, written, NULL);
  table_row(&table, (struct table_cell[]){table_number(1)});
  exit(table_close(&table));
}

START_TEST(a_table_for_the_file_alone_prints_nothing) {
  char path[] = "/tmp/test_table.XXXXXX";
  ck_assert_int_ge(mkstemp(path), 0);
  const struct suite_child child = suite_child_run(STDOUT_FILENO, print_nothing, path);
  ck_assert_int_eq(child.status, 0);
  ck_assert_str_eq(child.text, "");
  files_expect(path, "n\n1\n");
  unlink(path);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_ends_the_program_first) {
  const struct suite_child out =
      suite_child_run(STDOUT_FILENO, print_table, (char[]){"/nonexistent/table.csv"});
  ck_assert_int_eq(out.status, 2);
  ck_assert_str_eq(out.text, "");
  const struct suite_child err =
      suite_child_run(STDERR_FILENO, print_table, (char[]){"/nonexistent/table.csv"});
  suite_assert_line(err.text, "/nonexistent/table.csv: cannot create a file");
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("table");
  tcase_add_test(tests, terminal_and_file_from_the_same_rows);
  tcase_add_test(tests, a_table_for_the_file_alone_prints_nothing);
  tcase_add_test(tests, a_file_that_cannot_be_written_ends_the_program_first);
  return suite_run_case("table", tests);
}
