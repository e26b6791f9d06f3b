#include "sources.h"

#include "texture.h"

/* Sets of sources, as ops.def names them. */
#define FIRST(n) ((1u << (n)) - 1)
#define ALSO(n, condition) ((condition) ? 1u << (n) : 0)
#define COMPARED (FIRST(2) | ALSO(2, op->combine != COMBINE_NONE))
/* Of an addition with the carry flag, which is src[3]. */
#define ADDENDS (FIRST(op->carry & CARRY_MULTIPLY ? 3 : 2) | ALSO(3, op->carry & CARRY_IN))
/* Of an atomic operation: the address and the values, of 128 bits in two parts. */
#define EXCHANGED FIRST(1 + (op->type == PTX_B128 ? 2 : op->count) * (op->atomic == ATOM_CAS ? 2 : 1))
#define MEMBERS ALSO(3, true) /* lanes */
#define PLACE FIRST(1 + (op->mode & GEOMETRY_AXES))
#define LAYER(n) ALSO(n, op->mode &GEOMETRY_LAYERED)

uint32_t sources_of(const struct op *op) {
  switch ((enum opcode)op->code) {
#define OP1(id, D, A, expr, pipe, slots, forms)                                                              \
  case OP_##id:                                                                                              \
    return FIRST(1);
#define OP2(id, D, A, B, expr, pipe, slots, forms)                                                           \
  case OP_##id:                                                                                              \
    return FIRST(2);
#define OP3(id, D, A, B, C, expr, pipe, slots, forms)                                                        \
  case OP_##id:                                                                                              \
    return FIRST(3);
#define SETP(id, A, expr, pipe, slots, forms)                                                                \
  case OP_##id:                                                                                              \
    return COMPARED;
#define CODE(id, pipe, memory, sources, way, note)                                                           \
  case OP_##id:                                                                                              \
    return sources;
#include "ops.def"
  case OP_COUNT:
    break;
  }
  return 0;
}
