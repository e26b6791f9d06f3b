/* Arithmetic, comparisons, conversions and moves without a row of their own in ops.def. */
#pragma once

#include "decoder.h"

/* Decodes mov in forms that are more than a copy. Returns false for a plain copy. */
bool decode_mov(struct decoder *d, struct op *op);
/* mov.b128 is two instructions: the low half, then the high one. */
bool decode_moves_128(const struct ptx_inst *inst);
void decode_mov_128(struct decoder *d, struct op *op, uint32_t half);
/* The predicates of a setp that has a row. */
void decode_setp(struct decoder *d, struct op *op);

void decode_setp_pair(struct decoder *d, struct op *op); /* setp of two halves */
void decode_set(struct decoder *d, struct op *op);
void decode_cvt(struct decoder *d, struct op *op);
void decode_carry(struct decoder *d, struct op *op); /* add, sub and mad with the carry flag */
void decode_pred(struct decoder *d, struct op *op);  /* mov, not, and, or, xor of predicates */
void decode_selp(struct decoder *d, struct op *op);
void decode_lop3(struct decoder *d, struct op *op);
void decode_bfi(struct decoder *d, struct op *op);
void decode_testp(struct decoder *d, struct op *op);
