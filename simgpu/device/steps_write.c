#include "steps_write.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "decoder.h"
#include "device/report.h"
#include "device/room.h"

/* An array that the warp uses: its first byte, and how it got its name. */
struct array {
  enum ptx_space space;
  uint64_t start;
};

struct writer {
  FILE *to;
  const struct launch *launch;
  struct array *arrays;
  uint32_t array_count;
  bool *files; /* by number: it is written */
};

/* Values */

/* 6 digits, or as many as give the same value. */
static void write_float(FILE *to, double value, bool is_single) {
  char text[40] = "nan";
  for (int digits = 6; value == value && digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (is_single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
      break;
  }
  fputs(text, to);
}

void steps_write_value(FILE *to, enum ptx_type type, const uint8_t *bytes, uint32_t size) {
  uint64_t bits = 0;
  double wide;
  float single;
  memcpy(&bits, bytes, size < sizeof bits ? size : sizeof bits);
  switch (type) {
  case PTX_F32:
    memcpy(&single, bytes, sizeof single);
    write_float(to, (double)single, true);
    break;
  case PTX_F64:
    memcpy(&wide, bytes, sizeof wide);
    write_float(to, wide, false);
    break;
  default:
    if (ptx_type_is_signed(type))
      fprintf(to, "%" PRId64, (int64_t)(bits << (64 - 8 * size)) >> (64 - 8 * size));
    else if (type == PTX_U8 || type == PTX_U16 || type == PTX_U32 || type == PTX_U64)
      fprintf(to, "%" PRIu64, bits);
    else
      fprintf(to, "0x%0*" PRIx64, (int)(2 * size), bits);
  }
}

/* Arrays */

/* `_ZZ11tiled_kerneliE5patch`, or `…E5patch_0`: the last identifier, whose length stands before it. */
static const char *variable_name(const char *mangled, char *name, size_t size) {
  snprintf(name, size, "%s", mangled);
  for (const char *at = mangled; strncmp(mangled, "_Z", 2) == 0 && *at; at++) {
    char *start;
    if (!isdigit((unsigned char)*at) || isdigit((unsigned char)at[-1]))
      continue;
    const unsigned long length = strtoul(at, &start, 10);
    if (length && length <= strlen(start) &&
        strspn(start + length, "_0123456789") == strlen(start + length)) {
      snprintf(name, size, "%.*s", (int)length, start);
      break;
    }
  }
  return name;
}

/* The variable that holds the shared address, or NULL; `start` receives its address. */
static const struct ptx_symbol *shared_variable(const struct launch *l, uint64_t address, uint64_t *start) {
  const struct ptx_module *m = l->module->ptx;
  const struct ptx_symbol *dynamic = NULL;
  for (uint32_t i = 0; i < m->shared_count; i++) {
    const struct ptx_symbol *v = m->shared[i];
    if (v->function ? v->function != l->kernel->ptx : !v->is_called && !v->is_extern)
      continue;
    *start = v->offset + (v->function ? decoder_own_shared(m) : 0);
    if (v->is_extern)
      dynamic = v;
    else if (address >= *start && address - *start < v->size)
      return v;
  }
  *start = dynamic && address >= l->kernel->shared_dynamic_base ? l->kernel->shared_dynamic_base : 0;
  return *start || (dynamic && !l->kernel->shared_dynamic_base) ? dynamic : NULL;
}

/* The pointer nearest below the address among the kernel's parameters and the members of structs; `member`:
 * its place in the parameter. Returns the parameter's number, or 0. */
static uint32_t pointer_to(const struct launch *l, const struct allocation *a, uint64_t address,
                           uint64_t *start, uint64_t *member) {
  const struct ptx_function *f = l->kernel->ptx;
  uint32_t number = 0;
  for (uint32_t i = 0; i < f->param_count; i++)
    for (uint64_t at = 0; at + 8 <= f->params[i]->size; at += 8) {
      uint64_t pointer;
      memcpy(&pointer, l->params + f->params[i]->offset + at, sizeof pointer);
      if (pointer < a->base || pointer > a->base + a->size ||
          (number && (pointer > address || pointer <= *start)))
        continue;
      number = i + 1;
      *start = pointer;
      *member = f->params[i]->size == sizeof pointer ? UINT64_MAX : at;
    }
  return number;
}

static void write_global(FILE *to, const struct launch *l, const struct allocation *a, uint64_t address,
                         uint64_t *start) {
  char name[256];
  uint64_t member = 0;
  const struct module *m = l->module;
  *start = a->base;
  for (uint32_t i = 0; i < m->ptx->variable_count; i++)
    if (m->addresses[i] == a->base) {
      fprintf(to, "%s\t%s\n", a->is_constant ? "constant" : "variable",
              variable_name(m->ptx->variables[i]->name, name, sizeof name));
      return;
    }
  const uint32_t parameter = pointer_to(l, a, address, start, &member);
  if (!parameter)
    fprintf(to, "buffer\t%" PRIu32 "\n", a->slot);
  else if (member == UINT64_MAX)
    fprintf(to, "parameter\t%" PRIu32 "\n", parameter);
  else
    fprintf(to, "member\t%" PRIu32 "+%" PRIu64 "\n", parameter, member);
}

/* The place where the array of this address starts. */
static uint64_t start_of(const struct launch *l, enum ptx_space space, uint64_t address) {
  uint64_t start = 0, member;
  const struct allocation *a = space == PTX_GLOBAL ? memory_find(&l->module->device->memory, address) : NULL;
  if (space == PTX_SHARED)
    shared_variable(l, address, &start);
  else if (a && !pointer_to(l, a, address, &start, &member))
    start = a->base;
  return start;
}

static void name_array(struct writer *w, enum ptx_space space, uint64_t address) {
  const struct launch *l = w->launch;
  const struct allocation *a = space == PTX_GLOBAL ? memory_find(&l->module->device->memory, address) : NULL;
  uint64_t start = 0;
  char name[256];
  fprintf(w->to, "array\t%" PRIu32 "\t", w->array_count);
  if (a) {
    write_global(w->to, l, a, address, &start);
  } else if (space == PTX_SHARED) {
    const struct ptx_symbol *v = shared_variable(l, address, &start);
    fprintf(w->to, "shared\t%s\n", v ? variable_name(v->name, name, sizeof name) : "shared");
  } else {
    fputs(space == PTX_LOCAL ? "local\tlocal\n" : "kernel\tparameters\n", w->to);
  }
}

/* The number of the address's array; writes its name when it is new. */
static uint32_t array_of(struct writer *w, enum ptx_space space, uint64_t address) {
  const uint64_t start = start_of(w->launch, space, address);
  uint32_t i = 0;
  while (i < w->array_count && (w->arrays[i].space != space || w->arrays[i].start != start))
    i++;
  if (i == w->array_count) {
    name_array(w, space, address);
    w->arrays = room_grown(w->arrays, w->array_count, sizeof *w->arrays);
    w->arrays[w->array_count++] = (struct array){space, start};
  }
  return i;
}

/* Records */

static void write_access(struct writer *w, const struct steps_access *a) {
  static const char *const uses[] = {[USE_READ] = "read", [USE_WRITE] = "write", [USE_ATOMIC] = "atomic"};
  static const char *const spaces[] = {
      [PTX_GLOBAL] = "global", [PTX_SHARED] = "shared", [PTX_LOCAL] = "local", [PTX_PARAM] = "parameters"};
  const uint32_t element = a->bytes / a->count;
  uint32_t arrays[LANES];
  FOR_ACTIVE(a->mask, l)
    arrays[l] = array_of(w, (enum ptx_space)a->space, a->address[l]);
  fprintf(w->to, "access\t%s\t%s\t%" PRIu32 "\t%u\t%" PRIu32 "\t%" PRIu32 "\n", uses[a->use],
          spaces[a->space], element, a->count, a->cost, a->ideal);
  FOR_ACTIVE(a->mask, l) {
    const int64_t offset = (int64_t)(a->address[l] - w->arrays[arrays[l]].start);
    fprintf(w->to, "lane\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu32 "\t%" PRId64 "\t", l, a->address[l], arrays[l],
            offset / (int64_t)element);
    for (uint32_t e = 0; e < a->count; e++) {
      fputs(e ? " " : "", w->to);
      steps_write_value(w->to, (enum ptx_type)a->type, a->value[l] + e * element, element);
    }
    fputc('\n', w->to);
  }
}

static void name_file(struct writer *w, const struct ptx_location *at) {
  const char *path = report_file(w->launch->module->ptx, *at);
  if (!path || w->files[at->file])
    return;
  w->files[at->file] = true;
  fprintf(w->to, "file\t%" PRIu32 "\t%s\n", at->file, path);
}

static void write_instruction(struct writer *w, const struct steps_instruction *i) {
  const struct module *m = w->launch->module;
  const struct ptx_location *at = &m->locations[i->pc];
  for (const struct ptx_location *from = at; from; from = from->caller)
    name_file(w, from);
  fprintf(w->to, "run\t%" PRIu32 "\t%08" PRIx32 "\t%" PRIu32 "\t%" PRIu32 "\t", i->pc, i->mask, at->file,
          at->line);
  for (const struct ptx_location *from = at->caller; from; from = from->caller)
    fprintf(w->to, "%" PRIu32 ":%" PRIu32 "%s", from->file, from->line, from->caller ? "," : "");
  fprintf(w->to, "\t%s\n", m->mnemonics[i->pc]);
}

void steps_write(FILE *to, const struct steps_place *p, const struct steps_warp *r) {
  const struct launch *l = p->launch;
  struct writer w = {.to = to, .launch = l};
  w.files = room_zeroed(l->module->ptx->file_count + 1, sizeof *w.files);
  char name[256];
  fprintf(to, "kernel\t%s\t%" PRIu64 "\n", report_name(l->kernel->ptx->name, name, sizeof name), p->number);
  fprintf(to, "grid\t%u,%u,%u\t%u,%u,%u\n", l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
          l->block[2]);
  fprintf(to, "warp\t%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\t%u\n", p->block % l->grid[0],
          p->block / l->grid[0] % l->grid[1], p->block / l->grid[0] / l->grid[1], p->warp);
  uint32_t access = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    write_instruction(&w, &r->instructions[i]);
    for (; access < r->instructions[i].accesses; access++)
      write_access(&w, &r->accesses[access]);
  }
  fprintf(to, "end\t%" PRIu64 "\n", r->executed - r->count);
  free(w.arrays);
  free(w.files);
}
