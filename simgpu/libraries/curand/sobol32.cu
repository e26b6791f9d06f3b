#include "sobol.h"

struct sobol32 {
  typedef curandStateSobol32_t state;
  typedef curandDirectionVectors32_t directions;
  typedef unsigned word;
  enum { SCRAMBLED = false };
  __device__ static void start(directions vectors, word, word point, state *s) {
    curand_init(vectors, point, s);
  }
  static curandStatus_t get(directions **vectors, word **) {
    return curandGetDirectionVectors32(vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  }
};

struct scrambled32 {
  typedef curandStateScrambledSobol32_t state;
  typedef curandDirectionVectors32_t directions;
  typedef unsigned word;
  enum { SCRAMBLED = true };
  __device__ static void start(directions vectors, word constant, word point, state *s) {
    curand_init(vectors, constant, point, s);
  }
  static curandStatus_t get(directions **vectors, word **constants) {
    const curandStatus_t status = curandGetScrambleConstants32(constants);
    return status != CURAND_STATUS_SUCCESS
               ? status
               : curandGetDirectionVectors32(vectors, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
  }
};

curandStatus_t generator_sobol32(curandGenerator_t g, const generator_request &r) {
  return generator_dispatch(r, [&](auto draw, auto *to) {
    return g->type == CURAND_RNG_QUASI_SOBOL32 ? sobol_generate<sobol32>(g, r.count, draw, to)
                                               : sobol_generate<scrambled32>(g, r.count, draw, to);
  });
}
