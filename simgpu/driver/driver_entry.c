/* Functions of the driver API by name, for programs that ask for their addresses. A program that does is linked with
 * all of them. */
#include "driver.h"

#include <string.h>

/* clang-format off */
static const struct entry {
  const char *name;
  void (*function)(void);
} entries[] = {
#define ENTRY(function) {#function, (void (*)(void))(function)}, /* cuda.h makes a macro of some names: cuMemAlloc_v2 */
#include "driver_entries.def"
};
/* clang-format on */

/* NULL: there is none. */
static void *function_named(const char *name) {
  void *function = NULL;
  for (size_t n = 0; n < sizeof entries / sizeof *entries; n++)
    if (strcmp(entries[n].name, name) == 0)
      memcpy(&function, &entries[n].function, sizeof function);
  return function;
}

CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult *status) {
  (void)version, (void)flags; /* every version of a function is the newest */
  if (!symbol || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = function_named(symbol);
  if (status)
    *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return CUDA_SUCCESS; /* for an unknown name, too */
}

static cudaError_t find_entry(const char *symbol, void **function,
                              enum cudaDriverEntryPointQueryResult *status) {
  if (!symbol || !function)
    return last_error_record(cudaErrorInvalidValue);
  *function = function_named(symbol);
  if (status)
    *status = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess; /* for an unknown name, too */
}

/* clang-format off */
#define BY_NAME(name)                                                                                                    \
  cudaError_t name(const char *symbol, void **function, unsigned long long flags,                                        \
                   enum cudaDriverEntryPointQueryResult *status);                                                        \
  cudaError_t name(const char *symbol, void **function, unsigned long long flags,                                        \
                   enum cudaDriverEntryPointQueryResult *status) {                                                       \
    (void)flags;                                                                                                         \
    return find_entry(symbol, function, status);                                                                         \
  }
#define BY_VERSION(name)                                                                                                 \
  cudaError_t name(const char *symbol, void **function, unsigned version, unsigned long long flags,                      \
                   enum cudaDriverEntryPointQueryResult *status);                                                        \
  cudaError_t name(const char *symbol, void **function, unsigned version, unsigned long long flags,                      \
                   enum cudaDriverEntryPointQueryResult *status) {                                                       \
    (void)version, (void)flags;                                                                                          \
    return find_entry(symbol, function, status);                                                                         \
  }
/* clang-format on */
BY_NAME(cudaGetDriverEntryPoint)
BY_NAME(cudaGetDriverEntryPoint_ptsz)
BY_VERSION(cudaGetDriverEntryPointByVersion)
BY_VERSION(cudaGetDriverEntryPointByVersion_ptsz)
