/* The line of a fault, finding or count in an inlined function, and its calls. argv[1]: device_inlined; argv[2]: the
 * folder of its source. */
#include "suite.h"

#include "device_program.h"

#include <stdio.h>
#include <unistd.h>

static const char *program, *folder;
static const char source[] = "device_inlined.cu", header[] = "device_inlined.h";

/* Finds `mark` in the source: "name.cu:12", preceded by anything. */
static const char *place(const char *file, const char *mark) {
  static char texts[8][64];
  static int next;
  char *text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "/%s:%d", file, program_marked_line(folder, file, mark));
  return text;
}

/* The parts must follow each other. */
static void expect_parts(const char *text, const char *const *parts, int count) {
  const char *at = text;
  for (int i = 0; i < count; i++) {
    const char *found = strstr(at, parts[i]);
    ck_assert_msg(found, "expected '%s' in:\n%s", parts[i], at);
    at = found + strlen(parts[i]);
  }
}

static struct program_result run(const char *name) {
  return program_run((const char *[]){program, name, NULL}, 30);
}

static const struct {
  const char *name, *here, *inner, *calls[2], *what;
} faults[] = {
    {"direct", "store", NULL, {"direct", NULL}, "out-of-bounds write of 4 bytes"},
    {"nested first", "store", NULL, {"first", "nested"}, "out-of-bounds write of 4 bytes"},
    {"nested second", "store", NULL, {"second", "nested"}, "out-of-bounds write of 4 bytes"},
    {"header", "header", "header_read", {NULL, NULL}, "out-of-bounds read of 4 bytes"},
    {"header nested", "read_second", "header_read", {"header_nested", NULL}, "out-of-bounds read of 4 bytes"},
    {"toolkit", "toolkit", NULL, {NULL, NULL}, "out-of-bounds write of 4 bytes"},
};
enum { FAULTS = sizeof faults / sizeof *faults };

START_TEST(a_fault_names_its_line_and_the_calls) {
  struct program_result result = run(faults[_i].name);
  char end[256] = "thread (0,0,0)", *line = result.message;
  const char *inner = faults[_i].inner ? place(header, faults[_i].inner) : NULL;
  int lines = 1 + (inner != NULL);
  expect_parts(line, (const char *[]){place(source, faults[_i].here), ": ", faults[_i].what, end}, 4);
  line = strstr(line, end) + strlen(end);
  if (inner)
    expect_parts(line, (const char *[]){", at ", inner}, 2);
  for (int i = 0; i < 2 && faults[_i].calls[i]; i++, lines++)
    expect_parts(line, (const char *[]){i ? ", from " : ", called from ", place(source, faults[_i].calls[i])},
                 2);
  if (lines == 1)
    ck_assert_msg(*line == '\n', "%s", line);
  int shown = 0;
  for (const char *bar = result.message; (bar = strstr(bar, " | ")); bar++)
    shown++;
  ck_assert_int_eq(shown, lines);
}
END_TEST

START_TEST(a_race_names_both_calls) {
  setenv("SIMGPU_CHECKS", "1", 1);
  struct program_result result = run("race");
  char at[64];
  snprintf(at, sizeof at, "at line %d (called from ", program_marked_line(folder, source, "store"));
  expect_parts(result.message,
               (const char *[]){place(source, "store"), ": race: write of ", at, place(source, "race_first"),
                                "), in race, block (0,0,0) thread (", ",0,0), called from ",
                                place(source, "race_first")},
               7);
}
END_TEST

/* Columns 2 and 3 of the lines, 7 and 8 of the addresses; see source_report.h and addresses.h. */
START_TEST(counts_and_addresses_have_the_line_in_the_source) {
  static const char *const variables[] = {"SIMGPU_LINES", "SIMGPU_ADDRESSES"};
  char path[64], line[2][16];
  snprintf(path, sizeof path, "device_inlined.%d.csv", (int)getpid());
  setenv(variables[_i], path, 1);
  run("in bounds");
  char *text = program_read_file(path);
  remove(path);
  ck_assert_ptr_null(strstr(text, header));
  snprintf(line[0], sizeof line[0], "\",%d,", program_marked_line(folder, source, "read_first"));
  snprintf(line[1], sizeof line[1], "\",%d,", program_marked_line(folder, source, "read_second"));
  expect_parts(text, (const char *[]){source, line[0], source, line[1]}, 4);
  free(text);
}
END_TEST

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: test_device_inlined INLINED FOLDER\n");
    return 2;
  }
  program = argv[1];
  folder = argv[2];
  setenv("SIMGPU_STRICT", "1", 1);
  Suite *suite = suite_create("device_inlined");
  TCase *test_case = tcase_create("inlined");
  tcase_add_loop_test(test_case, a_fault_names_its_line_and_the_calls, 0, FAULTS);
  tcase_add_test(test_case, a_race_names_both_calls);
  tcase_add_loop_test(test_case, counts_and_addresses_have_the_line_in_the_source, 0, 2);
  tcase_set_timeout(test_case, 60);
  suite_add_tcase(suite, test_case);
  return suite_run(suite);
}
