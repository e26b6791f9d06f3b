/* The marks and the lines of unwritten blocks, as C programs know them (blocks.h) and as scripts
 * do: test_blocks BLOCKS.awk */
#include "blocks.h"
#include "files.h"
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *line;
  int todo, end;
  bool placeholder;
} lines[] = {
    {"  // TODO(2): launch it. (2 lines)", 2, 0, true},
    {"x = 1; // TODO(12)", 12, 0, false},
    {"// TODO(x) // TODO(3)", 3, 0, true},
    {"//TODO(3)", 3, 0, true},
    {"\t// END(4)", 0, 4, true},
    {"", 0, 0, true},
    {" \t\r", 0, 0, true},
    {"  return 2;", 0, 0, true},
    {"return {};  ", 0, 0, true},
    {"return failed(2);", 0, 0, false},
    {"return 2; x = 1;", 0, 0, false},
    {"  if (kappa2 != 0)", 0, 0, true},
    {"  if (f(x)) ", 0, 0, true},
    {"  if (kappa2 != 0) r += kappa2 * u;", 0, 0, false},
    {"  if (x) {", 0, 0, false},
    {"  for (;;)", 0, 0, false},
};
enum { LINES = sizeof lines / sizeof *lines };

static const char *script;

START_TEST(as_c_programs_know_them) {
  for (int n = 0; n < LINES; n++) {
    ck_assert_msg(blocks_mark(lines[n].line, "TODO") == lines[n].todo, "TODO of: %s", lines[n].line);
    ck_assert_msg(blocks_mark(lines[n].line, "END") == lines[n].end, "END of: %s", lines[n].line);
    ck_assert_msg(blocks_is_placeholder(lines[n].line) == lines[n].placeholder, "placeholder: %s",
                  lines[n].line);
  }
}
END_TEST

/* A block ends with the END of its own part; marks within it are its text. */
START_TEST(as_one_block_after_another) {
  static const char text[] =
      "int f() {\n// TODO(4): a\n// TODO(5): b\n return 4;\n// END(4)\n}\n// TODO(5): c\n r;\n// END(5)\n// TODO(5)\n";
  const size_t size = sizeof text - 1;
  struct blocks_place block = {.part = 0};
  ck_assert(blocks_next(text, size, 0, &block));
  ck_assert(block.part == 4 && block.first == 2 && block.last == 5);
  ck_assert_int_eq(strncmp(block.text, "// TODO(5): b\n return 4;\n// END(4)\n}", 36), 0);
  ck_assert_int_eq(*block.end, '}');
  ck_assert(blocks_next(text, size, 0, &block));
  ck_assert(block.part == 5 && block.first == 7 && block.last == 9);
  ck_assert(!blocks_next(text, size, 0, &block));
  block = (struct blocks_place){.part = 0};
  ck_assert(blocks_next(text, size, 5, &block) && block.first == 3 && block.last == 9);
  ck_assert(!blocks_next(text, size, 5, &block));
  static const int parts[] = {0, 0, 4, 4, 4, 4, 0, 5, 5, 5, 0};
  for (int line = 0; line < 11; line++)
    ck_assert_int_eq(blocks_part_of_line(text, size, line), parts[line]);
}
END_TEST

START_TEST(as_scripts_know_them) {
  files_enter();
  files_write("print.awk",
              "{ print block_mark($0, \"TODO\"), block_mark($0, \"END\"), block_placeholder($0) }\n");
  char command[4096], row[64], expected[64];
  FILE *file = fopen("lines", "w");
  for (int n = 0; n < LINES; n++)
    fprintf(file, "%s\n", lines[n].line);
  fclose(file);
  snprintf(command, sizeof command, "awk -f '%s' -f print.awk lines", script);
  FILE *said = popen(command, "r");
  for (int n = 0; n < LINES; n++) {
    snprintf(expected, sizeof expected, "%d %d %d\n", lines[n].todo, lines[n].end, lines[n].placeholder);
    ck_assert_msg(fgets(row, sizeof row, said) && strcmp(row, expected) == 0, "%s: expected %sgot %s",
                  lines[n].line, expected, row);
  }
  ck_assert_int_eq(pclose(said), 0);
  unlink("lines");
  files_leave("print.awk");
}
END_TEST

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  script = argv[1];
  TCase *cases = tcase_create("blocks");
  tcase_add_test(cases, as_c_programs_know_them);
  tcase_add_test(cases, as_one_block_after_another);
  tcase_add_test(cases, as_scripts_know_them);
  return suite_run_case("blocks", cases);
}
