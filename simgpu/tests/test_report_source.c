/* The report per source line: its sums, its remarks, and the whole report of a program.
 * argv[1]: report_patterns, linked with the simulated GPU. */
#include "suite.h"

#include "device/report.h"
#include "device_program.h"
#include "files.h"
#include "source_report.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *program;

/* Added up by hand */

static char *written(const struct source_report *report) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(stream);
  source_report_write(report, stream);
  fclose(stream);
  return text;
}

/* The report of one line with one instruction. */
static char *report_of(enum op_class class, struct instruction_statistics stats) {
  struct source_report *report = source_report_new();
  source_report_launch(report, "kernel");
  source_report_add(report, "nowhere.cu", 7, &(struct op){.class = (uint8_t) class}, &stats);
  char *text = written(report);
  source_report_free(report);
  return text;
}

#define FULL(n) .warps = (n), .threads = LANES * (n), .requests = (n)

static const struct remark {
  enum op_class class;
  struct instruction_statistics stats;
  const char *says; /* NULL: nothing */
} remarks[] = {
    {CLASS_GLOBAL_LOAD, {FULL(4), .sectors = 16, .bytes = 512}, NULL},
    {CLASS_GLOBAL_LOAD, {FULL(4), .sectors = 20, .bytes = 512}, NULL}, /* unaligned rows */
    {CLASS_GLOBAL_LOAD, {FULL(4), .sectors = 4, .bytes = 16}, NULL},   /* all lanes load one word */
    {CLASS_GLOBAL_LOAD,
     {FULL(4), .sectors = 32, .bytes = 512},
     "^ loads: 8.0 sectors per request, 4.0 would be enough: the lanes use 16.0 of every 32 bytes\n"},
    {CLASS_GLOBAL_STORE,
     {FULL(2), .sectors = 64, .bytes = 256},
     "^ stores: 32.0 sectors per request, 4.0 would be enough: the lanes write 4.0 of every 32 bytes\n"},
    {CLASS_SHARED_LOAD, {FULL(8), .wavefronts = 8}, NULL},
    {CLASS_SHARED_LOAD, {FULL(8), .wavefronts = 32, .conflicts = 0}, NULL}, /* 128 bits a lane */
    {CLASS_SHARED_STORE,
     {FULL(8), .wavefronts = 256, .conflicts = 248},
     "^ 32.0-way bank conflict: 32.0 wavefronts per request, 1.0 would be enough\n"},
    {CLASS_LOCAL_LOAD, {FULL(1), .sectors = 4, .bytes = 128}, "^ local memory: "},
    {CLASS_OTHER, {.warps = 10, .threads = 310}, NULL},
    {CLASS_OTHER, {.warps = 10, .threads = 160}, "^ 50 % of the lanes are idle\n"},
    {CLASS_BRANCH, {.warps = 10, .threads = 320, .divergent = 2}, NULL},
    {CLASS_BRANCH, {.warps = 10, .threads = 320, .divergent = 5}, "^ 50 % of the branches diverge\n"},
};

START_TEST(remarks_on_waste_only) {
  const struct remark *r = &remarks[_i];
  char *text = report_of(r->class, r->stats);
  if (r->says)
    ck_assert_msg(strstr(text, r->says) != NULL, "expected \"%s\" in:\n%s", r->says, text);
  else
    ck_assert_msg(strchr(text, '^') == NULL, "expected no remark in:\n%s", text);
  free(text);
}
END_TEST

START_TEST(launches_and_instructions_of_a_line_add_up) {
  struct source_report *report = source_report_new();
  const struct op load = {.class = CLASS_GLOBAL_LOAD}, other = {.class = CLASS_OTHER};
  for (int launch = 0; launch < 2; launch++) {
    source_report_launch(report, "first");
    source_report_add(report, "a.cu", 9, &load,
                      &(struct instruction_statistics){FULL(3), .sectors = 12, .bytes = 384});
    source_report_add(report, "a.cu", 3, &other,
                      &(struct instruction_statistics){.warps = 5, .threads = 160});
    source_report_add(report, "a.cu", 9, &other, &(struct instruction_statistics){.warps = 1, .threads = 0});
    source_report_launch(report, "second");
    source_report_add(report, NULL, 0, &other, &(struct instruction_statistics){.warps = 1, .threads = 32});
  }
  char *text = written(report);
  const char *first = strstr(text, "first: 2 launches, 18 warp instructions\na.cu\n");
  const char *second = strstr(text, "second: 2 launches, 2 warp instructions\nno source lines");
  ck_assert_msg(first && second && first < second, "%s", text);
  const char *line3 = strstr(text, "      3           10  1.00"), *gap = strstr(text, "\n    ...\n");
  const char *line9 = strstr(text, "      9            8  0.75         6     4.0  32.0");
  ck_assert_msg(line3 && gap && line9 && line3 < gap && gap < line9, "%s", text);
  free(text);
  source_report_free(report);
}
END_TEST

/* Both reports come from the same sums; columns are those of a load, then a store. */
START_TEST(rows_for_programs_hold_the_same) {
  struct source_report *report = source_report_new();
  char *text = NULL;
  size_t size;
  source_report_launch(report, "k");
  source_report_add(report, "b.cu", 9, &(struct op){.class = CLASS_GLOBAL_STORE},
                    &(struct instruction_statistics){FULL(2), .sectors = 64, .bytes = 256});
  source_report_add(report, "a \"b\".cu", 7, &(struct op){.class = CLASS_BRANCH},
                    &(struct instruction_statistics){.warps = 4, .threads = 64, .divergent = 3});
  source_report_add(report, "a \"b\".cu", 7, &(struct op){.class = CLASS_SHARED_LOAD},
                    &(struct instruction_statistics){FULL(2), .wavefronts = 8, .conflicts = 6});
  FILE *stream = open_memstream(&text, &size);
  source_report_write_csv(report, stream);
  fclose(stream);
  ck_assert_str_eq(text,
                   "kernel,launches,file,line,instructions,thread_instructions,branches,divergent_branches,"
                   "load_requests,load_sectors,load_fewest_sectors,load_bytes,"
                   "store_requests,store_sectors,store_fewest_sectors,store_bytes,"
                   "atomic_requests,atomic_sectors,atomic_fewest_sectors,atomic_bytes,"
                   "shared_requests,shared_wavefronts,shared_fewest_wavefronts,local_requests,"
                   "work_instructions,work_thread_instructions\n"
                   "\"k\",1,\"a \"\"b\"\".cu\",7,6,128,4,3,0,0,0,0,0,0,0,0,0,0,0,0,2,8,2,0,2,64\n"
                   "\"k\",1,\"b.cu\",9,2,64,0,0,0,0,0,0,2,64,8,256,0,0,0,0,0,0,0,0,2,64\n");
  free(text);
  source_report_free(report);
}
END_TEST

/* A program */

/* The report's line for the source line that ends with `comment`, and the remarks below it. */
static const char *line_with(const char *text, const char *comment, char *line, size_t size) {
  const char *at = strstr(text, comment);
  ck_assert_msg(at != NULL, "no line \"%s\" in:\n%s", comment, text);
  const char *start = at, *end = strchr(at, '\n') + 1;
  while (start > text && start[-1] != '\n')
    start--;
  while (*end == ' ' && end[strspn(end, " ")] == '^')
    end = strchr(end, '\n') + 1;
  snprintf(line, size, "%.*s", (int)(end - start), start);
  return line;
}

static const struct {
  const char *comment, *counts, *remark;
} lines[] = {
    {"// strided load", "        48     8.0  16.0", "8.0 sectors per request, 4.0 would be enough"},
    {"// two-way conflict", "        48        2.0        48", "2.0-way bank conflict"},
    {"// conflict-free", "        48        1.0         0", NULL},
    {"// half of the lanes", "0.5", "% of the lanes are idle"},
    {"// splits every warp", "        48 | ", "100 % of the branches diverge"},
    {"// full sectors", "        48     4.0  32.0", NULL},
};

static void judge(const char *text) {
  char line[1024];
  ck_assert_msg(strstr(text, "wasteful: 2 launches") != NULL, "%s", text);
  ck_assert_msg(strstr(text, "report_patterns.cu\n") != NULL, "%s", text);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    line_with(text, lines[i].comment, line, sizeof line);
    ck_assert_msg(strstr(line, lines[i].counts) != NULL, "expected \"%s\" in:\n%s", lines[i].counts, line);
    if (lines[i].remark)
      ck_assert_msg(strstr(line, lines[i].remark) != NULL, "expected \"%s\" in:\n%s", lines[i].remark, line);
    else
      ck_assert_msg(strstr(line, "  ^ ") == NULL, "expected no remark in:\n%s", line);
  }
}

START_TEST(a_program_is_reported_line_by_line) {
  static const char file[] = "report_source.txt", table[] = "report_source.csv";
  setenv("SIMGPU_REPORT", file, 1);
  setenv("SIMGPU_LINES", table, 1);
  struct program_result result = program_run((const char *[]){program, NULL}, 60);
  ck_assert_msg(result.status == 0, "%s: %s", program, result.message);
  char *text = program_read_file(file), *rows = program_read_file(table);
  remove(file);
  remove(table);
  judge(text);
  ck_assert_msg(strstr(rows, "\n\"wasteful\",2,\"") != NULL, "%s", rows);
  free(text);
  free(rows);
}
END_TEST

START_TEST(a_dash_means_standard_error) {
  setenv("SIMGPU_REPORT", "-", 1);
  struct program_result result = program_run((const char *[]){program, NULL}, 60);
  ck_assert_int_eq(result.status, 0);
  judge(result.message);
}
END_TEST

START_TEST(a_file_that_cannot_be_written_is_told) {
  setenv("SIMGPU_REPORT", "/nowhere/report.txt", 1);
  struct program_result result = program_run((const char *[]){program, NULL}, 60);
  ck_assert_int_ne(result.status, 0);
  ck_assert_msg(strstr(result.message, "SIMGPU_REPORT: /nowhere/report.txt: cannot write: ") != NULL, "%s",
                result.message);
}
END_TEST

/* Source files */

/* The file's first line as report_open() gives it, or "". */
static const char *opened(const char *path) {
  static char line[64];
  FILE *file = report_open(path);
  line[0] = '\0';
  if (file && !fgets(line, sizeof line, file))
    line[0] = '\0';
  if (file)
    fclose(file);
  return line;
}

START_TEST(only_files_below_the_source_root_are_read) {
  char folder[] = "/tmp/report_source_XXXXXX", path[128];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chdir(folder), 0);
  mkdir("root", 0700);
  mkdir("rooted", 0700);
  files_write("secret", "secret");
  files_write("rooted/secret", "secret");
  files_write("root/a.cu", "source");
  ck_assert_int_eq(symlink("a.cu", "root/link.cu"), 0);
  ck_assert_int_eq(symlink("../secret", "root/away.cu"), 0);
  ck_assert_int_eq(mkfifo("root/pipe.cu", 0600), 0);
  FILE *pipe = fopen("root/pipe.cu", "r+");
  ck_assert_ptr_nonnull(pipe);
  fputs("piped\n", pipe);
  fflush(pipe);
  ck_assert_str_eq(opened("secret"), "secret"); /* without a root, any regular file */
  ck_assert_str_eq(opened("root/pipe.cu"), "");
  ck_assert_str_eq(opened("/dev/zero"), "");

  snprintf(path, sizeof path, "%s/root", folder);
  setenv("SIMGPU_SOURCE_ROOT", path, 1);
  static const struct {
    const char *path, *text;
  } cases[] = {
      {"%s/root/a.cu", "source"},
      {"a.cu", "source"},
      {"%s/root/link.cu", "source"},
      {"%s/root/away.cu", ""},
      {"%s/root/pipe.cu", ""},
      {"%s/root/../secret", ""},
      {"%s/rooted/secret", ""},
      {"%s/secret", ""},
      {"../secret", ""},
      {"/etc/passwd", ""},
      {"%s/root/none.cu", ""},
      {"%s/root", ""},
      {"%s/root0a.cu", ""},
      {"", ""},
      {"/proc/self/environ", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(path, sizeof path, cases[i].path, folder);
    ck_assert_msg(strcmp(opened(path), cases[i].text) == 0, "%s: '%s'", path, opened(path));
  }
  setenv("SIMGPU_SOURCE_ROOT", "/nowhere", 1);
  ck_assert_str_eq(opened("a.cu"), "");
  fclose(pipe);
  snprintf(path, sizeof path, "rm -r %s", folder);
  ck_assert_int_eq(system(path), 0);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "PROGRAM");
  program = argv[1];
  Suite *suite = suite_create("report_source");
  TCase *sums = tcase_create("sums"), *programs = tcase_create("programs");
  tcase_add_loop_test(sums, remarks_on_waste_only, 0, sizeof remarks / sizeof *remarks);
  tcase_add_test(sums, launches_and_instructions_of_a_line_add_up);
  tcase_add_test(sums, rows_for_programs_hold_the_same);
  tcase_add_test(sums, only_files_below_the_source_root_are_read);
  tcase_add_test(programs, a_program_is_reported_line_by_line);
  tcase_add_test(programs, a_dash_means_standard_error);
  tcase_add_test(programs, a_file_that_cannot_be_written_is_told);
  tcase_set_timeout(programs, 60);
  suite_add_tcase(suite, sums);
  suite_add_tcase(suite, programs);
  return suite_run(suite);
}
