/* As with a driver, a program that dereferences a device pointer dies. This adds the line that says why. */
#define _GNU_SOURCE
#include "trespass.h"

#include "../protocol.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Calls only functions that are safe in a signal handler. */
static void report(uintptr_t address) {
  char line[] =
      "simgpu: the host program accesses 0x----------------, which is device memory: only kernels can dereference "
      "device pointers; copy the data with cudaMemcpy\n";
  char *digit = strchr(line, '-');
  for (int shift = 60; shift >= 0; shift -= 4)
    *digit++ = "0123456789abcdef"[address >> shift & 15];
  if (write(STDERR_FILENO, line, sizeof line - 1) < 0)
    return;
}

static bool (*permits)(uintptr_t address);

void trespass_permit(bool (*access_is_possible)(uintptr_t address)) { permits = access_is_possible; }

/* Then the repeated access ends the program. */
static void restore_default(int number) {
  const struct sigaction standard = {.sa_handler = SIG_DFL};
  sigaction(number, &standard, NULL);
}

static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code > 0 && permits && permits((uintptr_t)info->si_addr))
    return;
  restore_default(number);
  if (info->si_code <= 0)
    raise(number); /* sent by kill(), not caused by an access */
  else if ((uintptr_t)info->si_addr >= SIM_ADDRESS_FIRST && (uintptr_t)info->si_addr < SIM_ADDRESS_LAST)
    report((uintptr_t)info->si_addr);
}

void trespass_watch(void) {
  struct sigaction now, watch = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&watch.sa_mask);
  if (sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
    sigaction(SIGSEGV, &watch, NULL);
}
