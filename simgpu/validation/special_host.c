/* The simulated GPU's results of special.cu's instructions, by their numbers there. */
#include "special.h"

uint32_t special_compare(int number, uint32_t first, const uint32_t *results, uint32_t count);

static inline f32 sine(f32 a) { return SPECIAL_F32(sin, special_turns(a)); }
static inline f32 cosine(f32 a) { return SPECIAL_F32(cos, special_turns(a)); }
static inline f32 tangent(f32 a) { return SPECIAL_F32(tanh, a); }

#define FLUSHED(name)                                                                                        \
  static inline f32 name##_ftz(f32 a) { return SPECIAL_F32(name, a); }
FLUSHED(rcp)
FLUSHED(sqrt)
FLUSHED(rsqrt)
FLUSHED(ex2)
FLUSHED(lg2)

/* The operands from `first` on whose results differ. */
uint32_t special_compare(int number, uint32_t first, const uint32_t *results, uint32_t count) {
  uint32_t differing = 0;
#define INSTRUCTION(n, f)                                                                                    \
  case n:                                                                                                    \
    for (uint32_t i = 0; i < count; i++)                                                                     \
      differing += lane_bits(f(lane_f32(first + i))) != results[i];                                          \
    break
  switch (number) {
    INSTRUCTION(0, approx_rcp);
    INSTRUCTION(1, rcp_ftz);
    INSTRUCTION(2, approx_sqrt);
    INSTRUCTION(3, sqrt_ftz);
    INSTRUCTION(4, approx_rsqrt);
    INSTRUCTION(5, rsqrt_ftz);
    INSTRUCTION(6, approx_ex2);
    INSTRUCTION(7, ex2_ftz);
    INSTRUCTION(8, approx_lg2);
    INSTRUCTION(9, lg2_ftz);
    INSTRUCTION(10, sine);
    INSTRUCTION(11, sine);
    INSTRUCTION(12, cosine);
    INSTRUCTION(13, cosine);
    INSTRUCTION(14, tangent);
  }
  return differing;
}
