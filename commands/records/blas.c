#include "blas.h"

#include <dlfcn.h>
#include <stdio.h>

/* From cublas_api.h. */
enum { NO_TRANSPOSE = 0, PROPERTY_MAJOR = 0, PROPERTY_MINOR, PROPERTY_PATCH };
typedef int create_function(void **handle);
typedef int property_function(int type, int *value);
typedef int sgemm_function(void *handle, int transpose_a, int transpose_b, int m, int n, int k,
                           const float *alpha, const float *a, int lda, const float *b, int ldb,
                           const float *beta, float *c, int ldc);

static void *handle;
static sgemm_function *sgemm;
static char version[32];

static void *open_library(void) {
  static const char *const names[] = {"libcublas.so.13", "libcublas.so.12",
                                      "/usr/local/cuda/lib64/libcublas.so", NULL};
  void *library = NULL;
  for (int n = 0; names[n] && !library; n++)
    library = dlopen(names[n], RTLD_NOW);
  return library;
}

/* function: the address of a pointer to a function; ISO C has no conversion from void *. */
static void find(void *library, const char *name, void *function) {
  if (library)
    *(void **)function = dlsym(library, name);
}

static bool load(void) {
  static bool tried;
  if (tried)
    return sgemm != NULL;
  tried = true;
  void *library = open_library();
  create_function *create = NULL;
  property_function *property = NULL;
  sgemm_function *multiply = NULL;
  find(library, "cublasCreate_v2", &create);
  find(library, "cublasGetProperty", &property);
  find(library, "cublasSgemm_v2", &multiply);
  if (!create || !property || !multiply || create(&handle) != 0)
    return false;
  int number[PROPERTY_PATCH + 1];
  for (int type = PROPERTY_MAJOR; type <= PROPERTY_PATCH; type++)
    if (property(type, &number[type]) != 0)
      return false;
  snprintf(version, sizeof version, "%d.%d.%d", number[0], number[1], number[2]);
  sgemm = multiply;
  return true;
}

bool blas_multiply(int n, const float *a, const float *b, float *c) {
  const float one = 1, zero = 0;
  /* cuBLAS is column-major: C' = B' A'. TF32 is off by default. */
  return load() && sgemm(handle, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, &one, b, n, a, n, &zero, c, n) == 0;
}

const char *blas_version(void) { return load() ? version : NULL; }
