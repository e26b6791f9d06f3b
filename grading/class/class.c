#include "class.h"
#include "entries.h"
#include "judge_submission.h"
#include "load_result.h"
#include "plural.h"
#include "result.h"
#include "seed.h"
#include "tasks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char unfinished[] = "grading was not finished";
static const char graded_before[] = "graded_before"; /* a member of what a task returns */

static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

static json_t *judge(const struct class *class, int n) {
  static const char *const all[] = {NULL};
  struct submission submission = entry_read(class, n);
  json_t *result = judge_submission(class->kit, &submission,
                                    &(struct judge_order){.only = class->order->only,
                                                          .missing = true,
                                                          .jobs = 1,
                                                          .machine = class->order->machine,
                                                          .climbs = true,
                                                          .out = entry_place(class, n, ""),
                                                          .leaderboard = class->order->leaderboard,
                                                          .seed = class->seed ? class->seed : seed_draw(),
                                                          .limit_seconds = class->order->limit_seconds,
                                                          .names = all});
  if (submission.passed_over.text[0] && !json_object_get(result, "message"))
    json_object_set_new(result, "message", result_string(submission.passed_over.text));
  submission_free(&submission);
  return result;
}

static void tell(struct class *class, const json_t *result, const char *how) {
  printf("[%d/%d] %s: %s", ++class->told, class->count, text(json_object_get(result, "submission"), "name"),
         result_verdict(result));
  if (json_is_number(json_object_get(result, "points"))) {
    fputs(", ", stdout);
    result_print_points(result, stdout);
  }
  if (text(result, "message")[0])
    printf(", %s", text(result, "message"));
  printf("%s\n", how);
  fflush(stdout);
}

/* Writes the entry's current result again, since a report may be missing; otherwise INFRA, with this message.
 * The caller holds the lock. */
static json_t *keep_or_mark(const struct class *class, int n, bool again, const char *message) {
  json_t *pending;
  struct error why;
  json_t *old = entry_grade(class, n, message, &pending, &why);
  if (old && again) {
    json_decref(old);
    old = NULL;
  }
  json_t *result = old ? old : json_incref(pending);
  entry_write(class, n, result);
  json_decref(pending);
  return result;
}

static bool is_infra(const json_t *result) { return strcmp(result_verdict(result), "INFRA") == 0; }

/* The lock holds until this process ends. While it waited, another grader may have graded the entry. */
static json_t *grade_one(int k, void *context) {
  const struct class *class = context;
  const int n = class->to_do[k];
  entry_lock(class, n, true);
  json_t *result = keep_or_mark(class, n, false, unfinished);
  if (!is_infra(result)) {
    json_object_set_new(result, graded_before, json_true());
    return result;
  }
  json_decref(result);
  result = judge(class, n);
  entry_write(class, n, result);
  return result;
}

/* Keeps current results and marks the others INFRA, except those that another grader is at. Returns the number
 * of all others. */
static int prepare(struct class *class) {
  int count = 0;
  for (int n = 0; n < class->count; n++) {
    const int lock = entry_lock(class, n, false);
    json_t *result = lock < 0 ? NULL : keep_or_mark(class, n, class->order->again, unfinished);
    if (lock >= 0)
      close(lock);
    if (result && !is_infra(result)) {
      class->results[n] = result;
      tell(class, result, " (graded before)");
    } else {
      class->to_do[count++] = n;
      json_decref(result);
    }
  }
  return count;
}

static void keep(int k, json_t *result, void *context) {
  struct class *class = context;
  const int n = class->to_do[k];
  if (!result) {
    const int lock = entry_lock(class, n, true);
    result = keep_or_mark(class, n, false, "a process of the grader ended unexpectedly");
    close(lock);
  }
  const bool before = json_object_del(result, graded_before) == 0;
  class->results[n] = result;
  tell(class, result, before ? " (graded before)" : "");
}

static const char *seed_file(const struct class *class) {
  static char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/seed", class->out);
  return path;
}

int class_grade(struct installation *kit, const struct class_order *order) {
  static struct class class;
  class = (struct class){.kit = kit, .order = order};
  entries_open(&class, true);
  if (order->seed_each)
    unlink(seed_file(&class));
  else
    class.seed = share_seed(seed_file(&class), order->seed);
  tasks_run(&(struct tasks_work){prepare(&class), NULL, grade_one, keep, &class}, order->jobs);
  if (order->share.count == 0)
    entries_summarise(&class, order->leaderboard);
  return entries_close(&class);
}

/* --- collection --- */

/* Any grade by this kit, to compare the others with. */
static json_t *find_example(struct class *class) {
  for (int n = 0; n < class->count; n++) {
    json_t *pending, *old = load_result(entry_place(class, n, "/result.json"), 0, NULL);
    struct error why;
    class->like = old;
    json_t *grade = entry_grade(class, n, "", &pending, &why);
    json_decref(pending);
    if (grade) {
      json_decref(grade);
      return old;
    }
    class->like = NULL;
    json_decref(old);
  }
  error_die("collect: %s: no current result of an entry of %s: expected those of grade --class %s --out %s",
            class->order->out, class->order->folder, class->order->folder, class->order->out);
}

int class_collect(struct installation *kit, const struct class_order *order) {
  static struct class class;
  int missing = 0;
  class = (struct class){.kit = kit, .order = order};
  entries_open(&class, false);
  if (access(seed_file(&class), F_OK) == 0)
    class.seed = share_seed(seed_file(&class), 0);
  json_t *example = find_example(&class);
  for (int n = 0; n < class.count; n++) {
    json_t *pending;
    struct error why;
    class.results[n] = entry_grade(&class, n, "", &pending, &why);
    if (!class.results[n]) {
      json_object_set_new(pending, "message", result_string(why.text));
      class.results[n] = json_incref(pending);
      printf("%s: %s\n", text(json_object_get(pending, "submission"), "name"), why.text);
      missing++;
    }
    json_decref(pending);
  }
  entries_summarise(&class, json_object_get(example, "leaderboard") != NULL);
  json_decref(example);
  printf("%d of %d submission%s graded\n", class.count - missing, class.count, PLURAL(class.count));
  fflush(stdout);
  if (missing)
    error_warn("collect: %d submission%s without a current grade: grade their shares again", missing,
               PLURAL(missing));
  return entries_close(&class);
}
