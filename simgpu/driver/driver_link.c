/* The driver API: links PTX texts. The result is their text, which cuModuleLoadData takes and the device compiles;
 * errors in it show then. */
#include "driver.h"

#include "unsupported.h"

#include <stdlib.h>
#include <string.h>

struct CUlinkState_st {
  char *text; /* with a NUL behind it */
  size_t length;
  bool is_complete;
};

static bool has(unsigned count, const CUjit_option *options, CUjit_option wanted) {
  for (unsigned i = 0; options && i < count; i++)
    if (options[i] == wanted)
      return true;
  return false;
}

/* A buffer for a log needs its size. */
static bool lacks_size(unsigned count, const CUjit_option *options) {
  return (has(count, options, CU_JIT_INFO_LOG_BUFFER) &&
          !has(count, options, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)) ||
         (has(count, options, CU_JIT_ERROR_LOG_BUFFER) &&
          !has(count, options, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
}

/* Puts a text behind the others. */
static CUresult append(CUlinkState state, const char *text, size_t length) {
  char *grown = realloc(state->text, state->length + length + 2);
  if (!grown)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(grown + state->length, text, length);
  memcpy(grown + state->length + length, "\n", 2);
  state->text = grown;
  state->length += length + 1;
  return CUDA_SUCCESS;
}

/* The logs are empty, and the link took no time. */
static void answer(unsigned count, const CUjit_option *options, void **values) {
  for (unsigned i = 0; options && values && i < count; i++)
    if (options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER)
      *(char *)values[i] = '\0';
    else if (options[i] == CU_JIT_WALL_TIME || options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
             options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      values[i] = NULL;
}

CUresult CUDAAPI cuLinkCreate(unsigned count, CUjit_option *options, void **values, CUlinkState *state) {
  if (!state || lacks_size(count, options))
    return CUDA_ERROR_INVALID_VALUE;
  *state = calloc(1, sizeof **state);
  if (!*state)
    return CUDA_ERROR_OUT_OF_MEMORY;
  answer(count, options, values);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                               const char *name, unsigned count, CUjit_option *options, void **values) {
  static bool reported;
  (void)name, (void)count, (void)options, (void)values;
  if (!state || state->is_complete || !data || !size)
    return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_JIT_INPUT_PTX)
    return (CUresult)unsupported("cuLinkAddData of anything but PTX", &reported);
  return append(state, data, strnlen(data, size));
}

/* The device has the functions of NVIDIA's library for launches from kernels itself. */
CUresult CUDAAPI cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                               CUjit_option *options, void **values) {
  char *contents = NULL;
  size_t size = 0;
  if (!state || state->is_complete || !path)
    return CUDA_ERROR_INVALID_VALUE;
  if (type == CU_JIT_INPUT_LIBRARY && strstr(path, "cudadevrt"))
    return CUDA_SUCCESS;
  CUresult error = driver_read_file(path, &contents, &size);
  if (!error)
    error = cuLinkAddData(state, type, contents, size, path, count, options, values);
  free(contents);
  return error;
}

/* Of nothing, the result is an empty module. */
CUresult CUDAAPI cuLinkComplete(CUlinkState state, void **image, size_t *size) {
  static const char nothing[] = ".version 7.0\n.target sm_80\n.address_size 64";
  if (!state || state->is_complete)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!image)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = state->text ? CUDA_SUCCESS : append(state, nothing, strlen(nothing));
  if (error)
    return error;
  state->is_complete = true;
  *image = state->text;
  if (size)
    *size = state->length + 1;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLinkDestroy(CUlinkState state) {
  if (!state)
    return CUDA_ERROR_INVALID_HANDLE;
  free(state->text);
  free(state);
  return CUDA_SUCCESS;
}
