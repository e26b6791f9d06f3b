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

/* Formats one call. `format` is a device address; `arguments` is the thread's argument block, with naturally
 * aligned arguments. Returns the number of arguments, or −1 for a bad format or address. */
int32_t print_formatted(struct text *text, const struct memory *memory, uint64_t format,
                        const uint8_t *arguments, size_t size);

/* A string in device memory, or NULL if it does not end within its allocation. */
const char *print_string(const struct memory *memory, uint64_t address);
