/* grade [--lab NN[/NAME]] [--jobs N] [--json FILE] [--format LIST --out DIR] SUBMISSION: points and feedback
 * for one submission; in the folder of --out, the reports of --format (reports/report.h). grade --class DIR
 * --out DIR [--lab NN] [--jobs N]: all submissions in a folder (class.h). grade check …: the same, and exit
 * status 1 below full marks.
 * --installation FILE, first of all: another kit.cfg than this build's.
 *
 * Exit status: 0 graded, 1 graded and below full marks (check), 2 infrastructure or a wrong command line. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "class.h"
#include "error.h"
#include "installation.h"
#include "judge_submission.h"
#include "report.h"
#include "result.h"
#include "submission.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { MAX_JOBS = 64 };

static const char usage[] = "grade [--installation FILE] [check] [--lab NN[/NAME]] [--jobs N] [--json FILE] "
                            "[--format LIST] [--out DIR] "
                            "SUBMISSION, or grade --class DIR --out DIR [--lab NN] [--jobs N]";

struct settings {
  bool check;
  int jobs;
  const char *json_path, *submission, *class, *formats, *out;
  struct installation_lab *lab; /* NULL: all that were handed in */
  const char *names[2];         /* lines of the lab, NULL at the end */
};

/* What the person who grades has set must not change a grade. */
static void clean_environment(void) {
  static const char *const prefixes[] = {"SIMGPU_", "NVCC_", "CK_"};
  for (char **variable = environ; *variable;) {
    char name[256];
    bool ours = false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(*variable, "="), *variable);
    for (size_t n = 0; n < sizeof prefixes / sizeof *prefixes; n++)
      ours |= strncmp(name, prefixes[n], strlen(prefixes[n])) == 0;
    if (ours && unsetenv(name) == 0)
      variable = environ; /* the list has moved */
    else
      variable++;
  }
}

/* One for each core that this process may use. */
static int default_jobs(void) {
  cpu_set_t cores;
  const int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
  return count < MAX_JOBS ? count : MAX_JOBS;
}

static int parse_jobs(const char *text) {
  char *end;
  const long jobs = strtol(text, &end, 10);
  if (end == text || *end || jobs < 1 || jobs > MAX_JOBS)
    error_die("--jobs %s: expected 1 to %d", text, MAX_JOBS);
  return (int)jobs;
}

static void parse_lab(struct settings *settings, struct installation *kit, char *text) {
  static char id[64];
  char *slash = strchr(text, '/');
  if (slash)
    *slash = '\0';
  settings->lab = installation_find(kit, text);
  if (!settings->lab)
    error_die("--lab %s: no such lab", text);
  if (!slash)
    return;
  snprintf(id, sizeof id, "%.2s/%s", settings->lab->name, slash + 1);
  const struct rubric *rubric = &settings->lab->rubric;
  for (int n = 0; n < rubric->count; n++)
    if (strcmp(rubric->lines[n].id, id) == 0)
      settings->names[0] = id;
  if (settings->names[0])
    return;
  char list[512] = "";
  for (int n = 0; n < rubric->count; n++)
    snprintf(list + strlen(list), sizeof list - strlen(list), " %s", rubric->lines[n].id);
  error_die("no test '%s': the tests are%s", id, list);
}

static void check_settings(const struct settings *settings) {
  struct error error;
  if (!settings->submission == !settings->class)
    error_die("expected one submission: %s", usage);
  if ((settings->class || settings->formats) && !settings->out)
    error_die("no --out DIR for %s: expected %s", settings->class ? "--class" : "--format", usage);
  if (settings->class && (settings->check || settings->json_path || settings->formats || settings->names[0]))
    error_die("--class with check, --json, --format or a test's name: expected %s", usage);
  if (settings->formats && !report_check(settings->formats, &error))
    error_die("--format %s", error.text);
}

static struct settings parse(int argc, char **argv, struct installation *kit) {
  struct settings settings = {.jobs = default_jobs()};
  int n = 1;
  if (argc > 1 && strcmp(argv[1], "check") == 0) {
    settings.check = true;
    n++;
  }
  for (; n < argc; n++) {
    const bool has_value = n + 1 < argc;
    if (strcmp(argv[n], "--lab") == 0 && has_value)
      parse_lab(&settings, kit, argv[++n]);
    else if (strcmp(argv[n], "--jobs") == 0 && has_value)
      settings.jobs = parse_jobs(argv[++n]);
    else if (strcmp(argv[n], "--json") == 0 && has_value)
      settings.json_path = argv[++n];
    else if (strcmp(argv[n], "--class") == 0 && has_value)
      settings.class = argv[++n];
    else if (strcmp(argv[n], "--format") == 0 && has_value)
      settings.formats = argv[++n];
    else if (strcmp(argv[n], "--out") == 0 && has_value)
      settings.out = argv[++n];
    else if (argv[n][0] == '-')
      error_die("unknown option %s: expected %s", argv[n], usage);
    else if (settings.submission)
      error_die("a second submission, %s: expected %s", argv[n], usage);
    else
      settings.submission = argv[n];
  }
  check_settings(&settings);
  return settings;
}

static void write_or_die(const struct settings *settings, const json_t *result) {
  struct error error;
  if (settings->json_path && !result_write(result, settings->json_path, &error))
    error_die("%s", error.text);
  if (settings->formats && !report_save(result, settings->formats, settings->out, &error))
    error_die("%s", error.text);
}

static int exit_status(const struct settings *settings, const json_t *result) {
  const char *verdict = result_verdict(result);
  if (strcmp(verdict, "INFRA") == 0)
    return 2;
  return settings->check && strcmp(verdict, "PASS") != 0 ? 1 : 0;
}

int main(int argc, char **argv) {
  static struct installation kit;
  struct submission submission;
  struct error error;
  const char *installation = GRADE_INSTALLATION;
  clean_environment();
  if (argc > 2 && strcmp(argv[1], "--installation") == 0) {
    installation = argv[2];
    argc -= 2;
    argv += 2;
  }
  if (!installation_read(installation, &kit, &error))
    error_die("%s", error.text);
  const struct settings settings = parse(argc, argv, &kit);
  if (settings.class)
    return class_grade(&kit, settings.class, settings.out, settings.lab, settings.jobs);
  if (!submission_read(settings.submission, &kit, settings.lab, &submission, &error))
    error_die("%s", error.text);
  json_t *result = result_infra(&submission, kit.version, "grading was not finished");
  write_or_die(&settings, result);
  json_decref(result);
  result = judge_submission(&kit, &submission,
                            &(struct judge_order){.jobs = settings.jobs, .names = settings.names});
  write_or_die(&settings, result);
  result_print(result, stdout);
  const int status = exit_status(&settings, result);
  json_decref(result);
  submission_free(&submission);
  installation_free(&kit);
  return status;
}
