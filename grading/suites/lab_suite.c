#include "lab_suite.h"
#include "all_bytes.h"
#include "error.h"
#include "failed_run.h"
#include "jail.h"
#include "jail_room.h"
#include "lab_checks.h"
#include "outcomes.h"
#include "random.h"
#include "traffic.h"
#include "unwritten.h"
#include "working_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SKIPPED_STATUS = 77, ARGUMENTS_MAX = 32, TESTS_MAX = 256, TEST_SECONDS = 3600 };
enum { PRINTED_LINES = 20 };
enum { LARGE_MIN = 1025, MIDDLE_MIN = 513, LARGE_SIZES = 76 };
/* Limits of all runs of the tests of one name together: a suite that is stopped from outside has no result. */
static const struct spent { double cpu, idle, waiting; } most = {.cpu = 100, .idle = 20, .waiting = 120};

static const char usage[] =
    "--program PATH [--gpu] [--device PATH] [--record FILE] [--seed N] [--sample N] [--counts DIR] [--outcomes FILE] [--strict] "
    "[--inputs DIR] [--hurry] [--jail JAIL] [NAME ...]";
static char program[PATH_MAX], counts[PATH_MAX] = ".", inputs[PATH_MAX];
static bool strict, gpu;                /* gpu: the program uses a real GPU */
static struct supervisor_limits limits; /* of a run */
static struct jail jail = {.tmpfs = 16 << 20, .path = JAIL_PATH};
static struct jail_room room; /* in which the programs of a test run, one after the other */
static uint64_t seed = 1;
static unsigned sample;
/* Each test runs in its own process and leaves its lines for the report in these files of the suite's folder, which
 * no program shares. */
static const char remark_path[] = "remark.txt", shown_path[] = "shown.txt", verdict_path[] = "verdict.txt",
                  counted_path[] = "counted.txt", output_path[] = "stdout.txt",
                  launches_path[] = "launches.csv", launched_path[] = "launched.txt";

bool lab_suite_is_strict(void) { return strict; }

const char *lab_suite_counts(void) { return counts; }

/* The device process of this build, which programs on the simulated GPU use. */
#ifdef LAB_SUITE_DEVICE
static const char *chosen_device = LAB_SUITE_DEVICE;
#else
static const char *chosen_device;
#endif

static const char *device(void) { return gpu ? NULL : chosen_device; }

bool lab_suite_is_simulated(void) { return device() != NULL; }

/* --- random sizes and inputs --- */

uint64_t lab_suite_seed(uint64_t purpose) {
  struct random random = random_seed(seed);
  random = random_seed(random_next(&random) ^ purpose);
  return random_next(&random);
}

static struct grid unequal_grid(int least, uint64_t purpose, bool odd) {
  struct random random = random_seed(lab_suite_seed(purpose));
  int nx, ny;
  do {
    nx = least + (int)(random_next(&random) % LARGE_SIZES);
    ny = least + (int)(random_next(&random) % LARGE_SIZES);
  } while (nx == ny || ny % 2 != odd || (odd ? nx % 2 == 0 : nx % 4 != 0));
  return grid_make(nx, ny);
}

struct grid lab_suite_large_grid(uint64_t purpose, bool odd) {
  return unequal_grid(LARGE_MIN, purpose, odd);
}
struct grid lab_suite_middle_grid(uint64_t purpose, bool odd) {
  return unequal_grid(MIDDLE_MIN, purpose, odd);
}

/* The labs' largest side is 32768. */
enum { NARROW = 5, LONG_SIDE = 32767 - LARGE_SIZES + 2 };

static int long_side(uint64_t purpose) {
  return LONG_SIDE + (int)(lab_suite_seed(purpose) % LARGE_SIZES) / 2 * 2;
}

struct grid lab_suite_tall_grid(uint64_t purpose) {
  return grid_make(NARROW, long_side(purpose));
}

struct grid lab_suite_wide_grid(uint64_t purpose) {
  return grid_make(long_side(purpose), NARROW);
}

/* --- runs --- */

static struct spent *spent; /* by the runs of this name, in memory shared with the test processes */

static void check_seconds(double seconds, double limit, const char *what) {
  if (seconds <= limit)
    return;
  lab_suite_verdict("TIMEOUT");
  ck_abort_msg("stopped: the runs of this item together %s for %.3g s: expected at most %g s", what, seconds,
               limit);
}

static void check_spent(void) {
  if (!spent)
    return;
  check_seconds(spent->cpu, most.cpu, "computed");
  check_seconds(spent->idle, most.idle, "were idle");
  check_seconds(spent->waiting, most.waiting, "waited");
}

static void fail_by_the_machine(const struct error *error) {
  lab_suite_verdict("INFRA");
  ck_abort_msg("%s", error->text);
}

/* The room that the suite opened is used by all tests; a program may have ended it. */
static void open_room(void) {
  static const char *readable[] = {program, NULL};
  jail.readable = readable;
  jail.room = jail_room_open(&room, &jail) ? &room : NULL;
}

/* A run on few points takes a small part of a second: one that does not end need not go on for long. */
static struct supervisor_limits limits_of(const char *const *arguments) {
  enum { FEW_POINTS = 1024, FEW_INSTRUCTIONS = 20000000, OF_A_POINT = 10000 };
  const double few_seconds = 4; /* at a load of 18, no run of the solutions takes 0.3 s */
  struct supervisor_limits least = limits;
  const double points = failed_run_points(arguments);
  if (0 < points && points <= FEW_POINTS) {
    const uint64_t launch = FEW_INSTRUCTIONS + OF_A_POINT * (uint64_t)points;
    least.cpu_seconds = fmin(least.cpu_seconds, few_seconds);
    least.launch = launch < least.launch ? launch : least.launch;
  }
  return least;
}

static struct program_result run(const char *const *arguments) {
  struct run_files files;
  struct error error;
  open_room();
  const int output = open(output_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (output < 0)
    error_set(&error, "%s: cannot write: %s", output_path, strerror(errno));
  if (output < 0 || !run_files_open(&files, arguments, &error))
    fail_by_the_machine(&error);
  const struct supervisor_limits least = limits_of(arguments + 1);
  struct program_result result = program_run_foreign(&(struct program_order){
      .arguments = arguments, .limits = &least, .device = device(), .files = &files, .output = output});
  const ssize_t length = all_bytes_read_at(output, result.output, sizeof result.output - 1, 0);
  result.output[length > 0 ? length : 0] = '\0';
  close(output);
  if (!run_files_keep(&files, &error))
    fail_by_the_machine(&error);
  return result;
}

/* The program and its arguments. NVIDIA's runtime keeps memory of the host for its own use. */
static void name_program(const char *const *arguments, const char *all[ARGUMENTS_MAX]) {
  int count = 0;
  for (all[count++] = program; *arguments; arguments++) {
    if (count == ARGUMENTS_MAX - 1)
      error_die("%s: too many arguments: expected at most %d", program, ARGUMENTS_MAX - 2);
    if (lab_suite_is_simulated() || strcmp(*arguments, "--heap") != 0)
      all[count++] = *arguments;
  }
  all[count] = NULL;
}

static struct program_result run_program(const char *const *arguments) {
  const char *all[ARGUMENTS_MAX];
  name_program(arguments, all);
  check_spent();
  lab_checks_begin();
  traffic_begin(lab_suite_is_simulated(), all);
  const struct program_result result = run(all);
  traffic_end();
  if (lab_checks_end(arguments))
    failed_run_keep_finding(arguments);
  if (spent) {
    spent->cpu += result.report.cpu_seconds;
    spent->idle += result.report.idle_seconds;
    spent->waiting += result.report.waiting_seconds;
  }
  return result;
}

/* After a fault of the machine, nothing that the test compares is the program's. */
static struct program_result run_or_fail(const char *const *arguments) {
  const struct program_result result = run_program(arguments);
  struct error error;
  if (strcmp(program_verdict(&result), "INFRA") != 0)
    return result;
  program_describe(&result, error.text, sizeof error.text);
  fail_by_the_machine(&error);
  return result;
}

struct program_result lab_suite_run(const char *const *arguments) {
  failed_run_keep(arguments);
  return run_or_fail(arguments);
}

void lab_suite_limit_device(uint64_t memory, uint64_t launch) {
  limits.device_memory = memory;
  limits.launch = launch;
}

void lab_suite_fail_call(int number) { limits.failing_call = (uint64_t)number; }
void lab_suite_fail_launch(int number) { limits.failing_launch = (uint64_t)number; }

static void join(char *text, size_t size, const char *const *arguments) {
  size_t used = 0;
  for (text[0] = '\0'; *arguments && used < size; arguments++)
    used += (size_t)snprintf(text + used, size - used, " %s", *arguments);
}

/* Leaves a line for the report, unless there is one. A line that is lost would change the grade: then the test
 * ends as INFRA. */
__attribute__((format(printf, 2, 0))) static void leave_line(const char *path, const char *format,
                                                             va_list values) {
  FILE *file = fopen(path, "wx");
  if (!file && errno == EEXIST)
    return;
  if (!file || vfprintf(file, format, values) < 0 || fclose(file) != 0)
    error_die("%s: cannot write: %s", path, strerror(errno));
}

__attribute__((format(printf, 2, 3))) static void leave(const char *path, const char *format, ...) {
  va_list values;
  va_start(values, format);
  leave_line(path, format, values);
  va_end(values);
}

void lab_suite_verdict(const char *verdict) { leave(verdict_path, "%s", verdict); }

/* Reports the program's own message, which names the part. */
static void fail_if_unwritten(const struct program_result *result) {
  const char *colon = strstr(result->message, ": "), *words = colon ? colon + 2 : result->message;
  if (result->status != UNWRITTEN_STATUS)
    return;
  lab_suite_verdict("UNWRITTEN");
  ck_abort_msg("%.*s", (int)strcspn(words, "\n"), words);
}

const char *lab_suite_explain_ending(const char *ending) {
  if (strstr(ending, "cudaErrorStreamCapture"))
    return "\na launch between cudaStreamBeginCapture and cudaStreamEndCapture names no stream, or another one, or a call "
           "there waits: expected <<<blocks, threads, 0, stream>>>";
  if (strstr(ending, " refused: a grid of 0x"))
    return "\na division rounds down: does it leave 0 blocks?";
  return strstr(ending, " refused: a block of ")
             ? "\nin <<<blocks, threads>>>, the threads of a block come second: are the two exchanged?"
             : "";
}

struct program_result lab_suite_expect_success(const char *const *arguments) {
  const struct program_result result = lab_suite_run(arguments);
  char ending[512];
  program_describe(&result, ending, sizeof ending);
  fail_if_unwritten(&result);
  if (strcmp(program_verdict(&result), "PASS") != 0) {
    lab_suite_verdict(program_verdict(&result));
    ck_abort_msg("%s%s", ending, lab_suite_explain_ending(ending));
  }
  return result;
}

bool lab_suite_succeeds(const char *const *arguments) {
  const struct program_result result = run_or_fail(arguments);
  fail_if_unwritten(&result);
  return strcmp(program_verdict(&result), "PASS") == 0;
}

void lab_suite_remark(const char *format, ...) {
  va_list values;
  va_start(values, format);
  leave_line(remark_path, format, values);
  va_end(values);
}

void lab_suite_counted(double per, const char *const *arguments) {
  char command[512];
  join(command, sizeof command, arguments);
  leave(counted_path, "%.17g%s", per, command);
}

void lab_suite_show(const char *format, ...) {
  va_list values;
  va_start(values, format);
  leave_line(shown_path, format, values);
  va_end(values);
}

void lab_suite_expect_refused(const char *const *arguments, const char *says, const char *out) {
  char command[512], ending[512];
  join(command, sizeof command, arguments);
  unlink(out);
  const struct program_result result = lab_suite_run(arguments);
  const char *newline = strchr(result.message, '\n');
  program_describe(&result, ending, sizeof ending);
  fail_if_unwritten(&result);
  if (result.status != 2)
    ck_abort_msg("%s: expected exit status 2, got: %s", command + 1, ending);
  if (!newline || newline[1])
    ck_abort_msg("%s: expected one line on standard error, got:\n%s", command + 1, result.message);
  if (!strstr(result.message, says))
    ck_abort_msg("%s: expected a message that contains '%s', got: %s", command + 1, says, ending);
  if (access(out, F_OK) == 0)
    ck_abort_msg("%s: expected no output file, got one", command + 1);
}

const char *lab_suite_line(const char *output, const char *words) {
  const char *line = output;
  for (const char *at = output; (at = strstr(at, words)); at++)
    if (at == output || at[-1] == '\n')
      line = at;
  return line;
}

/* Reads and removes the line that tests of this name left; "" if there is none. */
static void take_line(const char *path, char *text, int size) {
  FILE *file = fopen(path, "r");
  text[0] = '\0';
  if (!file && errno != ENOENT)
    error_die("%s: cannot read: %s", path, strerror(errno));
  if (!file)
    return;
  if (!fgets(text, size, file))
    text[0] = '\0';
  fclose(file);
  unlink(path);
}

static void read_text(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  const size_t length = file ? fread(text, 1, size - 1, file) : 0;
  text[length] = '\0';
  if (file)
    fclose(file);
}

/* Reads and removes what lab_suite_counted wrote. */
static void take_counted(struct outcome *outcome) {
  char line[sizeof outcome->counted], *arguments;
  take_line(counted_path, line, sizeof line);
  outcome->per = strtod(line, &arguments);
  snprintf(outcome->counted, sizeof outcome->counted, "%s", arguments[0] ? arguments + 1 : "");
}

static bool is_wanted(const char *name, int count, char **names) {
  for (int n = 0; n < count; n++)
    if (strcmp(names[n], name) == 0)
      return true;
  return count == 0;
}

static void check_names(const struct lab_test *tests, int count, char **names) {
  for (int n = 0; n < count; n++) {
    const struct lab_test *test = tests;
    while (test->name && strcmp(test->name, names[n]) != 0)
      test++;
    if (test->name)
      continue;
    char list[1024];
    size_t used = 0;
    for (test = tests; test->name && used < sizeof list; test++)
      if (test == tests || strcmp(test->name, test[-1].name) != 0)
        used += (size_t)snprintf(list + used, sizeof list - used, " %s", test->name);
    error_die("no test '%s': expected one of%s", names[n], list);
  }
}

/* Prints the message and indents every line after the first. */
static void print_indented(const char *text) {
  for (; *text; text++)
    if (*text == '\n')
      printf("\n               ");
    else
      putchar(*text);
  putchar('\n');
}

/* For Check, CK_ERROR is a test that crashed or timed out: a fault of the suite, not of the program. */
static void note_failure(TestResult *result, struct outcome *outcome) {
  snprintf(outcome->message, sizeof outcome->message, "%s", tr_msg(result));
  for (size_t end = strlen(outcome->message); end > 0 && outcome->message[end - 1] == '\n';)
    outcome->message[--end] = '\0';
  take_line(verdict_path, outcome->verdict, sizeof outcome->verdict);
  struct error why;
  if (!working_folder_has_room(&why)) {
    strcpy(outcome->verdict, "INFRA");
    snprintf(outcome->message, sizeof outcome->message, "%s", why.text);
  } else if (tr_rtype(result) == CK_ERROR)
    strcpy(outcome->verdict, "INFRA");
  else if (!outcome->verdict[0])
    strcpy(outcome->verdict, "WRONG");
}

/* Whether the line is one of those that the labs' main.c prints after a run. */
static bool is_given_line(const char *line) {
  static const char *const beginnings[] = {"relative residual ", "residual ",     "rho ", "omega ",
                                           "formula: ",          "tolerance met", "dot ", "csr: "};
  for (size_t n = 0; n < sizeof beginnings / sizeof *beginnings; n++)
    if (strncmp(line, beginnings[n], strlen(beginnings[n])) == 0)
      return true;
  return strstr(line, ": nx ") != NULL || strstr(line, ": m ") != NULL;
}

/* The last lines that the student's functions printed in the last run. */
static void note_printed(struct outcome *outcome) {
  char last[PRINTED_LINES][sizeof outcome->printed / PRINTED_LINES];
  int count = 0;
  FILE *file = fopen(output_path, "r");
  while (file && fgets(last[count % PRINTED_LINES], sizeof last[0], file)) /* a long line becomes several */
    count += !is_given_line(last[count % PRINTED_LINES]);
  if (file)
    fclose(file);
  for (int n = count > PRINTED_LINES ? count - PRINTED_LINES : 0; n < count; n++)
    strcat(outcome->printed, last[n % PRINTED_LINES]);
  const size_t length = strlen(outcome->printed);
  if (length > 0 && outcome->printed[length - 1] == '\n')
    outcome->printed[length - 1] = '\0';
}

static bool run_test(const struct lab_test *test, struct outcome *outcome) {
  Suite *suite = suite_create(test->name);
  TCase *cases = tcase_create(test->name);
  tcase_set_timeout(cases, TEST_SECONDS); /* for the suite's own code: programs have their own limits */
  tcase_add_loop_test(cases, *test->test, test->index, test->index + 1);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  unlink(output_path);
  srunner_run_all(runner, CK_SILENT);
  const bool passed = srunner_ntests_run(runner) == 1 && srunner_ntests_failed(runner) == 0;
  if (!passed) {
    TestResult **results = srunner_results(runner);
    note_failure(results[0], outcome);
    note_printed(outcome);
    free(results);
  }
  srunner_free(runner);
  return passed;
}

/* The launches of the failed run, in words. It runs again, without checks, which would stop it. */
static void show_launches(const char *test) {
  const char *arguments[ARGUMENTS_MAX];
  char launches[1536] = "";
  if (!lab_suite_is_simulated() || !failed_run_arguments(arguments, ARGUMENTS_MAX))
    return;
  lab_checks_stop();
  limits.launch /= 20;
  setenv("SIMGPU_COUNTERS", launches_path, 1);
  run_program(arguments);
  unsetenv("SIMGPU_COUNTERS");
  failed_run_launches(test, launches_path, launches, sizeof launches);
  leave(launched_path, "%s", launches);
}

/* In a process of its own, as a test is: a fault of the machine ends it. */
static void read_launches(const char *test, char *launches, size_t size) {
  launches[0] = '\0';
  unlink(launched_path);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    show_launches(test);
    _exit(0);
  }
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
    ;
  read_text(launched_path, launches, size);
}

static void note_command(struct outcome *outcome) {
  const size_t used = strlen(outcome->message);
  char command[PATH_MAX + 512];
  const bool has_inputs = failed_run_command(outcome->name, inputs, command, sizeof command);
  if (command[0])
    snprintf(outcome->message + used, sizeof outcome->message - used, "\nto repeat the run%s: %s",
             has_inputs ? "" : ", with other values", command);
}

/* Before the map of the grid: what was launched. At the end: how to repeat the run. */
static void note_run(struct outcome *outcome) {
  char launches[1536], rest[OUTCOMES_TEXT];
  read_launches(outcome->name, launches, sizeof launches);
  if (failed_run_explain(launches, outcome->message, sizeof outcome->message)) {
    char *map = strstr(outcome->message, "\nmap of the grid");
    char *end = map ? map : outcome->message + strlen(outcome->message);
    snprintf(rest, sizeof rest, "%s", end);
    snprintf(end, sizeof outcome->message - (size_t)(end - outcome->message), "%s%s", launches, rest);
  }
  note_command(outcome);
}

/* A test of counters compares no values. */
static const char *begin_finding(bool passed, const char *name) {
  if (!passed)
    return "the checks found: ";
  return strstr(name, "/counters") ? "the counters are as expected, but the checks found: "
                                   : "the results are correct, but the checks found: ";
}

/* Removes lines that guess what to look for. The first line says what is wrong. */
static void drop_guesses(char *message) {
  char *line = message + strcspn(message, "\n");
  while (*line) {
    const size_t length = 1 + strcspn(line + 1, "\n");
    const char *guess = strstr(line, ": look for ");
    if (guess && guess < line + length)
      memmove(line, line + length, strlen(line + length) + 1);
    else
      line += length;
  }
}

/* The cause comes before its effects. After a crash, the program's own end comes first. */
static void add_finding(const char *text, struct outcome *outcome) {
  char effects[sizeof outcome->message] = "";
  const bool is_first = strcmp(outcome->verdict, "WRONG") == 0;
  if (is_first) {
    drop_guesses(outcome->message);
    strcpy(effects, outcome->message);
    outcome->message[0] = '\0';
  }
  const size_t used = strlen(outcome->message);
  snprintf(outcome->message + used, sizeof outcome->message - used, "%s%s%s%s", used ? "\n" : "", text,
           effects[0] ? "\n" : "", effects);
}

/* Adds the finding of the checks. It fails a passed test, and explains a failed one. */
static bool note_finding(bool passed, struct outcome *outcome) {
  char finding[2048], text[2304];
  const size_t used = strlen(outcome->message);
  if (!passed)
    lab_checks_forget_notes();
  if (!lab_checks_tell(finding, sizeof finding))
    return false;
  if (passed) {
    strcpy(outcome->verdict, "WRONG");
    failed_run_use_finding();
  }
  char *point = strstr(finding, "; on nx ");
  if (point)
    *point = '\0';
  if (strstr(outcome->message, finding)) { /* the program's end says it, too */
    if (point)
      snprintf(outcome->message + used, sizeof outcome->message - used, "\n%s", point + 2);
    return true;
  }
  if (point)
    *point = ';';
  snprintf(text, sizeof text, "%s%s%s", begin_finding(passed, outcome->name), finding,
           strstr(finding, "volatile read of")
               ? "\nvolatile does not order the lanes of a warp: __syncwarp() does"
               : "");
  add_finding(text, outcome);
  return true;
}

/* Runs the tests that share the first one's name and stops after the first failure. Findings of the checks
 * count if all of them pass. */
static bool run_name(const struct lab_test *tests, struct outcome *outcome) {
  const char *name = tests->name;
  bool passed = true;
  *outcome = (struct outcome){.name = name, .verdict = "PASS"};
  lab_checks_forget();
  *spent = (struct spent){0};
  for (; passed && tests->name && strcmp(tests->name, name) == 0; tests++)
    passed = run_test(tests, outcome);
  passed &= !note_finding(passed, outcome);
  if (strcmp(outcome->verdict, "WRONG") == 0 || strcmp(outcome->verdict, "CRASH") == 0)
    note_run(outcome);
  else if (strcmp(outcome->verdict, "TIMEOUT") == 0)
    note_command(outcome);
  printf("%-14s %s", name, passed ? "passed\n" : "failed: ");
  if (!passed)
    print_indented(outcome->message);
  take_line(shown_path, outcome->shown, sizeof outcome->shown);
  if (outcome->shown[0])
    printf("%-14s shows: %s\n", name, outcome->shown);
  take_counted(outcome);
  take_line(remark_path, outcome->remark, sizeof outcome->remark);
  if (!passed) /* "rounded differently" would contradict the failure */
    outcome->remark[0] = '\0';
  if (outcome->remark[0])
    printf("%-14s %s: %s\n", name, strict ? "remark, which fails under --strict" : "remark, costs no points",
           outcome->remark);
  fflush(stdout);
  return passed && !(strict && outcome->remark[0]);
}

static bool has_device(const char *const *probe) {
  const struct program_result result = run_program(probe);
  return !strstr(result.message, "cudaErrorNoDevice") &&
         !strstr(result.message, "cudaErrorInsufficientDriver");
}

static void find_program(const char *path) {
  if (!realpath(path, program))
    error_die("--program %s: no such file", path);
}

/* An absolute path, since the suite changes to its own directory. */
static void make_absolute(const char *option, const char *path, char absolute[PATH_MAX]) {
  char here[PATH_MAX] = "";
  if (path[0] != '/' && !getcwd(here, sizeof here))
    error_die("%s %s: the current directory is gone", option, path);
  if (snprintf(absolute, PATH_MAX, "%s%s%s", here, here[0] ? "/" : "", path) >= PATH_MAX)
    error_die("%s: the path is too long: expected at most %d bytes", option, PATH_MAX - 1);
}

static void set_record(const char *path) {
  char absolute[PATH_MAX];
  make_absolute("--record", path, absolute);
  setenv("SIMGPU_RECORD", absolute, 1);
}

static void find_seed(const char *text) {
  char *end;
  seed = strtoull(text, &end, 10);
  if (*end || end == text)
    error_die("--seed %s: expected a whole number", text);
}

/* Which of the model's samples: another number, other sampled blocks. */
static void find_sample(const char *text) {
  if (strlen(text) != 1 || !strchr("012", text[0]))
    error_die("--sample %s: expected 0, 1 or 2", text);
  sample = (unsigned)(text[0] - '0');
}

static void share_spent(void) {
  spent = mmap(NULL, sizeof *spent, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (spent == MAP_FAILED)
    error_die("cannot share memory with the test processes");
}

/* The device alone gets it: a program that knew the sampled blocks could be fast in them alone. */
static void seed_the_model(void) {
  enum { PURPOSE = 90 }; /* the first sample's */
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)lab_suite_seed(PURPOSE + sample) | 1);
  setenv("SIMGPU_MODEL_SEED", text, 1);
}

/* "03_compressed" of "build/suite_03_compressed". */
static const char *suite_name(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  return strncmp(name, "suite_", 6) == 0 ? name + 6 : name;
}

static struct lab_test all[TESTS_MAX]; /* ends with an empty entry */

void lab_suite_add(const struct lab_test *tests) {
  int count = 0;
  while (all[count].name)
    count++;
  for (; tests->name; tests++)
    if (count < TESTS_MAX - 1)
      all[count++] = *tests;
    else
      error_die("%s: too many tests: expected at most %d", tests->name, TESTS_MAX - 1);
}

static void find_jail(const char *text) {
  if (!jail_read(text, &jail))
    error_die("--jail %s: expected a level and a slot, such as \"full 3\"", text);
  limits.jail = jail.level == ISOLATION_NONE ? NULL : &jail;
}

static void halve_limits(void) {
  limits.cpu_seconds /= 2;
  limits.idle_seconds /= 2;
  limits.launch /= 2;
}

/* Returns the index of the first test name in argv. */
static int parse_options(int argc, char **argv, char outcomes_path[PATH_MAX]) {
  int next = 1;
  for (; next < argc && strncmp(argv[next], "--", 2) == 0; next++) {
    if (strcmp(argv[next], "--gpu") == 0)
      gpu = true;
    else if (strcmp(argv[next], "--strict") == 0)
      strict = true;
    else if (strcmp(argv[next], "--hurry") == 0)
      halve_limits();
    else if (strcmp(argv[next], "--program") == 0 && next + 1 < argc)
      find_program(argv[++next]);
    else if (strcmp(argv[next], "--device") == 0 && next + 1 < argc)
      chosen_device = argv[++next];
    else if (strcmp(argv[next], "--record") == 0 && next + 1 < argc)
      set_record(argv[++next]);
    else if (strcmp(argv[next], "--outcomes") == 0 && next + 1 < argc)
      make_absolute("--outcomes", argv[++next], outcomes_path);
    else if (strcmp(argv[next], "--counts") == 0 && next + 1 < argc)
      make_absolute("--counts", argv[++next], counts);
    else if (strcmp(argv[next], "--inputs") == 0 && next + 1 < argc)
      make_absolute("--inputs", argv[++next], inputs);
    else if (strcmp(argv[next], "--jail") == 0 && next + 1 < argc)
      find_jail(argv[++next]);
    else if (strcmp(argv[next], "--seed") == 0 && next + 1 < argc)
      find_seed(argv[++next]);
    else if (strcmp(argv[next], "--sample") == 0 && next + 1 < argc)
      find_sample(argv[++next]);
    else
      error_die("unknown option %s: expected %s", argv[next], usage);
  }
  if (!program[0])
    error_die("no program: expected %s", usage);
  return next;
}

int lab_suite_main(int argc, char **argv, const struct lab_test *public, const char *const *probe) {
  static char outcomes_path[PATH_MAX];
  static struct outcome outcomes[OUTCOMES_MAX];
  limits = program_limits;
  check_set_max_msg_size(2 * PROGRAM_TEXT_MAX); /* of a test that quotes a program; else it ends */
  const int next = parse_options(argc, argv, outcomes_path);
  lab_suite_add(public);
  if (lab_suite_hidden)
    lab_suite_add(lab_suite_hidden);
  check_names(all, argc - next, argv + next);
  program_enter_directory();
  open_room();
  seed_the_model();
  share_spent();
  if (gpu && !has_device(probe)) {
    printf("skipped: no CUDA device was found\n");
    return SKIPPED_STATUS;
  }

  bool passed = true;
  int ran = 0;
  for (const struct lab_test *test = all; test->name; test++) {
    const bool first = test == all || strcmp(test->name, test[-1].name) != 0;
    if (first && is_wanted(test->name, argc - next, argv + next)) {
      if (ran == OUTCOMES_MAX)
        error_die("%s: too many names of tests: expected at most %d", argv[0], OUTCOMES_MAX);
      passed &= run_name(test, &outcomes[ran]);
      ran++;
    }
  }
  if (outcomes_path[0])
    outcomes_write(outcomes_path, suite_name(argv[0]), ran, outcomes);
  return passed && ran > 0 ? 0 : 1;
}
