/* test_npy.c tests failing writes, through npy_write. */
#include "files.h"
#include "output.h"
#include "suite.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct error error;

static int syncs;

/* Instead of the C library's. */
int fsync(int file) {
  syncs++;
  return fcntl(file, F_GETFD) < 0 ? -1 : 0;
}

static void leave_directory(void) { files_leave("table.csv"); }

static void assert_table(const char *expected) { files_expect("table.csv", expected); }

static void write_table(const char *text) {
  struct output output;
  ck_assert_msg(output_open(&output, "table.csv", &error), "%s", error.text);
  fputs(text, output.stream);
  ck_assert_msg(output_commit(&output, &error), "%s", error.text);
}

START_TEST(nothing_is_seen_before_commit) {
  struct output output;
  ck_assert(output_open(&output, "table.csv", &error));
  fputs("n,ms\n", output.stream);
  fflush(output.stream);
  ck_assert_int_eq(access("table.csv", F_OK), -1);
  ck_assert(output_commit(&output, &error));
  assert_table("n,ms\n");
}
END_TEST

START_TEST(commit_replaces) {
  write_table("old and longer\n");
  write_table("new\n");
  assert_table("new\n");
}
END_TEST

START_TEST(check_leaves_nothing) {
  ck_assert(output_check("table.csv", &error));
  ck_assert_int_eq(access("table.csv", F_OK), -1);
  write_table("old\n");
  ck_assert(output_check("table.csv", &error));
  assert_table("old\n");
  ck_assert(!output_check("no/such/table.csv", &error));
  ck_assert_msg(strstr(error.text, "no/such/table.csv") != NULL, "got '%s'", error.text);
}
END_TEST

/* A rename would replace /dev/null by a file. */
START_TEST(a_pipe_is_written_to_not_replaced) {
  struct output output;
  struct stat status;
  char text[8] = "";
  ck_assert_int_eq(mkfifo("pipe", 0600), 0);
  int reader = open("pipe", O_RDWR | O_NONBLOCK);
  ck_assert_int_ge(reader, 0);
  ck_assert(output_open(&output, "pipe", &error));
  fputs("text", output.stream);
  ck_assert(output_commit(&output, &error));
  ck_assert_int_eq(read(reader, text, sizeof text - 1), 4);
  ck_assert_str_eq(text, "text");
  ck_assert(stat("pipe", &status) == 0 && S_ISFIFO(status.st_mode));
  close(reader);
  unlink("pipe");
}
END_TEST

START_TEST(a_link_is_written_through) {
  struct stat status;
  write_table("old and longer\n");
  ck_assert_int_eq(symlink("table.csv", "link"), 0);
  ck_assert(output_check("link", &error));
  assert_table("old and longer\n");
  struct output output;
  ck_assert(output_open(&output, "link", &error));
  fputs("new\n", output.stream);
  ck_assert(output_commit(&output, &error));
  assert_table("new\n");
  ck_assert(lstat("link", &status) == 0 && S_ISLNK(status.st_mode));
  unlink("link");
}
END_TEST

START_TEST(a_link_to_what_cannot_be_written_is_refused) {
  ck_assert_int_eq(symlink("/proc/self/exe", "link"), 0);
  ck_assert(!output_check("link", &error));
  ck_assert_msg(strstr(error.text, "link: cannot write") != NULL, "got '%s'", error.text);
  unlink("link");
}
END_TEST

START_TEST(discard_keeps_the_old_file) {
  struct output output;
  write_table("old\n");
  ck_assert(output_open(&output, "./table.csv", &error));
  fputs("new\n", output.stream);
  output_discard(&output);
  assert_table("old\n");
}
END_TEST

/* A sync takes milliseconds, and programs write many files. */
START_TEST(only_results_are_synced) {
  struct output output;
  syncs = 0;
  write_table("data\n");
  ck_assert_int_eq(syncs, 0);
  ck_assert(output_open(&output, "table.csv", &error));
  fputs("points\n", output.stream);
  ck_assert(output_commit_to_disk(&output, &error));
  ck_assert_int_eq(syncs, 2); /* the file and its folder */
  assert_table("points\n");
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("output");
  tcase_add_checked_fixture(tests, files_enter, leave_directory);
  tcase_add_test(tests, nothing_is_seen_before_commit);
  tcase_add_test(tests, commit_replaces);
  tcase_add_test(tests, check_leaves_nothing);
  tcase_add_test(tests, a_pipe_is_written_to_not_replaced);
  tcase_add_test(tests, a_link_is_written_through);
  tcase_add_test(tests, a_link_to_what_cannot_be_written_is_refused);
  tcase_add_test(tests, discard_keeps_the_old_file);
  tcase_add_test(tests, only_results_are_synced);
  return suite_run_case("output", tests);
}
