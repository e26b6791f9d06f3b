/* No false alarms: correct programs pass the checks silently, in every order of blocks. Its arguments are
 * programs that take no argument and end with status 0. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>

static char **programs;
static const char *const orders[] = {"forward", "reverse", "random:3"};
enum { ORDERS = sizeof orders / sizeof *orders };

static void expect_silence(const char *program, const char *order) {
  setenv("SIMGPU_CHECKS", "races,uninitialised,frees,streams", 1); /* not leaks: some programs have them */
  setenv("SIMGPU_ORDER", order, 1);
  struct program_result result = program_run((const char *[]){program, NULL}, 60);
  ck_assert_msg(result.status == 0 && result.message[0] == '\0', "%s, %s: exit status %d, \"%s\"", program,
                order, result.status, result.message);
}

START_TEST(correct_programs_pass) { expect_silence(programs[_i / ORDERS], orders[_i % ORDERS]); }
END_TEST

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: test_checks_silence PROGRAM...\n");
    return 2;
  }
  programs = argv + 1;
  TCase *tcase = tcase_create("checks_silence");
  tcase_add_loop_test(tcase, correct_programs_pass, 0, (argc - 1) * ORDERS);
  tcase_set_timeout(tcase, 120);
  return suite_run_case("checks_silence", tcase);
}
