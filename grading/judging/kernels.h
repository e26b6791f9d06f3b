/* Counts of a run's kernels by source line, for the "kernels" of a lab in the result (result.h). */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* Output of a counted run. */
struct kernels_run {
  const char *arguments;         /* of the program, for people */
  const char *lines, *addresses; /* files that the device wrote as SIMGPU_LINES and SIMGPU_ADDRESSES */
};

/* Returns an array, empty if the files hold nothing. file: the source's name; text: its size bytes. */
json_t *kernels_read(const struct kernels_run *run, const char *file, const char *text, size_t size);

/* Moves the "kernels" of items to their lab, each kernel once. */
void kernels_gather(json_t *lab);
