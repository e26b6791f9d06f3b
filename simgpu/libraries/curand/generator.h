/* A generator, and what the functions for each type of generator have in common. The numbers are those of the device
 * functions in curand_kernel.h. */
#pragma once

#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>

struct curandGenerator_st {
  curandRngType_t type;
  cudaStream_t stream;
  unsigned long long seed,
      position; /* numbers of each dimension that came before: the offset, then those generated */
  unsigned dimensions;
  unsigned subsequences;    /* of XORWOW and MRG32k3a: number n comes from subsequence n mod subsequences */
  unsigned sequences;       /* of MTGP32 */
  bool on_host;             /* results go to host memory */
  bool is_seeded;           /* `states` belong to the seed and the offset */
  unsigned seeded;          /* states of subsequences 0, 1, … that are ready; of MT19937, too */
  unsigned long long first; /* `position` when the first states were seeded */
  void *states;             /* in device memory */
  void *tables;             /* likewise: parameters of MTGP32, direction vectors of Sobol's sequences */
};

enum generator_kind {
  BITS,
  LONG_BITS,
  UNIFORM,
  UNIFORM_DOUBLE,
  NORMAL,
  NORMAL_DOUBLE,
  LOG_NORMAL,
  LOG_NORMAL_DOUBLE,
  POISSON
};

struct generator_request {
  generator_kind kind;
  void *to; /* device memory */
  size_t count;
  double mean, deviation; /* or lambda */
};

/* The next numbers of a generator of each type. */
curandStatus_t generator_xorwow(curandGenerator_t generator, const generator_request &request);
curandStatus_t generator_mrg32k3a(curandGenerator_t generator, const generator_request &request);
curandStatus_t generator_philox(curandGenerator_t generator, const generator_request &request);
curandStatus_t generator_mt19937(curandGenerator_t generator, const generator_request &request);
curandStatus_t generator_mtgp32(curandGenerator_t generator, const generator_request &request);
curandStatus_t generator_sobol32(curandGenerator_t generator, const generator_request &request);
curandStatus_t generator_sobol64(curandGenerator_t generator, const generator_request &request);

static inline curandStatus_t generator_launched(void) {
  return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/* Distributions: the next number of a state. GROUP consecutive numbers come from one state of XORWOW or MRG32k3a, since
 * normal numbers come in pairs. */
struct draw_bits {
  typedef unsigned value;
  enum { GROUP = 1 };
  template <typename S> __device__ value operator()(S *s) const { return curand(s); }
};
struct draw_uniform {
  typedef float value;
  enum { GROUP = 1 };
  template <typename S> __device__ value operator()(S *s) const { return curand_uniform(s); }
};
struct draw_uniform_double {
  typedef double value;
  enum { GROUP = 1 };
  template <typename S> __device__ value operator()(S *s) const { return curand_uniform_double(s); }
};
struct draw_normal {
  typedef float value;
  enum { GROUP = 2 };
  float mean, deviation;
  template <typename S> __device__ value operator()(S *s) const {
    return mean + deviation * curand_normal(s);
  }
};
struct draw_normal_double {
  typedef double value;
  enum { GROUP = 2 };
  double mean, deviation;
  template <typename S> __device__ value operator()(S *s) const {
    return mean + deviation * curand_normal_double(s);
  }
};
struct draw_log_normal {
  typedef float value;
  enum { GROUP = 2 };
  float mean, deviation;
  template <typename S> __device__ value operator()(S *s) const {
    return curand_log_normal(s, mean, deviation);
  }
};
struct draw_log_normal_double {
  typedef double value;
  enum { GROUP = 2 };
  double mean, deviation;
  template <typename S> __device__ value operator()(S *s) const {
    return curand_log_normal_double(s, mean, deviation);
  }
};
struct draw_poisson {
  typedef unsigned value;
  enum { GROUP = 1 };
  double lambda;
  template <typename S> __device__ value operator()(S *s) const { return curand_poisson(s, lambda); }
};

/* Calls launch(distribution, result) for the request. */
template <typename L> curandStatus_t generator_dispatch(const generator_request &r, L launch) {
  const float mean = (float)r.mean, deviation = (float)r.deviation;
  switch (r.kind) {
  case BITS:
    return launch(draw_bits{}, (unsigned *)r.to);
  case UNIFORM:
    return launch(draw_uniform{}, (float *)r.to);
  case UNIFORM_DOUBLE:
    return launch(draw_uniform_double{}, (double *)r.to);
  case NORMAL:
    return launch(draw_normal{mean, deviation}, (float *)r.to);
  case NORMAL_DOUBLE:
    return launch(draw_normal_double{r.mean, r.deviation}, (double *)r.to);
  case LOG_NORMAL:
    return launch(draw_log_normal{mean, deviation}, (float *)r.to);
  case LOG_NORMAL_DOUBLE:
    return launch(draw_log_normal_double{r.mean, r.deviation}, (double *)r.to);
  case POISSON:
    return launch(draw_poisson{r.mean}, (unsigned *)r.to);
  default:
    return CURAND_STATUS_TYPE_ERROR;
  }
}
