#include "class.h"
#include "allocate.h"
#include "judge_submission.h"
#include "output.h"
#include "pool.h"
#include "result.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct class {
  struct installation *kit;
  const struct installation_lab *only;
  char folder[PATH_MAX], out[PATH_MAX];
  struct dirent **entries;
  json_t **results;
  int count;
};

static int is_submission(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int in_order(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* One that cannot be read is graded as one in which nothing was handed in. */
static struct submission read_submission(const struct class *class, int n, struct error *why) {
  char path[PATH_MAX + 300];
  struct submission submission;
  why->text[0] = '\0';
  snprintf(path, sizeof path, "%s/%s", class->folder, class->entries[n]->d_name);
  if (!submission_read(path, class->kit, class->only, &submission, why)) {
    memset(&submission, 0, sizeof submission);
    snprintf(submission.name, sizeof submission.name, "%s", class->entries[n]->d_name);
  }
  return submission;
}

static void write_result(const struct class *class, int n, const json_t *result) {
  char path[PATH_MAX + 300];
  struct output text;
  struct error error;
  snprintf(path, sizeof path, "%s/%s.json", class->out, class->entries[n]->d_name);
  if (!result_write(result, path, &error))
    error_die("%s", error.text);
  snprintf(path, sizeof path, "%s/%s.txt", class->out, class->entries[n]->d_name);
  if (!output_open(&text, path, &error))
    error_die("%s", error.text);
  result_print(result, text.stream);
  if (!output_commit(&text, &error))
    error_die("%s", error.text);
}

static json_t *grade_one(int n, void *context) {
  static const char *const all[] = {NULL};
  const struct class *class = context;
  struct error why;
  struct submission submission = read_submission(class, n, &why);
  json_t *result =
      judge_submission(class->kit, &submission,
                       &(struct judge_order){.only = class->only, .missing = true, .jobs = 1, .names = all});
  if (why.text[0])
    json_object_set_new(result, "message", result_string(why.text));
  submission_free(&submission);
  return result;
}

/* What stands there until a submission has been graded, and when its process is lost. */
static json_t *no_grade(const struct class *class, int n, const char *message) {
  struct error why;
  struct submission submission = read_submission(class, n, &why);
  const struct result_origin origin = judge_origin(class->kit, &(struct judge_order){.jobs = 1});
  json_t *result = result_infra(&submission, &origin, message);
  submission_free(&submission);
  return result;
}

static void put_text(FILE *stream, const json_t *text) {
  putc('"', stream);
  for (const char *c = json_string_value(text); c && *c; c++) {
    if (*c == '"')
      putc('"', stream);
    putc(*c == '\n' ? ' ' : *c, stream);
  }
  putc('"', stream);
}

static void put_points(FILE *stream, const json_t *from, const char *name) {
  const json_t *points = json_object_get(from, name);
  if (json_is_number(points))
    fprintf(stream, ",%.6g", json_number_value(points));
  else
    putc(',', stream);
}

static void put_row(FILE *stream, const struct class *class, const json_t *result) {
  const json_t *submission = json_object_get(result, "submission");
  put_text(stream, json_object_get(submission, "name"));
  fprintf(stream, ",%s,%s", json_string_value(json_object_get(submission, "sha256")), result_verdict(result));
  put_points(stream, result, "points");
  put_points(stream, result, "max_points");
  const size_t labs = class->only ? 1 : (size_t) class->kit->count;
  for (size_t n = 0; n < labs; n++)
    put_points(stream, json_array_get(json_object_get(result, "labs"), n), "points");
  putc('\n', stream);
}

static void write_summary(const struct class *class) {
  char path[PATH_MAX + 32];
  struct output out;
  struct error error;
  snprintf(path, sizeof path, "%s/summary.csv", class->out);
  if (!output_open(&out, path, &error))
    error_die("%s", error.text);
  fputs("submission,sha256,verdict,points,max_points", out.stream);
  for (int n = 0; n < class->kit->count; n++)
    if (!class->only || class->only == &class->kit->labs[n])
      fprintf(out.stream, ",%s", class->kit->labs[n].name);
  putc('\n', out.stream);
  for (int n = 0; n < class->count; n++)
    put_row(out.stream, class, class->results[n]);
  if (!output_commit(&out, &error))
    error_die("%s", error.text);
}

static struct class open_class(struct installation *kit, const char *folder, const char *out,
                               const struct installation_lab *only) {
  struct class class = {.kit = kit, .only = only};
  if (mkdir(out, 0777) != 0 && errno != EEXIST)
    error_die("--out %s: cannot make the folder: %s", out, strerror(errno));
  if (!realpath(folder, class.folder) || !realpath(out, class.out))
    error_die("--class %s or --out %s: %s", folder, out, strerror(errno));
  class.count = scandir(class.folder, &class.entries, is_submission, in_order);
  if (class.count < 1)
    error_die("--class %s: expected a folder with submissions", folder);
  return class;
}

static void keep(int n, json_t *result, void *context) {
  struct class *class = context;
  class->results[n] =
      result ? result : no_grade(class, n, "a process of the grader did not end as it should");
  write_result(class, n, class->results[n]);
}

int class_grade(struct installation *kit, const char *folder, const char *out,
                const struct installation_lab *only, int jobs) {
  struct class class = open_class(kit, folder, out, only);
  class.results = allocate_zeroed((size_t) class.count, sizeof(json_t *));
  int status = 0;
  for (int n = 0; n < class.count; n++) {
    json_t *pending = no_grade(&class, n, "grading was not finished");
    write_result(&class, n, pending);
    json_decref(pending);
  }
  pool_run(&(struct pool_work){class.count, NULL, grade_one, keep, &class}, jobs);
  write_summary(&class);
  for (int n = 0; n < class.count; n++) {
    if (strcmp(result_verdict(class.results[n]), "INFRA") == 0)
      status = 2;
    json_decref(class.results[n]);
    free(class.entries[n]);
  }
  free(class.entries);
  free(class.results);
  return status;
}
