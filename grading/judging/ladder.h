/* The ladders of a result (result.h): kernels that do the same work, in the order of the rubrics. Each rung has
 * the fraction of copy bandwidth that the kernel reaches, and the reference's fraction. */
#pragma once

#include "judge_lab.h"
#include <jansson.h>

/* Ladders with a judged rung of these labs, by modelled time. They include rungs of other labs whose
 * rubrics give the reference's fraction. */
json_t *ladder_modelled(const struct installation *kit, const struct judge_lab *labs, int count);

/* Ladders with a rung that a time item of these labs measures, from a result. */
json_t *ladder_measured(const struct installation *kit, const json_t *labs);

/* Joins the first ladders, which it takes over, with those of others (or NULL) that do other work. */
json_t *ladder_either(json_t *ladders, const json_t *others);

/* Adds the ladders, which it takes over, to the whole result unless there are none. */
void ladder_keep(json_t *result, json_t *ladders);
