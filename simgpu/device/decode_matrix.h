/* Decodes matrix instructions. */
#pragma once

#include "decoder.h"

void decode_matrix(struct decoder *d, struct op *op); /* wmma, mma, ldmatrix, stmatrix, movmatrix */
