#include "calibrate.h"
#include "allocate.h"
#include "output.h"
#include "time_lab.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = RUBRIC_ITEMS * INSTALLATION_LABS, MARGIN = 4 };
static const double LEAST_NOISE = 0.05;

struct limits_item calibrate_item(const struct rubric_item *item, int count, double *values, double *noises) {
  struct limits_item limits = {.none_at = item->none_at, .full_at = item->full_at};
  double *apart = allocate_zeroed((size_t)count, sizeof *apart);
  snprintf(limits.id, sizeof limits.id, "%s", item->id);
  limits.median = timing_summarise((size_t)count, values).median;
  for (int n = 0; n < count; n++)
    apart[n] = fabs(values[n] - limits.median);
  limits.deviation = 1.4826 * timing_summarise((size_t)count, apart).median;
  limits.noise = fmax(LEAST_NOISE, 2 * timing_summarise((size_t)count, noises).median);
  const double least = limits.median - MARGIN * limits.deviation;
  if (least < item->full_at) {
    limits.full_at = fmax(0, least);
    limits.none_at = item->none_at * limits.full_at / item->full_at;
  }
  free(apart);
  return limits;
}

/* Results of the gradings of one item. */
struct tally {
  int verdicts[TIME_SUSPECT + 1];
  double *values, *noises;
};

static void measure_item(const struct installation *kit, const struct installation_lab *lab,
                         const struct rubric_item *item, double peak, int gradings, struct tally *tally) {
  struct time_outcome *outcome = allocate_zeroed(1, sizeof *outcome);
  program_enter_directory();
  for (int n = 0; n < gradings; n++) {
    time_measure(kit, lab, lab->reference, NULL, item, peak, outcome);
    if (outcome->verdict[0])
      error_die("%s: %s: %s", item->id, outcome->verdict, outcome->message);
    tally->values[n] = time_value(item, &outcome->run);
    tally->noises[n] = time_figures_of(item, &outcome->run).noise;
    tally->verdicts[time_judge(item, &outcome->run, peak)]++;
  }
  program_leave_directory();
  free(outcome);
}

static void print_item(const struct limits_item *limits, const struct tally *tally, int gradings) {
  printf("%-18s%9.4f%11.4f%9.4f%9.4f%9.4f%9.4f%9.4f%6d%6d%6d%6d\n", limits->id, limits->median,
         limits->deviation, tally->values[0], limits->noise, tally->noises[gradings - 1], limits->none_at,
         limits->full_at, tally->verdicts[TIME_PASS], tally->verdicts[TIME_WRONG],
         tally->verdicts[TIME_INCONCLUSIVE], tally->verdicts[TIME_SUSPECT]);
  fflush(stdout);
}

int calibrate(const struct installation *kit, const struct machine *machine,
              const struct installation_lab *only, int gradings, const char *path) {
  struct limits_item *limits = allocate_zeroed(LINES_MAX, sizeof *limits);
  struct tally tally = {.values = allocate_zeroed((size_t)gradings, sizeof(double)),
                        .noises = allocate_zeroed((size_t)gradings, sizeof(double))};
  struct error error;
  int count = 0;
  if (!output_check(path, &error))
    error_die("%s", error.text);
  printf("%s, driver %s, toolkit %s: %d gradings of the reference\n%-18s%9s%11s%9s%9s%9s%9s%9s%6s%6s%6s%6s\n",
         machine->gpu, machine->driver, machine->toolkit, gradings, "item", "median", "deviation", "least",
         "noise", "worst", "none at", "full at", "PASS", "WRONG", "INC.", "SUSP.");
  for (int n = 0; n < kit->count; n++)
    for (int k = 0; k < kit->labs[n].rubric.count; k++) {
      const struct rubric_item *item = &kit->labs[n].rubric.items[k];
      if (item->kind != RUBRIC_TIME || (only && only != &kit->labs[n]))
        continue;
      memset(tally.verdicts, 0, sizeof tally.verdicts);
      measure_item(kit, &kit->labs[n], item, machine->peak, gradings, &tally);
      limits[count] = calibrate_item(item, gradings, tally.values, tally.noises);
      print_item(&limits[count], &tally, gradings);
      if (!(limits[count].full_at > limits[count].none_at))
        error_die("%s: deviation %.4f of median %.4f: expected a quieter machine; nothing was written",
                  item->id, limits[count].deviation, limits[count].median);
      count++;
    }
  if (!limits_write(path, kit, machine, count, limits, &error))
    error_die("%s", error.text);
  free(tally.values);
  free(tally.noises);
  free(limits);
  printf("wrote %s\n", path);
  return 0;
}
