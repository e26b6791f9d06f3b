/* Modelled times of copies and fills against those of an H200. argv[1]: hardware/copies.h200.csv. */
#include "suite.h"

#include "model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double tolerance = 0.25;
static const char *table;

static uint64_t modelled(const char *kind, uint64_t bytes, uint64_t offset) {
  if (strcmp(kind, "copy") == 0)
    return model_copy(SIM_ADDRESS_FIRST + offset, bytes);
  if (strcmp(kind, "fill") == 0)
    return model_fill(bytes);
  ck_assert_msg(strncmp(kind, "to ", 3) == 0, "%s: no kind is named '%s'", table, kind);
  return model_transfer(bytes, strstr(kind, "pinned") != NULL);
}

START_TEST(times_are_near) {
  enum { FEWEST = 60 };
  FILE *file = fopen(table, "r");
  char line[128], kind[32];
  unsigned long long bytes, offset;
  double fast, ms, slow;
  int rows = 0, far = 0;
  ck_assert_msg(file && fgets(line, sizeof line, file), "%s: cannot be read", table);
  while (fgets(line, sizeof line, file)) {
    ck_assert_msg(sscanf(line, "%31[^,],%llu,%llu,%lf,%lf,%lf", kind, &bytes, &offset, &fast, &ms, &slow) ==
                      6,
                  "%s: expected kind,bytes,offset,ms_fast,ms,ms_slow, got %s", table, line);
    double ratio = 1e-6 * (double)modelled(kind, bytes, offset) / ms;
    rows++;
    if (!(fabs(ratio - 1) <= tolerance)) {
      fprintf(stderr, "%s of %llu bytes, offset %llu: modelled / measured %.2f\n", kind, bytes, offset,
              ratio);
      far++;
    }
  }
  fclose(file);
  ck_assert_int_ge(rows, FEWEST);
  ck_assert_int_eq(far, 0);
}
END_TEST

int main(int argc, char **argv) {
  suite_check_arguments(argc, argv, "TABLE.csv");
  table = argv[1];
  TCase *tcase = tcase_create("copies");
  tcase_add_test(tcase, times_are_near);
  return suite_run_case("model_copies", tcase);
}
