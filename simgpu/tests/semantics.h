// For CUDA programs that check a runtime's behaviour. Linked with either runtime, they print one line per
// difference from the expectations and exit 1 if there are any. Each part runs in a process of its own, since a
// kernel's fault lasts until the process ends.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <initializer_list>
#include <sys/wait.h>
#include <unistd.h>

static int differences;

static void compare(cudaError_t got, cudaError_t expected, const char *what, int line) {
  if (got == expected)
    return;
  printf("%s:%d: %s gave %s, expected %s\n", __BASE_FILE__, line, what, cudaGetErrorName(got),
         cudaGetErrorName(expected));
  differences++;
}

// The call's result, and the last error after it.
#define EXPECT(call, error)                                                                                  \
  do {                                                                                                       \
    compare(call, error, #call, __LINE__);                                                                   \
    compare(cudaGetLastError(), error, "last error after " #call, __LINE__);                                 \
  } while (0)
#define OK(call) EXPECT(call, cudaSuccess)
#define INVALID(call) EXPECT(call, cudaErrorInvalidValue)
#define LAUNCHED(error) compare(cudaGetLastError(), error, "launch", __LINE__)
#define TRUE(condition)                                                                                      \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      printf("%s:%d: expected: %s\n", __BASE_FILE__, __LINE__, #condition);                                  \
      differences++;                                                                                         \
    }                                                                                                        \
  } while (0)

struct Part {
  const char *name;
  void (*run)();
};

enum { SKIPPED = 77 }; // exit status; ctest knows it

// Says that this machine cannot run the rest of the part, and why.
[[noreturn]] static inline void skip(const char *reason) {
  printf("skipped: %s\n", reason);
  exit(differences != 0 ? 1 : SKIPPED);
}

static int run_parts(std::initializer_list<Part> parts) {
  int failed = 0, skipped = 0;
  for (const Part &part : parts) {
    int status = 0;
    fflush(stdout);
    if (fork() == 0) {
      part.run();
      exit(differences != 0);
    }
    wait(&status);
    const bool is_skipped = WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED;
    printf("%s: %s\n", part.name, is_skipped ? "skipped" : status ? "differs" : "as expected");
    skipped += is_skipped;
    failed += status != 0 && !is_skipped;
  }
  return failed ? 1 : skipped ? SKIPPED : 0;
}
