#include "allocate.h"
#include "error.h"
#include "suite.h"
#include <stdint.h>

static void die(void *text) { error_die("%s: %d rows", (const char *)text, 3); }

START_TEST(die_prints_one_line_and_exits_with_2) {
  struct suite_child child = suite_child_run(STDERR_FILENO, die, "in.npy");
  ck_assert_int_eq(child.status, 2);
  ck_assert_str_eq(child.text, "test_error: in.npy: 3 rows\n");
}
END_TEST

START_TEST(control_characters_cannot_break_the_line) {
  struct suite_child child = suite_child_run(STDERR_FILENO, die, "a\nb\x1b[2J");
  ck_assert_str_eq(child.text, "test_error: a?b?[2J: 3 rows\n");
}
END_TEST

static void warn(void *text) { error_warn("%s", (const char *)text); }

START_TEST(warning_returns) {
  struct suite_child child = suite_child_run(STDERR_FILENO, warn, "slow clock");
  ck_assert_int_eq(child.status, 0);
  ck_assert_str_eq(child.text, "test_error: warning: slow clock\n");
}
END_TEST

START_TEST(set_fills_cuts_and_returns_false) {
  struct error error;
  char text[2 * sizeof error.text];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  ck_assert(!error_set(&error, "n = %d", 7));
  ck_assert_str_eq(error.text, "n = 7");
  ck_assert(!error_set(&error, "%s", text));
  ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
  ck_assert(!error_set(NULL, "nobody asks"));
}
END_TEST

START_TEST(allocation_is_zero_and_never_null) {
  unsigned char *memory = allocate_zeroed(1000, 3);
  for (int k = 0; k < 3000; k++)
    ck_assert_int_eq(memory[k], 0);
  free(memory);
  void *empty = allocate_zeroed(0, 8);
  ck_assert_ptr_nonnull(empty);
  free(empty);
}
END_TEST

static void allocate_too_much(void *size) { free(allocate_zeroed(SIZE_MAX / 2, *(size_t *)size)); }

START_TEST(allocation_that_fails_or_overflows_ends_the_program) {
  struct suite_child child = suite_child_run(STDERR_FILENO, allocate_too_much, &(size_t){4});
  ck_assert_int_eq(child.status, 2);
  ck_assert_ptr_nonnull(
      strstr(child.text, "test_error: out of memory")); /* a sanitizer may add its own lines */
}
END_TEST

int main(void) {
  Suite *suite = suite_create("error");
  TCase *tests = tcase_create("messages");
  tcase_add_test(tests, die_prints_one_line_and_exits_with_2);
  tcase_add_test(tests, control_characters_cannot_break_the_line);
  tcase_add_test(tests, warning_returns);
  tcase_add_test(tests, set_fills_cuts_and_returns_false);
  suite_add_tcase(suite, tests);
  TCase *memory = tcase_create("allocate");
  tcase_add_test(memory, allocation_is_zero_and_never_null);
  tcase_add_test(memory, allocation_that_fails_or_overflows_ends_the_program);
  suite_add_tcase(suite, memory);
  return suite_run(suite);
}
