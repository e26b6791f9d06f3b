/* Describes the findings of the checks in words. */
#pragma once

#include "checks.h"

/* Byte `byte` of the lane's access is not ordered with the access `r` of block `other`. */
void check_report_race(const struct check_call *call, const struct check_scope *scope, uint32_t lane,
                       uint64_t byte, record r, uint64_t other, bool other_writes);
/* The lane reads bytes that have not been written. */
void check_report_fresh(const struct check_call *call, const struct check_scope *scope, uint32_t lane);
/* The lane calls a warp-wide operation, and is none of the members that it names. */
void check_report_mask(const struct warp *warp, uint32_t pc, uint32_t lane, uint32_t members);
/* The lane uses bytes, at `offset` in shared memory, that a copy in flight writes. */
void check_report_unfinished(const struct check_call *call, uint32_t lane, uint64_t offset,
                             const struct copy *copy);
