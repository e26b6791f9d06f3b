#include "entries.h"
#include "allocate.h"
#include "class_leaderboard.h"
#include "class_summary.h"
#include "judge_submission.h"
#include "load_result.h"
#include "output.h"
#include "report.h"
#include "result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *text(const json_t *from, const char *name) {
  const char *string = json_string_value(json_object_get(from, name));
  return string ? string : "";
}

/* --- one entry --- */

/* Students read it, so it must not show the instructor's paths. */
static void remove_folder(const char *folder, char *text) {
  const size_t length = strlen(folder);
  for (char *at = text; (at = strstr(at, folder)) && at[length] == '/';)
    memmove(at, at + length + 1, strlen(at + length + 1) + 1);
}

struct submission entry_read(const struct class *class, int n) {
  char path[PATH_MAX + 300];
  struct submission submission;
  struct error why;
  snprintf(path, sizeof path, "%s/%s", class->folder, class->entries[n]->d_name);
  if (!submission_read(path, class->kit, class->order->only, &submission, &why)) {
    memset(&submission, 0, sizeof submission);
    submission.passed_over = why;
  }
  remove_folder(class->folder, submission.passed_over.text);
  for (int lab = 0; lab < class->kit->count; lab++)
    remove_folder(class->folder, submission.reasons[lab].text);
  snprintf(submission.name, sizeof submission.name, "%s",
           class->entries[n]->d_name); /* not a link's target */
  return submission;
}

const char *entry_place(const struct class *class, int n, const char *file) {
  static char path[PATH_MAX + 600];
  snprintf(path, sizeof path, "%s/submissions/%s%s", class->out, class->entries[n]->d_name, file);
  return path;
}

int entry_lock(const struct class *class, int n, bool wait) {
  char path[PATH_MAX + 300];
  snprintf(path, sizeof path, "%s/.locks/%s", class->out, class->entries[n]->d_name);
  return share_lock(path, wait);
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

void entry_write(const struct class *class, int n, const json_t *result) {
  const char *formats = class->order->formats;
  struct error error;
  if (mkdir(entry_place(class, n, ""), 0777) != 0 && errno != EEXIST)
    error_die("%s: cannot make the folder: %s", entry_place(class, n, ""), strerror(errno));
  if (formats && !report_save(result, formats, entry_place(class, n, ""), &error))
    error_die("%s", error.text);
  write_text(entry_place(class, n, "/result.txt"), result);
  if (!result_write(result, entry_place(class, n, "/result.json"), &error))
    error_die("%s", error.text);
}

/* --- whether a result is current --- */

static bool same(const json_t *a, const json_t *b, const char *name) {
  const json_t *x = json_object_get(a, name), *y = json_object_get(b, name);
  return (!x && !y) || json_equal(x, y);
}

static bool says(const json_t *part, const char *message) {
  json_t *string = result_string(message);
  const bool equal = strcmp(text(part, "message"), json_string_value(string)) == 0;
  json_decref(string);
  return equal;
}

/* Whether all labs of this grading are in the result, and no others, with the present reasons why a lab is missing. */
static bool has_labs(const struct class *class, const json_t *result, const struct submission *submission) {
  const json_t *labs = json_object_get(result, "labs");
  size_t found = 0;
  for (int n = 0; n < class->kit->count; n++) {
    if (class->order->only && class->order->only != &class->kit->labs[n])
      continue;
    const json_t *lab = json_array_get(labs, found++);
    struct error reason = submission->reasons[n];
    if (!reason.text[0])
      error_set(&reason, "%s.cu: not handed in", class->kit->labs[n].rubric.program);
    if (strcmp(text(lab, "lab"), class->kit->labs[n].name) != 0 ||
        (strcmp(result_verdict(lab), "MISSING") == 0 && !says(lab, reason.text)))
      return false;
  }
  return json_array_size(labs) == found;
}

/* Of isolation. */
static int level_of(const json_t *result) {
  int level = ISOLATION_NONE;
  for (int n = 0; isolation_names[n]; n++)
    if (strcmp(text(json_object_get(result, "isolation"), "level"), isolation_names[n]) == 0)
      level = n;
  return level;
}

/* pending: the entry's record before this grading. */
static bool is_current(const struct class *class, const json_t *old, const json_t *pending,
                       const struct submission *submission, struct error *why) {
  static const struct {
    const char *member, *why;
  } members[] = {{"schema", "graded by another kit"},      {"kit", "graded by another kit"},
                 {"rubrics", "graded with other rubrics"}, {"judge", "graded by another kit"},
                 {"limits", "graded with other limits"},   {"submission", "changed after it was graded"},
                 {"mode", "graded in another mode"},       {"device", "graded on another GPU"}};
  const bool leaderboard =
      class->like ? json_object_get(class->like, "leaderboard") != NULL : class->order->leaderboard;
  const json_t *limit = json_object_get(old, "stopped_after"); /* another limit might not have stopped it */
  if (!result_verdict(old))
    return error_set(why, "not graded");
  if (strcmp(result_verdict(old), "INFRA") == 0)
    return error_set(why, "not graded: %s", result_fault(old));
  for (size_t k = 0; k < sizeof members / sizeof *members; k++)
    if (!same(old, pending, members[k].member))
      return error_set(why, "%s", members[k].why);
  if (level_of(old) < level_of(pending))
    return error_set(why, "graded with less isolation");
  if (leaderboard != (json_object_get(old, "leaderboard") != NULL))
    return error_set(why, "graded %s --leaderboard", leaderboard ? "without" : "with");
  if (class->seed && !same(old, pending, "seed"))
    return error_set(why, "graded with another seed");
  if (!has_labs(class, old, submission) || !says(old, submission->passed_over.text))
    return error_set(why, "graded for other labs, or changed after it was graded");
  return !limit || class->like || json_integer_value(limit) == class->order->limit_seconds ||
         error_set(why, "stopped by another --limit-seconds");
}

json_t *entry_grade(const struct class *class, int n, const char *message, json_t **pending,
                    struct error *why) {
  static const char *const of_machine[] = {"limits", "mode", "device"};
  struct submission submission = entry_read(class, n);
  const struct result_origin origin =
      judge_origin(class->kit, &(struct judge_order){.machine = class->order->machine, .seed = class->seed});
  *pending = result_infra(&submission, &origin, message);
  for (int k = 0; class->like && k < 3; k++)
    json_object_set(*pending, of_machine[k], json_object_get(class->like, of_machine[k]));
  json_t *old = load_result(entry_place(class, n, "/result.json"), 0, NULL);
  if (!is_current(class, old, *pending, &submission, why)) {
    json_decref(old);
    old = NULL;
  }
  submission_free(&submission);
  return old;
}

/* --- results of entries that are no longer in the class --- */

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
  json_t *result = load_result(path, 0, NULL);
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

static int is_submission(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int in_order(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void remove_gone(const struct class *class) {
  char path[PATH_MAX + 600];
  struct dirent **old;
  snprintf(path, sizeof path, "%s/submissions", class->out);
  const int count = scandir(path, &old, is_submission, in_order);
  for (int n = 0; n < count; n++) {
    struct stat status;
    snprintf(path, sizeof path, "%s/submissions/%s", class->out, old[n]->d_name);
    if (!is_in_class(class, old[n]->d_name) && lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
      remove_reports(path);
    free(old[n]);
  }
  if (count >= 0)
    free(old);
}

/* --- the class --- */

/* Keeps the entries of the share. */
static void take_share(struct class *class) {
  int kept = 0;
  for (int n = 0; n < class->count; n++)
    if (share_has(class->order->share, n))
      class->entries[kept++] = class->entries[n];
    else
      free(class->entries[n]);
  class->count = kept;
}

/* Others must not read the grades or the seed. */
static void make_folder(const char *path) {
  if (mkdir(path, 0700) != 0 && errno != EEXIST)
    error_die("--out %s: cannot make the folder: %s", path, strerror(errno));
}

static void make_folders(const char *out) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/submissions", out);
  make_folder(path);
  snprintf(path, sizeof path, "%s/.locks", out);
  make_folder(path);
}

void entries_open(struct class *class, bool is_new) {
  const struct class_order *order = class->order;
  if (is_new)
    make_folder(order->out);
  if (!realpath(order->folder, class->folder) || !realpath(order->out, class->out))
    error_die("--class %s or --out %s: %s", order->folder, order->out, strerror(errno));
  const size_t length = strlen(class->folder);
  if (strncmp(class->out, class->folder, length) == 0 && (!class->out[length] || class->out[length] == '/')) {
    rmdir(class->out); /* if it is new */
    error_die("--out %s: the folder is inside %s: expected a folder outside", order->out, order->folder);
  }
  if (is_new)
    make_folders(class->out);
  class->count = scandir(class->folder, &class->entries, is_submission, in_order);
  if (class->count < 1)
    error_die("--class %s: expected a folder with submissions", order->folder);
  if (order->share.count == 0)
    remove_gone(class);
  take_share(class);
  class->results = allocate_zeroed((size_t) class->count, sizeof *class->results);
  class->to_do = allocate_zeroed((size_t) class->count, sizeof *class->to_do);
}

void entries_summarise(const struct class *class, bool leaderboard) {
  char path[PATH_MAX + 32];
  struct error error;
  snprintf(path, sizeof path, "%s/summary.csv", class->out);
  if (!class_summary_write(path, class->kit, class->order->only, class->count, class->results, &error))
    error_die("%s", error.text);
  snprintf(path, sizeof path, "%s/leaderboard.csv", class->out);
  if (!leaderboard)
    unlink(path);
  else if (!class_leaderboard_write(path, class->count, class->results, &error))
    error_die("%s", error.text);
}

int entries_close(struct class *class) {
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
