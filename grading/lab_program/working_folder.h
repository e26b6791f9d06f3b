/* Where programs are compiled and run: a new folder in $TMPDIR, or in /tmp where that is not set.
 *
 * A grader works in one folder, which working_folder_open makes and later ones lie in. It holds a lock on it,
 * so that a folder without one belongs to a grader that was killed, and the next grader removes it. */
#ifndef WORKING_FOLDER_H
#define WORKING_FOLDER_H

#include "error.h"
#include <limits.h>
#include <stdbool.h>

/* MiB that are free: before a grading, and after a run that failed. */
enum { WORKING_FOLDER_ROOM = 256, WORKING_FOLDER_ROOM_LEFT = 64 };

/* Makes the folder of this grader and points $TMPDIR to it. Goes on as a child process: the parent waits,
 * hands on the exit status, and removes the folder even when the child is killed or the person presses
 * Ctrl-C. False, with one line and no child, when the folder is not fit for programs. */
bool working_folder_open(struct error *error);

/* Makes a folder in $TMPDIR. */
bool working_folder_make(char path[PATH_MAX], struct error *error);

/* Removes the folder with all in it. */
void working_folder_remove(const char *path);

/* Whether the folder can be written, has WORKING_FOLDER_ROOM, and lets programs run. */
bool working_folder_check(const char *path, struct error *error);

/* Whether files can be written to the current folder: a program that failed may have found a full disk. */
bool working_folder_has_room(struct error *error);

#endif
