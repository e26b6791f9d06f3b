/* A failing kernel: one message with the source line if known and the right block and thread; the error code of a
 * real GPU; and a program that runs to its end, with any number of host threads. argv[1], argv[2]: device_faults
 * and device_unsupported; argv[3]: the folder of their sources. */
#include "suite.h"

#include "device_program.h"
#include "emulator.h"

#include <stdio.h>

static const char *programs[2], *folder;

#define LAUNCH(error) error " cudaSuccess cudaSuccess\n"
#define FAULT(error) "cudaSuccess " error " " error "\n"
#define ADDRESS FAULT("cudaErrorIllegalAddress")
#define CULPRIT "block (2,0,0) thread (37,0,0)"

static const struct {
  const char *name, *mark, *message, *place, *output;
} faults[] = {
    {"read past the end", "read_at",
     "out-of-bounds read of 4 bytes, directly past the end of the array that parameter 1 points to (4000 bytes), in "
     "read_at",
     CULPRIT, ADDRESS},
    {"read before the start", "read_at",
     "out-of-bounds read of 4 bytes, 4 bytes before the start of the array that parameter 1 points to (4000 bytes)",
     CULPRIT, ADDRESS},
    {"read in the guard zone", "read_at",
     "out-of-bounds read of 4 bytes, 2048 bytes past the end of the array that parameter 1 points to (4000 bytes)",
     CULPRIT, ADDRESS},
    {"read beyond texts", "read_at", " bytes past the end of 'named::constants'", CULPRIT, ADDRESS},
    {"read far away", "read_at", "which is not device memory", CULPRIT, ADDRESS},
    {"read null", "read_at", "read of 4 bytes through a null pointer (address 0x0)", CULPRIT, ADDRESS},
    {"read freed memory", "read_at", "read of 4 bytes", CULPRIT, ADDRESS},
    {"read host memory", "read_at",
     "read of 4 bytes at 0x123456780, which is not device memory: is it a pointer to host memory?, in",
     CULPRIT, ADDRESS},
    {"read poison", "read_at",
     "read of 4 bytes at 0xfffffffffffffffc, which is not device memory: is the pointer uninitialised?, "
     "in",
     CULPRIT, ADDRESS},
    {"read as constants what are none", "constant_at",
     "read of 4 bytes of constant memory at 0x10000000004, which is other memory, in", CULPRIT, ADDRESS},
    {"write past the end", "write_at",
     "out-of-bounds write of 4 bytes, 8 bytes past the end of the array that parameter 1 points to (4000 bytes)",
     CULPRIT, ADDRESS},
    {"write before the start", "write_at",
     "out-of-bounds write of 4 bytes, 8 bytes before the start of the array that parameter 1 points to (4000 bytes)",
     CULPRIT, ADDRESS},
    {"write null", "write_at", "write of 4 bytes through a null pointer (address 0x4)", CULPRIT, ADDRESS},
    {"read past the end by some lanes", "all_read_at", "out-of-bounds read of 4 bytes, directly past the end",
     CULPRIT, ADDRESS},
    {"read past the end by the last lane", "all_read_at",
     "out-of-bounds read of 4 bytes, directly past the end", "block (2,0,0) thread (63,0,0)", ADDRESS},
    {"misaligned vector", "vector_read",
     "16 bytes at 0x10000000004, which is not a multiple of 16: byte 4 of the array that parameter 1 points to (4000 "
     "bytes), in",
     "block (0,0,0) thread (0,0,0)", FAULT("cudaErrorMisalignedAddress")},
    {"vector across the end", "vector_read",
     "out-of-bounds read of 16 bytes, the last 8 of them past the end of the array that parameter 1 points to (3992 "
     "bytes)",
     "block (0,0,0) thread (0,0,0)", ADDRESS},
    {"misaligned atomic", "atomic_at", "which is not a multiple of 4", CULPRIT,
     FAULT("cudaErrorMisalignedAddress")},
    {"atomic past the end", "atomic_at", "directly past the end of the array that parameter 1 points to",
     CULPRIT, ADDRESS},
    {"shared out of range", "shared_at",
     "out-of-bounds read of 4 bytes at shared address 256: the block has 256 bytes of shared memory", CULPRIT,
     ADDRESS},
    {"matrix instruction without all lanes", "matrix_without_lanes",
     "matrix instruction without all lanes of the warp: lanes 8-31 take no part, in matrix_without_lanes",
     "block (0,0,0) thread (32,0,0)", FAULT("cudaErrorLaunchFailure")},
    {"row of a matrix misaligned", "matrix_rows",
     "misaligned read of 16 bytes at 0x54, which is not a multiple of 16", CULPRIT,
     FAULT("cudaErrorMisalignedAddress")},
    {"row of a matrix out of range", "matrix_rows", "out-of-bounds read of 16 bytes at shared address 65616",
     CULPRIT, ADDRESS},
    {"shared memory forgotten", "shared_not_given",
     "write of 4 bytes at shared address 0: the block has 0 bytes of shared memory, and none of it is dynamic: the launch's third "
     "argument "
     "is 0, in",
     "block (0,0,0) thread (0,0,0)", ADDRESS},
    {"shared far out of range", "shared_at",
     "read of 4 bytes at shared address 4194304: the block has 256 bytes of shared memory", CULPRIT, ADDRESS},
    {"local out of range", "local_at", "read of 4 bytes beyond the thread's local memory, at offset 400000",
     CULPRIT, ADDRESS},
    {"endless recursion", "recursion", "stack overflow", CULPRIT, ADDRESS},
    {"trap", "trap", "trap, in trap", CULPRIT, FAULT("cudaErrorLaunchFailure")},
    {"assertion", "assertion", "assertion `!is_culprit() || a[0] == index' failed", CULPRIT,
     FAULT("cudaErrorAssert")},
    {"write to constant memory", "write_at", "write to constant memory", CULPRIT,
     FAULT("cudaErrorLaunchFailure")},
    {"some threads returned", "returned_threads", "have already returned", "block (2,0,0)",
     FAULT("cudaErrorLaunchFailure")},
    {"whole warps returned", "returned_warps",
     "barrier not reached by all threads: 32 threads have already returned", "block (2,0,0)",
     FAULT("cudaErrorLaunchFailure")},
    {"divergent barrier", "divergent_barrier", "divergent barrier: 5 threads of the warp",
     "block (0,0,0) thread (5,0,0)", FAULT("cudaErrorLaunchFailure")},
    {"crossed barriers", "crossed_barriers",
     "no progress: the threads of the block wait at different barriers", "block (2,0,0) thread (0,0,0)",
     FAULT("cudaErrorLaunchTimeout")},
    {"halves apart", "halves_apart",
     "no progress: lanes 16-31 wait here for lanes 0-15, named in the mask; lanes 0-15 wait at line ",
     "block (0,0,0) thread (16,0,0)", FAULT("cudaErrorLaunchTimeout")},
    {"heap past the end", "heap_past_the_end",
     "out-of-bounds write of 4 bytes, directly past the end of an allocation of 40 bytes", CULPRIT, ADDRESS},
    {"heap after free", "heap_after_free",
     "use after free: read of 4 bytes at byte 8 of a freed allocation of 40 bytes", CULPRIT, ADDRESS},
    {"heap double free", "heap_double_free", "double free of 0x1", CULPRIT, FAULT("cudaErrorLaunchFailure")},
    {"heap foreign free", "heap_foreign_free", ", which malloc() in a kernel did not return", CULPRIT,
     FAULT("cudaErrorLaunchFailure")},
    {"endless loop", "endless",
     "no progress: no thread is left that changes what this one waits for: does a loop never end?",
     "block (2,0,0) thread (0,0,0)", FAULT("cudaErrorLaunchTimeout")},
    {"grid.sync() in an ordinary launch", "grid_sync",
     "trap: grid.sync() needs cudaLaunchCooperativeKernel(), in grid_sync", "block (0,0,0) thread (0,0,0)",
     FAULT("cudaErrorLaunchFailure")},
    {"flag that nobody sets", "never_set",
     "no progress: no thread is left that changes what this one waits for: does a loop never end?", CULPRIT,
     FAULT("cudaErrorLaunchTimeout")},
    {"barrier of more blocks than the GPU holds", "grid_barrier",
     "no progress: all 264 blocks of this kernel that the GPU holds at a time wait, and the others of its 265 start only "
     "when one of these ends",
     "block (0,0,0) thread (0,0,0)", FAULT("cudaErrorLaunchTimeout")},
    {"many blocks fail", "many", "directly past the end", "block (1,0,0) thread (0,0,0)", ADDRESS},
    {"three dimensions", "deep", "directly past the end", "in deep, block (1,2,3) thread (3,1,2)", ADDRESS},
};

/* Two lines: the message at the marked place, then that source line. */
static void assert_report(const char *text, const char *source, const char *mark, const char *message,
                          const char *place) {
  char where[256], quoted[64];
  int line = program_marked_line(folder, source, mark);
  snprintf(where, sizeof where, "%s:%d: ", source, line);
  snprintf(quoted, sizeof quoted, "\n%6d | ", line);
  ck_assert_msg(strstr(text, where) && strstr(text, message) && strstr(text, place) && strstr(text, quoted),
                "expected \"%s…%s…%s\", got \"%s\"", where, message, place, text);
  const char *end = strchr(text, '\n');
  ck_assert_msg(end > strstr(text, place) && strchr(end + 1, '\n') && !strchr(end + 1, '\n')[1],
                "expected one message and the source line, got \"%s\"", text);
}

START_TEST(a_fault_is_told_once_and_returned) {
  static const char *const threads[] = {"1", "2", "4"};
  struct program_result first;
  for (int i = 0; i < 3; i++) {
    setenv("SIMGPU_THREADS", threads[i], 1);
    struct program_result result = program_run((const char *[]){programs[0], faults[_i].name, NULL}, 100);
    ck_assert_str_eq(result.output, faults[_i].output);
    ck_assert_int_eq(result.status, 7);
    assert_report(result.message, "device_faults.cu", faults[_i].mark, faults[_i].message, faults[_i].place);
    if (i == 0)
      first = result;
    ck_assert_str_eq(result.message, first.message);
  }
}
END_TEST

static const struct {
  const char *name, *message, *error; /* error: NULL for cudaErrorInvalidValue */
} launches[] = {
    {"1025 threads",
     "fine refused: a block of 1025x1x1 threads: expected 1 to 1024x1024x64, and at most 1024 in all", NULL},
    {"33x32 threads",
     "fine refused: a block of 33x32x1 threads: expected 1 to 1024x1024x64, and at most 1024 in all", NULL},
    {"no thread", "fine refused: a block of 0x1x1 threads: expected 1 to ", NULL},
    {"65 threads deep", "fine refused: a block of 1x1x65 threads: expected 1 to ", NULL},
    {"no block", "fine refused: a grid of 0x1x1 blocks: expected 1 to 2147483647x65535x65535", NULL},
    {"65536 rows of blocks", "fine refused: a grid of 1x65536x1 blocks: expected 1 to 2147483647x65535x65535",
     NULL},
    {"49 KB of shared memory",
     "fine refused: 50176 bytes of dynamic shared memory: at most 49152, or up to "
     "232448 with cudaFuncSetAttribute(",
     NULL},
    {"228 KB of shared memory",
     "fine refused: 233472 bytes of dynamic shared memory: at most 232448 beside the kernel's 0 static bytes",
     NULL},
    {"beyond the launch bounds",
     "bounded refused: a block of 64x1x1 threads: the kernel's __launch_bounds__ allow at most 32", NULL},
    {"more registers than a multiprocessor has", "hungry refused: a block of 1024x1x1 threads with about ",
     LAUNCH("cudaErrorLaunchOutOfResources")},
    {"more blocks together than the GPU holds",
     "grid_sync refused: a cooperative launch of 265 blocks: the GPU holds 264 at a time, 2 on each of 132 multiprocessors",
     LAUNCH("cudaErrorCooperativeLaunchTooLarge")},
};

START_TEST(a_launch_beyond_the_limits_is_refused) {
  struct program_result result = program_run((const char *[]){programs[0], launches[_i].name, NULL}, 100);
  ck_assert_str_eq(result.output, launches[_i].error ? launches[_i].error : LAUNCH("cudaErrorInvalidValue"));
  ck_assert_int_eq(result.status, 7);
  ck_assert_int_eq(strncmp(result.message, "simgpu: launch of ", 18), 0);
  suite_assert_line(result.message, launches[_i].message);
}
END_TEST

START_TEST(a_launch_within_the_limits_is_silent) {
  struct program_result result = program_run((const char *[]){programs[0], "fine", NULL}, 100);
  ck_assert_str_eq(result.output, LAUNCH("cudaSuccess"));
  ck_assert_int_eq(result.status, 7);
  ck_assert_str_eq(result.message, "");
}
END_TEST

/* 0x10000000000 is the address of the first allocation. */
static const struct {
  const char *name, *message;
} copies[] = {
    {"copy to the host as to the device",
     "simgpu: refused: cudaMemcpyHostToDevice expects device memory as destination, but 0x"},
    {"copy from the host as from the device",
     "simgpu: refused: cudaMemcpyDeviceToHost expects device memory as source, but 0x"},
    {"copy from nowhere", "simgpu: refused: a copy whose source is a null pointer"},
    {"copy too much",
     "simgpu: refused: a copy of 4000 bytes, but the destination has only 3992 (an allocation of 3992 bytes)"},
    {"copy too much from the middle",
     "simgpu: refused: a copy of 3992 bytes, but the source has only 3960 (an allocation of 4000 bytes)"},
    {"copy rows beyond the end",
     "simgpu: refused: a copy of 5096 bytes, but the destination has only 4000 (an allocation of 4000 bytes)"},
    {"copy to freed memory", " is not in an allocation: it was freed, or is out of bounds"},
    {"copy to a variable's name",
     "simgpu: refused: the destination is a device variable, 'constants': use cudaMemcpyToSymbol"},
    {"copy too much to a variable",
     "simgpu: refused: a copy of 4004 bytes at offset 0 of 'constants', which has only 4000 bytes"},
    {"copy too much to a variable of a namespace",
     "simgpu: refused: a copy of 80 bytes at offset 0 of 'named::constants', which has only 64 bytes"},
    {"fill too much",
     "simgpu: refused: a fill of 4001 bytes, but the destination has only 4000 (an allocation of 4000 bytes)"},
    {"fill the host's memory", "simgpu: refused: a fill of 4 bytes at 0x"},
};

START_TEST(a_refused_copy_is_explained) {
  struct program_result result = program_run((const char *[]){programs[0], copies[_i].name, NULL}, 100);
  ck_assert_str_eq(result.output, LAUNCH("cudaErrorInvalidValue"));
  ck_assert_int_eq(result.status, 7);
  suite_assert_line(result.message, copies[_i].message);
}
END_TEST

START_TEST(refusals_do_not_flood) {
  struct program_result result =
      program_run((const char *[]){programs[0], "copy too much a hundred times", NULL}, 100);
  int lines = 0;
  for (const char *at = result.message; *at; at++)
    lines += *at == '\n';
  ck_assert_int_eq(lines, 10);
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__) /* its shadow memory occupies the addresses of device memory */
START_TEST(a_program_that_follows_a_device_pointer_is_told_why) {
  if (!emulator_permits(emulator_tells_of_signals()))
    return;
  struct program_result result =
      program_run((const char *[]){programs[0], "follow a device pointer", NULL}, 100);
  ck_assert_int_eq(result.status, -1);
  suite_assert_line(result.message,
                    "simgpu: the host program accesses 0x000001000000000c, which is device memory");
}
END_TEST

START_TEST(other_bad_pointers_are_the_programs_own) {
  if (!emulator_permits(emulator_tells_of_signals()))
    return;
  struct program_result result =
      program_run((const char *[]){programs[0], "follow a null pointer", NULL}, 100);
  ck_assert_int_eq(result.status, -1);
  ck_assert_str_eq(result.message, "");
}
END_TEST
#endif

START_TEST(an_unsupported_instruction_is_named) {
  static const char *const marks[] = {"function", "kernel"};
  static const char *const names[] = {"stacksave", "stackrestore"};
  struct program_result result = program_run((const char *[]){programs[1], NULL}, 100);
  ck_assert_str_eq(
      result.output,
      "cudaSuccess cudaErrorInvalidPtx cudaErrorInvalidPtx cudaErrorInvalidPtx cudaSuccess 41\n");
  ck_assert_int_eq(result.status, 7);
  for (int i = 0; i < 2; i++) {
    char expected[128];
    snprintf(expected, sizeof expected, "device_unsupported.cu:%d: unsupported instruction: '%s.u64'",
             program_marked_line(folder, "device_unsupported.cu", marks[i]), names[i]);
    ck_assert_msg(strstr(result.message, expected) != NULL, "expected \"%s\" in \"%s\"", expected,
                  result.message);
  }
  ck_assert_ptr_nonnull(strstr(result.message, "PTX line "));
  int lines = 0;
  for (const char *at = result.message; *at; at++)
    lines += *at == '\n';
  ck_assert_int_eq(lines, 2);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "FAULTS UNSUPPORTED SOURCES");
  programs[0] = argv[1];
  programs[1] = argv[2];
  folder = argv[3];
  setenv("SIMGPU_STRICT", "1", 1);
  TCase *tcase = tcase_create("faults");
  tcase_add_loop_test(tcase, a_fault_is_told_once_and_returned, 0, (int)(sizeof faults / sizeof *faults));
  tcase_add_loop_test(tcase, a_launch_beyond_the_limits_is_refused, 0,
                      (int)(sizeof launches / sizeof *launches));
  tcase_add_test(tcase, a_launch_within_the_limits_is_silent);
  tcase_add_loop_test(tcase, a_refused_copy_is_explained, 0, (int)(sizeof copies / sizeof *copies));
  tcase_add_test(tcase, refusals_do_not_flood);
#if !defined(__SANITIZE_ADDRESS__)
  tcase_add_test(tcase, a_program_that_follows_a_device_pointer_is_told_why);
  tcase_add_test(tcase, other_bad_pointers_are_the_programs_own);
#endif
  tcase_add_test(tcase, an_unsupported_instruction_is_named);
  tcase_set_timeout(tcase, 60);
  return suite_run_case("device_faults", tcase);
}
