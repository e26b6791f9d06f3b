#include "data.h"
#include "lab_suite.h"
#include "random.h"

const char *data_words(enum data kind) {
  static const char *const words[] = {"random", "random, and half of them 0",
                                      "random, times 2⁻¹²⁴ or less (subnormal in float)",
                                      "random, times 2⁸⁰ or more"};
  return words[kind];
}

enum data data_of(int n) {
  static const enum data kinds[] = {DATA_SPARSE, DATA_TINY, DATA_HUGE};
  return n < 7 ? DATA_RANDOM : kinds[(n - 7) % 3];
}

static struct random draw_of(uint64_t purpose) { return random_seed(lab_suite_seed(purpose) + 1); }

static double changed(enum data kind, struct random *draw, double value, double tiny, double huge) {
  if (kind == DATA_SPARSE)
    return random_float(draw, -1, 1) < 0 ? 0 : value;
  return value * (kind == DATA_TINY ? tiny : huge);
}

void data_change(enum data kind, uint64_t purpose, size_t count, float *values) {
  struct random draw = draw_of(purpose);
  for (size_t k = 0; k < count && kind != DATA_RANDOM; k++)
    values[k] = (float)changed(kind, &draw, values[k], 0x1p-124, 0x1p80);
}

void data_change_double(enum data kind, uint64_t purpose, size_t count, double *values) {
  struct random draw = draw_of(purpose);
  for (size_t k = 0; k < count && kind != DATA_RANDOM; k++)
    values[k] = changed(kind, &draw, values[k], 0x1p-160, 0x1p160);
}
