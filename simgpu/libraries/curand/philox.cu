/* Philox: four numbers come from one subsequence, and the next four from the next one of 65536. Numbers in double
 * precision take twice as much of it. Each number depends on its index alone, so there is no state. */
#include "generator.h"

enum { SUBSEQUENCES = 65536, THREADS = 128 };

/* The numbers of one counter: four of `float4` or `uint4`, two of `double2`. */
struct four_bits {
  typedef uint4 values;
  __device__ values operator()(curandStatePhilox4_32_10_t *s) const { return curand4(s); }
};
struct four_uniform {
  typedef float4 values;
  __device__ values operator()(curandStatePhilox4_32_10_t *s) const { return curand_uniform4(s); }
};
struct two_uniform {
  typedef double2 values;
  __device__ values operator()(curandStatePhilox4_32_10_t *s) const { return curand_uniform2_double(s); }
};
struct four_normal {
  typedef float4 values;
  float mean, deviation;
  bool is_log;
  __device__ values operator()(curandStatePhilox4_32_10_t *s) const {
    if (is_log)
      return curand_log_normal4(s, mean, deviation);
    const float4 x = curand_normal4(s);
    return make_float4(mean + deviation * x.x, mean + deviation * x.y, mean + deviation * x.z,
                       mean + deviation * x.w);
  }
};
struct two_normal {
  typedef double2 values;
  double mean, deviation;
  bool is_log;
  __device__ values operator()(curandStatePhilox4_32_10_t *s) const {
    if (is_log)
      return curand_log_normal2_double(s, mean, deviation);
    const double2 x = curand_normal2_double(s);
    return make_double2(mean + deviation * x.x, mean + deviation * x.y);
  }
};

/* Numbers position to position + count - 1; the first and the last four may be used in part. */
template <typename T, typename D>
__global__ void generate(unsigned long long seed, unsigned long long position, size_t count, D draw, T *to) {
  enum { EACH = sizeof(typename D::values) / sizeof(T), DRAWS = 4 / EACH };
  const unsigned long long end = (position + count + 3) / 4;
  for (unsigned long long c = position / 4 + blockIdx.x * blockDim.x + threadIdx.x; c < end;
       c += gridDim.x * blockDim.x) {
    curandStatePhilox4_32_10_t state;
    curand_init(seed, c % SUBSEQUENCES, c / SUBSEQUENCES * 4 * DRAWS, &state);
    union {
      typename D::values all[DRAWS];
      T one[4];
    } numbers;
    for (int k = 0; k < DRAWS; k++)
      numbers.all[k] = draw(&state);
    for (int k = 0; k < 4; k++)
      if (c * 4 + k >= position && c * 4 + k < position + count)
        to[c * 4 + k - position] = numbers.one[k];
  }
}

/* Each number has a subsequence of its own. */
__global__ void generate_poisson(unsigned long long seed, unsigned long long position, size_t count,
                                 double lambda, unsigned *to) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    curandStatePhilox4_32_10_t state;
    curand_init(seed, position + i, 0, &state);
    to[i] = curand_poisson(&state, lambda);
  }
}

template <typename T, typename D>
static curandStatus_t launch(curandGenerator_t g, const generator_request &r, D draw) {
  generate<<<SUBSEQUENCES / THREADS, THREADS, 0, g->stream>>>(g->seed, g->position, r.count, draw, (T *)r.to);
  return generator_launched();
}

curandStatus_t generator_philox(curandGenerator_t g, const generator_request &r) {
  const float mean = (float)r.mean, deviation = (float)r.deviation;
  switch (r.kind) {
  case BITS:
    return launch<unsigned>(g, r, four_bits{});
  case UNIFORM:
    return launch<float>(g, r, four_uniform{});
  case UNIFORM_DOUBLE:
    return launch<double>(g, r, two_uniform{});
  case NORMAL:
  case LOG_NORMAL:
    return launch<float>(g, r, four_normal{mean, deviation, r.kind == LOG_NORMAL});
  case NORMAL_DOUBLE:
  case LOG_NORMAL_DOUBLE:
    return launch<double>(g, r, two_normal{r.mean, r.deviation, r.kind == LOG_NORMAL_DOUBLE});
  case POISSON:
    generate_poisson<<<SUBSEQUENCES / THREADS, THREADS, 0, g->stream>>>(g->seed, g->position, r.count, r.mean,
                                                                        (unsigned *)r.to);
    return generator_launched();
  default:
    return CURAND_STATUS_TYPE_ERROR;
  }
}
