/* The calls of nvcc's code before main and at exit, and the handles of kernels. */
#include "api.h"

#include "../registry.h"

void **__cudaRegisterFatBinary(void *wrapper) { return (void **)registry_add_module(wrapper); }

void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }

/* Called at exit, or when a library is closed: its stubs, names and device code are gone. */
void __cudaUnregisterFatBinary(void **module) { registry_remove_module((struct registry_module *)module); }

void __cudaRegisterFunction(void **module, const char *host, char *device_function, const char *name,
                            int thread_limit, uint3 *thread, uint3 *block, dim3 *block_size, dim3 *grid_size,
                            int *warp_size) {
  (void)device_function, (void)thread_limit, (void)thread, (void)block, (void)block_size, (void)grid_size;
  (void)warp_size;
  registry_add_kernel((struct registry_module *)module, host, name);
}

void __cudaRegisterVar(void **module, char *host, char *device_address, const char *name, int external,
                       size_t size, int constant, int global) {
  (void)device_address, (void)external, (void)size, (void)constant, (void)global;
  registry_add_variable((struct registry_module *)module, host, NULL, name);
}

void __cudaRegisterManagedVar(void **module, void **host, char *device_address, const char *name,
                              int external, size_t size, int constant, int global) {
  (void)device_address, (void)external, (void)size, (void)constant, (void)global;
  registry_add_variable((struct registry_module *)module, host, host, name);
}

/* The host calls this before it first uses a managed variable of the module. */
char __cudaInitModule(void **module) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error)
    error = registry_load((struct registry_module *)module);
  return !context_leave(error);
}

/* Each stub calls this once and ignores the error, so it must not talk to the device. */
cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *function) {
  *handle = (cudaKernel_t)registry_recorded(function);
  return last_error_record(*handle ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *function) {
  return handle ? __cudaGetKernel(handle, function) : last_error_record(cudaErrorInvalidValue);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *function) {
  return cudaGetKernel((cudaKernel_t *)handle, function);
}
