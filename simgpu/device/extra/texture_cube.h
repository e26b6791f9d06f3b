/* The faces of a cubemap: CUDA C++ Programming Guide, Cubemap Textures. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The face that a direction from the cube's centre hits, and the place on it, from 0 to 1. */
struct cube_place {
  uint32_t face;
  double at[2];
};

struct cube_place cube_project(const float direction[3]);

/* How fast the place moves when the direction changes by `step`. */
void cube_slope(const float direction[3], const float step[3], double slope[2]);

/* A texel may lie one beyond the edges of its face, which has `size` texels in a row. Moves it to the
 * neighbour face. Returns false beyond a corner of the cube, where there is no texel. */
bool cube_fold(int64_t size, int64_t texel[2], uint32_t *face);
