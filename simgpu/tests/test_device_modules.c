/* What a judge counts of a module: words that its text may carry. */
#include "suite.h"

#include "totals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of instructions count beyond 2 MiB, without those that say where one comes from; initial values
 * beyond 4 KiB. */
static uint64_t words_of_module(int instructions, int places, int values) {
  char *text = NULL, *report = NULL;
  size_t length, size;
  FILE *out = open_memstream(&text, &length), *traffic = open_memstream(&report, &size);
  fputs(".version 7.0\n.target sm_80\n.address_size 64\n.global .align 1 .b8 values[", out);
  fprintf(out, "%d] = {1", values);
  for (int n = 1; n < values; n++)
    fputs(", 1", out);
  fputs("};\n.entry k() {\n.reg .b32 %r1;\n", out);
  for (int n = 0; n < instructions; n++)
    fputs("add.u32 %r1, %r1, 12345678;\n", out); /* 27 bytes */
  for (int n = 0; n < places; n++)
    fputs(" .loc 1 7 3, function_name L, inlined_at 1 9 5\n", out);
  fputs("ret;\n}\n", out);
  fclose(out);
  struct ptx_module *module = ptx_parse(text);
  ck_assert_str_eq(module->error, "");
  const struct memory memory = {0};
  struct totals *totals = totals_new(NULL, traffic, NULL, NULL);
  totals_loaded(totals, module);
  totals_close(totals, &memory);
  fclose(traffic);
  const char *commands = strstr(report, "commands,");
  ck_assert_ptr_nonnull(commands);
  const uint64_t words = strtoull(commands + strlen("commands,"), NULL, 10);
  ptx_free(module);
  free(report);
  return words;
}

START_TEST(modules_carry_words) {
  enum { LINE = 27, FREE = 2 << 20, DATA = 4 << 10 };
  ck_assert_uint_eq(words_of_module(10, 100000, 10), 0);
  ck_assert_uint_eq(words_of_module(10, 0, DATA), 0);
  ck_assert_uint_eq(words_of_module(10, 0, DATA + 400), 100);
  const uint64_t words = words_of_module(FREE / LINE + 40000, 0, 10), expected = 40000 * LINE / 4;
  ck_assert_msg(words >= expected && words < expected + 100, "got %" PRIu64 ", expected about %" PRIu64,
                words, expected);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("device_modules");
  TCase *test_case = tcase_create("modules");
  tcase_add_test(test_case, modules_carry_words);
  suite_add_tcase(suite, test_case);
  return suite_run(suite);
}
