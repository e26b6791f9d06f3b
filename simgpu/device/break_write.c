#define _GNU_SOURCE /* memmem */
#include "break_write.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "decoder.h"
#include "steps_write.h"

enum { ELEMENTS = 8, MEMBERS = 32, MOST_NESTED = 16, MOST_SCOPES = 64, MOST_DEPTH = 5, DIMENSIONS = 4 };

struct place { /* of a value; of one lane, if it is in local memory or a register */
  enum dwarf_place kind;
  enum ptx_space space;
  uint64_t address; /* in its space, or in the frame */
  uint32_t bytes;   /* of the register; 0: a predicate */
};

/* Scopes */

static bool covers(void *context, struct dwarf_name low, struct dwarf_name high) {
  const struct break_view *v = context;
  const struct ptx_function *f = v->frame->function->ptx;
  const uint64_t at = v->module->insts[v->pc];
  return low.length && high.length && ptx_label(f, low.start, low.length) <= at &&
         at < ptx_label(f, high.start, high.length);
}

/* What an inlined copy leaves to its origin. */
static struct dwarf_entry completed(const struct dwarf *d, const struct dwarf_entry *e) {
  const struct dwarf_entry *origin = e->origin ? dwarf_at(d, e->origin) : NULL;
  struct dwarf_entry whole = *e;
  if (origin) {
    whole.name = e->name ? e->name : origin->name;
    whole.linkage = e->linkage ? e->linkage : origin->linkage;
    whole.type = e->type ? e->type : origin->type;
    whole.file = e->file ? e->file : origin->file;
    whole.line = e->line ? e->line : origin->line;
  }
  return whole;
}

static bool is_function(const struct break_view *v, const struct dwarf_entry *entry) {
  if (entry->tag != DWARF_FUNCTION || !entry->low.length)
    return false;
  const struct dwarf_entry e = completed(v->dwarf, entry);
  const char *name = e.linkage ? e.linkage : e.name;
  return name && strcmp(name, v->frame->function->ptx->name) == 0;
}

/* The entry of the function, or the number of entries. */
static uint32_t function_entry(const struct break_view *v) {
  const uint32_t count = v->dwarf ? dwarf_count(v->dwarf) : 0;
  uint32_t i = 0;
  while (i < count && !is_function(v, dwarf_entry(v->dwarf, i)))
    i++;
  return i;
}

/* The scopes that the instruction is in, from its function or inlined function on. Returns their number, 0: unknown. */
static uint32_t find_scopes(const struct break_view *v, uint32_t scopes[MOST_SCOPES]) {
  const uint32_t count = v->dwarf ? dwarf_count(v->dwarf) : 0;
  uint32_t i = function_entry(v), used = 0;
  if (i == count)
    return 0;
  uint32_t depth = dwarf_entry(v->dwarf, i)->depth;
  scopes[used++] = i;
  for (i++; i < count && used < MOST_SCOPES; i++) {
    const struct dwarf_entry *e = dwarf_entry(v->dwarf, i);
    if (e->depth <= depth)
      break;
    if (e->depth != depth + 1 || (e->tag != DWARF_BLOCK && e->tag != DWARF_INLINED) ||
        !covers((void *)(uintptr_t)v, e->low, e->high))
      continue;
    depth++;
    used = e->tag == DWARF_INLINED ? 0 : used;
    scopes[used++] = i;
  }
  return used;
}

const struct dwarf_entry *break_function(const struct break_view *v) {
  uint32_t scopes[MOST_SCOPES];
  return find_scopes(v, scopes) ? dwarf_entry(v->dwarf, scopes[0]) : NULL;
}

uint32_t break_prologue(const struct break_view *v) {
  const uint32_t count = v->dwarf ? dwarf_count(v->dwarf) : 0, function = function_entry(v);
  for (uint32_t i = function + 1; i < count; i++) {
    const struct dwarf_entry *e = dwarf_entry(v->dwarf, i);
    if (e->depth <= dwarf_entry(v->dwarf, function)->depth)
      break;
    if (e->tag != DWARF_BLOCK || !e->low.length)
      continue;
    const uint64_t at = ptx_label(v->frame->function->ptx, e->low.start, e->low.length);
    return at == PTX_NO_LABEL ? 0 : (uint32_t)at;
  }
  return 0;
}

/* Bytes */

static const uint8_t *within(const uint8_t *start, uint64_t size, uint64_t at, uint64_t bytes) {
  return at <= size && bytes <= size - at ? start + at : NULL;
}

static const uint8_t *in_register(const struct break_view *v, const struct place *p, uint32_t lane,
                                  uint64_t bytes) {
  static uint8_t bit;
  const char *start = v->frame->registers + p->address;
  if (p->bytes)
    return bytes <= p->bytes ? (const uint8_t *)start + (uint64_t)lane * p->bytes : NULL;
  uint32_t lanes;
  memcpy(&lanes, start, sizeof lanes);
  bit = lanes >> lane & 1;
  return bytes == 1 ? &bit : NULL;
}

/* The lane's bytes, or NULL if there are not so many. */
static const uint8_t *bytes_at(const struct break_view *v, const struct place *p, uint32_t lane,
                               uint64_t bytes) {
  const struct block *b = v->warp->block;
  const struct launch *l = b->launch;
  if (p->kind == DWARF_IN_REGISTER)
    return in_register(v, p, lane, bytes);
  switch (p->space) {
  case PTX_LOCAL:
    return within(b->local + (v->warp->index * LANES + lane) * b->local_stride, b->local_stride, p->address,
                  bytes);
  case PTX_SHARED:
    return within(b->shared, l->shared_bytes, p->address, bytes);
  case PTX_PARAM:
    if (v->frame->function->ptx->is_entry)
      return within(l->params, l->kernel->ptx->param_bytes, p->address, bytes);
    return within((const uint8_t *)call_parameter(v->frame, 0, lane),
                  v->frame->function->ptx->frame_param_bytes, p->address, bytes);
  default:
    return memory_at(&l->module->device->memory, p->address, bytes);
  }
}

static bool is(const char *name, const struct dwarf_name *n) {
  return strlen(name) == n->length && memcmp(name, n->start, n->length) == 0;
}

static struct place in_memory(enum ptx_space space, uint64_t address) {
  return (struct place){.kind = DWARF_IN_MEMORY, .space = space, .address = address};
}

static struct place place_of_register(const struct break_view *v, const char *name, size_t length) {
  const struct ptx_function *f = v->frame->function->ptx;
  const int32_t number = ptx_register(f, name, length);
  if (number < 0)
    return (struct place){.kind = DWARF_NOWHERE};
  const bool is_predicate = f->reg_types[number] == PTX_PRED;
  return (struct place){.kind = DWARF_IN_REGISTER,
                        .address = v->frame->function->offsets[number],
                        .bytes = is_predicate ? 0 : decoder_lane_bytes(f->reg_types[number])};
}

static struct place place_of_symbol(const struct break_view *v, const struct dwarf_name *name,
                                    uint64_t offset) {
  static const char depot[] = "__local_depot"; /* a function's local variables */
  const struct launch *l = v->warp->block->launch;
  const struct ptx_module *m = v->module->ptx;
  const struct ptx_function *f = v->frame->function->ptx;
  if (name->length >= sizeof depot && memcmp(name->start, depot, sizeof depot - 1) == 0)
    return in_memory(PTX_LOCAL, v->frame->local_base + offset);
  for (uint32_t i = 0; i < f->param_count; i++)
    if (is(f->params[i]->name, name))
      return in_memory(PTX_PARAM, f->params[i]->offset + offset);
  for (uint32_t i = 0; i < m->shared_count; i++) {
    const struct ptx_symbol *s = m->shared[i];
    if (!is(s->name, name) || (s->function && s->function != l->kernel->ptx))
      continue;
    return in_memory(PTX_SHARED,
                     offset + (s->is_extern ? l->kernel->shared_dynamic_base
                                            : s->offset + (s->function ? decoder_own_shared(m) : 0)));
  }
  for (uint32_t i = 0; i < v->module->variable_count; i++)
    if (is(m->variables[i]->name, name) && v->module->addresses[i])
      return in_memory(PTX_GLOBAL, v->module->addresses[i] + offset);
  return (struct place){.kind = DWARF_NOWHERE};
}

static struct place place_of(const struct break_view *v, const struct dwarf_entry *e) {
  struct dwarf_name name;
  uint64_t offset;
  switch (dwarf_locate(v->dwarf, e, covers, (void *)(uintptr_t)v, &name, &offset)) {
  case DWARF_IN_REGISTER:
    return place_of_register(v, name.start, name.length);
  case DWARF_IN_MEMORY:
    return place_of_symbol(v, &name, offset);
  default:
    return (struct place){.kind = DWARF_NOWHERE};
  }
}

/* Values */

/* The entry of the type, without names and qualifiers of it; NULL: void, or unknown. */
static const struct dwarf_entry *bare(const struct dwarf *d, uint32_t type) {
  const struct dwarf_entry *e = dwarf_at(d, type);
  for (int i = 0; e && i < MOST_NESTED; i++) {
    if (e->tag != DWARF_TYPEDEF && e->tag != DWARF_CONST && e->tag != DWARF_VOLATILE &&
        e->tag != DWARF_RESTRICT)
      return e;
    e = dwarf_at(d, e->type);
  }
  return NULL;
}

static bool is_structure(const struct dwarf_entry *t) {
  return t->tag == DWARF_STRUCTURE || t->tag == DWARF_CLASS || t->tag == DWARF_UNION;
}

static bool is_pointer(const struct dwarf_entry *t) {
  return t->tag == DWARF_POINTER || t->tag == DWARF_REFERENCE || t->tag == DWARF_RVALUE_REFERENCE;
}

static uint32_t child(const struct dwarf *d, const struct dwarf_entry *parent, uint32_t tag, uint32_t after) {
  const uint32_t first = (uint32_t)(parent - dwarf_entry(d, 0)) + 1;
  for (uint32_t i = after ? after + 1 : first; i < dwarf_count(d); i++) {
    const struct dwarf_entry *e = dwarf_entry(d, i);
    if (e->depth <= parent->depth)
      break;
    if (e->depth == parent->depth + 1 && e->tag == tag)
      return i;
  }
  return 0;
}

/* The elements in each dimension. */
static uint32_t dimensions(const struct dwarf *d, const struct dwarf_entry *array,
                           uint64_t count[DIMENSIONS]) {
  uint32_t n = 0;
  for (uint32_t i = 0; n < DIMENSIONS && (i = child(d, array, DWARF_SUBRANGE, i));)
    count[n++] = dwarf_entry(d, i)->count;
  return n;
}

static uint64_t size_of(const struct dwarf *d, uint32_t type, int nested) {
  const struct dwarf_entry *t = bare(d, type);
  if (!t || nested == MOST_NESTED)
    return 0;
  if (t->tag != DWARF_ARRAY)
    return is_pointer(t) ? 8 : t->size;
  uint64_t count[DIMENSIONS], size = size_of(d, t->type, nested + 1);
  for (uint32_t n = dimensions(d, t, count); n-- > 0;)
    size *= count[n];
  return size;
}

struct value { /* of one lane */
  const struct break_view *view;
  uint32_t lane;
  bool is_inner;  /* of a structure, an array or a pointer: its own pointers and structures stay closed */
  uint32_t depth; /* in all of these */
};

static struct value within_value(const struct value *v, bool is_inner) {
  return (struct value){v->view, v->lane, v->is_inner || is_inner, v->depth + 1};
}

static void write_value(const struct value *v, uint32_t type, const struct place *p);

static enum ptx_type number_type(const struct dwarf_entry *t) {
  static const enum ptx_type is_signed[] = {[1] = PTX_S8, [2] = PTX_S16, [4] = PTX_S32, [8] = PTX_S64},
                             is_unsigned[] = {[1] = PTX_U8, [2] = PTX_U16, [4] = PTX_U32, [8] = PTX_U64};
  if (t->size != 1 && t->size != 2 && t->size != 4 && t->size != 8)
    return PTX_NONE;
  if (t->encoding == DWARF_FLOAT)
    return t->size == 4 ? PTX_F32 : t->size == 8 ? PTX_F64 : PTX_B16;
  return t->tag == DWARF_ENUMERATION || t->encoding == DWARF_SIGNED || t->encoding == DWARF_SIGNED_CHAR
             ? is_signed[t->size]
             : is_unsigned[t->size];
}

static void write_number(const struct value *v, const struct dwarf_entry *t, const uint8_t *bytes) {
  FILE *to = v->view->to;
  const struct dwarf *d = v->view->dwarf;
  int64_t bits = 0;
  memcpy(&bits, bytes, t->size);
  if (t->tag == DWARF_BASE && t->encoding == DWARF_BOOLEAN) {
    fputs(bits ? "true" : "false", to);
    return;
  }
  for (uint32_t i = 0; t->tag == DWARF_ENUMERATION && (i = child(d, t, DWARF_ENUMERATOR, i));) {
    const struct dwarf_entry *e = dwarf_entry(d, i);
    if (e->name && memcmp(&e->value, bytes, t->size) == 0) {
      fputs(e->name, to);
      return;
    }
  }
  steps_write_value(to, number_type(t), bytes, (uint32_t)t->size);
  if (t->size == 1 && t->name && strstr(t->name, "char") && isprint((int)bits))
    fprintf(to, " '%c'", (char)bits);
}

/* The space of a generic address; `name` receives its word. */
static struct place place_of_address(const struct break_view *v, uint64_t address, const char **name) {
  static const struct {
    uint64_t window;
    enum ptx_space space;
    const char *name;
  } windows[] = {{SHARED_WINDOW, PTX_SHARED, "shared"},
                 {LOCAL_WINDOW, PTX_LOCAL, "local"},
                 {PARAM_WINDOW, PTX_PARAM, "parameters"}};
  for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
    if (address >> 32 << 32 == windows[i].window) {
      *name = windows[i].name;
      return in_memory(windows[i].space, address - windows[i].window);
    }
  const struct allocation *a = memory_find(&v->warp->block->launch->module->device->memory, address);
  *name = a && a->is_constant ? "constant" : a ? "global" : "no memory";
  return in_memory(PTX_GLOBAL, address);
}

static void write_pointer(const struct value *v, const struct dwarf_entry *t, const uint8_t *bytes) {
  FILE *to = v->view->to;
  uint64_t address;
  const char *space;
  memcpy(&address, bytes, sizeof address);
  const struct place p = place_of_address(v->view, address, &space);
  if (!address) {
    fputs("null", to);
    return;
  }
  fprintf(to, "0x%" PRIx64 " (%s)", address, space);
  if (v->is_inner || v->depth || !size_of(v->view->dwarf, t->type, 0))
    return;
  const struct value element = within_value(v, false);
  fputs(" -> ", to);
  write_value(&element, t->type, &p);
}

static void write_structure(const struct value *v, const struct dwarf_entry *t, const struct place *p) {
  const struct dwarf *d = v->view->dwarf;
  FILE *to = v->view->to;
  const struct value inner = within_value(v, true);
  uint32_t count = 0;
  if (v->is_inner) {
    fputs("{...}", to);
    return;
  }
  fputc('{', to);
  for (uint32_t i = 0; (i = child(d, t, DWARF_MEMBER, i)) && count++ < MEMBERS;) {
    const struct dwarf_entry *e = dwarf_entry(d, i);
    struct place member = *p;
    member.address += (uint64_t)e->value;
    fprintf(to, "%s%s = ", count > 1 ? ", " : "", e->name ? e->name : "?");
    write_value(&inner, e->type, &member);
  }
  fputs(count > MEMBERS ? ", ...}" : "}", to);
}

/* The first elements in the order of memory; one without a known number of elements, as far as memory is. */
static void write_array(const struct value *v, uint32_t type, const struct place *p, const uint64_t *count,
                        uint32_t n) {
  const struct value inner = within_value(v, false);
  const uint64_t size = size_of(v->view->dwarf, type, 0);
  uint64_t part[DIMENSIONS + 1], i = 0; /* elements of a part in each dimension */
  uint32_t open = 0;
  struct place element = *p;
  FILE *to = v->view->to;
  part[n] = 1;
  for (uint32_t k = n; k-- > 0;)
    part[k] = part[k + 1] * (count[k] || !k ? count[k] : 1);
  for (; i < ELEMENTS && (i < part[0] || !part[0]); i++, element.address += size) {
    if (!part[0] && !bytes_at(v->view, &element, v->lane, size ? size : 1))
      break;
    fputs(i ? ", " : "", to);
    for (uint32_t k = 0; k < n; k++)
      if (part[k] ? i % part[k] == 0 : i == 0)
        open += fputc('{', to) == '{';
    write_value(&inner, type, &element);
    for (uint32_t k = 0; k < n; k++)
      if (part[k] && (i + 1) % part[k] == 0)
        open -= fputc('}', to) == '}';
  }
  fputs(open ? ", ..." : i ? "" : "{}", to);
  while (open-- > 0)
    fputc('}', to);
}

static void write_value(const struct value *v, uint32_t type, const struct place *p) {
  const struct dwarf_entry *t = bare(v->view->dwarf, type);
  if (v->depth == MOST_DEPTH) {
    fputs("...", v->view->to);
    return;
  }
  if (t && t->tag == DWARF_ARRAY) {
    uint64_t count[DIMENSIONS];
    const uint32_t n = dimensions(v->view->dwarf, t, count);
    if (n) {
      write_array(v, t->type, p, count, n);
      return;
    }
  }
  const uint64_t size = t ? size_of(v->view->dwarf, type, 0) : 0;
  const uint8_t *bytes = size ? bytes_at(v->view, p, v->lane, size) : NULL;
  if (!bytes)
    fputs(size ? "not readable" : "of unknown type", v->view->to);
  else if (is_structure(t))
    write_structure(v, t, p);
  else if (is_pointer(t))
    write_pointer(v, t, bytes);
  else if (number_type(t) != PTX_NONE)
    write_number(v, t, bytes);
  else
    fputs("of unknown type", v->view->to);
}

/* Variables */

typedef void writer(const struct value *, uint32_t, const struct place *);

static char *lane_text(const struct break_view *v, uint32_t lane, uint32_t type, const struct place *p,
                       writer *write) {
  char *text = NULL;
  size_t size;
  struct break_view one = *v;
  if (!(one.to = open_memstream(&text, &size)))
    abort();
  write(&(struct value){&one, lane, false, 0}, type, p);
  fclose(one.to);
  return text;
}

/* " = " and the value of the lane, or of each lane of the warp: - for those that are not there, and once if all
 * are the same. */
static void write_lanes(const struct break_view *v, uint32_t type, const struct place *p, writer *write) {
  char *texts[LANES] = {0};
  const uint32_t first = (uint32_t)__builtin_ctz(v->lanes);
  bool same = true;
  FOR_ACTIVE(v->lanes, l) {
    texts[l] = lane_text(v, l, type, p, write);
    same &= strcmp(texts[l], texts[first]) == 0;
  }
  fputs(" =", v->to);
  for (uint32_t l = 0; l < LANES && !same; l++)
    fprintf(v->to, " %s", texts[l] ? texts[l] : "-");
  if (same)
    fprintf(v->to, " %s%s", texts[first], v->is_row ? " (each lane)" : "");
  for (uint32_t l = 0; l < LANES; l++)
    free(texts[l]);
}

static void write_named(const struct break_view *v, const char *name, uint32_t type, const struct place *p,
                        writer *write) {
  fprintf(v->to, "  %s", name);
  write_lanes(v, type, p, write);
  fputc('\n', v->to);
}

static void write_variable(const struct break_view *v, const struct dwarf_entry *e,
                           const struct dwarf_entry *own) {
  const struct place p = place_of(v, own);
  if (p.kind == DWARF_NOWHERE)
    fprintf(v->to, "  %s: optimized away\n", e->name);
  else
    write_named(v, e->name, e->type, &p, write_value);
}

/* Those of a scope or of the file. A variable that the line or a later one declares is not set yet. */
static void write_scope(const struct break_view *v, uint32_t scope, const struct ptx_location *at) {
  const uint32_t depth = dwarf_entry(v->dwarf, scope)->depth, base = v->frame->function->ptx->file_base;
  for (uint32_t i = scope + 1; i < dwarf_count(v->dwarf) && dwarf_entry(v->dwarf, i)->depth > depth; i++) {
    const struct dwarf_entry *own = dwarf_entry(v->dwarf, i), e = completed(v->dwarf, own);
    const bool is_here = base + e.file == at->file;
    if (e.depth != depth + 1 || !e.name || (e.tag != DWARF_PARAMETER && e.tag != DWARF_VARIABLE))
      continue;
    if (depth == 0 ? is_here && e.has_location : e.tag == DWARF_PARAMETER || !is_here || e.line < at->line)
      write_variable(v, &e, own);
  }
}

void break_variables(const struct break_view *v, const struct ptx_location *at) {
  uint32_t scopes[MOST_SCOPES];
  const uint32_t count = find_scopes(v, scopes);
  for (uint32_t i = 0; i < count; i++)
    write_scope(v, scopes[i], at);
  write_scope(v, 0, at);
}

static void write_index(const struct value *v, uint32_t first, const struct place *p) {
  (void)p;
  char *const *bases = v->view->warp->bases;
  const char *from = first < PTX_CTAID_X
                         ? bases[BASE_WARP] + first * sizeof(uint32_t[LANES])
                         : bases[BASE_BLOCK] + (first - PTX_CTAID_X) * sizeof(uint32_t[LANES]);
  uint32_t at[3][LANES];
  memcpy(at, from, sizeof at);
  fprintf(v->view->to, "(%u,%u,%u)", at[0][v->lane], at[1][v->lane], at[2][v->lane]);
}

void break_thread(const struct break_view *v) {
  struct break_view one = *v;
  one.is_row = false;
  one.lanes = v->lanes & -v->lanes;
  write_named(&one, "blockIdx", PTX_CTAID_X, NULL, write_index);
  write_named(v, "threadIdx", PTX_TID_X, NULL, write_index);
}

/* Registers of instructions */

/* The instruction's line in the PTX: "add.s32 %r1, %r2, 5;". */
static const char *text_of(const struct break_view *v, size_t *length) {
  const struct ptx_function *f = v->frame->function->ptx;
  const uint32_t n = v->module->insts[v->pc], line = n < f->inst_count ? f->insts[n].ptx_line : 0;
  const char *at = v->module->ptx->text;
  for (uint32_t i = 1; i < line && at; i++)
    at = (at = strchr(at, '\n')) ? at + 1 : NULL;
  if (!at || !line)
    at = "";
  at += strspn(at, " \t");
  *length = strcspn(at, ";\n");
  return at;
}

/* The end of the instruction's results in its text: those before the first comma outside of braces. */
static size_t end_of_results(const struct break_view *v, const char *text, size_t length) {
  int braces = 0;
  size_t i = 0;
  if (v->module->code[v->pc].dst[0] == NO_OPERAND)
    return 0;
  for (; i < length && (text[i] != ',' || braces > 0); i++)
    braces += (text[i] == '{') - (text[i] == '}');
  return i;
}

static void write_register(const struct value *v, uint32_t type, const struct place *p) {
  const uint8_t *bytes = bytes_at(v->view, p, v->lane, p->bytes ? p->bytes : 1);
  uint64_t bits = 0;
  const char *space;
  memcpy(&bits, bytes, p->bytes ? p->bytes < 8 ? p->bytes : 8 : 1);
  if (!p->bytes)
    fputs(bits ? "true" : "false", v->view->to);
  else if (type == PTX_F32 || type == PTX_F64 || p->bytes > 8)
    steps_write_value(v->view->to, (enum ptx_type)type, bytes, p->bytes);
  else if (p->bytes < 8)
    fprintf(v->view->to, "%" PRId32, (int32_t)bits);
  else if (place_of_address(v->view, bits, &space).space != PTX_GLOBAL || strcmp(space, "no memory") != 0)
    fprintf(v->view->to, "0x%" PRIx64 " (%s)", bits, space);
  else
    fprintf(v->view->to, "%" PRId64, (int64_t)bits);
}

static size_t register_length(const char *text, size_t length) {
  size_t end = 1;
  while (end < length && (isalnum((unsigned char)text[end]) || text[end] == '_'))
    end++;
  return end;
}

/* Each register that this part of the text names: in a line, or on lines of their own. */
static void write_registers(const struct break_view *v, const char *text, size_t length, const char *before) {
  const struct ptx_function *f = v->frame->function->ptx;
  uint32_t count = 0;
  for (size_t i = 0; i < length; i++) {
    const size_t end = text[i] == '%' ? register_length(text + i, length - i) : 0;
    const struct place p = end ? place_of_register(v, text + i, end) : (struct place){.kind = DWARF_NOWHERE};
    const char *same = p.kind == DWARF_IN_REGISTER ? memmem(text, i, text + i, end) : NULL;
    if (p.kind != DWARF_IN_REGISTER || (same && register_length(same, length) == end))
      continue;
    fprintf(v->to, "%s%s%.*s", v->is_row ? "\n" : "", v->is_row || !count ? before : ", ", (int)end,
            text + i);
    write_lanes(v, f->reg_types[ptx_register(f, text + i, end)], &p, write_register);
    count++;
  }
}

void break_reads(const struct break_view *v) {
  size_t length;
  const char *text = text_of(v, &length);
  const size_t results = end_of_results(v, text, length), guard = *text == '@' ? strcspn(text, " \t") : 0;
  fprintf(v->to, "  %.*s", (int)length, text);
  write_registers(v, text, guard, "    ");
  write_registers(v, text + results, length - results, "    ");
}

void break_writes(const struct break_view *v) {
  size_t length;
  const char *text = text_of(v, &length);
  const size_t results = end_of_results(v, text, length), guard = *text == '@' ? strcspn(text, " \t") : 0;
  if (results > guard)
    write_registers(v, text + guard, results - guard, " -> ");
}
