/* The device's printf: text collected per worker, put in the order of blocks at the end of a launch. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "memory.h"

struct text {
  char *bytes;
  size_t length, capacity;
};

/* Appends up to a total of 64 MiB and drops the rest. */
void text_append(struct text *text, const char *bytes, size_t length);

/* What a thread can print: device memory, and its own local and shared memory at these generic addresses. */
struct print_memory {
  const struct memory *global;
  const uint8_t *local, *shared;
  uint64_t local_base, local_bytes, shared_base, shared_bytes;
};

/* Formats one call. `format` is a device address; `arguments` is the thread's argument block, with naturally
 * aligned arguments. Returns the number of arguments, or −1 for a bad address. */
int32_t print_formatted(struct text *text, const struct print_memory *memory, uint64_t format,
                        const uint8_t *arguments, size_t size);

/* A string in device memory, or NULL if it does not end within its allocation. */
const char *print_string(const struct memory *memory, uint64_t address);
