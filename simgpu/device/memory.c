#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/room.h"
#include "shadow.h"

enum { LARGE = 1 << 20 };
#define ANY_HOST_HAS (UINT64_C(1) << 30)
#define SPARSE (UINT64_C(1) << 30) /* larger arrays get their pages, of zeros, when they are used */
#define PROGRAMS_START 0x10000     /* Linux maps nothing below */

void memory_open(struct memory *memory, uint64_t limit) {
  *memory = (struct memory){.limit = limit, .next = SIM_ADDRESS_FIRST, .heap_limit = HEAP_BYTES};
}

static void release_host(struct allocation *a) {
  if (a->shared)
    munmap(a->shared, a->shared_bytes);
  else if (a->mapped >= LARGE)
    munmap(a->host, a->mapped);
  else
    free(a->host);
}

static void free_usage(struct usage *u) {
  if (!u)
    return;
  for (int s = 0; s < SIM_STREAMS; s++)
    for (int n = 0; n < USAGE_KEPT; n++) {
      free(n < u->read[s].count ? u->read[s].item[n].bits : NULL);
      free(n < u->written[s].count ? u->written[s].item[n].bits : NULL);
    }
  free(u->kept);
  free(u);
}

static void release(struct allocation *a) {
  if (!a->physical)
    shadow_free(a->shadow);
  free(a->by_kernel);
  free(a->sectors_read);
  free_usage(a->usage);
  if (a->size && !a->physical)
    release_host(a);
  free(a);
}

void memory_close(struct memory *memory) {
  for (uint32_t i = 0; i < memory->count; i++)
    release(memory->list[i]);
  free(memory->list);
  free(memory->unused);
}

/* Of `allocation`, which the caller takes out of the list: `count` others remain. */
static void return_slot(struct memory *memory, const struct allocation *allocation, uint32_t count) {
  memory->unused[memory->slots - count - 1] = allocation->slot;
}

/* Index of the first allocation that ends after `address`. */
static uint32_t lower(const struct memory *memory, uint64_t address) {
  uint32_t low = 0, high = memory->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (memory->list[middle]->base + memory->list[middle]->size <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool memory_has_host(const struct memory *memory) {
  for (uint32_t i = 0; i < memory->count; i++)
    if (memory->list[i]->shared || memory->list[i]->is_host)
      return true;
  return false;
}

struct allocation *memory_find(const struct memory *memory, uint64_t address) {
  uint32_t i = lower(memory, address);
  return i < memory->count && memory->list[i]->base <= address ? memory->list[i] : NULL;
}

struct allocation *memory_nearest(const struct memory *memory, uint64_t address) {
  uint32_t i = lower(memory, address), before_i = i;
  if (i < memory->count && memory->list[i]->base <= address)
    return memory->list[i];
  while (i < memory->count && memory->list[i]->is_compilers)
    i++;
  while (before_i > 0 && memory->list[before_i - 1]->is_compilers)
    before_i--;
  struct allocation *after = i < memory->count ? memory->list[i] : NULL;
  struct allocation *before = before_i > 0 ? memory->list[before_i - 1] : NULL;
  if (!before || !after)
    return before ? before : after;
  return address - (before->base + before->size) < after->base - address ? before : after;
}

const struct freed *memory_freed(const struct memory *memory, uint64_t address) {
  uint64_t kept = memory->freed_count < FREED_KEPT ? memory->freed_count : FREED_KEPT;
  for (uint64_t k = 1; k <= kept; k++) {
    const struct freed *f = &memory->freed[(memory->freed_count - k) % FREED_KEPT];
    if (address - f->base < f->size)
      return f;
  }
  return NULL;
}

uint8_t *memory_at(const struct memory *memory, uint64_t address, uint64_t size) {
  uint32_t i = lower(memory, address);
  const struct allocation *a = i < memory->count ? memory->list[i] : NULL;
  if (!a || a->base > address)
    return NULL;
  uint64_t there = a->size - (address - a->base);
  for (const struct allocation *last = a; size > there; there += last->size) {
    const struct allocation *next = last->physical && ++i < memory->count ? memory->list[i] : NULL;
    if (!next || next->base != last->base + last->size)
      return NULL;
    last = next;
  }
  return a->host + (address - a->base);
}

bool memory_is_read_only(const struct memory *memory, uint64_t address, uint64_t size) {
  for (uint32_t i = lower(memory, address); i < memory->count && memory->list[i]->base < address + size; i++)
    if (memory->list[i]->physical && memory->list[i]->is_constant)
      return true;
  return false;
}

uint8_t *memory_past_end(const struct memory *memory, uint64_t address, uint64_t size) {
  uint32_t i =
      lower(memory, address); /* first that ends after the address: it, or the one before, maps the bytes */
  if (i == memory->count || memory->list[i]->base > address)
    i--; /* without one before, it wraps round */
  const struct allocation *a = i < memory->count ? memory->list[i] : NULL;
  const uint64_t at = a ? address - a->base : 0;
  return a && a->size && at < a->mapped && size <= a->mapped - at ? a->host + at : NULL;
}

/* Addresses are reused only after the whole range has been used, so that a stale pointer hits no allocation. */
static bool find_place(struct memory *memory, uint64_t span, uint64_t *base) {
  for (int round = 0; round < 2; round++) {
    uint64_t at = round == 0 ? memory->next : SIM_ADDRESS_FIRST;
    for (uint32_t i = lower(memory, at);; i++) {
      const bool is_last = i >= memory->count || memory->list[i]->base >= MEMORY_LAST;
      uint64_t end = is_last ? MEMORY_LAST : memory->list[i]->base;
      if (at < end && end - at >= span) {
        *base = at;
        memory->next = at + span;
        return true;
      }
      if (is_last)
        break;
      uint64_t past = memory->list[i]->base + memory->list[i]->size + MEMORY_GUARD;
      at = (past + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
    }
  }
  return false;
}

/* For an allocation that is not listed yet. */
static uint32_t free_slot(struct memory *memory) {
  return memory->count == memory->slots ? memory->slots++ : memory->unused[memory->slots - memory->count - 1];
}

/* Zeroed, or with unknown contents. NULL: there is not so much. If there is not even a little, that is no fault of the
 * program, which must not fail for it. */
static void *host_memory(uint64_t size, bool zeroed) {
  if (size < LARGE)
    return zeroed ? room_zeroed(size, 1) : room_found(malloc(size));
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (size > SPARSE ? MAP_NORESERVE : 0);
  void *host = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (host == MAP_FAILED)
    return size <= ANY_HOST_HAS ? room_found(NULL) : NULL;
  if (size <= SPARSE)
    madvise(host, size, MADV_HUGEPAGE); /* the whole range is filled at once: far fewer page faults */
  return host;
}

static void insert(struct memory *memory, struct allocation *a) {
  if (memory->count == memory->capacity) {
    uint32_t capacity = memory->capacity ? 2 * memory->capacity : 64;
    memory->list = room_resized(memory->list, capacity, sizeof *memory->list);
    memory->unused = room_resized(memory->unused, capacity, sizeof *memory->unused);
    memory->capacity = capacity;
  }
  const uint32_t i = lower(memory, a->base);
  memmove(&memory->list[i + 1], &memory->list[i], (memory->count - i) * sizeof *memory->list);
  memory->list[i] = a;
  memory->count++;
}

static void give_origins(const struct memory *memory, struct allocation *a) {
  if (memory->has_origins)
    a->by_kernel = room_zeroed(a->size / ORIGIN_BYTES + 1, sizeof *a->by_kernel);
}

struct allocation *memory_allocate(struct memory *memory, uint64_t size) {
  uint64_t base, span = (size + MEMORY_GUARD + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
  if (size > memory->limit || memory_charge(size) > memory->limit - memory->used ||
      !find_place(memory, span, &base))
    return NULL;
  const uint64_t mapped = memory->lenient ? span : size;
  uint8_t *host = host_memory(mapped, memory->lenient);
  if (!host)
    return NULL;
  struct allocation *a = room_zeroed(1, sizeof *a);
  if (!memory->lenient && size <= SPARSE) {
    room_mapped(host, size);
    memset(host, POISON, size);
  }
  *a = (struct allocation){
      .base = base, .size = size, .mapped = mapped, .host = host, .slot = free_slot(memory)};
  give_origins(memory, a);
  insert(memory, a);
  memory->used += memory_charge(size);
  return a;
}

static void note_freed(struct memory *memory, const struct allocation *a) {
  if (!a->shared || !a->is_host) /* shared pages are the client's */
    memory->used -= memory_charge(a->size);
  if (a->is_host)
    return;
  memory->freed[memory->freed_count++ % FREED_KEPT] = (struct freed){a->base, a->size, a->number};
}

static void unlist(struct memory *memory, const struct allocation *allocation) {
  const uint32_t i = lower(memory, allocation->base);
  memmove(&memory->list[i], &memory->list[i + 1], (memory->count - i - 1) * sizeof *memory->list);
  return_slot(memory, allocation, --memory->count);
}

void memory_free(struct memory *memory, struct allocation *allocation) {
  unlist(memory, allocation);
  note_freed(memory, allocation);
  release(allocation);
}

struct allocation *memory_attach(struct memory *memory, const struct allocation *mapping) {
  struct allocation *a = room_zeroed(1, sizeof *a);
  *a = *mapping;
  a->mapped = a->size;
  a->slot = free_slot(memory);
  insert(memory, a);
  return a;
}

void memory_detach(struct memory *memory, struct allocation *allocation) {
  unlist(memory, allocation);
  release(allocation);
}

static uint64_t page_size(void) { return (uint64_t)sysconf(_SC_PAGESIZE); }

/* The file's first bytes, or NULL. */
static uint8_t *map_file(int file, uint64_t bytes) {
  struct stat status;
  if (fstat(file, &status) || !S_ISREG(status.st_mode) || (uint64_t)status.st_size < bytes)
    return NULL;
  uint8_t *const shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return shared == MAP_FAILED ? NULL : shared;
}

bool memory_share(struct allocation *a, int file) {
  const uint64_t offset = a->base % page_size(), bytes = offset + a->size + SIM_SHARE_ROOM;
  if (a->shared || a->physical || !a->size || a->mapped > a->size + SIM_SHARE_ROOM)
    return false;
  uint8_t *const shared = map_file(file, bytes);
  if (!shared)
    return false;
  if (a->is_symbol) /* other memory is new and zero, as the file is */
    memcpy(shared + offset, a->host, a->mapped);
  release_host(a);
  a->shared = shared;
  a->shared_bytes = bytes;
  a->host = shared + offset;
  return true;
}

/* Whether these are addresses of the client's own that no allocation has. */
static bool is_clients(const struct memory *memory, uint64_t base, uint64_t size) {
  if (!size || size > SIM_PROGRAM_LAST || base < PROGRAMS_START || base > SIM_PROGRAM_LAST - size ||
      (base < SIM_ADDRESS_LAST && base + size > SIM_ADDRESS_FIRST))
    return false;
  const uint32_t i = lower(memory, base);
  return i == memory->count || memory->list[i]->base >= base + size;
}

bool memory_register(struct memory *memory, uint64_t base, uint64_t size, int file) {
  const uint64_t page = page_size(), offset = base % page;
  if (!is_clients(memory, base, size))
    return false;
  const uint64_t bytes = (offset + size + page - 1) / page * page;
  uint8_t *const shared = map_file(file, bytes);
  if (!shared)
    return false;
  struct allocation *a = room_zeroed(1, sizeof *a);
  *a = (struct allocation){.base = base,
                           .size = size,
                           .mapped = bytes - offset,
                           .host = shared + offset,
                           .shared = shared,
                           .shared_bytes = bytes,
                           .slot = free_slot(memory),
                           .is_host = true};
  insert(memory, a);
  return true;
}

bool memory_mirror(struct memory *memory, uint64_t base, uint64_t size) {
  if (!is_clients(memory, base, size) || size > memory->limit ||
      memory_charge(size) > memory->limit - memory->used)
    return false;
  uint8_t *host = host_memory(size, true);
  if (!host)
    return false;
  struct allocation *a = room_zeroed(1, sizeof *a);
  *a = (struct allocation){
      .base = base, .size = size, .mapped = size, .host = host, .slot = free_slot(memory), .is_host = true};
  give_origins(memory, a);
  insert(memory, a);
  memory->used += memory_charge(size);
  return true;
}

/* The alignment and the overhead of an allocation are 16 bytes each. */
static uint64_t heap_charge(uint64_t size) { return (size + 15) / 16 * 16 + 16; }

struct allocation *memory_heap_allocate(struct memory *memory, uint64_t size) {
  memory->heap_started = true;
  if (size == 0 || size > memory->heap_limit || heap_charge(size) > memory->heap_limit - memory->heap_used)
    return NULL;
  struct allocation *a = memory_allocate(memory, size);
  if (!a)
    return NULL;
  a->is_heap = true;
  memory->heap_used += heap_charge(size);
  return a;
}

void memory_heap_free(struct memory *memory, struct allocation *a) {
  note_freed(memory, a);
  memory->heap_used -= heap_charge(a->size);
  memory->heap_freed++;
  release_host(a);
  a->size = 0;
}

void memory_sweep(struct memory *memory) {
  uint32_t kept = 0, left = memory->count;
  for (uint32_t i = 0; memory->heap_freed && i < memory->count; i++)
    if (memory->list[i]->size) {
      memory->list[kept++] = memory->list[i];
    } else {
      return_slot(memory, memory->list[i], --left);
      release(memory->list[i]);
    }
  memory->count = left;
  memory->heap_freed = 0;
}
