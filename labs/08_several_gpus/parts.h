/* The parts of a grid on the GPUs of one host: their memory, streams and events. */
#pragma once

#include "grid.h"
#include "several_gpus.h"

/* Ends the program with one line unless there are so many GPUs. */
void parts_find_gpus(int gpus);

/* Ends the program with one line and status 1 unless first and count of the parts have each interior row once. */
void parts_check_rows(const struct sg_part *parts, int gpus, int ny);

/* parts[k].first and .count are set; this sets the rest. f and u: the whole grid on the host, interleaved, u = 0 on the
 * boundary. Halo rows between parts are zero. */
void parts_open(struct sg_part *parts, int gpus, struct grid g, const double *f, const double *u);
void parts_close(struct sg_part *parts, int gpus);

void parts_wait(const struct sg_part *parts, int gpus); /* until all GPUs are idle */
/* u of all own rows. The GPUs are idle. The boundary of u stays as it is. */
void parts_get(const struct sg_part *parts, int gpus, struct grid g, double *u);
/* An array of one colour with its halo: count + 2 rows of pitch elements. */
void parts_get_array(const struct sg_part *part, int colour, double *array);
