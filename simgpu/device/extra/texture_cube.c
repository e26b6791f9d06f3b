#include "texture_cube.h"

#include <math.h>
#include <stdlib.h>

enum { X, Y, Z, AXES };

/* The axes that a face's coordinates s and t follow; a face's own axis is face / 2, and odd faces are negative. */
static const struct face {
  int axis[2], sign[2];
} faces[] = {{{Z, Y}, {-1, -1}}, {{Z, Y}, {1, -1}}, {{X, Z}, {1, 1}},
             {{X, Z}, {1, -1}},  {{X, Y}, {1, -1}}, {{X, Y}, {-1, -1}}};

/* Below all sizes if it is no number. */
static double size_of(double component) { return component == component ? fabs(component) : -1; }

/* The guide leaves open which of two equal components counts: an H200 takes z before y before x. */
static uint32_t face_of(double x, double y, double z) {
  const double components[] = {x, y, z};
  const int axis = size_of(z) >= size_of(x) && size_of(z) >= size_of(y) ? Z
                   : size_of(y) >= size_of(x)                           ? Y
                                                                        : X;
  return (uint32_t)(2 * axis + (components[axis] < 0));
}

/* As in ptxas' code, which multiplies the components by the reciprocal of the largest one. */
struct cube_place cube_project(const float direction[3]) {
  float scaled[AXES];
  const float factor = 1 / fmaxf(fmaxf(fabsf(direction[X]), fabsf(direction[Y])), fabsf(direction[Z]));
  for (int axis = 0; axis < AXES; axis++)
    scaled[axis] = direction[axis] * factor;
  struct cube_place place = {.face = face_of(scaled[X], scaled[Y], scaled[Z])};
  for (int i = 0; i < 2; i++) {
    const struct face *face = &faces[place.face];
    const double along = scaled[face->axis[i]];
    place.at[i] = along == along ? (face->sign[i] * along + 1) / 2 : 0.5;
  }
  return place;
}

void cube_slope(const float direction[3], const float step[3], double slope[2]) {
  const uint32_t number = face_of(direction[X], direction[Y], direction[Z]);
  const struct face *face = &faces[number];
  const double largest = direction[number / 2];
  for (int i = 0; i < 2; i++) {
    const int axis = face->axis[i];
    slope[i] = (step[axis] * largest - (double)direction[axis] * step[number / 2]) / (2 * largest * largest);
  }
}

/* In halves of a texel from the face's centre: the part beyond the edge goes down the neighbour's side. */
bool cube_fold(int64_t size, int64_t texel[2], uint32_t *face) {
  const struct face *from = &faces[*face];
  int64_t component[AXES], beyond = 0;
  component[*face / 2] = *face % 2 ? -size : size;
  for (int i = 0; i < 2; i++) {
    const int64_t at = 2 * texel[i] + 1 - size, over = llabs(at) - size;
    component[from->axis[i]] = from->sign[i] * (over > 0 ? (at < 0 ? -size : size) : at);
    if (over > 0 && beyond)
      return false;
    if (over > 0)
      beyond = over;
  }
  if (!beyond)
    return true;
  component[*face / 2] += *face % 2 ? beyond : -beyond;
  *face = face_of((double)component[X], (double)component[Y], (double)component[Z]);
  for (int i = 0; i < 2; i++)
    texel[i] = (faces[*face].sign[i] * component[faces[*face].axis[i]] + size - 1) / 2;
  return true;
}
