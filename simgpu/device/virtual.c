#define _GNU_SOURCE /* memfd_create, fallocate */
#include "virtual.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/room.h"
#include "shadow.h"

/* The host has at most 65 530 areas by default, and each mapping can make two. */
enum { MOST_MAPPINGS = 24 << 10 };
#define SPAN (SIM_ADDRESS_LAST - MEMORY_LAST)

static void close_own(const struct physical *p) {
  if (p->file >= 0)
    close(p->file);
}

void virtual_close(struct virtual_memory *v) {
  for (uint32_t i = 0; i < v->physical_count; i++) {
    shadow_free(v->physicals[i]->shadow);
    close_own(v->physicals[i]);
    free(v->physicals[i]);
  }
  if (v->host)
    munmap(v->host, SPAN);
  if (v->file_end)
    close(v->file);
  free(v->reservations);
  free(v->mappings);
  free(v->physicals);
  *v = (struct virtual_memory){0};
}

/* Addresses */

static bool is_granular(uint64_t number) { return number % SIM_GRANULE == 0; }

/* Whether these are whole granules of addresses that can be reserved. */
static bool is_range(uint64_t base, uint64_t size) {
  return size && is_granular(base) && is_granular(size) && base >= MEMORY_LAST && base < SIM_ADDRESS_LAST &&
         size <= SIM_ADDRESS_LAST - base;
}

/* Index of the first reservation, or mapping, that ends after the address. */
static uint32_t reserved_after(const struct virtual_memory *v, uint64_t address) {
  uint32_t low = 0, high = v->reservation_count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (v->reservations[middle].base + v->reservations[middle].size <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint32_t mapped_after(const struct virtual_memory *v, uint64_t address) {
  uint32_t low = 0, high = v->mapping_count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (v->mappings[middle].base + v->mappings[middle].size <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Reservations side by side count as one. */
static bool are_all_reserved(const struct virtual_memory *v, uint64_t base, uint64_t size) {
  for (uint32_t i = reserved_after(v, base); i < v->reservation_count && v->reservations[i].base <= base;
       i++) {
    const uint64_t end = v->reservations[i].base + v->reservations[i].size;
    if (size <= end - base)
      return true;
    size -= end - base;
    base = end;
  }
  return false;
}

bool virtual_is_reserved(const struct virtual_memory *v, uint64_t address) {
  return are_all_reserved(v, address, 1);
}

static bool is_free(const struct virtual_memory *v, uint64_t base, uint64_t size) {
  const uint32_t i = reserved_after(v, base);
  return i == v->reservation_count || v->reservations[i].base >= base + size;
}

static uint64_t rounded(uint64_t address, uint64_t alignment) {
  return (address + alignment - 1) / alignment * alignment;
}

/* Addresses are reused only after the whole range has been used, so that a stale pointer points nowhere. */
static bool find_place(struct virtual_memory *v, uint64_t size, uint64_t alignment, uint64_t *base) {
  const uint64_t starts[] = {v->next ? v->next : MEMORY_LAST, MEMORY_LAST};
  for (int round = 0; round < 2; round++) {
    uint64_t at = rounded(starts[round], alignment);
    while (is_range(at, size)) {
      if (is_free(v, at, size)) {
        *base = at;
        v->next = at + size;
        return true;
      }
      const struct reservation *r = &v->reservations[reserved_after(v, at)];
      at = rounded(r->base + r->size, alignment);
    }
  }
  return false;
}

enum sim_status virtual_reserve(struct virtual_memory *v, const struct sim_reserve *r, uint64_t *base) {
  const uint64_t alignment = r->alignment < SIM_GRANULE ? SIM_GRANULE : r->alignment;
  if (!r->size || !is_granular(r->size) || !is_granular(r->wanted) || r->alignment & (r->alignment - 1))
    return SIM_INVALID_VALUE;
  if (r->size > SPAN || alignment > SIM_ADDRESS_LAST)
    return SIM_OUT_OF_MEMORY;
  if (is_range(r->wanted, r->size) && r->wanted % alignment == 0 && is_free(v, r->wanted, r->size))
    *base = r->wanted;
  else if (!find_place(v, r->size, alignment, base))
    return SIM_OUT_OF_MEMORY;
  v->reservations = room_grown(v->reservations, v->reservation_count, sizeof *v->reservations);
  const uint32_t i = reserved_after(v, *base);
  memmove(&v->reservations[i + 1], &v->reservations[i], (v->reservation_count - i) * sizeof *v->reservations);
  v->reservations[i] = (struct reservation){*base, r->size};
  v->reservation_count++;
  return SIM_OK;
}

bool virtual_unreserve(struct virtual_memory *v, uint64_t base, uint64_t size) {
  const uint32_t i = reserved_after(v, base), m = mapped_after(v, base);
  if (i == v->reservation_count || v->reservations[i].base != base || v->reservations[i].size != size ||
      (m < v->mapping_count && v->mappings[m].base < base + size))
    return false;
  v->reservation_count--;
  memmove(&v->reservations[i], &v->reservations[i + 1], (v->reservation_count - i) * sizeof *v->reservations);
  return true;
}

/* Physical memory */

static bool open_file(struct virtual_memory *v, uint64_t size) {
  if (!v->file_end)
    v->file = memfd_create("simgpu-physical", MFD_CLOEXEC);
  if (v->file < 0 || size > INT64_MAX - v->file_end)
    return false;
  if (ftruncate(v->file, (off_t)(v->file_end + size)) == 0)
    return true;
  if (!v->file_end)
    close(v->file);
  return false;
}

static bool poison(const struct virtual_memory *v, uint64_t place, uint64_t size) {
  void *const host = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, v->file, (off_t)place);
  if (host == MAP_FAILED)
    return false;
  memset(host, POISON, size);
  munmap(host, size);
  return true;
}

static void forget_place(const struct virtual_memory *v, const struct physical *p) {
  fallocate(v->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)p->place, (off_t)p->is.size);
}

struct physical *virtual_create(struct virtual_memory *v, struct memory *memory,
                                const struct sim_physical *is, enum sim_status *status) {
  *status = SIM_INVALID_VALUE;
  if (!is->size || !is_granular(is->size) || is->device >= SIM_DEVICES)
    return NULL;
  *status = SIM_OUT_OF_MEMORY;
  if (is->size > memory->limit - memory->used || v->last_id == UINT32_MAX || !open_file(v, is->size))
    return NULL;
  struct physical *p = room_zeroed(1, sizeof *p);
  *p = (struct physical){.id = ++v->last_id, .is = *is, .place = v->file_end, .file = -1, .references = 1};
  v->file_end += is->size;
  if (!memory->lenient && !poison(v, p->place, is->size)) {
    free(p);
    return NULL;
  }
  v->physicals = room_grown(v->physicals, v->physical_count, sizeof(struct physical *));
  v->physicals[v->physical_count++] = p;
  memory->used += is->size;
  *status = SIM_OK;
  return p;
}

bool virtual_use_file(struct virtual_memory *v, struct physical *p, int file) {
  struct stat is;
  if (p->file >= 0 || p->mappings || fstat(file, &is) != 0 || (uint64_t)is.st_size < p->is.size)
    return false;
  p->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (p->file < 0)
    return false;
  forget_place(v, p);
  p->place = 0;
  return true;
}

static uint32_t index_of(const struct virtual_memory *v, uint32_t id) {
  uint32_t low = 0, high = v->physical_count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (v->physicals[middle]->id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct physical *virtual_physical(const struct virtual_memory *v, uint32_t id) {
  const uint32_t i = index_of(v, id);
  return i < v->physical_count && v->physicals[i]->id == id ? v->physicals[i] : NULL;
}

static void free_if_unused(struct virtual_memory *v, struct memory *memory, struct physical *p) {
  if (p->references || p->mappings)
    return;
  const uint32_t i = index_of(v, p->id);
  v->physical_count--;
  memmove(&v->physicals[i], &v->physicals[i + 1], (v->physical_count - i) * sizeof(struct physical *));
  if (p->file < 0)
    forget_place(v, p);
  close_own(p);
  memory->used -= p->is.size;
  shadow_free(p->shadow);
  free(p);
}

bool virtual_drop(struct virtual_memory *v, struct memory *memory, struct physical *p) {
  if (!p->references)
    return false;
  p->references--;
  free_if_unused(v, memory, p);
  return true;
}

/* Mappings */

static uint8_t *host_of(const struct virtual_memory *v, uint64_t address) {
  return v->host + (address - MEMORY_LAST);
}

/* Without memory, the host's addresses stay taken. The client's memory stays mapped if that fails, and
 * nothing uses it. */
static void *map_nothing(uint8_t *at, uint64_t size) {
  return mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1, 0);
}

static bool map_host(struct virtual_memory *v, uint64_t base, const struct physical *p) {
  if (!v->host) {
    void *const host = map_nothing(NULL, SPAN);
    v->host = host == MAP_FAILED ? NULL : host;
  }
  if (!v->host)
    return false;
  uint8_t *const at = host_of(v, base);
  if (mmap(at, p->is.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, p->file >= 0 ? p->file : v->file,
           (off_t)p->place) == at)
    return true;
  if (map_nothing(at, p->is.size) != at)
    abort(); /* other memory of this process could get these addresses */
  return false;
}

enum sim_status virtual_map(struct virtual_memory *v, const struct sim_map *map) {
  struct physical *const p = virtual_physical(v, map->id);
  const uint32_t i = mapped_after(v, map->address);
  if (!p || !p->references || p->is.size != map->size || !is_range(map->address, map->size) ||
      !are_all_reserved(v, map->address, map->size) ||
      (i < v->mapping_count && v->mappings[i].base < map->address + map->size))
    return SIM_INVALID_VALUE;
  if (v->mapping_count == MOST_MAPPINGS || !map_host(v, map->address, p))
    return SIM_OUT_OF_MEMORY;
  v->mappings = room_grown(v->mappings, v->mapping_count, sizeof *v->mappings);
  memmove(&v->mappings[i + 1], &v->mappings[i], (v->mapping_count - i) * sizeof *v->mappings);
  v->mappings[i] = (struct mapping){.base = map->address, .size = map->size, .physical = p};
  v->mapping_count++;
  p->mappings++;
  return SIM_OK;
}

/* The mappings in a range of addresses, from `first` to before `end`. False: some are only in part. */
static bool whole_mappings(const struct virtual_memory *v, uint64_t base, uint64_t size, uint32_t *first,
                           uint32_t *end) {
  *first = *end = mapped_after(v, base);
  while (*end < v->mapping_count && v->mappings[*end].base < base + size)
    ++*end;
  if (*first == *end)
    return true;
  const struct mapping *last = &v->mappings[*end - 1];
  return v->mappings[*first].base >= base && last->base + last->size <= base + size;
}

bool virtual_unmap(struct virtual_memory *v, struct memory *memory, uint64_t base, uint64_t size) {
  uint32_t first, end;
  if (!is_range(base, size) || !are_all_reserved(v, base, size) ||
      !whole_mappings(v, base, size, &first, &end))
    return false;
  if (first == end) /* there may be no list */
    return true;
  for (uint32_t i = first; i < end; i++) {
    struct mapping *m = &v->mappings[i];
    if (m->listed)
      memory_detach(memory, m->listed);
    map_nothing(host_of(v, m->base), m->size);
    m->physical->mappings--;
    free_if_unused(v, memory, m->physical);
  }
  memmove(&v->mappings[first], &v->mappings[end], (v->mapping_count - end) * sizeof *v->mappings);
  v->mapping_count -= end - first;
  return true;
}

/* All devices reach what one of them may access, as all share one memory. */
static void list(const struct virtual_memory *v, struct memory *memory, struct mapping *m) {
  unsigned all = 0;
  for (int d = 0; d < SIM_DEVICES; d++)
    all |= m->access[d];
  if (m->listed)
    memory_detach(memory, m->listed);
  const struct allocation a = {.base = m->base,
                               .size = m->size,
                               .host = host_of(v, m->base),
                               .is_constant = all == SIM_ACCESS_READ,
                               .physical = m->physical,
                               .number = m->physical->number,
                               .shadow = m->physical->shadow};
  m->listed = all ? memory_attach(memory, &a) : NULL;
}

bool virtual_access(struct virtual_memory *v, struct memory *memory, const struct sim_access *access) {
  uint32_t first, end;
  uint64_t mapped = 0;
  if (!is_range(access->address, access->size) || access->device >= SIM_DEVICES ||
      (access->access != SIM_ACCESS_NONE && access->access != SIM_ACCESS_READ &&
       access->access != SIM_ACCESS_READ_WRITE) ||
      !whole_mappings(v, access->address, access->size, &first, &end))
    return false;
  for (uint32_t i = first; i < end; i++)
    mapped += v->mappings[i].size;
  if (mapped != access->size)
    return false;
  for (uint32_t i = first; i < end; i++) {
    v->mappings[i].access[access->device] = (uint8_t)access->access;
    list(v, memory, &v->mappings[i]);
  }
  return true;
}

const struct mapping *virtual_find(const struct virtual_memory *v, uint64_t address) {
  const uint32_t i = mapped_after(v, address);
  return i < v->mapping_count && v->mappings[i].base <= address ? &v->mappings[i] : NULL;
}
