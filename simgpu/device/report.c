#define _GNU_SOURCE /* O_PATH */
#include "device/report.h"

#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Names */

/* `_Z11apply_naiveiiPf` or `_ZN5space5innerIiEEvv`: the last identifier before the template arguments. */
static void innermost_identifier(const char *mangled, char *name, size_t size) {
  snprintf(name, size, "%s", mangled);
  if (strncmp(mangled, "_Z", 2) != 0)
    return;
  const char *at = mangled + 2 + (mangled[2] == 'N');
  while (isdigit((unsigned char)*at)) {
    char *start;
    unsigned long length = strtoul(at, &start, 10);
    if (length > strlen(start))
      return;
    snprintf(name, size, "%.*s", (int)length, start);
    at = start + length;
  }
}

/* Cuts "void scan<float>(int, float*)" down to "scan<float>". */
static void cut_to_name(const char *full, char *name, size_t size) {
  size_t depth = 0, end = strlen(full), start = 0;
  for (size_t i = 0; full[i]; i++) { /* the parameter list starts outside the template arguments */
    if (full[i] == '<')
      depth++;
    else if (full[i] == '>' && depth > 0)
      depth--;
    else if (depth == 0 && full[i] == '(' && strncmp(full + i, "(anonymous", 10) != 0) {
      end = i;
      break;
    }
  }
  depth = 0;
  for (size_t i = 0; i < end; i++) {
    if (full[i] == '<')
      depth++;
    else if (full[i] == '>')
      depth--;
    else if (depth == 0 && full[i] == ' ')
      start = i + 1; /* after the result type */
  }
  snprintf(name, size, "%.*s", (int)(end - start), full + start);
}

const char *report_name(const char *mangled, char *name, size_t size) {
  /* The C++ runtime knows the whole grammar; without it the identifier alone is the name. */
  static char *(*demangle)(const char *, char *, size_t *, int *);
  static bool tried;
  if (!tried) {
    tried = true;
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library)
      *(void **)&demangle = dlsym(library, "__cxa_demangle");
  }
  int status = -1;
  char *full = demangle ? demangle(mangled, NULL, NULL, &status) : NULL;
  if (full && status == 0)
    cut_to_name(full, name, size);
  else
    innermost_identifier(mangled, name, size);
  free(full);
  return name;
}

/* Places */

const char *report_file(const struct ptx_module *module, struct ptx_location at) {
  return at.file < module->file_count ? module->files[at.file] : NULL;
}

/* Adds ", WORD FILE:LINE". */
static size_t add_place(const struct ptx_module *module, const struct ptx_location *at, const char *words,
                        char *text, size_t size, size_t length) {
  const char *file = report_file(module, *at);
  if (!file || length >= size)
    return length;
  return length +
         (size_t)snprintf(text + length, size - length, ", %s %s:%u", words, report_path(file), at->line);
}

void report_calls(const struct ptx_module *module, struct ptx_location at, char *text, size_t size) {
  enum { MOST_CALLS = 4 };
  const char *words = "called from";
  size_t length = 0;
  text[0] = '\0';
  if (at.inner)
    length = add_place(module, at.inner, "at", text, size, length);
  const struct ptx_location *caller = at.caller;
  for (int i = 0; caller && i < MOST_CALLS; i++, caller = caller->caller) {
    length = add_place(module, caller, words, text, size, length);
    words = "from";
  }
}

void report_csv_text(FILE *to, const char *text) {
  fputc('"', to);
  for (;;) {
    const size_t length = strcspn(text, "\"");
    fwrite(text, 1, length, to);
    text += length;
    if (!*text)
      break;
    fputs("\"\"", to);
    text++;
  }
  fputc('"', to);
}

const char *report_path(const char *path) {
  static char here[4096];
  if (!here[0] && !getcwd(here, sizeof here))
    return path;
  size_t length = strlen(here);
  return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

/* The path relative to the folder, or NULL if it lies elsewhere; relative paths stay as they are. */
static const char *below(const char *folder, const char *path) {
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  if (path[0] != '/')
    return path;
  return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* Opens no file outside the folder, whatever links the folder holds. */
static int open_below(const char *folder, const char *path) {
  struct open_how how = {.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC,
                         .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  const char *rest = below(folder, path);
  int root = rest ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
  if (root < 0)
    return -1;
  int file = (int)syscall(SYS_openat2, root, rest, &how, sizeof how);
  close(root);
  return file;
}

FILE *report_open(const char *path) {
  const char *folder = getenv("SIMGPU_SOURCE_ROOT");
  struct stat status;
  int file = folder && folder[0] ? open_below(folder, path) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return NULL;
  FILE *stream = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(file, "r") : NULL;
  if (!stream)
    close(file);
  return stream;
}

void report_source_lines(const struct ptx_module *module, struct ptx_location at) {
  enum { MOST_LINES = 4 };
  const struct ptx_location *next = at.caller;
  if (report_file(module, at))
    report_source_line(report_file(module, at), at.line);
  if (at.inner && report_file(module, *at.inner))
    report_source_line(report_file(module, *at.inner), at.inner->line);
  for (int i = 0; next && i < MOST_LINES; i++, next = next->caller)
    if (report_file(module, *next))
      report_source_line(report_file(module, *next), next->line);
}

void report_line(FILE *to, const char *path, uint32_t wanted) {
  FILE *file = report_open(path);
  char *line = NULL;
  size_t size = 0;
  for (uint32_t number = 1; file && getline(&line, &size, file) > 0; number++) {
    if (number != wanted)
      continue;
    line[strcspn(line, "\r\n")] = '\0';
    fprintf(to, "%6u | %s\n", wanted, line);
    break;
  }
  free(line);
  if (file)
    fclose(file);
}

void report_source_line(const char *path, uint32_t line) { report_line(stderr, path, line); }

int report_parameter(const struct launch *launch, const struct allocation *a, uint64_t address,
                     uint64_t *value) {
  const struct ptx_function *f = launch->kernel->ptx;
  uint64_t nearest = 0;
  int number = 0;
  for (uint32_t i = 0; i < f->param_count; i++) {
    uint64_t pointer;
    if (f->params[i]->size != sizeof pointer)
      continue;
    memcpy(&pointer, launch->params + f->params[i]->offset, sizeof pointer);
    if (pointer >= a->base && pointer <= a->base + a->size &&
        (!number || (pointer <= address && pointer > nearest))) {
      number = (int)i + 1;
      nearest = pointer;
    }
  }
  if (value)
    *value = nearest;
  return number;
}

static const char *report_symbol(const struct launch *launch, const struct allocation *a) {
  const struct module *m = launch->module;
  for (uint32_t i = 0; i < m->ptx->variable_count; i++)
    if (m->addresses[i] == a->base)
      return m->ptx->variables[i]->name;
  return NULL;
}

/* The parameter that is a structure with a pointer to this allocation, and the pointer's first byte there; 0: none. */
static int parameter_with_pointer(const struct launch *launch, const struct allocation *a, uint64_t *byte) {
  const struct ptx_function *f = launch->kernel->ptx;
  uint64_t pointer;
  for (uint32_t i = 0; i < f->param_count; i++)
    for (*byte = 0; f->params[i]->size > sizeof pointer && *byte + sizeof pointer <= f->params[i]->size;
         *byte += sizeof pointer) {
      memcpy(&pointer, launch->params + f->params[i]->offset + *byte, sizeof pointer);
      if (pointer >= a->base && pointer < a->base + a->size)
        return (int)i + 1;
    }
  return 0;
}

void report_array(const struct launch *launch, const struct allocation *a, uint64_t address, char *text,
                  size_t size) {
  uint64_t byte = 0;
  const int parameter = report_parameter(launch, a, address, NULL),
            structure = parameter ? 0 : parameter_with_pointer(launch, a, &byte);
  const char *symbol = report_symbol(launch, a);
  char name[128];
  if (parameter)
    snprintf(text, size, "the array that parameter %d points to (%" PRIu64 " byte%s)", parameter, a->size,
             report_plural(a->size));
  else if (structure)
    snprintf(text, size,
             "the array that the pointer at byte %" PRIu64 " of parameter %d points to (%" PRIu64 " byte%s)",
             byte, structure, a->size, report_plural(a->size));
  else if (symbol)
    snprintf(text, size, "'%s' (%" PRIu64 " byte%s)", report_name(symbol, name, sizeof name), a->size,
             report_plural(a->size));
  else
    snprintf(text, size, "an allocation of %" PRIu64 " byte%s", a->size, report_plural(a->size));
}

int report_block(const struct launch *l, uint64_t block, char *text, size_t size) {
  return snprintf(text, size, "block (%u,%u,%u)", (uint32_t)(block % l->grid[0]),
                  (uint32_t)(block / l->grid[0] % l->grid[1]), (uint32_t)(block / l->grid[0] / l->grid[1]));
}

void report_thread(const struct launch *l, uint64_t block, uint32_t thread, char *text, size_t size) {
  const int at = report_block(l, block, text, size);
  if ((size_t)at < size)
    snprintf(text + at, size - (size_t)at, " thread (%u,%u,%u)", thread % l->block[0],
             thread / l->block[0] % l->block[1], thread / l->block[0] / l->block[1]);
}

void report_refusal(struct kernel *k) {
  if (!k->refusal_reported && !k->refused_for_callee)
    fprintf(stderr, "simgpu: %s\n", k->refusal);
  k->refusal_reported = true;
}
