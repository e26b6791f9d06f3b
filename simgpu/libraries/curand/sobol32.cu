#include "sobol.h"

curandStatus_t generator_sobol32(curandGenerator_t g, const generator_request &r) {
  return generator_dispatch(r, [&](auto draw, auto *to) {
    return sobol_generate<curandStateSobol32_t, curandDirectionVectors32_t, unsigned, 32>(g, r.count, draw,
                                                                                          to);
  });
}
