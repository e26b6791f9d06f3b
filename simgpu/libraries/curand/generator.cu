/* The functions of curand.h: generators, their options, and requests for numbers. */
#include "generator.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition, status)                                                                             \
  if (!(condition))                                                                                          \
  return CURAND_STATUS_##status

static bool is_quasi(curandGenerator_t g) { return g->type >= CURAND_RNG_QUASI_DEFAULT; }

static void set_order(curandGenerator_t g, curandOrdering_t order) {
  const bool is_legacy = order == CURAND_ORDERING_PSEUDO_LEGACY;
  cudaFree(g->states); /* of other subsequences */
  g->states = NULL;
  g->is_seeded = false;
  g->subsequences = g->type == CURAND_RNG_PSEUDO_MRG32K3A && !is_legacy ? 81920 : 4096;
  g->sequences = is_legacy ? 64 : 192;
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
  CHECK(generator, NOT_INITIALIZED);
  if (type == CURAND_RNG_PSEUDO_DEFAULT)
    type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT)
    type = CURAND_RNG_QUASI_SOBOL32;
  switch (type) {
  case CURAND_RNG_PSEUDO_XORWOW:
  case CURAND_RNG_PSEUDO_MRG32K3A:
  case CURAND_RNG_PSEUDO_MTGP32:
  case CURAND_RNG_PSEUDO_MT19937:
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    break;
  default:
    return CURAND_STATUS_TYPE_ERROR;
  }
  CHECK(cudaFree(NULL) == cudaSuccess, INITIALIZATION_FAILED);
  *generator = (curandGenerator_t)calloc(1, sizeof **generator);
  CHECK(*generator, ALLOCATION_FAILED);
  (*generator)->type = type;
  (*generator)->dimensions = 1;
  (*generator)->on_host = on_host;
  set_order(*generator, CURAND_ORDERING_PSEUDO_DEFAULT);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  CHECK(g, NOT_INITIALIZED);
  cudaFree(g->states);
  cudaFree(g->tables);
  free(g);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  CHECK(version, OUT_OF_RANGE);
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  CHECK(value && type >= MAJOR_VERSION && type <= PATCH_LEVEL, OUT_OF_RANGE);
  *value = parts[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  CHECK(g, NOT_INITIALIZED);
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  CHECK(g, NOT_INITIALIZED);
  CHECK(!is_quasi(g), TYPE_ERROR);
  g->seed = seed; /* the offset stays */
  g->is_seeded = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  CHECK(g, NOT_INITIALIZED);
  CHECK(g->type != CURAND_RNG_PSEUDO_MTGP32, TYPE_ERROR); /* as in NVIDIA's library */
  g->position = offset;
  g->is_seeded = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
  CHECK(g, NOT_INITIALIZED);
  CHECK(is_quasi(g) ? order == CURAND_ORDERING_QUASI_DEFAULT
                    : order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC,
        OUT_OF_RANGE);
  set_order(g, order);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions) {
  enum { MOST = 20000 }; /* in curand.h's tables */
  CHECK(g, NOT_INITIALIZED);
  CHECK(is_quasi(g), TYPE_ERROR);
  CHECK(dimensions >= 1 && dimensions <= MOST, OUT_OF_RANGE);
  cudaFree(g->tables); /* of other dimensions */
  g->tables = NULL;
  g->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
  CHECK(g, NOT_INITIALIZED);
  return CURAND_STATUS_SUCCESS;
}

static curandStatus_t on_device(curandGenerator_t g, const generator_request &r) {
  switch (g->type) {
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return generator_mrg32k3a(g, r);
  case CURAND_RNG_PSEUDO_MT19937:
    return generator_mt19937(g, r);
  case CURAND_RNG_PSEUDO_MTGP32:
    return generator_mtgp32(g, r);
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return generator_philox(g, r);
  case CURAND_RNG_QUASI_SOBOL32:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    return generator_sobol32(g, r);
  case CURAND_RNG_QUASI_SOBOL64:
  case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
    return generator_sobol64(g, r);
  default:
    return generator_xorwow(g, r);
  }
}

/* A generator for the host computes on the device, too, and copies. */
static curandStatus_t to_host(curandGenerator_t g, generator_request r, size_t size) {
  void *host = r.to;
  CHECK(cudaMalloc(&r.to, r.count * size) == cudaSuccess, ALLOCATION_FAILED);
  curandStatus_t status = on_device(g, r);
  if (status == CURAND_STATUS_SUCCESS &&
      (cudaMemcpyAsync(host, r.to, r.count * size, cudaMemcpyDeviceToHost, g->stream) != cudaSuccess ||
       cudaStreamSynchronize(g->stream) != cudaSuccess))
    status = CURAND_STATUS_LAUNCH_FAILURE;
  cudaFree(r.to);
  return status;
}

static curandStatus_t request(curandGenerator_t g, generator_kind kind, void *to, size_t size, size_t count,
                              double mean, double deviation) {
  CHECK(g, NOT_INITIALIZED);
  if (count == 0)
    return CURAND_STATUS_SUCCESS;
  const generator_request r = {kind, to, count, mean, deviation};
  const curandStatus_t status = g->on_host ? to_host(g, r, size) : on_device(g, r);
  if (status == CURAND_STATUS_SUCCESS)
    g->position += count / g->dimensions;
  return status;
}

/* As in NVIDIA's library, these generators' normal numbers come in pairs. */
static bool makes_pairs(curandGenerator_t g) {
  return g->type == CURAND_RNG_PSEUDO_XORWOW || g->type == CURAND_RNG_PSEUDO_MRG32K3A;
}

static curandStatus_t normal(curandGenerator_t g, generator_kind kind, void *to, size_t size, size_t count,
                             double mean, double deviation) {
  CHECK(g, NOT_INITIALIZED);
  CHECK(!makes_pairs(g) || count % 2 == 0, LENGTH_NOT_MULTIPLE);
  return request(g, kind, to, size, count, mean, deviation);
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned *to, size_t count) {
  return request(g, BITS, to, sizeof *to, count, 0, 0);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *to, size_t count) {
  return request(g, LONG_BITS, to, sizeof *to, count, 0, 0);
}

curandStatus_t curandGenerateUniform(curandGenerator_t g, float *to, size_t count) {
  return request(g, UNIFORM, to, sizeof *to, count, 0, 0);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *to, size_t count) {
  return request(g, UNIFORM_DOUBLE, to, sizeof *to, count, 0, 0);
}

curandStatus_t curandGenerateNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                    float deviation) {
  return normal(g, NORMAL, to, sizeof *to, count, mean, deviation);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *to, size_t count, double mean,
                                          double deviation) {
  return normal(g, NORMAL_DOUBLE, to, sizeof *to, count, mean, deviation);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                       float deviation) {
  return normal(g, LOG_NORMAL, to, sizeof *to, count, mean, deviation);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *to, size_t count, double mean,
                                             double deviation) {
  return normal(g, LOG_NORMAL_DOUBLE, to, sizeof *to, count, mean, deviation);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *to, size_t count, double lambda) {
  CHECK(lambda > 0 && lambda <= 400000, OUT_OF_RANGE);
  return request(g, POISSON, to, sizeof *to, count, lambda, 0);
}
