/* SIMGPU_WORK: which allocations each launch, copy and fill uses, in which stream, and which earlier work it
 * follows: a row for each use, in the order of the calls. docs/counters.md has the columns. All functions do nothing
 * if `log` is NULL. */
#pragma once

#include <stdio.h>

#include "memory.h"

struct work_log;

/* file may be NULL: then there is no log. */
struct work_log *work_log_new(FILE *file);
void work_log_free(struct work_log *log);

/* The uses that follow are of the next work. kernel: of a launch, otherwise NULL */
void work_log_begin(struct work_log *log, const char *kind, const char *kernel);

enum { WORK_LOG_ORDERED = -1 };
struct work_log_use {
  const struct allocation *allocation; /* is_read, is_written and sectors_read are those of this work */
  const struct sim_ordered *order;
  const uint64_t *written; /* a bit for each word of 4 bytes; NULL: all, if is_written */
  int unordered; /* a stream whose work on these bytes nothing orders with this work, or WORK_LOG_ORDERED */
};
void work_log_add(struct work_log *log, const struct work_log_use *use);
