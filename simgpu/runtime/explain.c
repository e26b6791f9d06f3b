#include "explain.h"

#include "address.h"
#include "context.h"
#include "registry.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPORTED = 10 }; /* a program that ignores errors may fail a million times */

__attribute__((format(printf, 1, 2))) static void report(const char *format, ...) {
  static int reported;
  if (reported++ >= MOST_REPORTED)
    return;
  va_list arguments;
  va_start(arguments, format);
  fputs("simgpu: refused: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

static uint64_t span(const struct explain_rows *rows) {
  return (uint64_t)(rows->rows - 1) * rows->pitch + rows->width;
}

/* What is wrong with a range that begins in mapped memory (cuMemMap): a part of it is not mapped, or has no access. */
static void report_mapped(const char *verb, const char *end, const struct explain_rows *rows) {
  const uint64_t first = (uintptr_t)rows->address, bytes = span(rows);
  struct sim_mapping mapping;
  for (uint64_t done = 0; done < bytes; done = mapping.address + mapping.size - first) {
    const struct sim_range request = {.address = first + done};
    unsigned access = SIM_ACCESS_NONE;
    if (context_call(SIM_MAPPING_FIND, &request, sizeof request, &mapping, sizeof mapping)) {
      report("%s %" PRIu64 " bytes, but only the first %" PRIu64 " of the %s are mapped (cuMemMap)", verb,
             bytes, done, end);
      return;
    }
    for (int d = 0; d < SIM_DEVICES; d++)
      access |= mapping.access[d];
    if (access != SIM_ACCESS_READ_WRITE) {
      report("%s %" PRIu64 " bytes, but cuMemSetAccess has given %s to the %s at 0x%" PRIx64, verb, bytes,
             access ? "read access only" : "no access", end, request.address);
      return;
    }
  }
}

static bool is_mapped(const struct sim_range *request) {
  struct sim_mapping mapping;
  return !context_call(SIM_MAPPING_FIND, request, sizeof *request, &mapping, sizeof mapping);
}

/* Returns false if the rows lie in one allocation. `verb` is "a copy of" or "a fill of"; `end` is
 * "destination" or "source". */
static bool report_range(const char *verb, const char *end, const struct explain_rows *rows) {
  struct sim_range request = {.address = (uintptr_t)rows->address}, range;
  uint64_t bytes = span(rows);
  if (context_call(SIM_RANGE_FIND, &request, sizeof request, &range, sizeof range)) {
    report("%s %" PRIu64 " bytes, but the %s %p is not in an allocation: it was freed, or is out of bounds",
           verb, bytes, end, rows->address);
    return true;
  }
  if (is_mapped(&request)) {
    report_mapped(verb, end, rows);
    return true;
  }
  uint64_t left = range.address + range.size - request.address;
  if (bytes <= left)
    return false;
  report("%s %" PRIu64 " bytes, but the %s has only %" PRIu64 " (an allocation of %" PRIu64 " bytes)", verb,
         bytes, end, left, range.size);
  return true;
}

/* Of the C++ library, which programs in CUDA C++ have. */
extern char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));

/* The name as in the source, to be freed; NULL if the name is that. */
static char *readable(const char *name) {
  int status;
  return __cxa_demangle ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
}

/* `kind` says that this end is device memory, but it is not. */
static void report_direction(enum cudaMemcpyKind kind, const char *end, const void *address) {
  static const char *const kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  const char *variable = registry_variable_name(address);
  char *full = variable ? readable(variable) : NULL;
  if (variable)
    report("the %s is a device variable, '%s': use cudaMemcpyToSymbol or cudaMemcpyFromSymbol", end,
           full ? full : variable);
  else
    report("%s expects device memory as %s, but %p is not device memory; the order of arguments is "
           "cudaMemcpy(destination, source, bytes, kind)",
           kinds[kind], end, address);
  free(full);
}

void explain_copy(enum cudaMemcpyKind kind, struct explain_rows target, struct explain_rows source) {
  static const char *const names[] = {"destination", "source"};
  const struct explain_rows ends[] = {target, source};
  const bool device[] = {
      kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
      kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
  };
  for (int i = 0; i < 2; i++)
    if (!ends[i].address) {
      report("a copy whose %s is a null pointer", names[i]);
      return;
    }
  for (int i = 0; i < 2; i++)
    if (device[i] && !address_reachable(ends[i].address)) {
      report_direction(kind, names[i], ends[i].address);
      return;
    }
  for (int i = 0; i < 2; i++)
    if (address_on_device(ends[i].address) && report_range("a copy of", names[i], &ends[i]))
      return;
}

void explain_fill(struct explain_rows target) {
  if (address_on_device(target.address))
    report_range("a fill of", "destination", &target);
  else
    report("a fill of %" PRIu64 " bytes at %p, which is not device memory", span(&target), target.address);
}

void explain_symbol(const char *name, uint64_t bytes, size_t offset, size_t size) {
  char *full = readable(name);
  report("a copy of %zu bytes at offset %zu of '%s', which has only %" PRIu64 " bytes", size, offset,
         full ? full : name, bytes);
  free(full);
}

void explain_device(const char *what, int given, const char *whose, int expected) {
  report("%s on a stream of device %d, but %s is device %d", what, given, whose, expected);
}

/* "scale" of "void scale<float>(int, float *)": *name is its start, and the length is returned. */
static int name_length(const char **name) {
  const char *end = *name + strcspn(*name, "(<"), *start = end;
  while (start > *name && start[-1] != ' ')
    start--;
  *name = start;
  return (int)(end - start);
}

void explain_capture(const char *kernel) {
  char *full = kernel ? readable(kernel) : NULL;
  const char *name = full ? full : kernel ? kernel : "";
  const int length = name_length(&name);
  if (kernel)
    report(
        "launch of %.*s in the default stream, during the capture of another stream: expected <<<blocks, threads, "
        "shared bytes, stream>>> with that stream",
        length, name);
  else
    report(
        "a copy or fill in the default stream, during the capture of another stream: expected cudaMemcpyAsync or "
        "cudaMemsetAsync with that stream");
  free(full);
}
