/* What the program's objects registered: fat binaries, kernels, variables. Registration runs before main, so
 * it only records; the device loads a fat binary when its first kernel or variable is used.
 *
 * A kernel is known by its fat binary and name, since two files may instantiate the same template. Compiled
 * stubs cache kernel handles for ever, so records are never moved or freed. */
#include "fatbin.h"
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct module {
  struct module *next;
  const struct fatbin_wrapper *wrapper;
  bool loaded;       /* was attempted */
  cudaError_t error; /* of the attempt */
  uint32_t id;
  unsigned arch;
};

struct variable {
  struct variable *next;
  struct module *module;
  const void *host;
  const char *name;
  bool found;
  struct sim_range range;
};

static struct module *modules;
static struct kernel *kernels;
static struct variable *variables;

/* Registration cannot report an error. */
static void *allocate(size_t size) {
  void *record = calloc(1, size);
  if (!record) {
    fprintf(stderr, "simgpu: out of memory while registering device code\n");
    abort();
  }
  return record;
}

void **__cudaRegisterFatBinary(void *wrapper) {
  struct module *module = allocate(sizeof *module);
  context_lock();
  module->wrapper = wrapper;
  module->next = modules;
  modules = module;
  context_unlock();
  return (void **)module;
}

void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }

/* At exit, or when a library is closed: its stubs, names and device code are no longer there. */
void __cudaUnregisterFatBinary(void **handle) {
  struct module *module = (struct module *)handle;
  context_lock();
  module->wrapper = NULL;
  for (struct kernel *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->module == module)
      kernel->host = NULL;
  for (struct variable *variable = variables; variable; variable = variable->next)
    if (variable->module == module)
      variable->host = NULL;
  context_unlock();
}

void __cudaRegisterFunction(void **module, const char *host, char *device_function, const char *name,
                            int thread_limit, uint3 *thread, uint3 *block, dim3 *block_size, dim3 *grid_size,
                            int *warp_size) {
  (void)device_function, (void)thread_limit, (void)thread, (void)block, (void)block_size, (void)grid_size;
  (void)warp_size;
  struct kernel *kernel = allocate(sizeof *kernel);
  context_lock();
  *kernel = (struct kernel){.next = kernels, .module = (struct module *)module, .host = host, .name = name};
  kernels = kernel;
  context_unlock();
}

void __cudaRegisterVar(void **module, char *host, char *device_address, const char *name, int external,
                       size_t size, int constant, int global) {
  (void)device_address, (void)external, (void)size, (void)constant, (void)global;
  struct variable *variable = allocate(sizeof *variable);
  context_lock();
  *variable =
      (struct variable){.next = variables, .module = (struct module *)module, .host = host, .name = name};
  variables = variable;
  context_unlock();
}

void __cudaRegisterManagedVar(void **module, void **host, char *device_address, const char *name,
                              int external, size_t size, int constant, int global) {
  static bool told;
  (void)module, (void)host, (void)device_address, (void)name, (void)external, (void)size, (void)constant;
  (void)global;
  unsupported("a __managed__ variable", &told);
}

char __cudaInitModule(void **module) { return module != NULL; }

/* The name of anything that the module defines, for messages. */
static const char *some_name(const struct module *module) {
  for (const struct kernel *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->module == module)
      return kernel->name;
  for (const struct variable *variable = variables; variable; variable = variable->next)
    if (variable->module == module)
      return variable->name;
  return "?";
}

/* Say in one line what is wrong with the module's container and how to build it. */
static cudaError_t refuse(const struct module *module, enum fatbin_status status, unsigned arch) {
  const struct sim_device_info *device = context_device();
  fprintf(stderr, "simgpu: the object that defines '%s' ", some_name(module));
  switch (status) {
  case FATBIN_COMPRESSED:
    fprintf(stderr, "holds compressed PTX: compile it with nvcc -no-compress\n");
    return cudaErrorNoKernelImageForDevice;
  case FATBIN_MACHINE_CODE_ONLY:
    fprintf(stderr, "holds no PTX: compile it with nvcc -gencode arch=compute_80,code=compute_80\n");
    return cudaErrorNoKernelImageForDevice;
  case FATBIN_TOO_NEW:
    fprintf(stderr,
            "holds PTX for compute_%u, newer than the device's compute_%u%u: compile it with nvcc -gencode "
            "arch=compute_80,code=compute_80\n",
            arch, device->compute_major, device->compute_minor);
    return cudaErrorNoKernelImageForDevice;
  default:
    fprintf(stderr, "holds device code in a container that nvcc 12 and 13 do not write\n");
    return cudaErrorInvalidKernelImage;
  }
}

static cudaError_t upload(struct module *module) {
  const struct sim_device_info *device = context_device();
  const struct fatbin_wrapper *wrapper = module->wrapper;
  struct fatbin_ptx ptx = {0};
  if (!wrapper || wrapper->magic != FATBIN_WRAPPER_MAGIC || !wrapper->data)
    return refuse(module, FATBIN_MALFORMED, 0);
  enum fatbin_status status = fatbin_select(wrapper->data, fatbin_size(wrapper->data),
                                            device->compute_major * 10 + device->compute_minor, &ptx);
  if (status != FATBIN_OK)
    return refuse(module, status, ptx.arch);

  struct host_rows text = {(void *)ptx.text, ptx.length, 1, ptx.length};
  struct sim_header reply;
  struct sim_id id;
  cudaError_t error = context_request(SIM_MODULE_LOAD, NULL, 0, &text, &reply);
  if (error || reply.status)
    return error ? error : context_status(reply.status);
  if (reply.length != sizeof id)
    return context_malformed("length");
  error = context_receive(&id, sizeof id);
  module->id = id.id;
  module->arch = ptx.arch;
  return error;
}

/* Load the module once; a failure is told once and kept. */
static cudaError_t load(struct module *module) {
  if (!module->loaded) {
    module->error = upload(module);
    module->loaded = true;
  }
  return module->error;
}

/* Look a name up in a loaded module; the caller reads the reply. */
static cudaError_t find(enum sim_request type, const struct module *module, const char *name,
                        struct sim_header *reply) {
  struct sim_find request = {.module = module->id, .name_length = (uint32_t)strlen(name)};
  struct host_rows text = {(void *)name, request.name_length, 1, request.name_length};
  return context_request(type, &request, sizeof request, &text, reply);
}

/* The parameter block must be able to hold every parameter. */
static bool params_fit(const struct sim_kernel_info *info, const struct sim_param *params) {
  for (uint32_t i = 0; i < info->param_count; i++)
    if (params[i].size > info->param_bytes || params[i].offset > info->param_bytes - params[i].size)
      return false;
  return true;
}

static cudaError_t receive_kernel(struct kernel *kernel, uint64_t length) {
  struct sim_kernel_info *info = &kernel->info;
  if (length < sizeof *info)
    return context_malformed("length");
  cudaError_t error = context_receive(info, sizeof *info);
  if (error)
    return error;
  size_t params_size = info->param_count * sizeof *kernel->params;
  if (info->param_count > SIM_MAX_PARAMS || info->param_bytes > SIM_MAX_PARAM_BYTES ||
      length != sizeof *info + params_size)
    return context_malformed("kernel parameters");
  free(kernel->params);
  kernel->params = allocate(params_size + 1); /* a kernel may have none */
  error = context_receive(kernel->params, params_size);
  if (!error && !params_fit(info, kernel->params))
    return context_malformed("kernel parameters");
  return error;
}

static cudaError_t describe(struct kernel *kernel) {
  const struct sim_device_info *device = context_device();
  struct sim_header reply;
  cudaError_t error = load(kernel->module);
  if (!error)
    error = find(SIM_KERNEL_FIND, kernel->module, kernel->name, &reply);
  if (!error && reply.status)
    error = reply.status == SIM_NOT_FOUND ? cudaErrorInvalidDeviceFunction : context_status(reply.status);
  if (!error)
    error = receive_kernel(kernel, reply.length);
  if (error)
    return error;
  uint32_t shared = kernel->info.shared_static;
  kernel->shared_dynamic = shared < device->shared_per_block ? device->shared_per_block - shared : 0;
  kernel->carveout = -1;
  kernel->found = true;
  return cudaSuccess;
}

/* A stub's address or a handle; in either case a registered one. */
static struct kernel *recorded(const void *function) {
  for (struct kernel *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->host && (kernel == function || kernel->host == function))
      return kernel;
  return NULL;
}

cudaError_t registry_kernel(const void *function, struct kernel **kernel) {
  if (!function)
    return cudaErrorInvalidDeviceFunction;
  *kernel = recorded(function);
  if (!*kernel)
    return cudaErrorInvalidResourceHandle; /* CUDA 13 takes an unknown address for a handle */
  return (*kernel)->found ? cudaSuccess : describe(*kernel);
}

unsigned registry_kernel_arch(const struct kernel *kernel) { return kernel->module->arch; }

static cudaError_t locate(struct variable *variable) {
  struct sim_header reply;
  cudaError_t error = load(variable->module);
  if (!error)
    error = find(SIM_SYMBOL_FIND, variable->module, variable->name, &reply);
  if (!error && reply.status)
    error = reply.status == SIM_NOT_FOUND ? cudaErrorInvalidSymbol : context_status(reply.status);
  if (!error && reply.length != sizeof variable->range)
    error = context_malformed("length");
  if (!error)
    error = context_receive(&variable->range, sizeof variable->range);
  variable->found = !error;
  return error;
}

const char *registry_variable_name(const void *symbol) {
  for (struct variable *variable = variables; variable; variable = variable->next)
    if (symbol && variable->host == symbol)
      return variable->name;
  return NULL;
}

cudaError_t registry_symbol(const void *symbol, struct sim_range *range) {
  for (struct variable *variable = variables; variable; variable = variable->next) {
    if (!symbol || variable->host != symbol)
      continue;
    cudaError_t error = variable->found ? cudaSuccess : locate(variable);
    *range = variable->range;
    return error;
  }
  return cudaErrorInvalidSymbol;
}

void registry_forget(void) {
  for (struct module *module = modules; module; module = module->next)
    module->loaded = false;
  for (struct kernel *kernel = kernels; kernel; kernel = kernel->next)
    kernel->found = false;
  for (struct variable *variable = variables; variable; variable = variable->next)
    variable->found = false;
}

/* Called once by each stub, which ignores the error: say nothing of the device yet. */
cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *function) {
  context_lock();
  *handle = (cudaKernel_t)recorded(function);
  context_unlock();
  return error_record(*handle ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetKernel(cudaKernel_t *handle, const void *function) {
  return handle ? __cudaGetKernel(handle, function) : error_record(cudaErrorInvalidValue);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *function) {
  return cudaGetKernel((cudaKernel_t *)handle, function);
}
