/* No false alarms: correct programs pass the checks silently, in every order of blocks. argv[1]: lab 01's
 * reference program; the others: programs that take no argument and end with status 0. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>

static char **programs;
static const char *const orders[] = {"forward", "reverse", "random:3"};
enum { ORDERS = sizeof orders / sizeof *orders };

static void expect_silence(const char *const *arguments, const char *order) {
  setenv("SIMGPU_CHECKS", "races,uninitialised,frees", 1); /* not leaks: some programs have them */
  setenv("SIMGPU_ORDER", order, 1);
  struct program_result result = program_run(arguments, 60);
  ck_assert_msg(result.status == 0 && result.message[0] == '\0', "%s, %s: exit status %d, \"%s\"",
                arguments[0], order, result.status, result.message);
}

START_TEST(correct_programs_pass) {
  expect_silence((const char *[]){programs[1 + _i / ORDERS], NULL}, orders[_i % ORDERS]);
}
END_TEST

START_TEST(lab_01_passes) {
  expect_silence((const char *[]){programs[0], "compare", "--nx", "77", "--ny", "53", NULL}, orders[_i]);
}
END_TEST

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: test_checks_silence STENCIL PROGRAM...\n");
    return 2;
  }
  programs = argv + 1;
  TCase *tcase = tcase_create("checks_silence");
  tcase_add_loop_test(tcase, correct_programs_pass, 0, (argc - 2) * ORDERS);
  tcase_add_loop_test(tcase, lab_01_passes, 0, ORDERS);
  tcase_set_timeout(tcase, 120);
  return suite_run_case("checks_silence", tcase);
}
