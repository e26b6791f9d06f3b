/* The copies between host and device: SIMGPU_TRAFFIC, a CSV file with a row per copy. It shows a judge whether the
 * device had the inputs and made the results. All functions do nothing if the file is NULL. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "digest.h"
#include "memory.h"

/* Rows of an allocation. */
struct traffic_rows {
  const struct allocation *allocation;
  uint64_t offset, width, rows, pitch;
};

void traffic_begin(FILE *file);
void traffic_copied(FILE *file, bool to_host, const struct traffic_rows *rows);
/* Managed memory: these words came from the host. */
void traffic_changed(FILE *file, struct digest words);
/* commands: words of all requests that are no copies. */
void traffic_end(FILE *file, uint64_t launches, uint64_t commands);
