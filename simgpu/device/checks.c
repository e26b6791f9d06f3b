#include "checks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "room.h"

/* Choosing */

static bool add_check(const char *name, size_t length, unsigned *on) {
  static const struct {
    const char *name;
    unsigned check;
  } names[] = {{"races", CHECK_RACES},
               {"uninitialised", CHECK_UNINITIALISED},
               {"frees", CHECK_FREES},
               {"leaks", CHECK_LEAKS},
               {"all", CHECK_ALL},
               {"1", CHECK_ALL},
               {"0", 0}};
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

void checks_written(struct checks *c, const struct memory *memory, uint64_t address, uint64_t width,
                    uint64_t rows, uint64_t pitch) {
  const struct allocation *a = c ? memory_find(memory, address) : NULL;
  if (!a || !a->shadow)
    return;
  for (uint64_t i = 0; i < rows; i++)
    shadow_initialise(a->shadow, address - a->base + i * pitch, width);
}

void checks_copied(struct checks *c, const struct memory *memory, uint64_t address, uint64_t source,
                   uint64_t bytes) {
  const struct allocation *to = c ? memory_find(memory, address) : NULL, *from = memory_find(memory, source);
  if (!to || !to->shadow)
    return;
  uint64_t target = address - to->base, offset = source - from->base;
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

static const struct finding_place nowhere;

void checks_bad_free(struct checks *c, const struct memory *memory, uint64_t address) {
  if (!c || !(c->on & CHECK_FREES))
    return;
  char text[160];
  const struct allocation *a = memory_find(memory, address);
  const struct freed *f = memory_freed(memory, address);
  if (a)
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

static void note_leaks(struct checks *c, const struct memory *memory) {
  for (uint32_t i = 0; i < memory->count; i++) {
    const struct allocation *a = memory->list[i];
    char text[128];
    if (a->is_symbol || !a->number)
      continue;
    snprintf(text, sizeof text, "allocation %" PRIu64 " (%" PRIu64 " byte%s) is never freed", a->number,
             a->size, report_plural(a->size));
    if (findings_count(c->findings, (struct finding_key){.kind = FINDING_LEAK, .here = a->base}))
      findings_describe(c->findings, "", nowhere, nowhere, text);
  }
}

void checks_close(struct checks *c, const struct memory *memory) {
  if (c->on & CHECK_LEAKS)
    note_leaks(c, memory);
  findings_close(c->findings);
  free(c->slices);
  free(c);
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
