/* Pages of the program that are those of a file in memory, so that the device can use them, too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A new file of zeros; the caller closes it. -1: there is none, or the device does not permit it (SIMGPU_STRICT,
 * checks, totals, a recording). */
int shared_pages_file(size_t bytes);

size_t shared_pages_size(void); /* bytes of a page */

/* Moves the contents of whole pages to the file's, which take their place; -1: to private pages. Returns false, with
 * nothing changed, for pages that are not ordinary memory of the program, and for the caller's stack. A thread that
 * writes to the pages at the same time may lose what it writes. */
bool shared_pages_replace(void *first, size_t bytes, int file);
