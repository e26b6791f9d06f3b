#include "findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/report.h"
#include "device/room.h"

enum { SHOWN = 10, MAX_FINDINGS = 4096 };

struct finding {
  struct finding_key key;
  uint64_t count, launch;
  char *kernel, *text;
  struct finding_place here, there;
};

struct findings {
  FILE *report;
  struct finding *list;
  uint32_t count, reported;
  uint32_t latest;   /* the last counted finding */
  uint64_t launches; /* so far */
  uint64_t omitted;  /* cases of findings beyond MAX_FINDINGS */
};

static const struct {
  const char *name, *one, *more;
} kinds[FINDING_KINDS] = {
    [FINDING_RACE] = {"race", "race", "races"},
    [FINDING_UNFINISHED] = {"unfinished", "access to an unfinished copy", "accesses to unfinished copies"},
    [FINDING_UNINITIALISED] = {"uninitialised", "uninitialised read", "uninitialised reads"},
    [FINDING_FREE] = {"free", "bad free", "bad frees"},
    [FINDING_MASK] = {"mask", "mask without its caller", "masks without their callers"},
    [FINDING_STREAM] = {"stream", "use without a wait", "uses without a wait"},
    [FINDING_SAME_VALUE] = {"same_value", "harmless race (same value)", "harmless races (same value)"},
    [FINDING_LEAK] = {"leak", "leak", "leaks"},
};

static bool is_remark(enum finding_kind kind) { return kind >= FINDING_SAME_VALUE; }

struct findings *findings_new(FILE *report) {
  struct findings *f = room_zeroed(1, sizeof *f);
  f->report = report;
  return f;
}

static bool is_same(const struct finding_key *a, const struct finding_key *b) {
  return a->kind == b->kind && a->module == b->module && a->here == b->here && a->there == b->there;
}

bool findings_count(struct findings *f, struct finding_key key) {
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t i = (f->latest + k) % f->count;
    if (!is_same(&f->list[i].key, &key))
      continue;
    f->list[i].count++;
    f->latest = i;
    return false;
  }
  if (f->count == MAX_FINDINGS) {
    f->omitted++;
    return false;
  }
  f->list = room_grown(f->list, f->count, sizeof *f->list);
  f->list[f->count] = (struct finding){.key = key, .count = 1};
  f->latest = f->count++;
  return true;
}

void findings_describe(struct findings *f, const char *kernel, struct finding_place here,
                       struct finding_place there, const char *text) {
  struct finding *last = &f->list[f->latest];
  last->kernel = room_copied(kernel ? kernel : "");
  last->text = room_copied(text ? text : "");
  last->here = (struct finding_place){here.file ? room_copied(here.file) : NULL, here.line};
  last->there = (struct finding_place){there.file ? room_copied(there.file) : NULL, there.line};
}

void findings_replace(struct findings *f, struct finding_key key, const char *old, const char *new) {
  for (uint32_t i = 0; i < f->count; i++) {
    char *text = f->list[i].text, *found = is_same(&f->list[i].key, &key) && text ? strstr(text, old) : NULL;
    if (!found)
      continue;
    const size_t size = strlen(text) + strlen(new) + 1;
    char *whole = room_zeroed(size, 1);
    snprintf(whole, size, "%.*s%s%s", (int)(found - text), text, new, found + strlen(old));
    free(text);
    f->list[i].text = whole;
  }
}

void findings_forget_modules(struct findings *f) {
  for (uint32_t i = 0; i < f->count; i++)
    f->list[i].key = (struct finding_key){.kind = f->list[i].key.kind, .here = UINT64_MAX};
}

static void report_finding(const struct finding *f) {
  if (f->here.file)
    fprintf(stderr, "%s:%u: ", report_path(f->here.file), f->here.line);
  else
    fputs("simgpu: ", stderr);
  fprintf(stderr, "%s%s", is_remark(f->key.kind) ? "remark: " : "", f->text);
  if (f->count > 1)
    fprintf(stderr, "; %" PRIu64 " cases", f->count);
  fputc('\n', stderr);
  if (f->here.file)
    report_source_line(f->here.file, f->here.line);
  if (f->there.file && (f->there.line != f->here.line || strcmp(f->there.file, f->here.file) != 0))
    report_source_line(f->there.file, f->there.line);
}

void findings_report(struct findings *f, uint64_t launch) {
  f->launches = launch;
  for (; f->reported < f->count; f->reported++) {
    f->list[f->reported].launch = launch;
    if (f->reported < SHOWN)
      report_finding(&f->list[f->reported]);
  }
}

static void report_sum(const struct findings *f) {
  uint64_t sums[FINDING_KINDS] = {0};
  for (uint32_t i = 0; i < f->count; i++)
    sums[f->list[i].key.kind]++;
  fputs("simgpu: checks: ", stderr);
  const char *comma = "";
  for (int k = 0; k < FINDING_KINDS; k++)
    if (sums[k]) {
      fprintf(stderr, "%s%" PRIu64 " %s", comma, sums[k], sums[k] == 1 ? kinds[k].one : kinds[k].more);
      comma = ", ";
    }
  fprintf(stderr, " in %" PRIu64 " launch%s%s\n", f->launches, f->launches == 1 ? "" : "es",
          f->count > SHOWN ? "; the first ten are shown" : "");
  if (f->omitted)
    fprintf(stderr, "simgpu: checks: %" PRIu64 " case%s of further findings\n", f->omitted,
            report_plural(f->omitted));
}

static void write_rows(const struct findings *f) {
  fputs("kind,fails,cases,launch,kernel,file,line,text\n", f->report);
  for (uint32_t i = 0; i < f->count; i++) {
    const struct finding *x = &f->list[i];
    fprintf(f->report, "%s,%d,%" PRIu64 ",%" PRIu64 ",", kinds[x->key.kind].name, !is_remark(x->key.kind),
            x->count, x->launch);
    report_csv_text(f->report, x->kernel);
    fputc(',', f->report);
    report_csv_text(f->report, x->here.file ? report_path(x->here.file) : "");
    fprintf(f->report, ",%u,", x->here.line);
    report_csv_text(f->report, x->text);
    fputc('\n', f->report);
  }
  fflush(f->report);
}

void findings_close(struct findings *f) {
  findings_report(f, f->launches);
  if (f->count)
    report_sum(f);
  if (f->report)
    write_rows(f);
  for (uint32_t i = 0; i < f->count; i++) {
    free(f->list[i].kernel);
    free(f->list[i].text);
    free((char *)(uintptr_t)f->list[i].here.file);
    free((char *)(uintptr_t)f->list[i].there.file);
  }
  free(f->list);
  free(f);
}
