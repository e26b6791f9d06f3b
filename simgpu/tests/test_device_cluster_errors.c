/* Errors of clusters: deadlocks, accesses to blocks that have exited, and what the checks find in distributed shared
 * memory; and correct kernels, about which nothing may be said. argv[1]: device_clusters.cu's program; argv[2]: the
 * folder of its source. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>

static const char *program, *folder;
static const char source[] = "device_clusters.cu";

static const struct {
  const char *name;
  const char *here;  /* mark of the line; NULL: no message is allowed */
  const char *what;  /* the message contains this, */
  const char *there; /* "at line" of this mark unless NULL, */
  const char *more;  /* and this */
  const char *error;
} cases[] = {
    {"crossed", "crossed",
     "no progress: the cluster's barrier waits for 32 threads of block (1,0,0), some of them",
     "crossed_other", "in crossed, block (0,0,0) thread (0,0,0)", "cudaErrorLaunchTimeout"},
    {"crossed alone", "alone",
     "no progress: the cluster's barrier waits for 32 threads of block (0,0,0), some of them", "alone_other",
     "in crossed_alone, block (0,0,0) thread (0,0,0)", "cudaErrorLaunchTimeout"},
    {"half of a warp", "half", "no progress: the cluster's barrier waits for 16 threads of block (1,0,0)",
     NULL, "in half_warp, block (0,0,0) thread (0,0,0)", "cudaErrorLaunchTimeout"},
    {"spinning", "spin", "no progress after 100000 instructions of one warp: does a loop never end?", NULL,
     "in spinning, block (1,0,0) thread (0,0,0)", "cudaErrorLaunchTimeout"},
    {"exited", "exited", "read of 4 bytes at shared address 0 of block (3,0,0), which has exited", NULL,
     "in exited, block (0,0,0) thread (0,0,0)", "cudaErrorLaunchFailure"},
    {"far", "far",
     "out-of-bounds read of 4 bytes at shared address 16 of block (1,0,0), which has 16 bytes of shared memory",
     NULL, "in far, block (0,0,0) thread (1,0,0)", "cudaErrorIllegalAddress"},
};

static const struct {
  const char *name, *here, *what, *there, *more;
} findings[] = {
    {"exchange", NULL, NULL, NULL, NULL},
    {"exchange without first sync", "exchange_write",
     "race: write of 11 (was 4294967295) to element 0 of shared memory, not ordered with the read by block (0,0,0) thread "
     "(0,0,0)",
     "exchange_read", "block (1,0,0) thread (0,0,0)"},
    {"exchange without last sync", "exchange_read",
     "race: read of 0 from element 0 of the shared memory of block (0,0,0), not ordered with the write by block (0,0,0) "
     "thread (0,0,0)",
     "exchange_reset", "block (1,0,0) thread (0,0,0)"},
    {"both write", "both",
     "race: write of 2 (was 1) to element 0 of the shared memory of block (0,0,0), not ordered with the write by block "
     "(0,0,0) thread (0,0,0)",
     "both", "block (1,0,0) thread (0,0,0)"},
    {"apart", NULL, NULL, NULL, NULL},
    {"apart, too early", "apart_write",
     "race: write of 0 (was 4294967295) to element 0 of shared memory, not ordered with the read",
     "apart_read", "block (1,0,0) thread (0,0,0)"},
    {"pushed", NULL, NULL, NULL, NULL},
    {"pushed in part", "pushed_read",
     "uninitialised read of 4 bytes: element 31 of shared memory has not been written", NULL,
     "block (1,0,0) thread (31,0,0)"},
    {"pulled", "pulled",
     "uninitialised read of 4 bytes: element 0 of the shared memory of block (1,0,0) has not been written",
     NULL, "block (0,0,0) thread (0,0,0)"},
    {"by global memory", NULL, NULL, NULL, NULL},
};

static struct program_result run(const char *name) {
  const char *const arguments[] = {program, name, NULL};
  return program_run(arguments, 60);
}

static void expect_message(const char *message, const char *here, const char *what, const char *there,
                           const char *more) {
  char line[128] = "", other[64] = "";
  snprintf(line, sizeof line, "%s:%d: ", source, program_marked_line(folder, source, here));
  if (there)
    snprintf(other, sizeof other, " at line %d", program_marked_line(folder, source, there));
  const char *const parts[] = {line, what, other, more};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    ck_assert_msg(strstr(message, parts[i]) != NULL, "expected \"%s\" in \"%s\"", parts[i], message);
}

START_TEST(a_fault_is_reported) {
  setenv("SIMGPU_BUDGET", "100000", 1);
  const struct program_result result = run(cases[_i].name);
  expect_message(result.message, cases[_i].here, cases[_i].what, cases[_i].there, cases[_i].more);
  ck_assert_ptr_eq(strstr(result.output, cases[_i].error), result.output);
}
END_TEST

/* Whichever block runs first, the other one finds that it has gone. */
START_TEST(a_missing_last_barrier_is_found) {
  static const char *const orders[] = {"forward", "reverse", "random:3"};
  setenv("SIMGPU_ORDER", orders[_i], 1);
  const struct program_result result = run("no last sync");
  expect_message(result.message, "last", "write of 4 bytes at shared address 0 of block (", NULL,
                 ",0,0), which has exited");
}
END_TEST

START_TEST(what_is_wrong_is_found_and_nothing_else) {
  setenv("SIMGPU_CHECKS", "races,uninitialised", 1);
  const struct program_result result = run(findings[_i].name);
  ck_assert_str_eq(result.output, "cudaSuccess\n");
  if (findings[_i].here)
    expect_message(result.message, findings[_i].here, findings[_i].what, findings[_i].there,
                   findings[_i].more);
  else
    ck_assert_str_eq(result.message, "");
}
END_TEST

/* The findings differ, but there are some: or none at all. */
START_TEST(any_order_of_blocks_shows_it) {
  static const char *const orders[] = {"reverse", "random:1"};
  setenv("SIMGPU_CHECKS", "races,uninitialised", 1);
  for (int k = 0; k < 2; k++) {
    setenv("SIMGPU_ORDER", orders[k], 1);
    const struct program_result result = run(findings[_i].name);
    ck_assert_msg((result.message[0] != '\0') == (findings[_i].here != NULL), "%s: %s", orders[k],
                  result.message);
  }
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM SOURCES");
  program = argv[1];
  folder = argv[2];
  TCase *tcase = tcase_create("clusters");
  tcase_add_loop_test(tcase, a_fault_is_reported, 0, sizeof cases / sizeof *cases);
  tcase_add_loop_test(tcase, a_missing_last_barrier_is_found, 0, 3);
  tcase_add_loop_test(tcase, what_is_wrong_is_found_and_nothing_else, 0, sizeof findings / sizeof *findings);
  tcase_add_loop_test(tcase, any_order_of_blocks_shows_it, 0, sizeof findings / sizeof *findings);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("device_cluster_errors", tcase);
}
