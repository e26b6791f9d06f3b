#define _GNU_SOURCE /* strchrnul */
#include "breaks.h"

#include <ctype.h>
#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "break_write.h"
#include "device/report.h"
#include "device/room.h"

enum { MOST_INSTRUCTIONS = 32, MOST_FILES = 12 };
#define NOWHERE UINT64_MAX
#define NOTHING UINT32_MAX

struct point { /* of a grid or a block: a number, or x.y.z */
  uint32_t at[3];
  bool is_number;
};

struct tally {
  char *kernel;
  uint64_t hits;
};

struct breakpoint {
  const char *file;
  uint32_t line;
  struct point block, thread;
  bool of_warp; /* whose number is thread.at[0] */
  /* In the program so far: the nearest lines with code, 0 for none; launches with this line's code, and their sizes. */
  uint32_t next, before;
  bool has_file, is_launched, is_in_grid, is_in_block;
  char kernel[128];
  uint32_t grid[3], threads[3];
  struct tally *tallies;
  uint32_t tally_count;
  /* In this launch. */
  bool is_on;
  uint64_t index;
  uint32_t warp, lanes;
  uint32_t again; /* lanes that return to an instruction that they have already reached */
  /* A line without names of variables, while it is followed. */
  struct break_view view; /* to: NULL, no line */
  char *text;
  size_t size;
  uint32_t count, pending; /* instructions so far; the one that is executed, or NOTHING */
};

struct place { /* first instruction of a line in one function, or in one copy of an inlined function */
  uint32_t pc, breakpoint;
  const void *function, *copy;
};

struct debug { /* of a translation unit */
  const struct ptx_module *module;
  uint32_t unit;
  struct dwarf *dwarf;
};

struct breaks {
  char *text;
  uint64_t most;
  struct breakpoint *list;
  struct place *places; /* in `module`, when it had so many instructions */
  struct debug *debug;
  char *files[MOST_FILES];
  const struct module *module;
  uint32_t code_count, count, place_count, debug_count, file_count;
  bool has_code;
};

/* The variable */

static bool parse_point(const char *text, const char *end, struct point *p) {
  char *after;
  int d = 0;
  for (;; text = after + 1, d++) {
    if (d == 3 || !isdigit((unsigned char)*text))
      return false;
    const unsigned long long number = strtoull(text, &after, 10);
    if (number >= UINT32_MAX || after > end)
      return false;
    p->at[d] = (uint32_t)number;
    if (*after != '.')
      break;
  }
  p->is_number = d == 0;
  return after == end;
}

/* place = [block ","] (thread | "warp" [number]) */
static bool parse_place(const char *text, const char *end, struct breakpoint *b) {
  const char *comma = memchr(text, ',', (size_t)(end - text));
  if (comma && !parse_point(text, comma, &b->block))
    return false;
  text = comma ? comma + 1 : text;
  b->of_warp = strncmp(text, "warp", 4) == 0;
  if (!b->of_warp)
    return parse_point(text, end, &b->thread);
  return text + 4 == end || (parse_point(text + 4, end, &b->thread) && b->thread.is_number);
}

/* breakpoint = file ":" line [":" place]; a file's name may have colons. */
static bool parse_breakpoint(char *text, char *end, struct breakpoint *b) {
  char *colon = memchr(text, ':', (size_t)(end - text)), *after;
  while (colon && !isdigit((unsigned char)colon[1]))
    colon = memchr(colon + 1, ':', (size_t)(end - colon - 1));
  if (!colon || colon == text)
    return false;
  const unsigned long long line = strtoull(colon + 1, &after, 10);
  *b = (struct breakpoint){
      .file = text, .line = (uint32_t)line, .block.is_number = true, .thread.is_number = true};
  const bool is_valid =
      line > 0 && line < UINT32_MAX && (after == end || (*after == ':' && parse_place(after + 1, end, b)));
  *colon = '\0';
  return is_valid;
}

static void breaks_free(struct breaks *b);

struct breaks *breaks_new(const char *text, uint64_t most) {
  struct breaks *b = room_zeroed(1, sizeof *b);
  b->text = room_copied(text);
  b->most = most;
  for (char *at = b->text, *end; at; at = *end ? end + 1 : NULL) {
    end = strchrnul(at, ';');
    if (end == at)
      continue;
    struct breakpoint one;
    if (!parse_breakpoint(at, end, &one)) {
      breaks_free(b);
      return NULL;
    }
    b->list = room_grown(b->list, b->count, sizeof *b->list);
    b->list[b->count++] = one;
  }
  return b;
}

/* The program */

/* Whether the path is the breakpoint's file, which may have only the last parts of it. */
static bool is_file(const char *path, const char *file) {
  if (!path)
    return false;
  const size_t length = strlen(path), wanted = strlen(file);
  return length >= wanted && strcmp(path + length - wanted, file) == 0 &&
         (length == wanted || path[length - wanted - 1] == '/');
}

static void forget_debug(struct breaks *b) {
  for (uint32_t i = 0; i < b->debug_count; i++)
    dwarf_free(b->debug[i].dwarf);
  b->debug_count = 0;
  b->module = NULL;
}

static void keep_file(struct breaks *b, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (uint32_t i = 0; i < b->file_count; i++)
    if (strcmp(b->files[i], name) == 0)
      return;
  if (b->file_count < MOST_FILES && !strstr(path, "/include/"))
    b->files[b->file_count++] = room_copied(name);
}

static void keep_line(struct breaks *b, const struct ptx_module *m, uint32_t file, uint32_t line) {
  const char *path = file < m->file_count ? m->files[file] : NULL;
  if (!path || !line)
    return;
  keep_file(b, path);
  for (uint32_t i = 0; i < b->count; i++) {
    struct breakpoint *p = &b->list[i];
    if (!is_file(path, p->file))
      continue;
    p->has_file = true;
    if (line >= p->line && (!p->next || line < p->next))
      p->next = line;
    if (line < p->line && line > p->before)
      p->before = line;
  }
}

static uint32_t first_file(const struct ptx_module *m, uint32_t unit) {
  const struct ptx_function *f = m->functions;
  while (f && (f->unit != unit || !f->has_body))
    f = f->next;
  return f ? f->file_base : 0;
}

/* location = ".loc" file line column ["," … "inlined_at" file line column]: the two lines, 0 for none */
static void read_mark(const char *at, uint32_t base, struct ptx_location marked[2]) {
  const char *const words[] = {".loc", "inlined_at"};
  const size_t length = strcspn(at, "\n");
  for (int i = 0; i < 2; i++) {
    char *start = memmem(at, length, words[i], strlen(words[i]));
    const uint32_t file = start ? (uint32_t)strtoul(start + strlen(words[i]), &start, 10) : 0;
    marked[i] =
        (struct ptx_location){.file = base + file, .line = start ? (uint32_t)strtoul(start, NULL, 10) : 0};
  }
}

/* Most functions are not parsed yet, so this reads the text: the marks that an instruction follows. */
void breaks_loaded(struct breaks *b, const struct ptx_module *m) {
  struct ptx_location marked[2] = {{0}, {0}};
  uint32_t unit = 0, base = 0;
  if (!b)
    return;
  forget_debug(b);
  b->has_code = true;
  for (const char *at = m->text; *at; at += *at == '\n') {
    at += strspn(at, " \t\r");
    if (strncmp(at, ".version", 8) == 0) {
      base = first_file(m, ++unit);
    } else if (strncmp(at, ".loc\t", 5) == 0 || strncmp(at, ".loc ", 5) == 0) {
      read_mark(at, base, marked);
    } else if (isalpha((unsigned char)*at) || *at == '@') {
      for (int i = 0; i < 2; i++)
        keep_line(b, m, marked[i].file, marked[i].line);
      marked[0].line = marked[1].line = 0;
    }
    at += strcspn(at, "\n");
  }
}

static void breaks_free(struct breaks *b) {
  forget_debug(b);
  for (uint32_t i = 0; i < b->count; i++) {
    for (uint32_t k = 0; k < b->list[i].tally_count; k++)
      free(b->list[i].tallies[k].kernel);
    free(b->list[i].tallies);
  }
  for (uint32_t i = 0; i < b->file_count; i++)
    free(b->files[i]);
  free(b->list);
  free(b->places);
  free(b->debug);
  free(b->text);
  free(b);
}

static void list_files(const struct breaks *b) {
  fputs(b->file_count ? ": expected one of " : ": expected a program that is compiled with -G or -lineinfo",
        stderr);
  for (uint32_t i = 0; i < b->file_count; i++)
    fprintf(stderr, "%s%s", i ? ", " : "", b->files[i]);
  fputs(b->file_count == MOST_FILES ? ", …\n" : "\n", stderr);
}

/* Returns whether the program has what the breakpoint names. */
static bool is_possible(const struct breaks *b, const struct breakpoint *p) {
  const uint32_t *g = p->grid, *t = p->threads;
  const bool fits = !b->has_code || (p->next && (!p->is_launched || (p->is_in_grid && p->is_in_block)));
  if (p->tally_count)
    return true;
  fprintf(stderr, "simgpu-device: SIMGPU_BREAK: %s:%u: ", p->file, p->line);
  if (!b->has_code) {
    fputs("the program launched no kernel\n", stderr);
  } else if (!p->has_file) {
    fputs("no kernel of this program comes from this file", stderr);
    list_files(b);
  } else if (!p->next) {
    fprintf(stderr, "no code from this line on: the last line of the file that has code is %u\n", p->before);
  } else if (!p->is_launched) {
    fprintf(stderr, "no kernel with code of line %u was launched\n", p->next);
  } else if (!p->is_in_grid) {
    fprintf(stderr, "the block is outside of the grid: expected one of the %ux%ux%u blocks of %s\n", g[0],
            g[1], g[2], p->kernel);
  } else if (!p->is_in_block) {
    fprintf(stderr, "the %s is outside of the block: expected one of the %ux%ux%u threads of a block of %s\n",
            p->of_warp ? "warp" : "thread", t[0], t[1], t[2], p->kernel);
  } else {
    fprintf(stderr, "the %s did not reach line %u in %s\n", p->of_warp ? "warp" : "thread", p->next,
            p->kernel);
  }
  return fits;
}

bool breaks_close(struct breaks *b) {
  bool possible = true;
  for (uint32_t i = 0; b && i < b->count; i++)
    possible &= is_possible(b, &b->list[i]);
  if (b)
    breaks_free(b);
  return possible;
}

/* A launch */

static struct dwarf *debug_of(struct breaks *b, const struct ptx_function *f) {
  const struct ptx_module *m = b->module->ptx;
  for (uint32_t i = 0; i < b->debug_count; i++)
    if (b->debug[i].module == m && b->debug[i].unit == f->unit)
      return b->debug[i].dwarf;
  size_t length;
  char error[256] = "";
  const char *text = ptx_unit(m, f->unit, &length);
  struct dwarf *dwarf = text ? dwarf_read(text, length, error, sizeof error) : NULL;
  if (error[0])
    fprintf(stderr, "simgpu: the debug information of '%s' is malformed, so variables have no names: %s\n",
            f->name, error);
  b->debug = room_grown(b->debug, b->debug_count, sizeof *b->debug);
  b->debug[b->debug_count++] = (struct debug){m, f->unit, dwarf};
  return dwarf;
}

/* The line of the instruction, or a line that calls it inline, that is the breakpoint's; or NULL. */
static const struct ptx_location *at_line(const struct ptx_module *m, const struct ptx_location *at,
                                          const struct breakpoint *p) {
  const struct ptx_location *e = at->inner ? at->inner : at;
  while (e && (e->line != p->next || !is_file(report_file(m, *e), p->file)))
    e = e->caller;
  return e;
}

static bool is_known(const struct breaks *b, const struct place *place) {
  for (uint32_t i = 0; i < b->place_count; i++)
    if (b->places[i].breakpoint == place->breakpoint && b->places[i].function == place->function &&
        b->places[i].copy == place->copy)
      return true;
  return false;
}

static void add_place(struct breaks *b, const struct kernel *k, uint32_t breakpoint, uint32_t pc,
                      const void *caller) {
  const struct frame frame = {.function = k};
  struct break_view view = {.frame = &frame, .module = b->module, .pc = pc, .dwarf = debug_of(b, k->ptx)};
  const uint32_t arguments = break_prologue(&view);
  while (view.pc + 1 < k->end &&
         (b->module->insts[view.pc] < arguments || op_is_marker(b->module->code[view.pc].code)))
    view.pc++;
  const struct dwarf_entry *function = break_function(&view);
  const struct place place = {view.pc, breakpoint, k, function ? (const void *)function : caller};
  if (is_known(b, &place))
    return;
  b->places = room_grown(b->places, b->place_count, sizeof place);
  b->places[b->place_count++] = place;
}

static void find_places(struct breaks *b) {
  const struct module *m = b->module;
  b->place_count = 0;
  for (uint32_t i = 0; i < m->kernel_count; i++)
    for (uint32_t pc = m->kernels[i].entry; pc < m->kernels[i].end; pc++)
      for (uint32_t n = 0; n < b->count; n++) {
        const struct ptx_location *e =
            b->list[n].next ? at_line(m->ptx, &m->locations[pc], &b->list[n]) : NULL;
        if (e)
          add_place(b, &m->kernels[i], n, pc, e->caller);
      }
}

static uint64_t index_of(const struct point *p, const uint32_t size[3]) {
  const uint64_t count = (uint64_t)size[0] * size[1] * size[2];
  if (p->is_number)
    return p->at[0] < count ? p->at[0] : NOWHERE;
  for (int d = 0; d < 3; d++)
    if (p->at[d] >= size[d])
      return NOWHERE;
  return p->at[0] + size[0] * (p->at[1] + (uint64_t)size[1] * p->at[2]);
}

/* Of the kernel that is launched. */
static struct tally *tally_of(struct breakpoint *p) {
  uint32_t i = 0;
  while (i < p->tally_count && strcmp(p->tallies[i].kernel, p->kernel) != 0)
    i++;
  if (i == p->tally_count) {
    p->tallies = room_grown(p->tallies, i, sizeof *p->tallies);
    p->tallies[p->tally_count++] = (struct tally){room_copied(p->kernel), 0};
  }
  return &p->tallies[i];
}

static void choose(struct breakpoint *p, const struct launch *l) {
  const uint64_t thread = p->of_warp ? (uint64_t)p->thread.at[0] * LANES : index_of(&p->thread, l->block);
  p->index = index_of(&p->block, l->grid);
  p->is_launched = true;
  p->is_in_grid |= p->index != NOWHERE;
  p->is_in_block |= thread < l->threads;
  p->is_on = p->index != NOWHERE && thread < l->threads;
  p->warp = (uint32_t)(thread / LANES);
  p->lanes = p->of_warp ? ALL_LANES : 1u << thread % LANES;
  p->again = 0;
  memcpy(p->grid, l->grid, sizeof p->grid);
  memcpy(p->threads, l->block, sizeof p->threads);
  report_name(l->kernel->ptx->name, p->kernel, sizeof p->kernel);
}

struct breaks *breaks_begin(struct breaks *b, const struct launch *l) {
  if (!b)
    return NULL;
  if (b->module != l->module || b->code_count != l->module->code_count) {
    b->module = l->module;
    b->code_count = l->module->code_count;
    find_places(b);
  }
  bool any = false;
  for (uint32_t i = 0; i < b->count; i++)
    b->list[i].is_on = false;
  for (uint32_t i = 0; i < b->place_count; i++) {
    const struct kernel *k = b->places[i].function;
    if (k != l->kernel && (k->ptx->is_entry || !l->kernel->calls))
      continue;
    choose(&b->list[b->places[i].breakpoint], l);
    any |= b->list[b->places[i].breakpoint].is_on;
  }
  return any ? b : NULL;
}

bool breaks_in_block(const struct breaks *b, uint64_t block) {
  for (uint32_t i = 0; b && i < b->count; i++)
    if (b->list[i].is_on && b->list[i].index == block)
      return true;
  return false;
}

/* A hit */

static void begin_text(struct breakpoint *p) {
  if (!(p->view.to = open_memstream(&p->text, &p->size)))
    abort();
  p->count = 0;
  p->pending = NOTHING;
}

/* One write, so that nothing comes between its lines. */
static void end_text(struct breakpoint *p) {
  if (p->pending != NOTHING)
    fputc('\n', p->view.to);
  fclose(p->view.to);
  fwrite(p->text, 1, p->size, stderr);
  free(p->text);
  p->view.to = NULL;
}

static void write_header(const struct breakpoint *p, const struct ptx_location *e, uint64_t hits) {
  const struct launch *l = p->view.warp->block->launch;
  const char *path = report_file(l->module->ptx, *e);
  char name[256], place[96];
  FILE *to = p->view.to;
  if (p->of_warp)
    snprintf(place + report_block(l, p->index, place, sizeof place), 32, " warp %u", p->warp);
  else
    report_thread(l, p->index, p->warp * LANES + (uint32_t)__builtin_ctz(p->lanes), place, sizeof place);
  fprintf(to, "simgpu: %s:%u in %s, launch %" PRIu64 ", %s, hit %" PRIu64, report_path(path), e->line,
          report_name(l->kernel->ptx->name, name, sizeof name), l->number, place, hits);
  if (p->line != e->line)
    fprintf(to, " (the first line with code after line %u)", p->line);
  fputc('\n', to);
  report_line(to, path, e->line);
}

/* Executes its line, whose instructions are printed one by one. */
static void follow(struct breakpoint *p, const struct module *m, const struct frame *frame, uint32_t pc,
                   uint32_t mask) {
  if (p->pending != NOTHING) {
    break_writes(&p->view);
    fputc('\n', p->view.to);
  }
  p->pending = NOTHING;
  if (op_is_marker(m->code[pc].code))
    return;
  if (frame != p->view.frame || p->count++ == MOST_INSTRUCTIONS || !at_line(m->ptx, &m->locations[pc], p)) {
    end_text(p);
    return;
  }
  p->view.pc = p->pending = pc;
  p->view.lanes = mask & p->lanes;
  break_reads(&p->view);
}

static void arrive(struct breaks *b, struct breakpoint *p, struct warp *w, const struct frame *frame,
                   uint32_t pc, uint32_t mask) {
  const struct module *m = b->module;
  const struct ptx_location *e = at_line(m->ptx, &m->locations[pc], p);
  if (!e) /* after the arguments are read */
    e = &m->locations[pc];
  const uint64_t hits = ++tally_of(p)->hits;
  if (hits == b->most + 1)
    fprintf(stderr,
            "simgpu: %s:%u: %s reaches it more often: SIMGPU_BREAK_HITS=N shows more than %" PRIu64
            " hit%s\n",
            p->file, p->line, p->kernel, b->most, report_plural(b->most));
  if (hits > b->most)
    return;
  if (p->view.to)
    end_text(p);
  p->view = (struct break_view){.warp = w,
                                .module = m,
                                .frame = frame,
                                .pc = pc,
                                .lanes = mask & p->lanes,
                                .is_row = p->of_warp,
                                .dwarf = debug_of(b, frame->function->ptx)};
  begin_text(p);
  write_header(p, e, hits);
  break_thread(&p->view);
  if (break_function(&p->view)) {
    break_variables(&p->view, e);
    end_text(p);
    return;
  }
  fputs(
      "  variables have no names: compile with -G. The line's instructions, with what they read -> write:\n",
      p->view.to);
  follow(p, m, frame, pc, mask);
}

void breaks_reach(struct warp *w, const struct frame *frame, uint32_t pc, uint32_t mask) {
  struct breaks *b = w->block->launch->breaks;
  if (!w->block->has_breaks)
    return;
  fenv_t rounding; /* may be that of the instruction */
  fegetenv(&rounding);
  fesetround(FE_TONEAREST);
  for (uint32_t n = 0; n < b->count; n++) {
    struct breakpoint *p = &b->list[n];
    if (!p->is_on || p->index != w->block->index || p->warp != w->index || !(mask & p->lanes))
      continue;
    const bool again = p->again & mask;
    p->again &= ~mask;
    if (again)
      continue;
    if (p->view.to && mask & p->view.lanes)
      follow(p, b->module, frame, pc, mask);
    for (uint32_t i = 0; i < b->place_count; i++)
      if (b->places[i].pc == pc && b->places[i].breakpoint == n)
        arrive(b, p, w, frame, pc, mask);
  }
  fesetenv(&rounding);
}

void breaks_undo(struct warp *w, uint32_t mask) {
  struct breaks *b = w->block->launch->breaks;
  for (uint32_t n = 0; w->block->has_breaks && n < b->count; n++)
    if (b->list[n].is_on && b->list[n].index == w->block->index && b->list[n].warp == w->index)
      b->list[n].again |= mask & b->list[n].lanes;
}

void breaks_finish(struct breaks *b, uint64_t block) {
  for (uint32_t n = 0; n < b->count; n++)
    if (b->list[n].view.to && b->list[n].index == block)
      end_text(&b->list[n]);
}
