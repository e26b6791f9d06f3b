/* Branches, calls, barriers, and operations of a whole warp. */
#pragma once

#include "decoder.h"

void decode_branch(struct decoder *d, struct op *op); /* bra, brx */
void decode_call(struct decoder *d, struct op *op);
/* Returns whether the callee is known only at run time. */
bool decode_is_indirect_call(const struct ptx_inst *inst);
void decode_return(struct decoder *d, struct op *op);
void decode_exit(struct decoder *d, struct op *op);
void decode_trap(struct decoder *d, struct op *op);

void decode_cluster_address(struct decoder *d, struct op *op);
void decode_barrier(struct decoder *d, struct op *op);
void decode_shfl(struct decoder *d, struct op *op);
void decode_vote(struct decoder *d, struct op *op);
void decode_match(struct decoder *d, struct op *op);
void decode_redux(struct decoder *d, struct op *op);
void decode_elect(struct decoder *d, struct op *op);
void decode_activemask(struct decoder *d, struct op *op);
