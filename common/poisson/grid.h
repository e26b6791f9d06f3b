/* The grid: geometry, red-black colours, and the two layouts of a grid function.
 *
 * A grid has ny rows of nx points, boundary included, and the same spacing h in both directions; the
 * rectangle is 1 wide and (ny-1) h high. Point (i, j) is row i, column j, at x = j h, y = i h.
 *
 * Interleaved layout: one array, i*nx + j.
 * Split layout: one array per colour, i*pitch + jh, where jh = j/2 is the compressed index. */
#pragma once

#include "c_linkage.h"
#include <stdbool.h>
#include <stddef.h>

C_LINKAGE_BEGIN

enum { GRID_RED = 0, GRID_BLACK = 1 };     /* i + j even, odd */
enum { GRID_MIN = 3, GRID_MAX = 1 << 20 }; /* limits of nx and ny */
enum { GRID_PITCH_UNIT = 32 };             /* a split row starts on a multiple of 32 elements */

struct grid {
  int nx, ny; /* points per row, per column */
  double h;   /* 1/(nx-1) */
};

/* Ends the program, with one line, unless GRID_MIN <= nx, ny <= GRID_MAX. */
struct grid grid_make(int nx, int ny);

static inline size_t grid_points(struct grid g) { return (size_t)g.nx * (size_t)g.ny; }
static inline size_t grid_interior_points(struct grid g) { return (size_t)(g.nx - 2) * (size_t)(g.ny - 2); }
static inline size_t grid_index(struct grid g, int i, int j) { return (size_t)i * (size_t)g.nx + (size_t)j; }
static inline bool grid_is_interior(struct grid g, int i, int j) {
  return 0 < i && i < g.ny - 1 && 0 < j && j < g.nx - 1;
}

static inline int grid_colour(int i, int j) { return (i + j) & 1; }

/* Column of the point with compressed index jh in row i of a colour; its inverse is j/2. Either column 0
 * or column 1 of the row has this colour. */
static inline int grid_column(int i, int jh, int colour) {
  return grid_colour(i, 0) == colour ? 2 * jh : 2 * jh + 1;
}
static inline int grid_compressed(int j) { return j / 2; }

/* First interior column of a colour in row i; the others follow at every second column. */
static inline int grid_first_column(int i, int colour) { return 2 - ((i + colour) & 1); }

/* Number of points of a colour in row i. */
static inline int grid_colour_columns(struct grid g, int i, int colour) {
  return (g.nx + 1 - ((i + colour) & 1)) / 2;
}

/* Split layout: elements per row, and per colour. */
static inline int grid_pitch(int nx) {
  return ((nx + 1) / 2 + GRID_PITCH_UNIT - 1) / GRID_PITCH_UNIT * GRID_PITCH_UNIT;
}
static inline size_t grid_split_points(struct grid g) { return (size_t)grid_pitch(g.nx) * (size_t)g.ny; }

/* Places, in the arrays of the other colour, of the west and east neighbours of the point with compressed
 * index jh in row i of a colour. Both exist for interior points. */
static inline ptrdiff_t grid_left(int i, int jh, int colour, int pitch) {
  const bool from_column_0 = grid_colour(i, 0) == colour; /* the west neighbour of jh = 0 is outside */
  return (ptrdiff_t)i * pitch + (from_column_0 ? jh - 1 : jh);
}
static inline ptrdiff_t grid_right(int i, int jh, int colour, int pitch) {
  return grid_left(i, jh, colour, pitch) + 1;
}

/* Between the layouts, on the host. Elements are size bytes (sizeof(float), sizeof(double), …); u is
 * interleaved; red and black hold grid_split_points(g) elements each. Packing fills the padding with zero
 * bytes; unpacking ignores it. */
void grid_split_pack(struct grid g, size_t size, const void *u, void *red, void *black);
void grid_split_unpack(struct grid g, size_t size, const void *red, const void *black, void *u);

C_LINKAGE_END
