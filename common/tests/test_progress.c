#define _GNU_SOURCE /* posix_openpt */
#include "progress.h"
#include "suite.h"
#include <fcntl.h>

static void work(void *unused) {
  (void)unused;
  for (int n = 1; n <= 1000; n++)
    progress_show("step %d", n);
  progress_clear();
}

START_TEST(silent_where_there_is_no_terminal) {
  struct suite_child child = suite_child_run(STDERR_FILENO, work, NULL);
  ck_assert_int_eq(child.status, 0);
  ck_assert_str_eq(child.text, "");
}
END_TEST

static void work_on_terminal(void *descriptor) {
  dup2(*(int *)descriptor, STDERR_FILENO);
  work(NULL);
}

/* A thousand quick steps appear once or twice, on one line, which is erased at the end. */
START_TEST(one_line_on_a_terminal) {
  char text[256] = {0};
  int host = posix_openpt(O_RDWR | O_NOCTTY);
  ck_assert(host >= 0 && grantpt(host) == 0 && unlockpt(host) == 0);
  int terminal = open(ptsname(host), O_RDWR | O_NOCTTY);
  ck_assert_int_ge(terminal, 0);
  struct suite_child child = suite_child_run(STDOUT_FILENO, work_on_terminal, &terminal);
  ck_assert_int_eq(child.status, 0);
  close(terminal); /* so that reading ends: the terminal may pass the text on in pieces */
  size_t length = 0;
  for (ssize_t more = 1; more > 0 && length<sizeof text - 1; length += more> 0 ? (size_t)more : 0)
    more = read(host, text + length, sizeof text - 1 - length);
  ck_assert_msg(strstr(text, "step 1") != NULL, "got '%s'", text);
  ck_assert_msg(strchr(text, '\n') == NULL, "got '%s'", text);
  ck_assert_msg(strstr(text, "step 1000") == NULL, "every step was shown: '%s'", text);
  ck_assert_str_eq(text + strlen(text) - 4, "\r\033[K");
  close(host);
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("progress");
  tcase_add_test(tests, silent_where_there_is_no_terminal);
  tcase_add_test(tests, one_line_on_a_terminal);
  return suite_run_case("progress", tests);
}
