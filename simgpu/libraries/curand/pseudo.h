/* Generators with a state per subsequence: number n comes from subsequence n mod K, and is number n / K of it. K is
 * 4096, and 81920 for MRG32k3a in the default order. Pairs of normal numbers are dealt out in the same way. */
#pragma once

#include "generator.h"

enum { PSEUDO_THREADS = 128, PSEUDO_FEW = 4096 /* states that are seeded for short requests */ };

__device__ static inline void skip(unsigned subsequences, curandStateXORWOW_t *state) {
  skipahead_sequence(subsequences, state);
}
__device__ static inline void skip(unsigned subsequences, curandStateMRG32k3a_t *state) {
  skipahead_subsequence(subsequences, state);
}

template <typename S> __global__ void seed_first(S *states, unsigned long long seed) {
  curand_init(seed, 0, 0, states);
}

/* Doubles the number of states: a power of 2 is a cheaper distance than most numbers of subsequences. */
template <typename S> __global__ void seed_next(S *states, unsigned seeded, unsigned all) {
  const unsigned t = seeded + blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= all || t >= 2 * seeded)
    return;
  S state = states[t - seeded];
  skip(seeded, &state);
  states[t] = state;
}

template <typename S>
__global__ void skip_numbers(S *states, unsigned subsequences, unsigned all, unsigned long long position) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < all)
    skipahead((position + subsequences - 1 - t) / subsequences, &states[t]);
}

template <typename S> static void seed_states(curandGenerator_t g, S *states, unsigned all) {
  seed_first<<<1, 1, 0, g->stream>>>(states, g->seed);
  for (unsigned n = 1; n < all; n *= 2)
    seed_next<<<(n + PSEUDO_THREADS - 1) / PSEUDO_THREADS, PSEUDO_THREADS, 0, g->stream>>>(states, n, all);
  if (g->first)
    skip_numbers<<<all / PSEUDO_THREADS, PSEUDO_THREADS, 0, g->stream>>>(states, g->subsequences, all,
                                                                         g->first);
}

/* Seeds the states from 0 to needed - 1. Those that a generator has not used yet are seeded when they are needed. */
template <typename S> static curandStatus_t seed_needed(curandGenerator_t g, size_t needed) {
  if (!g->states && cudaMalloc(&g->states, g->subsequences * sizeof(S)) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  S *states = (S *)g->states, *fresh = states;
  const unsigned all = needed <= PSEUDO_FEW ? PSEUDO_FEW : g->subsequences;
  if (!g->is_seeded) {
    g->first = g->position;
    g->seeded = 0;
  }
  g->is_seeded = true;
  if (g->seeded >= all)
    return CURAND_STATUS_SUCCESS;
  if (g->seeded && cudaMallocAsync(&fresh, all * sizeof(S), g->stream) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  seed_states(g, fresh, all);
  if (fresh != states) {
    cudaMemcpyAsync(states + g->seeded, fresh + g->seeded, (all - g->seeded) * sizeof(S),
                    cudaMemcpyDeviceToDevice, g->stream);
    cudaFreeAsync(fresh, g->stream);
  }
  g->seeded = all;
  return CURAND_STATUS_SUCCESS;
}

template <typename S, typename D>
__global__ void generate(S *states, unsigned subsequences, unsigned long long first, size_t groups, D draw,
                         typename D::value *to) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  S state = states[t];
  for (size_t i = (t + subsequences - first % subsequences) % subsequences; i < groups; i += subsequences)
    for (int k = 0; k < D::GROUP; k++)
      to[i * D::GROUP + k] = draw(&state);
  states[t] = state;
}

template <typename S> curandStatus_t pseudo_generate(curandGenerator_t g, const generator_request &r) {
  return generator_dispatch(r, [&](auto draw, auto *to) {
    enum { GROUP = decltype(draw)::GROUP };
    const unsigned n = g->subsequences;
    const unsigned long long first = (g->position + GROUP - 1) / GROUP, groups = r.count / GROUP;
    const unsigned long long end = first % n + groups;
    const curandStatus_t status = seed_needed<S>(g, end < n ? end : n);
    if (status != CURAND_STATUS_SUCCESS)
      return status;
    generate<<<(end < g->seeded ? g->seeded : n) / PSEUDO_THREADS, PSEUDO_THREADS, 0, g->stream>>>(
        (S *)g->states, n, first, groups, draw, to);
    return generator_launched();
  });
}
