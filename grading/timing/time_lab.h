/* Time items of one lab: runs the submission's program and the reference's alternately on the GPU (time_run.h). */
#pragma once

#include "installation.h"
#include "program.h"
#include "time_run.h"
#include <jansson.h>

/* Outcome of the runs of a time item. */
struct time_outcome {
  const char *verdict; /* "": it was measured */
  char message[PROGRAM_TEXT_MAX];
  struct time_run run;
  double device_ms;  /* of the last run, by device events, as the program reports; NaN: not reported */
  double difference; /* the largest from the reference's results */
};

/* ‖a − b‖₂/‖b‖₂ of count floats or doubles; 0 if their bits are equal, NaN if a value is not finite. */
double time_difference(size_t count, size_t size, const void *a, const void *b);

/* Runs program, a path, in the jail unless that is NULL, and the lab's reference for that item until the verdict is
 * clear. peak: bytes/s of the GPU's memory; 0: unknown. */
void time_measure(const struct installation *kit, const struct installation_lab *lab, const char *program,
                  const struct jail *jail, const struct rubric_item *item, double peak,
                  struct time_outcome *outcome);

/* The item of the result (result.h). */
json_t *time_item(const struct installation *kit, const struct installation_lab *lab, const char *program,
                  const struct jail *jail, const struct rubric_item *item, double peak);
