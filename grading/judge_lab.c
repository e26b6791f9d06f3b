#include "judge_lab.h"
#include "compile.h"
#include "counter_file.h"
#include "program.h"
#include "result.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUITE_SECONDS = 300, RUN_SECONDS = 30 };

static const char outcomes_path[] = "outcomes.json", counters_path[] = "counters.csv",
                  report_path[] = "report.txt";

static bool is_named(const char *id, const char *const *names) {
  if (!names[0])
    return true;
  for (; *names; names++)
    if (strcmp(*names, id) == 0)
      return true;
  return false;
}

/* What is wanted, and what that needs. */
static bool is_needed(const struct rubric *rubric, const char *id, const char *const *names) {
  bool needed = is_named(id, names);
  for (int n = 0; n < rubric->count && !needed; n++)
    for (int k = 0; rubric->lines[n].needs[k]; k++)
      needed |= is_named(rubric->lines[n].id, names) && strcmp(rubric->lines[n].needs[k], id) == 0;
  return needed;
}

/* --- correctness: the suite's outcomes --- */

static json_t *run_suite(const struct installation_lab *lab, const char *const *names) {
  const char *words[RUBRIC_LINES + 8] = {lab->suite, "--program", "./program", "--outcomes", outcomes_path};
  int count = 5;
  for (int n = 0; n < lab->rubric.count; n++)
    if (lab->rubric.lines[n].kind == RUBRIC_CORRECTNESS &&
        is_needed(&lab->rubric, lab->rubric.lines[n].id, names))
      words[count++] = lab->rubric.lines[n].id;
  unlink(outcomes_path);
  program_run(words, SUITE_SECONDS);
  return json_load_file(outcomes_path, 0, NULL);
}

static bool has_infra(const json_t *outcomes) {
  size_t n;
  json_t *test;
  json_array_foreach(json_object_get(outcomes, "tests"), n, test) {
    const char *verdict = result_verdict(test);
    if (verdict && strcmp(verdict, "INFRA") == 0)
      return true;
  }
  return outcomes == NULL;
}

static const json_t *find_outcome(const json_t *outcomes, const char *id) {
  size_t n;
  json_t *test;
  json_array_foreach(json_object_get(outcomes, "tests"), n, test) {
    const char *name = json_string_value(json_object_get(test, "name"));
    if (name && result_verdict(test) && strcmp(name, id) == 0)
      return test;
  }
  return NULL;
}

static json_t *correctness_line(const struct rubric_line *line, const json_t *outcomes) {
  const json_t *outcome = find_outcome(outcomes, line->id);
  if (!outcome)
    return result_line(line, "INFRA", "the suite of the lab says nothing about it");
  const char *message = json_string_value(json_object_get(outcome, "message"));
  const char *remark = json_string_value(json_array_get(json_object_get(outcome, "remarks"), 0));
  json_t *json = result_line(line, result_verdict(outcome), message ? message : "");
  if (remark)
    json_object_set_new(json, "remark", result_string(remark));
  return json;
}

/* --- counters: one run of the program under the device's eyes --- */

static struct program_result run_counted(const struct rubric_line *line) {
  const char *words[RUBRIC_WORDS + 1] = {"./program"};
  memcpy(words + 1, line->run, sizeof line->run);
  setenv("SIMGPU_COUNTERS", counters_path, 1);
  setenv("SIMGPU_REPORT", report_path, 1);
  unlink(counters_path);
  unlink(report_path);
  const struct program_result result = program_run(words, RUN_SECONDS);
  unsetenv("SIMGPU_COUNTERS");
  unsetenv("SIMGPU_REPORT");
  return result;
}

/* A kernel's part of the device's report begins with its name and ": "; below it stand a file's name, then
 * its lines: "   47   42688 …  |   source", and after one that wastes something "^ loads: 8.2 sectors …". */
static bool find_waste(const struct rubric_line *line, char *source, char *sentence, size_t size) {
  char text[2048], file[256] = "";
  bool inside = false, found = false;
  int number = 0, at;
  FILE *report = fopen(report_path, "r");
  while (report && !found && fgets(text, sizeof text, report)) {
    text[strcspn(text, "\n")] = '\0';
    if (text[0] != ' ' && strstr(text, " warp instructions"))
      inside = strncmp(text, line->kernel, strlen(line->kernel)) == 0;
    else if (text[0] != ' ' && strstr(text, ".cu"))
      snprintf(file, sizeof file, "%.255s", text);
    else if (inside && sscanf(text, "%d", &at) == 1)
      number = at;
    else if (inside && number && file[0] && strstr(text, "^ ") && strstr(text, line->metric->told_by)) {
      snprintf(source, size, "%s:%d", file, number);
      snprintf(sentence, size, "%s", strstr(text, "^ ") + 2);
      found = true;
    }
  }
  if (report)
    fclose(report);
  return found;
}

static void add_measurement(json_t *json, const struct rubric_line *line, double measured) {
  const double points = rubric_points(line, measured);
  char source[512], sentence[512], message[1200];
  json_object_set_new(json, "measured", json_real(measured));
  json_object_set_new(json, "unit", json_string(line->metric->unit));
  json_object_set_new(json, "none_at", json_real(line->none_at));
  json_object_set_new(json, "full_at", json_real(line->full_at));
  json_object_set_new(json, "formula", json_string(line->metric->formula));
  json_object_set_new(json, "points", json_real(points));
  if (points == line->points || !find_waste(line, source, sentence, sizeof source))
    return;
  snprintf(message, sizeof message, "%s: %s", source, sentence);
  json_object_set_new(json, "source", result_string(source));
  json_object_set_new(json, "message", result_string(message));
}

/* The line on which this one waits, or NULL. */
static const char *unmet_need(const struct rubric_line *line, const json_t *outcomes) {
  for (int n = 0; line->needs[n]; n++) {
    const json_t *outcome = find_outcome(outcomes, line->needs[n]);
    if (!outcome || strcmp(result_verdict(outcome), "PASS") != 0)
      return line->needs[n];
  }
  return NULL;
}

static json_t *counter_line(const struct rubric_line *line, const json_t *outcomes) {
  const char *need = unmet_need(line, outcomes);
  char message[PROGRAM_TEXT_MAX];
  struct error why;
  double measured;
  if (need) {
    snprintf(message, sizeof message, "counts when %s passes", need);
    return result_line(line, "SKIPPED", message);
  }
  const struct program_result run = run_counted(line);
  if (run.status != 0 || run.timed_out) {
    program_describe(&run, message, sizeof message);
    return result_line(line, run.timed_out ? "TIMEOUT" : "CRASH", message);
  }
  if (access(counters_path, F_OK) != 0)
    return result_line(line, "INFRA", "the simulated GPU wrote no counters");
  if (!metric_measure(line->metric, counters_path, line->kernel, line->per, &measured, &why))
    return result_line(line, "WRONG", why.text);
  json_t *json = result_line(line, rubric_points(line, measured) == line->points ? "PASS" : "WRONG", "");
  add_measurement(json, line, measured);
  return json;
}

/* --- the lab --- */

static json_t *same_lines(const struct rubric *rubric, const char *const *names, const char *verdict,
                          const char *message) {
  json_t *lines = json_array();
  for (int n = 0; n < rubric->count; n++)
    if (is_named(rubric->lines[n].id, names))
      json_array_append_new(lines, result_line(&rubric->lines[n], verdict, message));
  return lines;
}

static json_t *judge_lines(const struct installation_lab *lab, const char *const *names) {
  json_t *lines = json_array(), *outcomes = run_suite(lab, names);
  if (has_infra(outcomes)) { /* once more: a fault of the machine may be over */
    json_decref(outcomes);
    outcomes = run_suite(lab, names);
  }
  for (int n = 0; n < lab->rubric.count; n++) {
    const struct rubric_line *line = &lab->rubric.lines[n];
    if (is_named(line->id, names))
      json_array_append_new(lines, line->kind == RUBRIC_COUNTER ? counter_line(line, outcomes)
                                                                : correctness_line(line, outcomes));
  }
  json_decref(outcomes);
  return lines;
}

json_t *judge_lab(const struct installation *kit, const struct installation_lab *lab, const char *text,
                  size_t size, const char *const *names) {
  struct error why;
  bool fault = false;
  if (!text)
    error_set(&why, "%s.cu: not handed in", lab->rubric.program);
  else if (compile_lab(kit, lab, text, size, &why, &fault))
    return result_lab(lab->name, judge_lines(lab, names), "");
  return result_lab(lab->name, same_lines(&lab->rubric, names, fault ? "INFRA" : "COMPILE", why.text),
                    why.text);
}
