#include "source_line.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const Elf64_Ehdr __ehdr_start __attribute__((weak, visibility("hidden"))); /* by the linker */

struct bytes {
  const unsigned char *at, *end;
};
static struct bytes table; /* .debug_line */
static uintptr_t moved_by; /* instructions, from their place in the file */

/* --- reading --- */

static uint64_t number(struct bytes *b, int size) {
  uint64_t value = 0;
  if (b->end - b->at < size) {
    b->at = b->end;
    return 0;
  }
  memcpy(&value, b->at, (size_t)size); /* little-endian, as all machines with CUDA are */
  b->at += size;
  return value;
}

static uint64_t leb(struct bytes *b, bool has_sign) {
  uint64_t value = 0;
  unsigned shift = 0, byte = 0x80;
  for (; b->at < b->end && shift < 64 && byte & 0x80; shift += 7)
    value |= (uint64_t)((byte = *b->at++) & 0x7f) << shift;
  return has_sign && byte & 0x40 && shift < 64 ? value | UINT64_MAX << shift : value;
}

static const char *text(struct bytes *b) {
  const char *start = (const char *)b->at;
  const unsigned char *zero = memchr(b->at, 0, (size_t)(b->end - b->at));
  b->at = zero ? zero + 1 : b->end;
  return zero ? start : "";
}

/* --- the program's file --- */

static const Elf64_Shdr *find_section(const char *file, size_t size, const char *name) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  if (size < sizeof *header || header->e_shoff + (uint64_t)header->e_shnum * sizeof(Elf64_Shdr) > size ||
      header->e_shstrndx >= header->e_shnum)
    return NULL;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff),
                   *names = &sections[header->e_shstrndx];
  for (int n = 0; n < header->e_shnum; n++) {
    const uint64_t at = names->sh_offset + sections[n].sh_name;
    if (at + strlen(name) < size && strcmp(file + at, name) == 0 &&
        sections[n].sh_offset + sections[n].sh_size <= size)
      return &sections[n];
  }
  return NULL;
}

static uintptr_t first_address(const char *file) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  const Elf64_Phdr *segments = (const Elf64_Phdr *)(file + header->e_phoff);
  for (int n = 0; n < header->e_phnum; n++)
    if (segments[n].p_type == PT_LOAD)
      return segments[n].p_vaddr;
  return 0;
}

bool source_line_open(void) {
  struct stat status;
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) != 0)
    return false;
  const size_t size = (size_t)status.st_size;
  const char *start = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  const Elf64_Shdr *section = start == MAP_FAILED ? NULL : find_section(start, size, ".debug_line");
  if (!section || !&__ehdr_start)
    return false;
  const unsigned char *first = (const unsigned char *)start + section->sh_offset;
  table = (struct bytes){first, first + section->sh_size};
  moved_by = (uintptr_t)&__ehdr_start - first_address(start);
  return true;
}

/* --- one unit: DWARF 4, section 6.2 --- */

enum {
  COPY = 1,
  ADVANCE_PC,
  ADVANCE_LINE,
  SET_FILE,
  SET_COLUMN,
  NEGATE,
  BASIC_BLOCK,
  CONST_ADD_PC,
  FIXED_ADVANCE_PC
};
enum { END_SEQUENCE = 1, SET_ADDRESS };

struct unit {
  struct bytes names, program;
  unsigned least, base_range, first_opcode;
  int line_base;
  unsigned char operands[256];
};

struct row {
  uint64_t address, file, line;
};

static bool unit_open(struct bytes b, struct unit *u) {
  if (number(&b, 2) != 4)
    return false;
  const uint64_t length = number(&b, 4);
  if (length > (uint64_t)(b.end - b.at))
    return false;
  u->program = (struct bytes){b.at + length, b.end};
  u->least = (unsigned)number(&b, 1);
  number(&b, 2); /* operations of an instruction; whether rows are statements */
  u->line_base = (int)(number(&b, 1) ^ 0x80) - 0x80; /* it has a sign */
  u->base_range = (unsigned)number(&b, 1);
  u->first_opcode = (unsigned)number(&b, 1);
  for (unsigned n = 1; n < u->first_opcode; n++)
    u->operands[n] = (unsigned char)number(&b, 1);
  while (text(&b)[0]) /* folders */
    continue;
  u->names = b;
  return u->base_range > 0;
}

static const char *name_of(const struct unit *u, uint64_t file) {
  struct bytes b = u->names;
  const char *name = text(&b);
  for (; name[0] && file > 1; file--) {
    leb(&b, false), leb(&b, false), leb(&b, false); /* folder, time, size */
    name = text(&b);
  }
  const char *slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

static bool ends_sequence(struct bytes *b, struct row *row) {
  const uint64_t length = leb(b, false);
  struct bytes rest = {b->at, length < (uint64_t)(b->end - b->at) ? b->at + length : b->end};
  const uint64_t opcode = number(&rest, 1);
  if (opcode == SET_ADDRESS)
    row->address = number(&rest, 8);
  b->at = rest.end;
  return opcode == END_SEQUENCE;
}

static void step(const struct unit *u, unsigned opcode, struct row *row) {
  row->address += opcode / u->base_range * u->least;
  row->line += (uint64_t)((int)(opcode % u->base_range) + u->line_base);
}

/* A standard opcode. True: it adds a row. */
static bool do_standard(const struct unit *u, unsigned opcode, struct bytes *b, struct row *row) {
  if (opcode == ADVANCE_PC)
    row->address += leb(b, false) * u->least;
  else if (opcode == ADVANCE_LINE)
    row->line += leb(b, true);
  else if (opcode == SET_FILE)
    row->file = leb(b, false);
  else if (opcode == CONST_ADD_PC)
    row->address += (255 - u->first_opcode) / u->base_range * u->least;
  else if (opcode == FIXED_ADVANCE_PC)
    row->address += number(b, 2);
  else
    for (int n = 0; n < u->operands[opcode]; n++)
      leb(b, false);
  return opcode == COPY;
}

/* The row whose instructions contain the address: from its own up to the next row's. */
static bool unit_find(const struct unit *u, uint64_t address, struct row *found) {
  struct bytes b = u->program;
  struct row row = {0, 1, 1}, before = {0};
  bool is_open = false;
  while (b.at < b.end) {
    const unsigned opcode = *b.at++;
    bool adds = opcode >= u->first_opcode, ends = false;
    if (adds)
      step(u, opcode - u->first_opcode, &row);
    else if (opcode == 0)
      adds = ends = ends_sequence(&b, &row);
    else
      adds = do_standard(u, opcode, &b, &row);
    if (!adds)
      continue;
    if (is_open && before.address <= address && address < row.address) {
      *found = before;
      return true;
    }
    before = row;
    is_open = !ends;
    if (ends)
      row = (struct row){0, 1, 1};
  }
  return false;
}

static bool is_of_the_submission(const char *name) {
  const size_t length = strlen(name);
  return length > 3 && strcmp(name + length - 3, ".cu") == 0;
}

bool source_line_find(uintptr_t instruction, struct source_line *found) {
  static struct unit u;
  struct row row;
  for (struct bytes b = table; b.end - b.at > 4;) {
    const uint64_t length = number(&b, 4);
    if (length > (uint64_t)(b.end - b.at))
      return false;
    if (unit_open((struct bytes){b.at, b.at + length}, &u) && unit_find(&u, instruction - moved_by, &row) &&
        is_of_the_submission(name_of(&u, row.file))) {
      *found = (struct source_line){name_of(&u, row.file), (unsigned)row.line};
      return true;
    }
    b.at += length;
  }
  return false;
}
