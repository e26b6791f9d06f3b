/* The grader's command line; usage.txt is its --help. Exit status: 0 graded, 1 graded and below full marks
 * (check), 2 a fault of the grader, of its machine or of the command line. */
#define _GNU_SOURCE /* sched_getaffinity, environ */
#include "attempts.h"
#include "calibrate.h"
#include "class.h"
#include "error.h"
#include "gradebook.h"
#include "guide.h"
#include "installation.h"
#include "judge_submission.h"
#include "load_result.h"
#include "merge.h"
#include "options.h"
#include "report.h"
#include "result.h"
#include "seal.h"
#include "seed.h"
#include "self_test.h"
#include "sheet_export.h"
#include "slots.h"
#include "submission.h"
#include "time_jail.h"
#include "working_folder.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* LIMIT_SECONDS: leaves time to write the reports within the ten minutes that learning platforms allow. */
enum { MAX_JOBS = 64, LIMIT_SECONDS = 480, MAX_SECONDS = 86400, MOST_NAMES = 16 };

/* In the order of the table of commands. */
enum command { GRADE, CHECK, COLLECT, MERGE, CALIBRATE, EXPORT, GRADEBOOK };
enum mode { COUNTERS, TIME };
enum demand { AUTO, NONE, REDUCED, FULL }; /* for isolation */

struct settings {
  enum command command;
  bool again, version;
  int mode;      /* an enum mode */
  int isolation; /* an enum demand */
  int jobs, gradings, limit_seconds, seed;
  bool seed_each, leaderboard;
  struct share share; /* of the class */
  const char *lab_name, *json_path, *submission, *class, *formats, *out, *installation;
  const char *other;                 /* of merge: the second result */
  const char *attempts;              /* of check; NULL: keep none */
  const char *limits;                /* NULL: the default file, if it exists */
  struct installation_lab *lab;      /* NULL: all that were handed in */
  const char *names[MOST_NAMES + 1]; /* items of the lab, NULL at the end */
};

static struct settings given = {.gradings = 20, .limit_seconds = LIMIT_SECONDS};

static void take_submission(const char *path) {
  if (given.submission)
    error_die("a second submission, %s: expected one", path);
  given.submission = path;
}

static void take_result(const char *path) {
  if (given.other)
    error_die("a third result, %s: expected two", path);
  *(given.submission ? &given.other : &given.submission) = path;
}

static void take_share(const char *text) {
  struct error error;
  if (!share_read(text, &given.share, &error))
    error_die("%s", error.text);
}

static const char *const modes[] = {[COUNTERS] = "counters", [TIME] = "time", NULL};

static const char *const demands[] = {
    [AUTO] = "auto", [NONE] = "none", [REDUCED] = "reduced", [FULL] = "full", NULL};

#define OPTION_LAB                                                                                           \
  OPTIONS_STRING("lab", &given.lab_name, "NN[/NAME,...]", "only this lab, or only these items")
#define OPTION_JSON                                                                                          \
  OPTIONS_STRING("json", &given.json_path, "FILE",                                                           \
                 "write the result to this file, schema checkerboard/result/v2")
#define OPTION_FORMAT                                                                                        \
  OPTIONS_STRING("format", &given.formats, "LIST", "reports, separated by commas: " REPORT_FORMATS)
#define OPTION_OUT                                                                                           \
  OPTIONS_STRING("out", &given.out, "DIR",                                                                   \
                 "the folder for reports, created if missing; without --format: html")
#define OPTION_CLASS(text) OPTIONS_STRING("class", &given.class, "DIR", text)
#define OPTION_LIMITS                                                                                        \
  OPTIONS_STRING("limits", &given.limits, "FILE",                                                            \
                 "time limits from calibrate, instead of those of this build")
#define OPTION_INSTALLATION                                                                                  \
  OPTIONS_STRING("installation", &given.installation, "FILE", "kit.cfg of another build")

static const struct options_option grade_options[] = {
    OPTIONS_ARGUMENTS(
        take_submission, "SUBMISSION",
        "a lab's .cu file (with any name if --lab is given), or a folder or an archive of them"),
    OPTION_LAB,
    OPTIONS_CHOICE("mode", &given.mode, modes, "judge counters, or times on this machine's GPU"),
    OPTION_JSON,
    OPTION_FORMAT,
    OPTION_OUT,
    OPTION_CLASS("instead of SUBMISSION: grade each entry of this folder; --out also gets summary.csv"),
    OPTIONS_CALL("share", take_share, "K/N",
                 "with --class: only entries K, K + N, K + 2N, ...; collect then makes summary.csv"),
    OPTIONS_FLAG("again", &given.again,
                 "with --class: also grade submissions that this kit has already graded"),
    OPTIONS_INT("jobs", &given.jobs, 1, MAX_JOBS,
                "number of parallel processes; default: one per core, with --lab two"),
    OPTIONS_INT("limit-seconds", &given.limit_seconds, 1, MAX_SECONDS,
                "wall time for one submission; items not judged by then are TIMEOUT"),
    OPTIONS_INT("seed", &given.seed, 1, INT_MAX,
                "seed of the suites' random sizes and inputs, to repeat a grading; default: a random seed"),
    OPTIONS_FLAG("seed-each", &given.seed_each,
                 "with --class: draw a seed for each submission, not one for the class"),
    OPTIONS_FLAG(
        "leaderboard", &given.leaderboard,
        "also list modelled and measured speeds, in the result, the reports and, with --class, leaderboard.csv"),
    OPTIONS_CHOICE("isolation", &given.isolation, demands,
                   "the least isolation of submissions from this machine; auto: full with --class, else what "
                   "the machine has"),
    OPTIONS_STRING("attempts", &given.attempts, "FILE",
                   "with check: append changed items to this CSV file, and compare values with it"),
    OPTION_LIMITS,
    OPTION_INSTALLATION,
    OPTIONS_FLAG("version", &given.version, "print the kit's version"),
    OPTIONS_END,
};
static const struct options_option collect_options[] = {
    OPTION_CLASS("the folder of the submissions"),
    OPTIONS_STRING("out", &given.out, "DIR", "the folder with the results; it gets summary.csv"),
    OPTIONS_STRING("lab", &given.lab_name, "NN", "the lab, if only one was graded"),
    OPTION_INSTALLATION,
    OPTIONS_END,
};
static const struct options_option merge_options[] = {
    OPTIONS_ARGUMENTS(take_result, "COUNTERS.json TIME.json", "results of grade --json, one for each mode"),
    OPTION_JSON,
    OPTION_FORMAT,
    OPTION_OUT,
    OPTION_INSTALLATION,
    OPTIONS_END,
};
static const struct options_option calibrate_options[] = {
    OPTION_LAB,
    OPTIONS_INT("gradings", &given.gradings, 1, 10000, "number of gradings of the reference"),
    OPTIONS_STRING("limits", &given.limits, "FILE", "write the limits to this file, not to this build"),
    OPTION_INSTALLATION,
    OPTIONS_END,
};
static const struct options_command commands[] = {
    [GRADE] = {NULL, "points and feedback for a submission or a class", grade_options},
    [CHECK] = {"check", "the same; exit status 1 below full marks", grade_options},
    [COLLECT] = {"collect", "check that each entry of a class has a result, and summarise them",
                 collect_options},
    [MERGE] = {"merge", "merge the two results of one submission", merge_options},
    [CALIBRATE] = {"calibrate", "measure time limits for this machine's GPU", calibrate_options},
    [EXPORT] = {"export", "fill a class's points into the sheet of a learning platform",
                sheet_export_options},
    [GRADEBOOK] = {"gradebook", "make one table of several summaries, one row per student",
                   gradebook_options},
    OPTIONS_END,
};

/* Variables of the caller must not change a grade. */
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

/* One for each core that this process may use. For one lab, whose student waits, two: a judged run waits at times, for
 * instance while its jail is built. More labs would need twice the memory for that. */
static int default_jobs(bool is_one_lab) {
  cpu_set_t cores;
  const int cores_count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
  const int count = is_one_lab ? 2 * cores_count : cores_count;
  return count < MAX_JOBS ? count : MAX_JOBS;
}

/* Ends the program if the lab has no such item. */
static void check_name(const struct rubric *rubric, const char *id) {
  const struct rubric_item *item = rubric_find(rubric, id);
  if (item && item->kind != RUBRIC_RUNG)
    return;
  char list[512] = "";
  for (int n = 0; n < rubric->count; n++)
    if (rubric->items[n].kind != RUBRIC_RUNG)
      snprintf(list + strlen(list), sizeof list - strlen(list), " %s", rubric->items[n].id);
  error_die("no test '%s': expected one of%s", id, list);
}

static void find_lab(struct settings *settings, struct installation *kit) {
  static char words[1024], ids[MOST_NAMES][64];
  snprintf(words, sizeof words, "%s", settings->lab_name);
  char *rest = words;
  const char *lab = strsep(&rest, "/"), *name;
  settings->lab = installation_find(kit, lab);
  if (!settings->lab)
    error_die("--lab %s: no such lab: expected one of %s to %s", lab, kit->labs[0].name,
              kit->labs[kit->count - 1].name);
  for (int n = 0; (name = strsep(&rest, ",")); n++) {
    if (n == MOST_NAMES)
      error_die("--lab: expected at most %d names", MOST_NAMES);
    snprintf(ids[n], sizeof ids[n], "%.2s/%s", settings->lab->name, name);
    check_name(&settings->lab->rubric, ids[n]);
    settings->names[n] = ids[n];
  }
}

/* Time items are judged only with --mode time, all other items only without it. */
static void check_items(const struct settings *settings) {
  for (const char *const *name = settings->names; *name; name++)
    if ((rubric_find(&settings->lab->rubric, *name)->kind == RUBRIC_TIME) != (settings->mode == TIME))
      error_die("--lab %s: this item is judged only %s --mode time", *name,
                settings->mode == TIME ? "without" : "with");
}

static void check_settings(const struct settings *settings) {
  struct error error;
  check_items(settings);
  if (settings->formats && !report_check(settings->formats, &error))
    error_die("--format %s", error.text);
  if (settings->formats && !settings->out)
    error_die("--format without --out: expected a folder for the reports");
  if (settings->command == MERGE && (!settings->other || !settings->json_path))
    error_die("merge: expected COUNTERS.json TIME.json --json FILE");
  if (settings->command == COLLECT && (!settings->class || !settings->out || settings->names[0]))
    error_die("collect: expected --class DIR --out DIR, and --lab NN if only one lab was graded");
  if (settings->command > CHECK)
    return;
  if (settings->attempts && settings->command != CHECK)
    error_die("--attempts without check: expected check --attempts FILE SUBMISSION");
  if (settings->attempts && settings->names[0] && settings->names[1])
    error_die("--attempts with several items, %s: expected --lab NN or --lab NN/NAME", settings->lab_name);
  if (settings->mode == TIME && settings->jobs > 1)
    error_die("--mode time with --jobs %d: expected --jobs 1: only one program may use the GPU",
              settings->jobs);
  if (!settings->submission == !settings->class)
    error_die("expected either one submission or --class: see grade --help");
  if (settings->class && !settings->out)
    error_die("--class without --out: expected a folder for summary.csv and the reports");
  if (settings->class && (settings->command == CHECK || settings->json_path || settings->names[0]))
    error_die("--class with check, --json or the name of an item: expected --class DIR --out DIR");
  if (settings->seed_each && (!settings->class || settings->seed))
    error_die("--seed-each %s: expected --class DIR --seed-each",
              settings->seed ? "with --seed" : "without --class");
  if (settings->share.count > 0 && (!settings->class || settings->again))
    error_die("--share %s: expected --class DIR --out DIR --share K/N",
              settings->again ? "with --again" : "without --class");
  if (settings->again && !settings->class)
    error_die("--again without --class: expected the folder that holds the submissions");
}

/* Completes the settings by what follows from the command line and the kit. */
static void complete(struct settings *settings, struct installation *kit) {
  installation_leave_out_optional(kit, settings->lab_name, settings->submission);
  if (settings->lab_name)
    find_lab(settings, kit);
  if (settings->out && !settings->formats && !settings->class)
    settings->formats = "html";
  check_settings(settings);
  if (settings->jobs == 0)
    settings->jobs = settings->mode == TIME ? 1 : default_jobs(settings->lab != NULL);
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
  json_t *result = load_result(path, 0, &why);
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

/* Reads the submission. If it holds no lab's file, returns an empty submission, and the reason in why. */
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

/* All files hold an INFRA record until there is a grade. */
static void write_infra(const struct settings *settings, const struct submission *submission,
                        const struct result_origin *origin, const char *message) {
  json_t *result = result_infra(submission, origin, message);
  write_or_die(settings, result);
  json_decref(result);
}

/* The folder of reports, made if missing, as an absolute path; NULL: none. */
static const char *out_folder(const struct settings *settings, char path[PATH_MAX]) {
  if (!settings->out || (mkdir(settings->out, 0777) != 0 && errno != EEXIST))
    return NULL;
  return realpath(settings->out, path);
}

/* A student's earlier checks; NULL: this is no check of a lab. */
static json_t *attempts_of(const struct settings *settings) {
  if (settings->command != CHECK || !settings->lab)
    return NULL;
  return settings->attempts ? attempts_read(settings->attempts) : json_object();
}

/* A student who repeats a run that failed finds its inputs beside the file of attempts; NULL: no student checks. */
static const char *inputs_folder(const struct settings *settings, char folder[PATH_MAX]) {
  char path[PATH_MAX];
  if (!settings->attempts || snprintf(path, sizeof path, "%s", settings->attempts) >= PATH_MAX)
    return NULL;
  return realpath(dirname(path), folder);
}

/* What comes next, and a row for the next check to compare with. */
static void guide(const struct settings *settings, const struct installation *kit, const json_t *result,
                  const json_t *attempts) {
  char lab[3];
  snprintf(lab, sizeof lab, "%.2s", settings->lab->name);
  guide_print_next(kit, settings->lab, settings->names[0], result, attempts, stdout);
  if (settings->attempts)
    attempts_append(settings->attempts, attempts, result, settings->names[0] ? settings->names[0] : lab);
}

static int grade(const struct settings *settings, struct installation *kit, const struct machine *machine) {
  const bool climbs = settings->json_path || (settings->formats && strstr(settings->formats, "html"));
  struct error missing;
  char folder[PATH_MAX], inputs[PATH_MAX];
  struct submission submission = read_submission(settings, kit, &missing);
  json_t *attempts = attempts_of(settings);
  const struct judge_order order = {.only = missing.text[0] ? settings->lab : NULL,
                                    .missing = missing.text[0],
                                    .jobs = settings->jobs,
                                    .machine = machine,
                                    .climbs = climbs && !settings->names[0],
                                    .names = settings->names,
                                    .told = stdout,
                                    .out = out_folder(settings, folder),
                                    .leaderboard = settings->leaderboard,
                                    .seed = settings->seed ? settings->seed : seed_draw(),
                                    .inputs = inputs_folder(settings, inputs),
                                    .attempts = attempts,
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
  if (attempts)
    guide(settings, kit, result, attempts);
  json_decref(attempts);
  const int status = exit_status(settings, result);
  json_decref(result);
  submission_free(&submission);
  return status;
}

/* Programs cannot be compiled or run here: replaces an older grade by an INFRA record, and ends. */
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
    if (!kit->labs[n].reference[0] && rubric_has_time(&kit->labs[n].rubric))
      error_die(
          "--mode time: this kit lacks the solution of lab %s for a real GPU: expected it as the reference",
          kit->labs[n].name);
  if (!machine_read(kit, machine, &error))
    error_die("%s", error.text);
  machine->isolation = time_jail_try(kit, machine->missing, sizeof machine->missing);
  if (settings->command != CALIBRATE && (settings->limits || access(limits, F_OK) == 0) &&
      !limits_apply(limits, kit, machine, &error))
    error_die("%s", error.text);
}

/* check is for a student's own program. */
static enum demand demand_of(const struct settings *settings) {
  if (settings->isolation != AUTO)
    return (enum demand)settings->isolation;
  if (settings->command == CHECK)
    return NONE;
  return settings->class ? FULL : AUTO;
}

/* How far this machine can isolate programs; ends if that is less than demanded. Fewer jobs if other graders run. */
static void test_isolation(struct settings *settings, struct installation *kit) {
  static const enum isolation least[] = {
      [AUTO] = ISOLATION_NONE, [REDUCED] = ISOLATION_REDUCED, [FULL] = ISOLATION_FULL};
  const enum demand demand = demand_of(settings);
  char installation[PATH_MAX];
  const char *given = settings->installation ? settings->installation : GRADE_INSTALLATION;
  const char *const secrets[] = {realpath(given, installation) ? installation : GRADE_INSTALLATION,
                                 kit->labs[0].suite, kit->labs[0].contract, getenv("TMPDIR"), NULL};
  struct error why;
  if (demand == NONE)
    return;
  settings->jobs = slots_take(settings->jobs);
  const char *const needed[] = {kit->nvcc, kit->cc, kit->labs[0].main_object, kit->libraries[0], NULL};
  kit->isolation = self_test_run(ISOLATION_FULL, secrets, needed, settings->jobs);
  if (kit->isolation.level >= least[demand])
    return;
  error_set(&why, "isolation is %s, expected %s%s; missing: %s", isolation_names[kit->isolation.level],
            demands[demand], demand == FULL ? " (or grade with --isolation reduced)" : "",
            kit->isolation.missing);
  refuse(settings, kit, why.text);
}

static int run(struct settings *settings, struct installation *kit) {
  static struct seal seal; /* for the whole run */
  struct machine machine;
  struct error error;
  if (settings->command == MERGE)
    return merge(settings, kit);
  if (settings->command == COLLECT)
    return class_collect(kit, &(struct class_order){settings->class, settings->out, .only = settings->lab});
  if (settings->submission)
    check_exists(settings->submission);
  if (!working_folder_open(&error))
    refuse(settings, kit, error.text);
  if (!seal_make(kit, &seal, &error))
    refuse(settings, kit, error.text);
  kit->seal = &seal;
  test_isolation(settings, kit);
  if (settings->mode == TIME || settings->command == CALIBRATE)
    open_machine(settings, kit, &machine);
  if (settings->command == CALIBRATE)
    return calibrate(kit, &machine, settings->lab, settings->gradings,
                     settings->limits ? settings->limits : GRADE_LIMITS);
  if (settings->class)
    return class_grade(kit, &(struct class_order){.folder = settings->class,
                                                  .out = settings->out,
                                                  .formats = settings->formats,
                                                  .only = settings->lab,
                                                  .machine = settings->mode == TIME ? &machine : NULL,
                                                  .jobs = settings->jobs,
                                                  .limit_seconds = settings->limit_seconds,
                                                  .seed = settings->seed,
                                                  .leaderboard = settings->leaderboard,
                                                  .seed_each = settings->seed_each,
                                                  .again = settings->again,
                                                  .share = settings->share});
  return grade(settings, kit, settings->mode == TIME ? &machine : NULL);
}

int main(int argc, char **argv) {
  static struct installation kit;
  struct error error;
  given.command = (enum command)options_parse(
      "points and feedback for lab programs; see grading/README.md.\n"
      "Exit status: 0 graded, 1 below full marks (check), 2 not graded: a fault of the grader, of its\n"
      "machine or of the command line.",
      commands, argc, argv);
  if (given.command == EXPORT)
    return sheet_export_run();
  if (given.command == GRADEBOOK)
    return gradebook_run();
  if (given.version) {
    puts("grade " GRADE_VERSION);
    return 0;
  }
  clean_environment();
  if (!installation_read(given.installation ? given.installation : GRADE_INSTALLATION, &kit, &error))
    error_die("%s", error.text);
  complete(&given, &kit);
  const int status = run(&given, &kit);
  installation_free(&kit);
  return status;
}
