/* The arithmetic of matrix instructions: D = A B + C. docs/matrices.md describes it. */
#pragma once

#include "fragment.h"

/* The elements of A (M x K), B (K x N) and C (M x N) as bits, row by row; those of 64 bits are in the wide ones. */
struct operands {
  _Alignas(64) uint32_t a[MOST_ELEMENTS], b[MOST_ELEMENTS], c[MOST_ELEMENTS];
  _Alignas(64) uint64_t wide_a[MOST_ELEMENTS], wide_b[MOST_ELEMENTS], wide_c[MOST_ELEMENTS];
};

/* Replaces x->c by the result. */
void matrix_product(const struct matrix *x, struct operands *o);
