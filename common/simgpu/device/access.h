/* One warp's memory access: addresses to host pointers, with bounds and alignment checked, and what Nsight
 * Compute counts for it. Included by warp.c only.
 *
 * The rules were read off an H200 (access_patterns.h200.csv in the tests):
 * - global: one request; sectors = distinct 32-byte sectors over all active lanes.
 * - atomics: lanes that name the same address go in successive passes; sectors are counted per pass.
 * - shared, 4 bytes and less: wavefronts = the most distinct words that any of the 32 banks must deliver.
 * - shared, 8 and 16 bytes: half or quarter warps one after another. A load serves two neighbouring pieces at
 *   once when lanes i and i^1, or i and i^2, want the same address wherever both are active; a store does
 * not.
 */
#ifndef SIMGPU_ACCESS_H
#define SIMGPU_ACCESS_H

#include <string.h>

#include "lane.h"
#include "machine.h"
#include "trace.h"

enum { SECTOR = 32, SECTOR_SHIFT = 5, BANK_COUNT = 32 };

struct access {
  _Alignas(64) u64 address[LANES];
  _Alignas(64) u8 *host[LANES]; /* of active lanes; when contiguous, host[0] is the start of all */
  u32 mask;
  bool contiguous;
};

#define FOR_ACTIVE(mask, l)                                                                                  \
  for (u32 rest_##l = (mask), l; rest_##l && (l = (u32)__builtin_ctz(rest_##l), 1); rest_##l &= rest_##l - 1)

static inline void access_addresses(struct access *x, const struct op *op, const char *base, u32 mask) {
  x->mask = mask;
  if (op->wide_address) {
    const u64 *a = (const u64 *)base;
    for (int l = 0; l < LANES; l++)
      x->address[l] = a[l] + (u64)op->offset;
  } else {
    const u32 *a = (const u32 *)base;
    for (int l = 0; l < LANES; l++)
      x->address[l] = a[l] + (u64)op->offset;
  }
}

/* Whether all 32 lanes are active and each starts where the one before ends. */
static inline bool access_is_contiguous(const struct access *x, u32 bytes) {
  u64 different = ~x->mask;
  for (u32 l = 0; l < LANES; l++)
    different |= x->address[l] ^ (x->address[0] + (u64)l * bytes);
  return different == 0;
}

/* Inactive lanes take the first active lane's address, so that whole-array loops need no mask. */
static inline void access_fill(struct access *x) {
  u64 any = x->address[__builtin_ctz(x->mask)];
  for (u32 l = 0; l < LANES; l++)
    x->address[l] = x->mask >> l & 1 ? x->address[l] : any;
}

/* Global memory */

static inline void touch(struct worker *worker, const struct allocation *a, bool write, u64 sector,
                         u64 bits) {
  struct touched *t = &worker->touched[a->slot];
  u64 **map = write ? &t->written : &t->read;
  if (__builtin_expect(!*map, 0))
    worker_map(worker, a, map);
  u64 word = sector >> 6, shift = sector & 63;
  (*map)[word] |= bits << shift;
  if (shift && bits >> (64 - shift))
    (*map)[word + 1] |= bits >> (64 - shift);
}

/* Distinct sectors of the active lanes, all within `a`; marks them as touched. */
static inline u32 count_sectors(struct worker *worker, const struct allocation *a, const struct access *x,
                                u64 low, u64 high, bool write) {
  u64 first = (low - a->base) >> SECTOR_SHIFT;
  if (((high - a->base) >> SECTOR_SHIFT) - first < 64) {
    u64 bits = 0;
    for (u32 l = 0; l < LANES; l++)
      bits |= UINT64_C(1) << (((x->address[l] - a->base) >> SECTOR_SHIFT) - first);
    touch(worker, a, write, first, bits);
    return (u32)__builtin_popcountll(bits);
  }
  u64 seen[LANES];
  u32 count = 0;
  FOR_ACTIVE(x->mask, l) {
    u64 sector = (x->address[l] - a->base) >> SECTOR_SHIFT;
    u32 i = count;
    while (i > 0 && seen[i - 1] != sector)
      i--; /* backwards: neighbours are the likely match */
    if (i == 0) {
      seen[count++] = sector;
      touch(worker, a, write, sector, 1);
    }
  }
  return count;
}

/* Lanes in different allocations, or some of them in none. */
static __attribute__((noinline)) bool access_scattered(struct warp *w, struct access *x, u32 pc, u32 bytes,
                                                       bool write, u32 *sectors) {
  struct worker *worker = w->block->worker;
  const struct memory *memory = &w->block->launch->module->device->memory;
  u64 seen[LANES];
  *sectors = 0;
  FOR_ACTIVE(x->mask, l) {
    u64 address = x->address[l];
    const struct allocation *a = memory_find(memory, address);
    if (a && write && a->is_constant)
      return warp_fault(w, FAULT_READ_ONLY, pc, l,
                        (struct fault){.address = address, .bytes = bytes, .is_write = true});
    if (!a || bytes > a->size - (address - a->base))
      return warp_fault(w, FAULT_BOUNDS, pc, l,
                        (struct fault){.address = address, .bytes = bytes, .is_write = write});
    x->host[l] = a->host + (address - a->base);
    u32 i = *sectors;
    while (i > 0 && seen[i - 1] != address >> SECTOR_SHIFT)
      i--;
    if (i == 0)
      seen[(*sectors)++] = address >> SECTOR_SHIFT;
    touch(worker, a, write, (address - a->base) >> SECTOR_SHIFT, 1);
  }
  return true;
}

static __attribute__((noinline)) bool access_misaligned(struct warp *w, const struct access *x, u32 pc,
                                                        u32 bytes, bool write) {
  u32 lane = 0;
  while (!(x->mask >> lane & 1) || (x->address[lane] & (bytes - 1)) == 0)
    lane++;
  return warp_fault(w, FAULT_ALIGNMENT, pc, lane,
                    (struct fault){.address = x->address[lane], .bytes = bytes, .is_write = write});
}

static inline bool access_global(struct warp *w, struct access *x, u32 pc, u32 bytes, bool write,
                                 u32 *sectors) {
  struct worker *worker = w->block->worker;
  const struct allocation *a = worker->last[pc];
  x->contiguous = access_is_contiguous(x, bytes);
  u64 low, high, odd;
  if (x->contiguous) {
    low = x->address[0];
    high = x->address[LANES - 1];
    odd = low;
  } else {
    access_fill(x);
    low = UINT64_MAX, high = 0, odd = 0;
    for (u32 l = 0; l < LANES; l++) {
      low = x->address[l] < low ? x->address[l] : low;
      high = x->address[l] > high ? x->address[l] : high;
      odd |= x->address[l];
    }
  }
  if (odd & (bytes - 1))
    return access_misaligned(w, x, pc, bytes, write);
  if (!a || low < a->base || high - a->base + bytes > a->size) {
    a = memory_find(&w->block->launch->module->device->memory, low);
    if (!a || high - a->base + bytes > a->size) {
      x->contiguous = false;
      return access_scattered(w, x, pc, bytes, write, sectors);
    }
    worker->last[pc] = a;
    if (write && a->is_constant)
      return warp_fault(w, FAULT_READ_ONLY, pc, (u32)__builtin_ctz(x->mask),
                        (struct fault){.address = low, .bytes = bytes, .is_write = true});
  }
  u8 *delta = a->host - a->base;
  if (x->contiguous) {
    x->host[0] = delta + low;
    u64 first = (low - a->base) >> SECTOR_SHIFT, last = (high + bytes - 1 - a->base) >> SECTOR_SHIFT;
    *sectors = (u32)(last - first + 1);
    touch(worker, a, write, first, UINT64_MAX >> (63 - (last - first)));
    return true;
  }
  for (u32 l = 0; l < LANES; l++)
    x->host[l] = delta + x->address[l];
  *sectors = count_sectors(worker, a, x, low, high, write);
  return true;
}

/* Bytes that the active lanes ask for, each counted once: lanes that share an address ask for the same ones.
 */
static inline u32 count_bytes(const struct access *x, u32 bytes) {
  u64 seen[LANES], last = 0;
  u32 count = 0;
  FOR_ACTIVE(x->mask, l) {
    u64 address = x->address[l];
    u32 i = address > last ? 0 : count; /* mostly ascending: nothing to look up */
    while (i > 0 && seen[i - 1] != address)
      i--;
    if (i == 0)
      seen[count++] = address;
    last = address > last ? address : last;
  }
  return count * bytes;
}

/* Atomics: the k-th lane of every address goes in pass k. */
static inline u32 next_pass(const struct access *x, u32 waiting) {
  u32 pass = 0;
  FOR_ACTIVE(waiting, l) {
    u32 earlier = pass;
    while (earlier && x->address[__builtin_ctz(earlier)] != x->address[l])
      earlier &= earlier - 1;
    if (!earlier)
      pass |= 1u << l;
  }
  return pass;
}

static inline u32 atomic_sectors(const struct access *x) {
  u32 total = 0;
  for (u32 waiting = x->mask; waiting;) {
    u32 pass = next_pass(x, waiting), count = 0;
    u64 seen[LANES];
    FOR_ACTIVE(pass, l) {
      u32 i = count;
      while (i > 0 && seen[i - 1] != x->address[l] >> SECTOR_SHIFT)
        i--;
      if (i == 0)
        seen[count++] = x->address[l] >> SECTOR_SHIFT;
    }
    total += count;
    waiting &= ~pass;
  }
  return total;
}

/* Shared memory */

/* Whether no bank must deliver two different words of 4 bytes to the warp; inactive lanes repeat an active
 * one. */
static inline bool conflict_free(const struct access *x) {
  u32 word[LANES], owner[BANK_COUNT], different = 0;
  for (u32 l = 0; l < LANES; l++)
    word[l] = (u32)(x->address[l] >> 2);
  for (u32 l = 0; l < LANES; l++)
    owner[word[l] % BANK_COUNT] = word[l];
  for (u32 l = 0; l < LANES; l++)
    different |= owner[word[l] % BANK_COUNT] ^ word[l];
  return different == 0;
}

/* Most distinct words in one bank among `lanes`, each with `words` words from its address on. */
static inline u32 bank_degree(const struct access *x, u32 lanes, u32 words) {
  u32 first[BANK_COUNT], degree[BANK_COUNT] = {0}, most = 0;
  u32 other[LANES * 4], others = 0; /* second and further words of a bank */
  FOR_ACTIVE(lanes, l) {
    for (u32 k = 0; k < words; k++) {
      u32 word = (u32)(x->address[l] >> 2) + k, bank = word % BANK_COUNT;
      if (degree[bank] == 0) {
        first[bank] = word;
        degree[bank] = 1;
      } else if (first[bank] != word) {
        u32 i = others;
        while (i > 0 && other[i - 1] != word)
          i--;
        if (i == 0) {
          other[others++] = word;
          degree[bank]++;
        }
      }
      most = degree[bank] > most ? degree[bank] : most;
    }
  }
  return most;
}

/* Whether lanes i and i^distance of `lanes` agree wherever both are active. */
static inline bool neighbours_agree(const struct access *x, u32 lanes, u32 distance) {
  FOR_ACTIVE(lanes, l) {
    u32 other = l ^ distance;
    if ((lanes >> other & 1) && x->address[l] != x->address[other])
      return false;
  }
  return true;
}

/* Frequent patterns, or 0: single words without conflict, and a full warp's wide ones side by side. */
static inline u32 plain_wavefronts(const struct access *x, u32 bytes) {
  if (bytes <= 4)
    return conflict_free(x);
  return access_is_contiguous(x, bytes) ? bytes / 4 : 0;
}

/* Wavefronts of a shared access, and how many there would be without conflicts. */
static inline void count_wavefronts(const struct access *x, u32 bytes, bool write, u32 *wavefronts,
                                    u32 *ideal) {
  *wavefronts = *ideal = plain_wavefronts(x, bytes);
  if (*wavefronts)
    return;
  u32 piece = bytes == 16 ? 8 : bytes == 8 ? 16 : 32, words = bytes > 4 ? bytes / 4 : 1;
  for (u32 start = 0; start < LANES; start += 2 * piece) {
    u32 pair = x->mask & (2 * piece >= LANES ? ALL_LANES : ((1u << 2 * piece) - 1) << start);
    bool together = piece == 32 || (!write && (neighbours_agree(x, pair, 1) || neighbours_agree(x, pair, 2)));
    u32 pieces[2] = {pair, 0};
    if (!together) {
      pieces[0] = pair & ((1u << piece) - 1) << start;
      pieces[1] = pair & ~pieces[0];
    }
    for (int i = 0; i < 2; i++)
      if (pieces[i]) {
        *wavefronts += bank_degree(x, pieces[i], words);
        *ideal += 1;
      }
  }
}

static inline u32 atomic_wavefronts(const struct access *x) {
  u32 total = 0;
  for (u32 waiting = x->mask; waiting;) {
    u32 pass = next_pass(x, waiting);
    total += bank_degree(x, pass, 1);
    waiting &= ~pass;
  }
  return total;
}

/* True: all lanes mean the part of cooperative groups. */
static inline bool access_reserved(struct warp *w, struct access *x, u32 bytes) {
  for (u32 l = 0; l < LANES; l++) {
    u64 at = x->address[l] - RESERVED_SHARED;
    if (at > RESERVED_SHARED_BYTES - bytes)
      return false;
    x->host[l] = (u8 *)w->block->reserved + at;
  }
  return true;
}

static inline bool access_shared(struct warp *w, struct access *x, u32 pc, u32 bytes, bool write) {
  u64 size = w->block->launch->shared_bytes, high = 0, odd = 0;
  x->contiguous = false;
  access_fill(x);
  for (u32 l = 0; l < LANES; l++) {
    high = x->address[l] > high ? x->address[l] : high;
    odd |= x->address[l];
  }
  if (odd & (bytes - 1))
    return access_misaligned(w, x, pc, bytes, write);
  if (high >= size || bytes > size - high) {
    if (access_reserved(w, x, bytes))
      return true;
    u32 lane = 0;
    while (!(x->mask >> lane & 1) || (x->address[lane] < size && bytes <= size - x->address[lane]))
      lane++;
    return warp_fault(w, FAULT_SHARED, pc, lane,
                      (struct fault){.address = x->address[lane], .bytes = bytes, .is_write = write});
  }
  for (u32 l = 0; l < LANES; l++)
    x->host[l] = w->block->shared + x->address[l];
  return true;
}

/* Local memory: addresses are offsets in each thread's own. */
static inline bool access_local(struct warp *w, struct access *x, u32 pc, u32 bytes, bool write) {
  u64 stride = w->block->local_stride;
  x->contiguous = false;
  access_fill(x);
  FOR_ACTIVE(x->mask, l) {
    u64 at = x->address[l];
    if (at & (bytes - 1))
      return access_misaligned(w, x, pc, bytes, write);
    if (at >= stride || bytes > stride - at)
      return warp_fault(w, FAULT_LOCAL, pc, l,
                        (struct fault){.address = at, .bytes = bytes, .is_write = write});
    x->host[l] = w->block->local + (w->index * LANES + l) * stride + at;
  }
  return true;
}

static inline bool access_params(struct warp *w, struct access *x, u32 pc, u32 bytes, bool write) {
  u64 size = w->block->launch->kernel->ptx->param_bytes;
  x->contiguous = false;
  FOR_ACTIVE(x->mask, l) {
    u64 at = x->address[l];
    if (at & (bytes - 1))
      return access_misaligned(w, x, pc, bytes, write);
    if (write || at >= size || bytes > size - at)
      return warp_fault(w, FAULT_PARAM, pc, l,
                        (struct fault){.address = at, .bytes = bytes, .is_write = write});
    x->host[l] = (u8 *)w->block->launch->params + at;
  }
  return true;
}

/* The space that a generic access means; all lanes must mean the same one. */
static inline enum ptx_space access_resolve(struct access *x) {
  u64 address = x->address[__builtin_ctz(x->mask)], window = address >> 32 << 32;
  if (window != SHARED_WINDOW && window != LOCAL_WINDOW && window != PARAM_WINDOW)
    return PTX_GLOBAL;
  FOR_ACTIVE(x->mask, l)
  if (x->address[l] >> 32 << 32 != window)
    return PTX_GLOBAL; /* reported as out of bounds */
  for (u32 l = 0; l < LANES; l++)
    x->address[l] -= window;
  return window == SHARED_WINDOW ? PTX_SHARED : window == LOCAL_WINDOW ? PTX_LOCAL : PTX_PARAM;
}

/* Check and count one access of `bytes` per lane; afterwards x->host points at the data. */
static inline bool access_check(struct warp *w, struct access *x, const struct op *op, u32 pc, u32 bytes,
                                bool write, struct site *site) {
  enum ptx_space space = (enum ptx_space)op->detail;
  if (space == PTX_GENERIC)
    space = access_resolve(x);
  u32 sectors = 0, wavefronts, ideal;
  switch (space) {
  case PTX_GLOBAL:
    if (!access_global(w, x, pc, bytes, write, &sectors))
      return false;
    site->sectors += sectors;
    site->bytes += x->contiguous ? LANES * bytes : count_bytes(x, bytes);
    if (TRACING(w))
      trace_global(w->block->trace, w, pc, x->address, x->mask, bytes, !write);
    break;
  case PTX_CONST:
    return access_global(w, x, pc, bytes, write, &sectors);
  case PTX_SHARED:
    if (!access_shared(w, x, pc, bytes, write))
      return false;
    count_wavefronts(x, bytes, write, &wavefronts, &ideal);
    site->wavefronts += wavefronts;
    site->conflicts += wavefronts - ideal;
    if (TRACING(w))
      trace_shared(w->block->trace, w, pc, x->address, x->mask, bytes, wavefronts);
    break;
  case PTX_LOCAL:
    if (!access_local(w, x, pc, bytes, write))
      return false;
    break;
  default:
    return access_params(w, x, pc, bytes, write);
  }
  site->requests++;
  return true;
}

#endif
