#include "frames.h"
#include "allocate.h"
#include "fields.h"

#include <stdlib.h>

struct frames frames_open(const char *path, struct grid g, int count) {
  if (!path)
    error_die("--out: expected a file for the frames");
  fields_check_output(path);
  const size_t most = (size_t)count + 1;
  float *data = allocate_zeroed(most * grid_points(g), sizeof *data);
  return (struct frames){path, g, {NPY_FLOAT32, 3, {0, (size_t)g.ny, (size_t)g.nx}, data}};
}

void frames_add(struct frames *frames, const double *u) {
  const size_t points = grid_points(frames->g);
  float *frame = (float *)frames->array.data + frames->array.shape[0]++ * points;
  for (size_t k = 0; k < points; k++)
    frame[k] = (float)u[k];
}

void frames_close(struct frames *frames) {
  struct error error;
  if (!npy_write(frames->path, &frames->array, &error))
    error_die("%s", error.text);
  free(frames->array.data);
}
