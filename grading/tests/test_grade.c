/* test_grade GRADE SPLICE SOURCES KIT.CFG [all-parts]: the grader's output for submissions with a known verdict. */
#include "compile.h"
#include "error.h"
#include "judge_lab.h"
#include "program.h"
#include "result.h"
#include "schema.h"
#include "suite.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GRADE_SECONDS = 120 };

static char grade[PATH_MAX], splice[PATH_MAX], sources[PATH_MAX], kit[PATH_MAX];

/* The file's result, which must match the schema; NULL if there is no file. */
static json_t *load_result(const char *path) {
  struct error error;
  json_t *schema = json_load_file(RESULT_SCHEMA, 0, NULL), *result = json_load_file(path, 0, NULL);
  ck_assert(schema != NULL);
  ck_assert_msg(!result || schema_check(schema, schema, result, &error), "%s: %s", path, error.text);
  json_decref(schema);
  return result;
}

/* Runs grade with --json and returns the result, or NULL if there is none. Arguments end with NULL. */
static json_t *run(const char *const *arguments, int expected_status) {
  const char *words[16] = {grade};
  for (int n = 0; (words[n + 1] = arguments[n]); n++)
    ;
  unlink("result.json");
  const struct program_result ended = program_run(words, GRADE_SECONDS);
  ck_assert_msg(ended.status == expected_status, "expected exit status %d, got %d and:\n%s%s",
                expected_status, ended.status, ended.output, ended.message);
  return load_result("result.json");
}

static const char *source(const char *path) {
  static char whole[2 * PATH_MAX];
  snprintf(whole, sizeof whole, "%s/%s", sources, path);
  return whole;
}

static double number(const json_t *from, const char *name) {
  return json_number_value(json_object_get(from, name));
}
static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

static const json_t *line_of(const json_t *result, const char *id) {
  size_t n;
  json_t *line;
  json_array_foreach(json_object_get(json_array_get(json_object_get(result, "labs"), 0), "items"), n, line) {
    if (strcmp(text(line, "id"), id) == 0)
      return line;
  }
  ck_abort_msg("the result has no item %s", id);
}

/* The rung of the result's first ladder, which must have this clock. */
static const json_t *rung_of(const json_t *result, const char *clock, const char *name) {
  const json_t *ladder = json_array_get(json_object_get(result, "ladders"), 0);
  size_t n;
  json_t *rung;
  ck_assert_str_eq(text(ladder, "clock"), clock);
  json_array_foreach(json_object_get(ladder, "rungs"), n, rung) {
    if (strcmp(text(rung, "rung"), name) == 0)
      return rung;
  }
  ck_abort_msg("the ladder has no rung %s", name);
}

static void expect_words(const json_t *line, const char *words) {
  ck_assert_msg(strstr(text(line, "message"), words) != NULL, "%s: expected '%s' in: %s", text(line, "id"),
                words, text(line, "message"));
}

/* Writes the file with from replaced by to. */
static void write_changed(const char *path, const char *original, const char *from, const char *to) {
  static char all[SUBMISSION_BYTES];
  FILE *in = fopen(original, "r"), *out = fopen(path, "w");
  ck_assert(in && out);
  all[fread(all, 1, sizeof all - 1, in)] = '\0';
  char *at = strstr(all, from);
  ck_assert_msg(at != NULL, "%s: no '%s'", original, from);
  fprintf(out, "%.*s%s%s", (int)(at - all), all, to, at + strlen(from));
  fclose(in);
  fclose(out);
}

static void write_mutant(const char *path, const char *solution, const char *mutant) {
  char original[2 * PATH_MAX], blocks[2 * PATH_MAX];
  snprintf(original, sizeof original, "%s", source(solution));
  snprintf(blocks, sizeof blocks, "%s", source(mutant));
  const struct program_result ended =
      program_run((const char *[]){splice, original, blocks, path, NULL}, GRADE_SECONDS);
  ck_assert_msg(ended.status == 0, "%s", ended.message);
}

/* The instructor may change points; the kit has 100 per lab. */
static double points_without_time(const struct rubric *rubric) {
  return rubric_sum(rubric, RUBRIC_CORRECTNESS, false) + rubric_sum(rubric, RUBRIC_COUNTER, false);
}

static double points_of_lab_03(void) {
  static struct installation installed;
  struct error error;
  double points = 0;
  ck_assert_msg(installation_read(kit, &installed, &error), "%s", error.text);
  for (int n = 0; n < installed.count; n++)
    if (strcmp(installed.labs[n].name, "03_compressed") == 0)
      points = points_without_time(&installed.labs[n].rubric);
  installation_free(&installed);
  return points;
}

START_TEST(each_lab_has_points) {
  static struct installation installed;
  struct error error;
  ck_assert_msg(installation_read(kit, &installed, &error), "%s", error.text);
  for (int n = 0; n < installed.count; n++)
    ck_assert_msg(points_without_time(&installed.labs[n].rubric) > 0, "%s: no points",
                  installed.labs[n].name);
  ck_assert_int_ge(installed.count, 6);
  installation_free(&installed);
}
END_TEST

/* True if a mutant of the lab has a line "// ID: …"; its own test proves that it fails this item. */
static bool has_mutant(const char *lab, const char *id) {
  char folder[2 * PATH_MAX], path[3 * PATH_MAX], claim[96], line[256];
  bool found = false;
  snprintf(folder, sizeof folder, "%s/grading/mutants/%s", sources, lab);
  snprintf(claim, sizeof claim, "// %s: ", id);
  DIR *stream = opendir(folder);
  ck_assert_msg(stream != NULL, "%s: no such folder", folder);
  for (struct dirent *entry; !found && (entry = readdir(stream));) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
      found |= strncmp(line, claim, strlen(claim)) == 0;
    if (file)
      fclose(file);
  }
  closedir(stream);
  return found;
}

/* check prints it when the value gets full marks. */
START_TEST(each_value_has_a_meaning) {
  static struct installation installed;
  struct error error;
  ck_assert_msg(installation_read(kit, &installed, &error), "%s", error.text);
  for (int n = 0; n < installed.count; n++)
    for (int k = 0; k < installed.labs[n].rubric.count; k++) {
      const struct rubric_item *item = &installed.labs[n].rubric.items[k];
      ck_assert_msg(item->meaning || item->hidden ||
                        (item->kind != RUBRIC_COUNTER && item->kind != RUBRIC_TIME),
                    "%s: no meaning", item->id);
    }
  installation_free(&installed);
}
END_TEST

/* Time items need a GPU, and instructors write hidden items. */
START_TEST(a_mutant_fails_each_line_that_has_points) {
  static struct installation installed;
  struct error error;
  ck_assert_msg(installation_read(kit, &installed, &error), "%s", error.text);
  for (int n = 0; n < installed.count; n++)
    for (int k = 0; k < installed.labs[n].rubric.count; k++) {
      const struct rubric_item *line = &installed.labs[n].rubric.items[k];
      if (line->points > 0 && line->kind != RUBRIC_TIME && !line->hidden)
        ck_assert_msg(has_mutant(installed.labs[n].name, line->id),
                      "%s: no mutant in grading/mutants/%s fails it", line->id, installed.labs[n].name);
    }
  installation_free(&installed);
}
END_TEST

START_TEST(a_solution_gets_full_marks_twice_alike) {
  json_t *results[2];
  for (int n = 0; n < 2; n++)
    results[n] = run((const char *[]){"--jobs", n ? "5" : "1", "--lab", "03", "--seed", "20261122", "--json",
                                      "result.json", source("solutions"), NULL},
                     0);
  json_t *first = results[0], *second = results[1];
  ck_assert_str_eq(result_verdict(first), "PASS");
  ck_assert_double_eq_tol(number(first, "points"), points_of_lab_03(), 1e-9);
  ck_assert_double_eq_tol(number(first, "max_points"), points_of_lab_03(), 1e-9);
  ck_assert(number(line_of(first, "03/lanes"), "measured") > 0.9);
  ck_assert_double_gt(number(rung_of(first, "model", "compressed"), "of_copy"), 0.3);
  ck_assert(!json_object_get(rung_of(first, "model", "fused"), "of_copy"));
  ck_assert_double_gt(number(rung_of(first, "model", "fused"), "reference"), 1);
  ck_assert(json_object_del(first, "seconds") == 0 && json_object_del(second, "seconds") == 0);
  ck_assert_msg(json_equal(first, second), "two gradings of one submission differ");
  json_decref(first);
  json_decref(second);
}
END_TEST

/* Without --seed each grading draws its own. */
START_TEST(a_seed_is_drawn_for_each_grading) {
  double seeds[3];
  for (int n = 0; n < 3; n++) {
    const char *const drawn[] = {"--lab", "03/index", "--json", "result.json", source("solutions"), NULL};
    const char *const given[] = {
        "--seed", "7", "--lab", "03/index", "--json", "result.json", source("solutions"), NULL};
    json_t *result = run(n < 2 ? drawn : given, 0);
    seeds[n] = number(result, "seed");
    ck_assert_str_eq(result_verdict(result), "PASS");
    json_decref(result);
  }
  ck_assert_double_ge(seeds[0], 1);
  ck_assert_double_ne(seeds[0], seeds[1]);
  ck_assert_double_eq(seeds[2], 7);
}
END_TEST

/* The result of a skeleton. */
static void expect_nothing(const json_t *result) {
  ck_assert_str_eq(result_verdict(result), "WRONG");
  ck_assert_double_eq(number(result, "points"), 0);
  ck_assert_str_eq(result_verdict(line_of(result, "03/geometry")), "UNWRITTEN");
  expect_words(line_of(result, "03/geometry"), "TODO(2): not written yet");
  ck_assert_str_eq(text(line_of(result, "03/geometry"), "hint"), "./kit hint 03 2");
  ck_assert_str_eq(result_verdict(line_of(result, "03/lanes")), "SKIPPED");
  expect_words(line_of(result, "03/lanes"), "counts when 03/sweep passes");
  const json_t *rung = rung_of(result, "model", "compressed");
  ck_assert(!json_object_get(rung, "of_copy") && json_object_get(rung, "reference"));
  ck_assert_str_eq(text(rung, "message"), "counts when 03/sweep passes");
}

/* Items are printed as they are judged, with the same text as a whole result; what comes next stands last. */
START_TEST(lines_of_a_skeleton_are_told_as_they_are_judged) {
  char told[PROGRAM_TEXT_MAX] = "", *printed;
  int ends[2];
  size_t length = 0, size;
  ck_assert(pipe(ends) == 0);
  const struct program checking = program_start(
      &(struct program_order){.arguments = (const char *[]){grade, "check", "--jobs", "1", "--lab", "03",
                                                            "--json", "result.json", source("labs"), NULL},
                              .limits = &(struct supervisor_limits){.seconds = GRADE_SECONDS},
                              .output = ends[1]});
  close(ends[1]);
  for (ssize_t got; (got = read(ends[0], told + length, sizeof told - 1 - length)) > 0; length += (size_t)got)
    ck_assert_msg(length > 0 || !strstr(told, " points\n"), "all at once: %s", told);
  close(ends[0]);
  ck_assert_int_eq(program_finish(&checking, GRADE_SECONDS).status, 1);
  json_t *result = load_result("result.json");
  FILE *out = open_memstream(&printed, &size);
  result_print(result, out);
  fclose(out);
  ck_assert_msg(strncmp(told, printed, size) == 0, "expected \"%s\", got \"%s\"", printed, told);
  ck_assert_msg(strncmp(told + size, "Next: 03/index, ", 16) == 0, "then: \"%s\"", told + size);
  free(printed);
  expect_nothing(result);
  json_decref(result);
}
END_TEST

/* On the rungs of lab _i, the solution reaches the rubric's reference. The tolerance allows for other versions of
 * nvcc, which may generate other instructions: by 13.5, the reduced system is 2.3 % slower than by 13.0. */
START_TEST(the_reference_stands_on_its_rungs) {
  static const char *const all[] = {NULL};
  static struct installation installed;
  struct error error;
  ck_assert_msg(installation_read(kit, &installed, &error), "%s", error.text);
  const struct rubric *rubric = &installed.labs[_i].rubric;
  struct judge_lab judged = {.kit = &installed, .lab = &installed.labs[_i], .names = all};
  char solution[PATH_MAX];
  snprintf(solution, sizeof solution, "%s", installed.labs[_i].reference);
  memcpy(strrchr(solution, '.'), ".sim", 4);
  unlink("program"); /* of a lab that has failed */
  ck_assert(getcwd(judged.directory, sizeof judged.directory) && symlink(solution, "program") == 0);
  judged.made = json_pack("{s:s}", "verdict", "PASS");
  for (int n = 0; n < rubric->count; n++) {
    if (rubric->items[n].kind == RUBRIC_CORRECTNESS)
      judged.items[n] = json_incref(judged.made);
    if (rubric->items[n].kind != RUBRIC_RUNG)
      continue;
    const struct rubric_item *counter = rubric_find(rubric, rubric->items[n].counter);
    json_t *rung = judge_lab_item(&judged, (int)(counter - rubric->items));
    program_leave_directory();
    const double reached = number(rung, "measured"), reference = rubric->items[n].reference;
    ck_assert_msg(fabs(reached - reference) <= 0.03 * reference, "%s: reference = %.4f, it reaches %.4f: %s",
                  rubric->items[n].id, reference, reached, text(rung, "message"));
    json_decref(rung);
  }
  unlink("program");
  installation_free(&installed);
}
END_TEST

/* --- partial credit: the skeleton with the first parts of the solution --- */

static void write_with_parts(const char *path, const struct installation_lab *lab, int parts) {
  char skeleton[3 * PATH_MAX], solution[3 * PATH_MAX], number[8][4];
  const char *words[16] = {splice, skeleton, solution, path};
  snprintf(skeleton, sizeof skeleton, "%s/labs/%s/%s.cu", sources, lab->name, lab->rubric.program);
  snprintf(solution, sizeof solution, "%s/solutions/%s/%s.cu", sources, lab->name, lab->rubric.program);
  for (int part = 1; part <= parts; part++) {
    snprintf(number[part - 1], sizeof number[0], "%d", part);
    words[3 + part] = number[part - 1];
  }
  const struct program_result ended = program_run(words, GRADE_SECONDS);
  ck_assert_msg(ended.status == 0, "%s", ended.message);
}

/* Whether the item's part is written, and the parts of all items that it needs. */
static bool is_written(const struct rubric *rubric, const struct rubric_item *line, int parts) {
  bool written = line->part <= parts;
  for (int n = 0; line->needs[n]; n++)
    written &= rubric_find(rubric, line->needs[n])->part <= parts;
  return written;
}

static void expect_points_of(const struct rubric *rubric, const json_t *result, int parts) {
  for (int n = 0; n < rubric->count; n++) {
    const struct rubric_item *of = &rubric->items[n];
    if (of->kind == RUBRIC_TIME || of->points == 0)
      continue;
    const json_t *line = line_of(result, of->id);
    const bool written = is_written(rubric, of, parts);
    const char *verdict = result_verdict(line);
    ck_assert_msg(number(line, "points") == (written ? of->points : 0),
                  "%s with parts 1 to %d: expected %g points, got %g: %s", of->id, parts,
                  written ? of->points : 0, number(line, "points"), text(line, "message"));
    ck_assert_msg(written || strcmp(verdict, "UNWRITTEN") == 0 || strcmp(verdict, "SKIPPED") == 0,
                  "%s with parts 1 to %d: expected UNWRITTEN or SKIPPED, got %s", of->id, parts, verdict);
  }
}

/* Tests the first parts of each lab; with the argument all-parts, all of them. */
static const struct {
  const char *lab;
  int parts; /* parts 1 to this one are written; all of them would be a solution */
} partial[] = {
    {"01", 2}, {"02", 3}, {"03", 2}, {"04", 1}, {"05", 2}, {"06", 1}, {"01", 1}, {"01", 3},
    {"01", 4}, {"02", 1}, {"02", 2}, {"03", 1}, {"04", 2}, {"04", 3}, {"04", 4}, {"04", 5},
    {"05", 1}, {"05", 3}, {"05", 4}, {"05", 5}, {"06", 2}, {"06", 3}, {"06", 4}, {"06", 5},
};
enum { LABS = 6, PARTIAL = sizeof partial / sizeof *partial };

START_TEST(parts_count_by_themselves) {
  static struct installation installed;
  struct error error;
  char out[64];
  ck_assert_msg(installation_read(kit, &installed, &error), "%s", error.text);
  const struct installation_lab *lab = installation_find(&installed, partial[_i].lab);
  snprintf(out, sizeof out, "%s.cu", lab->rubric.program);
  write_with_parts(out, lab, partial[_i].parts);
  json_t *result = run((const char *[]){"--jobs", "2", "--json", "result.json", out, NULL}, 0);
  expect_points_of(&lab->rubric, result, partial[_i].parts);
  json_decref(result);
  unlink(out);
  installation_free(&installed);
}
END_TEST

START_TEST(idle_lanes_cost_points) {
  write_mutant("compressed.cu", "solutions/03_compressed/compressed.cu",
               "grading/mutants/03_compressed/still_masked.cu");
  json_t *result = run((const char *[]){"check", "--json", "result.json", "compressed.cu", NULL}, 1);
  const json_t *lanes = line_of(result, "03/lanes");
  ck_assert_str_eq(result_verdict(line_of(result, "03/sweep")), "PASS");
  ck_assert_str_eq(result_verdict(lanes), "WRONG");
  ck_assert_double_lt(number(lanes, "measured"), 0.6);
  const double lost = number(lanes, "max_points") - number(lanes, "points");
  ck_assert_double_le(number(lanes, "points"), 0.15 * number(lanes, "max_points"));
  ck_assert(json_object_get(result, "ladders")); /* of the items that were judged: they cost nothing more */
  ck_assert_double_le(number(result, "points"), points_of_lab_03() - lost);
  ck_assert_double_ge(number(result, "points"), points_of_lab_03() - lost -
                                                    number(line_of(result, "03/requests"), "max_points") -
                                                    1); /* of modelled time, which depends on the seed */
  ck_assert_double_eq(number(line_of(result, "03/requests"), "points"), 0);
  json_decref(result);
}
END_TEST

/* The kernel's source line with its counts, and the request of a warp whose lanes are in eight rows. */
static void expect_shown(const json_t *lab, int line) {
  const json_t *kernel = json_array_get(json_object_get(lab, "kernels"), 0);
  const json_t *access = json_array_get(json_object_get(kernel, "accesses"), 0);
  size_t n;
  json_t *row;
  ck_assert_str_eq(text(kernel, "kernel"), "compressed_kernel");
  ck_assert_msg(strncmp(text(kernel, "run"), "--variant compressed ", 21) == 0, "%s", text(kernel, "run"));
  json_array_foreach(json_object_get(kernel, "lines"), n, row) {
    if (json_integer_value(json_object_get(row, "line")) != line)
      continue;
    ck_assert(strstr(text(row, "text"), "u[k] = (u[k - 1]") != NULL);
    ck_assert_double_gt(number(row, "load_sectors"), 1.3 * number(row, "load_fewest_sectors"));
    ck_assert_int_eq(json_integer_value(json_object_get(access, "line")), line);
    long first, second;
    ck_assert_int_eq(sscanf(text(access, "lanes"), "%ld %ld", &first, &second), 2);
    ck_assert_int_gt(labs(second - first), 4 * 1024); /* lanes of two rows, of a drawn length */
    return;
  }
  ck_abort_msg("line %d is not shown", line);
}

/* Correct, but the lanes of a warp are in eight rows. */
START_TEST(waste_is_shown_at_its_line) {
  write_changed("compressed.cu", source("solutions/03_compressed/compressed.cu"),
                "blockDim.x + threadIdx.x;\n  const int i = blockIdx.y * blockDim.y + threadIdx.y;",
                "blockDim.x + (threadIdx.x + 32 * threadIdx.y) / 8;\n"
                "  const int i = blockIdx.y * blockDim.y + threadIdx.x % 8;");
  json_t *result =
      run((const char *[]){"--lab", "03/sectors", "--json", "result.json", "compressed.cu", NULL}, 0);
  const json_t *sectors = line_of(result, "03/sectors");
  ck_assert_str_eq(result_verdict(sectors), "WRONG");
  ck_assert_double_lt(number(sectors, "points"), number(sectors, "max_points"));
  ck_assert(strncmp(text(sectors, "source"), "compressed.cu:", 14) == 0);
  expect_words(sectors, "sectors per request");
  if (json_is_true(json_object_get(sectors, "public"))) /* a hidden item shows no kernels */
    expect_shown(json_array_get(json_object_get(result, "labs"), 0),
                 atoi(strchr(text(sectors, "source"), ':') + 1));
  json_decref(result);
}
END_TEST

START_TEST(a_race_is_wrong) {
  write_mutant("masked_redblack.cu", "solutions/02_masked_redblack/masked_redblack.cu",
               "grading/mutants/02_masked_redblack/mask_by_value.cu");
  json_t *result =
      run((const char *[]){"--json", "result.json", "--lab", "02/masked", "masked_redblack.cu", NULL}, 0);
  ck_assert_str_eq(result_verdict(line_of(result, "02/masked")), "WRONG");
  expect_words(line_of(result, "02/masked"), "race: ");
  json_decref(result);
}
END_TEST

START_TEST(a_race_that_was_asked_for_is_shown) {
  json_t *result = run(
      (const char *[]){"check", "--json", "result.json", "--lab", "02/inplace", source("solutions"), NULL},
      0);
  ck_assert(strstr(text(line_of(result, "02/inplace"), "shown"), "masked_redblack.cu:") != NULL);
  ck_assert(strstr(text(line_of(result, "02/inplace"), "shown"), ": race: ") != NULL);
  json_decref(result);
}
END_TEST

/* Changes of lab 03's solution, and the expected messages. */
static const struct {
  const char *from, *to, *words[2];
} uncompiled[] = {
    {"__global__", "__globul__", {"compressed.cu(", "error"}},
    {"#include \"compressed.h\"",
     "",
     {"error: ", " is declared but not defined: compare its name and its parameters with the declaration"}},
    {"int launch_geometry(",
     "int main() { return 0; }\nint launch_geometry(",
     {"error: main is defined twice", ""}},
};

static void expect_uncompiled(const char *first, const char *second) {
  json_t *result = run((const char *[]){"check", "--json", "result.json", "compressed.cu", NULL}, 1);
  ck_assert_str_eq(result_verdict(result), "COMPILE");
  ck_assert_double_eq(number(result, "points"), 0);
  ck_assert_double_eq_tol(number(result, "max_points"), points_of_lab_03(), 1e-9);
  expect_words(line_of(result, "03/index"), first);
  expect_words(line_of(result, "03/index"), second);
  json_decref(result);
}

START_TEST(what_does_not_compile) {
  write_changed("compressed.cu", source("solutions/03_compressed/compressed.cu"), uncompiled[_i].from,
                uncompiled[_i].to);
  expect_uncompiled(uncompiled[_i].words[0], uncompiled[_i].words[1]);
}
END_TEST

START_TEST(the_first_errors_are_shown_with_their_lines) {
  FILE *file = fopen("compressed.cu", "w");
  ck_assert(file && fputs("int a = one;\nint b = two;\nint c = three;\nint d = four;\n", file) >= 0 &&
            fclose(file) == 0);
  json_t *result = run((const char *[]){"check", "--json", "result.json", "compressed.cu", NULL}, 1);
  ck_assert_str_eq(text(line_of(result, "03/index"), "message"),
                   "compressed.cu(1): error: identifier \"one\" is undefined\n    int a = one;\n"
                   "compressed.cu(2): error: identifier \"two\" is undefined\n    int b = two;\n"
                   "compressed.cu(3): error: identifier \"three\" is undefined\n    int c = three;");
  json_decref(result);
}
END_TEST

/* What a student prints stands below the item that fails, the last 20 lines, and not below the next one. */
START_TEST(what_the_program_printed_is_shown) {
  write_changed("included.cu", source("solutions/03_compressed/compressed.cu"), "#include \"compressed.h\"",
                "#include \"compressed.h\"\n#include <stdio.h>");
  write_changed("compressed.cu", "included.cu", "(u[k - 1]",
                "(jh ? 0 : printf(\"row %d\\n\", i), 2 * u[k - 1]");
  json_t *result =
      run((const char *[]){"--json", "result.json", "--lab", "03/sweep", "compressed.cu", NULL}, 0);
  const char *printed = text(line_of(result, "03/sweep"), "printed");
  ck_assert_msg(strncmp(printed, "row ", 4) == 0 && !strstr(printed, "nx "), "%s", printed);
  int lines = 1;
  for (const char *c = printed; *c; c++)
    lines += *c == '\n';
  ck_assert_int_le(lines, 20);
  json_decref(result);
}
END_TEST

/* An endless kernel costs its time once, and the same words stand once. */
START_TEST(an_endless_kernel_is_told_once) {
  write_changed("compressed.cu", source("solutions/03_compressed/compressed.cu"), "(u[k - 1]",
                "([] { for (volatile int z = 0; z < 1;); }(), u[k - 1]");
  json_t *result = run((const char *[]){"--json", "result.json", "compressed.cu", NULL}, 0);
  expect_words(line_of(result, "03/sweep"), "does a loop never end?");
  expect_words(line_of(result, "03/once"), "as for 03/sweep");
  json_decref(result);
}
END_TEST

/* The number means that a part is not written, but it is. */
START_TEST(a_written_function_returns_a_part) {
  write_changed("compressed.cu", source("solutions/03_compressed/compressed.cu"),
                "grid[1] = blocks_for(ny, block[1]);\n  return 0;",
                "grid[1] = blocks_for(ny, block[1]);\n  return 2;");
  json_t *result =
      run((const char *[]){"--lab", "03/geometry", "--json", "result.json", "compressed.cu", NULL}, 0);
  ck_assert_str_eq(result_verdict(line_of(result, "03/geometry")), "WRONG");
  expect_words(line_of(result, "03/geometry"), "launch_geometry returns 2, which stands for 'TODO(2) is not");
  json_decref(result);
}
END_TEST

/* Part 4 is one term of a sum, and no function of the contract can report that it is missing. */
START_TEST(a_part_without_code_is_unwritten) {
  write_changed("stencil.cu", source("solutions/01_stencil/stencil.cu"), "  r += kappa2 * u;\n", "");
  json_t *result = run((const char *[]){"--lab", "01/kappa", "--json", "result.json", "stencil.cu", NULL}, 0);
  ck_assert_str_eq(result_verdict(line_of(result, "01/kappa")), "UNWRITTEN");
  expect_words(line_of(result, "01/kappa"), "TODO(4): not written yet");
  json_decref(result);
}
END_TEST

START_TEST(what_is_no_text) {
  static const char utf16[] = "\xff\xfe/\0/\0";
  FILE *file = fopen("compressed.cu", "w");
  ck_assert(file && fclose(file) == 0);
  expect_uncompiled("compressed.cu: the file is empty", "");
  file = fopen("compressed.cu", "w");
  ck_assert(file && fwrite(utf16, 1, sizeof utf16 - 1, file) == sizeof utf16 - 1 && fclose(file) == 0);
  expect_uncompiled("compressed.cu: byte 4 is zero", "UTF-8");
}
END_TEST

/* Sources that try to keep the compiler busy for ever, or to fill memory or disk. */
static const char *const bombs[] = {
    "#include \"/dev/zero\"\n",
    "#include \"../pipe\"\n",
    "template <int N, int M> struct F { static const int v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; "
    "};\n"
    "template <int M> struct F<0, M> { static const int v = M; };\n"
    "int x = F<24, 0>::v;\n",
    "__device__ int x[1 << 28] = {1};\n",
};

START_TEST(what_explodes_in_the_compiler) {
  static struct installation installed;
  const struct supervisor_limits small = {
      .cpu_seconds = 1.5, .idle_seconds = 0.7, .memory = 400 << 20, .file = 8 << 20, .foreign = true};
  struct error why;
  bool fault;
  ck_assert_msg(installation_read(kit, &installed, &why), "%s", why.text);
  ck_assert(mkfifo("pipe", 0666) == 0);
  const bool compiled = compile_lab(&(struct compile_order){.kit = &installed,
                                                            .lab = installation_find(&installed, "03"),
                                                            .text = bombs[_i],
                                                            .size = strlen(bombs[_i]),
                                                            .libraries = installed.libraries,
                                                            .limits = &small},
                                    &why, &fault);
  unlink("pipe");
  ck_assert(!compiled && !fault);
  ck_assert_msg(strncmp(why.text, "the compiler: stopped", 21) == 0, "%s", why.text);
  ck_assert(strchr(why.text, '\n') == NULL);
}
END_TEST

/* The program exits before main(), with status 0. */
START_TEST(what_ends_without_output) {
  write_changed("compressed.cu", source("solutions/03_compressed/compressed.cu"), "__global__",
                "#include <unistd.h>\n"
                "static const int ends = (_exit(0), 0);\n"
                "__global__");
  json_t *result =
      run((const char *[]){"--json", "result.json", "--lab", "03/sweep", "compressed.cu", NULL}, 0);
  ck_assert_str_eq(result_verdict(line_of(result, "03/sweep")), "OUTPUT");
  expect_words(line_of(result, "03/sweep"), "out.npy");
  json_decref(result);
}
END_TEST

START_TEST(what_crashes) {
  write_changed("compressed.cu", source("solutions/03_compressed/compressed.cu"), "u[k] = (u[k - 1]",
                "u[k] = (u[k - (1 << 28)]");
  json_t *result =
      run((const char *[]){"--json", "result.json", "--lab", "03/sweep", "compressed.cu", NULL}, 0);
  ck_assert_str_eq(result_verdict(result), "CRASH");
  expect_words(line_of(result, "03/sweep"), "exit status 1: compressed.cu:");
  json_decref(result);
}
END_TEST

/* A compiler warning appears once, with the first failed item. A warning about an unused variable never appears. */
START_TEST(what_the_compiler_warns_of) {
  write_changed("first.cu", source("solutions/03_compressed/compressed.cu"), "h2f, u);\n  return 0;",
                "h2f, u);\n");
  write_changed("compressed.cu", "first.cu", "  block[0] = 32;", "  int unused;\n  block[0] = 32;");
  json_t *result = run((const char *[]){"--json", "result.json", "--lab", "03", "compressed.cu", NULL}, 0);
  ck_assert_str_eq(result_verdict(line_of(result, "03/sweep")), "CRASH");
  const char *message = text(line_of(result, "03/sweep"), "message");
  ck_assert_msg(strncmp(message, "compressed.cu:", 14) == 0, "%s", message);
  expect_words(line_of(result, "03/sweep"),
               ": the function ends without a return statement: expected return 0");
  ck_assert(strstr(text(line_of(result, "03/identical"), "message"), "return statement") == NULL);
  json_decref(result);
}
END_TEST

/* Writes a kit.cfg with one word replaced. */
static void expect_infra(const char *from, const char *to) {
  write_changed("broken.cfg", kit, from, to);
  json_t *result = run((const char *[]){"--installation", "broken.cfg", "--lab", "03", "--json",
                                        "result.json", source("solutions"), NULL},
                       2);
  ck_assert_str_eq(result_verdict(result), "INFRA");
  ck_assert(json_is_null(json_object_get(result, "points")));
  json_decref(result);
}

START_TEST(faults_of_the_machine_are_no_grade) {
  expect_infra("/nvcc\"", "/no_nvcc\"");
  expect_infra("/suite_03_compressed\"", "/no_suite\"");
}
END_TEST

static void expect_refused(const char *const *arguments, const char *says) {
  const char *words[16] = {grade};
  for (int n = 0; (words[n + 1] = arguments[n]); n++)
    ;
  const struct program_result ended = program_run(words, GRADE_SECONDS);
  ck_assert_int_eq(ended.status, 2);
  suite_assert_line(ended.message, says);
}

/* The result has an entry for each lab, with the reason. */
static void expect_missing(const char *submission, const char *says) {
  json_t *result = run((const char *[]){"--json", "result.json", submission, NULL}, 0);
  ck_assert_str_eq(result_verdict(result), "MISSING");
  ck_assert_double_eq(number(result, "points"), 0);
  ck_assert_double_eq(number(result, "max_points"), 600);
  ck_assert_msg(strstr(text(result, "message"), says) != NULL, "%s", text(result, "message"));
  json_decref(result);
}

START_TEST(bad_submissions_are_refused) {
  write_changed("other.cu", source("solutions/03_compressed/compressed.cu"), "j", "j");
  unlink("compressed.cu");
  ck_assert_int_eq(symlink("other.cu", "compressed.cu"), 0);
  expect_missing("compressed.cu", "expected a regular file");
  expect_missing("other.cu", "or the option --lab NN");
  const struct program_result shown = program_run((const char *[]){grade, "other.cu", NULL}, GRADE_SECONDS);
  ck_assert_msg(strstr(shown.output, "other.cu: 0 of 600 points") && !strstr(shown.output, " of 100 points"),
                "%s", shown.output);
  expect_refused((const char *[]){"missing", NULL}, "missing: no such file");
  expect_refused((const char *[]){"--lab", "77", "other.cu", NULL}, "--lab 77");
  expect_refused((const char *[]){"--lab", "03/time", "other.cu", NULL},
                 "--lab 03/time: this item is judged only with --mode time");
  expect_refused((const char *[]){"--mode", "time", "--lab", "03/sweep", "other.cu", NULL},
                 "--lab 03/sweep: this item is judged only without --mode time");
  expect_refused((const char *[]){"--lab", "03/sweeep", "other.cu", NULL},
                 "no test '03/sweeep': expected one of 03/index");
  expect_refused((const char *[]){"--lab", "03/index,sweeep", "other.cu", NULL},
                 "no test '03/sweeep': expected one of 03/index");
  expect_refused((const char *[]){"--lab", "03/index,", "other.cu", NULL},
                 "no test '03/': expected one of 03/index");
  expect_refused(
      (const char *[]){"check", "--attempts", "a.csv", "--lab", "03/index,sweep", "other.cu", NULL},
      "--attempts with several items, 03/index,sweep");
  expect_refused((const char *[]){"--jobs", "0", "other.cu", NULL}, "--jobs 0");
  expect_refused((const char *[]){"other.cu", "more.cu", NULL}, "a second submission, more.cu: expected one");
  expect_refused((const char *[]){"check", NULL}, "expected either one submission or --class");
  expect_refused((const char *[]){"--class", ".", NULL}, "--class without --out: expected a folder");
  expect_refused((const char *[]){"--format", "tap", "other.cu", NULL}, "--format without --out");
  expect_refused((const char *[]){"--json", "no/such/result.json", "--lab", "03", "other.cu", NULL},
                 "no/such/result.json");
  unlink("compressed.cu");
}
END_TEST

static void write_bytes(const char *path, const char *mode, const char *bytes) {
  FILE *file = fopen(path, mode);
  ck_assert(file && fputs(bytes, file) >= 0 && fclose(file) == 0);
}

/* --- a kit with a rubric of a few items --- */

/* A few items of lab 03, for counters and for times: count sweeps on a small grid. */
static void write_time_rubric(int count, const char *against, double none_at, double full_at) {
  FILE *file = fopen("time.rubric.cfg", "w");
  ck_assert(file != NULL);
  fprintf(file,
          "lab = \"03_compressed\"; program = \"compressed\"; items = (\n"
          "{ id = \"03/index\"; kind = \"correctness\"; part = 1; points = 70.0; title = \"index\"; },\n"
          "{ id = \"03/lanes\"; kind = \"counter\"; part = 3; points = 30.0; title = \"lanes\"; needs = [ "
          "\"03/index\" ];\n"
          "  metric = \"active_lanes\"; none_at = 0.55; full_at = 0.93; },\n"
          "{ id = \"03/sweep_copy\"; kind = \"counter\"; part = 3; points = 0.0; title = \"bandwidth\";\n"
          "  needs = [ \"03/index\" ]; metric = \"of_copy\"; bytes = 24.0; none_at = 0.1; full_at = 0.2; },\n"
          "{ id = \"03/time\"; kind = \"time\"; part = 3; points = 15.0; title = \"time\"; needs = [ "
          "\"03/index\" ];\n"
          "  run = \"--nx 64 --ny 40\"; count = %d; per = 2560.0; bytes = 12.0; result = \"float32\"; within "
          "= 1e-5;\n"
          "  against = \"%s\"; none_at = %f; full_at = %f; },\n"
          "{ id = \"03/rung\"; kind = \"rung\"; part = 3; title = \"compressed\"; work = \"a sweep\";\n"
          "  time = \"03/time\"; counter = \"03/sweep_copy\"; reference = 0.5; });\n",
          count, against, none_at, full_at);
  fclose(file);
}

/* Replaces each from in text, which has enough room. */
static void replace_all(char *text, const char *from, const char *to) {
  for (char *at = text; (at = strstr(at, from)); at += strlen(to)) {
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
  }
}

/* The part of text between begin and end. */
static void take_between(const char *text, const char *begin, const char *end, char *word) {
  const char *from = strstr(text, begin), *to = from ? strstr(from, end) : NULL;
  ck_assert(to != NULL);
  while (from[-1] != '"')
    from--;
  while (*to != '"')
    to++;
  sprintf(word, "%.*s", (int)(to - from), from);
}

/* Writes a kit in which the simulated GPU replaces the real one and lab 03 has this rubric, and its judge file. */
static void write_time_kit(void) {
  static char text[1 << 17], runtime[PATH_MAX], simulated[PATH_MAX], rubric[PATH_MAX], judge[PATH_MAX];
  FILE *in = fopen(kit, "r"), *out = fopen("time.kit.cfg", "w");
  ck_assert(in && out);
  text[fread(text, 1, sizeof text / 2, in)] = '\0';
  take_between(text, "libcudart_static", ".a", runtime);
  take_between(text, "libsimgpu_cudart", ".a", simulated);
  take_between(text, "rubric/03", ".cfg", rubric);
  take_between(text, "judge.sha256", "256", judge);
  replace_all(text, judge, "judge.sha256");
  replace_all(text, runtime, simulated);
  replace_all(text, rubric, "time.rubric.cfg");
  replace_all(text, ".gpu\"", ".sim\"");
  fputs(text, out);
  fclose(in);
  fclose(out);
  write_bytes("judge.sha256", "w", "01  grading/suites/suite_03_compressed.c\n");
}

/* --- classes --- */

static void remove_folder(const char *path) {
  const struct program_result ended = program_run((const char *[]){"/bin/rm", "-rf", "--", path, NULL}, 10);
  ck_assert_int_eq(ended.status, 0);
}

static void expect_row(const char *row, const char *begin, const char *end) {
  ck_assert_msg(strncmp(row, begin, strlen(begin)) == 0 && strlen(row) > strlen(end) &&
                    strcmp(row + strlen(row) - strlen(end), end) == 0,
                "expected %s … %s, got %s", begin, end, row);
}

/* Grades the class; expect: expected words on standard output, NULL at the end. */
static void grade_class(const char *option, const char *const *expect) {
  const struct program_result ended = program_run(
      (const char *[]){grade, "--installation", "time.kit.cfg", "--class", "class", "--out", "out", "--lab",
                       "03", "--format", "html,tap", "--isolation", "none", option, NULL},
      GRADE_SECONDS);
  ck_assert_msg(ended.status == 0, "exit status %d: %s", ended.status, ended.message);
  for (; *expect; expect++)
    ck_assert_msg(strstr(ended.output, *expect) != NULL, "expected '%s' in:\n%s", *expect, ended.output);
}

static void expect_summary(const char *const (*rows)[2]) {
  char row[512];
  FILE *summary = fopen("out/summary.csv", "r");
  ck_assert(summary && fgets(row, sizeof row, summary));
  ck_assert_str_eq(row, "submission,sha256,verdict,reason,points,max_points,bonus,03_compressed\n");
  for (; rows[0][0]; rows++) {
    ck_assert(fgets(row, sizeof row, summary) != NULL);
    expect_row(row, rows[0][0], rows[0][1]);
  }
  ck_assert(fgetc(summary) == EOF);
  fclose(summary);
}

/* The contents of submissions/NAME/result.json. */
static json_t *class_result(const char *name) {
  char path[512];
  snprintf(path, sizeof path, "out/submissions/%s/result.json", name);
  json_t *result = load_result(path);
  ck_assert_msg(result != NULL, "no %s", path);
  return result;
}

#ifdef HAVE_LIBARCHIVE
static const char cannot_read[] = "the archive cannot";
#else
static const char cannot_read[] = "this grader cannot read archives";
#endif

/* Also what an earlier test has left, when it failed. */
static void remove_class(void) {
  remove_folder("class");
  remove_folder("out");
}

static void make_class(void) {
  remove_class();
  write_time_rubric(50, "reference", 0.02, 0.1);
  write_time_kit();
  ck_assert(mkdir("class", 0777) == 0 && symlink("/dev/zero", "class/=1+1.cu") == 0);
  write_changed("class/a.cu", source("solutions/03_compressed/compressed.cu"), "j", "j");
  write_changed("class/b,\"x\".cu", source("labs/03_compressed/compressed.cu"), "j", "j");
  write_bytes("class/c.zip", "w", "PK\3\4");
  ck_assert(mkdir("class/d\nd", 0777) == 0 && mkdir("class/d\nd/x", 0777) == 0);
  write_changed("class/d\nd/x/Compressed (1).CU", source("solutions/03_compressed/compressed.cu"), "j", "j");
  write_bytes("class/d\nd/stencil.cu", "w", "#error\n");
  ck_assert(mkdir("class/e", 0777) == 0);
  write_bytes("class/e/compressed (1).cu", "w", "a\n");
  write_bytes("class/e/compressed (2).cu", "w", "b\n");
  write_bytes("class/.hidden.cu", "w", "");
}

/* A correct submission, an unwritten one whose name would break a CSV file, an archive, and a name that is a
 * formula. A graded submission is graded again only if it has changed. */
START_TEST(a_class_has_a_row_for_each) {
  const double points = 100; /* of the rubric of a few items */
  char right[96], again[96], wrong[96], archive[96], odd[96];
  char link_row[160], right_row[160], wrong_row[160], archive_row[160], two_row[160];
  snprintf(right, sizeof right, "a.cu: PASS, %.6g of %.6g points\n", points, points);
  snprintf(again, sizeof again, "a.cu: PASS, %.6g of %.6g points (graded before)\n", points, points);
  snprintf(wrong, sizeof wrong, "b,\"x\".cu: WRONG, 0 of %.6g points\n", points);
  snprintf(archive, sizeof archive, "c.zip: MISSING, 0 of %.6g points, c.zip: %s", points, cannot_read);
  snprintf(odd, sizeof odd, "d␊d: PASS, %.6g of %.6g points\n", points, points);
  snprintf(link_row, sizeof link_row, ",MISSING,\"'=1+1.cu: a link: expected a regular file\",0,%.6g,,0\n",
           points);
  snprintf(right_row, sizeof right_row, ",PASS,\"\",%.6g,%.6g,,%.6g\n", points, points, points);
  snprintf(wrong_row, sizeof wrong_row, ",WRONG,\"\",0,%.6g,,0\n", points);
  snprintf(archive_row, sizeof archive_row, "\",0,%.6g,,0\n", points);
  snprintf(
      two_row, sizeof two_row,
      ",MISSING,\"e/compressed (1).cu and e/compressed (2).cu differ: expected one of them\",0,%.6g,,0\n",
      points);
  make_class();
  expect_refused((const char *[]){"--class", "class", "--out", "class/out", "--isolation", "none", NULL},
                 "--out class/out: the folder is inside class");
  ck_assert_int_ne(access("class/out", F_OK), 0);
  grade_class(NULL, (const char *[]){right, wrong, archive, odd, NULL});
  expect_summary((const char *const[][2]){{"\"'=1+1.cu\",", link_row},
                                          {"\"a.cu\",", right_row},
                                          {"\"b,\"\"x\"\".cu\",", wrong_row},
                                          {"\"c.zip\",", archive_row},
                                          {"\"d␊d\",", right_row},
                                          {"\"e\",", two_row},
                                          {NULL, NULL}});
  ck_assert(access("out/submissions/a.cu/report.html", R_OK) == 0 &&
            access("out/submissions/a.cu/result.txt", R_OK) == 0);
  json_t *refused = class_result("=1+1.cu"), *first = class_result("a.cu");
  ck_assert_double_gt(number(rung_of(first, "model", "compressed"), "of_copy"), 0.3);
  ck_assert(strstr(text(refused, "message"), "expected a regular file") != NULL);
  ck_assert_msg(strncmp(text(refused, "message"), "=1+1.cu: ", 9) == 0, "%s", text(refused, "message"));
  write_bytes("class/b,\"x\".cu", "a", "// another\n");
  ck_assert_int_eq(unlink("out/submissions/a.cu/report.html"), 0);
  grade_class(NULL, (const char *[]){again, wrong, NULL});
  json_t *second = class_result("a.cu"), *other = class_result("b,\"x\".cu");
  ck_assert(json_equal(first, second)); /* seconds, too */
  ck_assert(json_equal(json_object_get(first, "seed"), json_object_get(other, "seed")));
  json_decref(other);
  ck_assert(access("out/submissions/a.cu/report.html", R_OK) == 0);
  json_t *lost = class_result("b,\"x\".cu");
  json_object_set_new(lost, "verdict", json_string("INFRA"));
  ck_assert_int_eq(json_dump_file(lost, "out/submissions/b,\"x\".cu/result.json", 0), 0);
  grade_class(NULL, (const char *[]){wrong, NULL});
  ck_assert(unlink("class/a.cu") == 0 && unlink("class/c.zip") == 0);
  ck_assert(mkdir("out/submissions/mine", 0777) == 0 && mkdir("out/submissions/c.zip/mine", 0777) == 0);
  grade_class("--again", (const char *[]){wrong, NULL});
  ck_assert_int_ne(access("out/submissions/a.cu", F_OK), 0);
  ck_assert_int_ne(access("out/submissions/c.zip/result.json", F_OK), 0);
  ck_assert(access("out/submissions/mine", F_OK) == 0 && access("out/submissions/c.zip/mine", F_OK) == 0);
  json_decref(lost);
  json_decref(refused);
  json_decref(first);
  json_decref(second);
  remove_class();
}
END_TEST

/* ./kit shows usage.txt before anything is built. */
START_TEST(help_needs_no_kit) {
  char expected[8192] = "";
  FILE *file = fopen(source("grading/usage.txt"), "r");
  ck_assert(file && fread(expected, 1, sizeof expected - 1, file) > 0 && fclose(file) == 0);
  const struct program_result ended =
      program_run((const char *[]){grade, "--installation", "missing.cfg", "--help", NULL}, 10);
  ck_assert_int_eq(ended.status, 0);
  ck_assert_str_eq(ended.output, expected);
}
END_TEST

START_TEST(reports_are_written_beside) {
  ck_assert_int_eq(mkdir("out", 0777), 0);
  json_t *result = run((const char *[]){"--json", "result.json", "--lab", "03/index", "--format",
                                        "gradescope,tap", "--out", "out", source("solutions"), NULL},
                       0);
  json_t *gradescope = json_load_file("out/gradescope.json", 0, NULL);
  ck_assert_double_eq(number(gradescope, "score"), number(result, "points"));
  json_decref(gradescope);
  json_decref(result);
  expect_refused((const char *[]){"--format", "gradescop", "--out", "out", source("solutions"), NULL},
                 "gradescop");
  remove_folder("out");
}
END_TEST

/* --- times, with the simulated GPU in place of a real one --- */

/* The solution of lab 03 with extra code in each half-sweep. */
static void write_hooked(const char *statement) {
  char hooked[256];
  snprintf(hooked, sizeof hooked, "int block[2], grid[2];\n  %s", statement);
  write_changed("plain.cu", source("solutions/03_compressed/compressed.cu"), "int block[2], grid[2];",
                hooked);
  write_changed("compressed.cu", "plain.cu", "#include \"compressed.h\"",
                "#include \"compressed.h\"\n#include <stdio.h>\n#include <unistd.h>");
}

#define TIMED "--installation", "time.kit.cfg", "--lab", "03", "--json", "result.json"

/* One grading has no deviation. */
static void write_limits(void) {
  const struct program_result ended =
      program_run((const char *[]){grade, "calibrate", "--installation", "time.kit.cfg", "--lab", "03",
                                   "--gradings", "1", "--limits", "limits.cfg", NULL},
                  GRADE_SECONDS);
  ck_assert_msg(ended.status == 0, "exit status %d: %s", ended.status, ended.message);
  ck_assert(strstr(ended.output, "03/time") != NULL);
}

/* Grades the class once more with this kit. expected: whether it keeps the grade of its one submission. limits:
 * file of time limits, for times; NULL: counters. */
static void expect_kept(bool expected, const char *what, const char *installation, const char *limits) {
  const char *words[16] = {grade, "--installation", installation, "--class",     "class", "--out",
                           "out", "--lab",          "03",         "--isolation", "none"};
  if (limits)
    memcpy(words + 11, (const char *[]){"--mode", "time", "--limits", limits}, 4 * sizeof *words);
  const struct program_result ended = program_run(words, GRADE_SECONDS);
  ck_assert_msg(ended.status == 0, "%s: exit status %d: %s", what, ended.status, ended.message);
  ck_assert_msg(!strstr(ended.output, "(graded before)") == !expected, "%s: %s", what, ended.output);
}

static void expect_graded_again(const char *what, const char *installation, const char *limits) {
  expect_kept(false, what, installation, limits);
  expect_kept(true, what, installation, limits);
}

/* What ends the simulated GPU can be repeated without the submission. */
START_TEST(a_fault_of_the_simulated_gpu_is_recorded) {
  char device[64 + PATH_MAX], here[PATH_MAX];
  ck_assert(getcwd(here, sizeof here) != NULL);
  write_bytes("device.sh", "w",
              "#!/bin/sh\ntest -z \"$SIMGPU_RECORD\" || echo requests > \"$SIMGPU_RECORD\"\nkill -SEGV $$\n");
  ck_assert(chmod("device.sh", 0755) == 0);
  snprintf(device, sizeof device, "device = \"%s/device.sh\"; old_device = \"", here);
  write_changed("crash.cfg", kit, "device = \"", device);
  const struct program_result ended =
      program_run((const char *[]){grade, "--installation", "crash.cfg", "--lab", "03/index", "--json",
                                   "result.json", "--out", "crash", source("solutions"), NULL},
                  GRADE_SECONDS);
  ck_assert_int_eq(ended.status, 2);
  json_t *result = load_result("result.json");
  ck_assert_str_eq(result_verdict(result), "INFRA");
  json_decref(result);
  ck_assert_msg(strstr(ended.output, "simgpu-device --replay 03_index.record repeats it") != NULL, "%s",
                ended.output);
  ck_assert(access("crash/03_index.record", F_OK) == 0);
}
END_TEST

/* A submission that is graded quickly, since it does not compile. */
static void make_quick_class(void) {
  remove_class();
  ck_assert(mkdir("class", 0777) == 0);
  write_bytes("class/compressed.cu", "w", "#error\n");
}

/* Everything that decides a grade is in files of this test, so that each can change separately. */
START_TEST(a_grade_is_kept_while_what_decided_it_is_the_same) {
  write_time_rubric(50, "reference", 0.02, 0.1);
  write_time_kit();
  make_quick_class();
  expect_graded_again("nothing was graded", "time.kit.cfg", NULL);
  write_bytes("judge.sha256", "w", "02  grading/suites/suite_03_compressed.c\n");
  expect_graded_again("another suite", "time.kit.cfg", NULL);
  write_time_rubric(51, "reference", 0.02, 0.1);
  expect_graded_again("another rubric", "time.kit.cfg", NULL);
  write_bytes("class/compressed.cu", "a", "// more\n");
  expect_graded_again("another submission", "time.kit.cfg", NULL);
  write_changed("next.cfg", "time.kit.cfg", "version = \"", "version = \"1");
  expect_graded_again("another version", "next.cfg", NULL);
  remove_class();
}
END_TEST

/* The result names what was not searched, until that is gone. */
START_TEST(a_reason_is_never_an_old_one) {
  write_time_rubric(50, "reference", 0.02, 0.1);
  write_time_kit();
  remove_class();
  ck_assert(mkdir("class", 0777) == 0 && mkdir("class/a", 0777) == 0);
  write_bytes("class/a/compressed.cu", "w", "#error\n");
  expect_graded_again("nothing was graded", "time.kit.cfg", NULL);
  write_bytes("class/a/more.zip", "w", "PK\3\4");
  expect_kept(false, "an archive that cannot be read", "time.kit.cfg", NULL);
  json_t *result = class_result("a");
  ck_assert_msg(strncmp(text(result, "message"), "a/more.zip: ", 12) == 0, "%s", text(result, "message"));
  json_decref(result);
  ck_assert_int_eq(unlink("class/a/more.zip"), 0);
  expect_graded_again("the archive is gone", "time.kit.cfg", NULL);
  result = class_result("a");
  ck_assert_str_eq(text(result, "message"), "");
  json_decref(result);
  remove_class();
}
END_TEST

/* This solution also prints bytes that would corrupt its answers. */
START_TEST(a_solution_keeps_time) {
  write_time_rubric(50, "reference", 0.02, 0.1);
  write_time_kit();
  write_hooked("puts(\"noise\"); fflush(stdout);");
  write_limits();
  write_changed("other.cfg", "limits.cfg", "NVIDIA H200 model", "NVIDIA A100 model");
  unlink("result.json");
  expect_refused((const char *[]){TIMED, "--mode", "time", "--limits", "other.cfg", "compressed.cu", NULL},
                 "other.cfg: limits of another machine or kit: gpu = ");
  ck_assert(access("result.json", F_OK) != 0);
  json_t *time =
      run((const char *[]){TIMED, "--mode", "time", "--limits", "limits.cfg", "compressed.cu", NULL}, 0);
  ck_assert_uint_eq(strlen(text(time, "limits")), 64);
  ck_assert_str_eq(text(time, "mode"), "time");
  ck_assert_double_eq(number(time, "points"), 15);
  ck_assert_double_eq(number(time, "max_points"), 15);
  const json_t *ms = json_object_get(line_of(time, "03/time"), "milliseconds");
  ck_assert_double_eq_tol(number(rung_of(time, "GPU", "compressed"), "of_copy"),
                          2 * number(ms, "copy") / number(ms, "submission"), 1e-4);
  ck_assert(rename("result.json", "time.json") == 0);
  json_t *counters = run((const char *[]){TIMED, "compressed.cu", NULL}, 0);
  ck_assert_str_eq(text(counters, "mode"), "counters");
  ck_assert_double_eq(number(counters, "points"), 100);
  ck_assert(json_equal(json_object_get(time, "isolation"), json_object_get(counters, "isolation")));
  const double modelled = number(rung_of(counters, "model", "compressed"), "of_copy");
  ck_assert(modelled > 0.6 && modelled < 0.8); /* of 24 bytes, where the lab's own item has 12 */
  ck_assert_uint_eq(
      json_array_size(json_object_get(json_array_get(json_object_get(counters, "labs"), 0), "items")), 3);
  ck_assert(rename("result.json", "counters.json") == 0);
  json_t *merged = run((const char *[]){"merge", "--installation", "time.kit.cfg", "counters.json",
                                        "time.json", "--json", "result.json", NULL},
                       0);
  ck_assert_double_eq(number(merged, "points"), 100);
  ck_assert_double_eq(number(merged, "max_points"), 100);
  ck_assert_double_eq(number(line_of(merged, "03/lanes"), "max_points"), 15);
  ck_assert(json_equal(json_object_get(merged, "ladders"), json_object_get(time, "ladders")));
  make_quick_class();
  expect_graded_again("nothing was graded", "time.kit.cfg", "limits.cfg");
  write_changed("other.cfg", "limits.cfg", "deviation = ", "deviation = 1");
  expect_graded_again("other limits", "time.kit.cfg", "other.cfg");
  expect_graded_again("another mode", "time.kit.cfg", NULL);
  remove_class();
  json_decref(merged);
  json_decref(counters);
  json_decref(time);
}
END_TEST

START_TEST(waiting_costs_points) {
  write_time_rubric(1, "copy", 0.3, 0.4);
  write_time_kit();
  write_hooked("usleep(900000);"); /* so long that even on a busy machine all copies are far faster */
  json_t *result = run((const char *[]){TIMED, "--mode", "time", "compressed.cu", NULL}, 0);
  const json_t *line = line_of(result, "03/time");
  ck_assert_str_eq(result_verdict(line), "WRONG");
  ck_assert_double_eq(number(line, "points"), 0);
  const json_t *ms = json_object_get(line, "milliseconds");
  ck_assert_double_gt(number(ms, "submission"), 1800);
  ck_assert_double_eq_tol(number(ms, "copy") / number(ms, "submission"), number(line, "measured"), 1e-12);
  json_decref(result);
}
END_TEST

/* This machine may have a GPU, so a failing program replaces gpu_copy. */
START_TEST(no_time_without_a_gpu) {
  write_changed("none.cfg", kit, "gpu_copy.gpu\"", "gpu_copy.none\"");
  expect_refused((const char *[]){"--installation", "none.cfg", "--mode", "time", source("solutions"), NULL},
                 "times need a GPU");
  expect_refused((const char *[]){"calibrate", "--installation", "none.cfg", NULL}, "times need a GPU");
  expect_refused((const char *[]){"--installation", "none.cfg", "--mode", "time", "--class", ".", "--out",
                                  "out", "--isolation", "none", NULL},
                 "times need a GPU");
  expect_refused((const char *[]){"--mode", "speed", source("solutions"), NULL}, "expected counters|time");
  expect_refused((const char *[]){"--mode", "time", "--jobs", "2", source("solutions"), NULL}, "--jobs 2");
  expect_refused((const char *[]){"merge", "a.json", "b.json", NULL},
                 "merge: expected COUNTERS.json TIME.json");
  expect_refused((const char *[]){"merge", "a", "b", "c", NULL}, "a third result, c: expected two");
  expect_refused((const char *[]){"merge", "a.json", "b.json", "--json", "c.json", NULL}, "a.json: ");
  expect_refused((const char *[]){"calibrate", "--gradings", "0", NULL}, "--gradings 0");
}
END_TEST

static void find(char path[PATH_MAX], const char *argument) {
  if (!realpath(argument, path))
    error_die("%s: no such file", argument);
}

static TCase *add_case(Suite *suite, const char *name) {
  TCase *added = tcase_create(name);
  tcase_set_timeout(added, 3 * GRADE_SECONDS);
  suite_add_tcase(suite, added);
  return added;
}

int main(int argc, char **argv) {
  const bool all_parts = argc == 6 && strcmp(argv[5], "all-parts") == 0;
  if (argc != 5 + all_parts)
    error_die("expected GRADE SPLICE SOURCES KIT.CFG [all-parts]");
  find(grade, argv[1]);
  find(splice, argv[2]);
  find(sources, argv[3]);
  find(kit, argv[4]);
  Suite *suite = suite_create("grade");
  TCase *grade_cases = add_case(suite, "grade"), *parts = add_case(suite, "parts"),
        *class = add_case(suite, "class"), *time = add_case(suite, "time");
  tcase_add_test(grade_cases, each_lab_has_points);
  tcase_add_test(grade_cases, each_value_has_a_meaning);
  tcase_add_test(grade_cases, a_mutant_fails_each_line_that_has_points);
  tcase_add_test(grade_cases, a_solution_gets_full_marks_twice_alike);
  tcase_add_test(grade_cases, a_seed_is_drawn_for_each_grading);
  tcase_add_test(grade_cases, lines_of_a_skeleton_are_told_as_they_are_judged);
  tcase_add_loop_test(grade_cases, the_reference_stands_on_its_rungs, 0, LABS);
  tcase_add_test(grade_cases, idle_lanes_cost_points);
  tcase_add_test(grade_cases, waste_is_shown_at_its_line);
  tcase_add_test(grade_cases, a_race_is_wrong);
  tcase_add_test(grade_cases, a_race_that_was_asked_for_is_shown);
  tcase_add_loop_test(grade_cases, what_does_not_compile, 0, sizeof uncompiled / sizeof *uncompiled);
  tcase_add_test(grade_cases, what_is_no_text);
  tcase_add_test(grade_cases, the_first_errors_are_shown_with_their_lines);
  tcase_add_test(grade_cases, what_the_program_printed_is_shown);
  tcase_add_test(grade_cases, an_endless_kernel_is_told_once);
  tcase_add_test(grade_cases, a_written_function_returns_a_part);
  tcase_add_test(grade_cases, a_part_without_code_is_unwritten);
  tcase_add_loop_test(grade_cases, what_explodes_in_the_compiler, 0, sizeof bombs / sizeof *bombs);
  tcase_add_test(grade_cases, what_ends_without_output);
  tcase_add_test(grade_cases, what_crashes);
  tcase_add_test(grade_cases, what_the_compiler_warns_of);
  tcase_add_test(grade_cases, faults_of_the_machine_are_no_grade);
  tcase_add_test(grade_cases, a_fault_of_the_simulated_gpu_is_recorded);
  tcase_add_test(grade_cases, bad_submissions_are_refused);
  tcase_add_test(grade_cases, help_needs_no_kit);
  tcase_add_test(grade_cases, reports_are_written_beside);
  tcase_add_loop_test(parts, parts_count_by_themselves, 0, all_parts ? PARTIAL : LABS);
  tcase_add_test(class, a_class_has_a_row_for_each);
  tcase_add_test(class, a_reason_is_never_an_old_one);
  tcase_add_test(class, a_grade_is_kept_while_what_decided_it_is_the_same);
  tcase_add_test(time, a_solution_keeps_time);
  tcase_add_test(time, waiting_costs_points);
  tcase_add_test(time, no_time_without_a_gpu);
  program_enter_directory();
  return suite_run(suite);
}
