/* The debug information that nvcc -G writes into PTX: DWARF in sections of numbers and names. A register of a location
 * is its name's bytes as a number; places in the code are labels. */
#pragma once

#include "ptx.h"

enum dwarf_tag {
  DWARF_ARRAY = 0x01,
  DWARF_CLASS = 0x02,
  DWARF_ENUMERATION = 0x04,
  DWARF_PARAMETER = 0x05,
  DWARF_BLOCK = 0x0b,
  DWARF_MEMBER = 0x0d,
  DWARF_POINTER = 0x0f,
  DWARF_REFERENCE = 0x10,
  DWARF_UNIT = 0x11,
  DWARF_STRUCTURE = 0x13,
  DWARF_TYPEDEF = 0x16,
  DWARF_UNION = 0x17,
  DWARF_BASE_CLASS = 0x1c,
  DWARF_INLINED = 0x1d,
  DWARF_SUBRANGE = 0x21,
  DWARF_BASE = 0x24,
  DWARF_CONST = 0x26,
  DWARF_ENUMERATOR = 0x28,
  DWARF_FUNCTION = 0x2e,
  DWARF_VARIABLE = 0x34,
  DWARF_VOLATILE = 0x35,
  DWARF_RESTRICT = 0x37,
  DWARF_RVALUE_REFERENCE = 0x42
};

enum dwarf_encoding { DWARF_BOOLEAN = 2, DWARF_FLOAT = 4, DWARF_SIGNED = 5, DWARF_SIGNED_CHAR = 6 };

struct dwarf_name { /* in the PTX text; no name: length 0 */
  const char *start;
  size_t length;
};

struct dwarf_entry {
  uint32_t offset, tag, depth; /* its children follow with depth + 1 */
  const char *name, *linkage;  /* or NULL */
  uint32_t type, origin;       /* offsets of entries; 0: none */
  uint64_t size, count;        /* bytes; elements */
  int64_t value;               /* of an enumerator; of a member, its place */
  uint32_t encoding, file, line, call_line;
  struct dwarf_name low, high; /* labels around its code */
  bool has_location, has_list; /* at `location`: in the entries, or a list of ranges */
  uint32_t location, location_bytes;
};

enum dwarf_place { DWARF_NOWHERE, DWARF_IN_REGISTER, DWARF_IN_MEMORY };

struct dwarf;

/* Reads the sections of one translation unit's text. NULL: it has none, or they are malformed, which
 * `error` then says. */
struct dwarf *dwarf_read(const char *text, size_t length, char *error, size_t size);
void dwarf_free(struct dwarf *dwarf);
uint32_t dwarf_count(const struct dwarf *dwarf);
const struct dwarf_entry *dwarf_entry(const struct dwarf *dwarf, uint32_t index);
/* The entry at this offset, or NULL. */
const struct dwarf_entry *dwarf_at(const struct dwarf *dwarf, uint32_t offset);

/* Where a variable is: the register, or the symbol and an offset from it. `covers`: whether the code from one label to
 * another includes the place in question. */
typedef bool dwarf_covers(void *context, struct dwarf_name low, struct dwarf_name high);
enum dwarf_place dwarf_locate(const struct dwarf *dwarf, const struct dwarf_entry *entry,
                              dwarf_covers *covers, void *context, struct dwarf_name *name, uint64_t *offset);
