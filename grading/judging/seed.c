#include "seed.h"
#include "error.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>

int seed_draw(void) {
  unsigned seed = 0;
  do
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed && errno != EINTR)
      error_die("cannot draw a seed: %s", strerror(errno));
  while (seed < 1 || seed > INT_MAX);
  return (int)seed;
}
