#include "texture_level.h"

#include <math.h>

static double square(const double step[3]) {
  return step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
}

double texture_level_of_steps(const double x[3], const double y[3]) {
  return log2(fmax(square(x), square(y))) / 2;
}

enum { ONE = 1 << LEVEL_BITS, BIAS_MOST = 16 * ONE };

/* In 1/256, without the rest. */
static double fixed_point(double level) { return trunc(level * ONE); }

uint32_t texture_level(const struct sim_texture *is, double level) {
  const double bias = fmax(fmin(fixed_point((double)is->bias), BIAS_MOST - 1), -BIAS_MOST);
  level = fmax(fixed_point(level) + bias, -SIM_TEXTURE_LEVELS * ONE); /* even if it is no number */
  level = fmax(fmin(level, fixed_point((double)is->most_level)), fixed_point((double)is->least_level));
  const uint32_t fixed =
      (uint32_t)fmax(fmin(level, (is->levels - 1) * (double)ONE), 0); /* even if a limit is no number */
  return is->flags & SIM_TEXTURE_BETWEEN_LEVELS ? fixed : (fixed + ONE / 2) / ONE * ONE;
}
