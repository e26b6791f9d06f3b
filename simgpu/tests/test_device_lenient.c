/* What hardware lets pass, passes (docs/checks.md says which programs showed it). With SIMGPU_STRICT=1 or checks, it is
 * a fault. argv[1]: device_lenient; argv[2]: its folder. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program, *folder;

static struct program_result run(const char *threads) {
  setenv("SIMGPU_THREADS", threads, 1);
  return program_run((const char *[]){program, NULL}, 20);
}

START_TEST(every_case_passes) {
  static const char *const threads[] = {"1", "2", "4"};
  for (int n = 0; n < 3; n++) {
    const struct program_result result = run(threads[n]);
    int lines = 0, right = 0;
    for (const char *at = result.output; *at; at++) {
      lines += *at == '\n';
      right += strncmp(at, ": cudaSuccess, 0 wrong\n", 23) == 0;
    }
    ck_assert_msg(lines == 11 && right == 11, "got \"%s\"", result.output);
  }
}
END_TEST

/* One remark, with its line: the second overrun is silent. */
START_TEST(an_overrun_is_remarked_once) {
  char expected[128];
  snprintf(expected, sizeof expected, "device_lenient.cu:%d: remark: out-of-bounds read of 4 bytes, ",
           program_marked_line(folder, "device_lenient.cu", "read"));
  const struct program_result result = run("2");
  ck_assert_ptr_nonnull(strstr(result.message, expected));
  int lines = 0;
  for (const char *at = result.message; *at; at++)
    lines += *at == '\n';
  ck_assert_int_eq(lines, 2);
}
END_TEST

START_TEST(strict_settings_stop_the_kernel) {
  static const char *const settings[] = {"SIMGPU_STRICT", "SIMGPU_CHECKS"};
  setenv(settings[_i], "1", 1);
  const struct program_result result = run("2");
  ck_assert_ptr_nonnull(
      strstr(result.output, "parts of warps have returned: cudaErrorLaunchFailure, 0 wrong\n"));
  ck_assert_ptr_nonnull(
      strstr(result.message, "barrier not reached by all threads: 28 threads have already returned"));
  ck_assert_ptr_null(strstr(result.output, "fresh memory: cudaSuccess, 0 wrong\n"));
  ck_assert_ptr_null(strstr(result.output, "shared memory: cudaSuccess, 0 wrong\n"));
  ck_assert_ptr_null(strstr(result.output, "after the first stores: cudaSuccess, 0 wrong\n"));
}
END_TEST

START_TEST(another_setting_is_refused) {
  setenv("SIMGPU_STRICT", "yes", 1);
  const struct program_result result = run("1");
  ck_assert_ptr_nonnull(strstr(result.message, "simgpu-device: SIMGPU_STRICT: expected 1 or 0, got 'yes'\n"));
  unsetenv("SIMGPU_STRICT");
  setenv("SIMGPU_COPIES", "1", 1);
  const struct program_result other = run("1");
  ck_assert_ptr_nonnull(strstr(other.message, "simgpu-device: SIMGPU_COPIES: expected lost, got '1'\n"));
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "LENIENT SOURCES");
  program = argv[1];
  folder = argv[2];
  unsetenv("SIMGPU_STRICT");
  TCase *cases = tcase_create("lenient");
  tcase_add_test(cases, every_case_passes);
  tcase_add_test(cases, an_overrun_is_remarked_once);
  tcase_add_loop_test(cases, strict_settings_stop_the_kernel, 0, 2);
  tcase_add_test(cases, another_setting_is_refused);
  tcase_set_timeout(cases, 60);
  return suite_run_case("device_lenient", cases);
}
