#include "class.h"
#include "allocate.h"
#include "class_leaderboard.h"
#include "class_summary.h"
#include "judge_submission.h"
#include "output.h"
#include "pool.h"
#include "report.h"
#include "result.h"
#include "seed.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct class {
  struct installation *kit;
  const struct class_order *order;
  char folder[PATH_MAX], out[PATH_MAX];
  struct dirent **entries;
  json_t **results;  /* NULL: not graded yet */
  int count, *to_do; /* places in entries */
  int told;          /* number of entries that were printed */
  int seed;          /* 0: each submission has its own */
};

static int is_submission(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int in_order(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* Students read it, so it must not show the instructor's paths. */
static void remove_folder(const char *folder, char *text) {
  const size_t length = strlen(folder);
  for (char *at = text; (at = strstr(at, folder)) && at[length] == '/';)
    memmove(at, at + length + 1, strlen(at + length + 1) + 1);
}

/* An unreadable submission is graded as an empty one. */
static struct submission read_submission(const struct class *class, int n, struct error *why) {
  char path[PATH_MAX + 300];
  struct submission submission;
  why->text[0] = '\0';
  snprintf(path, sizeof path, "%s/%s", class->folder, class->entries[n]->d_name);
  if (!submission_read(path, class->kit, class->order->only, &submission, why))
    memset(&submission, 0, sizeof submission);
  remove_folder(class->folder, why->text);
  remove_folder(class->folder, submission.passed_over.text);
  for (int lab = 0; lab < class->kit->count; lab++)
    remove_folder(class->folder, submission.reasons[lab].text);
  snprintf(submission.name, sizeof submission.name, "%s",
           class->entries[n]->d_name); /* not a link's target */
  return submission;
}

static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

/* The folder of an entry's files, or one of them. */
static const char *place(const struct class *class, int n, const char *file) {
  static char path[PATH_MAX + 600];
  snprintf(path, sizeof path, "%s/submissions/%s%s", class->out, class->entries[n]->d_name, file);
  return path;
}

static void write_text(const char *path, const json_t *result) {
  struct output out;
  struct error error;
  if (!output_open(&out, path, &error))
    error_die("%s", error.text);
  if (text(result, "message")[0] && strcmp(result_verdict(result), "INFRA") != 0)
    fprintf(out.stream, "%s\n", text(result, "message"));
  result_print(result, out.stream);
  if (!output_commit_to_disk(&out, &error))
    error_die("%s", error.text);
}

static void write_result(const struct class *class, int n, const json_t *result) {
  struct error error;
  if (mkdir(place(class, n, ""), 0777) != 0 && errno != EEXIST)
    error_die("%s: cannot make the folder: %s", place(class, n, ""), strerror(errno));
  if (!result_write(result, place(class, n, "/result.json"), &error) ||
      (class->order->formats && !report_save(result, class->order->formats, place(class, n, ""), &error)))
    error_die("%s", error.text);
  write_text(place(class, n, "/result.txt"), result);
}

static json_t *grade_one(int k, void *context) {
  static const char *const all[] = {NULL};
  const struct class *class = context;
  struct error why;
  struct submission submission = read_submission(class, class->to_do[k], &why);
  json_t *result = judge_submission(class->kit, &submission,
                                    &(struct judge_order){.only = class->order->only,
                                                          .missing = true,
                                                          .jobs = 1,
                                                          .machine = class->order->machine,
                                                          .climbs = true,
                                                          .out = place(class, class->to_do[k], ""),
                                                          .leaderboard = class->order->leaderboard,
                                                          .seed = class->seed ? class->seed : seed_draw(),
                                                          .limit_seconds = class->order->limit_seconds,
                                                          .names = all});
  if ((why.text[0] || submission.passed_over.text[0]) && !json_object_get(result, "message"))
    json_object_set_new(result, "message",
                        result_string(why.text[0] ? why.text : submission.passed_over.text));
  submission_free(&submission);
  return result;
}

/* Whether a part of the submission was not searched, or a lab has its own reason for having no grade. */
static bool is_explained(const struct class *class, const struct submission *submission) {
  bool explained = submission->passed_over.text[0] != '\0';
  for (int n = 0; n < class->kit->count; n++)
    explained |= submission->reasons[n].text[0] != '\0';
  return explained;
}

/* The record until a submission is graded, or if its process is lost. */
static json_t *no_grade(const struct class *class, int n, const char *message, bool *explained) {
  struct error why;
  struct submission submission = read_submission(class, n, &why);
  const struct result_origin origin =
      judge_origin(class->kit, &(struct judge_order){.machine = class->order->machine, .seed = class->seed});
  json_t *result = result_infra(&submission, &origin, message);
  *explained = is_explained(class, &submission);
  submission_free(&submission);
  return result;
}

static bool same(const json_t *a, const json_t *b, const char *name) {
  const json_t *x = json_object_get(a, name), *y = json_object_get(b, name);
  return (!x && !y) || json_equal(x, y);
}

/* Whether all labs of this grading are in the result, and no others. */
static bool has_labs(const struct class *class, const json_t *result) {
  const json_t *labs = json_object_get(result, "labs");
  size_t found = 0;
  for (int n = 0; n < class->kit->count; n++)
    if (!class->order->only || class->order->only == &class->kit->labs[n])
      if (strcmp(text(json_array_get(labs, found++), "lab"), class->kit->labs[n].name) != 0)
        return false;
  return json_array_size(labs) == found;
}

/* True if every lab of the result is graded or simply not handed in. */
static bool says_no_reason(const json_t *result) {
  static const char plain[] = ".cu: not handed in";
  size_t n;
  json_t *lab;
  json_array_foreach(json_object_get(result, "labs"), n, lab) {
    const char *message = text(lab, "message"), *end = strstr(message, plain);
    if (strcmp(result_verdict(lab), "MISSING") == 0 && (!end || end[sizeof plain - 1]))
      return false;
  }
  return !text(result, "message")[0];
}

/* Of isolation. */
static int level_of(const json_t *result) {
  int level = ISOLATION_NONE;
  for (int n = 0; isolation_names[n]; n++)
    if (strcmp(text(json_object_get(result, "isolation"), "level"), isolation_names[n]) == 0)
      level = n;
  return level;
}

/* A grade of the same submission by the same kit. pending: the initial record of this grading. */
static bool is_current(const struct class *class, const json_t *old, const json_t *pending) {
  static const char *const members[] = {"schema", "kit",        "rubrics", "judge",
                                        "limits", "submission", "mode",    "device"};
  const json_t *submission = json_object_get(pending, "submission");
  if (!result_verdict(old) || strcmp(result_verdict(old), "INFRA") == 0 || !text(submission, "sha256")[0])
    return false;
  for (size_t k = 0; k < sizeof members / sizeof *members; k++)
    if (!same(old, pending, members[k]))
      return false;
  if (level_of(old) < level_of(pending))
    return false;
  if (class->order->leaderboard != (json_object_get(old, "leaderboard") != NULL))
    return false;
  if (class->seed && !same(old, pending, "seed"))
    return false;
  const json_t *limit = json_object_get(old, "stopped_after"); /* another limit might not have stopped it */
  return has_labs(class, old) && (!limit || json_integer_value(limit) == class->order->limit_seconds);
}

static void tell(struct class *class, const json_t *result, const char *how) {
  printf("[%d/%d] %s: %s", ++class->told, class->count, text(json_object_get(result, "submission"), "name"),
         result_verdict(result));
  if (json_is_number(json_object_get(result, "points")))
    printf(", %.6g of %.6g points", json_number_value(json_object_get(result, "points")),
           json_number_value(json_object_get(result, "max_points")));
  if (text(result, "message")[0])
    printf(", %s", text(result, "message"));
  printf("%s\n", how);
  fflush(stdout);
}

/* The seed of the class: the given one, else that of its earlier results, else a new one. */
static int class_seed(const struct class *class) {
  int seed = class->order->seed;
  if (class->order->seed_each)
    return 0;
  for (int n = 0; n < class->count && !seed; n++) {
    json_t *old = json_load_file(place(class, n, "/result.json"), 0, NULL);
    seed = (int)json_integer_value(json_object_get(old, "seed"));
    json_decref(old);
  }
  return seed > 0 ? seed : seed_draw();
}

/* Keeps current results and marks the others INFRA. Returns the number of the others. */
static int prepare(struct class *class) {
  int count = 0;
  for (int n = 0; n < class->count; n++) {
    bool explained;
    json_t *pending = no_grade(class, n, "grading was not finished", &explained);
    json_t *old = class->order->again ? NULL : json_load_file(place(class, n, "/result.json"), 0, NULL);
    if (old && !explained && says_no_reason(old) && is_current(class, old, pending))
      class->results[n] = json_incref(old);
    else
      class->to_do[count++] = n;
    write_result(class, n, class->results[n] ? class->results[n] : pending);
    if (class->results[n])
      tell(class, class->results[n], " (graded before)");
    json_decref(pending);
    json_decref(old);
  }
  return count;
}

static void keep(int k, json_t *result, void *context) {
  struct class *class = context;
  const int n = class->to_do[k];
  bool explained;
  class->results[n] =
      result ? result : no_grade(class, n, "a process of the grader ended unexpectedly", &explained);
  write_result(class, n, class->results[n]);
  tell(class, class->results[n], "");
}

/* --- reports of submissions that are no longer in the class --- */

static bool is_in_class(const struct class *class, const char *name) {
  for (int n = 0; n < class->count; n++)
    if (strcmp(class->entries[n]->d_name, name) == 0)
      return true;
  return false;
}

/* Removes the grader's files there, and the folder if it is then empty. */
static void remove_reports(const char *folder) {
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/result.json", folder);
  json_t *result = json_load_file(path, 0, NULL);
  const bool ours = strncmp(text(result, "schema"), "checkerboard/", 13) == 0;
  json_decref(result);
  if (!ours)
    return;
  unlink(path);
  snprintf(path, sizeof path, "%s/result.txt", folder);
  unlink(path);
  for (const struct report_format *format = report_formats; format->name; format++) {
    snprintf(path, sizeof path, "%s/%s", folder, format->file);
    unlink(path);
  }
  rmdir(folder);
}

static void remove_old_reports(const struct class *class, const char *submissions) {
  struct dirent **old;
  const int count = scandir(submissions, &old, is_submission, in_order);
  for (int n = 0; n < count; n++) {
    char path[PATH_MAX + 600];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", submissions, old[n]->d_name);
    if (!is_in_class(class, old[n]->d_name) && lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
      remove_reports(path);
    free(old[n]);
  }
  if (count >= 0)
    free(old);
}

static void make_folder(const char *path) {
  if (mkdir(path, 0777) != 0 && errno != EEXIST)
    error_die("--out %s: cannot make the folder: %s", path, strerror(errno));
}

static void open_class(struct class *class) {
  const struct class_order *order = class->order;
  char submissions[PATH_MAX + 32];
  make_folder(order->out);
  if (!realpath(order->folder, class->folder) || !realpath(order->out, class->out))
    error_die("--class %s or --out %s: %s", order->folder, order->out, strerror(errno));
  const size_t length = strlen(class->folder);
  if (strncmp(class->out, class->folder, length) == 0 && (!class->out[length] || class->out[length] == '/')) {
    rmdir(class->out); /* if it is new */
    error_die("--out %s: the folder is inside %s: expected a folder outside", order->out, order->folder);
  }
  snprintf(submissions, sizeof submissions, "%s/submissions", class->out);
  make_folder(submissions);
  class->count = scandir(class->folder, &class->entries, is_submission, in_order);
  if (class->count < 1)
    error_die("--class %s: expected a folder with submissions", order->folder);
  remove_old_reports(class, submissions);
  class->results = allocate_zeroed((size_t) class->count, sizeof *class->results);
  class->to_do = allocate_zeroed((size_t) class->count, sizeof *class->to_do);
}

/* Frees everything that the caller does not own. Returns the exit status. */
static int close_class(struct class *class) {
  int status = 0;
  for (int n = 0; n < class->count; n++) {
    if (strcmp(result_verdict(class->results[n]), "INFRA") == 0)
      status = 2;
    json_decref(class->results[n]);
    free(class->entries[n]);
  }
  free(class->entries);
  free(class->results);
  free(class->to_do);
  return status;
}

int class_grade(struct installation *kit, const struct class_order *order) {
  static struct class class;
  char summary[PATH_MAX + 32];
  struct error error;
  class = (struct class){.kit = kit, .order = order};
  open_class(&class);
  class.seed = class_seed(&class);
  pool_run(&(struct pool_work){prepare(&class), NULL, grade_one, keep, &class}, order->jobs);
  snprintf(summary, sizeof summary, "%s/summary.csv", class.out);
  if (!class_summary_write(summary, kit, order->only, class.count, class.results, &error))
    error_die("%s", error.text);
  snprintf(summary, sizeof summary, "%s/leaderboard.csv", class.out);
  if (!order->leaderboard)
    unlink(summary);
  else if (!class_leaderboard_write(summary, class.count, class.results, &error))
    error_die("%s", error.text);
  return close_class(&class);
}
