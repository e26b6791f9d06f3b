/* The GPU on which times are measured, and the limits of `grade calibrate` for it.
 *
 * The file of limits is libconfig. gpu, driver, toolkit, kit and rubrics say where it applies. Each of its
 * items has the id of a time item; none_at, full_at and noise, which replace the rubric's; and the median and
 * deviation of the reference's values. */
#pragma once

#include "installation.h"
#include "jail.h"

struct machine {
  char gpu[256], driver[96], toolkit[32];
  double peak;              /* bytes/s of its memory; 0: unknown */
  enum isolation isolation; /* of submissions on it */
  char missing[512];        /* for more */
  char limits[65];          /* SHA-256 of the applied file of limits; "": none was applied */
};

/* Runs the program gpu_copy. False if there is no GPU. */
bool machine_read(const struct installation *kit, struct machine *machine, struct error *error);

struct limits_item {
  char id[64];
  double none_at, full_at, noise, median, deviation;
};

/* Writes the complete file or none. */
bool limits_write(const char *path, const struct installation *kit, const struct machine *machine, int count,
                  const struct limits_item *items, struct error *error);

/* Puts the limits into the kit's rubrics. False, without any change, if the file cannot be read or is for
 * another GPU, driver, toolkit, kit or rubric. */
bool limits_apply(const char *path, struct installation *kit, struct machine *machine, struct error *error);
