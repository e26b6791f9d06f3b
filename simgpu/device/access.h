/* One warp's memory access: turns addresses into host pointers, checks bounds and alignment, and counts what
 * Nsight Compute counts.
 *
 * The rules were measured on an H200 (access_patterns.h200.csv in the tests):
 * - global: one request; sectors = distinct 32-byte sectors over all active lanes.
 * - atomics: lanes with the same address go in successive passes; sectors are counted per pass.
 * - shared, 4 bytes and less: wavefronts = the most distinct words that any of the 32 banks must deliver.
 * - shared, 8 and 16 bytes: half or quarter warps one after another. A load serves two neighbouring halves or
 *   quarters at once if lanes i and i^1, or i and i^2, have the same address wherever both are active; a store
 *   does not.
 */
#pragma once

#include "device/machine.h"
#include "lane.h"

enum { SECTOR = 32, SECTOR_SHIFT = 5, BANK_COUNT = 32 };

enum use { USE_READ, USE_WRITE, USE_ATOMIC };

struct access {
  _Alignas(64) u64 address[LANES];
  _Alignas(64) u8 *host[LANES]; /* of active lanes; when contiguous, host[0] is the start of all */
  u32 mask;
  bool contiguous;
  u32 sectors, bytes;    /* global memory; lanes that share an address request the same bytes */
  u32 wavefronts, ideal; /* shared memory; ideal: without conflicts */
};

static inline void access_addresses(struct access *x, const struct op *op, const char *base, u32 mask) {
  x->mask = mask;
  if (op->wide_address) {
    const u64 *a = (const u64 *)base;
    for (int l = 0; l < LANES; l++)
      x->address[l] = a[l] + (u64)op->offset;
  } else {
    const u32 *a = (const u32 *)base;
    for (int l = 0; l < LANES; l++)
      x->address[l] =
          (u32)(a[l] + (u32)op->offset); /* may wrap around below zero: such addresses have 32 bits */
  }
}

/* The lane's data, after one of the functions below. */
static inline u8 *access_host(const struct access *x, u32 lane, u32 bytes) {
  return x->contiguous ? x->host[0] + lane * bytes : x->host[lane];
}

/* Where a shared address lies after swizzling among `span` pieces of 16 bytes: bits 4 to 6 are exchanged by those from
 * bit 7 on, as many as the span has. */
static inline u64 access_swizzled(u64 address, u32 span) {
  return address ^ (address >> 7 & (span - 1)) * 16;
}

/* Returns whether all 32 lanes are active and each starts where the lane before ends. */
static inline bool access_is_contiguous(const struct access *x, u32 bytes) {
  u64 different = ~x->mask;
  for (u32 l = 0; l < LANES; l++)
    different |= x->address[l] ^ (x->address[0] + (u64)l * bytes);
  return different == 0;
}

/* The following check one access of `bytes` per lane at instruction `pc`. Afterwards x->host points at the
 * data. They return false after a fault.
 *
 * access_run: in the instruction's own space. access_run_atomic: an atomic; *space is PTX_SHARED, or PTX_GLOBAL for all
 * others. access_counted: in a known space, not PTX_GENERIC. These count the access, and trace it if the warp is
 * traced. access_global and access_shared do neither. */
bool access_run(struct warp *w, struct access *x, const struct op *op, u32 pc, u32 bytes, enum use use,
                struct instruction_statistics *stats);
bool access_run_atomic(struct warp *w, struct access *x, const struct op *op, u32 pc, u32 bytes,
                       enum ptx_space *space, struct instruction_statistics *stats);
bool access_counted(struct warp *w, struct access *x, enum ptx_space space, u32 pc, u32 bytes, enum use use,
                    struct instruction_statistics *stats);
bool access_global(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use);
bool access_shared(struct warp *w, struct access *x, u32 pc, u32 bytes, enum use use);

/* Returns the space of a generic access, and makes its addresses relative to it. All lanes must use the same space. */
enum ptx_space access_resolve(struct access *x);
/* The active lanes whose generic addresses are in the space of the lowest lane's. */
u32 access_in_one_space(const struct access *x);
/* Returns whether a generic address lies in the space. */
bool access_is_within(const struct warp *w, enum ptx_space space, u64 address);
/* The cost of an access to shared memory by all lanes, at these distances from lane 0's address; at least 4 bytes. */
void access_shared_cost(const s32 *offset, u32 bytes, enum use use, u32 *wavefronts, u32 *conflicts);

/* A worker keeps the patterns of accesses, by instruction, alignment and mask: the last one of any warp, and the last
 * new one of each warp, whose distances may depend on its number. */
static inline u32 pattern_kind(u64 first, u32 bytes, enum use use, bool shared) {
  const u32 align = (u32)first & (!shared ? SECTOR - 1 : bytes > 4 ? bytes - 1 : 3);
  return align | bytes << 8 | (u32)use << 16 | (u32)shared << 18;
}

enum { ANY_WARP };
static inline u32 pattern_of_warp(const struct warp *w) { return 1 + w->index; }
static inline struct pattern *pattern_place(struct worker *worker, u32 pc, u32 mask, u32 kind, u32 of_warp) {
  const u32 golden = UINT32_C(0x9e3779b1); /* 2³² divided by the golden ratio: Knuth, TAOCP 6.4 */
  const u32 align = kind & (SECTOR - 1);
  const u32 key = pc + (align >> 2) * 37 + of_warp * 67 + mask * golden;
  return &worker->patterns[key * golden >> (32 - PATTERNS_LOG)];
}

static inline bool pattern_matches(const struct pattern *p, const u64 *address, u32 mask, u32 kind) {
  u64 different = (mask ^ p->mask) | (kind ^ p->kind);
  for (u32 l = 0; l < LANES; l++)
    different |= (address[l] - address[0]) ^ p->distance[l];
  return different == 0;
}

/* The known pattern of the access, or NULL. */
static inline const struct pattern *pattern_find(struct worker *worker, u32 pc, const u64 *address, u32 mask,
                                                 u32 kind, u32 of_warp) {
  const struct pattern *p = pattern_place(worker, pc, mask, kind, ANY_WARP);
  if (__builtin_expect(pattern_matches(p, address, mask, kind), 1))
    return p;
  p = pattern_place(worker, pc, mask, kind, of_warp);
  return pattern_matches(p, address, mask, kind) ? p : NULL;
}
