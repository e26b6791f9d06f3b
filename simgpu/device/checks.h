/* Races within a launch and between streams, uninitialised reads, bad frees and leaks: SIMGPU_CHECKS. Blocks run on one
 * host thread, so time is one count, which advances where threads synchronise. A record holds an access and its time.
 * Every block stores, per pair of warps (or lanes), the time up to which one knows the accesses of the other. Another
 * block's access is known after that block released it and this block acquired it. A release is a fence and then an
 * atomic or volatile write; an acquire is an atomic or volatile read of a word with a release at that time or later.
 * Where these rules are coarser than the PTX memory model, they order more accesses, never fewer. */
#pragma once

#include <stdio.h>

#include "device/machine.h"
#include "findings.h"
#include "shadow.h"

enum {
  CHECK_RACES = 1,
  CHECK_UNINITIALISED = 2,
  CHECK_FREES = 4,
  CHECK_LEAKS = 8,
  CHECK_STREAMS = 16,
  CHECK_ALL = 31,
};

/* Of a record. */
enum { RECORD_TIME_SHIFT = 32, RECORD_THREAD_SHIFT = 22, RECORD_WARP_SHIFT = RECORD_THREAD_SHIFT + 5 };
#define RECORD_THREAD (INT64_C(1023) << RECORD_THREAD_SHIFT)
#define RECORD_WARP (INT64_C(31) << RECORD_WARP_SHIFT)
#define RECORD_PLACE ((INT64_C(1) << RECORD_THREAD_SHIFT) - 1) /* instruction; this value: too large */

struct time_slice { /* threads of `block` ran from `start` until the next slice */
  uint32_t start;
  uint64_t block;
};

/* For whom a fence orders accesses. */
enum check_scope_of_fence { CHECK_BLOCK, CHECK_DEVICE, CHECK_SCOPES };

struct published { /* by one warp: the block's accesses up to `last`; first release at `first` */
  struct {
    uint32_t first, last;
  } to[CHECK_SCOPES];
};

struct checks {
  unsigned on;
  struct findings *findings;
  uint32_t now;              /* time of accesses to come */
  bool used;                 /* an access has this time */
  record launch;             /* records below are of earlier launches */
  struct time_slice *slices; /* of this launch */
  uint64_t slice_count, slice_room;
  struct published **published; /* by block, then warp; NULL: nothing */
  uint64_t published_count;
  uint64_t allocations; /* so far */
};

/* Copies to shared memory in flight: see check_copies.h. */
struct copy {
  uint32_t next; /* next of the same thread, or next free; 0: none */
  uint32_t thread, pc;
  uint32_t word, words; /* of 4 bytes in shared memory */
  uint32_t group;       /* number of its cp.async group */
  uint32_t barrier;     /* 1 + shared address of the mbarrier whose phase waits for it, or 0 */
};

struct copies {
  struct copy *list; /* from 1 on */
  uint32_t count, free, live;
  uint32_t *of_word, words;                                        /* the copy in flight there, or 0 */
  uint32_t first[MAX_BLOCK_THREADS], committed[MAX_BLOCK_THREADS]; /* by thread; groups so far */
};

/* The first read of a line that nobody has written yet. Its finding names the thread that writes there later. */
struct early_read {
  uint64_t offset;
  uint32_t pc;
  struct finding_key key;
};
enum { EARLY_READS = 8 };

/* One block. Arrays of times: accesses up to the time are known. */
struct check_block {
  struct checks *checks;
  record first;                             /* records of shared memory below are of earlier blocks */
  record time_slice;                        /* no other block has run since */
  record horizon;                           /* in this time slice, records below are known to all threads */
  uint32_t all;                             /* to all threads, of all */
  uint32_t warps[MAX_WARPS][MAX_WARPS];     /* to each warp, of each other */
  uint32_t together[MAX_WARPS];             /* to all lanes of a warp, of all its lanes */
  uint32_t (*lanes[MAX_WARPS])[LANES];      /* to each lane, of each other; NULL: nothing more */
  uint32_t acquired[MAX_WARPS];             /* of other blocks, as far as they have released */
  uint32_t atomics[MAX_WARPS];              /* of atomic accesses */
  uint32_t fenced[CHECK_SCOPES][MAX_WARPS]; /* time of the last fence */
  uint32_t cluster[MAX_WARPS];              /* of each warp, to all threads of the cluster's other blocks */
  struct {
    uint32_t warps[MAX_WARPS], acquired, atomics; /* knowledge of the threads that have arrived */
  } barriers[BARRIERS + 1];
  bool has_fence;
  uint32_t late[MOST_LATE + 1][MAX_WARPS];    /* by struct op's `late`: lanes that have loaded */
  struct early_read early_reads[EARLY_READS]; /* of shared memory */
  uint32_t early_read_count;
  struct shadow *shared;
  struct copies *copies; /* see check_copies.h; NULL: no copy so far */
};

/* The memory of an access, and the records that matter. */
struct check_scope {
  struct shadow *shadow;
  const struct allocation *allocation; /* NULL: shared memory */
  uint64_t base;
  record first, time_slice, horizon, me; /* me: of lane 0 */
};

/* One access, from the interpreter. */
struct check_call {
  const struct warp *warp;
  const struct access *access;
  const struct op *op;
  uint32_t pc, bytes, element;
  bool is_write, is_atomic;
  const char *values[4]; /* a write: of each element, by lane; NULL: unknown */
};

/* Parses "1", "all" or a list such as "races,leaks"; NULL, "" and "0" mean none. Returns false if malformed. */
bool checks_parse(const char *text, unsigned *on);
struct checks *checks_new(unsigned on, FILE *report);
/* Before checks_close(): finds physical memory that the program has not released, or not unmapped. */
void checks_ends(struct checks *checks, const struct virtual_memory *v);
/* Reports the totals, and leaks in the memory that the program has not freed. */
void checks_close(struct checks *checks, const struct memory *memory);

/* The host allocates, writes, copies or frees memory: `rows` rows of `width` bytes, `pitch` bytes apart. No
 * effect if `checks` is NULL. */
void checks_allocated(struct checks *checks, struct allocation *allocation);
void checks_created(struct checks *checks, struct physical *physical);
void checks_written(struct checks *checks, const struct memory *memory, uint64_t address, uint64_t width,
                    uint64_t rows, uint64_t pitch);
void checks_copied(struct checks *checks, const struct memory *memory, uint64_t address, uint64_t source,
                   uint64_t bytes);
/* cudaFree of an address that is not the start of an allocation. */
void checks_bad_free(struct checks *checks, const struct memory *memory, uint64_t address);

/* NULL unless races between streams are checked. */
struct checks *checks_of_streams(struct checks *checks);
/* A launch of a kernel, or a copy (NULL), may run at the same time as work of another stream that
 * uses this allocation. */
void checks_disordered(struct checks *checks, const char *kernel, const struct allocation *allocation);
/* The host has used memory that the device may still write, so often. */
void checks_unawaited(struct checks *checks, uint64_t times);

void checks_begin(struct checks *checks, const struct launch *launch);
void checks_end(struct checks *checks, const struct launch *launch);

/* Ends the current time and returns it; later accesses have a later time. */
static inline uint32_t checks_moment(struct checks *c) {
  if (c->used && c->now < INT32_MAX) {
    c->used = false;
    return c->now++;
  }
  return c->now - 1;
}

/* The first record after a time, and the time and thread of a record. */
static inline record checks_after(uint32_t time) { return ((record)time + 1) << RECORD_TIME_SHIFT; }
static inline uint32_t checks_time_of(record r) { return (uint32_t)(r >> RECORD_TIME_SHIFT); }
static inline uint32_t checks_thread_of(record r) { return (uint32_t)(r >> RECORD_THREAD_SHIFT) & 1023; }
