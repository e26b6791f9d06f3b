#include "grid.h"
#include "error.h"
#include <string.h>

struct grid grid_make(int nx, int ny) {
  if (nx < GRID_MIN || nx > GRID_MAX || ny < GRID_MIN || ny > GRID_MAX)
    error_die("grid of %d x %d points: expected %d to %d in each direction", nx, ny, GRID_MIN, GRID_MAX);
  return (struct grid){.nx = nx, .ny = ny, .h = 1.0 / (nx - 1)};
}

/* Byte offset, in the array of its colour, of point (i, j). */
static size_t split_offset(struct grid g, size_t size, int i, int j) {
  return ((size_t)i * (size_t)grid_pitch(g.nx) + (size_t)grid_compressed(j)) * size;
}

void grid_split_pack(struct grid g, size_t size, const void *u, void *red, void *black) {
  char *colours[] = {red, black};
  memset(red, 0, grid_split_points(g) * size);
  memset(black, 0, grid_split_points(g) * size);
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      memcpy(colours[grid_colour(i, j)] + split_offset(g, size, i, j),
             (const char *)u + grid_index(g, i, j) * size, size);
}

void grid_split_unpack(struct grid g, size_t size, const void *red, const void *black, void *u) {
  const char *colours[] = {red, black};
  for (int i = 0; i < g.ny; i++)
    for (int j = 0; j < g.nx; j++)
      memcpy((char *)u + grid_index(g, i, j) * size, colours[grid_colour(i, j)] + split_offset(g, size, i, j),
             size);
}
