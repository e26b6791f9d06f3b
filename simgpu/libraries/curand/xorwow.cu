#include "pseudo.h"

curandStatus_t generator_xorwow(curandGenerator_t generator, const generator_request &request) {
  return pseudo_generate<curandStateXORWOW_t>(generator, request);
}
