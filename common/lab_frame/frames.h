/* Grid functions over the iterations of a solver, in one .npy file: frames of ny rows of nx float32 values.
 * commands/plot/animation.py shows them.
 *
 *   struct frames frames = frames_open(path, g, 60);
 *   frames_add(&frames, u);                            60 times and once more: frame 0 is the initial u
 *   frames_close(&frames);
 *
 * Failures end the program with one line and ERROR_STATUS. */
#pragma once

#include "c_linkage.h"
#include "grid.h"
#include "npy.h"

C_LINKAGE_BEGIN

struct frames {
  const char *path;
  struct grid g;
  struct npy array;
};

/* Rows of a lab's table. */
#define FRAMES_COUNT(count)                                                                                  \
  OPTIONS_INT("frames", count, 1, 1000, "frames after the first, which is the initial u")
#define FRAMES_EVERY(every) OPTIONS_INT("every", every, 1, 100000, "iterations from one frame to the next")
#define FRAMES_OUT(path)                                                                                     \
  OPTIONS_STRING("out", path, "FILE", "write the frames to this file, for ./kit plot animation")

/* For the initial u and `count` more. Ends the program if path is NULL or not writable. */
struct frames frames_open(const char *path, struct grid g, int count);
void frames_add(struct frames *frames, const double *u);
void frames_close(struct frames *frames);

C_LINKAGE_END
