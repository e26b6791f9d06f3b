#include "texture_level.h"

#include <math.h>

static double square(const double step[3]) {
  return step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
}

double texture_level_of_steps(const double x[3], const double y[3]) {
  return log2(fmax(square(x), square(y))) / 2;
}

uint32_t texture_level(const struct sim_texture *is, double level) {
  const uint32_t one = 1 << LEVEL_BITS;
  level = fmin(fmax(level + (double)is->bias, (double)is->least_level), (double)is->most_level);
  level = fmax(fmin(level, is->levels - 1), 0); /* even if a limit is no number */
  const uint32_t fixed = (uint32_t)floor(level * one + 0.5);
  return is->flags & SIM_TEXTURE_BETWEEN_LEVELS ? fixed : (fixed + one / 2) / one * one;
}
