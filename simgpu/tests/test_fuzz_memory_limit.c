/* Use of all device memory, and the message for an invalid limit. argv[1]: the device executable. */
#include "suite.h"

#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 }; /* the sanitizer keeps memory of its own */
#else
enum { SANITIZED = 0 };
#endif
#define MIB (UINT64_C(1) << 20)
enum { MEMORY_MIB = 64 };

static const char *device_path;

/* Resident memory of this process' only child, which is the device. */
static uint64_t device_resident(void) {
  char path[64];
  int child = 0;
  unsigned long pages = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "r");
  ck_assert(file && fscanf(file, "%d", &child) == 1);
  fclose(file);
  snprintf(path, sizeof path, "/proc/%d/statm", child);
  file = fopen(path, "r");
  ck_assert(file && fscanf(file, "%*u %lu", &pages) == 1);
  fclose(file);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

START_TEST(memory_ends_at_the_limit) {
  char limit[32];
  void *blocks[MEMORY_MIB], *extra;
  snprintf(limit, sizeof limit, "%llu", (unsigned long long)(MEMORY_MIB * MIB));
  setenv("SIMGPU_MEMORY", limit, 1);
  setenv("SIMGPU_DEVICE", device_path, 1);
  ck_assert_int_eq(cudaMalloc(&extra, MEMORY_MIB * MIB + 1), cudaErrorMemoryAllocation);
  ck_assert_int_eq(cudaMalloc(&extra, SIZE_MAX), cudaErrorMemoryAllocation);
  ck_assert_int_eq(cudaGetLastError(), cudaErrorMemoryAllocation);
  for (int i = 0; i < MEMORY_MIB; i++)
    ck_assert_int_eq(cudaMalloc(&blocks[i], MIB), cudaSuccess);
  ck_assert_int_eq(cudaMalloc(&extra, 1), cudaErrorMemoryAllocation);
  if (!SANITIZED)
    ck_assert_uint_lt(device_resident(), (MEMORY_MIB + 16) * MIB);
  ck_assert_int_eq(cudaFree(blocks[7]), cudaSuccess);
  ck_assert_int_eq(cudaMalloc(&extra, MIB), cudaSuccess);
  for (int i = 0; i < 2000; i++) { /* freed memory can be allocated again without limit */
    ck_assert_int_eq(cudaFree(extra), cudaSuccess);
    ck_assert_int_eq(cudaMalloc(&extra, MIB), cudaSuccess);
  }
  if (!SANITIZED)
    ck_assert_uint_lt(device_resident(), (MEMORY_MIB + 16) * MIB);
}
END_TEST

static const char *const malformed[] = {
    "x", "-1", "0", "64M", "1e9", "99999999999999999999", "2199023255552"};
static const struct {
  const char *name, *expected;
} variables[] = {
    {"SIMGPU_MEMORY", "a number of bytes from 1 to 1099511627776"},
    {"SIMGPU_THREADS", "a number of threads from 1 to 2147483647"},
    {"SIMGPU_BUDGET", "a number of instructions from 1 to 18446744073709551615"},
    {"SIMGPU_LAUNCH_BUDGET", "a number of instructions from 1 to 18446744073709551615"},
    {"SIMGPU_EVERY", "a number of blocks from 1 to 18446744073709551615"},
    {"SIMGPU_MODEL_SEED", "a seed from 1 to 18446744073709551615"},
};
enum { MALFORMED = sizeof malformed / sizeof *malformed, VARIABLES = sizeof variables / sizeof *variables };

static void start_device(void *assignment) {
  putenv(assignment);
  execl(device_path, device_path, "0", (char *)NULL);
}

START_TEST(malformed_number) {
  const char *value = malformed[_i % MALFORMED], *name = variables[_i / MALFORMED].name;
  char assignment[64], expected[256];
  if ((strstr(name, "BUDGET") || strstr(name, "SEED") || strstr(name, "EVERY")) &&
      _i % MALFORMED == MALFORMED - 1)
    return; /* no number is too large for it */
  snprintf(assignment, sizeof assignment, "%s=%s", name, value);
  snprintf(expected, sizeof expected, "simgpu-device: %s: expected %s, got '%s'\n", name,
           variables[_i / MALFORMED].expected, value);
  struct suite_child child = suite_child_run(STDERR_FILENO, start_device, assignment);
  ck_assert_int_eq(child.status, 2);
  ck_assert_str_eq(child.text, expected);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "DEVICE");
  device_path = argv[1];
  TCase *tcase = tcase_create("memory limit");
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, memory_ends_at_the_limit);
  tcase_add_loop_test(tcase, malformed_number, 0, MALFORMED * VARIABLES);
  return suite_run_case("memory limit", tcase);
}
