/* Texture and surface objects, and the instructions that use them: tex, tld4, txq, suld, sust, suq.
 *
 * Filtering follows the CUDA C++ Programming Guide, Texture Fetching: the coordinate minus 0.5 in 1/256 gives the
 * texel and its weight. docs/instructions.md has the rounding. */
#pragma once

#include "device/machine.h"
#include "protocol.h"

enum geometry {
  GEOMETRY_1D = 1,
  GEOMETRY_2D = 2,
  GEOMETRY_3D = 3,
  GEOMETRY_AXES = 3, /* mask of the number of coordinates */
  GEOMETRY_LAYERED = 4,
  GEOMETRY_CUBE = 8 /* the three coordinates are a direction */
};

/* What a surface instruction does outside the surface. */
enum boundary { BOUNDARY_TRAP, BOUNDARY_CLAMP, BOUNDARY_ZERO };

struct texture_detail { /* operands as in struct op */
  uint32_t level;       /* tex.level */
  uint32_t steps[2][3]; /* tex.grad: the change of each coordinate along x and along y */
};

struct textures {
  struct texture *list; /* by number minus 1 */
  uint32_t count;
};

/* Returns the number of the new object, or 0 if the description makes no sense. */
uint32_t texture_new(struct textures *textures, const struct sim_texture *description);
/* Returns false if there is no such object. */
bool texture_free(struct textures *textures, uint32_t number);
void texture_free_all(struct textures *textures);

/* Runs tex, tld4, txq, suld, sust or suq; returns false after a fault. */
bool texture_run(struct warp *w, const struct op *op, char **bases, uint32_t pc, uint32_t m);
