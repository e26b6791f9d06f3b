/* Every row of ops.def as a function of all lanes of a warp. warp.c inlines those of the frequent rows and calls the
 * others through rows_table. Registers are aligned to 64 bytes; a comparison's result is one mask of 32 bits. */
#pragma once

#include "device/machine.h"
#include "lane_types.h"
#include "op.h"
#include "special.h"

typedef void rows_function(void *result, const void *a, const void *b, const void *c);

/* By opcode; `run` is NULL for what is no row. rows.c is built for each instruction set that warp.c is built for, and
 * CMakeLists.txt defines rows_table as each one's own name. */
struct rows_entry {
  rows_function *run;
  u8 bytes; /* per lane of the result; 0: a predicate */
};
extern const struct rows_entry rows_table[OP_COUNT];

#ifdef __clang__
#define INDEPENDENT /* its own pragma warns where it has no effect */
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif
#define FOR_LANES INDEPENDENT for (int l = 0; l < LANES; l++)

#define ROW(id) static inline void rows_##id(void *result, const void *pa, const void *pb, const void *pc)
#define RESULT(D) LANE_TYPE_##D *d = __builtin_assume_aligned(result, 64)
#define SOURCE(A, a) const LANE_TYPE_##A *a##s = __builtin_assume_aligned(p##a, 64)
#define OP1(id, D, A, expr, pipe, slots, forms)                                                              \
  ROW(id) {                                                                                                  \
    RESULT(D);                                                                                               \
    SOURCE(A, a);                                                                                            \
    (void)pb, (void)pc;                                                                                      \
    FOR_LANES {                                                                                              \
      const A a = (A)as[l];                                                                                  \
      d[l] = NARROW_##D(expr);                                                                               \
    }                                                                                                        \
  }
#define OP2(id, D, A, B, expr, pipe, slots, forms)                                                           \
  ROW(id) {                                                                                                  \
    RESULT(D);                                                                                               \
    SOURCE(A, a);                                                                                            \
    SOURCE(B, b);                                                                                            \
    (void)pc;                                                                                                \
    FOR_LANES {                                                                                              \
      const A a = (A)as[l];                                                                                  \
      const B b = (B)bs[l];                                                                                  \
      d[l] = NARROW_##D(expr);                                                                               \
    }                                                                                                        \
  }
#define OP3(id, D, A, B, C, expr, pipe, slots, forms)                                                        \
  ROW(id) {                                                                                                  \
    RESULT(D);                                                                                               \
    SOURCE(A, a);                                                                                            \
    SOURCE(B, b);                                                                                            \
    SOURCE(C, c);                                                                                            \
    FOR_LANES {                                                                                              \
      const A a = (A)as[l];                                                                                  \
      const B b = (B)bs[l];                                                                                  \
      const C c = (C)cs[l];                                                                                  \
      d[l] = NARROW_##D(expr);                                                                               \
    }                                                                                                        \
  }
#define SETP(id, A, expr, pipe, slots, forms)                                                                \
  ROW(id) {                                                                                                  \
    SOURCE(A, a);                                                                                            \
    SOURCE(A, b);                                                                                            \
    (void)pc;                                                                                                \
    u32 held = 0;                                                                                            \
    FOR_LANES {                                                                                              \
      const A a = (A)as[l], b = (A)bs[l];                                                                    \
      held |= (u32)(expr) << l;                                                                              \
    }                                                                                                        \
    *(u32 *)result = held;                                                                                   \
  }
#include "ops.def"
#undef ROW
#undef RESULT
#undef SOURCE
