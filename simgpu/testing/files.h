/* Files of the suites: a temporary folder for each test, and texts. */
#pragma once

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char files_folder[PATH_MAX];

/* Makes a new folder and changes to it. */
static inline void files_enter(void) {
  const char *parent = getenv("TMPDIR");
  snprintf(files_folder, sizeof files_folder, "%s/suite.XXXXXX", parent ? parent : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(files_folder));
  ck_assert_int_eq(chdir(files_folder), 0);
}

/* Removes the folder. It must hold nothing but this file: no temporary file may be left over. */
static inline void files_leave(const char *file) {
  unlink(file);
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_msg(rmdir(files_folder) == 0, "files left over in %s", files_folder);
}

static inline void files_write(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  ck_assert_msg(file && fputs(text, file) >= 0 && fclose(file) == 0, "cannot write %s", path);
}

static inline void files_expect(const char *path, const char *text) {
  char all[4096];
  FILE *file = fopen(path, "r");
  ck_assert_msg(file != NULL, "no %s", path);
  all[fread(all, 1, sizeof all - 1, file)] = '\0';
  fclose(file);
  ck_assert_str_eq(all, text);
}
