/* test_compile GRADE ROOT KIT: what a source sees when it is compiled, what becomes of a compiler's files, and what
 * grade demands of the machine. */
#define _GNU_SOURCE /* mkdtemp */
#include "allocate.h"
#include "compile.h"
#include "error.h"
#include "program.h"
#include "self_test.h"
#include "suite.h"

#include <limits.h>
#include <sys/stat.h>

static char grade[PATH_MAX], root[PATH_MAX], kit[PATH_MAX], folder[PATH_MAX];
static struct installation installed;
static enum isolation level;

static bool compile(const struct installation *with, const char *text, struct error *why, bool *fault) {
  why->text[0] = '\0';
  return compile_lab(&(struct compile_order){.kit = with,
                                             .lab = installation_find(&installed, "03"),
                                             .text = text,
                                             .size = strlen(text),
                                             .libraries = installed.libraries,
                                             .limits = &compile_limits,
                                             .jail = {.level = level, .slot = 1}},
                     why, fault);
}

static void write_file(const char *name, const char *content, mode_t mode) {
  FILE *file = fopen(name, "w");
  fputs(content, file);
  fclose(file);
  chmod(name, mode);
}

static char *read_file(const char *name) {
  static char bytes[1 << 17];
  FILE *file = fopen(name, "r");
  ck_assert_msg(file != NULL, "%s", name);
  bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
  fclose(file);
  return bytes;
}

/* %s: the kit's folder. */
static const char *const spies[] = {
    "#include \"%s/solutions/03_compressed/compressed.cu\"\n",
    "#include \"../../../../../../../../../../../../../%s/grading/suites/suite_03_compressed.c\"\n",
    "#include <%s/labs/03_compressed/main.c>\n",
    "__asm__(\".incbin \\\"%s/grading/rubric/03.cfg\\\"\");\n",
    "__asm__(\".incbin \\\"%s/labs/03_compressed/HINTS.md\\\"\");\n",
    ("#if !__has_include(\"%1$s/solutions/03_compressed/compressed.cu\") && !__has_include(\"%1$s/labs\") && "
     "!__has_include(\"main.c\") && !__has_include(\"headers.3/main.c\") && !__has_include(\"/etc/passwd\") && "
     "!__has_include(\"/proc/1/cwd/kit\")\n#error unseen\n#endif\n"),
};

START_TEST(sources_see_headers_alone) {
  char text[4096];
  struct error why;
  bool fault;
  snprintf(text, sizeof text, spies[_i], root);
  ck_assert_msg(!compile(&installed, text, &why, &fault) && !fault, "%s", why.text);
  ck_assert_msg(strstr(why.text, "unseen") || strstr(why.text, "cannot open source file") ||
                    strstr(why.text, "does not find") || strstr(why.text, "file not found"),
                "%s", why.text);
}
END_TEST

START_TEST(sources_see_no_environment) {
  struct error why;
  bool fault;
  setenv("CANARY", "sings", 1);
  ck_assert(!compile(&installed, "#include \"/proc/self/environ\"\n", &why, &fault) && !fault);
  ck_assert_msg(!strstr(why.text, "sings"), "%s", why.text);
  ck_assert(!compile(&installed, "#include \"/proc/1/environ\"\n", &why, &fault) && !fault);
  ck_assert_msg(!strstr(why.text, "sings"), "%s", why.text);
}
END_TEST

/* A file of the kit. */
static char *read_file_of(const char *name) {
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s", root, name);
  return read_file(path);
}

START_TEST(a_header_of_ones_own_is_not_handed_in) {
  struct error why;
  bool fault;
  ck_assert(!compile(&installed, "\n#include \"helper.cuh\"\n", &why, &fault) && !fault);
  ck_assert_str_eq(
      why.text,
      "compressed.cu:2:10: error: the compiler does not find helper.cuh. Only compressed.cu is handed "
      "in: move the text of a header of your own into it");
}
END_TEST

/* An option of nvcc is needed for them, and costs the others time. */
START_TEST(extended_lambdas_compile) {
  struct error why;
  bool fault;
  const char *solution = read_file_of("solutions/03_compressed/compressed.cu");
  char *text = allocate_zeroed(1, strlen(solution) + 512);
  sprintf(text, "%s%s", solution,
          "template <typename F> __global__ void call(F f) { f(); }\n"
          "void use(int *x) { call<<<1, 1>>>([=] __device__ { *x = 1; }); }\n");
  ck_assert_msg(compile(&installed, text, &why, &fault), "%s", why.text);
  free(text);
}
END_TEST

START_TEST(solutions_compile) {
  struct error why;
  bool fault;
  ck_assert_msg(compile(&installed, read_file_of("solutions/03_compressed/compressed.cu"), &why, &fault),
                "%s", why.text);
  struct stat status;
  ck_assert_int_eq(lstat("program", &status), 0);
  ck_assert(S_ISREG(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & 0777) == 0755);
  ck_assert_int_ne(access("made", F_OK), 0);
}
END_TEST

/* Tools of a compiler that a source has taken over: cc makes "program". */
static struct installation with_linker(const char *script) {
  static char nvcc[PATH_MAX + 16], cc[PATH_MAX + 16];
  struct installation with = installed;
  char text[4096];
  mkdir("tools", 0755);
  mkdir("tools/bin", 0755);
  snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
  write_file("tools/bin/nvcc", "#!/bin/sh\necho > program.o\n", 0755);
  write_file("tools/bin/cc", text, 0755);
  snprintf(nvcc, sizeof nvcc, "%s/tools/bin/nvcc", folder);
  snprintf(cc, sizeof cc, "%s/tools/bin/cc", folder);
  with.nvcc = nvcc;
  with.cc = cc;
  return with;
}

static const char *const linkers[] = {"ln -s /etc/passwd program", "mkfifo program", "mkdir program", "true"};

START_TEST(only_a_regular_file_is_a_program) {
  const struct installation with = with_linker(linkers[_i]);
  struct error why;
  bool fault;
  struct stat status;
  ck_assert_msg(!compile(&with, "int x;\n", &why, &fault) && !fault, "%s", why.text);
  ck_assert_str_eq(why.text, "program: the linker made no regular file");
  ck_assert(lstat("program", &status) != 0 || S_ISREG(status.st_mode));
}
END_TEST

/* Of a compiler with the steps of nvcc: what the last one gets. others: steps beyond those that are known. */
static char *object_of_steps(const char *cudafe, const char *others) {
  static const char
      gcc[] = "#!/bin/sh\n[ \"$1\" = -E ] || echo at the same time > program.o\n",
      cicc[] =
          "#!/bin/sh\n> device\nfor n in 1 2 3 4 5 6 7 8 9; do [ -e host ] && exit; sleep .2; done; exit 1\n";
  const struct installation with = with_linker("cat program.o > program");
  char nvcc[PATH_MAX + 512];
  struct error why;
  bool fault;
  snprintf(
      nvcc, sizeof nvcc,
      "#!/bin/sh\ncase \"$*\" in *--dryrun) ;; *) echo one after the other > program.o; exit ;; esac\n"
      "cat <<E\n#$ PATH=%s/tools/bin:$PATH\n#$ gcc -E host\n#$ cudafe++ --gen_module_id_file --module_id_file_name \"id\"\n"
      "#$ gcc -E device\n#$ cicc\n%s#$ fatbinary\n#$ rm x\n#$ gcc -c host -o program.o\nE\n",
      folder, others);
  write_file("tools/bin/nvcc", nvcc, 0755);
  write_file("tools/bin/gcc", gcc, 0755);
  write_file("tools/bin/cudafe++", cudafe, 0755);
  write_file("tools/bin/cicc", cicc, 0755);
  write_file("tools/bin/fatbinary", "#!/bin/sh\n", 0755);
  ck_assert_msg(compile(&with, "int x;\n", &why, &fault), "%s", why.text);
  return read_file("program");
}

/* Each of cudafe++ and cicc waits for the other. If a step fails or is unknown, nvcc does it all. */
START_TEST(host_and_device_are_compiled_at_the_same_time) {
  static const char waits[] =
      "#!/bin/sh\n> host\nfor n in 1 2 3 4 5 6 7 8 9; do [ -e device ] && exit; sleep .2; done; exit 1\n";
  ck_assert_str_eq(object_of_steps(waits, ""), "at the same time\n");
  ck_assert_str_eq(object_of_steps("#!/bin/sh\n> host\nexit 1\n", ""), "one after the other\n");
  ck_assert_str_eq(object_of_steps(waits, "#$ ptxas\n"), "one after the other\n");
}
END_TEST

/* A compiler that a signal ends: for all sources it is the machine's fault, for the submission's alone it is not. */
START_TEST(a_compiler_crashes) {
  static const char *const when[] = {"true", "grep -q crash compressed.cu"};
  const struct installation with = with_linker("cat program.o > program");
  char nvcc[256];
  struct error why;
  bool fault;
  snprintf(nvcc, sizeof nvcc,
           "#!/bin/sh\ncase \"$*\" in *--dryrun*) exit 1 ;; esac\n%s && kill -SEGV $$\necho > program.o\n",
           when[_i]);
  write_file("tools/bin/nvcc", nvcc, 0755);
  ck_assert(!compile(&with, "int crash;\n", &why, &fault));
  ck_assert_msg(fault == (_i == 0), "%s", why.text);
  ck_assert_msg(strstr(why.text, "the compiler: "), "%s", why.text);
}
END_TEST

START_TEST(a_compiler_sees_its_own_folder_alone) {
  write_file("secret.txt", "secret", 0644);
  char script[2 * PATH_MAX + 64];
  snprintf(script, sizeof script, "cat %s/secret.txt > program; ls %s >> program; ls -a .. >> program",
           folder, folder);
  const struct installation with = with_linker(script);
  struct error why;
  bool fault;
  ck_assert_msg(compile(&with, "int x;\n", &why, &fault), "%s", why.text);
  ck_assert_str_eq(read_file("program"), "made\ntools\n.\n..\nmade\ntools\n");
}
END_TEST

START_TEST(a_jail_that_cannot_be_made_is_a_fault_of_the_machine) {
  struct error why;
  bool fault;
  char path[PATH_MAX + 16];
  mkdir("bin", 0755);
  write_file("bin/bwrap", "#!/bin/sh\necho 'bwrap: no room' >&2\nexit 1\n", 0755);
  snprintf(path, sizeof path, "%s/bin:%s", folder, getenv("PATH"));
  setenv("PATH", path, 1);
  ck_assert(!compile(&installed, "int x;\n", &why, &fault) && fault);
  ck_assert_msg(strstr(why.text, "bwrap: no room"), "%s", why.text);
}
END_TEST

/* --- grade --isolation --- */

/* Runs grade on a submission that does not compile, or on a class of it. */
static struct program_result run_grade(const char *path, const char *const *options) {
  const char *words[24] = {"/usr/bin/env", path, grade, "--installation", kit, "--lab", "03/sweep"};
  int count = 7;
  for (; *options; options++)
    words[count++] = *options;
  write_file("bad.cu", "nonsense\n", 0644);
  return program_run(words, 100);
}

static void expect_isolation(const char *path, const char *const *options, const char *wanted) {
  char expected[64];
  const struct program_result ended = run_grade(path, options);
  ck_assert_msg(ended.status == 0, "%s", ended.message);
  snprintf(expected, sizeof expected, "\"level\": \"%s\"", wanted);
  ck_assert_msg(strstr(read_file("result.json"), expected), "%s", read_file("result.json"));
}

#define OPTIONS(...)                                                                                         \
  (const char *const[]) { "--json", "result.json", "bad.cu", __VA_ARGS__ NULL }

START_TEST(results_have_the_level_that_held) {
  static const char same[] = "A=B";
  expect_isolation(same, OPTIONS(), "full");
  expect_isolation(same, OPTIONS("--isolation", "full", ), "full");
  expect_isolation(same, OPTIONS("--isolation", "reduced", ), "full");
  expect_isolation(same, OPTIONS("--isolation", "none", ), "none");
  char name[PATH_MAX];
  strcpy(name, kit);
  ck_assert_int_eq(symlink(name, "kit.cfg"), 0); /* its folder, by a relative name, is the program's own */
  strcpy(kit, "kit.cfg");
  expect_isolation(same, OPTIONS("--isolation", "full", ), "full");
}
END_TEST

/* A PATH with everything that grading needs, except bubblewrap. */
static const char *few(void) {
  static char path[PATH_MAX + 16];
  mkdir("few", 0755);
  ck_assert_int_eq(system("for f in /usr/bin/*; do case $f in */bwrap) ;; *) ln -sf $f few/ ;; esac; done"),
                   0);
  snprintf(path, sizeof path, "PATH=%s/few", folder);
  return path;
}

START_TEST(less_is_refused_if_full_is_demanded) {
  struct program_result ended = run_grade(few(), OPTIONS("--isolation", "full", ));
  ck_assert_int_eq(ended.status, 2);
  suite_assert_line(ended.message, "isolation is reduced, expected full (or grade with --isolation reduced); "
                                   "missing: bubblewrap: apt install bubblewrap");
  ck_assert(strstr(read_file("result.json"), "\"verdict\": \"INFRA\""));
  expect_isolation(few(), OPTIONS("--isolation", "reduced", ), "reduced");
  expect_isolation(few(), OPTIONS(), "reduced");
  ended = run_grade(few(), OPTIONS());
  ck_assert_msg(strstr(ended.output, "isolation reduced: missing: bubblewrap: apt install bubblewrap"), "%s",
                ended.output);
}
END_TEST

START_TEST(a_class_demands_full) {
  mkdir("class", 0755);
  write_file("class/compressed.cu", "nonsense\n", 0644);
  const char *const words[] = {"/usr/bin/env", few(),     grade,   "--installation", kit,   "--lab",
                               "03",           "--class", "class", "--out",          "out", NULL,
                               NULL,           NULL};
  const char *reduced[14];
  memcpy(reduced, words, sizeof words);
  struct program_result ended = program_run(words, 100);
  ck_assert_int_eq(ended.status, 2);
  suite_assert_line(ended.message, "isolation is reduced, expected full");
  reduced[11] = "--isolation";
  reduced[12] = "reduced";
  ended = program_run(reduced, 100);
  ck_assert_msg(ended.status == 0, "%s", ended.message);
  ended = program_run(reduced, 100);
  ck_assert_msg(strstr(ended.output, "(graded before)"), "%s", ended.output);
  reduced[1] = "A=B"; /* now with bubblewrap: a grade of the lower level is not kept */
  ended = program_run(reduced, 100);
  ck_assert_msg(ended.status == 0 && !strstr(ended.output, "(graded before)"), "%s", ended.output);
  reduced[1] = words[1];
  ended = program_run(reduced, 100);
  ck_assert_msg(strstr(ended.output, "(graded before)"), "%s", ended.output);
}
END_TEST

START_TEST(a_check_says_nothing_of_isolation) {
  write_file("bad.cu", "nonsense\n", 0644);
  const struct program_result ended =
      program_run((const char *[]){grade, "check", "--installation", kit, "--lab", "03/sweep", "--json",
                                   "result.json", "bad.cu", NULL},
                  100);
  ck_assert(!strstr(ended.output, "isolation") && !strstr(ended.message, "isolation"));
  ck_assert(strstr(read_file("result.json"), "\"level\": \"none\""));
}
END_TEST

static void enter(void) {
  char name[] = "/var/tmp/compile.XXXXXX";
  if (!mkdtemp(name) || !realpath(name, folder) || chmod(folder, 0777) != 0 || chdir(folder) != 0)
    error_die("cannot make a folder");
}

int main(int argc, char **argv) {
  static const char *const none[] = {NULL};
  struct error error;
  if (argc != 4 || !realpath(argv[1], grade) || !realpath(argv[2], root) || !realpath(argv[3], kit))
    error_die("expected GRADE ROOT KIT");
  if (!installation_read(kit, &installed, &error))
    error_die("%s", error.text);
  const struct self_test machine = self_test_run(ISOLATION_FULL, none, none, 2);
  level = machine.level;
  enter();
  TCase *cases = tcase_create("compile");
  tcase_set_timeout(cases, 200);
  tcase_add_test(cases, a_check_says_nothing_of_isolation);
  if (level == ISOLATION_FULL) {
    tcase_add_loop_test(cases, sources_see_headers_alone, 0, sizeof spies / sizeof *spies);
    tcase_add_test(cases, sources_see_no_environment);
    tcase_add_test(cases, solutions_compile);
    tcase_add_test(cases, a_header_of_ones_own_is_not_handed_in);
    tcase_add_test(cases, extended_lambdas_compile);
    tcase_add_loop_test(cases, only_a_regular_file_is_a_program, 0, sizeof linkers / sizeof *linkers);
    tcase_add_test(cases, host_and_device_are_compiled_at_the_same_time);
    tcase_add_test(cases, a_compiler_sees_its_own_folder_alone);
    tcase_add_loop_test(cases, a_compiler_crashes, 0, 2);
    tcase_add_test(cases, a_jail_that_cannot_be_made_is_a_fault_of_the_machine);
    tcase_add_test(cases, results_have_the_level_that_held);
    tcase_add_test(cases, less_is_refused_if_full_is_demanded);
    tcase_add_test(cases, a_class_demands_full);
  } else
    suite_skip(machine.missing);
  const int status = suite_run_case("compile", cases);
  if (chdir("/") == 0)
    program_run((const char *[]){"/bin/rm", "-rf", folder, NULL}, 10);
  return status;
}
