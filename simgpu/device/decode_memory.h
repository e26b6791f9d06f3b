/* Decodes memory accesses, fences and hints. */
#pragma once

#include "decoder.h"

void decode_memory(struct decoder *d, struct op *op); /* ld, st */
void decode_atomic(struct decoder *d, struct op *op); /* atom, red */
void decode_copy_async(struct decoder *d, struct op *op);
void decode_mbarrier(struct decoder *d, struct op *op);
void decode_cvta(struct decoder *d, struct op *op);
void decode_isspacep(struct decoder *d, struct op *op);
void decode_fence(struct decoder *d, struct op *op); /* membar, fence; prefetch and other hints; nanosleep */
void decode_policy(struct decoder *d, struct op *op);
