#include "options.h"
#include "suite.h"
#include <stdint.h>
#include <stdio.h>

static int nx, variant, seed;
static double kappa;
static const char *file;
static bool verbose;

static const char *const variants[] = {"csr", "naive", "tiled", "marching", NULL};
static const struct options_option apply_options[] = {
    OPTIONS_INT("nx", &nx, 3, 1000, "grid points per row"),
    OPTIONS_DOUBLE("kappa", &kappa, 0, 100, "Helmholtz parameter"),
    OPTIONS_CHOICE("variant", &variant, variants, "kernel"),
    OPTIONS_STRING("u", &file, "FILE", "input array"),
    OPTIONS_INT("seed", &seed, 1, 9, "required: 0 stands for none"),
    OPTIONS_FLAG("verbose", &verbose, "say more"),
    OPTIONS_END,
};
static const struct options_option no_options[] = {OPTIONS_END};
static const struct options_command commands[] = {
    {NULL, "apply the operator", apply_options},
    {"table", "time all kernels", no_options},
    OPTIONS_END,
};
static const struct options_command named_only[] = {{"table", "time all kernels", no_options}, OPTIONS_END};

static char taken[64]; /* what calls were given, in their order */
static void take(const char *text) {
  const size_t used = strlen(taken);
  snprintf(taken + used, sizeof taken - used, "%s %d;", text ? text : "none", nx);
}
static const struct options_option call_options[] = {
    OPTIONS_ARGUMENTS(take, "FILE ...", "files to join"),
    OPTIONS_INT("nx", &nx, 3, 1000, "grid points per row"),
    OPTIONS_CALL("limit", take, "TIME", "for the files after it"),
    OPTIONS_CALL("no-limit", take, NULL, "ends it"),
    OPTIONS_END,
};
static const struct options_command with_calls[] = {
    {NULL, "join files", call_options}, {"again", "the same", call_options}, OPTIONS_END};

static void set_defaults(void) {
  nx = 64, kappa = 0.5, variant = 1, file = NULL, seed = 0, verbose = false, *taken = 0;
}

enum { ARGUMENTS_MAX = 8 };

static int parse(const struct options_command *of, const char *const *arguments) {
  char *argv[ARGUMENTS_MAX + 2] = {"bin/stencil"};
  int argc = 1;
  for (; arguments[argc - 1]; argc++)
    argv[argc] = (char *)arguments[argc - 1];
  return options_parse("the discrete Laplacian", of, argc, argv);
}

#define ARGUMENTS(...) ((const char *const[ARGUMENTS_MAX + 1]){__VA_ARGS__})

START_TEST(defaults_stay) {
  ck_assert_int_eq(parse(commands, ARGUMENTS(NULL)), 0);
  ck_assert_int_eq(nx, 64);
  ck_assert_double_eq(kappa, 0.5);
  ck_assert_ptr_null(file);
}
END_TEST

START_TEST(every_kind_is_set) {
  ck_assert_int_eq(
      parse(commands, ARGUMENTS("--nx", "65", "--kappa=2.5", "--variant", "tiled", "--u=a=b", "--verbose")),
      0);
  ck_assert_int_eq(nx, 65);
  ck_assert_double_eq(kappa, 2.5);
  ck_assert_int_eq(variant, 2);
  ck_assert_str_eq(file, "a=b");
  ck_assert(verbose);
}
END_TEST

START_TEST(limits_are_included_and_the_last_value_counts) {
  parse(commands, ARGUMENTS("--nx=3", "--nx=1000", "--kappa=0"));
  ck_assert_int_eq(nx, 1000);
  ck_assert_double_eq(kappa, 0);
  parse(commands, ARGUMENTS("--nx=3", "--kappa=100"));
  ck_assert_int_eq(nx, 3);
  ck_assert_double_eq(kappa, 100);
}
END_TEST

START_TEST(commands_are_found) {
  ck_assert_int_eq(parse(commands, ARGUMENTS("table")), 1);
  ck_assert_int_eq(parse(named_only, ARGUMENTS("table")), 0);
}
END_TEST

START_TEST(calls_come_in_order) {
  ck_assert_int_eq(parse(with_calls, ARGUMENTS("a", "--limit", "9", "--nx=5", "b", "--no-limit", "c")), 0);
  ck_assert_str_eq(taken, "a 64;9 64;b 5;none 5;c 5;");
  ck_assert_int_eq(parse(with_calls, ARGUMENTS("again", "a")), 1);
  ck_assert_str_eq(taken, "a 64;9 64;b 5;none 5;c 5;a 5;");
}
END_TEST

struct mistake {
  const struct options_command *commands;
  const char *arguments[ARGUMENTS_MAX + 1];
  const char *message;
};

static const struct mistake mistakes[] = {
    {commands, {"--kapa", "1"}, "unknown option --kapa: did you mean --kappa?"},
    {commands, {"--kapa=1"}, "unknown option --kapa=1: did you mean --kappa?"},
    {commands, {"--varaint", "csr"}, "did you mean --variant?"},
    {commands, {"--hlep"}, "did you mean --help?"},
    {commands, {"-nx", "5"}, "unknown option -nx: did you mean --nx?"},
    {commands, {"--colour"}, "unknown option --colour: --help lists the options"},
    {commands, {"--uxy"}, "unknown option --uxy: --help lists the options"},
    {commands, {"--"}, "unknown option --: --help lists the options"},
    {commands, {"--nx"}, "--nx needs a value: N"},
    {commands, {"--u", "--nx", "5"}, "--u needs a value: FILE: input array"},
    {commands, {"--variant"}, "--variant needs a value: csr|naive|tiled|marching"},
    {commands, {"--nx", "2"}, "--nx 2: expected an integer from 3 to 1000"},
    {commands, {"--nx", "1001"}, "--nx 1001: expected an integer from 3 to 1000"},
    {commands, {"--nx", "-5"}, "--nx -5: expected an integer"},
    {commands, {"--nx", "6.5"}, "--nx 6.5: expected an integer"},
    {commands, {"--nx", "6x"}, "--nx 6x: expected an integer"},
    {commands, {"--nx", ""}, "--nx : expected an integer"},
    {commands, {"--nx", " 6"}, "--nx  6: expected an integer"},
    {commands, {"--nx", "99999999999999999999"}, "expected an integer"},
    {commands, {"--nx", "4294967300"}, "expected an integer"},
    {commands, {"--kappa", "-0.1"}, "--kappa -0.1: expected a number from 0 to 100"},
    {commands, {"--kappa", "100.5"}, "--kappa 100.5: expected a number from 0 to 100"},
    {commands, {"--kappa", "nan"}, "--kappa nan: expected a number"},
    {commands, {"--kappa", "inf"}, "--kappa inf: expected a number"},
    {commands, {"--kappa", "1e999"}, "--kappa 1e999: expected a number"},
    {commands, {"--kappa", "1,5"}, "--kappa 1,5: expected a number"},
    {commands, {"--variant", "tield"}, "--variant tield: did you mean tiled? (csr|naive|tiled|marching)"},
    {commands, {"--variant", "fast"}, "--variant fast: expected csr|naive|tiled|marching"},
    {commands, {"--verbose=1"}, "--verbose takes no value, got '1'"},
    {commands, {"tabel"}, "unknown command 'tabel': did you mean table?"},
    {commands, {"solve"}, "unknown command 'solve': --help lists the commands"},
    {commands, {"table", "--nx", "5"}, "unknown option --nx"},
    {commands, {"--nx", "5", "table"}, "unexpected argument 'table': expected an option"},
    {commands, {""}, "unknown command ''"},
    {with_calls, {"a", "--no-limit=1"}, "--no-limit takes no value, got '1'"},
    {with_calls, {"a", "--limit"}, "--limit needs a value: TIME: for the files after it"},
    {with_calls, {"a", "--"}, "unknown option --: --help lists the options"},
    {named_only, {NULL}, "expected a command: --help lists the commands"},
    {named_only, {"--nx"}, "expected a command"},
};

static void make_mistake(void *context) {
  const struct mistake *mistake = context;
  parse(mistake->commands, mistake->arguments);
}

START_TEST(mistakes_get_one_line_and_status_2) {
  struct mistake mistake = mistakes[_i];
  struct suite_child child = suite_child_run(STDERR_FILENO, make_mistake, &mistake);
  ck_assert_int_eq(child.status, 2);
  suite_assert_line(child.text, mistake.message);
}
END_TEST

static void ask_for_help(void *of) { parse(of, ARGUMENTS("--nx", "5", "--help")); }

static void expect_help(const struct options_command *of, const char *const *parts, size_t count) {
  struct suite_child child = suite_child_run(STDOUT_FILENO, ask_for_help, (void *)(uintptr_t)of);
  ck_assert_int_eq(child.status, 0);
  for (size_t k = 0; k < count; k++)
    ck_assert_msg(strstr(child.text, parts[k]) != NULL, "expected \"%s\" in:\n%s", parts[k], child.text);
}

START_TEST(help_comes_from_the_table) {
  static const char *const parts[] = {
      "stencil: the discrete Laplacian\n",
      "\nstencil [options]\n    apply the operator\n",
      "--nx N                   grid points per row (3 to 1000; default 64)\n",
      "--kappa X                Helmholtz parameter (0 to 100; default 0.5)\n",
      "--variant csr|naive|tiled|marching kernel (default naive)\n",
      "--u FILE                 input array\n",
      "--seed N                 required: 0 stands for none (1 to 9)\n",
      "--verbose                say more\n",
      "\nstencil table\n    time all kernels\n",
  };
  static const char *const with_arguments[] = {
      "\nstencil [options] FILE ...\n    join files\n  FILE ...                 files to join\n",
      "  --no-limit               ends it\n\nstencil again [options] FILE ...\n    the same\n",
  };
  expect_help(commands, parts, sizeof parts / sizeof *parts);
  expect_help(with_calls, with_arguments, sizeof with_arguments / sizeof *with_arguments);
}
END_TEST

START_TEST(list_of_numbers) {
  static const char list[] = "5,12,1000";
  const char *rest = list;
  ck_assert_int_eq(options_next_int("sizes", list, &rest, 5, 1000), 5);
  ck_assert_int_eq(options_next_int("sizes", list, &rest, 5, 1000), 12);
  ck_assert_int_eq(options_next_int("sizes", list, &rest, 5, 1000), 1000);
  ck_assert_str_eq(rest, "");
}
END_TEST

static void read_list(void *list) {
  for (const char *rest = list; *rest || rest == list;)
    options_next_int("sizes", list, &rest, 3, 9);
}

START_TEST(list_mistakes_get_one_line_and_status_2) {
  static const char *const lists[] = {"",    ",",   "5,",   ",5",    "5,,6",
                                      "5;6", "5,2", "5,10", "5,six", "99999999999999999999"};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    struct suite_child child = suite_child_run(STDERR_FILENO, read_list, (void *)(uintptr_t)lists[k]);
    ck_assert_msg(child.status == 2, "'%s': status %d", lists[k], child.status);
    suite_assert_line(child.text, "expected integers from 3 to 9");
    suite_assert_line(child.text, lists[k]);
  }
}
END_TEST

int main(void) {
  TCase *tests = tcase_create("options");
  tcase_add_checked_fixture(tests, set_defaults, NULL);
  tcase_add_test(tests, defaults_stay);
  tcase_add_test(tests, every_kind_is_set);
  tcase_add_test(tests, limits_are_included_and_the_last_value_counts);
  tcase_add_test(tests, commands_are_found);
  tcase_add_test(tests, calls_come_in_order);
  tcase_add_loop_test(tests, mistakes_get_one_line_and_status_2, 0, sizeof mistakes / sizeof *mistakes);
  tcase_add_test(tests, help_comes_from_the_table);
  tcase_add_test(tests, list_of_numbers);
  tcase_add_test(tests, list_mistakes_get_one_line_and_status_2);
  return suite_run_case("options", tests);
}
