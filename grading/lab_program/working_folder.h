/* The folder in which programs are compiled and run: a new one in $TMPDIR. If that is not set, it is in /dev/shm, which
 * is in memory and faster, if at least WORKING_FOLDER_MEMORY are free there and programs can run there; else in /tmp.
 *
 * A grader works in the folder that working_folder_open makes; later folders are inside it. The grader
 * holds a lock on it. A folder without a lock belongs to a killed grader, and the next grader removes it. */
#pragma once

#include "error.h"
#include <limits.h>
#include <stdbool.h>

/* Required free MiB: before a grading, after a failed run, and in memory. */
enum { WORKING_FOLDER_ROOM = 256, WORKING_FOLDER_ROOM_LEFT = 64, WORKING_FOLDER_MEMORY = 1024 };

/* Makes the folder of this grader, sets $TMPDIR to it, and continues as a child process. The parent waits,
 * passes on the exit status, and removes the folder even if the child is killed or the user presses
 * Ctrl-C. False, with one line and no child, if programs cannot run in the folder. */
bool working_folder_open(struct error *error);

/* Makes a folder in $TMPDIR. */
bool working_folder_make(char path[PATH_MAX], struct error *error);

/* Removes the folders of graders from the paths in the text:
 * "/dev/shm/checkerboard-grade.h0fdiP/checkerboard.QbJ5Tz/u.npy" becomes "u.npy". Nobody needs them after the grading,
 * and they tell where it was. */
void working_folder_drop(char *text);

/* Removes the folder with all in it. */
void working_folder_remove(const char *path);

/* Whether the folder is writable, has WORKING_FOLDER_ROOM, and allows programs to run. */
bool working_folder_check(const char *path, struct error *error);

/* Whether files can be written to the current folder: a program that failed may have found a full disk. */
bool working_folder_has_room(struct error *error);
