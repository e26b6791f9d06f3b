#include "judge_submission.h"
#include "allocate.h"
#include "guide.h"
#include "judge_lab.h"
#include "ladder.h"
#include "leaderboard.h"
#include "result.h"
#include "seal.h"
#include "tasks.h"
#include "timing.h"
#include "working_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAKE = -1, TASKS = INSTALLATION_LABS * (RUBRIC_ITEMS + 1) };

struct task {
  int lab, item; /* item: place in the rubric, or MAKE */
};

struct work {
  const struct installation *kit;
  struct judge_lab labs[INSTALLATION_LABS];
  int lab_count;
  struct task tasks[TASKS];
  int task_count;
  FILE *told;
  const json_t *attempts;
  struct task next; /* to be printed */
  json_t *results;  /* of the labs that have been printed */
  const char *folder;
  double deadline;
  int limit_seconds;
  bool stopped; /* at the deadline */
};

static bool has_timeout(const struct judge_lab *lab) {
  return judge_lab_timeouts(lab, lab->lab->rubric.count, true) > 0;
}

/* After a TIMEOUT the lab's items are judged one by one, since a second one ends the lab. */
static bool is_ready(int n, void *context) {
  const struct work *work = context;
  const struct task task = work->tasks[n];
  bool ready = task.item == MAKE || judge_lab_is_ready(&work->labs[task.lab], task.item);
  for (int k = 0; ready && task.item != MAKE && has_timeout(&work->labs[task.lab]) && k < n; k++)
    ready &= work->tasks[k].lab != task.lab || work->tasks[k].item == MAKE ||
             work->labs[task.lab].items[work->tasks[k].item];
  return ready;
}

static json_t *run_task(int n, void *context) {
  const struct work *work = context;
  const struct task task = work->tasks[n];
  const struct judge_lab *lab = &work->labs[task.lab];
  setenv("TMPDIR", work->folder, 1); /* files of an ended process are removed with the folder */
  return task.item == MAKE ? judge_lab_make(lab) : judge_lab_item(lab, task.item);
}

static bool is_late(const struct work *work) { return timing_now() >= work->deadline; }

/* The result that replaces the missing result of a process. */
static json_t *lost(const struct work *work, const struct judge_lab *lab, int item) {
  const char *verdict = is_late(work) ? "TIMEOUT" : "INFRA";
  char message[160] = "a process of the grader ended unexpectedly";
  if (is_late(work))
    snprintf(message, sizeof message,
             "not judged: the submission reached the limit of %d s of wall time (--limit-seconds)",
             work->limit_seconds);
  return item == MAKE ? json_pack("{s:s, s:s}", "verdict", verdict, "message", message)
                      : result_item(&lab->lab->rubric.items[item], verdict, message);
}

/* Prints the lab's judged items, up to the first one that is not. True when all are judged, except rungs. */
static bool tell_items(struct work *work, struct judge_lab *lab) {
  for (; work->next.item < lab->lab->rubric.count; work->next.item++) {
    const int n = work->next.item;
    if (!judge_lab_wants(lab, n))
      continue;
    if (!lab->items[n])
      return false;
    judge_lab_give_up(lab, n);
    if (judge_lab_is_made(lab))
      judge_lab_spare_repetition(lab, n);
    judge_lab_add_warning(lab, n);
    if (work->attempts)
      guide_item(lab->items[n], &lab->lab->rubric.items[n], work->attempts);
    if (work->told && judge_lab_is_made(lab) && rubric_is_named(lab->lab->rubric.items[n].id, lab->names))
      result_print_item(lab->items[n], work->told);
  }
  return lab->made != NULL;
}

/* Without a file of any lab and without a reason, the line of the whole says so. */
static bool has_words(const struct work *work) {
  bool has = work->lab_count == 1;
  for (int n = 0; n < work->lab_count; n++)
    has |= work->labs[n].text || (work->labs[n].reason && work->labs[n].reason[0]);
  return has;
}

/* On a terminal: announces the lab whose items come next. */
static void announce(const struct work *work) {
  const int lab = work->next.lab;
  if (work->told && work->lab_count > 1 && has_words(work) && lab < work->lab_count &&
      isatty(fileno(work->told))) {
    fprintf(work->told, "[%d/%d] %s\n", lab + 1, work->lab_count, work->labs[lab].lab->name);
    fflush(work->told);
  }
}

static void tell(struct work *work) {
  while (work->next.lab < work->lab_count && tell_items(work, &work->labs[work->next.lab])) {
    json_t *result = judge_lab_result(&work->labs[work->next.lab]);
    if (work->told && has_words(work))
      result_print_lab_end(result, work->told);
    json_array_append_new(work->results, result);
    work->next = (struct task){work->next.lab + 1, 0};
    announce(work);
  }
}

static void keep(int n, json_t *result, void *context) {
  struct work *work = context;
  const struct task task = work->tasks[n];
  struct judge_lab *lab = &work->labs[task.lab];
  const bool stopped = !result && is_late(work);
  work->stopped |= stopped;
  if (task.item != MAKE)
    lab->stopped[task.item] = stopped;
  *(task.item == MAKE ? &lab->made : &lab->items[task.item]) = result ? result : lost(work, lab, task.item);
  tell(work);
}

static bool is_needed(const struct rubric *rubric, int item) {
  for (int n = 0; n < rubric->count; n++)
    for (const char *const *need = rubric->items[n].needs; *need; need++)
      if (strcmp(*need, rubric->items[item].id) == 0)
        return true;
  return false;
}

static void add_task(struct work *work, int lab, int item) {
  if (judge_lab_wants(&work->labs[lab], item))
    work->tasks[work->task_count++] = (struct task){lab, item};
}

/* 0: items that take longest. Many points are given for many tests, and modelled time is that of arrays larger than
 * the second-level cache. */
enum { PLACES = 3, MANY_POINTS = 10 };
static int place_of(const struct rubric_item *item) {
  if (item->kind == RUBRIC_CORRECTNESS && item->points >= MANY_POINTS)
    return 0;
  return item->kind == RUBRIC_COUNTER && item->metric->fault == METRIC_TIME ? 1 : PLACES - 1;
}

/* Everything that the lab's items wait for comes before them, the last part first: it takes longest, and items that
 * wait for it would otherwise run alone at the end. So would a long item, if it were the last. */
static void add_tasks(struct work *work, int lab) {
  const struct rubric *rubric = &work->labs[lab].lab->rubric;
  work->tasks[work->task_count++] = (struct task){lab, MAKE};
  for (int n = rubric->count; n-- > 0;)
    if (is_needed(rubric, n))
      add_task(work, lab, n);
  for (int place = 0; place < PLACES; place++)
    for (int n = 0; n < rubric->count; n++)
      if (!is_needed(rubric, n) && place_of(&rubric->items[n]) == place)
        add_task(work, lab, n);
}

static void add_lab(struct work *work, const struct submission *submission, int place,
                    const struct judge_order *order, const char *directory) {
  struct judge_lab *lab = &work->labs[work->lab_count];
  *lab = (struct judge_lab){.kit = work->kit,
                            .lab = &work->kit->labs[place],
                            .machine = order->machine,
                            .text = submission->texts[place],
                            .size = submission->sizes[place],
                            .reason = submission->reasons[place].text,
                            .seed = order->seed,
                            .out = order->out,
                            .names = order->names};
  if (order->inputs &&
      snprintf(lab->inputs, sizeof lab->inputs, "%s/%.2s", order->inputs, lab->lab->name) >= PATH_MAX)
    lab->inputs[0] = '\0';
  if (snprintf(lab->directory, sizeof lab->directory, "%s/%s", directory, lab->lab->name) >= PATH_MAX)
    error_die("%s: the path is too long: set TMPDIR to a folder with a shorter path", directory);
  add_tasks(work, work->lab_count++);
}

struct result_origin judge_origin(const struct installation *kit, const struct judge_order *order) {
  const struct machine *machine = order->machine;
  return (struct result_origin){.kit = kit->version,
                                .rubrics = kit->rubrics,
                                .judge = kit->judge,
                                .limits = machine ? machine->limits : "",
                                .seed = order->seed,
                                .mode = machine ? "time" : "counters",
                                .device = machine ? machine->gpu : "simulated H200",
                                .isolation =
                                    isolation_names[machine ? machine->isolation : kit->isolation.level],
                                .missing = machine ? machine->missing : kit->isolation.missing};
}

static json_t *judge_in(const char *folder, const struct installation *kit,
                        const struct submission *submission, const struct judge_order *order) {
  const struct result_origin origin = judge_origin(kit, order);
  const double start = timing_now();
  struct work *work = allocate_zeroed(1, sizeof *work);
  json_t *labs = json_array();
  *work = (struct work){.kit = kit,
                        .told = order->told,
                        .attempts = order->attempts,
                        .results = labs,
                        .folder = folder,
                        .limit_seconds = order->limit_seconds,
                        .deadline = order->limit_seconds ? start + order->limit_seconds : (double)INFINITY};
  for (int n = 0; n < kit->count; n++)
    if ((!order->only || order->only == &kit->labs[n]) &&
        (order->missing || submission->texts[n] || submission->reasons[n].text[0]))
      add_lab(work, submission, n, order, folder);
  announce(work);
  tasks_run_until(&(struct tasks_work){work->task_count, is_ready, run_task, keep, work}, order->jobs,
                  work->deadline);
  json_t *ladders = order->climbs ? ladder_modelled(kit, work->labs, work->lab_count) : json_array();
  json_t *whole = result_whole(submission, &origin, labs, timing_now() - start);
  if (work->stopped)
    json_object_set_new(whole, "stopped_after", json_integer(work->limit_seconds));
  for (int n = 0; n < work->lab_count; n++)
    judge_lab_free(&work->labs[n]);
  free(work);
  if (order->machine) {
    json_decref(ladders);
    ladders = ladder_measured(kit, labs);
  }
  ladder_keep(whole, ladders);
  if (order->leaderboard)
    leaderboard_keep(whole, kit);
  return whole;
}

json_t *judge_submission(const struct installation *kit, const struct submission *submission,
                         const struct judge_order *order) {
  const struct result_origin origin = judge_origin(kit, order);
  char folder[PATH_MAX];
  struct error why;
  if (!working_folder_make(folder, &why))
    return result_infra(submission, &origin, why.text);
  json_t *whole = NULL;
  if (working_folder_check(folder, &why) && seal_check(kit->seal, &why)) {
    whole = judge_in(folder, kit, submission, order);
    if (!seal_check(kit->seal, &why)) {
      json_decref(whole);
      whole = NULL;
    }
  }
  if (!whole)
    whole = result_infra(submission, &origin, why.text);
  working_folder_remove(folder);
  return whole;
}
