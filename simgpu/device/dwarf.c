#define _GNU_SOURCE /* memmem */
#include "dwarf.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/room.h"

enum { MOST_DEPTH = 64, HEADER = 11, ADDRESS = 8, REGISTER_NAME = 8 };
enum { OP_ADDRESS = 0x03, OP_PLUS = 0x23, OP_REGISTER = 0x90 };

struct link { /* a name that stands for the bytes at `at` */
  uint32_t at;
  struct dwarf_name name;
  uint64_t addend;
};

struct section {
  uint8_t *bytes;
  struct link *links;
  uint32_t size, link_count;
};

struct abbreviation { /* the shape of an entry: its attributes start at `at` in the section */
  uint64_t code;
  uint32_t tag, at;
  bool has_children;
};

struct dwarf {
  struct section info, shapes, lists;
  struct abbreviation *abbreviations;
  struct dwarf_entry *entries;
  uint32_t abbreviation_count, entry_count;
};

/* The text of a section */

static size_t name_length(const char *at, const char *end) {
  size_t length = 0;
  while (at + length < end &&
         (isalnum((unsigned char)at[length]) || (at[length] && strchr("_.$%", at[length]))))
    length++;
  return length;
}

static void append(struct section *s, uint64_t value, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i++, value >>= 8) {
    s->bytes = room_grown(s->bytes, s->size, 1);
    s->bytes[s->size++] = (uint8_t)value;
  }
}

/* value = ["-"] number | name ["+" number]; returns what follows, or NULL. */
static const char *read_value(struct section *s, const char *at, const char *end, uint32_t bytes) {
  char *after;
  uint64_t value = 0;
  const size_t length = isdigit((unsigned char)*at) ? 0 : name_length(at, end);
  if (length) {
    after = (char *)(uintptr_t)(at + length);
    if (*after == '+')
      value = strtoull(after + 1, &after, 0);
    s->links = room_grown(s->links, s->link_count, sizeof *s->links);
    s->links[s->link_count++] = (struct link){s->size, {at, length}, value};
  } else {
    value = strtoull(at, &after, 0);
  }
  if (after == at || after > end)
    return NULL;
  append(s, value, bytes);
  return after;
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && isspace((unsigned char)*at))
    at++;
  return at;
}

/* section = "{" {name ":" | (".b8" | ".b16" | ".b32" | ".b64") value {"," value}} "}" */
static bool read_section(struct section *s, const char *at, const char *end) {
  for (at = skip_blanks(at, end); at < end && *at != '}'; at = skip_blanks(at, end)) {
    const size_t length = name_length(at, end);
    if (length && at + length < end && at[length] == ':') {
      at += length + 1;
      continue;
    }
    const unsigned long bits = length > 2 && strncmp(at, ".b", 2) == 0 ? strtoul(at + 2, NULL, 10) : 0;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
      return false;
    at += length;
    do {
      at = read_value(s, skip_blanks(at + (*at == ','), end), end, (uint32_t)bits / 8);
      at = at ? skip_blanks(at, end) : NULL;
    } while (at && at < end && *at == ',');
    if (!at)
      return false;
  }
  return at < end;
}

/* ".section" name "{" …: returns false if it is malformed. A text without it has an empty one. */
static bool find_section(struct section *s, const char *name, const char *text, const char *end) {
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), ".section", 8));) {
    at = skip_blanks(at + 8, end);
    const size_t length = name_length(at, end);
    if (length != strlen(name) || strncmp(at, name, length) != 0)
      continue;
    at = skip_blanks(at + length, end);
    return at < end && *at == '{' && read_section(s, at + 1, end);
  }
  return true;
}

/* Bytes */

struct cursor {
  const struct section *section;
  uint32_t at;
  bool failed; /* it is past the end */
};

static uint64_t number(struct cursor *c, uint64_t bytes) {
  uint64_t value = 0;
  if (c->failed || bytes > c->section->size - c->at) {
    c->failed = true;
    return 0;
  }
  for (uint32_t i = 0; i < bytes && i < 8; i++)
    value |= (uint64_t)c->section->bytes[c->at + i] << 8 * i;
  c->at += (uint32_t)bytes;
  return value;
}

/* A number of 7 bits per byte, lowest first. */
static uint64_t packed(struct cursor *c, bool is_signed) {
  uint64_t value = 0, byte;
  uint32_t shift = 0;
  do {
    byte = number(c, 1);
    value |= shift < 64 ? (byte & 0x7f) << shift : 0;
    shift += 7;
  } while (byte & 0x80);
  return is_signed && shift < 64 && byte & 0x40 ? value | UINT64_MAX << shift : value;
}

static const struct link *link_at(const struct section *s, uint32_t at) {
  uint32_t low = 0, high = s->link_count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (s->links[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->link_count && s->links[low].at == at ? &s->links[low] : NULL;
}

static struct dwarf_name name_at(struct cursor *c) {
  const struct link *link = link_at(c->section, c->at);
  number(c, ADDRESS);
  return link ? link->name : (struct dwarf_name){NULL, 0};
}

/* Entries */

static bool read_shapes(struct dwarf *d) {
  struct cursor c = {.section = &d->shapes};
  uint64_t code;
  while ((code = packed(&c, false))) {
    struct abbreviation a = {.code = code, .tag = (uint32_t)packed(&c, false), .has_children = number(&c, 1)};
    a.at = c.at;
    for (bool more = true; more;) { /* attributes and their forms, up to two zeros */
      const uint64_t attribute = packed(&c, false), form = packed(&c, false);
      more = attribute || form;
    }
    if (c.failed)
      return false;
    d->abbreviations = room_grown(d->abbreviations, d->abbreviation_count, sizeof a);
    d->abbreviations[d->abbreviation_count++] = a;
  }
  return !c.failed;
}

static const struct abbreviation *shape_of(const struct dwarf *d, uint64_t code) {
  for (uint32_t i = 0; i < d->abbreviation_count; i++)
    if (d->abbreviations[i].code == code)
      return &d->abbreviations[i];
  return NULL;
}

enum form { FORM_NUMBER, FORM_SIGNED, FORM_TEXT, FORM_BLOCK, FORM_REFERENCE, FORM_UNKNOWN };

struct field {
  enum form form;
  uint64_t number; /* or the bytes of a block */
  uint32_t at;     /* its first byte */
};

/* A value in one of the forms of DWARF 2 to 4. */
static struct field field(struct cursor *c, uint64_t form) {
  static const struct {
    uint8_t form, bytes; /* bytes 0: the number of bytes comes first, packed */
    enum form kind;
  } forms[] = {{0x01, 8, FORM_NUMBER},    {0x05, 2, FORM_NUMBER},    {0x06, 4, FORM_NUMBER},
               {0x07, 8, FORM_NUMBER},    {0x0b, 1, FORM_NUMBER},    {0x0c, 1, FORM_NUMBER},
               {0x0e, 4, FORM_NUMBER},    {0x17, 4, FORM_NUMBER},    {0x03, 2, FORM_BLOCK},
               {0x04, 4, FORM_BLOCK},     {0x0a, 1, FORM_BLOCK},     {0x09, 0, FORM_BLOCK},
               {0x18, 0, FORM_BLOCK},     {0x0f, 0, FORM_NUMBER},    {0x0d, 0, FORM_SIGNED},
               {0x15, 0, FORM_REFERENCE}, {0x11, 1, FORM_REFERENCE}, {0x12, 2, FORM_REFERENCE},
               {0x13, 4, FORM_REFERENCE}, {0x14, 8, FORM_REFERENCE}, {0x10, 4, FORM_REFERENCE}};
  struct field f = {.form = FORM_UNKNOWN, .at = c->at};
  if (form == 0x08) {
    while (number(c, 1))
      continue;
    f.form = FORM_TEXT;
    return f;
  }
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (forms[i].form == form) {
      f.form = forms[i].kind;
      f.number = forms[i].bytes ? number(c, forms[i].bytes) : packed(c, f.form == FORM_SIGNED);
    }
  if (f.form == FORM_BLOCK) {
    f.at = c->at;
    number(c, f.number);
  }
  return f;
}

/* A member's place is a number, or an expression that adds one. */
static int64_t place_of_member(const struct dwarf *d, const struct field *f) {
  struct cursor c = {.section = &d->info, .at = f->at};
  return (int64_t)(f->form != FORM_BLOCK ? f->number : number(&c, 1) == OP_PLUS ? packed(&c, false) : 0);
}

static void place_of(struct dwarf *d, struct dwarf_entry *e, const struct field *f) {
  const struct link *link = f->form == FORM_BLOCK ? NULL : link_at(&d->info, f->at);
  if (e->tag == DWARF_MEMBER || e->tag == DWARF_BASE_CLASS) {
    e->value = place_of_member(d, f);
    return;
  }
  e->has_location = true;
  e->has_list = f->form != FORM_BLOCK;
  e->location = !e->has_list ? f->at : link ? (uint32_t)link->addend : (uint32_t)f->number;
  e->location_bytes = (uint32_t)f->number;
}

static const char *text_of(const struct dwarf *d, const struct field *f) {
  return f->form == FORM_TEXT ? (const char *)d->info.bytes + f->at : NULL;
}

static struct dwarf_name label_of(const struct dwarf *d, const struct field *f) {
  const struct link *link = link_at(&d->info, f->at);
  return link ? link->name : (struct dwarf_name){NULL, 0};
}

static void set(struct dwarf *d, struct dwarf_entry *e, uint64_t attribute, const struct field *f) {
  switch (attribute) {
  case 0x02: /* location */
  case 0x38: /* data_member_location */
    place_of(d, e, f);
    break;
  case 0x03:
    e->name = text_of(d, f);
    break;
  case 0x6e:
  case 0x2007: /* linkage_name, MIPS_linkage_name */
    e->linkage = text_of(d, f);
    break;
  case 0x0b:
    e->size = f->number;
    break;
  case 0x11:
    e->low = label_of(d, f);
    break;
  case 0x12:
    e->high = label_of(d, f);
    break;
  case 0x1c: /* const_value */
    e->value = (int64_t)f->number;
    break;
  case 0x2f: /* upper_bound */
    e->count = f->number + 1;
    break;
  case 0x31: /* abstract_origin */
    e->origin = (uint32_t)f->number;
    break;
  case 0x37:
    e->count = f->number;
    break;
  case 0x3a:
    e->file = (uint32_t)f->number;
    break;
  case 0x3b:
    e->line = (uint32_t)f->number;
    break;
  case 0x3e:
    e->encoding = (uint32_t)f->number;
    break;
  case 0x49:
    e->type = (uint32_t)f->number;
    break;
  case 0x59:
    e->call_line = (uint32_t)f->number;
    break;
  default: /* others say nothing that is printed */
    break;
  }
}

/* Returns false, with the place of the fault in c->at. */
static bool read_entries(struct dwarf *d, struct cursor *c) {
  number(c, HEADER);
  uint32_t depth = 0;
  do {
    const uint32_t start = c->at;
    const uint64_t code = packed(c, false);
    if (c->failed)
      return false;
    if (!code) {
      depth -= depth > 0;
      continue;
    }
    const struct abbreviation *a = shape_of(d, code);
    if (!a || depth == MOST_DEPTH)
      return false;
    struct dwarf_entry e = {.offset = start, .tag = a->tag, .depth = depth};
    struct cursor shape = {.section = &d->shapes, .at = a->at};
    for (uint64_t attribute; (attribute = packed(&shape, false));) {
      const struct field f = field(c, packed(&shape, false));
      if (c->failed || f.form == FORM_UNKNOWN)
        return false;
      set(d, &e, attribute, &f);
    }
    d->entries = room_grown(d->entries, d->entry_count, sizeof e);
    d->entries[d->entry_count++] = e;
    depth += a->has_children;
  } while (depth > 0);
  return true;
}

static bool read_all(struct dwarf *d, const char *text, const char *end, char *error, size_t size) {
  struct cursor c = {.section = &d->info};
  if (!find_section(&d->info, ".debug_info", text, end) ||
      !find_section(&d->shapes, ".debug_abbrev", text, end) ||
      !find_section(&d->lists, ".debug_loc", text, end)) {
    snprintf(error, size, "a section holds more than numbers and names");
  } else if (!read_shapes(d)) {
    snprintf(error, size, ".debug_abbrev ends within an entry");
  } else if (!read_entries(d, &c)) {
    snprintf(error, size, ".debug_info has no valid entry at byte %u", c.at);
  } else {
    return true;
  }
  return false;
}

struct dwarf *dwarf_read(const char *text, size_t length, char *error, size_t size) {
  error[0] = '\0';
  if (!memmem(text, length, ".debug_info", 11))
    return NULL;
  struct dwarf *d = room_zeroed(1, sizeof *d);
  if (read_all(d, text, text + length, error, size))
    return d;
  dwarf_free(d);
  return NULL;
}

static void free_section(struct section *s) {
  free(s->bytes);
  free(s->links);
}

void dwarf_free(struct dwarf *d) {
  if (!d)
    return;
  free_section(&d->info);
  free_section(&d->shapes);
  free_section(&d->lists);
  free(d->abbreviations);
  free(d->entries);
  free(d);
}

uint32_t dwarf_count(const struct dwarf *d) { return d->entry_count; }
const struct dwarf_entry *dwarf_entry(const struct dwarf *d, uint32_t index) { return &d->entries[index]; }

const struct dwarf_entry *dwarf_at(const struct dwarf *d, uint32_t offset) {
  uint32_t low = 0, high = d->entry_count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (d->entries[middle].offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < d->entry_count && d->entries[low].offset == offset ? &d->entries[low] : NULL;
}

/* Locations */

/* Moves to the expression of the range that covers the place in question: low, high, bytes, expression. Returns its
 * bytes, or 0. */
static uint64_t find_range(struct cursor *c, dwarf_covers *covers, void *context) {
  for (;;) {
    const struct dwarf_name low = name_at(c), high = name_at(c);
    const uint64_t bytes = number(c, 2);
    if (c->failed || !low.length || !high.length)
      return 0;
    if (covers(context, low, high))
      return bytes;
    number(c, bytes);
  }
}

enum dwarf_place dwarf_locate(const struct dwarf *d, const struct dwarf_entry *e, dwarf_covers *covers,
                              void *context, struct dwarf_name *name, uint64_t *offset) {
  static char text[REGISTER_NAME];
  struct cursor c = {.section = e->has_list ? &d->lists : &d->info, .at = e->location};
  c.failed = c.at > c.section->size;
  const uint64_t bytes = e->has_list ? find_range(&c, covers, context) : e->location_bytes,
                 end = c.at + bytes;
  if (!e->has_location || !bytes)
    return DWARF_NOWHERE;
  const uint64_t op = number(&c, 1);
  *offset = 0;
  if (op == OP_ADDRESS) {
    *name = name_at(&c);
    if (c.at < end && number(&c, 1) == OP_PLUS)
      *offset = packed(&c, false);
    return name->length && !c.failed ? DWARF_IN_MEMORY : DWARF_NOWHERE;
  }
  if (op != OP_REGISTER)
    return DWARF_NOWHERE;
  char *first = text + REGISTER_NAME;
  for (uint64_t rest = packed(&c, false); rest && first > text; rest >>= 8)
    *--first = (char)rest;
  *name = (struct dwarf_name){first, (size_t)(text + REGISTER_NAME - first)};
  return name->length && !c.failed ? DWARF_IN_REGISTER : DWARF_NOWHERE;
}
