#include "source_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/counters.h"
#include "device/report.h"
#include "device/room.h"
#include "waste_limits.h"

enum access_kind { LOADS, STORES, ATOMICS, SHARED, LOCAL, ACCESSES };

struct access_sums { /* of one kind of access; fewest_*: the minimum for the same bytes and lanes */
  uint64_t requests, sectors, fewest_sectors, bytes, wavefronts, fewest_wavefronts;
};

struct line {
  const char *file;
  uint32_t number;
  uint64_t warps, threads, branches, divergent;
  uint64_t work_warps, work_threads; /* of memory and arithmetic */
  struct access_sums tallies[ACCESSES];
};

struct section { /* of one kernel */
  char *kernel;
  uint64_t launches;
  struct line *lines;
  uint32_t count, last; /* last: line of the last addition */
};

struct source_report {
  struct section *sections;
  char **files;
  uint32_t count, file_count;
  struct section *now;
};

static const enum access_kind access_of[CLASSES] = {
    [CLASS_GLOBAL_LOAD] = LOADS,   [CLASS_GLOBAL_STORE] = STORES, [CLASS_GLOBAL_RED] = ATOMICS,
    [CLASS_GLOBAL_ATOM] = ATOMICS, [CLASS_SHARED_LOAD] = SHARED,  [CLASS_SHARED_STORE] = SHARED,
    [CLASS_SHARED_ATOM] = SHARED,  [CLASS_LOCAL_LOAD] = LOCAL,    [CLASS_LOCAL_STORE] = LOCAL,
};

/* Collecting */

struct source_report *source_report_new(void) {
  struct source_report *r = room_zeroed(1, sizeof *r);
  return r;
}

void source_report_launch(struct source_report *r, const char *kernel) {
  uint32_t i = 0;
  while (i < r->count && strcmp(r->sections[i].kernel, kernel) != 0)
    i++;
  if (i == r->count) {
    r->sections = room_grown(r->sections, r->count, sizeof *r->sections);
    r->sections[r->count++] = (struct section){.kernel = room_copied(kernel)};
  }
  r->now = &r->sections[i];
  r->now->launches++;
}

/* Returns one pointer per name; it outlives the module. */
static const char *file_named(struct source_report *r, const char *name) {
  for (uint32_t i = 0; i < r->file_count; i++)
    if (strcmp(r->files[i], name) == 0)
      return r->files[i];
  r->files = room_grown(r->files, r->file_count, sizeof *r->files);
  return r->files[r->file_count++] = room_copied(name);
}

static struct line *line_at(struct section *s, const char *file, uint32_t number) {
  for (uint32_t tried = 0, i = s->last; tried < s->count; tried++, i = (i + 1) % s->count)
    if (s->lines[i].number == number && s->lines[i].file == file)
      return &s->lines[s->last = i];
  s->lines = room_grown(s->lines, s->count, sizeof *s->lines);
  s->lines[s->last = s->count] = (struct line){.file = file, .number = number};
  return &s->lines[s->count++];
}

void source_report_add(struct source_report *r, const char *file, uint32_t number, const struct op *op,
                       const struct instruction_statistics *stats) {
  if (!stats->warps)
    return;
  struct line *line = line_at(r->now, file_named(r, file ? file : ""), number);
  line->warps += stats->warps;
  line->threads += stats->threads;
  line->divergent += stats->divergent;
  if (op->class == CLASS_BRANCH)
    line->branches += stats->warps;
  if (counters_is_work(op)) {
    line->work_warps += stats->warps;
    line->work_threads += stats->threads;
  }
  if (!stats->requests)
    return;
  struct access_sums *t = &line->tallies[access_of[op->class]];
  uint64_t full = (stats->bytes + 31) / 32;
  t->requests += stats->requests;
  t->sectors += stats->sectors;
  t->fewest_sectors += full > stats->requests ? full : stats->requests;
  t->bytes += stats->bytes;
  t->wavefronts += stats->wavefronts;
  t->fewest_wavefronts += stats->wavefronts - stats->conflicts;
}

void source_report_free(struct source_report *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    free(r->sections[i].kernel);
    free(r->sections[i].lines);
  }
  for (uint32_t i = 0; i < r->file_count; i++)
    free(r->files[i]);
  free(r->sections);
  free(r->files);
  free(r);
}

/* Writing */

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static const struct {
  const char *title, *columns;
} headings[ACCESSES] = {
    [LOADS] = {"global loads", "  requests sectors bytes"},
    [STORES] = {"global stores", "  requests sectors bytes"},
    [ATOMICS] = {"global atomics", "  requests sectors"},
    [SHARED] = {"shared memory", "  requests wavefronts conflicts"},
    [LOCAL] = {"local memory", "  requests"},
};

static void write_tally(FILE *to, enum access_kind access, const struct access_sums *t) {
  if (!t->requests) {
    fprintf(to, "%*s", (int)strlen(headings[access].columns), "");
    return;
  }
  fprintf(to, "%10" PRIu64, t->requests);
  if (access == LOADS || access == STORES || access == ATOMICS)
    fprintf(to, "%8.1f", ratio(t->sectors, t->requests));
  if (access == LOADS || access == STORES)
    fprintf(to, "%6.1f", ratio(t->bytes, t->sectors));
  if (access == SHARED)
    fprintf(to, "%11.1f%10" PRIu64, ratio(t->wavefronts, t->requests), t->wavefronts - t->fewest_wavefronts);
}

/* Remarks on wasteful lines */

static void write_sectors(FILE *to, int indent, const char *what, const char *use,
                          const struct access_sums *t) {
  if (t->requests && ratio(t->sectors, t->fewest_sectors) > WASTE_LIMITS_ACCESS)
    fprintf(to,
            "%*s^ %s: %.1f sectors per request, %.1f would be enough: the lanes %s %.1f of every 32 bytes\n",
            indent, "", what, ratio(t->sectors, t->requests), ratio(t->fewest_sectors, t->requests), use,
            ratio(t->bytes, t->sectors));
}

static void write_sentences(FILE *to, int indent, const struct line *l) {
  const struct access_sums *shared = &l->tallies[SHARED];
  double idle_lanes = 1 - ratio(l->threads, LANES * l->warps);
  write_sectors(to, indent, "loads", "use", &l->tallies[LOADS]);
  write_sectors(to, indent, "stores", "write", &l->tallies[STORES]);
  if (shared->requests && ratio(shared->wavefronts, shared->fewest_wavefronts) > WASTE_LIMITS_ACCESS)
    fprintf(to, "%*s^ %.1f-way bank conflict: %.1f wavefronts per request, %.1f would be enough\n", indent,
            "", ratio(shared->wavefronts, shared->fewest_wavefronts),
            ratio(shared->wavefronts, shared->requests), ratio(shared->fewest_wavefronts, shared->requests));
  if (l->tallies[LOCAL].requests)
    fprintf(to, "%*s^ local memory: is an array of the thread indexed by a value known only at run time?\n",
            indent, "");
  if (idle_lanes > WASTE_LIMITS_IDLE)
    fprintf(to, "%*s^ %.0f %% of the lanes are idle\n", indent, "", 100 * idle_lanes);
  if (ratio(l->divergent, l->branches) > WASTE_LIMITS_DIVERGENT)
    fprintf(to, "%*s^ %.0f %% of the branches diverge\n", indent, "", 100 * ratio(l->divergent, l->branches));
}

/* Reads a file's lines in ascending order. */
struct source {
  FILE *file;
  uint32_t at; /* number of the line in `text` */
  char *text;
  size_t size;
};

static const char *source_line(struct source *s, uint32_t number) {
  while (s->file && s->at < number) {
    if (getline(&s->text, &s->size, s->file) < 0)
      return "";
    s->at++;
  }
  if (!s->file || !number)
    return "";
  s->text[strcspn(s->text, "\r\n")] = '\0';
  return s->text;
}

static int write_headings(FILE *to, const struct line *total) {
  int indent = fprintf(to, "   line instructions lanes");
  for (int a = 0; a < ACCESSES; a++)
    if (total->tallies[a].requests)
      indent += fprintf(to, "%*s", (int)strlen(headings[a].columns), headings[a].title);
  fprintf(to, " diverged\n%26s", "");
  for (int a = 0; a < ACCESSES; a++)
    if (total->tallies[a].requests)
      fputs(headings[a].columns, to);
  fputc('\n', to);
  return indent + 9 + 3; /* where the text starts */
}

static void write_line(FILE *to, const struct line *l, const struct line *total, const char *text) {
  if (l->number)
    fprintf(to, "%7" PRIu32, l->number);
  else
    fprintf(to, "%7s", "?");
  fprintf(to, "%13" PRIu64 "%6.2f", l->warps, ratio(l->threads, LANES * l->warps));
  for (int a = 0; a < ACCESSES; a++)
    if (total->tallies[a].requests)
      write_tally(to, (enum access_kind)a, &l->tallies[a]);
  if (l->branches)
    fprintf(to, "%9" PRIu64, l->divergent);
  else
    fprintf(to, "%9s", "");
  fprintf(to, " | %s\n", text);
}

static int by_place(const void *a, const void *b) {
  const struct line *x = a, *y = b;
  int files = strcmp(x->file, y->file);
  return files ? files : (x->number > y->number) - (x->number < y->number);
}

static struct line total_of(const struct section *s) {
  struct line total = {0};
  for (uint32_t i = 0; i < s->count; i++) {
    total.warps += s->lines[i].warps;
    for (int a = 0; a < ACCESSES; a++)
      total.tallies[a].requests += s->lines[i].tallies[a].requests;
  }
  return total;
}

static void write_section(FILE *to, const struct section *s) {
  char name[256];
  struct line total = total_of(s);
  fprintf(to, "%s: %" PRIu64 " launch%s, %" PRIu64 " warp instructions\n",
          report_name(s->kernel, name, sizeof name), s->launches, s->launches == 1 ? "" : "es", total.warps);
  struct source source = {0};
  int indent = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const struct line *l = &s->lines[i];
    if (i == 0 || l->file != l[-1].file) {
      if (source.file)
        fclose(source.file);
      source.file = report_open(l->file);
      source.at = 0;
      fprintf(to, "%s\n", l->file[0] ? report_path(l->file) : "no source lines: compile with -lineinfo");
      indent = write_headings(to, &total);
    } else if (l->number > l[-1].number + 1 && l[-1].number) {
      fprintf(to, "%7s\n", "...");
    }
    write_line(to, l, &total, source_line(&source, l->number));
    write_sentences(to, indent, l);
  }
  if (source.file)
    fclose(source.file);
  free(source.text);
}

static void sort_lines(const struct source_report *r) {
  for (uint32_t i = 0; i < r->count; i++)
    qsort(r->sections[i].lines, r->sections[i].count, sizeof *r->sections[i].lines, by_place);
}

void source_report_write(const struct source_report *r, FILE *to) {
  sort_lines(r);
  fputs("Instruction statistics of each source line. instructions: warp instructions, as in the PTX; lanes:\n"
        "active fraction; sectors, wavefronts: per request; bytes: used, per sector of 32 bytes; diverged:\n"
        "branches at which the lanes of a warp diverged.\n",
        to);
  for (uint32_t i = 0; i < r->count; i++) {
    fputc('\n', to);
    write_section(to, &r->sections[i]);
  }
}

static void write_row(FILE *to, const struct line *l) {
  const struct access_sums *t = l->tallies;
  fprintf(to, ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, l->number, l->warps, l->threads,
          l->branches, l->divergent);
  for (int a = LOADS; a <= ATOMICS; a++)
    fprintf(to, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, t[a].requests, t[a].sectors,
            t[a].fewest_sectors, t[a].bytes);
  fprintf(to, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
          t[SHARED].requests, t[SHARED].wavefronts, t[SHARED].fewest_wavefronts, t[LOCAL].requests,
          l->work_warps, l->work_threads);
}

void source_report_write_csv(const struct source_report *r, FILE *to) {
  char name[256];
  sort_lines(r);
  fputs("kernel,launches,file,line,instructions,thread_instructions,branches,divergent_branches,"
        "load_requests,load_sectors,load_fewest_sectors,load_bytes,"
        "store_requests,store_sectors,store_fewest_sectors,store_bytes,"
        "atomic_requests,atomic_sectors,atomic_fewest_sectors,atomic_bytes,"
        "shared_requests,shared_wavefronts,shared_fewest_wavefronts,local_requests,work_instructions,work_"
        "thread_instructions\n",
        to);
  for (uint32_t i = 0; i < r->count; i++)
    for (uint32_t k = 0; k < r->sections[i].count; k++) {
      const struct section *s = &r->sections[i];
      report_csv_text(to, report_name(s->kernel, name, sizeof name));
      fprintf(to, ",%" PRIu64 ",", s->launches);
      report_csv_text(to, s->lines[k].file[0] ? report_path(s->lines[k].file) : "");
      write_row(to, &s->lines[k]);
    }
}
