/* Direction numbers and scramble constants of Sobol's sequences in 20 000 dimensions. NVIDIA's library returns its own,
 * without a GPU, so they are asked of the installed one. */
#include <curand.h>
#include <dlfcn.h>
#include <stdio.h>

#ifndef CURAND_LIBRARY
#define CURAND_LIBRARY "libcurand.so.10" /* the loader may find it */
#endif

/* The library's function, or NULL after a line that says what is missing. */
static void *find(const char *name) {
  static void *handle;
  static bool is_tried;
  if (!is_tried) {
    is_tried = true;
    handle = dlopen(CURAND_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      fprintf(
          stderr,
          "simgpu: cuRAND's tables of Sobol's sequences are in NVIDIA's library: %s: install its package\n",
          dlerror());
  }
  return handle ? dlsym(handle, name) : NULL;
}

template <typename... A> static curandStatus_t ask(const char *name, A... arguments) {
  curandStatus_t (*real)(A...) = (curandStatus_t(*)(A...))find(name);
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
