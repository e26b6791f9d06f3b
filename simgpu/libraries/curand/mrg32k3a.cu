#include "pseudo.h"

curandStatus_t generator_mrg32k3a(curandGenerator_t generator, const generator_request &request) {
  return pseudo_generate<curandStateMRG32k3a_t>(generator, request);
}
