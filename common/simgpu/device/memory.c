#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shadow.h"

enum { LARGE = 1 << 20 };

void memory_open(struct memory *memory, uint64_t limit) {
  *memory = (struct memory){.limit = limit, .next = SIM_ADDRESS_FIRST};
}

static void release(struct allocation *a) {
  shadow_free(a->shadow);
  if (a->size >= LARGE)
    munmap(a->host, a->size);
  else
    free(a->host);
  free(a);
}

void memory_close(struct memory *memory) {
  for (uint32_t i = 0; i < memory->count; i++)
    release(memory->list[i]);
  free(memory->list);
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

struct allocation *memory_find(const struct memory *memory, uint64_t address) {
  uint32_t i = lower(memory, address);
  return i < memory->count && memory->list[i]->base <= address ? memory->list[i] : NULL;
}

struct allocation *memory_nearest(const struct memory *memory, uint64_t address) {
  uint32_t i = lower(memory, address);
  struct allocation *after = i < memory->count ? memory->list[i] : NULL;
  struct allocation *before = i > 0 ? memory->list[i - 1] : NULL;
  if (!before || !after)
    return before ? before : after;
  if (after->base <= address)
    return after;
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
  const struct allocation *a = memory_find(memory, address);
  if (!a || size > a->size - (address - a->base))
    return NULL;
  return a->host + (address - a->base);
}

/* Addresses are not used again before the whole range has been: a stale pointer then points nowhere. */
static bool find_place(struct memory *memory, uint64_t span, uint64_t *base) {
  for (int round = 0; round < 2; round++) {
    uint64_t at = round == 0 ? memory->next : SIM_ADDRESS_FIRST;
    for (uint32_t i = lower(memory, at);; i++) {
      uint64_t end = i < memory->count ? memory->list[i]->base : SIM_ADDRESS_LAST;
      if (at < end && end - at >= span) {
        *base = at;
        memory->next = at + span;
        return true;
      }
      if (i >= memory->count)
        break;
      uint64_t past = memory->list[i]->base + memory->list[i]->size + MEMORY_GUARD;
      at = (past + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
    }
  }
  return false;
}

static uint32_t free_slot(struct memory *memory) {
  if (memory->count == memory->slots)
    return memory->slots++;
  uint8_t *used = calloc(memory->slots, 1);
  if (!used)
    abort();
  for (uint32_t i = 0; i < memory->count; i++)
    used[memory->list[i]->slot] = 1;
  uint32_t slot = (uint32_t)((uint8_t *)memchr(used, 0, memory->slots) - used);
  free(used);
  return slot;
}

static void *host_memory(uint64_t size) {
  if (size < LARGE)
    return malloc(size);
  void *host = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return host == MAP_FAILED ? NULL : host;
}

struct allocation *memory_allocate(struct memory *memory, uint64_t size) {
  uint64_t base, span = (size + MEMORY_GUARD + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
  if (size > memory->limit || memory_charge(size) > memory->limit - memory->used ||
      !find_place(memory, span, &base))
    return NULL;
  if (memory->count == memory->capacity) {
    uint32_t capacity = memory->capacity ? 2 * memory->capacity : 64;
    struct allocation **list = realloc(memory->list, capacity * sizeof(struct allocation *));
    if (!list)
      return NULL;
    memory->list = list;
    memory->capacity = capacity;
  }
  uint8_t *host = host_memory(size);
  if (!host)
    return NULL;
  struct allocation *a = malloc(sizeof *a);
  if (!a)
    abort();
  memset(host, POISON, size);
  *a = (struct allocation){.base = base, .size = size, .host = host, .slot = free_slot(memory)};
  uint32_t i = lower(memory, base);
  memmove(&memory->list[i + 1], &memory->list[i], (memory->count - i) * sizeof *memory->list);
  memory->list[i] = a;
  memory->count++;
  memory->used += memory_charge(size);
  return a;
}

void memory_free(struct memory *memory, struct allocation *allocation) {
  uint32_t i = lower(memory, allocation->base);
  memmove(&memory->list[i], &memory->list[i + 1], (memory->count - i - 1) * sizeof *memory->list);
  memory->count--;
  memory->used -= memory_charge(allocation->size);
  memory->freed[memory->freed_count++ % FREED_KEPT] =
      (struct freed){allocation->base, allocation->size, allocation->number};
  release(allocation);
}
