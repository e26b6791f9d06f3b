/* The ladders of a result (result.h): kernels that do the same work, rung above rung as the rubrics have
 * them, each with the fraction of copy bandwidth that it reaches, compared with the reference's. */
#ifndef LADDER_H
#define LADDER_H

#include "judge_lab.h"
#include <jansson.h>

/* Those on which a rung of these labs was judged, by modelled time. Rungs of other labs are there, too, as
 * far as the rubrics know what the reference reaches. */
json_t *ladder_modelled(const struct installation *kit, const struct judge_lab *labs, int count);

/* Those of which a time item of these labs, from a result, tells a rung. */
json_t *ladder_measured(const struct installation *kit, const json_t *labs);

/* The first ones, which it owns from now on, and those of the others, or of NULL, for other work. */
json_t *ladder_either(json_t *ladders, const json_t *others);

/* Puts them, which it owns from now on, into the whole result, unless there are none. */
void ladder_keep(json_t *result, json_t *ladders);

#endif
