/* MTGP32: number n is number n mod 256 of the next 256 numbers of sequence n / 256 mod 192, or mod 64 in
 * the legacy order. */
#include "generator.h"

#include <curand_mtgp32dc_p_11213.h>

enum { GROUP = 256, MOST_SEQUENCES = 192 };

/* Draws groups of 256 numbers from `first` on, and keeps those from `skipped` on. All threads of a block draw together,
 * also numbers that are not kept. A last group that is kept in part is drawn again by the next call. */
template <typename D>
__global__ void generate(curandStateMtgp32_t *states, unsigned long long first, unsigned skipped,
                         size_t count, D draw, typename D::value *to) {
  __shared__ unsigned before[MTGP32_STATE_SIZE];
  curandStateMtgp32_t *state = &states[blockIdx.x];
  const unsigned sequences = gridDim.x;
  const unsigned long long end = skipped + count;
  for (unsigned long long g = (blockIdx.x + sequences - first % sequences) % sequences; g * GROUP < end;
       g += sequences) {
    const bool in_part = (g + 1) * GROUP > end;
    const int offset = state->offset;
    for (int i = threadIdx.x; in_part && i < MTGP32_STATE_SIZE; i += GROUP)
      before[i] = state->s[i];
    __syncthreads();
    const typename D::value number = draw(state);
    const unsigned long long i = g * GROUP + threadIdx.x;
    if (i >= skipped && i < end)
      to[i - skipped] = number;
    __syncthreads();
    for (int k = threadIdx.x; in_part && k < MTGP32_STATE_SIZE; k += GROUP)
      state->s[k] = before[k];
    if (in_part && threadIdx.x == 0)
      state->offset = offset;
  }
}

curandStatus_t generator_mtgp32(curandGenerator_t g, const generator_request &r) {
  if ((!g->states && cudaMalloc(&g->states, MOST_SEQUENCES * sizeof(curandStateMtgp32_t)) != cudaSuccess) ||
      (!g->tables && cudaMalloc(&g->tables, sizeof(mtgp32_kernel_params_t)) != cudaSuccess))
    return CURAND_STATUS_ALLOCATION_FAILED;
  curandStateMtgp32_t *states = (curandStateMtgp32_t *)g->states;
  mtgp32_kernel_params_t *tables = (mtgp32_kernel_params_t *)g->tables;
  if (!g->is_seeded) {
    curandStatus_t status = curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, tables);
    if (status == CURAND_STATUS_SUCCESS)
      status =
          curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, tables, MOST_SEQUENCES, g->seed);
    if (status != CURAND_STATUS_SUCCESS)
      return status;
    g->is_seeded = true;
  }
  return generator_dispatch(r, [&](auto draw, auto *to) {
    generate<<<g->sequences, GROUP, 0, g->stream>>>(states, g->position / GROUP, g->position % GROUP, r.count,
                                                    draw, to);
    return generator_launched();
  });
}
