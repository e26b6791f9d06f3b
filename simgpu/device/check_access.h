/* Checks one warp's memory access for races and uninitialised reads, before it takes place. Faults, such as an
 * access out of bounds, are in fault.h. */
#pragma once

#include "access.h"
#include "checks.h"

/* `bytes` per lane, in elements of `element` bytes. */
void check_access_load(const struct warp *w, const struct access *x, const struct op *op, u32 pc, u32 bytes,
                       u32 element);
/* The lanes `m` use what a load from shared memory has read before: speculation.h. */
void check_access_late(const struct warp *w, const struct op *load, char **bases, u32 pc, u32 m);
void check_access_store(const struct warp *w, const struct access *x, const struct op *op, char **bases,
                        u32 pc, u32 bytes, u32 element);
void check_access_atomic(const struct warp *w, const struct access *x, const struct op *op, u32 pc,
                         u32 bytes);
void check_access_copy(const struct warp *w, const struct access *from, const struct access *to,
                       const struct op *op, u32 pc, u32 bytes);
/* Part of an instruction that accesses several places; the values are unknown. */
void check_access_part(const struct warp *w, const struct access *x, const struct op *op, u32 pc, u32 bytes,
                       u32 element, bool is_write);
void check_access_mbarrier(const struct warp *w, const struct access *x, const struct op *op, u32 pc);
