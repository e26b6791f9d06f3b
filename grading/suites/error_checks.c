#include "error_checks.h"
#include "counters.h"
#include "lab_checks.h"
#include "lab_suite.h"
#include "rules.h"

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CALLS = 64 };

static bool begins(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* A macro of the student's own may print the error's text instead of its name. */
static bool names_error(const char *said, const char *name) {
  static const char *const texts[][2] = {
      {"cudaErrorMemoryAllocation", "out of memory"},
      {"cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
      {"cudaErrorUnknown", "unknown error"}};
  bool named = strstr(said, name);
  for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
    named |= strcmp(name, texts[n][0]) == 0 && strstr(said, texts[n][1]);
  return named;
}

/* An own macro may exit with any status, and an exception that nobody catches ends the program by SIGABRT. */
static bool has_stopped(const struct program_result *result) {
  return result->status > 0 || result->signal == SIGABRT;
}

void error_checks_expect(const char *function, const struct program_result *result, const char *what,
                         const char *error) {
  const char *said = result->message + result->said_by_device;
  if (result->status == 0)
    ck_abort_msg("%s: %s, and the program continued: expected CUDA_CHECK around each call", function, what);
  if (!has_stopped(result) || !names_error(said, error)) {
    char ending[512];
    program_describe(result, ending, sizeof ending);
    ck_abort_msg("%s: %s: expected that CUDA_CHECK names the error %s and ends the program, got: %s",
                 function, what, error, ending);
  }
}

/* What the device says of the request that it lets fail, in the student's words. */
static void name_call(const char *call, int launches, char *text, size_t size) {
  if (begins(call, "cuda"))
    snprintf(text, size, "%.*s fails", (int)strcspn(call, "\n"), call);
  else if (begins(call, "launch"))
    snprintf(text, size, "the launch fails (cudaGetLastError reports it)");
  else
    snprintf(text, size, "the copy%s %s the launch fails",
             begins(call, "variable")  ? " of a variable"
             : begins(call, "managed") ? " of managed memory"
                                       : "",
             launches > 0 ? "after" : "before");
}

/* The function behind a launch may send parameters to a variable, and managed memory moves at a launch. */
static bool may_be_of_the_launch(const char *call) {
  return begins(call, "variable") || begins(call, "managed");
}

/* The caller's own look at the last error comes after the function. */
static bool is_seen_by_the_caller_alone(const struct program_result *result) {
  const char *said = result->message + result->said_by_device;
  const char *place = strstr(said, ".c:"); /* the student's file is a .cu file */
  return place && strstr(place, ": cudaGetLastError(): ");
}

/* launches: of the run, before the call */
static void check_call(const char *function, const struct program_result *result, const char *call,
                       int launches) {
  char what[128];
  name_call(call, launches, what, sizeof what);
  error_checks_expect(function, result, what, "cudaErrorUnknown");
  if (begins(call, "launch") || may_be_of_the_launch(call))
    return;
  if (counters_total("launches") > launches)
    ck_abort_msg(
        "%s: %s, and the kernel was launched all the same, so the error is reported too late: expected "
        "CUDA_CHECK around this call",
        function, what);
  if (is_seen_by_the_caller_alone(result))
    ck_abort_msg("%s: %s, and only its caller in main.c sees the error: expected CUDA_CHECK around this call",
                 function, what);
}

static bool is_of_a_library(const struct program_result *result, const char *call,
                            const char *const *arguments) {
  return result->status == 0 && (begins(call, "launch") || may_be_of_the_launch(call)) &&
         rules_launches_for_a_library(arguments);
}

/* Destructors free, and cannot report it; a kernel's own error remains for the next call. */
static bool may_fail_silently(const struct program_result *result, const char *call) {
  return (result->status == 0 && begins(call, "cudaFree")) ||
         (has_stopped(result) && may_be_of_the_launch(call));
}

void error_checks_of_each_call(const char *function, const char *const *arguments) {
  int launches = 0;
  if (!lab_suite_is_simulated())
    return;
  lab_checks_stop();
  for (int n = 1; n <= MOST_CALLS; n++) {
    lab_suite_fail_call(n);
    counters_begin();
    const struct program_result result = lab_suite_run(arguments);
    counters_end();
    lab_suite_fail_call(0);
    const char *call = rules_failed_call(&result);
    if (!call)
      return;
    if (!may_fail_silently(&result, call) && !is_of_a_library(&result, call, arguments))
      check_call(function, &result, call, launches);
    launches += begins(call, "launch");
  }
}
