/* The simulated GPU's results of the instructions of special_forms.def, by their numbers there. */
#include "special.h"

enum form {
#define FORM(id, instruction, result) FORM_##id,
#include "special_forms.def"
#undef FORM
};

uint32_t special_compare(int number, uint32_t first, const uint32_t *results, uint32_t count);

/* The operands from `first` on whose results differ. */
uint32_t special_compare(int number, uint32_t first, const uint32_t *results, uint32_t count) {
  uint32_t differing = 0;
  switch ((enum form)number) {
#define FORM(id, instruction, result)                                                                        \
  case FORM_##id:                                                                                            \
    for (uint32_t i = 0; i < count; i++) {                                                                   \
      const f32 a = lane_f32(first + i);                                                                     \
      differing += lane_bits(result) != results[i];                                                          \
    }                                                                                                        \
    break;
#include "special_forms.def"
#undef FORM
  }
  return differing;
}
