/* The copies between host and device: SIMGPU_TRAFFIC, a CSV file with a row per copy. It shows a judge whether the
 * device had the inputs and made the results. All functions do nothing if the file is NULL.
 *
 * `place` and `carries` are words that a copy to the device can tell a kernel: by where it goes and how long it is, and
 * by its values. Zeros count, too: where a few other words are among them is information. */
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

enum {
  TRAFFIC_PLACE = 2,
  TRAFFIC_ROWS = 2
}; /* words of an address and a length; of a pitch and a number of rows */

void traffic_begin(FILE *file);
/* Adds bytes to a digest, with the key of SIMGPU_TRAFFIC_KEY, or 0. */
void traffic_digest(struct digest *digest, const void *bytes, size_t count);
void traffic_copied(FILE *file, bool to_host, const struct traffic_rows *rows);
/* Managed memory, or a fill: these words came from the host; `changed` of `all`, zeros included. */
void traffic_changed(FILE *file, struct digest words, uint64_t changed, uint64_t all);
/* commands: words of all requests that are no copies. */
void traffic_end(FILE *file, uint64_t launches, uint64_t commands);
