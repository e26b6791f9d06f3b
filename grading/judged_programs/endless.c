/* SIGXCPU comes when the program has used its CPU time. The host is in the submission's code then, or in a function
 * that it called: the first return address on the stack that belongs to the submission is where. */
#define _GNU_SOURCE /* registers of a context */
#include "endless.h"
#include "endless_words.h"
#include "source_line.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { WORDS = 4096, TEXT = 512 }; /* of the stack, at most: a page may end there */

extern void *__libc_stack_end; /* of the main thread */

static bool find_line(const ucontext_t *context, struct source_line *found) {
#if defined(__x86_64__)
  const uintptr_t place = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  const uintptr_t *stack = (const uintptr_t *)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
  const uintptr_t place = context->uc_mcontext.pc;
  const uintptr_t *stack = (const uintptr_t *)context->uc_mcontext.sp;
#endif
  if (source_line_find(place, found))
    return true;
  for (int n = 0; n < WORDS && stack + n < (const uintptr_t *)__libc_stack_end; n++)
    if (source_line_find(stack[n] - 1, found))
      return true;
  return false;
}

static size_t add(char *text, size_t used, const char *more) {
  for (; *more && used < TEXT; more++)
    text[used++] = *more;
  return used;
}

static void tell(const struct source_line *at) {
  char text[TEXT], digits[16], *digit = digits + sizeof digits - 1;
  size_t used = add(text, 0, at->file);
  *digit = '\0';
  for (unsigned rest = at->line; rest || !*digit; rest /= 10)
    *--digit = (char)('0' + rest % 10);
  used = add(text, used, ":");
  used = add(text, used, digit);
  used = add(text, used, ENDLESS_WORDS "\n");
  if (write(STDERR_FILENO, text, used) < 0)
    return;
}

static void on_limit(int number, siginfo_t *info, void *context) {
  struct source_line at;
  (void)info;
  signal(number, SIG_DFL);
  if (source_line_open() && find_line(context, &at))
    tell(&at);
  raise(number);
}

void endless_watch(void) {
  struct sigaction limit = {.sa_sigaction = on_limit, .sa_flags = SA_SIGINFO};
  sigemptyset(&limit.sa_mask);
  sigaction(SIGXCPU, &limit, NULL);
}
