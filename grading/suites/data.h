/* Values of random fields and matrices that a plain random draw hardly has. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Half of the values zero, or all so small or large that a limit for "nearly zero" or "diverged" would lose them. */
enum data { DATA_RANDOM, DATA_SPARSE, DATA_TINY, DATA_HUGE };

/* The kind in words, as in "u and f random". */
const char *data_words(enum data kind);
/* The kind of the n-th case of a test: the first seven are random, so that common mistakes show there. */
enum data data_of(int n);
/* Changes random values. purpose: as of lab_suite_seed. DATA_TINY multiplies by 2⁻¹²⁴, or double values by 2⁻¹⁶⁰;
 * DATA_HUGE multiplies by 2⁸⁰ and 2¹⁶⁰. Of floats below 2⁻¹²⁴, a quarter is subnormal: flushing them to zero shows. */
void data_change(enum data kind, uint64_t purpose, size_t count, float *values);
void data_change_double(enum data kind, uint64_t purpose, size_t count, double *values);
