/* Direction numbers and scramble constants of Sobol's sequences in 20 000 dimensions. NVIDIA's library returns its own,
 * without a GPU, so they are asked of the installed one. */
#include "../nvidia.h"

#include <curand.h>

#ifndef CURAND_LIBRARY
#define CURAND_LIBRARY "libcurand.so.10" /* the loader may find it */
#endif

static struct nvidia_library library = {CURAND_LIBRARY, "cuRAND's tables of Sobol's sequences", NULL, 0};

template <typename... A> static curandStatus_t ask(const char *name, A... arguments) {
  curandStatus_t (*real)(A...) = (curandStatus_t(*)(A...))nvidia_find(&library, name);
  return real ? real(arguments...) : CURAND_STATUS_INITIALIZATION_FAILED;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **vectors,
                                           curandDirectionVectorSet_t set) {
  return ask("curandGetDirectionVectors32", vectors, set);
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t **vectors,
                                           curandDirectionVectorSet_t set) {
  return ask("curandGetDirectionVectors64", vectors, set);
}
curandStatus_t curandGetScrambleConstants32(unsigned **constants) {
  return ask("curandGetScrambleConstants32", constants);
}
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  return ask("curandGetScrambleConstants64", constants);
}
