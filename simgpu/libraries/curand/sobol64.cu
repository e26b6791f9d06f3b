#include "sobol.h"

struct sobol64 {
  typedef curandStateSobol64_t state;
  typedef curandDirectionVectors64_t directions;
  typedef unsigned long long word;
  enum { SCRAMBLED = false };
  __device__ static void start(directions vectors, word, word point, state *s) {
    curand_init(vectors, point, s);
  }
  static curandStatus_t get(directions **vectors, word **) {
    return curandGetDirectionVectors64(vectors, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
  }
};

struct scrambled64 {
  typedef curandStateScrambledSobol64_t state;
  typedef curandDirectionVectors64_t directions;
  typedef unsigned long long word;
  enum { SCRAMBLED = true };
  __device__ static void start(directions vectors, word constant, word point, state *s) {
    curand_init(vectors, constant, point, s);
  }
  static curandStatus_t get(directions **vectors, word **constants) {
    const curandStatus_t status = curandGetScrambleConstants64(constants);
    return status != CURAND_STATUS_SUCCESS
               ? status
               : curandGetDirectionVectors64(vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
  }
};

struct draw_long_bits {
  typedef unsigned long long value;
  template <typename S> __device__ value operator()(S *s) const { return curand(s); }
};

curandStatus_t generator_sobol64(curandGenerator_t g, const generator_request &r) {
  const auto launch = [&](auto draw, auto *to) {
    return g->type == CURAND_RNG_QUASI_SOBOL64 ? sobol_generate<sobol64>(g, r.count, draw, to)
                                               : sobol_generate<scrambled64>(g, r.count, draw, to);
  };
  if (r.kind == LONG_BITS)
    return launch(draw_long_bits{}, (unsigned long long *)r.to);
  return r.kind == BITS ? CURAND_STATUS_TYPE_ERROR : generator_dispatch(r, launch);
}
