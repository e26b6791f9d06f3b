/* The requests of one client, as they arrived: to repeat a run that ended the device. */
#pragma once

#include <stddef.h>

/* Appends bytes to a recording, a file descriptor; nothing if that is -1. They are in the file when this returns, since
 * the next request may end the device. A recording stops at the process's limit for files. */
void recording_add(int file, const void *bytes, size_t size);

/* A socket that delivers the requests of a recording and takes the replies; -1 after a message. */
int recording_play(const char *path);
