/* Why a copy or a fill was refused, in one line on standard error: the error code alone does not say. */
#include "runtime.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { MOST_TOLD = 10 }; /* a program that goes on regardless may fail a million times */

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...) {
  static int told;
  if (told++ >= MOST_TOLD)
    return;
  va_list arguments;
  va_start(arguments, format);
  fputs("simgpu: refused: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

/* One end of a copy, or a fill. */
struct end {
  const char *verb, *name;
  uintptr_t address;
  size_t width, rows, pitch;
};

static uint64_t span(const struct end *end) { return (uint64_t)(end->rows - 1) * end->pitch + end->width; }

/* False: nothing is wrong with this end. */
static bool tell_range(const struct end *end) {
  struct sim_range request = {.address = end->address}, range;
  uint64_t bytes = span(end);
  if (context_call(SIM_RANGE_FIND, &request, sizeof request, &range, sizeof range)) {
    tell("%s %" PRIu64 " bytes, but at the %s %#" PRIxPTR " there is no allocation: freed, or out of bounds",
         end->verb, bytes, end->name, end->address);
    return true;
  }
  uint64_t left = range.address + range.size - end->address;
  if (bytes <= left)
    return false;
  tell("%s %" PRIu64 " bytes, but the %s has room for %" PRIu64 " (an allocation of %" PRIu64 " bytes)",
       end->verb, bytes, end->name, left, range.size);
  return true;
}

/* `kind` says that the end is device memory, which it is not. */
static void tell_direction(const struct end *end, const char *kind) {
  const char *variable = registry_variable_name((const void *)end->address);
  if (variable)
    tell("%s is a variable of the device, '%s': cudaMemcpyToSymbol and cudaMemcpyFromSymbol copy those",
         end->name, variable);
  else
    tell("%s says that the %s %#" PRIxPTR
         " is device memory, which it is not; the order is cudaMemcpy(target, "
         "source, bytes, kind)",
         kind, end->name, end->address);
}

void explain_copy(const struct copy *copy) {
  static const char *const kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  struct end ends[] = {
      {"a copy of", "target", (uintptr_t)copy->target, copy->width, copy->rows, copy->target_pitch},
      {"a copy of", "source", (uintptr_t)copy->source, copy->width, copy->rows, copy->source_pitch},
  };
  const bool device[] = {
      copy->kind == cudaMemcpyHostToDevice || copy->kind == cudaMemcpyDeviceToDevice,
      copy->kind == cudaMemcpyDeviceToHost || copy->kind == cudaMemcpyDeviceToDevice,
  };
  for (int i = 0; i < 2; i++)
    if (!ends[i].address) {
      tell("a copy whose %s is a null pointer", ends[i].name);
      return;
    }
  for (int i = 0; i < 2; i++)
    if (device[i] && !memory_device_reaches((const void *)ends[i].address)) {
      tell_direction(&ends[i], kinds[copy->kind]);
      return;
    }
  for (int i = 0; i < 2; i++)
    if (memory_on_device((const void *)ends[i].address) && tell_range(&ends[i]))
      return;
}

void explain_fill(const struct fill *fill) {
  struct end end = {"a fill of", "target", (uintptr_t)fill->target, fill->width, fill->rows, fill->pitch};
  if (memory_on_device(fill->target))
    tell_range(&end);
  else
    tell("a fill of %" PRIu64 " bytes at %p, which is not device memory", span(&end), fill->target);
}

void explain_symbol(const char *name, uint64_t bytes, size_t offset, size_t size) {
  tell("a copy of %zu bytes at offset %zu of '%s', which has %" PRIu64 " bytes", size, offset, name, bytes);
}
