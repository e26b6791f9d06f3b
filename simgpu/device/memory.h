/* Device memory: allocations with exact bounds and guard zones between them, in one reserved address range. An address
 * is never equal to a host pointer. Fresh memory is filled with POISON. It is zero if lenient, or in an array of more
 * than 1 GiB. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

/* Allocations lie below; virtual.h gives out the addresses from here to SIM_ADDRESS_LAST. */
#define MEMORY_LAST (SIM_ADDRESS_FIRST + (SIM_ADDRESS_LAST - SIM_ADDRESS_FIRST) / 2)

enum {
  HEAP_BYTES = 8 << 20, /* initial cudaLimitMallocHeapSize */
  MEMORY_ALIGN = 512,
  MEMORY_GUARD = 4096,
  ORIGIN_BYTES = 4 * 64, /* whose origins are in one word */
  POISON = 0xff          /* NaN in both precisions, −1 as an integer */
};

/* The latest uses of an allocation by a stream, oldest first: the number of the work, as SIM_ORDERED has it, and a bit
 * for each word that it wrote, or for each sector that it read; NULL means all. A use is left out if a later one has
 * all of its bits. The oldest two become one if there is no room. */
enum { USAGE_KEPT = 8 };
struct usage_list {
  int count;
  struct usage_item {
    uint64_t number, *bits;
  } item[USAGE_KEPT];
};
struct usage {
  struct usage_list read[SIM_STREAMS], written[SIM_STREAMS];
  uint64_t *kept; /* `by_kernel` while a launch runs */
};

struct physical; /* of virtual.h */
struct work_log;

struct allocation {
  uint64_t base, size;
  uint64_t mapped; /* bytes from base: size, and the guard zone if lenient */
  uint8_t *host;
  void *shared; /* the mapping that `host` is in, if the client has it, too; or NULL */
  uint64_t shared_bytes;
  uint32_t slot;             /* stable small number, unique among living allocations */
  bool is_constant;          /* __constant__ memory, or mapped for reading only: kernels may not write it */
  bool is_symbol;            /* a module's variable: cannot be freed by address */
  bool is_compilers;         /* a variable that no program has named, such as the text of a printf */
  bool is_managed;           /* the client has sent it as managed memory; kept if has_origins */
  bool is_heap;              /* by malloc() in a kernel: the host may neither free nor copy it */
  bool is_host;              /* the client's own memory, which the limit does not count */
  struct physical *physical; /* that is mapped here and owns `host` and `shadow`; or NULL */
  uint64_t number;           /* of the program's allocations, from 1; 0: not one of them, or not counted */
  struct shadow *shadow;     /* records of the checks, or NULL */
  uint64_t *by_kernel;       /* origin.h, or NULL */
  struct usage *usage;       /* or NULL */
  bool is_read, is_written;  /* by the last launch, if has_origins */
  uint64_t *sectors_read;    /* by the last launch, if wants_words; or NULL */
};

struct freed { /* a former allocation */
  uint64_t base, size, number;
};
enum { FREED_KEPT = 1024 };

struct memory {
  struct allocation **list; /* by base */
  uint32_t count, capacity;
  uint32_t slots;            /* above every slot in use */
  uint32_t *unused;          /* slots below that no allocation has: slots - count of them */
  bool has_origins;          /* allocations have `by_kernel` */
  bool wants_words;          /* allocations get `sectors_read` */
  struct work_log *work_log; /* or NULL */
  bool lenient; /* fresh memory is zero, and the guard zone behind an allocation is memory, too */
  uint64_t used, limit;
  uint64_t heap_used, heap_limit; /* of malloc() in kernels: cudaLimitMallocHeapSize */
  bool heap_started;
  uint32_t heap_freed;            /* allocations of size 0, to be removed after the launch */
  uint64_t next;                  /* address at which the search for room starts */
  struct freed freed[FREED_KEPT]; /* the latest ones */
  uint64_t freed_count;           /* in total */
};

/* Bytes of an allocation that count towards the limit: pages of MEMORY_ALIGN bytes, since a small one costs
 * the host more than its size. */
static inline uint64_t memory_charge(uint64_t size) {
  return (size + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
}

void memory_open(struct memory *memory, uint64_t limit);
void memory_close(struct memory *memory);
/* NULL: not enough memory. size > 0. */
struct allocation *memory_allocate(struct memory *memory, uint64_t size);
void memory_free(struct memory *memory, struct allocation *allocation);
/* Replaces the allocation's host memory by that of `file`: see SIM_SHARE. */
bool memory_share(struct allocation *allocation, int file);
/* Lists the client's own memory, which `file` holds: see SIM_REGISTER. False: bad arguments, or other
 * memory is there. */
bool memory_register(struct memory *memory, uint64_t base, uint64_t size, int file);

/* Gives kernels memory at the client's addresses that is not the client's: it counts against the limit, and the client
 * copies what it holds. */
bool memory_mirror(struct memory *memory, uint64_t base, uint64_t size);
/* Lists a mapping of physical memory as an allocation, and takes it from the list. Neither changes what is used. */
struct allocation *memory_attach(struct memory *memory, const struct allocation *mapping);
void memory_detach(struct memory *memory, struct allocation *allocation);
/* malloc() and free() of a kernel; the caller of free() has checked that the address starts a heap allocation. A freed
 * allocation stays listed with size 0 until memory_sweep(), since a running kernel may still refer to it. */
struct allocation *memory_heap_allocate(struct memory *memory, uint64_t size);
void memory_heap_free(struct memory *memory, struct allocation *allocation);
void memory_sweep(struct memory *memory);
/* True if the client has some of the memory that kernels see, too. */
bool memory_has_host(const struct memory *memory);
/* The allocation that holds `address`, or NULL. */
struct allocation *memory_find(const struct memory *memory, uint64_t address);
/* Returns whether it is of __constant__ variables, not only mapped for reading. */
static inline bool memory_is_of_constants(const struct allocation *a) {
  return a->is_constant && !a->physical;
}
/* The allocation nearest to `address`, for reports, or NULL. */
struct allocation *memory_nearest(const struct memory *memory, uint64_t address);
/* The most recently freed allocation that held `address`, or NULL. */
const struct freed *memory_freed(const struct memory *memory, uint64_t address);
/* Host address of [address, address + size) if it lies in one allocation, or in mappings side by side; else NULL. */
uint8_t *memory_at(const struct memory *memory, uint64_t address, uint64_t size);
/* True if some of [address, address + size) is mapped for reading only. */
bool memory_is_read_only(const struct memory *memory, uint64_t address, uint64_t size);
/* Host address of [address, address + size) if it lies in the mapped guard zone of an allocation or extends into
 * it, else NULL. */
uint8_t *memory_past_end(const struct memory *memory, uint64_t address, uint64_t size);
