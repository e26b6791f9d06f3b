/* The kit's files, sealed when the grader starts: every way to change one is seen. */
#include "error.h"
#include "seal.h"
#include "suite.h"
#include "working_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX];
static struct error error;
static struct seal seal;

static struct installation kit = {
    .device = "device",
    .compile = {"-O2", "-Iheaders"},
    .libraries = {"/dev/null", "-lm"},
    .count = 1,
    .labs = {{.suite = "suite", .main_object = "main.a", .contract = "lab", .rubric_path = "03.cfg"}}};
static const char *const files[] = {"device", "suite",          "main.a",
                                    "03.cfg", "headers/grid.h", "lab/compressed.h"};
enum { FILES = sizeof files / sizeof *files };

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void set_up(void) {
  ck_assert_msg(working_folder_make(folder, &error), "%s", error.text);
  ck_assert(chdir(folder) == 0 && mkdir("headers", 0777) == 0 && mkdir("lab", 0777) == 0);
  for (int n = 0; n < FILES; n++)
    write_text(files[n], "as built");
  ck_assert_msg(seal_make(&kit, &seal, &error), "%s", error.text);
  ck_assert_int_eq(seal.count, FILES + 1); /* and the library */
  ck_assert_msg(seal_check(&seal, &error), "%s", error.text);
}

static void tear_down(void) {
  seal_free(&seal);
  working_folder_remove(folder);
}

static void expect_broken(const char *path) {
  ck_assert_msg(!seal_check(&seal, &error), "%s: not noticed", path);
  ck_assert_msg(strncmp(error.text, path, strlen(path)) == 0, "%s: %s", path, error.text);
}

/* Also if length and date are the old ones. */
START_TEST(a_changed_file_breaks_it) {
  struct stat before;
  ck_assert(stat(files[_i], &before) == 0);
  write_text(files[_i], "AS BUILT");
  const struct timespec times[] = {before.st_atim, before.st_mtim};
  ck_assert(utimensat(AT_FDCWD, files[_i], times, 0) == 0);
  expect_broken(files[_i]);
}
END_TEST

START_TEST(a_replaced_file_breaks_it) {
  write_text("other", "AS BUILT");
  ck_assert(rename("other", files[_i]) == 0);
  expect_broken(files[_i]);
}
END_TEST

START_TEST(the_same_contents_do_not_break_it) {
  write_text("other", "as built");
  ck_assert(rename("other", files[_i]) == 0);
  ck_assert_msg(seal_check(&seal, &error), "%s", error.text);
  ck_assert(utimensat(AT_FDCWD, files[_i], NULL, 0) == 0);
  ck_assert_msg(seal_check(&seal, &error), "%s", error.text);
}
END_TEST

START_TEST(a_removed_file_breaks_it) {
  ck_assert(unlink(files[_i]) == 0);
  expect_broken(files[_i]);
}
END_TEST

START_TEST(the_sum_is_of_the_contents) {
  struct seal other;
  ck_assert(seal_make(&kit, &other, &error));
  ck_assert_str_eq(other.sha256, seal.sha256);
  seal_free(&other);
  write_text("suite", "another");
  ck_assert(seal_make(&kit, &other, &error));
  ck_assert_str_ne(other.sha256, seal.sha256);
  seal_free(&other);
}
END_TEST

/* ./kit check builds what its lab needs. */
START_TEST(what_is_not_built_is_passed_over) {
  struct seal other;
  unlink("main.a");
  ck_assert_msg(seal_make(&kit, &other, &error), "%s", error.text);
  ck_assert_int_eq(other.count, FILES);
  ck_assert(seal_check(&other, &error));
  seal_free(&other);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("seal");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_loop_test(cases, a_changed_file_breaks_it, 0, FILES);
  tcase_add_loop_test(cases, a_replaced_file_breaks_it, 0, FILES);
  tcase_add_loop_test(cases, the_same_contents_do_not_break_it, 0, FILES);
  tcase_add_loop_test(cases, a_removed_file_breaks_it, 0, FILES);
  tcase_add_test(cases, the_sum_is_of_the_contents);
  tcase_add_test(cases, what_is_not_built_is_passed_over);
  return suite_run_case("seal", cases);
}
