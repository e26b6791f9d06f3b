/* The grader's command line; usage.c is its help. Exit status: 0 graded, 1 graded and below full marks
 * (check), 2 infrastructure or a wrong command line. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "calibrate.h"
#include "class.h"
#include "error.h"
#include "export.h"
#include "gradebook.h"
#include "installation.h"
#include "judge_submission.h"
#include "merge.h"
#include "report.h"
#include "result.h"
#include "submission.h"
#include "usage.h"
#include "working_folder.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* LIMIT_SECONDS: below the ten minutes that learning platforms give, with time to write the reports. */
enum { MAX_JOBS = 64, LIMIT_SECONDS = 480, MAX_SECONDS = 86400 };

static const char usage[] = "what grade --help shows";

enum command { GRADE, CHECK, MERGE, CALIBRATE };
static const char *const commands[] = {[CHECK] = "check", [MERGE] = "merge", [CALIBRATE] = "calibrate"};

struct settings {
  enum command command;
  bool time, again;
  int jobs, gradings, limit_seconds;
  const char *json_path, *submission, *class, *formats, *out;
  const char *other;            /* of merge: the second result */
  const char *limits;           /* NULL: the default, where it exists */
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

static int parse_number(const char *option, const char *text, int most) {
  char *end;
  const long number = strtol(text, &end, 10);
  if (end == text || *end || number < 1 || number > most)
    error_die("%s %s: expected 1 to %d", option, text, most);
  return (int)number;
}

static bool parse_mode(const char *text) {
  if (strcmp(text, "counters") != 0 && strcmp(text, "time") != 0)
    error_die("--mode %s: expected counters or time", text);
  return strcmp(text, "time") == 0;
}

static void parse_lab(struct settings *settings, struct installation *kit, char *text) {
  static char id[64];
  char *slash = strchr(text, '/');
  if (slash)
    *slash = '\0';
  settings->lab = installation_find(kit, text);
  if (!settings->lab)
    error_die("--lab %s: no such lab: expected one of %s to %s", text, kit->labs[0].name,
              kit->labs[kit->count - 1].name);
  if (!slash)
    return;
  snprintf(id, sizeof id, "%.2s/%s", settings->lab->name, slash + 1);
  const struct rubric *rubric = &settings->lab->rubric;
  const struct rubric_line *line = rubric_find(rubric, id);
  if (line && line->kind != RUBRIC_RUNG) {
    settings->names[0] = id;
    return;
  }
  char list[512] = "";
  for (int n = 0; n < rubric->count; n++)
    if (rubric->lines[n].kind != RUBRIC_RUNG)
      snprintf(list + strlen(list), sizeof list - strlen(list), " %s", rubric->lines[n].id);
  error_die("no test '%s': the tests are%s", id, list);
}

/* A line of times is judged with --mode time alone, and no other is. */
static void check_line(const struct settings *settings) {
  const struct rubric_line *line = rubric_find(&settings->lab->rubric, settings->names[0]);
  if ((line->kind == RUBRIC_TIME) != settings->time)
    error_die("--lab %s: judged %s --mode time", settings->names[0], settings->time ? "without" : "with");
}

static void check_settings(const struct settings *settings) {
  struct error error;
  if (settings->names[0])
    check_line(settings);
  if (settings->command == MERGE && (!settings->submission || !settings->other || !settings->json_path))
    error_die("merge: expected %s", usage);
  if (settings->command != MERGE && settings->other)
    error_die("a second submission, %s: expected %s", settings->other, usage);
  if (settings->command == CALIBRATE) {
    if (settings->submission)
      error_die("calibrate with a submission, %s: expected %s", settings->submission, usage);
    return;
  }
  if (settings->time && settings->jobs > 1)
    error_die("--mode time with --jobs %d: expected 1, alone on the GPU", settings->jobs);
  if (!settings->submission == !settings->class)
    error_die("expected one submission: %s", usage);
  if ((settings->class || settings->formats) && !settings->out)
    error_die("no --out DIR for %s: expected %s", settings->class ? "--class" : "--format", usage);
  if (settings->class && (settings->command != GRADE || settings->json_path || settings->names[0]))
    error_die("--class with check, --json or a test's name: expected %s", usage);
  if (settings->again && !settings->class)
    error_die("--again without --class: expected %s", usage);
  if (settings->formats && !report_check(settings->formats, &error))
    error_die("--format %s", error.text);
}

/* The last argument is an option that lacks its value: says what is missing. */
static void check_value(const char *option) {
  static const char *const values[][2] = {
      {"--lab", "a lab, as in --lab 03"},
      {"--jobs", "a number of processes, as in --jobs 2"},
      {"--gradings", "a number of gradings, as in --gradings 20"},
      {"--mode", "counters or time"},
      {"--limits", "a file that grade calibrate wrote"},
      {"--limit-seconds", "a number of seconds, as in --limit-seconds 480"},
      {"--json", "a file to write, as in --json result.json"},
      {"--class", "the folder that holds the submissions, as in --class submissions --out reports"},
      {"--format", "a list of reports, as in --format html,junit"},
      {"--out", "a folder for the reports, as in --out reports"},
      {"--installation", "the file kit.cfg of a build, before all other options"},
  };
  for (size_t n = 0; n < sizeof values / sizeof *values; n++)
    if (strcmp(option, values[n][0]) == 0)
      error_die("%s: expected %s", option, values[n][1]);
}

static struct settings parse(int argc, char **argv, struct installation *kit) {
  struct settings settings = {.gradings = 20, .limit_seconds = LIMIT_SECONDS};
  int n = 1;
  for (int c = CHECK; argc > 1 && c <= CALIBRATE; c++)
    if (strcmp(argv[1], commands[c]) == 0) {
      settings.command = (enum command)c;
      n = 2;
    }
  for (; n < argc; n++) {
    const bool has_value = n + 1 < argc && strncmp(argv[n + 1], "--", 2) != 0;
    if (strcmp(argv[n], "--lab") == 0 && has_value)
      parse_lab(&settings, kit, argv[++n]);
    else if (strcmp(argv[n], "--jobs") == 0 && has_value)
      settings.jobs = parse_number("--jobs", argv[++n], MAX_JOBS);
    else if (strcmp(argv[n], "--gradings") == 0 && has_value)
      settings.gradings = parse_number("--gradings", argv[++n], 10000);
    else if (strcmp(argv[n], "--mode") == 0 && has_value)
      settings.time = parse_mode(argv[++n]);
    else if (strcmp(argv[n], "--limits") == 0 && has_value)
      settings.limits = argv[++n];
    else if (strcmp(argv[n], "--limit-seconds") == 0 && has_value)
      settings.limit_seconds = parse_number("--limit-seconds", argv[++n], MAX_SECONDS);
    else if (strcmp(argv[n], "--again") == 0)
      settings.again = true;
    else if (strcmp(argv[n], "--json") == 0 && has_value)
      settings.json_path = argv[++n];
    else if (strcmp(argv[n], "--class") == 0 && has_value)
      settings.class = argv[++n];
    else if (strcmp(argv[n], "--format") == 0 && has_value)
      settings.formats = argv[++n];
    else if (strcmp(argv[n], "--out") == 0 && has_value)
      settings.out = argv[++n];
    else if (argv[n][0] == '-') {
      check_value(argv[n]);
      error_die("unknown option %s: expected %s", argv[n], usage);
    } else if (settings.other)
      error_die("a third submission, %s: expected %s", argv[n], usage);
    else if (settings.submission)
      settings.other = argv[n];
    else
      settings.submission = argv[n];
  }
  if (settings.out && !settings.formats && !settings.class && settings.command != CALIBRATE)
    settings.formats = "html";
  check_settings(&settings);
  if (settings.jobs == 0)
    settings.jobs = settings.time ? 1 : default_jobs();
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
  return settings->command == CHECK && strcmp(verdict, "PASS") != 0 ? 1 : 0;
}

static json_t *read_result(const char *path) {
  json_error_t why;
  json_t *result = json_load_file(path, 0, &why);
  if (!result)
    error_die("%s: line %d: %s: expected a result of grade --json", path, why.line, why.text);
  return result;
}

static int merge(const struct settings *settings, const struct installation *kit) {
  const char *const names[] = {settings->submission, settings->other};
  json_t *a = read_result(names[0]), *b = read_result(names[1]);
  struct error error;
  json_t *result = merge_results(kit, a, b, names, &error);
  if (!result)
    error_die("merge: %s", error.text);
  write_or_die(settings, result);
  result_print(result, stdout);
  json_decref(result);
  json_decref(a);
  json_decref(b);
  return 0;
}

static void check_exists(const char *path) {
  if (access(path, F_OK) != 0)
    error_die("%s: no such file or folder", path);
  if (access(path, R_OK) != 0)
    error_die("%s: cannot read it: %s", path, strerror(errno));
}

/* What is handed in. Where that is no lab's file, an empty submission, and why. */
static struct submission read_submission(const struct settings *settings, struct installation *kit,
                                         struct error *why) {
  struct submission submission;
  const char *path = settings->submission;
  why->text[0] = '\0';
  if (!submission_read(path, kit, settings->lab, &submission, why)) {
    char whole[PATH_MAX];
    const char *slash = realpath(path, whole) ? strrchr(whole, '/') : NULL;
    submission = (struct submission){0};
    snprintf(submission.name, sizeof submission.name, "%.255s", slash ? slash + 1 : path);
  }
  return submission;
}

/* An INFRA record stands in all files until there is a grade. */
static void write_infra(const struct settings *settings, const struct submission *submission,
                        const struct result_origin *origin, const char *message) {
  json_t *result = result_infra(submission, origin, message);
  write_or_die(settings, result);
  json_decref(result);
}

static int grade(const struct settings *settings, struct installation *kit, const struct machine *machine) {
  const bool climbs = settings->json_path || (settings->formats && strstr(settings->formats, "html"));
  struct error missing;
  struct submission submission = read_submission(settings, kit, &missing);
  const struct judge_order order = {.only = missing.text[0] ? settings->lab : NULL,
                                    .missing = missing.text[0],
                                    .jobs = settings->jobs,
                                    .machine = machine,
                                    .climbs = climbs && settings->command == GRADE,
                                    .names = settings->names,
                                    .told = stdout,
                                    .limit_seconds = settings->limit_seconds};
  const struct result_origin origin = judge_origin(kit, &order);
  if (submission.passed_over.text[0])
    error_warn("%s", submission.passed_over.text);
  write_infra(settings, &submission, &origin, "grading was not finished");
  if (missing.text[0])
    printf("%s\n", missing.text);
  json_t *result = judge_submission(kit, &submission, &order);
  if (missing.text[0] && !json_object_get(result, "message"))
    json_object_set_new(result, "message", result_string(missing.text));
  write_or_die(settings, result);
  result_print_end(result, stdout);
  const int status = exit_status(settings, result);
  json_decref(result);
  submission_free(&submission);
  return status;
}

/* Where programs cannot be compiled or run: no grade, and nothing of an older one is left. */
_Noreturn static void refuse(const struct settings *settings, struct installation *kit, const char *message) {
  struct error why;
  if (settings->submission) {
    struct submission submission = read_submission(settings, kit, &why);
    const struct result_origin origin = judge_origin(kit, &(struct judge_order){.jobs = 1});
    write_infra(settings, &submission, &origin, message);
  }
  error_die("%s", message);
}

/* The GPU and, for grading, its limits. */
static void open_machine(const struct settings *settings, struct installation *kit, struct machine *machine) {
  const char *limits = settings->limits ? settings->limits : GRADE_LIMITS;
  struct error error;
  for (int n = 0; n < kit->count; n++)
    if (!kit->labs[n].reference[0] && rubric_sum(&kit->labs[n].rubric, RUBRIC_TIME) > 0)
      error_die("no time without the solution of lab %s: expected it in this kit", kit->labs[n].name);
  if (!machine_read(kit, machine, &error))
    error_die("%s", error.text);
  if (settings->command != CALIBRATE && (settings->limits || access(limits, F_OK) == 0) &&
      !limits_apply(limits, kit, machine, &error))
    error_die("%s", error.text);
}

static int run(const struct settings *settings, struct installation *kit) {
  struct machine machine;
  struct error error;
  if (settings->command == MERGE)
    return merge(settings, kit);
  if (settings->submission)
    check_exists(settings->submission);
  if (!working_folder_open(&error))
    refuse(settings, kit, error.text);
  if (settings->time || settings->command == CALIBRATE)
    open_machine(settings, kit, &machine);
  if (settings->command == CALIBRATE)
    return calibrate(kit, &machine, settings->lab, settings->gradings,
                     settings->limits ? settings->limits : GRADE_LIMITS);
  if (settings->class)
    return class_grade(kit, &(struct class_order){.folder = settings->class,
                                                  .out = settings->out,
                                                  .formats = settings->formats,
                                                  .only = settings->lab,
                                                  .machine = settings->time ? &machine : NULL,
                                                  .jobs = settings->jobs,
                                                  .limit_seconds = settings->limit_seconds,
                                                  .again = settings->again});
  return grade(settings, kit, settings->time ? &machine : NULL);
}

int main(int argc, char **argv) {
  static struct installation kit;
  struct error error;
  const char *installation = GRADE_INSTALLATION;
  if (usage_is_wanted(argc, argv)) {
    fputs(usage_text, stdout);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "export") == 0)
    return export_run(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "gradebook") == 0)
    return gradebook_run(argc - 1, argv + 1);
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    puts("grade " GRADE_VERSION);
    return 0;
  }
  clean_environment();
  if (argc > 2 && strcmp(argv[1], "--installation") == 0) {
    installation = argv[2];
    argc -= 2;
    argv += 2;
  }
  if (!installation_read(installation, &kit, &error))
    error_die("%s", error.text);
  const struct settings settings = parse(argc, argv, &kit);
  const int status = run(&settings, &kit);
  installation_free(&kit);
  return status;
}
