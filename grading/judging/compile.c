#include "compile.h"
#include "compile_folder.h"
#include "linked_program.h"
#include "program.h"
#include "warnings.h"
#include "working_folder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const unsigned char compile_steps[]; /* compile_steps.sh, by CMake */

enum { WORDS = 2 * INSTALLATION_WORDS + 16 };
enum { MOST_ERRORS = 3, LINE_TEXT = 340 }; /* of a message */

const struct supervisor_limits compile_limits = {
    .cpu_seconds = 60,
    .idle_seconds = 10,
    .waiting_seconds = 120,
    .seconds = 600,
    .memory = UINT64_C(2) << 30,
    .file = UINT64_C(64) << 20,
    .processes = 64,
    .foreign = true,
};

static void append(const char **words, int *count, const char *const *more) {
  for (; *more; more++)
    words[(*count)++] = *more;
}

static bool is_text(const char *text, size_t size, const char *program, struct error *why) {
  if (size == 0)
    return error_set(why, "%s.cu: the file is empty: expected CUDA C", program);
  const char *zero = memchr(text, 0, size);
  return !zero || error_set(why, "%s.cu: byte %zu is zero: expected CUDA C as UTF-8 text", program,
                            (size_t)(zero - text) + 1);
}

/* Names a symbol that is missing or defined twice, since the linker's last line does not name it. */
static bool linker_error(const char *said, const char *program, struct error *why) {
  static const struct {
    const char *words, *meaning;
  } faults[] = {{"undefined reference to `",
                 "is declared but not defined: compare its name and its parameters with the declaration"},
                {"multiple definition of `", "is defined twice: the lab's program already defines it"}};
  for (size_t n = 0; n < sizeof faults / sizeof *faults; n++) {
    const char *name = strstr(said, faults[n].words);
    if (!name)
      continue;
    name += strlen(faults[n].words);
    return !error_set(why, "%s.cu: error: %.*s %s", program, (int)strcspn(name, "'"), name,
                      faults[n].meaning);
  }
  return false;
}

/* "stencil.cu:5:10: fatal error: helper.cuh: No such file or directory": the student's own machine may
 * have the file. */
static bool header_error(const char *said, const char *program, struct error *why) {
  const char *end = strstr(said, ": No such file or directory"), *fatal = strstr(said, ": fatal error: ");
  if (!fatal || !end || fatal > end)
    return false;
  const char *line = fatal, *name = fatal + strlen(": fatal error: ");
  while (line > said && line[-1] != '\n')
    line--;
  return !error_set(
      why,
      "%.*s: error: the compiler does not find %.*s. Only %s.cu is handed in: move the text of a header of "
      "your own into it",
      (int)(fatal - line), line, (int)(end - name), name, program);
}

/* --- a fault of the source or of the machine? --- */

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  return line + (*line == '\n');
}

static bool line_has(const char *line, const char *words) {
  const char *found = strstr(line, words);
  return found && found < line + strcspn(line, "\n");
}

/* "gcc" of "x86_64-linux-gnu-gcc-12": without the machine and the version. */
static bool is_tool(const char *name, size_t length) {
  static const char *const tools[] = {"gcc", "g++", "cc", "c++",   "cc1",     "cc1plus", "collect2",
                                      "ld",  "as",  "sh", "bwrap", "prlimit", "the jail"};
  size_t end = length;
  while (end > 0 && strchr("0123456789.", name[end - 1]))
    end--;
  if (end > 0 && end < length && name[end - 1] == '-')
    length = end - 1;
  for (size_t n = 0; n < sizeof tools / sizeof *tools; n++) {
    const size_t size = strlen(tools[n]);
    if (length >= size && strncmp(name + length - size, tools[n], size) == 0 &&
        (length == size || name[length - size - 1] == '-'))
      return true;
  }
  return false;
}

/* A line in which the compiler reports on itself, not on a source. */
static bool is_of_a_tool(const char *line) {
  const char *name = line; /* programs may print their path: "/bin/sh: 1: cicc: not found" */
  for (const char *c = line; *line == '/' && *c && *c != ':' && *c != '\n'; c++)
    if (*c == '/')
      name = c + 1;
  return strncmp(name, "nvcc ", 5) == 0 || is_tool(name, strcspn(name, ":\n"));
}

/* A signal sent by the machine. Other signals may be the source's fault: it may crash the compiler. */
static bool is_killed(const char *line) {
  static const int signals[] = {SIGHUP, SIGINT, SIGKILL, SIGBUS, SIGTERM};
  const char *died = strstr(line, "died due to signal ");
  const int signal =
      died && line_has(line, "died due to signal ") ? atoi(died + strlen("died due to signal ")) : 0;
  for (size_t n = 0; n < sizeof signals / sizeof *signals; n++)
    if (signal == signals[n])
      return true;
  return line_has(line, "Killed signal") || line_has(line, "out of memory") ||
         line_has(line, "virtual memory exhausted") || line_has(line, "Cannot allocate memory") ||
         line_has(line, "No space left on device") || line_has(line, "Disk quota exceeded");
}

/* Of inline assembly. */
static bool is_of_the_assembler(const char *line) {
  return line_has(line, ".s:") && line_has(line, ": Error: ");
}

static bool is_about_source(const char *line, const char *program) {
  char source[256];
  snprintf(source, sizeof source, "%s.cu", program);
  if (line_has(line, "warning"))
    return false;
  return line_has(line, source) || line_has(line, "program.o") || is_of_the_assembler(line) ||
         line_has(line, "died due to signal") || line_has(line, "File size limit exceeded") ||
         (line_has(line, "error") && !is_of_a_tool(line));
}

/* Only the compiler says so, by its words, their absence, or a signal. The submission can cause each:
 * compile_lab() looks again. */
static bool by_words;

/* Whether the machine or the installation kept the compiler from judging the source. */
static bool is_fault(const struct program_result *result, const char *program, struct error *why) {
  const enum supervisor_end end = result->report.end;
  bool says_something = false;
  const bool is_signal = end == SUPERVISOR_ENDED && result->signal && result->signal != SIGXFSZ;
  if (end == SUPERVISOR_CANNOT_RUN || end == SUPERVISOR_WALL || is_signal) {
    char ending[512];
    by_words = is_signal; /* the shell passes on the signal that ended nvcc */
    program_describe(result, ending, sizeof ending);
    return !error_set(why, "the compiler: %s", ending);
  }
  for (const char *line = result->message; *line; line = next_line(line)) {
    if (is_of_a_tool(line) ? is_killed(line) : line_has(line, "catastrophic error: out of memory")) {
      by_words = true;
      return !error_set(why, "the machine stopped the compiler: %.*s", (int)strcspn(line, "\n"), line);
    }
    says_something |= is_about_source(line, program);
  }
  if (!working_folder_has_room(why))
    return true;
  struct error linker;
  says_something |= linker_error(result->message, program, &linker);
  if (says_something || end != SUPERVISOR_ENDED || result->signal)
    return false;
  by_words = true;
  return !error_set(why, "the compiler ended with exit status %d and without a message about %s.cu%s%.*s",
                    result->status, program, result->message[0] ? ": " : "",
                    (int)strcspn(result->message, "\n"), result->message);
}

static bool is_error(const char *line) {
  return line_has(line, "error: ") || line_has(line, "error :") || is_of_the_assembler(line);
}

/* Appends a line, shortened, unless the text would be cut. */
static bool append_line(struct error *why, const char *line, const char *before) {
  const int length = (int)strcspn(line, "\n");
  char text[LINE_TEXT + 8];
  snprintf(text, sizeof text, "%s%.*s%s", before, length < LINE_TEXT ? length : LINE_TEXT, line,
           length < LINE_TEXT ? "" : "…");
  if (strlen(why->text) + strlen(text) >= sizeof why->text)
    return false;
  strcat(why->text, text);
  return true;
}

/* "invoke.h:461: error" of an error in a header of the CUDA Toolkit */
static const char *without_folder(const char *line) {
  const char *name = line;
  for (const char *c = line; *line == '/' && *c && !strchr(":(\n", *c); c++)
    name = *c == '/' ? c + 1 : name;
  return name;
}

/* The compiler's first errors, each with the source line that it prints below. */
static bool list_errors(const char *said, struct error *why) {
  int count = 0;
  why->text[0] = '\0';
  for (const char *line = said; *line && count < MOST_ERRORS; line = next_line(line)) {
    if (!is_error(line))
      continue;
    if (!append_line(why, without_folder(line), count++ ? "\n" : ""))
      break;
    const char *source = next_line(line);
    if (*source == ' ' && !append_line(why, source + strspn(source, " "), "\n    "))
      break;
  }
  return count > 0;
}

/* What is wrong with the source, or else how the compiler ended. */
static void explain_errors(const struct program_result *result, const char *program, struct error *why) {
  char ending[512];
  program_describe(result, ending, sizeof ending);
  if (result->report.end != SUPERVISOR_ENDED || result->signal)
    error_set(why, "the compiler: %s", ending);
  else if (!linker_error(result->message, program, why) && !header_error(result->message, program, why) &&
           !list_errors(result->message, why))
    error_set(why, "%.*s", (int)strcspn(result->message, "\n"), result->message);
}

static struct error explained; /* as if the last fault were none */

/* If it returns true, why holds a warning. */
static bool run(const char *const *words, const struct compile_order *order,
                const struct supervisor_limits *limits, struct error *why, bool *fault) {
  const struct program_result result = program_run_within(words, limits);
  const char *verdict = program_verdict(&result), *program = order->lab->rubric.program;
  if (strcmp(verdict, "PASS") == 0) {
    warnings_choose(result.message, order->text, order->size, program, why);
    return true;
  }
  by_words = false;
  *fault = is_fault(&result, program, why);
  explain_errors(&result, program, *fault ? &explained : why);
  return false;
}

static bool write_source(const char *path, const char *text, size_t size, struct error *why, bool *fault) {
  FILE *file = fopen(path, "wb");
  const bool written = file && fchmod(fileno(file), 0644) == 0 && fwrite(text, 1, size, file) == size;
  if (file && fclose(file) == 0 && written)
    return true;
  *fault = true;
  return error_set(why, "%s: cannot write: %s", path, strerror(errno));
}

/* Replaces the folders of headers by copies. */
static bool add_headers(struct compile_folder *folder, const char **words, int count, struct error *why) {
  for (int n = 0; n < count; n++)
    if (strncmp(words[n], "-I", 2) == 0 &&
        !(words[n] = compile_folder_add_headers(folder, words[n] + 2, why)))
      return false;
  return true;
}

/* The commands; their headers and libraries are in the folder. */
struct commands {
  const char *compile[WORDS], *link[WORDS];
  char source[256];
};

/* False: a fault. */
static bool prepare(const struct compile_order *order, struct compile_folder *folder, struct commands *c,
                    struct error *why) {
  int count = 5, link_count = 1;
  *c = (struct commands){.compile = {"/bin/sh", "-c", (const char *)compile_steps, "sh", order->kit->nvcc},
                         .link = {order->kit->cc}};
  snprintf(c->source, sizeof c->source, "%s.cu", order->lab->rubric.program);
  append(c->compile, &count, order->kit->compile);
  if (!add_headers(folder, c->compile, count, why) ||
      !(c->compile[count++] = compile_folder_add_headers(folder, order->lab->contract, why)))
    return false;
  append(c->compile, &count, (const char *const[]){"-c", c->source, "-o", "program.o", NULL});
  append(c->link, &link_count,
         (const char *const[]){order->lab->main_object, "program.o", "-o", "program", NULL});
  append(c->link, &link_count, order->libraries);
  return compile_folder_add_readable(folder, c->link + 1, why);
}

static bool make_object(const struct compile_order *order, const struct commands *c,
                        const struct supervisor_limits *limits, struct error *why, bool *fault) {
  by_words = false;
  return write_source(c->source, order->text, order->size, why, fault) &&
         run(c->compile, order, limits, why, fault);
}

static bool is_linked_statically(const struct compile_order *order) {
  for (const char *const *word = order->libraries; *word; word++)
    if (strcmp(*word, "-static") == 0)
      return true;
  return false;
}

/* If it returns true, why holds the compiler's warning. */
static bool make_program(const struct compile_order *order, const struct commands *c,
                         const struct supervisor_limits *limits, struct error *why, bool *fault) {
  if (!make_object(order, c, limits, why, fault))
    return false;
  const struct error warning = *why;
  if (!run(c->link, order, limits, why, fault))
    return false;
  if (!linked_program_check("program", is_linked_statically(order), why)) {
    *fault = by_words = true; /* a full disk cuts the file, too: our own program shows which it is */
    explained = *why;
    return false;
  }
  *why = warning;
  return true;
}

/* A program of a kernel of our own, without the lab's functions. If compiler and linker make it, the
 * machine is well. */
static bool makes_our_own(const struct compile_order *asked, const struct commands *c,
                          const struct supervisor_limits *limits) {
  struct compile_order order = *asked;
  const char *link[WORDS + 1] = {NULL};
  int count = 0;
  struct error why;
  char text[512];
  bool fault;
  order.size = (size_t)snprintf(text, sizeof text,
                                "#include \"%s.h\"\n__global__ void fill(int *x) { *x = 1; }\n"
                                "void launch(int *x) { fill<<<1, 1>>>(x); }\n",
                                asked->lab->rubric.program);
  order.text = text;
  append(link, &count, c->link);
  link[count] = "-Wl,--unresolved-symbols=ignore-all";
  return make_object(&order, c, limits, &why, &fault) && run(link, asked, limits, &why, &fault);
}

/* When the compiler says that the machine stopped it, it may repeat what the submission says. */
static bool make_program_anyway(const struct compile_order *order, const struct commands *c,
                                const struct supervisor_limits *limits, struct error *why, bool *fault) {
  for (int attempts = 0; attempts < 2; attempts++) {
    if (make_program(order, c, limits, why, fault))
      return true;
    if (!*fault || !by_words)
      return false;
  }
  const struct error said = explained;
  if (makes_our_own(order, c, limits)) {
    *fault = false;
    *why = said;
  }
  return false;
}

bool compile_lab(const struct compile_order *order, struct error *why, bool *fault) {
  static struct compile_folder folder;
  static struct commands commands;
  struct supervisor_limits limits = *order->limits;
  struct error lost;
  *fault = false;
  if (!is_text(order->text, order->size, order->lab->rubric.program, why))
    return false;
  *fault = !compile_folder_enter(&folder, order->kit, order->lab, &order->jail, why);
  if (order->jail.level != ISOLATION_NONE)
    limits.jail = &folder.jail;
  const bool prepared = !*fault && prepare(order, &folder, &commands, why);
  *fault = !prepared;
  const bool made = prepared && make_program_anyway(order, &commands, &limits, why, fault);
  bool left_by_fault = false;
  if (!compile_folder_leave(&folder, made ? "program" : NULL, &lost, &left_by_fault)) {
    *fault |= left_by_fault || (made && !working_folder_has_room(&lost));
    *why = made ? lost : *why;
    return false;
  }
  return made;
}
