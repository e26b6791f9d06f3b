/* The requests of one client, as they arrived: to repeat a run that ended the device. Whoever made a recording may be
 * hostile to whoever plays it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Appends bytes to a recording, a file descriptor; nothing if that is -1. They are in the file when this returns, since
 * the next request may end the device. A recording stops at the process's limit for files. */
void recording_add(int file, const void *bytes, size_t size);

/* A socket that delivers the requests of a recording and takes the replies; -1 after a message. */
int recording_play(const char *path);

/* From now on the process opens no file, shares no memory and starts no program, whatever a recording asks for. Call it
 * when all files of the user's own are open. False: errno says why. */
bool recording_confine(void);
