// cuRAND's generators in kernels: their states, words and distributions. The results are recorded; simgpu/tests checks
// words. curand_normal is missing: it uses sin.approx and cos.approx, whose last bits differ.
#include "harness.h"

#include <curand_kernel.h>

enum { THREADS = 128, BLOCKS = 3, DRAWS = 5, N = THREADS * BLOCKS * DRAWS };

template <class State> __device__ State state_of() {
  State state;
  curand_init(1234, blockIdx.x * blockDim.x + threadIdx.x, threadIdx.x % 7, &state);
  return state;
}
#define DRAW(name, T, draw)                                                                                  \
  template <class State> __global__ void name(T *r) {                                                        \
    State state = state_of<State>();                                                                         \
    for (int k = 0; k < DRAWS; k++)                                                                          \
      r[(k * BLOCKS + blockIdx.x) * THREADS + threadIdx.x] = draw;                                           \
  }
DRAW(words, unsigned, curand(&state))
DRAW(uniform, float, curand_uniform(&state))
DRAW(log_normal, double, curand_log_normal_double(&state, 0.5, 0.25))
DRAW(poisson, unsigned, curand_poisson(&state, 3.5))

template <class T> static void draw(void (*kernel)(T *)) {
  Array<T> r(N);
  kernel<<<BLOCKS, THREADS>>>(r);
  delete[] record(r);
}
#define DRAWN_FROM(name, State)                                                                              \
  TEST(name) {                                                                                               \
    draw(words<State>);                                                                                      \
    draw(uniform<State>);                                                                                    \
    draw(log_normal<State>);                                                                                 \
    draw(poisson<State>);                                                                                    \
  }
DRAWN_FROM(xorwow, curandStateXORWOW_t)
DRAWN_FROM(philox, curandStatePhilox4_32_10_t)
DRAWN_FROM(mrg32k3a, curandStateMRG32k3a_t)
