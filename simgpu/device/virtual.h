/* Virtual memory management: reserved addresses, physical memory, and the mappings that join them.
 *
 * All physical memory lies in one file in memory, but for what processes share, and all addresses from MEMORY_LAST on
 * have one range of the host's addresses. A mapping maps a part of the file there. So neighbouring mappings are
 * contiguous for the interpreter, too, and two mappings of the same memory are aliases. A mapping that some device may
 * access is in the list of memory.h as an allocation, so kernels and copies find no other. The client's numbers are not
 * trusted: every function checks them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"
#include "protocol.h"

struct reservation {
  uint64_t base, size;
};

/* Lives while it has references or is mapped. */
struct physical {
  uint32_t id;
  struct sim_physical is; /* as the client described it */
  uint64_t place;         /* in the file */
  int file;               /* its own, which other processes may have, too; or -1 */
  uint64_t references;
  uint32_t mappings;
  uint64_t number;       /* of the program's allocations, or 0: not counted */
  struct shadow *shadow; /* records of the checks, or NULL */
};

struct mapping {
  uint64_t base, size;
  struct physical *physical;
  uint8_t access[SIM_DEVICES];
  struct allocation *listed; /* in memory.h, or NULL */
};

struct virtual_memory {
  int file;                         /* valid if file_end is not 0 */
  uint64_t file_end;                /* places are never used again, so no memory is zeroed twice */
  uint8_t *host;                    /* of MEMORY_LAST; or NULL */
  struct reservation *reservations; /* by base */
  struct mapping *mappings;         /* by base */
  struct physical **physicals;      /* by id */
  uint32_t reservation_count, mapping_count, physical_count;
  uint32_t last_id;
  uint64_t next; /* address at which the search for room starts, or 0 */
};

/* Call this after memory_close(). */
void virtual_close(struct virtual_memory *v);

/* Gives *base an address; SIM_OUT_OF_MEMORY: no range of addresses is free. */
enum sim_status virtual_reserve(struct virtual_memory *v, const struct sim_reserve *reserve, uint64_t *base);
bool virtual_unreserve(struct virtual_memory *v, uint64_t base, uint64_t size);
/* The first byte of a range was reserved. */
bool virtual_is_reserved(const struct virtual_memory *v, uint64_t address);

/* NULL: not enough memory, or a bad size (*status). Counts against memory->limit. */
struct physical *virtual_create(struct virtual_memory *v, struct memory *memory,
                                const struct sim_physical *is, enum sim_status *status);
/* NULL: there is none with this number. */
struct physical *virtual_physical(const struct virtual_memory *v, uint32_t id);
/* The memory's contents are those of a copy of this descriptor from now on. Returns false if it is mapped, or
 * has a file. */
bool virtual_use_file(struct virtual_memory *v, struct physical *physical, int file);
/* Drops one reference; false: there is none. */
bool virtual_drop(struct virtual_memory *v, struct memory *memory, struct physical *physical);

enum sim_status virtual_map(struct virtual_memory *v, const struct sim_map *map);
bool virtual_unmap(struct virtual_memory *v, struct memory *memory, uint64_t base, uint64_t size);
bool virtual_access(struct virtual_memory *v, struct memory *memory, const struct sim_access *access);
/* The mapping that holds the address, or NULL. */
const struct mapping *virtual_find(const struct virtual_memory *v, uint64_t address);
