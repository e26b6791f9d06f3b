/* SIMGPU_BREAK: what breakpoints print in a program with names (-G) and in one without, that they change nothing,
 * malformed values, and malformed debug information. argv[1], argv[2]: device_break without and with -G; argv[3]: its
 * PTX with -G; argv[4]: the folder of its source. */
#include "suite.h"

#include "breaks.h"
#include "device_program.h"
#include "dwarf.h"
#include "launch.h"
#include "module.h"
#include "random_numbers.h"

#include <ctype.h>

static const char *plain, *named, *ptx, *folder;
static const char source[] = "device_break.cu", counters_file[] = "device_break.counters.csv";

static int line_of(const char *mark) { return program_marked_line(folder, source, mark); }

/* "file.cu:LINE" and what follows, for the marked line. */
static const char *at(const char *mark, const char *rest) {
  static char text[2][128];
  static int next;
  next ^= 1;
  snprintf(text[next], sizeof text[next], "%s:%d%s", source, line_of(mark), rest);
  return text[next];
}

static struct program_result run(const char *program, const char *breakpoints, const char *hits) {
  setenv("SIMGPU_BREAK", breakpoints, 1);
  setenv("SIMGPU_BREAK_HITS", hits, 1);
  return program_run((const char *[]){program, NULL}, 60);
}

/* The text of the first hit, after the first line, which has paths, and the line of the source. */
static const char *block_of(const struct program_result *result) {
  const char *text = strstr(result->message, " | ");
  char *end = text ? strstr(text, "\nsimgpu") : NULL;
  ck_assert_msg(text && (text = strchr(text, '\n')), "no hit: %s", result->message);
  if (end)
    end[1] = '\0';
  return text + 1;
}

static void expect_hit(const char *program, const char *breakpoint, const char *expected) {
  const struct program_result result = run(program, breakpoint, "1");
  ck_assert_int_eq(result.status, 0);
  ck_assert_str_eq(block_of(&result), expected);
}

static void expect_within(const char *text, const char *expected) {
  ck_assert_msg(strstr(text, expected), "expected '%s' in: %.2000s", expected, text);
}

/* Values */

static const char globals[] = "  factor = {1, 2, 3, 4}\n";

START_TEST(values_of_each_type) {
  expect_hit(named, at("all", ":1,3"),
             "  blockIdx = (1,0,0)\n  threadIdx = (3,0,0)\n"
             "  out = 0x10000000000 (global) -> 310\n  in = 0x10000001200 (global) -> 0\n"
             "  n = 128\n  scale = 0.1\n"
             "  p = {first = 1.5, second = 2.25, n = {10, 11, 12}, in = {...}}\n"
             "  local = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, ...}\n"
             "  grid = {{1, 2, 3}, {4, 5, 67}}\n"
             "  q = {first = 1.5, second = 2.25, n = {10, 11, 12}, in = {...}}\n"
             "  i = 67\n  u = 4000000067\n  l = -1099511627843\n  w = 9223372036854775875\n"
             "  c = -92\n  sc = -3\n  s = -72\n  uc = 11\n  col = GREEN\n"
             "  in_tile = 0x100000000c (shared) -> 67.5\n  nothing = 0x1000000100 (shared) -> 0.1\n"
             "  third = 0.014285714\n  whole = -152\n"
             "  tile = {64.5, 65.5, 66.5, 67.5, 68.5, 69.5, 70.5, 71.5, ...}\n"
             "  factor = {1, 2, 3, 4}\n  counter = 310\n"
             "  dynamic = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, ...}\n");
}
END_TEST

START_TEST(a_loop_is_reached_in_each_pass) {
  const struct program_result result = run(named, at("body", ":5"), "3");
  const char *text = result.message;
  for (int k = 0; k < 3; k++) {
    char hit[64];
    snprintf(hit, sizeof hit, "thread (5,0,0), hit %d\n", k + 1);
    expect_within(text, hit);
    text = strstr(text, hit);
    snprintf(hit, sizeof hit, "\n  k = %d\n", k);
    expect_within(text, hit);
  }
  expect_within(text, ": values reaches it more often: SIMGPU_BREAK_HITS=N shows more than 3 hits\n");
  ck_assert_ptr_null(strstr(text, "hit 4"));
}
END_TEST

/* Inlined and called functions have their own variables; those that later lines declare are not set yet. */
START_TEST(functions_have_their_own_variables) {
  char expected[256];
  snprintf(
      expected, sizeof expected,
      "  blockIdx = (1,0,0)\n  threadIdx = (3,0,0)\n  v = 67\n  twice = 134\n%s  counter = 310\n  dynamic = ",
      globals);
  struct program_result result = run(named, at("inlined", ":1,3"), "1");
  expect_within(block_of(&result), expected);
  result = run(named, at("called", ":2"), "1");
  expect_within(block_of(&result), "  threadIdx = (2,0,0)\n  v = 3\n  half = 1.5\n  factor");
  result = run(named, at("opening", ""), "1");
  expect_within(result.message, ", hit 1 (the first line with code after line ");
  expect_within(block_of(&result),
                "  p = {first = 1.5, second = 2.25, n = {10, 11, 12}, in = {...}}\n  tile = {");
}
END_TEST

START_TEST(a_warp_has_the_lanes_of_its_branch) {
  const struct program_result result = run(named, at("odd", ":warp1"), "1");
  const char *text = block_of(&result);
  expect_within(text, "  threadIdx = - (33,0,0) - (35,0,0) - (37,0,0)");
  expect_within(text,
                "  i = - 33 - 35 - 37 - 39 - 41 - 43 - 45 - 47 - 49 - 51 - 53 - 55 - 57 - 59 - 61 - 63\n");
  expect_within(text, "  odd = - 2179 - 2451 - 2739 -");
  expect_within(text, "  n = 128 (each lane)\n");
  expect_within(text, "  third = - 0.027777778 - 0.02631579 -");
}
END_TEST

START_TEST(other_lines_and_threads) {
  struct program_result result = run(named, at("empty", ""), "1");
  char header[128];
  snprintf(
      header, sizeof header,
      ":%d in values, launch 1, block (0,0,0) thread (0,0,0), hit 1 (the first line with code after line %d)\n",
      line_of("empty") + 1, line_of("empty"));
  expect_within(result.message, header);
  result = run(named, at("rounds", ":0.0.0,3.1.1"), "1");
  expect_within(result.message, " in rounds<1>, launch 3, block (0,0,0) thread (3,1,1), hit 1\n");
  expect_within(block_of(&result),
                "  threadIdx = (3,1,1)\n  out = 0x10000001200 (global) -> 0\n  x = 1\n  down = 1\n");
  char two[256];
  snprintf(two, sizeof two, "%s;%s;", at("end", ":0,1"), at("called", ":1,2"));
  result = run(named, two, "1");
  expect_within(result.message, "block (0,0,0) thread (1,0,0), hit 1\n");
  expect_within(result.message, "block (1,0,0) thread (2,0,0), hit 1\n");
}
END_TEST

/* Without names */

START_TEST(instructions_without_names) {
  expect_hit(
      plain, at("inlined", ":1,3"),
      "  blockIdx = (1,0,0)\n  threadIdx = (3,0,0)\n"
      "  variables have no names: compile with -G. The line's instructions, with what they read -> write:\n"
      "  mul.lo.s32 %r47, %r46, %r46    %r46 = 67 -> %r47 = 4489\n"
      "  shl.b32 %r48, %r47, 1    %r47 = 4489 -> %r48 = 8978\n");
  const struct program_result result = run(plain, at("rounds", ":2"), "1");
  const char *text = block_of(&result);
  expect_within(text, "(global), %rd3 = 8 -> %rd4 = 0x10000001208 (global)\n");
  expect_within(text, "  st.global.f32 [%rd4], %f6    %rd4 = 0x10000001208 (global), %f6 = 1.2\n");
}
END_TEST

START_TEST(instructions_of_a_warp) {
  const struct program_result result = run(plain, at("inlined", ":warp"), "1");
  expect_within(block_of(&result), "  shl.b32 %r48, %r47, 1\n    %r47 = - 1 - 9 - 25 - 49 -");
  expect_within(block_of(&result), "\n -> %r48 = - 2 - 18 - 50 - 98 -");
}
END_TEST

/* The run stays the same */

static struct program_result counted(const char *program, char **counters) {
  const struct program_result result = program_run((const char *[]){program, NULL}, 60);
  *counters = program_read_file(counters_file);
  remove(counters_file);
  return result;
}

START_TEST(results_and_counters_stay) {
  const char *program = _i % 2 ? named : plain;
  char everywhere[512], *with, *without;
  snprintf(everywhere, sizeof everywhere, "%s;%s", at("body", ":5"), at("called", ":1,warp1"));
  setenv("SIMGPU_COUNTERS", counters_file, 1);
  setenv("SIMGPU_NATIVE", _i / 2 ? "always" : "off", 1);
  const struct program_result before = counted(program, &without);
  setenv("SIMGPU_BREAK", everywhere, 1);
  setenv("SIMGPU_BREAK_HITS", "5", 1);
  const struct program_result after = counted(program, &with);
  ck_assert_str_eq(before.message, "");
  expect_within(after.message, " thread (5,0,0), hit 2");
  expect_within(after.message, " warp 1, hit 2");
  ck_assert_str_eq(before.output, after.output);
  ck_assert_str_eq(without, with);
  free(with);
  free(without);
}
END_TEST

/* Malformed values */

static const struct {
  const char *value, *expected;
} impossible[] = {
    {"x.cu:3", "no kernel of this program comes from this file: expected one of device_break.cu"},
    {"device_break.cu:900", "no code from this line on: the last line of the file that has code is "},
    {"device_break.cu:40:2,0",
     "the block is outside of the grid: expected one of the 2x1x1 blocks of values"},
    {"device_break.cu:40:0.1,0",
     "the block is outside of the grid: expected one of the 2x1x1 blocks of values"},
    {"device_break.cu:40:64",
     "the thread is outside of the block: expected one of the 64x1x1 threads of a block of"},
    {"device_break.cu:40:warp2",
     "the warp is outside of the block: expected one of the 64x1x1 threads of a block of"},
};

/* Only the run shows them: the program is not disturbed. */
START_TEST(what_the_program_lacks_is_named) {
  const struct program_result result = run(_i % 2 ? plain : named, impossible[_i / 2].value, "1");
  char line[256], place[64];
  snprintf(place, sizeof place, "%s", impossible[_i / 2].value);
  char *colon = strchr(place, ':'), *second = colon ? strchr(colon + 1, ':') : NULL;
  if (second)
    *second = '\0';
  snprintf(line, sizeof line, "simgpu-device: SIMGPU_BREAK: %s: %s", place, impossible[_i / 2].expected);
  ck_assert_int_eq(result.status, 0);
  ck_assert_msg(strncmp(result.message, line, strlen(line)) == 0, "expected %s, got %s", line,
                result.message);
  ck_assert_ptr_eq(strchr(result.message, '\n') + 1, result.message + strlen(result.message));
}
END_TEST

START_TEST(a_line_that_no_thread_reaches_is_named) {
  const struct program_result result = run(named, at("odd", ":2"), "1");
  expect_within(result.message, ": the thread did not reach line ");
}
END_TEST

static const char *const malformed[] = {
    "a.cu",   "a.cu:",          "a.cu:0",    "a.cu:1:",          "a.cu:1:x",
    ":4",     "a.cu:1:1,",      "a.cu:1:,1", "a.cu:1:1,2,3",     "a.cu:1:warpx",
    "a:b",    "a.cu:1:1.2.3.4", "a.cu:1;b",  "a.cu:99999999999", "a.cu:1:warp1.2",
    "a.cu:1 "};

START_TEST(malformed_values_get_one_line) {
  const struct program_result result = run(named, malformed[_i], "1");
  char got[64];
  snprintf(got, sizeof got, "; got '%s'\nsimgpu: the device process ended (exit status 2)\n", malformed[_i]);
  ck_assert_int_eq(result.status, 1);
  expect_within(result.message,
                "simgpu-device: SIMGPU_BREAK: expected FILE:LINE or FILE:LINE:[BLOCK,]THREAD, ");
  expect_within(result.message, got);
}
END_TEST

/* Malformed debug information */

/* Runs the kernel of this text with breakpoints at all of its lines. */
static void load_and_run(char *text) {
  enum { BUFFER = 1 << 16, PAIR = 40 };
  struct device device = {0};
  char error[1024], lines[4096] = "";
  memory_open(&device.memory, UINT64_C(64) << 20);
  struct module *m = module_load(&device, text, error, sizeof error);
  if (!m) { /* a brace has gone */
    memory_close(&device.memory);
    return;
  }
  for (int line = line_of("opening"); line <= line_of("end"); line += 4)
    snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s:%d:1;", source, line);
  struct breaks *breaks = breaks_new(lines, 1);
  breaks_loaded(breaks, m->ptx);
  const struct allocation *a = memory_allocate(&device.memory, BUFFER);
  memset(a->host, 0, BUFFER);
  uint8_t params[32 + PAIR] = {0};
  memcpy(params, &a->base, sizeof a->base);
  memcpy(params + 8, &a->base, sizeof a->base);
  struct counters counters;
  for (uint32_t i = 0; i < m->kernel_count; i++)
    if (strncmp(m->kernels[i].ptx->name, "_Z6values", 9) == 0) {
      struct launch_request request = {.module = m,
                                       .kernel = module_kernel(m, i),
                                       .grid = {1, 1, 1},
                                       .block = {4, 1, 1},
                                       .shared_dynamic = 512,
                                       .params = params,
                                       .breaks = breaks};
      ck_assert_uint_eq(request.kernel->ptx->param_bytes, sizeof params);
      ck_assert_int_eq(launch_run(&request, &counters), SIM_OK);
    }
  breaks_close(breaks);
  module_unload(m);
  memory_close(&device.memory);
}

/* Changes some numbers of the sections, and seldom other characters. */
static char *damaged(const char *whole, struct random *random) {
  static const char signs[] = "0123456789$._,bL :{}";
  char *text = strdup(whole), *sections = strstr(text, ".section");
  const size_t length = strlen(sections);
  for (uint64_t n = 1 + random_next(random) % 200; n > 0; n--) {
    char *at = sections + random_next(random) % length;
    if (isdigit((unsigned char)*at) && at[-1] != 'b' && at[-2] != 'b')
      *at = signs[random_next(random) % 10];
    else if (random_next(random) % 256 == 0)
      *at = signs[random_next(random) % (sizeof signs - 1)];
  }
  if (random_next(random) % 8 == 0)
    sections[random_next(random) % length] = '\0';
  return text;
}

START_TEST(malformed_sections_get_one_line) {
  char *whole = program_read_file(ptx), error[256];
  struct random random = random_seed((uint64_t)_i);
  int refused = 0, accepted = 0;
  ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
  for (int n = 0; n < 30; n++) {
    char *text = damaged(whole, &random);
    struct dwarf *dwarf = dwarf_read(text, strlen(text), error, sizeof error);
    ck_assert(!dwarf || !error[0]);
    ck_assert_ptr_null(strchr(error, '\n'));
    refused += error[0] != '\0';
    accepted += dwarf != NULL;
    dwarf_free(dwarf);
    load_and_run(text);
  }
  ck_assert_int_gt(refused, 0);
  ck_assert_int_gt(accepted, 0);
  free(whole);
}
END_TEST

START_TEST(malformed_sections_leave_instructions) {
  char *text = program_read_file(ptx);
  memcpy(strstr(text, ".debug_abbrev\n\t{\n.b8 1") + 16, "what", 4);
  fflush(stderr);
  char *said = NULL;
  size_t size;
  FILE *to = open_memstream(&said, &size), *before = stderr;
  stderr = to;
  load_and_run(text);
  stderr = before;
  fclose(to);
  expect_within(said,
                "is malformed, so variables have no names: a section holds more than numbers and names\n");
  expect_within(said, "  variables have no names: ");
  free(said);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM PROGRAM_WITH_NAMES PTX FOLDER");
  plain = argv[1];
  named = argv[2];
  ptx = argv[3];
  folder = argv[4];
  TCase *tests = tcase_create("break");
  tcase_add_test(tests, values_of_each_type);
  tcase_add_test(tests, a_loop_is_reached_in_each_pass);
  tcase_add_test(tests, functions_have_their_own_variables);
  tcase_add_test(tests, a_warp_has_the_lanes_of_its_branch);
  tcase_add_test(tests, other_lines_and_threads);
  tcase_add_test(tests, instructions_without_names);
  tcase_add_test(tests, instructions_of_a_warp);
  tcase_add_loop_test(tests, results_and_counters_stay, 0, 4);
  tcase_add_loop_test(tests, what_the_program_lacks_is_named, 0, 2 * sizeof impossible / sizeof *impossible);
  tcase_add_test(tests, a_line_that_no_thread_reaches_is_named);
  tcase_add_loop_test(tests, malformed_values_get_one_line, 0, sizeof malformed / sizeof *malformed);
  tcase_add_loop_test(tests, malformed_sections_get_one_line, 0, 4);
  tcase_add_test(tests, malformed_sections_leave_instructions);
  tcase_set_timeout(tests, 60);
  return suite_run_case("device_break", tests);
}
