#include "checks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/report.h"
#include "device/room.h"

/* Choosing */

static bool add_check(const char *name, size_t length, unsigned *on) {
  static const struct {
    const char *name;
    unsigned check;
  } names[] = {{"races", CHECK_RACES},     {"uninitialised", CHECK_UNINITIALISED},
               {"frees", CHECK_FREES},     {"leaks", CHECK_LEAKS},
               {"streams", CHECK_STREAMS}, {"all", CHECK_ALL},
               {"1", CHECK_ALL},           {"0", 0}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0) {
      *on |= names[i].check;
      return true;
    }
  return false;
}

bool checks_parse(const char *text, unsigned *on) {
  *on = 0;
  while (text && *text) {
    size_t length = strcspn(text, ",");
    if (!add_check(text, length, on) || strcmp(text + length, ",") == 0)
      return false;
    text += length + (text[length] == ',');
  }
  return true;
}

struct checks *checks_new(unsigned on, FILE *report) {
  struct checks *c = room_zeroed(1, sizeof *c);
  c->on = on;
  c->now = 2;
  c->findings = findings_new(report);
  return c;
}

/* The host's accesses to memory */

void checks_allocated(struct checks *c, struct allocation *a) {
  if (!c || !a)
    return;
  a->number = ++c->allocations;
  if (!(c->on & CHECK_UNINITIALISED))
    return;
  a->shadow = shadow_new(a->size);
  shadow_poison(a->shadow);
}

void checks_created(struct checks *c, struct physical *p) {
  if (!c || !p)
    return;
  p->number = ++c->allocations;
  p->shadow = shadow_new(p->is.size); /* all of its mappings use this one */
  if (c->on & CHECK_UNINITIALISED)
    shadow_poison(p->shadow);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The bytes of the allocation from the address on, at most `bytes`. */
static uint64_t part_in(const struct allocation *a, uint64_t address, uint64_t bytes) {
  return least(bytes, a->size - (address - a->base));
}

/* The bytes may lie in several mappings side by side. */
static void note_written(const struct memory *memory, uint64_t address, uint64_t bytes) {
  for (uint64_t part; bytes; address += part, bytes -= part) {
    const struct allocation *a = memory_find(memory, address);
    if (!a)
      return;
    part = part_in(a, address, bytes);
    if (a->shadow)
      shadow_initialise(a->shadow, address - a->base, part);
  }
}

void checks_written(struct checks *c, const struct memory *memory, uint64_t address, uint64_t width,
                    uint64_t rows, uint64_t pitch) {
  for (uint64_t i = 0; c && i < rows; i++)
    note_written(memory, address + i * pitch, width);
}

/* A copy within an allocation, or from one to another. */
static void note_copied(const struct allocation *to, uint64_t target, const struct allocation *from,
                        uint64_t offset, uint64_t bytes) {
  if (!to->shadow)
    return;
  if (!from->shadow || !from->shadow->fresh_left) {
    shadow_initialise(to->shadow, target, bytes);
    return;
  }
  for (uint64_t k = 0; k < bytes; k++) /* copies of uninitialised bytes are rare */
    if (shadow_any_fresh(from->shadow, offset + k, 1))
      shadow_uninitialise(to->shadow, target + k, 1);
    else
      shadow_initialise(to->shadow, target + k, 1);
}

void checks_copied(struct checks *c, const struct memory *memory, uint64_t address, uint64_t source,
                   uint64_t bytes) {
  for (uint64_t part; c && bytes; address += part, source += part, bytes -= part) {
    const struct allocation *to = memory_find(memory, address), *from = memory_find(memory, source);
    if (!to || !from)
      return;
    part = part_in(to, address, part_in(from, source, bytes));
    note_copied(to, address - to->base, from, source - from->base, part);
  }
}

static const struct finding_place nowhere;

void checks_bad_free(struct checks *c, const struct memory *memory, uint64_t address) {
  if (!c || !(c->on & CHECK_FREES))
    return;
  char text[160];
  const struct allocation *a = memory_find(memory, address);
  const struct freed *f = memory_freed(memory, address);
  if (a && a->physical)
    snprintf(text, sizeof text,
             "free of 0x%" PRIx64 ", where cuMemMap has mapped memory: expected cuMemUnmap and cuMemRelease",
             address);
  else if (a)
    snprintf(text, sizeof text,
             "free of an address %" PRIu64 " byte%s into allocation %" PRIu64 " (%" PRIu64 " byte%s)",
             address - a->base, report_plural(address - a->base), a->number, a->size, report_plural(a->size));
  else if (f && f->base == address)
    snprintf(text, sizeof text, "double free of allocation %" PRIu64 " (%" PRIu64 " byte%s)", f->number,
             f->size, report_plural(f->size));
  else
    snprintf(text, sizeof text, "free of 0x%" PRIx64 ", which is not an allocation", address);
  if (findings_count(c->findings, (struct finding_key){.kind = FINDING_FREE, .here = address}))
    findings_describe(c->findings, "", nowhere, nowhere, text);
}

static void note_leak(struct checks *c, uint64_t key, uint64_t number, uint64_t bytes, const char *end) {
  char text[128];
  snprintf(text, sizeof text, "allocation %" PRIu64 " (%" PRIu64 " byte%s) is never %s", number, bytes,
           report_plural(bytes), end);
  if (findings_count(c->findings, (struct finding_key){.kind = FINDING_LEAK, .here = key}))
    findings_describe(c->findings, "", nowhere, nowhere, text);
}

static void note_leaks(struct checks *c, const struct memory *memory) {
  for (uint32_t i = 0; i < memory->count; i++) {
    const struct allocation *a = memory->list[i];
    if (!a->is_symbol && a->number && !a->physical)
      note_leak(c, a->base, a->number, a->size, "freed");
  }
}

void checks_ends(struct checks *c, const struct virtual_memory *v) {
  for (uint32_t i = 0; c && c->on & CHECK_LEAKS && i < v->physical_count; i++) {
    const struct physical *p = v->physicals[i];
    note_leak(c, p->number, p->number, p->is.size,
              p->references ? "released (cuMemRelease)" : "unmapped (cuMemUnmap)");
  }
}

void checks_close(struct checks *c, const struct memory *memory) {
  if (c->on & CHECK_LEAKS)
    note_leaks(c, memory);
  findings_close(c->findings);
  free(c->slices);
  free(c);
}

/* Streams */

struct checks *checks_of_streams(struct checks *c) {
  return c && c->on & CHECK_STREAMS ? c : NULL;
}

static void note_stream(struct checks *c, struct finding_key key, const char *text) {
  key.kind = FINDING_STREAM;
  if (findings_count(c->findings, key))
    findings_describe(c->findings, "", nowhere, nowhere, text);
}

void checks_disordered(struct checks *c, const char *kernel, const struct allocation *a) {
  char text[512], name[256], array[32] = "a variable";
  if (!c || !a)
    return;
  if (!a->is_symbol)
    snprintf(array, sizeof array, "allocation %" PRIu64, a->number);
  snprintf(text, sizeof text,
           "a %s%s may run at the same time as earlier work of another stream, or another branch of a "
           "graph, that uses %s (%" PRIu64
           " byte%s): order the two by an event, or nodes of a graph by a dependency",
           kernel ? "launch of " : "copy or fill", kernel ? report_name(kernel, name, sizeof name) : "",
           array, a->size, report_plural(a->size));
  note_stream(c, (struct finding_key){.module = kernel, .here = a->base}, text);
}

void checks_unawaited(struct checks *c, uint64_t times) {
  for (; c && times > 0; times--)
    note_stream(c, (struct finding_key){.module = NULL},
                "the host uses pinned or managed memory before it has waited for the copy or the kernel that "
                "writes there, or changes pinned memory that an asynchronous copy may still read");
}

/* Launches */

void checks_begin(struct checks *c, const struct launch *launch) {
  c->launch = checks_after(checks_moment(c));
  c->slice_count = 0;
  c->published_count = launch->blocks;
}

void checks_end(struct checks *c, const struct launch *launch) {
  for (uint64_t i = 0; c->published && i < c->published_count; i++)
    free(c->published[i]);
  free(c->published);
  c->published = NULL;
  findings_report(c->findings, launch->number);
}
