/* read() and write() until all bytes are there: a system call may be interrupted by a signal, and may move fewer bytes
 * than it was given. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Fewer bytes than size: the file ends there. -1: errno says why. */
ssize_t all_bytes_read(int file, void *bytes, size_t size);

/* The bytes at this place of a file, wherever the descriptor stands. */
ssize_t all_bytes_read_at(int file, void *bytes, size_t size, off_t at);

/* False: errno says why. */
bool all_bytes_write(int file, const void *bytes, size_t size);
