/* Where the working folder is: in memory only if there is room and programs may run there. */
#define _GNU_SOURCE /* unshare */
#include "suite.h"
#include "working_folder.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((format(printf, 2, 0))) static void write_map(const char *path, const char *format,
                                                            unsigned id) {
  FILE *file = fopen(path, "w");
  ck_assert(file && fprintf(file, format, id) > 0 && fclose(file) == 0);
}

/* In a namespace of its own, with that memory. False: this machine allows no such namespace. */
static bool mount_memory(const char *options, unsigned long flags) {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER) != 0)
    return false;
  if (user != 0) {
    write_map("/proc/self/setgroups", "deny", 0);
    write_map("/proc/self/uid_map", "0 %u 1", user);
    write_map("/proc/self/gid_map", "0 %u 1", group);
  }
  return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         mount("none", "/dev/shm", "tmpfs", flags, options) == 0;
}

static void expect_parent(const char *expected) {
  char folder[PATH_MAX];
  struct error error;
  ck_assert_msg(working_folder_make(folder, &error), "%s", error.text);
  ck_assert_msg(strncmp(folder, expected, strlen(expected)) == 0 && folder[strlen(expected)] == '/',
                "%s: expected a folder in %s", folder, expected);
  ck_assert(working_folder_check(folder, &error));
  working_folder_remove(folder);
}

static const struct memory {
  const char *options, *parent;
  unsigned long flags;
} memories[] = {{"size=2g", "/dev/shm", 0},
                {"size=64m", "/tmp", 0}, /* as in a container */
                {"size=2g", "/tmp", MS_NOEXEC},
                {"size=2g", "/tmp", MS_RDONLY}};

START_TEST(it_is_in_memory_if_that_is_suited) {
  const struct memory *m = &memories[_i];
  unsetenv("TMPDIR");
  if (mount_memory(m->options, m->flags))
    expect_parent(m->parent);
  else
    suite_skip("no namespace for a mount of one's own");
}
END_TEST

START_TEST(it_is_where_the_user_wants_it) {
  setenv("TMPDIR", "/var/tmp", 1);
  expect_parent("/var/tmp");
}
END_TEST

static const struct {
  const char *text, *shorter;
} paths[] = {
    {"exe /dev/shm/checkerboard-grade.h0fdiP/checkerboard.QbJ5Tz/01_stencil/program\n",
     "exe 01_stencil/program\n"},
    {"cwd /tmp/checkerboard.QbJ5Tz, \"/a b/checkerboard-grade.h0fdiP/u.npy\": no", "cwd ., \"/a u.npy\": no"},
    {"/tmp/checkerboard.QbJ5Tz", "."},
    {"(/tmp/checkerboard.QbJ5Tz/f.cu:3) /x/checkerboard.QbJ5Tz/f.cu(4)", "(f.cu:3) f.cu(4)"},
    {"/home/me/checkerboard/labs /checkerboard.short/x /checkerboard.QbJ5Tz9/x",
     "/home/me/checkerboard/labs /checkerboard.short/x /checkerboard.QbJ5Tz9/x"},
};

START_TEST(messages_do_not_name_it) {
  char text[256];
  snprintf(text, sizeof text, "%s", paths[_i].text);
  working_folder_drop(text);
  ck_assert_str_eq(text, paths[_i].shorter);
}
END_TEST

int main(void) {
  TCase *cases = tcase_create("folder");
  tcase_add_loop_test(cases, it_is_in_memory_if_that_is_suited, 0, sizeof memories / sizeof *memories);
  tcase_add_test(cases, it_is_where_the_user_wants_it);
  tcase_add_loop_test(cases, messages_do_not_name_it, 0, sizeof paths / sizeof *paths);
  return suite_run_case("working_folder", cases);
}
