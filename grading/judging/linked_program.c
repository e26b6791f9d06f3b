#include "linked_program.h"
#include "all_bytes.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEGMENTS = 64, PATH = 64 };
#define MOST_BYTES (UINT64_C(1) << 40) /* of a segment in memory: more cannot be loaded anywhere */

/* Segments that tell the kernel something else than what to load, and that no lab program has. */
static const char *unusual_segment(uint32_t type, bool is_static) {
  switch (type) {
  case PT_INTERP:
    return is_static ? "INTERP" : NULL;
  case PT_DYNAMIC:
    return is_static ? "DYNAMIC" : NULL;
  case PT_SHLIB:
    return "SHLIB";
  default:
    return NULL;
  }
}

/* That of the grader itself, which this machine starts; "" if it has none. */
static const char *own_interpreter(void) {
  const Elf64_Phdr *segments = (const Elf64_Phdr *)getauxval(AT_PHDR);
  const unsigned long count = segments ? getauxval(AT_PHNUM) : 0;
  uintptr_t base = 0;
  for (unsigned long n = 0; n < count; n++)
    if (segments[n].p_type == PT_PHDR)
      base = (uintptr_t)segments - segments[n].p_vaddr;
  for (unsigned long n = 0; n < count; n++)
    if (segments[n].p_type == PT_INTERP)
      return (const char *)(base + segments[n].p_vaddr);
  return "";
}

static bool has_own_interpreter(int file, const Elf64_Phdr *segment) {
  const char *own = own_interpreter();
  const size_t size = strlen(own) + 1;
  char path[PATH];
  return size <= sizeof path && segment->p_filesz == size &&
         all_bytes_read_at(file, path, size, (off_t)segment->p_offset) == (ssize_t)size &&
         memcmp(path, own, size) == 0;
}

static bool check_segment(int file, const Elf64_Phdr *segment, bool is_static, struct error *why) {
  const char *name = unusual_segment(segment->p_type, is_static);
  if (name)
    return error_set(why,
                     "the linked program has a segment %s: expected none: does a section of the source have "
                     "a name of the linker's?",
                     name);
  if (segment->p_type == PT_INTERP && !has_own_interpreter(file, segment))
    return error_set(
        why, "the linked program has another interpreter than the programs of this machine: expected %s",
        own_interpreter());
  if (segment->p_memsz > MOST_BYTES || segment->p_filesz > segment->p_memsz)
    return error_set(why,
                     "the linked program has a segment that cannot be loaded: is a static array too large?");
  return true;
}

static bool check(int file, bool is_static, struct error *why) {
  Elf64_Ehdr header;
  Elf64_Phdr segments[SEGMENTS];
  if (all_bytes_read_at(file, &header, sizeof header, 0) != sizeof header ||
      header.e_phentsize != sizeof *segments || header.e_phnum > SEGMENTS ||
      (is_static && header.e_type != ET_EXEC))
    return error_set(why, "the linked program is not an ordinary ELF program");
  const ssize_t size = (ssize_t)(header.e_phnum * sizeof *segments);
  if (all_bytes_read_at(file, segments, (size_t)size, (off_t)header.e_phoff) != size)
    return error_set(why, "the linked program is not an ordinary ELF program");
  for (int n = 0; n < header.e_phnum; n++)
    if (!check_segment(file, &segments[n], is_static, why))
      return false;
  return true;
}

bool linked_program_check(const char *path, bool is_static, struct error *why) {
  struct stat status;
  char magic[SELFMAG];
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const bool is_elf = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                      all_bytes_read_at(file, magic, sizeof magic, 0) == sizeof magic &&
                      memcmp(magic, ELFMAG, SELFMAG) == 0;
  const bool good = !is_elf || check(file, is_static, why);
  if (file >= 0)
    close(file);
  return good;
}
