#include "files.h"
#include "frames.h"
#include "suite.h"

static void leave_directory(void) { files_leave("u.npy"); }

/* The reader takes two dimensions at most, so the file is compared byte by byte. */
START_TEST(frames_follow_each_other) {
  static const char header[] =
      "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4), } ";
  const double first[12] = {1, 2, 3}, second[12] = {[11] = 0.5};
  struct frames frames = frames_open("u.npy", grid_make(4, 3), 5);
  frames_add(&frames, first);
  frames_add(&frames, second);
  frames_close(&frames);
  char bytes[512];
  float values[24];
  FILE *file = fopen("u.npy", "rb");
  ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, file), 128 + sizeof values);
  fclose(file);
  ck_assert_mem_eq(bytes, header, sizeof header - 1);
  memcpy(values, bytes + 128, sizeof values);
  for (int k = 0; k < 12; k++)
    ck_assert(values[k] == (float)first[k] && values[12 + k] == (float)second[k]);
}
END_TEST

static void open_at(void *path) { frames_open(path, grid_make(4, 3), 1); }

START_TEST(a_path_is_needed) {
  struct suite_child child = suite_child_run(STDERR_FILENO, open_at, NULL);
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, "--out: expected a file for the frames");
  child = suite_child_run(STDERR_FILENO, open_at, (char[]){"no/u.npy"});
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, "no/u.npy");
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("frames");
  tcase_add_checked_fixture(tests, files_enter, leave_directory);
  tcase_add_test(tests, frames_follow_each_other);
  tcase_add_test(tests, a_path_is_needed);
  return suite_run_case("frames", tests);
}
