/* The driver API: modules, launches, and the runtime's libraries, which are the same as modules. */
#include "driver.h"

#include "fatbin.h"
#include "managed.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cudaError_t load(struct registry_module **module, const void *image) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!module || !image))
    error = cudaErrorInvalidValue;
  if (!error)
    error = registry_open_image(image, module);
  return context_leave(error);
}

CUresult driver_read_file(const char *path, char **contents, size_t *bytes) {
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file)
    return CUDA_ERROR_FILE_NOT_FOUND;
  size_t size = 0, room = 1 << 16, got;
  char *image = malloc(room + 1);
  while (image && (got = fread(image + size, 1, room - size, file)) > 0)
    if ((size += got) == room) {
      char *larger = realloc(image, 2 * room + 1);
      room *= 2;
      if (!larger)
        free(image);
      image = larger;
    }
  fclose(file);
  if (!image)
    return CUDA_ERROR_OUT_OF_MEMORY;
  image[size] = '\0';
  *contents = image;
  *bytes = size;
  return CUDA_SUCCESS;
}

static cudaError_t load_file(struct registry_module **module, const char *path) {
  char *image = NULL;
  size_t size = 0;
  const CUresult bad = driver_read_file(path, &image, &size);
  if (bad)
    return last_error_record((cudaError_t)bad);
  cudaError_t error =
      size < FATBIN_HEADER_SIZE ? last_error_record(cudaErrorInvalidKernelImage) : load(module, image);
  free(image);
  return error;
}

static cudaError_t unload(struct registry_module *module) {
  if (!module)
    return last_error_record(cudaErrorInvalidResourceHandle);
  registry_remove_module(module);
  return cudaSuccess;
}

static cudaError_t get_kernel(struct registry_kernel **kernel, struct registry_module *module,
                              const char *name) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!kernel || !module || !name))
    error = cudaErrorInvalidValue;
  if (!error)
    error = registry_kernel_named(module, name, kernel);
  return context_leave(error == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : error);
}

static cudaError_t get_variable(void **address, size_t *size, struct registry_module *module,
                                const char *name) {
  struct sim_range range;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!module || !name))
    error = cudaErrorInvalidValue;
  if (!error)
    error = registry_variable_named(module, name, &range);
  if (!error && address)
    *address = (void *)(uintptr_t)range.address;
  if (!error && size)
    *size = range.size;
  return context_leave(error == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : error);
}

#define MODULE(handle) ((struct registry_module *)(handle))
FORWARD(cuModuleLoad, (CUmodule * module, const char *path),
        load_file((struct registry_module **)module, path))
FORWARD(cuModuleLoadData, (CUmodule * module, const void *image),
        load((struct registry_module **)module, image))
FORWARD(cuModuleLoadFatBinary, (CUmodule * module, const void *image),
        load((struct registry_module **)module, image))
FORWARD(cuModuleLoadDataEx,
        (CUmodule * module, const void *image, unsigned count, CUjit_option *options, void **values),
        ((void)count, (void)options, (void)values, load((struct registry_module **)module, image)))
FORWARD(cuModuleUnload, (CUmodule module), unload(MODULE(module)))
FORWARD(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name),
        (function ? *function = NULL : NULL,
         get_kernel((struct registry_kernel **)function, MODULE(module), name)))

/* Unlike the runtime's functions, the driver's clear their results when they fail. */
CUresult CUDAAPI cuModuleGetGlobal(CUdeviceptr *address, size_t *size, CUmodule module, const char *name) {
  KEEP_LAST_ERROR;
  void *found = NULL;
  size_t bytes = 0;
  const bool wanted = address || size;
  const cudaError_t error =
      wanted ? get_variable(&found, &bytes, MODULE(module), name) : cudaErrorInvalidValue;
  if (address)
    *address = (CUdeviceptr)(uintptr_t)found;
  if (size)
    *size = bytes;
  return (CUresult)error;
}

#if CUDART_VERSION >= 12080
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image, enum cudaJitOption *options,
                                void **values, unsigned count, enum cudaLibraryOption *library_options,
                                void **library_values, unsigned library_count) {
  (void)options, (void)values, (void)count, (void)library_options, (void)library_values, (void)library_count;
  return load((struct registry_module **)library, image);
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, enum cudaJitOption *options,
                                    void **values, unsigned count, enum cudaLibraryOption *library_options,
                                    void **library_values, unsigned library_count) {
  (void)options, (void)values, (void)count, (void)library_options, (void)library_values, (void)library_count;
  return load_file((struct registry_module **)library, path);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) { return unload(MODULE(library)); }

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  return get_kernel((struct registry_kernel **)kernel, MODULE(library), name);
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *size, cudaLibrary_t library, const char *name) {
  return get_variable(address, size, MODULE(library), name);
}

/* Finds up to `most` kernels of the module, in the order of its text; returns their number by *count. */
static cudaError_t list_kernels(struct registry_kernel **into, unsigned most, struct registry_module *module,
                                unsigned *count) {
  char *names = NULL;
  size_t size = 0;
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && !module)
    error = cudaErrorInvalidResourceHandle;
  if (!error)
    error = registry_kernel_names(module, &names, &size);
  *count = 0;
  for (const char *name = names; !error && name < names + size; name += strlen(name) + 1) {
    if (*count < most)
      error = registry_kernel_named(module, name, &into[*count]);
    ++*count;
  }
  free(names);
  return context_leave(error);
}

static cudaError_t count_kernels(unsigned *count, struct registry_module *module) {
  return count ? list_kernels(NULL, 0, module, count) : last_error_record(cudaErrorInvalidValue);
}

static cudaError_t enumerate(struct registry_kernel **kernels, unsigned most,
                             struct registry_module *module) {
  unsigned count;
  return kernels ? list_kernels(kernels, most, module, &count) : last_error_record(cudaErrorInvalidValue);
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
  return count_kernels(count, MODULE(library));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned most, cudaLibrary_t library) {
  return enumerate((struct registry_kernel **)kernels, most, MODULE(library));
}

cudaError_t cudaLibraryGetManaged(void **address, size_t *size, cudaLibrary_t library, const char *name) {
  void *found = NULL;
  cudaError_t error = get_variable(&found, size, MODULE(library), name);
  if (!error && managed_kind(found) != MANAGED_MEMORY)
    error = last_error_record(cudaErrorSymbolNotFound);
  if (!error && address)
    *address = found;
  return error;
}

/* No function has one address for the program and for kernels: cudaDevAttrUnifiedFunctionPointers is 0. */
cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library, const char *name) {
  return last_error_record(function && library && name ? cudaErrorSymbolNotFound : cudaErrorInvalidValue);
}

FORWARD(cuLibraryGetKernelCount, (unsigned *count, CUlibrary library), count_kernels(count, MODULE(library)))
FORWARD(cuLibraryEnumerateKernels, (CUkernel * kernels, unsigned most, CUlibrary library),
        enumerate((struct registry_kernel **)kernels, most, MODULE(library)))
FORWARD(cuModuleGetFunctionCount, (unsigned *count, CUmodule module), count_kernels(count, MODULE(module)))
FORWARD(cuModuleEnumerateFunctions, (CUfunction * functions, unsigned most, CUmodule module),
        enumerate((struct registry_kernel **)functions, most, MODULE(module)))
FORWARD(cuLibraryGetManaged, (CUdeviceptr * address, size_t *size, CUlibrary library, const char *name),
        cudaLibraryGetManaged((void **)address, size, library, name))
FORWARD(cuLibraryGetUnifiedFunction, (void **function, CUlibrary library, const char *name),
        cudaLibraryGetUnifiedFunction(function, library, name))

/* The driver's libraries are these, too. */
FORWARD(cuLibraryLoadData,
        (CUlibrary * library, const void *image, CUjit_option *options, void **values, unsigned count,
         CUlibraryOption *library_options, void **library_values, unsigned library_count),
        cudaLibraryLoadData(library, image, (enum cudaJitOption *)options, values, count,
                            (enum cudaLibraryOption *)library_options, library_values, library_count))
FORWARD(cuLibraryLoadFromFile,
        (CUlibrary * library, const char *path, CUjit_option *options, void **values, unsigned count,
         CUlibraryOption *library_options, void **library_values, unsigned library_count),
        cudaLibraryLoadFromFile(library, path, (enum cudaJitOption *)options, values, count,
                                (enum cudaLibraryOption *)library_options, library_values, library_count))
FORWARD(cuLibraryUnload, (CUlibrary library), cudaLibraryUnload(library))
FORWARD(cuLibraryGetKernel, (CUkernel * kernel, CUlibrary library, const char *name),
        cudaLibraryGetKernel(kernel, library, name))
FORWARD(cuLibraryGetGlobal, (CUdeviceptr * address, size_t *size, CUlibrary library, const char *name),
        cudaLibraryGetGlobal((void **)address, size, library, name))

CUresult CUDAAPI cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuLibraryGetModule(CUmodule *module, CUlibrary library) {
  if (!module || !library)
    return CUDA_ERROR_INVALID_VALUE;
  *module = (CUmodule)library;
  return CUDA_SUCCESS;
}
#endif

/* The arguments as one block of bytes, or NULL. */
static const void *packed(void **extra, size_t *size) {
  const void *block = NULL;
  for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2)
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      block = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      *size = *(size_t *)extra[1];
  return block;
}

static CUresult launch(CUfunction function, dim3 grid, dim3 block, unsigned shared, CUstream stream,
                       void **arguments, void **extra, bool cooperative) {
  size_t size = 0;
  const char *bytes = packed(extra, &size);
  const struct registry_kernel *kernel = (struct registry_kernel *)function;
  void *pointers[SIM_MAX_PARAMS];
  for (uint32_t i = 0; bytes && kernel && i < kernel->info.param_count; i++) {
    if (kernel->params[i].offset + kernel->params[i].size > size)
      return CUDA_ERROR_INVALID_VALUE;
    pointers[i] = (void *)(bytes + kernel->params[i].offset);
  }
  void **all = bytes ? pointers : arguments;
  return (CUresult)(cooperative ? cudaLaunchCooperativeKernel(function, grid, block, all, shared, stream)
                                : cudaLaunchKernel(function, grid, block, all, shared, stream));
}

CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                CUstream stream, void **arguments, void **extra) {
  KEEP_LAST_ERROR;
  return launch(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z}, shared, stream,
                arguments, extra, false);
}

CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                           unsigned grid_z, unsigned block_x, unsigned block_y,
                                           unsigned block_z, unsigned shared, CUstream stream,
                                           void **arguments) {
  KEEP_LAST_ERROR;
  return launch(function, (dim3){grid_x, grid_y, grid_z}, (dim3){block_x, block_y, block_z}, shared, stream,
                arguments, NULL, true);
}

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **arguments,
                                  void **extra) {
  KEEP_LAST_ERROR;
  if (!c || extra)
    return c ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
  return (CUresult)cudaLaunchKernelExC(&DRIVER_LAUNCH(c), function, arguments);
}
