/* grade calibrate: measures the reference's time items on this machine's GPU, and derives limits. */
#pragma once

#include "machine.h"

/* Measures each time item of the lab (NULL: of all labs) gradings times, prints a table of the results,
 * and writes limits to path. full_at leaves the reference a margin of four deviations if the rubric's
 * leaves less; none_at is in proportion. Returns the exit status. */
int calibrate(const struct installation *kit, const struct machine *machine,
              const struct installation_lab *only, int gradings, const char *path);

/* The limits of an item from the values and noises of count gradings; sorts both arrays.
 * Deviation: 1.4826 times the median absolute deviation, which is the standard deviation of a normal distribution (P.
 * J. Rousseeuw, C. Croux, Alternatives to the median absolute deviation, JASA 88 (424), 1993). */
struct limits_item calibrate_item(const struct rubric_item *item, int count, double *values, double *noises);
