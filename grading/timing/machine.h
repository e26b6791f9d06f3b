/* The GPU on which times are measured, and the limits of `grade calibrate` for it.
 *
 * The file of limits is libconfig: gpu, driver, toolkit, kit and rubrics say what it is for; each of its
 * items has the id of a time item, none_at, full_at and noise, which take the place of the rubric's, and what
 * the reference measured, its median and deviation. */
#ifndef MACHINE_H
#define MACHINE_H

#include "installation.h"

struct machine {
  char gpu[256], driver[96], toolkit[32];
  double peak;     /* bytes/s of its memory; 0: not known */
  char limits[65]; /* SHA-256 of the file of limits that was applied, "": none */
};

/* Asks the program gpu_copy. False where there is no GPU. */
bool machine_read(const struct installation *kit, struct machine *machine, struct error *error);

struct limits_item {
  char id[64];
  double none_at, full_at, noise, median, deviation;
};

/* Writes the file, whole or not at all. */
bool limits_write(const char *path, const struct installation *kit, const struct machine *machine, int count,
                  const struct limits_item *items, struct error *error);

/* Puts the limits into the kit's rubrics. False, without any change, if the file cannot be read or is for
 * another GPU, driver, toolkit, kit or rubric. */
bool limits_apply(const char *path, struct installation *kit, struct machine *machine, struct error *error);

#endif
