#include "rows.h"

const struct rows_entry rows_table[OP_COUNT] = {
#define OP1(id, D, A, expr, pipe, slots, forms) [OP_##id] = {rows_##id, sizeof(LANE_TYPE_##D)},
#define OP2(id, D, A, B, expr, pipe, slots, forms) [OP_##id] = {rows_##id, sizeof(LANE_TYPE_##D)},
#define OP3(id, D, A, B, C, expr, pipe, slots, forms) [OP_##id] = {rows_##id, sizeof(LANE_TYPE_##D)},
#define SETP(id, A, expr, pipe, slots, forms) [OP_##id] = {rows_##id, 0},
#include "ops.def"
};
