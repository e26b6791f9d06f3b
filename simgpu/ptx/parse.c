/* Parses PTX tokens into functions of instructions. The comment of each parse function is its grammar rule; `p->tok` is
 * the next token. An error fills module->error and leaves through one longjmp; all memory is in the module's arena. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "ptx.h"
#include "token.h"

enum {
  BUCKETS = 4096,
  MAX_REGISTERS = 1 << 16, /* per function */
  MAX_NESTING = 64,
  FUNCTION_SCOPE = 1, /* parameters; 0 is the module */
};
#define MAX_MODULE_BYTES (UINT64_C(1) << 30) /* arena limit: hostile text must not exhaust the machine */
#define MAX_VARIABLE_BYTES (UINT64_C(1) << 31)

struct entry { /* a name in scope */
  struct entry *next_in_bucket, *next_in_scope;
  struct ptx_symbol *symbol;
  uint32_t bucket;
  uint32_t unit; /* that may use the name; 0: all */
};

struct scope {
  struct entry *entries;
  uint64_t param_bytes; /* frame parameter bytes in use when it opened */
};

struct parser {
  struct ptx_module *module;
  struct token *tok;
  jmp_buf escape;
  struct entry *buckets[BUCKETS];
  struct scope scopes[MAX_NESTING];
  unsigned depth;
  struct ptx_function *function;      /* being parsed, or NULL */
  struct ptx_function *last_function; /* of the module's list */
  struct ptx_symbol **undefined;      /* labels used before they are defined */
  size_t undefined_count;
  uint64_t param_bytes;
  uint32_t unit;      /* number of the translation unit from 1; with -rdc=true, a module has several */
  uint32_t file_base; /* added to its file numbers */
  bool is_local;      /* the declaration is for this unit only */
  struct lines lines;
};

_Noreturn static void fail_at(struct parser *p, const struct token *tok, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const char *line = tok->start;
  while (line > p->module->text && line[-1] != '\n')
    line--;
  while (*line == ' ' || *line == '\t')
    line++;
  int length = (int)strcspn(line, "\n");
  snprintf(p->module->error, sizeof p->module->error, "PTX line %d: %s: '%.*s'", tok->line, text,
           length > 100 ? 100 : length, line);
  longjmp(p->escape, 1);
}

static void out_of_memory(void *context) {
  struct parser *p = context;
  snprintf(p->module->error, sizeof p->module->error, "PTX line %d: the module needs too much memory",
           p->tok ? p->tok->line : 0);
  longjmp(p->escape, 1);
}

/* Types */

static const struct {
  const char *name;
  unsigned length;
} types[PTX_TYPE_COUNT] = {
#define X(id, text, bytes) [PTX_##id] = {text, sizeof text - 1},
    PTX_TYPES(X)
#undef X
};

enum ptx_type ptx_type_of(const char *name, size_t length) {
  for (int t = PTX_NONE + 1; t < PTX_TYPE_COUNT; t++)
    if (types[t].length == length && types[t].name[0] == name[0] && memcmp(types[t].name, name, length) == 0)
      return (enum ptx_type)t;
  return PTX_NONE;
}

bool ptx_type_is_float(enum ptx_type type) {
  return type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 || type == PTX_F64 || type == PTX_TF32;
}

bool ptx_type_is_signed(enum ptx_type type) {
  return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

bool ptx_is_any(const struct ptx_inst *inst, const char *const *bases) {
  while (*bases && !ptx_is(inst, *bases))
    bases++;
  return *bases;
}

bool ptx_has(const char *op, const char *part) {
  size_t length = strlen(part);
  for (const char *at = strchr(op, '.'); at; at = strchr(at + 1, '.'))
    if (strncmp(at + 1, part, length) == 0 && (at[1 + length] == '.' || at[1 + length] == '\0'))
      return true;
  return false;
}

enum ptx_type ptx_type_part(const char *op, unsigned n) {
  const char *end = op + strlen(op);
  for (;; n--) {
    const char *start = end;
    while (start > op && start[-1] != '.')
      start--;
    if (start == op)
      return PTX_NONE;
    if (n == 0)
      return ptx_type_of(start, (size_t)(end - start));
    end = start - 1;
  }
}

/* Tokens */

static bool at_end(const struct parser *p) { return p->tok->kind == TOKEN_END; }

static bool is(const struct token *tok, const char *text) {
  return (tok->kind == TOKEN_WORD || tok->kind == TOKEN_MARK) && tok->start[0] == text[0] &&
         strlen(text) == tok->length && memcmp(tok->start, text, tok->length) == 0;
}

static bool accept(struct parser *p, const char *text) {
  if (!is(p->tok, text))
    return false;
  p->tok++;
  return true;
}

static void expect(struct parser *p, const char *text) {
  if (!accept(p, text))
    fail_at(p, p->tok, "expected '%s'", text);
}

static char *word(struct parser *p) {
  if (p->tok->kind != TOKEN_WORD)
    fail_at(p, p->tok, "expected a name");
  char *name = arena_string(&p->module->arena, p->tok->start, p->tok->length);
  p->tok++;
  return name;
}

/* number = decimal | 0x… | 0f… (bits of a float) | 0d… (bits of a double) | 1.5e3, without sign */
static enum ptx_operand_kind number(struct parser *p, uint64_t *value) {
  const struct token *tok = p->tok;
  if (tok->kind != TOKEN_NUMBER)
    fail_at(p, tok, "expected a number");
  char text[64];
  if (tok->length >= sizeof text)
    fail_at(p, tok, "number too long");
  memcpy(text, tok->start, tok->length);
  text[tok->length] = '\0';
  p->tok++;
  char kind = text[0] == '0' ? (char)tolower((unsigned char)text[1]) : '\0';
  char *end;
  errno = 0;
  if (kind == 'f' || kind == 'd') {
    *value = strtoull(text + 2, &end, 16);
    if (*end || tok->length != (kind == 'f' ? 10 : 18))
      fail_at(p, tok, "malformed floating-point constant");
    return kind == 'f' ? PTX_OPERAND_FLOAT : PTX_OPERAND_DOUBLE;
  }
  if (kind != 'x' && strpbrk(text, ".eE")) {
    double d = strtod(text, &end);
    if (*end)
      fail_at(p, tok, "malformed number");
    memcpy(value, &d, sizeof d);
    return PTX_OPERAND_DOUBLE;
  }
  *value = strtoull(text, &end, 0);
  if (*end == 'U')
    end++;
  if (*end || errno)
    fail_at(p, tok, "malformed number");
  return PTX_OPERAND_INTEGER;
}

static uint64_t sign_bit(enum ptx_operand_kind kind) {
  return UINT64_C(1) << (kind == PTX_OPERAND_FLOAT ? 31 : 63);
}

/* integer = ["-"] number */
static uint64_t integer(struct parser *p) {
  bool negative = accept(p, "-");
  const struct token *tok = p->tok;
  uint64_t value;
  if (number(p, &value) != PTX_OPERAND_INTEGER)
    fail_at(p, tok, "expected an integer");
  return negative ? 0 - value : value;
}

static uint32_t small_integer(struct parser *p, uint64_t most) {
  const struct token *tok = p->tok;
  uint64_t value = integer(p);
  if (value > most)
    fail_at(p, tok, "number too large");
  return (uint32_t)value;
}

/* Names in scope */

uint32_t ptx_hash(const char *text, size_t length) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

static struct ptx_symbol *find(const struct parser *p, const char *name, size_t length) {
  struct ptx_symbol *shared = NULL;
  for (struct entry *e = p->buckets[ptx_hash(name, length) % BUCKETS]; e; e = e->next_in_bucket)
    if (strlen(e->symbol->name) == length && memcmp(e->symbol->name, name, length) == 0) {
      if (e->unit == p->unit)
        return e->symbol;
      if (e->unit == 0 && !shared)
        shared = e->symbol;
    }
  return shared;
}

static void declare(struct parser *p, unsigned depth, struct ptx_symbol *symbol) {
  struct entry *e = arena_alloc(&p->module->arena, 1, sizeof *e);
  e->symbol = symbol;
  e->unit = depth > 0 || p->is_local ? p->unit : 0;
  e->bucket = ptx_hash(symbol->name, strlen(symbol->name)) % BUCKETS;
  e->next_in_bucket = p->buckets[e->bucket];
  p->buckets[e->bucket] = e;
  e->next_in_scope = p->scopes[depth].entries;
  p->scopes[depth].entries = e;
}

static struct ptx_symbol *new_symbol(struct parser *p, unsigned depth, enum ptx_symbol_kind kind,
                                     const char *name) {
  struct ptx_symbol *symbol = arena_alloc(&p->module->arena, 1, sizeof *symbol);
  symbol->kind = kind;
  symbol->name = name;
  declare(p, depth, symbol);
  return symbol;
}

static void open_scope(struct parser *p) {
  if (p->depth + 1 == MAX_NESTING)
    fail_at(p, p->tok, "blocks nested too deeply");
  p->scopes[++p->depth] = (struct scope){.param_bytes = p->param_bytes};
}

static void close_scope(struct parser *p) {
  for (struct entry *e = p->scopes[p->depth].entries; e; e = e->next_in_scope) {
    struct entry **place = &p->buckets[e->bucket];
    while (*place != e)
      place = &(*place)->next_in_bucket;
    *place = e->next_in_bucket;
  }
  p->param_bytes = p->scopes[p->depth--].param_bytes;
}

static bool is_open_label(const struct ptx_symbol *s) {
  return s->kind == PTX_SYMBOL_LABEL && !s->is_defined;
}

/* A label belongs to its block, so that inline assembly with one can occur twice. Those that are used and not defined
 * in a block belong to an outer one. */
static void close_block(struct parser *p) {
  struct entry *entries = p->scopes[p->depth].entries;
  struct entry *last = NULL;
  close_scope(p);
  for (struct entry *e = entries; e; e = e->next_in_scope) {
    last = e;
    if (!is_open_label(e->symbol))
      continue;
    struct ptx_symbol *outer = find(p, e->symbol->name, strlen(e->symbol->name));
    if (outer && outer->kind == PTX_SYMBOL_LABEL) {
      e->symbol->outer = outer;
    } else {
      e->symbol->depth = p->depth;
      declare(p, p->depth, e->symbol);
    }
  }
  if (last) { /* the names of a body outlive its scopes */
    last->next_in_scope = p->function->names;
    p->function->names = entries;
  }
}

static struct ptx_symbol *new_label(struct parser *p, const struct token *tok) {
  struct ptx_symbol *label =
      new_symbol(p, p->depth, PTX_SYMBOL_LABEL, arena_string(&p->module->arena, tok->start, tok->length));
  label->depth = p->depth;
  return label;
}

/* The register named `name`, also as a member of a family `%r<10>`, or -1. */
static int32_t find_register(const struct parser *p, const char *name, size_t length) {
  const struct ptx_symbol *symbol = find(p, name, length);
  if (symbol)
    return symbol->kind == PTX_SYMBOL_REGISTER && symbol->count == 0 ? (int32_t)symbol->first : -1;
  size_t stem = length;
  while (stem > 1 && isdigit((unsigned char)name[stem - 1]))
    stem--;
  if (stem == length || length - stem > 6)
    return -1;
  symbol = find(p, name, stem);
  uint32_t member = (uint32_t)strtoul(name + stem, NULL, 10);
  if (!symbol || symbol->kind != PTX_SYMBOL_REGISTER || member >= symbol->count)
    return -1;
  return (int32_t)(symbol->first + member);
}

/* Whether the symbol is this name, or for a register family, a member of it. */
static bool has_name(const struct ptx_symbol *s, const char *name, size_t length) {
  size_t stem = strlen(s->name);
  if (s->kind != PTX_SYMBOL_REGISTER || s->count == 0)
    return stem == length && memcmp(s->name, name, length) == 0;
  if (stem >= length || length - stem > 6 || memcmp(s->name, name, stem) != 0)
    return false;
  while (stem < length && isdigit((unsigned char)name[stem]))
    stem++;
  return stem == length;
}

int32_t ptx_register(const struct ptx_function *f, const char *name, size_t length) {
  for (const struct entry *e = f->names; e; e = e->next_in_scope) {
    const struct ptx_symbol *s = e->symbol;
    if (s->kind != PTX_SYMBOL_REGISTER || !has_name(s, name, length))
      continue;
    const uint32_t member = s->count ? (uint32_t)strtoul(name + strlen(s->name), NULL, 10) : 0;
    return member < (s->count ? s->count : 1) ? (int32_t)(s->first + member) : -1;
  }
  return -1;
}

uint64_t ptx_label(const struct ptx_function *f, const char *name, size_t length) {
  for (const struct entry *e = f->names; e; e = e->next_in_scope)
    if (e->symbol->kind == PTX_SYMBOL_LABEL && e->symbol->is_defined && has_name(e->symbol, name, length))
      return e->symbol->offset;
  return PTX_NO_LABEL;
}

/* Declarations */

static uint64_t place(uint64_t *used, uint64_t size, uint32_t align) {
  uint64_t offset = (*used + align - 1) / align * align;
  *used = offset + size;
  return offset;
}

/* registers = ".reg" type name ["<" count ">"] {"," name …} ";" */
static void registers(struct parser *p) {
  const struct token *tok = p->tok;
  if (!p->function)
    fail_at(p, tok, "registers outside a function");
  enum ptx_type type = tok->kind == TOKEN_WORD ? ptx_type_of(tok->start + 1, tok->length - 1) : PTX_NONE;
  if (type == PTX_NONE)
    fail_at(p, tok, "unsupported register type");
  p->tok++;
  struct ptx_function *f = p->function;
  do {
    struct ptx_symbol *symbol = new_symbol(p, p->depth, PTX_SYMBOL_REGISTER, word(p));
    symbol->type = type;
    symbol->first = f->reg_count;
    uint32_t count = 1;
    if (accept(p, "<")) {
      symbol->count = count = small_integer(p, MAX_REGISTERS);
      expect(p, ">");
    }
    if (count > MAX_REGISTERS - f->reg_count)
      fail_at(p, tok, "too many registers");
    for (uint32_t i = 0; i < count; i++) {
      f->reg_types = arena_grow(&p->module->arena, f->reg_types, f->reg_count, sizeof *f->reg_types);
      f->reg_types[f->reg_count++] = type;
    }
  } while (accept(p, ","));
  expect(p, ";");
}

/* element = ["-"] number | (name | "generic" "(" name ")") ["+" integer] */
static void element(struct parser *p, struct ptx_symbol *variable, uint64_t index) {
  struct token *tok = p->tok;
  uint64_t size = ptx_type_bytes(variable->type), at = index * size;
  if (at + size > variable->size)
    fail_at(p, tok, "more initial values than elements");
  if (size > sizeof(uint64_t))
    fail_at(p, tok, "unsupported type of an initial value");
  uint64_t value = 0;
  if (tok->kind == TOKEN_WORD) {
    bool generic = accept(p, "generic");
    if (generic)
      expect(p, "(");
    struct ptx_symbol *target = find(p, p->tok->start, p->tok->length);
    if (!target || p->tok->kind != TOKEN_WORD)
      fail_at(p, p->tok, "undefined name");
    bool has_address =
        target->kind == PTX_SYMBOL_FUNCTION ||
        (target->kind == PTX_SYMBOL_VARIABLE && (target->space == PTX_GLOBAL || target->space == PTX_CONST));
    if (!has_address || size != 8)
      fail_at(
          p, p->tok,
          "only addresses of functions and of variables in global memory, as 64-bit values, are supported as "
          "initial values");
    p->tok++;
    if (generic)
      expect(p, ")");
    struct ptx_relocation *r = arena_alloc(&p->module->arena, 1, sizeof *r);
    *r = (struct ptx_relocation){variable->relocations, at, accept(p, "+") ? integer(p) : 0, target};
    variable->relocations = r;
    return;
  }
  bool negative = accept(p, "-");
  enum ptx_operand_kind kind = number(p, &value);
  if (kind == PTX_OPERAND_INTEGER)
    value = negative ? 0 - value : value;
  else if (negative)
    value ^= sign_bit(kind);
  if (kind == PTX_OPERAND_DOUBLE && variable->type == PTX_F32) {
    double d;
    memcpy(&d, &value, sizeof d);
    float f = (float)d;
    memcpy(&value, &f, sizeof f);
  }
  memcpy(variable->data + at, &value, size); /* little-endian host */
}

/* values = "{" values {"," values} "}" | element */
static void values(struct parser *p, struct ptx_symbol *variable, uint64_t *index) {
  unsigned depth = 0;
  do {
    while (accept(p, "{"))
      depth++;
    if (!is(p->tok, "}"))
      element(p, variable, (*index)++);
    while (depth > 0 && accept(p, "}"))
      depth--;
  } while (depth > 0 && (accept(p, ",") || (fail_at(p, p->tok, "expected ',' or '}'"), false)));
}

/* declarator = {".align" n | ".v2" | ".v4" | ".ptr" … | type} name {"[" [n] "]"}: without space and initial value */
static struct ptx_symbol *declarator(struct parser *p, enum ptx_space space, unsigned depth) {
  const struct token *tok = p->tok;
  enum ptx_type type = PTX_NONE;
  uint32_t align = 0;
  uint64_t lanes = 1;
  bool is_managed = false;
  for (; p->tok->kind == TOKEN_WORD && p->tok->start[0] == '.'; p->tok++) {
    tok = p->tok;
    enum ptx_type named = ptx_type_of(tok->start + 1, tok->length - 1);
    if (named != PTX_NONE)
      type = named;
    else if (is(tok, ".v2"))
      lanes = 2;
    else if (is(tok, ".v4"))
      lanes = 4;
    else if (is(tok, ".ptr")) { /* .ptr [.space] .align N describes what a parameter points to */
      while (!is(p->tok + 1, ".align") && p->tok[1].kind == TOKEN_WORD && p->tok[1].start[0] == '.')
        p->tok++;
      if (is(p->tok + 1, ".align") && p->tok[2].kind == TOKEN_NUMBER)
        p->tok += 2;
    } else if (is(tok, ".align")) {
      p->tok++;
      align = small_integer(p, 1 << 20);
      p->tok--;
      if (align == 0 || (align & (align - 1)) != 0)
        fail_at(p, tok, "alignment is not a power of two");
    } else if (is(tok, ".attribute")) { /* (.managed), (.unified(n, n)) */
      while (!is(p->tok, ")") && p->tok[1].kind != TOKEN_END)
        is_managed |= is(++p->tok, ".managed");
      if (is(p->tok + 1, ")"))
        p->tok++;
    } else {
      fail_at(p, tok, "unsupported in a declaration");
    }
  }
  if (type == PTX_NONE || type == PTX_PRED)
    fail_at(p, p->tok, "declaration without a type");
  struct ptx_symbol *v = new_symbol(p, depth, PTX_SYMBOL_VARIABLE, word(p));
  v->type = type;
  v->space = space;
  v->is_managed = is_managed;
  v->align = align ? align : (uint32_t)(ptx_type_bytes(type) * lanes);
  v->size = ptx_type_bytes(type) * lanes;
  while (accept(p, "[")) {
    uint64_t count = is(p->tok, "]") ? 0 : integer(p);
    expect(p, "]");
    if (count > MAX_VARIABLE_BYTES / (v->size ? v->size : 1))
      fail_at(p, tok, "variable too large");
    v->size *= count;
  }
  return v;
}

/* Several units may declare one variable, and define it again if it is weak. Returns the symbol of the earlier
 * declaration, completed by this one; NULL if there is none. */
static struct ptx_symbol *merge(struct parser *p, struct ptx_symbol *v) {
  struct entry *newest = p->scopes[0].entries, *e = newest->next_in_bucket;
  while (e && (e->unit != 0 || strcmp(e->symbol->name, v->name) != 0))
    e = e->next_in_bucket;
  if (!e || newest->symbol != v || newest->unit != 0)
    return NULL;
  struct ptx_symbol *old = e->symbol;
  if (old->kind != PTX_SYMBOL_VARIABLE || old->space != v->space)
    fail_at(p, p->tok, "'%s' is already declared otherwise", v->name);
  p->buckets[newest->bucket] = newest->next_in_bucket;
  p->scopes[0].entries = newest->next_in_scope;
  const uint32_t index = old->first, align = old->align > v->align ? old->align : v->align;
  v->is_called = old->is_called;
  if (old->is_extern && !v->is_extern)
    *old = *v;
  old->first = v->first = index; /* the variable's own initial value may refer to v */
  old->align = align;
  return old;
}

static void list_shared(struct ptx_module *m, struct ptx_symbol *v) {
  m->shared = arena_grow(&m->arena, m->shared, m->shared_count, sizeof *m->shared);
  m->shared[m->shared_count++] = v;
}

/* variable = declarator ["=" values] {"," …} ";" */
static void variable(struct parser *p, enum ptx_space space, bool is_extern) {
  struct ptx_module *m = p->module;
  bool stays = space == PTX_LOCAL || space == PTX_PARAM ||
               (space == PTX_SHARED && p->function && p->function->is_entry);
  const struct token *tok = p->tok;
  struct ptx_symbol *v = declarator(p, space, p->depth);
  v->is_extern = is_extern;
  v->is_defined = !is_extern;
  if (space == PTX_LOCAL) {
    if (!p->function)
      fail_at(p, tok, "local variable outside a function");
    v->offset = place(&p->function->local_bytes, v->size, v->align);
  } else if (space == PTX_PARAM) {
    if (!p->function)
      fail_at(p, tok, "parameter outside a function");
    v->offset = place(&p->param_bytes, v->size, v->align);
    if (p->param_bytes > p->function->frame_param_bytes)
      p->function->frame_param_bytes = p->param_bytes;
  } else if (space == PTX_SHARED && !is_extern) {
    v->function = stays ? p->function : NULL;
    v->is_called = p->function && !stays;
    v->at_module_scope = !p->function;
    if (p->function)
      v->offset = place(stays ? &p->function->shared_bytes : &m->shared_bytes, v->size, v->align);
  }
  if (accept(p, "=")) {
    if (space != PTX_GLOBAL && space != PTX_CONST)
      fail_at(p, tok, "only global and constant variables have initial values");
    v->data = arena_alloc(&m->arena, v->size ? v->size : 1, 1);
    uint64_t count = 0;
    values(p, v, &count);
  }
  expect(p, ";");
  if (p->depth == 0 && merge(p, v))
    return;
  if (space == PTX_GLOBAL || space == PTX_CONST) {
    m->variables = arena_grow(&m->arena, m->variables, m->variable_count, sizeof *m->variables);
    v->first = m->variable_count;
    m->variables[m->variable_count++] = v;
  } else if (space == PTX_SHARED) {
    list_shared(m, v);
  }
}

/* Operands */

/* A shared variable of the module belongs to each kernel that names it, unless a function that kernels call names it:
 * with -rdc=true, nvcc declares the variables of all kernels there. Returns the kernel's own, for further uses. */
static struct ptx_symbol *own_shared(struct parser *p, struct ptx_symbol *v) {
  uint32_t *align = p->function->is_entry ? &p->function->dynamic_align : &p->module->dynamic_align;
  if (v->is_extern && v->align > *align)
    *align = v->align;
  if (!p->function->is_entry)
    v->is_called = true;
  if (v->is_called || v->is_extern || v->function)
    return v;
  struct ptx_symbol *own = new_symbol(p, FUNCTION_SCOPE, PTX_SYMBOL_VARIABLE, v->name);
  *own = *v;
  own->function = p->function;
  own->offset = place(&p->function->shared_bytes, v->size, v->align);
  list_shared(p->module, own);
  return own;
}

static struct ptx_symbol *name_or_label(struct parser *p, const struct token *tok) {
  struct ptx_symbol *symbol = find(p, tok->start, tok->length);
  if (symbol && !(is_open_label(symbol) && symbol->depth < p->depth)) {
    if (symbol->kind == PTX_SYMBOL_REGISTER)
      fail_at(p, tok, "register family used as a register");
    return symbol->kind == PTX_SYMBOL_VARIABLE && symbol->space == PTX_SHARED ? own_shared(p, symbol)
                                                                              : symbol;
  }
  if (tok->start[0] == '%' || tok->start[0] == '.')
    fail_at(p, tok, "unknown register or name '%.*s'", (int)tok->length, tok->start);
  symbol = new_label(p, tok);
  p->undefined = arena_grow(&p->module->arena, p->undefined, p->undefined_count, sizeof *p->undefined);
  p->undefined[p->undefined_count++] = symbol;
  return symbol;
}

static bool find_special(const struct token *tok, uint64_t *special) {
  static const char *const names[] = {
#define X(id, name) name,
      PTX_SPECIALS(X)
#undef X
  };
  for (unsigned i = 0; i < PTX_SPECIAL_COUNT; i++)
    if (is(tok, names[i])) {
      *special = i;
      return true;
    }
  return false;
}

static struct ptx_operand operand(struct parser *p, unsigned nesting);

/* operand {"," operand}: nearly always few enough for the local array; the result has no spare room */
static struct ptx_operand *operands(struct parser *p, unsigned nesting, uint32_t *count) {
  struct ptx_operand few[ARENA_FIRST], *many = NULL;
  struct arena *arena = &p->module->arena;
  *count = 0;
  do {
    if (*count == ARENA_FIRST)
      many = arena_copy(arena, few, *count, sizeof *few);
    if (many)
      many = arena_grow(arena, many, *count, sizeof *many);
    (many ? many : few)[(*count)++] = operand(p, nesting);
  } while (accept(p, ","));
  return many ? many : arena_copy(arena, few, *count, sizeof *few);
}

/* list = operands closing */
static struct ptx_operand list(struct parser *p, const char *closing, unsigned nesting) {
  struct ptx_operand vector = {.kind = PTX_OPERAND_VECTOR, .reg = -1, .pair = -1};
  if (accept(p, closing))
    return vector;
  vector.elements = operands(p, nesting + 1, &vector.count);
  expect(p, closing);
  return vector;
}

/* memory = "[" (register | name | integer) ["+" integer] ["," operands] "]": those of textures, tensors */
static struct ptx_operand memory(struct parser *p, unsigned nesting) {
  struct ptx_operand o = {.kind = PTX_OPERAND_MEMORY, .reg = -1, .pair = -1};
  if (p->tok->kind == TOKEN_WORD) {
    o.reg = find_register(p, p->tok->start, p->tok->length);
    if (o.reg < 0)
      o.symbol = name_or_label(p, p->tok);
    p->tok++;
    if (accept(p, "+"))
      o.value = integer(p);
    else if (is(p->tok, "-"))
      o.value = integer(p);
  } else {
    o.value = integer(p);
  }
  if (accept(p, ","))
    o.elements = operands(p, nesting + 1, &o.count);
  expect(p, "]");
  return o;
}

/* operand = register ["|" register] | special | "WARP_SZ" | number | name ["+" integer] | memory | "{" list |
 * "(" list | "_" */
static struct ptx_operand operand(struct parser *p, unsigned nesting) {
  struct ptx_operand o = {.kind = PTX_OPERAND_SINK, .reg = -1, .pair = -1};
  const struct token *tok = p->tok;
  if (nesting > 3)
    fail_at(p, tok, "operands nested too deeply");
  if (accept(p, "{"))
    return list(p, "}", nesting);
  if (accept(p, "("))
    return list(p, ")", nesting);
  if (accept(p, "["))
    return memory(p, nesting);
  if (is(tok, "-") || tok->kind == TOKEN_NUMBER) {
    bool negative = accept(p, "-");
    o.kind = number(p, &o.value);
    if (negative && o.kind == PTX_OPERAND_INTEGER)
      o.value = 0 - o.value;
    else if (negative)
      o.value ^= sign_bit(o.kind);
    return o;
  }
  if (accept(p, "!")) {
    o.negated = true;
    tok = p->tok;
  }
  if (tok->kind != TOKEN_WORD)
    fail_at(p, tok, "expected an operand");
  p->tok++;
  if (is(tok, "_")) {
    if (accept(p, "|"))
      goto pair;
    return o;
  }
  o.reg = find_register(p, tok->start, tok->length);
  if (o.reg >= 0) {
    o.kind = PTX_OPERAND_REGISTER;
    if (!accept(p, "|"))
      return o;
  pair:
    if (p->tok->kind != TOKEN_WORD)
      fail_at(p, p->tok, "expected a register");
    o.pair = find_register(p, p->tok->start, p->tok->length);
    if (o.pair < 0 && !is(p->tok, "_"))
      fail_at(p, p->tok, "expected a register");
    p->tok++;
  } else if (is(tok, "WARP_SZ")) {
    o.kind = PTX_OPERAND_INTEGER;
    o.value = 32;
  } else if (find_special(tok, &o.value)) {
    o.kind = PTX_OPERAND_SPECIAL;
  } else {
    o.kind = PTX_OPERAND_SYMBOL;
    o.symbol = name_or_label(p, tok);
    if (accept(p, "+"))
      o.value = integer(p);
  }
  return o;
}

/* Statements */

static struct lines_position position(struct parser *p) {
  const uint32_t file = p->file_base + small_integer(p, UINT32_MAX), line = small_integer(p, UINT32_MAX);
  return (struct lines_position){file, line, (uint32_t)integer(p)};
}

/* location = ".loc" file line column ["," "function_name" … "," "inlined_at" file line column] */
static void location(struct parser *p) {
  const struct lines_position at = position(p);
  if (!accept(p, ",")) {
    lines_mark(&p->lines, at, NULL);
    return;
  }
  word(p);
  word(p);
  if (accept(p, "+"))
    integer(p);
  expect(p, ",");
  word(p);
  const struct lines_position caller = position(p);
  lines_mark(&p->lines, at, &caller);
}

static void define_label(struct parser *p, struct token *tok) {
  struct ptx_symbol *label = find(p, tok->start, tok->length);
  const bool is_own = label && label->kind == PTX_SYMBOL_LABEL && label->depth == p->depth;
  if (is_own && label->is_defined)
    fail_at(p, tok, "label defined twice");
  if (!is_own)
    label = new_label(p, tok);
  label->is_defined = true;
  label->offset = p->function->inst_count;
  if (accept(p, ".branchtargets")) {
    do {
      struct ptx_symbol *target = p->tok->kind == TOKEN_WORD ? name_or_label(p, p->tok) : NULL;
      if (!target || target->kind != PTX_SYMBOL_LABEL)
        fail_at(p, p->tok, "expected a label");
      p->tok++;
      label->targets =
          arena_grow(&p->module->arena, label->targets, label->target_count, sizeof *label->targets);
      label->targets[label->target_count++] = target;
    } while (accept(p, ","));
    expect(p, ";");
  } else if (accept(p, ".callprototype") || accept(p, ".calltargets")) {
    while (!accept(p, ";")) {
      if (at_end(p))
        fail_at(p, p->tok, "unexpected end");
      p->tok++;
    }
  }
}

/* mnemonic: curand_poisson.h writes "lg2.approx.f32.ftz", and ptxas accepts it. */
static const char *mnemonic(struct parser *p) {
  char *name = word(p);
  const size_t length = strlen(name), end = sizeof ".f32.ftz" - 1;
  if (length > end && strcmp(name + length - end, ".f32.ftz") == 0)
    memcpy(name + length - end, ".ftz.f32", end);
  return name;
}

/* instruction = ["@" ["!"] register] mnemonic [operands] ";"
 * A call's operands: [(results),] function [, (arguments)] [, prototype]. */
static void instruction(struct parser *p) {
  struct ptx_inst inst = {.guard = -1, .ptx_line = (uint32_t)p->tok->line, .location = p->lines.location};
  if (accept(p, "@")) {
    inst.guard_negated = accept(p, "!");
    inst.guard = find_register(p, p->tok->start, p->tok->length);
    if (inst.guard < 0 || p->function->reg_types[inst.guard] != PTX_PRED)
      fail_at(p, p->tok, "expected a predicate");
    p->tok++;
  }
  const struct token *tok = p->tok;
  inst.op = mnemonic(p);
  if (!is(p->tok, ";"))
    inst.operands = operands(p, 0, &inst.operand_count);
  if (!accept(p, ";"))
    fail_at(p, tok, "malformed instruction");
  struct ptx_function *f = p->function;
  f->insts = arena_grow(&p->module->arena, f->insts, f->inst_count, sizeof *f->insts);
  f->insts[f->inst_count++] = inst;
}

static bool space_word(struct parser *p, enum ptx_space *space) {
  static const struct {
    const char *word;
    enum ptx_space space;
  } spaces[] = {{".global", PTX_GLOBAL},
                {".const", PTX_CONST},
                {".shared", PTX_SHARED},
                {".local", PTX_LOCAL},
                {".param", PTX_PARAM}};
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (accept(p, spaces[i].word)) {
      *space = spaces[i].space;
      return true;
    }
  return false;
}

static void skip_statement(struct parser *p) {
  while (!accept(p, ";")) {
    if (at_end(p))
      fail_at(p, p->tok, "unexpected end");
    p->tok++;
  }
}

/* statement = registers | variable | location | ".pragma" … ";" | label ":" | instruction */
static void statement(struct parser *p) {
  enum ptx_space space;
  if (p->tok->kind == TOKEN_WORD && p->tok->length > 5 && memcmp(p->tok->start, ".reg.", 5) == 0) {
    p->tok->start += 4; /* the toolkit's own assembly writes ".reg.b16" */
    p->tok->length -= 4;
    registers(p);
  } else if (accept(p, ".reg"))
    registers(p);
  else if (space_word(p, &space))
    variable(p, space, false);
  else if (accept(p, ".loc"))
    location(p);
  else if (accept(p, ".pragma"))
    skip_statement(p);
  else if (p->tok->kind == TOKEN_WORD && is(p->tok + 1, ":")) {
    p->tok += 2;
    define_label(p, p->tok - 2);
  } else {
    instruction(p);
  }
}

/* body = "{" {statement | body} "}" */
static void body(struct parser *p) {
  unsigned outermost = p->depth;
  expect(p, "{");
  open_scope(p);
  while (p->depth > outermost) {
    if (at_end(p))
      fail_at(p, p->tok, "unexpected end of function");
    if (accept(p, "{"))
      open_scope(p);
    else if (accept(p, "}"))
      close_block(p);
    else
      statement(p);
  }
}

/* parameters = "(" [".param" declarator {"," ".param" declarator}] ")" */
static struct ptx_symbol **parameters(struct parser *p, uint32_t *count) {
  struct ptx_symbol **params = NULL;
  if (accept(p, ")"))
    return NULL;
  do {
    bool reg = is(p->tok, ".reg");
    if (reg || !accept(p, ".param"))
      fail_at(p, p->tok, "expected '.param'");
    params = arena_grow(&p->module->arena, params, *count, sizeof *params);
    struct ptx_symbol *v = declarator(p, PTX_PARAM, p->depth);
    v->offset = place(&p->param_bytes, v->size, v->align);
    params[(*count)++] = v;
  } while (accept(p, ","));
  expect(p, ")");
  return params;
}

static struct ptx_function *function_named(struct parser *p, char *name) {
  struct ptx_symbol *symbol = find(p, name, strlen(name));
  if (symbol && symbol->kind == PTX_SYMBOL_FUNCTION)
    return symbol->function;
  if (symbol)
    fail_at(p, p->tok, "'%s' is already a variable", name);
  symbol = new_symbol(p, 0, PTX_SYMBOL_FUNCTION, name);
  struct ptx_function *f = symbol->function = arena_alloc(&p->module->arena, 1, sizeof *f);
  f->name = name;
  if (p->last_function)
    p->last_function->next = f;
  else
    p->module->functions = f;
  p->last_function = f;
  return f;
}

/* attributes of a function: ".maxntid" n {"," n} | ".reqnctapercluster" n {"," n} | ".minnctapersm" n | ".maxnreg" n |
 * ".noreturn" | others with numbers, which are ignored */
static void attributes(struct parser *p, struct ptx_function *f) {
  while (p->tok->kind == TOKEN_WORD && p->tok->start[0] == '.') {
    bool bound = is(p->tok, ".maxntid") || is(p->tok, ".reqntid");
    const bool clusters = is(p->tok, ".reqnctapercluster"), blocks = is(p->tok, ".minnctapersm"),
               registers = is(p->tok, ".maxnreg");
    p->tok++;
    uint64_t product = 1;
    for (int i = 0; p->tok->kind == TOKEN_NUMBER; i++) {
      const uint64_t number = small_integer(p, 1 << 20);
      product *= number;
      if (clusters && i < 3)
        f->cluster[i] = (uint32_t)number;
      if (!accept(p, ","))
        break;
    }
    if (bound)
      f->max_threads = product > 1024 ? 1024 : (uint32_t)product;
    if (blocks)
      f->least_blocks = product > 32 ? 32 : (uint32_t)product;
    if (registers)
      f->max_registers = product > 255 ? 255 : (uint32_t)product;
  }
}

static void block(struct parser *p, const char *of) {
  if (p->tok->kind != TOKEN_BLOCK) {
    expect(p, "{");
    fail_at(p, p->tok, "unexpected end of %s", of);
  }
  p->tok++;
}

/* function = (".entry" | ".func" ["(" returns ")"]) name ["(" parameters ")"] attributes (body | ";") */
static void function(struct parser *p, bool is_entry) {
  const struct token *tok = p->tok;
  p->param_bytes = 0;
  open_scope(p);
  uint32_t return_count = 0, param_count = 0;
  struct ptx_symbol **returns = !is_entry && accept(p, "(") ? parameters(p, &return_count) : NULL;
  struct ptx_function *f = function_named(p, word(p));
  if (is_entry)
    p->param_bytes = 0;
  struct ptx_symbol **params = accept(p, "(") ? parameters(p, &param_count) : NULL;
  if (f->has_body) { /* the definition takes precedence, or the first of several weak ones */
    attributes(p, &(struct ptx_function){0});
    if (p->tok->kind == TOKEN_BLOCK && f->unit != p->unit)
      p->tok++;
    else if (!accept(p, ";"))
      fail_at(p, tok, "function '%s' defined twice", f->name);
    close_scope(p);
    return;
  }
  attributes(p, f);
  f->unit = p->unit;
  f->file_base = p->file_base;
  f->is_entry = is_entry;
  f->params = params;
  f->param_count = param_count;
  f->returns = returns;
  f->return_count = return_count;
  if (is_entry) {
    if (p->param_bytes > 32768)
      fail_at(p, tok, "kernel parameters larger than 32764 bytes");
    f->param_bytes = (uint32_t)p->param_bytes;
    p->param_bytes = 0;
  } else {
    f->frame_param_bytes = p->param_bytes;
  }
  if (!accept(p, ";")) {
    block(p, "function");
    f->has_body = true;
    f->start = tok;
  }
  close_scope(p);
}

/* Declares the function's names, then parses its body; the body's tokens are scanned only now. */
/* A label that was used before its definition, which may be in an outer block. */
static void settle_label(struct parser *p, const struct ptx_function *f, struct ptx_symbol *label) {
  const struct ptx_symbol *meant = label;
  while (meant->outer)
    meant = meant->outer;
  if (!meant->is_defined)
    fail_at(p, f->start, "undefined name '%s' in '%s'", label->name, f->name);
  label->is_defined = true;
  label->offset = meant->offset;
  label->targets = meant->targets;
  label->target_count = meant->target_count;
}

static void function_body(struct parser *p, struct ptx_function *f) {
  const struct token *whole = f->start;
  while (whole->kind != TOKEN_BLOCK)
    whole++;
  p->function = f;
  p->unit = f->unit;
  p->file_base = f->file_base;
  lines_begin(&p->lines);
  p->undefined_count = 0;
  p->param_bytes = f->frame_param_bytes;
  open_scope(p);
  for (uint32_t i = 0; i < f->return_count; i++)
    declare(p, p->depth, f->returns[i]);
  for (uint32_t i = 0; i < f->param_count; i++)
    declare(p, p->depth, f->params[i]);
  p->tok = token_all(&p->module->arena, whole->start, whole->length, whole->line);
  body(p);
  for (size_t i = 0; i < p->undefined_count; i++)
    settle_label(p, f, p->undefined[i]);
  close_scope(p);
  ptx_flow(p->module, f);
}

/* Begins a translation unit at its ".version": file = ".file" number string, collected first, since .loc comes before
 * .file in nvcc's output */
static void unit(struct parser *p) {
  struct ptx_module *m = p->module;
  p->unit++;
  p->file_base = m->file_count;
  for (struct token *tok = p->tok; tok->kind != TOKEN_END && (tok == p->tok || !is(tok, ".version")); tok++) {
    if (!is(tok, ".file") || tok[1].kind != TOKEN_NUMBER || tok[2].kind != TOKEN_STRING)
      continue;
    uint64_t number = strtoull(tok[1].start, NULL, 10);
    if (number > 65535)
      fail_at(p, tok, "file number too large");
    number += p->file_base;
    while (m->file_count <= number) {
      m->files = arena_grow(&m->arena, m->files, m->file_count, sizeof *m->files);
      lines_add_file(&p->lines);
      m->files[m->file_count++] = NULL;
    }
    char *path = arena_string(&m->arena, tok[2].start, tok[2].length);
    m->files[number] = path;
    lines_name_file(&p->lines, (uint32_t)number, path);
  }
}

/* module = {directive | variable | function} */
static void module(struct parser *p) {
  const struct token *first = p->tok;
  while (!at_end(p)) {
    enum ptx_space space;
    bool is_extern = false;
    if (p->tok == first || is(p->tok, ".version"))
      unit(p);
    p->is_local = true;
    while (is(p->tok, ".visible") || is(p->tok, ".extern") || is(p->tok, ".weak") || is(p->tok, ".common")) {
      is_extern |= is(p->tok++, ".extern");
      p->is_local = false;
    }
    if (accept(p, ".version") || accept(p, ".address_size"))
      p->tok += !at_end(p);
    else if (accept(p, ".target")) {
      do
        word(p);
      while (accept(p, ","));
    } else if (accept(p, ".file")) {
      p->tok += !at_end(p);
      p->tok += !at_end(p);
      while (accept(p, ","))
        integer(p);
    } else if (accept(p, ".section")) {
      word(p);
      block(p, "section");
    } else if (accept(p, ".pragma"))
      skip_statement(p);
    else if (accept(p, ".entry"))
      function(p, true);
    else if (accept(p, ".func"))
      function(p, false);
    else if (space_word(p, &space))
      variable(p, space, is_extern);
    else if (!accept(p, ";"))
      fail_at(p, p->tok, "expected a declaration");
  }
}

/* Of the shared variables at module scope, those that called functions name have one place for all kernels. */
static void place_called(struct ptx_module *m, struct ptx_symbol *v) {
  if (v->at_module_scope && v->is_called && !v->is_extern)
    v->offset = place(&m->shared_bytes, v->size, v->align);
}

struct ptx_module *ptx_parse(char *text) {
  struct ptx_module *m = calloc(1, sizeof *m);
  struct parser *p = calloc(1, sizeof *p);
  if (!m || !p)
    abort();
  m->arena = (struct arena){.limit = MAX_MODULE_BYTES, .fail = out_of_memory, .context = p};
  m->text = text;
  m->parser = p;
  p->module = m;
  p->lines.arena = &m->arena;
  if (setjmp(p->escape) == 0) {
    p->tok = token_outline(&m->arena, text, strlen(text));
    module(p);
  }
  m->arena.fail = NULL;
  for (struct ptx_function *f = m->functions; f && !m->error[0]; f = f->next)
    if (!f->is_entry) /* shared variables in it belong to the module, and any kernel may call it */
      ptx_parse_body(m, f);
  for (uint32_t i = 0; i < m->shared_count; i++)
    place_called(m, m->shared[i]);
  return m;
}

bool ptx_parse_body(struct ptx_module *m, struct ptx_function *f) {
  struct parser *p = m->parser;
  if (!f->start)
    return true;
  m->arena.fail = out_of_memory;
  m->arena.context = p;
  const bool parsed = setjmp(p->escape) == 0;
  if (parsed)
    function_body(p, f);
  while (p->depth > 0)
    close_scope(p);
  m->arena.fail = NULL;
  p->function = NULL;
  f->start = NULL;
  return parsed;
}

const char *ptx_unit(const struct ptx_module *m, uint32_t unit, size_t *length) {
  static const char word[] = "\n.version";
  const char *start = strstr(m->text, word + 1), *end = NULL;
  for (uint32_t n = 1; n < unit && start; n++)
    start = strstr(start + 1, word);
  if (start)
    end = strstr(start + 1, word);
  *length = end ? (size_t)(end - start) : start ? strlen(start) : 0;
  return start;
}

void ptx_free(struct ptx_module *m) {
  arena_free(&m->arena);
  free(m->parser);
  free(m->text);
  free(m);
}
