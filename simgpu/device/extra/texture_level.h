/* The level of detail of a read of a mipmapped texture. */
#pragma once

#include "protocol.h"

enum { LEVEL_BITS = 8 }; /* behind the point of a level */

/* The level in 1/256, after bias, limits and the choice of the nearest level, if the texture has no
 * filter between them. */
uint32_t texture_level(const struct sim_texture *is, double level);

/* The level at which a step of a pixel along x, or along y, is no longer than a texel. Steps are in texels
 * of level 0. */
double texture_level_of_steps(const double x[3], const double y[3]);
