/* grade calibrate: what this machine's GPU says of the reference's own time items, and the limits that
 * follow. */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include "machine.h"

/* Measures each time item of the lab (NULL: of all labs) gradings times, prints a table of what came of them,
 * and writes limits to path: full_at such that the reference keeps a margin of four deviations, where the
 * rubric's leaves less, and none_at in proportion. Returns the exit status. */
int calibrate(const struct installation *kit, const struct machine *machine,
              const struct installation_lab *only, int gradings, const char *path);

/* The limits of an item after values and noises of count gradings, both of which are sorted.
 * Deviation: 1.4826 times the median absolute deviation, which is the standard deviation of a normal
 * distribution (P. J. Rousseeuw, C. Croux, Alternatives to the median absolute deviation, JASA 88 (424),
 * 1993). */
struct limits_item calibrate_item(const struct rubric_item *item, int count, double *values, double *noises);

#endif
