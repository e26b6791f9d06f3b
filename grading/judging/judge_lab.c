#define _GNU_SOURCE /* memmem */
#include "judge_lab.h"
#include "blocks.h"
#include "compile.h"
#include "counter_file.h"
#include "kernels.h"
#include "program.h"
#include "result.h"
#include "slots.h"
#include "slow.h"
#include "tasks.h"
#include "time_jail.h"
#include "time_lab.h"
#include "unwritten_part.h"
#include "warnings.h"
#include "waste.h"
#include "working_folder.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUITE_WORDS = 24, SUITE_SECONDS = 7200 }; /* its programs have their own limits */
enum { MOST_TIMEOUTS = 2 }; /* per lab: one takes longer than all runs of a correct lab */

static const char outcomes_path[] = "outcomes.json", counters_path[] = COUNTER_FILE_COUNTERS,
                  lines_path[] = COUNTER_FILE_LINES, addresses_path[] = COUNTER_FILE_REQUESTS,
                  less_path[] = COUNTER_FILE_LESS;

/* --- the program --- */

json_t *judge_lab_make(const struct judge_lab *judged) {
  const struct installation *kit = judged->kit;
  const char *const *libraries = judged->machine ? kit->gpu_libraries : kit->libraries;
  struct error why;
  bool fault = false;
  if (judged->machine && !rubric_has_time(&judged->lab->rubric))
    return json_pack("{s:s}", "verdict", "PASS"); /* nothing to run */
  if (!judged->text) {
    if (judged->reason && judged->reason[0])
      error_set(&why, "%s", judged->reason);
    else
      error_set(&why, "%s.cu: not handed in", judged->lab->rubric.program);
    return json_pack("{s:s, s:o}", "verdict", "MISSING", "message", result_string(why.text));
  }
  if ((fault = mkdir(judged->directory, 0777) != 0 || chdir(judged->directory) != 0))
    error_set(&why, "%s: cannot make the folder: %s", judged->directory, strerror(errno));
  else if (compile_lab(&(struct compile_order){.kit = kit,
                                               .lab = judged->lab,
                                               .text = judged->text,
                                               .size = judged->size,
                                               .libraries = libraries,
                                               .limits = &compile_limits,
                                               .jail = {.level = kit->isolation.level,
                                                        .namespaces = kit->isolation.namespaces,
                                                        .slot = slots_of(tasks_slot())}},
                       &why, &fault))
    return json_pack("{s:s, s:o}", "verdict", "PASS", "warning", result_string(why.text));
  return json_pack("{s:s, s:o}", "verdict", fault ? "INFRA" : "COMPILE", "message", result_string(why.text));
}

static const char *program_of(const struct judge_lab *judged) {
  static char path[PATH_MAX + 16];
  snprintf(path, sizeof path, "%s/program", judged->directory);
  return path;
}

/* --- correctness: the lab's suite --- */

static const char record_path[] = "device.record";

static void add_words(const char **words, const char *const *more) {
  while (*words)
    words++;
  while (*more)
    *words++ = *more++;
}

/* The item's outcome. records: the simulated GPU also keeps what it was asked. */
static json_t *run_suite(const struct judge_lab *judged, const struct rubric_item *item, int sample,
                         bool records) {
  char seed[32], chosen[16], jail[64];
  jail_print(&(struct jail){.level = judged->kit->isolation.level,
                            .namespaces = judged->kit->isolation.namespaces,
                            .slot = slots_of(tasks_slot())},
             jail, sizeof jail);
  snprintf(seed, sizeof seed, "%d", judged->seed);
  snprintf(chosen, sizeof chosen, "%d", sample);
  unlink(outcomes_path);
  const char *words[SUITE_WORDS] = {judged->lab->suite,
                                    "--program",
                                    program_of(judged),
                                    "--device",
                                    judged->kit->device,
                                    "--jail",
                                    jail,
                                    "--seed",
                                    seed,
                                    "--sample",
                                    chosen,
                                    "--counts",
                                    ".",
                                    "--outcomes",
                                    outcomes_path};
  if (records)
    add_words(words, (const char *const[]){"--record", record_path, NULL});
  if (judged->inputs[0])
    add_words(words, (const char *const[]){"--inputs", judged->inputs, NULL});
  if (judge_lab_timeouts(judged, judged->lab->rubric.count, item->bonus) > 0)
    add_words(words, (const char *const[]){"--hurry", NULL});
  add_words(words, (const char *const[]){item->id, NULL});
  program_run(words, SUITE_SECONDS); /* a program that hangs costs its full time once */
  json_t *outcomes = json_load_file(outcomes_path, 0, NULL);
  json_t *outcome = json_incref(json_array_get(json_object_get(outcomes, "tests"), 0));
  json_decref(outcomes);
  return outcome;
}

static bool is_infra(const json_t *outcome) {
  const char *verdict = result_verdict(outcome);
  return !verdict || strcmp(verdict, "INFRA") == 0;
}

static const char *text_of(const json_t *outcome, const char *name) {
  const char *text = json_string_value(json_object_get(outcome, name));
  return text ? text : "";
}

/* A fault of the simulated GPU can be repeated without the program: keeps the recording beside the reports. */
static void keep_record(const struct judge_lab *judged, const struct rubric_item *item, json_t *outcome) {
  char path[PATH_MAX + 128], message[PATH_MAX + 1024], place[128];
  if (!is_infra(outcome) || !judged->out || !strstr(text_of(outcome, "message"), "the simulated GPU ended"))
    return;
  snprintf(place, sizeof place, "%s.record", item->id);
  for (char *slash; (slash = strchr(place, '/'));)
    *slash = '_';
  snprintf(path, sizeof path, "%s/%s", judged->out, place);
  struct error error;
  if (!run_files_copy(record_path, path, &error) || access(path, F_OK) != 0)
    return;
  snprintf(message, sizeof message, "%s: simgpu-device --replay %s repeats it", text_of(outcome, "message"),
           place);
  json_object_set_new(outcome, "message", result_string(message));
}

/* The outcome of the item's tests in the suite; the caller releases it. */
static json_t *suite_outcome(const struct judge_lab *judged, const struct rubric_item *item, int sample) {
  json_t *outcome = run_suite(judged, item, sample, false);
  if (!is_infra(outcome))
    return outcome;
  json_decref(outcome); /* repeat it: a fault of the machine may be over */
  outcome = run_suite(judged, item, sample, true);
  keep_record(judged, item, outcome);
  return outcome;
}

static json_t *no_outcome(const struct judge_lab *judged, const struct rubric_item *item) {
  struct error why;
  if (access(judged->lab->suite, X_OK) != 0)
    error_set(&why, "%s: cannot run: %s", judged->lab->suite, strerror(errno));
  else
    error_set(&why, "%s: no result for this item", judged->lab->suite);
  return result_item(item, "INFRA", why.text);
}

static json_t *item_of_outcome(const struct judge_lab *judged, const struct rubric_item *item,
                               const json_t *outcome) {
  if (!result_verdict(outcome))
    return no_outcome(judged, item);
  const char *remark = json_string_value(json_array_get(json_object_get(outcome, "remarks"), 0));
  json_t *json = result_item(item, result_verdict(outcome), text_of(outcome, "message"));
  if (remark)
    json_object_set_new(json, "remark", result_string(remark));
  if (text_of(outcome, "shown")[0])
    json_object_set_new(json, "shown", result_string(text_of(outcome, "shown")));
  if (text_of(outcome, "printed")[0] && !item->hidden)
    json_object_set_new(json, "printed", result_string(text_of(outcome, "printed")));
  return json;
}

static json_t *correctness_item(const struct judge_lab *judged, const struct rubric_item *item) {
  json_t *outcome = suite_outcome(judged, item, 0), *json = item_of_outcome(judged, item, outcome);
  json_decref(outcome);
  return json;
}

/* --- counters: a run that the lab's suite makes and judges --- */

static json_t *read_kernels(const struct judge_lab *judged, const char *arguments) {
  char file[256];
  snprintf(file, sizeof file, "%s.cu", judged->lab->rubric.program);
  return kernels_read(&(struct kernels_run){arguments, lines_path, addresses_path}, file, judged->text,
                      judged->size);
}

static void add_measurement(json_t *json, const struct rubric_item *item, double measured) {
  struct waste waste;
  char message[sizeof waste + 3];
  result_measure(json, item, measured, item->metric->unit, item->metric->formula);
  if (rubric_points(item, measured) == item->points)
    return;
  if (item->metric->fault == METRIC_TIME && slow_explain(counters_path, message, sizeof message))
    json_object_set_new(json, "message", result_string(message));
  if (!waste_find(item->metric->fault, "", lines_path, addresses_path, &waste))
    return;
  snprintf(message, sizeof message, "%s: %s", waste.source, waste.sentence);
  json_object_set_new(json, "source", result_string(waste.source));
  json_object_set_new(json, "message", result_string(message));
}

/* The result of the item with this name, or NULL. */
static const json_t *item_of(const struct judge_lab *judged, const char *id) {
  const struct rubric_item *item = rubric_find(&judged->lab->rubric, id);
  return item ? judged->items[item - judged->lab->rubric.items] : NULL;
}

/* The item that this one waits for, or NULL. */
static const char *unmet_need(const struct judge_lab *judged, const struct rubric_item *item) {
  for (int n = 0; item->needs[n]; n++)
    if (strcmp(result_verdict(item_of(judged, item->needs[n])), "PASS") != 0)
      return item->needs[n];
  return NULL;
}

/* The item's value in the files of its run. Takes json, the item as far as it is judged: PASS. */
static json_t *measure(const struct judge_lab *judged, const struct rubric_item *item, double per,
                       const char *arguments, json_t *json) {
  struct error why;
  double measured;
  const struct metric_run run = {.counters = counters_path,
                                 .less = access(less_path, F_OK) == 0 ? less_path : NULL,
                                 .kernel = "",
                                 .per = item->bytes > 0 ? per * item->bytes / judged->kit->model_copy : per};
  const bool is_measured = metric_measure(item->metric, &run, &measured, &why);
  json_decref(json);
  if (!is_measured)
    return result_item(item, "WRONG", why.text);
  json = result_item(item, rubric_points(item, measured) == item->points ? "PASS" : "WRONG", "");
  add_measurement(json, item, measured);
  if (!item->hidden)
    json_object_set_new(json, "kernels", read_kernels(judged, arguments));
  return json;
}

/* The program is correct, since the items that this one needs passed, and no limit stopped it. */
static bool is_killed_by_the_machine(const json_t *item) {
  return strcmp(result_verdict(item), "MEMORY") == 0 &&
         strstr(text_of(item, "message"), "it crashed: Killed");
}

static json_t *counted(const struct judge_lab *judged, const struct rubric_item *item, int sample) {
  json_t *outcome = suite_outcome(judged, item, sample), *json = item_of_outcome(judged, item, outcome);
  if (is_killed_by_the_machine(json))
    json_object_set_new(json, "verdict", json_string("INFRA"));
  if (strcmp(result_verdict(json), "PASS") == 0)
    json = measure(judged, item, json_number_value(json_object_get(outcome, "per")),
                   text_of(outcome, "counted"), json);
  json_decref(outcome);
  return json;
}

static double points_in(const json_t *item) { return json_number_value(json_object_get(item, "points")); }

static int by_points(const void *a, const void *b) {
  const double first = points_in(*(json_t *const *)a), second = points_in(*(json_t *const *)b);
  return (first > second) - (first < second);
}

/* Modelled time extrapolates from a few sampled blocks. A value between none and all points is measured with two other
 * samples, and the median counts: a block that is unlike the others must not cost points. */
static json_t *counter_item(const struct judge_lab *judged, const struct rubric_item *item) {
  enum { SAMPLES = 3 };
  json_t *all[SAMPLES] = {counted(judged, item, 0)};
  const double first = points_in(all[0]);
  if (item->metric->fault != METRIC_TIME || !(first > 0 && first < item->points))
    return all[0];
  for (int n = 1; n < SAMPLES; n++)
    all[n] = counted(judged, item, n);
  qsort(all, SAMPLES, sizeof *all, by_points);
  json_decref(all[0]);
  json_decref(all[2]);
  return all[1];
}

/* --- the lab --- */

static const struct rubric_item *rubric_item_of(const struct judge_lab *judged, int item) {
  return &judged->lab->rubric.items[item];
}

/* Whether a named item, or one that it needs, needs the item with this id. */
static bool is_needed(const struct rubric *rubric, const char *id, const char *const *names) {
  for (int n = 0; n < rubric->count; n++)
    for (int k = 0; rubric->items[n].kind != RUBRIC_TIME && rubric->items[n].needs[k]; k++)
      if (strcmp(rubric->items[n].needs[k], id) == 0 &&
          (rubric_is_named(rubric->items[n].id, names) || is_needed(rubric, rubric->items[n].id, names)))
        return true;
  return false;
}

bool judge_lab_wants(const struct judge_lab *judged, int item) {
  const struct rubric *rubric = &judged->lab->rubric;
  const char *id = rubric->items[item].id;
  bool wanted = rubric_is_named(id, judged->names);
  if (rubric->items[item].kind == RUBRIC_RUNG)
    return false;
  if (judged->machine || rubric->items[item].kind == RUBRIC_TIME)
    return wanted && judged->machine && rubric->items[item].kind == RUBRIC_TIME;
  return wanted || is_needed(rubric, id, judged->names);
}

bool judge_lab_is_ready(const struct judge_lab *judged, int item) {
  const struct rubric_item *this = rubric_item_of(judged, item);
  bool ready = judged->made != NULL;
  for (int n = 0; this->needs[n] && !judged->machine; n++)
    ready &= item_of(judged, this->needs[n]) != NULL;
  return ready;
}

int judge_lab_timeouts(const struct judge_lab *judged, int item, bool bonus) {
  int count = 0;
  for (int n = 0; n < item; n++)
    count += judged->items[n] && !judged->stopped[n] && (bonus || !rubric_item_of(judged, n)->bonus) &&
             strcmp(result_verdict(judged->items[n]), "TIMEOUT") == 0;
  return count;
}

/* Where the needed item is judged for this one alone, its own message and hint would be shown nowhere. */
static json_t *item_skipped(const struct judge_lab *judged, const struct rubric_item *item,
                            const char *need) {
  const json_t *needed = item_of(judged, need);
  const bool is_shown = rubric_is_named(need, judged->names),
             is_hidden = json_is_false(json_object_get(needed, "public"));
  char *message = NULL;
  size_t size;
  FILE *stream = open_memstream(&message, &size);
  fprintf(stream, "counts when %s passes", need);
  if (!is_shown && !is_hidden)
    fprintf(stream, "\n%s: %s", need, text_of(needed, "message"));
  fclose(stream);
  json_t *skipped = result_item(item, "SKIPPED", message), *hint = json_object_get(needed, "hint");
  free(message);
  if (hint && !is_shown && !is_hidden)
    json_object_set(skipped, "hint", hint);
  return skipped;
}

/* The result of an item that must not run because of the items before it, or NULL. */
static json_t *item_without_run(const struct judge_lab *judged, const struct rubric_item *item) {
  const char *need = item->kind == RUBRIC_TIME ? NULL : unmet_need(judged, item);
  char message[128];
  if (need) {
    const bool is_fault = strcmp(result_verdict(item_of(judged, need)), "INFRA") == 0;
    snprintf(message, sizeof message, "%s could not be judged", need);
    return is_fault ? result_item(item, "INFRA", message) : item_skipped(judged, item, need);
  }
  if (judge_lab_timeouts(judged, (int)(item - judged->lab->rubric.items), item->bonus) < MOST_TIMEOUTS)
    return NULL;
  return result_item(item, "TIMEOUT", "not run: two earlier items of this lab timed out");
}

void judge_lab_give_up(struct judge_lab *judged, int item) {
  const bool bonus = rubric_item_of(judged, item)->bonus;
  if (!judge_lab_is_made(judged) || judge_lab_timeouts(judged, item, bonus) < MOST_TIMEOUTS)
    return;
  json_decref(judged->items[item]);
  judged->items[item] = item_without_run(judged, rubric_item_of(judged, item));
}

static json_t *measure_item(const struct judge_lab *judged, int item) {
  const struct rubric_item *this = rubric_item_of(judged, item);
  if (this->kind == RUBRIC_TIME)
    return time_item(
        judged->kit, judged->lab, program_of(judged),
        time_jail_of(judged->kit, judged->machine->isolation, slots_of(tasks_slot()), program_of(judged)),
        this, judged->machine->peak);
  return this->kind == RUBRIC_COUNTER ? counter_item(judged, this) : correctness_item(judged, this);
}

/* If the disk is full, a failed item says nothing about the program. */
static json_t *unless_disk_is_full(json_t *judged, const struct rubric_item *item) {
  struct error why;
  const char *verdict = result_verdict(judged);
  if (strcmp(verdict, "PASS") == 0 || strcmp(verdict, "SKIPPED") == 0 || working_folder_has_room(&why))
    return judged;
  json_decref(judged);
  return result_item(item, "INFRA", why.text);
}

/* Explains the number that a written function returns, where the program takes it for that of an unwritten part, and
 * the statement that a student has left. */
static json_t *unless_it_is_written(const struct judge_lab *judged, const struct rubric_item *item,
                                    json_t *outcome) {
  char function[128], message[512];
  int part;
  if (strcmp(result_verdict(outcome), "UNWRITTEN") != 0 ||
      sscanf(text_of(outcome, "message"), "%127[^:]: TODO(%d)", function, &part) != 2)
    return outcome;
  const struct unwritten_part left = unwritten_part_find(judged->text, judged->size, part);
  if (left.line && left.has_other) {
    snprintf(
        message, sizeof message,
        "%s: TODO(%d) is written in part: %s.cu:%d still has 'return %d;', which stands for an unwritten block: "
        "delete or replace this statement",
        function, part, judged->lab->rubric.program, left.line, part);
    json_object_set_new(outcome, "message", result_string(message));
  }
  if (left.line)
    return outcome;
  snprintf(
      message, sizeof message,
      "%s returns %d, which stands for 'TODO(%d) is not written yet', but TODO(%d) is written: a written "
      "function returns 0, and so do the functions that it calls",
      function, part, part, part);
  json_decref(outcome);
  return result_item(item, "WRONG", message);
}

/* A wrong result of an item whose part has no code at all is that of the parts before it. */
static json_t *unless_it_is_empty(const struct judge_lab *judged, const struct rubric_item *item,
                                  json_t *outcome) {
  const struct unwritten_part part = unwritten_part_find(judged->text, judged->size, item->part);
  char message[64];
  if (strcmp(result_verdict(outcome), "WRONG") != 0 || !part.has_block || part.has_other)
    return outcome;
  snprintf(message, sizeof message, "TODO(%d): not written yet", item->part);
  json_decref(outcome);
  return result_item(item, "UNWRITTEN", message);
}

json_t *judge_lab_item(const struct judge_lab *judged, int item) {
  const struct rubric_item *this = rubric_item_of(judged, item);
  const char *verdict = result_verdict(judged->made);
  if (strcmp(verdict, "PASS") != 0)
    return result_item(this, verdict, json_string_value(json_object_get(judged->made, "message")));
  json_t *json = item_without_run(judged, this);
  if (json)
    return json;
  program_enter_directory();
  return unless_it_is_empty(
      judged, this,
      unless_it_is_written(judged, this, unless_disk_is_full(measure_item(judged, item), this)));
}

bool judge_lab_is_made(const struct judge_lab *judged) {
  return judged->made && strcmp(result_verdict(judged->made), "PASS") == 0;
}

static bool is_silent(const struct judge_lab *judged, int item) {
  static const char *const silent[] = {"PASS", "UNWRITTEN", "SKIPPED", "INCONCLUSIVE"};
  const json_t *of = judged->items[item];
  bool is_silent = !rubric_is_named(rubric_item_of(judged, item)->id, judged->names) ||
                   json_is_false(json_object_get(of, "public"));
  for (size_t k = 0; k < sizeof silent / sizeof *silent; k++)
    is_silent |= strcmp(result_verdict(of), silent[k]) == 0;
  return is_silent;
}

/* Whether a warning is about another part than the item's. */
static bool is_of_another_part(const struct judge_lab *judged, const char *warning, int item) {
  const int line = warnings_line(warning),
            part = line ? blocks_part_of_line(judged->text, judged->size, line) : 0;
  return part && part != rubric_item_of(judged, item)->part;
}

/* Takes the text. */
static void set_text(json_t *item, json_t *text) {
  json_object_set_new(item, "message", result_string(json_string_value(text)));
  json_decref(text);
}

static void set_message(json_t *item, const char *first, const char *second) {
  set_text(item, json_sprintf("%s\n%s", first, second));
}

static void add_before_map(json_t *item, const char *text) {
  const char *message = text_of(item, "message"), *map = strstr(message, "\nmap of the grid");
  const char *end = map ? map : strstr(message, "\nto repeat the run");
  const int length = end ? (int)(end - message) : (int)strlen(message);
  set_text(item, json_sprintf("%.*s\n%s%s", length, message, text, message + length));
}

/* Of a wrong result, after its message: a line of the part with an expression that means something else than
 * it seems to. */
static void add_precedence(struct judge_lab *judged, int item) {
  const struct rubric_item *this = rubric_item_of(judged, item);
  json_t *of = judged->items[item];
  struct error look;
  struct blocks_place block = {.part = 0};
  while (blocks_next(judged->text, judged->size, this->part, &block))
    if (warnings_of_precedence(judged->text, judged->size, judged->lab->rubric.program, block.first,
                               block.last, &look)) {
      if (!strstr(text_of(of, "message"), look.text + strlen("look at "))) /* the compiler may have warned */
        add_before_map(of, look.text);
      return;
    }
}

/* The line of text with "name<<<" or "name<true><<<"; 0: none. */
static int line_of_launch(const struct judge_lab *judged, const char *name, size_t length) {
  const char *end = judged->text + judged->size, *at = judged->text;
  int line = 1;
  for (const char *c = judged->text; (at = memmem(at, (size_t)(end - at), name, length)); at++) {
    const char *after = at + length;
    while (after < end && *after != '\n' && !strchr("(;", *after) && strncmp(after, "<<<", 3) != 0)
      after++;
    for (; c < at; c++)
      line += *c == '\n';
    if (end - after > 3 && strncmp(after, "<<<", 3) == 0)
      return line;
  }
  return 0;
}

/* After the name of the kernel in a message about a launch: its line. */
static void add_launch_line(struct judge_lab *judged, int item) {
  static const char *const before[] = {"the run launches ", "launch of "};
  for (size_t n = 0; n < sizeof before / sizeof *before; n++) {
    const char *message = text_of(judged->items[item], "message"), *found = strstr(message, before[n]);
    const char *name = found ? found + strlen(before[n]) : "", *after = name + strcspn(name, " <(");
    const int line = after > name ? line_of_launch(judged, name, (size_t)(after - name)) : 0;
    if (line)
      set_text(judged->items[item], json_sprintf("%.*s (%s.cu:%d)%s", (int)(after - message), message,
                                                 judged->lab->rubric.program, line, after));
  }
}

static void add_warning(struct judge_lab *judged, int item) {
  const char *warning = json_string_value(json_object_get(judged->made, "warning"));
  json_t *of = judged->items[item];
  if (!warning || !warning[0] || is_of_another_part(judged, warning, item))
    return;
  if (warnings_names_a_cause(warning))
    set_message(of, warning, text_of(of, "message"));
  else
    set_message(of, text_of(of, "message"), warning);
  json_object_del(judged->made, "warning");
}

void judge_lab_add_warning(struct judge_lab *judged, int item) {
  if (!judge_lab_is_made(judged) || is_silent(judged, item))
    return;
  add_launch_line(judged, item);
  add_warning(judged, item);
  if (strcmp(result_verdict(judged->items[item]), "WRONG") == 0 &&
      rubric_item_of(judged, item)->kind == RUBRIC_CORRECTNESS)
    add_precedence(judged, item);
}

struct words {
  const char *start;
  size_t length;
};

static const char checks_found[] = "the checks found: ";

/* What was found, without the place in the run: the finding of the checks, or the first line up to the block. */
static struct words finding_of(const char *message) {
  const char *found = strstr(message, checks_found);
  const char *start = found ? found + strlen(checks_found) : message;
  const char *place = strstr(start, ", block (");
  const size_t length = strcspn(start, "\n");
  return (struct words){start, place && place < start + length ? (size_t)(place - start) : length};
}

/* Of timeouts the numbers may differ: the limits of a later run are lower. */
static bool is_same(struct words a, struct words b, bool timed_out) {
  bool same = a.length == b.length || timed_out;
  size_t n = 0, k = 0;
  for (; same && n < a.length && k < b.length; n++, k++) {
    while (timed_out && n < a.length && isdigit((unsigned char)a.start[n]))
      n++;
    while (timed_out && k < b.length && isdigit((unsigned char)b.start[k]))
      k++;
    same = n < a.length && k < b.length ? a.start[n] == b.start[k] : n == a.length && k == b.length;
  }
  return same && n >= a.length && k >= b.length;
}

/* The first public item before this one that found the same, or NULL. */
static const json_t *item_that_found(const struct judge_lab *judged, int item, struct words finding) {
  const bool timed_out = strcmp(result_verdict(judged->items[item]), "TIMEOUT") == 0;
  for (int n = 0; n < item && finding.length > 0; n++) {
    const json_t *other = judged->items[n];
    const struct words found = finding_of(text_of(other, "message"));
    if (other && rubric_is_named(rubric_item_of(judged, n)->id, judged->names) &&
        !json_is_false(json_object_get(other, "public")) && is_same(found, finding, timed_out))
      return other;
  }
  return NULL;
}

void judge_lab_spare_repetition(struct judge_lab *judged, int item) {
  json_t *this = judged->items[item];
  const char *message = text_of(this, "message"), *verdict = result_verdict(this);
  const struct words finding = finding_of(message);
  const json_t *other = item_that_found(judged, item, finding);
  if (!other || strcmp(verdict, "SKIPPED") == 0 || strcmp(verdict, "UNWRITTEN") == 0)
    return;
  json_object_del(this, "printed");
  json_t *shorter =
      json_sprintf("%.*sas for %s", (int)(finding.start - message), message, text_of(other, "id"));
  json_object_set_new(this, "message", shorter);
}

json_t *judge_lab_result(const struct judge_lab *judged) {
  json_t *items = json_array();
  const char *message = json_string_value(json_object_get(judged->made, "message"));
  for (int n = 0; n < judged->lab->rubric.count; n++)
    if (judged->items[n] && rubric_is_named(rubric_item_of(judged, n)->id, judged->names))
      json_array_append(items, judged->items[n]);
  json_t *result = result_lab(judged->lab->name, items, message ? message : "");
  kernels_gather(result);
  return result;
}

void judge_lab_free(struct judge_lab *judged) {
  for (int n = 0; n < judged->lab->rubric.count; n++)
    json_decref(judged->items[n]);
  json_decref(judged->made);
}
