#include "sobol.h"

struct draw_long_bits {
  typedef unsigned long long value;
  template <typename S> __device__ value operator()(S *s) const { return curand(s); }
};

curandStatus_t generator_sobol64(curandGenerator_t g, const generator_request &r) {
  const auto launch = [&](auto draw, auto *to) {
    return sobol_generate<curandStateSobol64_t, curandDirectionVectors64_t, unsigned long long, 64>(
        g, r.count, draw, to);
  };
  if (r.kind == LONG_BITS)
    return launch(draw_long_bits{}, (unsigned long long *)r.to);
  return r.kind == BITS ? CURAND_STATUS_TYPE_ERROR : generator_dispatch(r, launch);
}
