/* Registration runs before main, so it only records. The device loads a fat binary when its first kernel or
 * variable is used.
 *
 * A kernel is known by its fat binary and name, because two files may instantiate the same template. Compiled
 * stubs cache kernel handles for ever, so records are never moved or freed. */
#include "registry.h"

#include "context.h"
#include "fatbin.h"
#include "managed.h"
#include "unsupported.h"

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct registry_module {
  struct registry_module *next;
  const struct fatbin_wrapper *wrapper;
  char *image; /* what the program has loaded itself: a container, whose wrapper is `own`, or text; or NULL */
  struct fatbin_wrapper own;
  struct {
    bool loaded;       /* loading was attempted */
    cudaError_t error; /* of the attempt */
    uint32_t id;
  } on[DEVICES_MOST];
  unsigned arch;
};

struct registry_variable {
  struct registry_variable *next;
  struct registry_module *module;
  const void *host;
  void **managed; /* where the program keeps the address of a managed variable, or NULL */
  void *own;      /* that place for a variable of an image */
  const char *name;
  struct {
    bool found;
    struct sim_range range;
  } on[DEVICES_MOST];
};

static struct registry_module *modules;
static struct registry_kernel *kernels;
static struct registry_variable *variables;

/* Registration cannot report an error. */
static void *allocate(size_t size) {
  void *record = calloc(1, size);
  if (!record) {
    fprintf(stderr, "simgpu: out of memory while registering device code\n");
    abort();
  }
  return record;
}

struct registry_module *registry_add_module(const void *wrapper) {
  struct registry_module *module = allocate(sizeof *module);
  context_lock();
  module->wrapper = wrapper;
  module->next = modules;
  modules = module;
  context_unlock();
  return module;
}

void registry_remove_module(struct registry_module *module) {
  context_lock();
  module->wrapper = NULL;
  for (struct registry_kernel *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->module == module)
      kernel->host = NULL;
  for (struct registry_variable *variable = variables; variable; variable = variable->next)
    if (variable->module == module)
      variable->host = NULL;
  context_unlock();
}

void registry_add_kernel(struct registry_module *module, const void *host, const char *name) {
  struct registry_kernel *kernel = allocate(sizeof *kernel);
  context_lock();
  *kernel = (struct registry_kernel){.next = kernels, .module = module, .host = host, .name = name};
  kernels = kernel;
  context_unlock();
}

void registry_add_variable(struct registry_module *module, const void *host, void **managed,
                           const char *name) {
  struct registry_variable *variable = allocate(sizeof *variable);
  context_lock();
  *variable = (struct registry_variable){
      .next = variables, .module = module, .host = host, .managed = managed, .name = name};
  variables = variable;
  context_unlock();
}

/* The name of any kernel or variable of the module, for messages. */
static const char *some_name(const struct registry_module *module) {
  for (const struct registry_kernel *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->module == module)
      return kernel->name;
  for (const struct registry_variable *variable = variables; variable; variable = variable->next)
    if (variable->module == module)
      return variable->name;
  return "?";
}

/* The program's kernels launch kernels: NVIDIA's libcudadevrt is part of the module. The device has the functions of
 * that library itself. */
static bool has_device_runtime(const struct registry_module *module) {
  for (const struct registry_variable *variable = variables; variable; variable = variable->next)
    if (variable->module == module && strstr(variable->name, "cuda_device_runtime"))
      return true;
  for (const struct registry_kernel *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->module == module && strstr(kernel->name, "cuda_device_runtime"))
      return true;
  return false;
}

/* Reports in one line what is wrong with the module's container and how to build it. */
static cudaError_t refuse(const struct registry_module *module, enum fatbin_status status, unsigned arch) {
  const struct sim_device_info *device = context_device();
  fprintf(stderr, "simgpu: the object that defines '%s' ", some_name(module));
  switch (status) {
  case FATBIN_COMPRESSED:
    fprintf(stderr, "contains compressed PTX: compile it with nvcc -no-compress\n");
    return cudaErrorNoKernelImageForDevice;
  case FATBIN_MACHINE_CODE_ONLY:
    fprintf(stderr, "contains no PTX: compile it with nvcc -gencode arch=compute_80,code=compute_80\n");
    return cudaErrorNoKernelImageForDevice;
  case FATBIN_TOO_NEW:
    fprintf(
        stderr,
        "contains PTX for compute_%u, newer than the device's compute_%u%u: compile it with nvcc -gencode "
        "arch=compute_80,code=compute_80\n",
        arch, device->compute_major, device->compute_minor);
    return cudaErrorNoKernelImageForDevice;
  default:
    fprintf(stderr, "contains device code in an unknown format: expected the output of nvcc 12 or 13\n");
    return cudaErrorInvalidKernelImage;
  }
}

static cudaError_t send(struct registry_module *module, const struct fatbin_ptx *ptx) {
  struct host_rows text = {(void *)ptx->text, ptx->length, 1, ptx->length};
  struct sim_header reply;
  struct sim_id id;
  cudaError_t error = context_request(SIM_MODULE_LOAD, NULL, 0, &text, &reply);
  if (error || reply.status)
    return error ? error : context_status(reply.status);
  if (reply.length != sizeof id)
    return context_malformed("length");
  error = context_receive(&id, sizeof id);
  module->on[device_current()].id = id.id;
  module->arch = ptx->arch;
  return error;
}

static cudaError_t upload(struct registry_module *module) {
  const struct sim_device_info *device = context_device();
  const struct fatbin_wrapper *wrapper = module->wrapper;
  struct fatbin_ptx ptx = {0};
  if (module->image && !wrapper) {
    ptx.text = module->image;
    ptx.length = strlen(module->image);
    ptx.arch = device->compute_major * 10 + device->compute_minor;
    return send(module, &ptx);
  }
  if (!wrapper || wrapper->magic != FATBIN_WRAPPER_MAGIC || !wrapper->data)
    return refuse(module, FATBIN_MALFORMED, 0);
  enum fatbin_status status = fatbin_collect(wrapper, device->compute_major * 10 + device->compute_minor,
                                             has_device_runtime(module), &ptx);
  if (status != FATBIN_OK)
    return refuse(module, status, ptx.arch);

  cudaError_t error = send(module, &ptx);
  free(ptx.joined);
  return error;
}

/* Looks a name up in a loaded module. The caller reads the reply. */
static cudaError_t find(enum sim_request type, const struct registry_module *module, const char *name,
                        struct sim_header *reply) {
  struct sim_find request = {.module = module->on[device_current()].id,
                             .name_length = (uint32_t)strlen(name)};
  struct host_rows text = {(void *)name, request.name_length, 1, request.name_length};
  return context_request(type, &request, sizeof request, &text, reply);
}

/* The module is loaded. */
static cudaError_t locate(struct registry_variable *variable) {
  struct sim_range *range = &variable->on[device_current()].range;
  struct sim_header reply;
  cudaError_t error = find(SIM_SYMBOL_FIND, variable->module, variable->name, &reply);
  if (!error && reply.status)
    error = reply.status == SIM_NOT_FOUND ? cudaErrorInvalidSymbol : context_status(reply.status);
  if (!error && reply.length != sizeof *range)
    error = context_malformed("length");
  if (!error)
    error = context_receive(range, sizeof *range);
  variable->on[device_current()].found = !error;
  return error;
}

/* The names of kernels or managed variables, for free(). */
static cudaError_t list_names(const struct registry_module *module, uint32_t kind, char **names,
                              size_t *size) {
  const struct sim_list request = {module->on[device_current()].id, kind};
  struct sim_header reply;
  cudaError_t error = context_request(SIM_LIST, &request, sizeof request, NULL, &reply);
  if (error || reply.status)
    return error ? error : context_status(reply.status);
  if (reply.length > SIM_MAX_MESSAGE)
    return context_malformed("length");
  *size = reply.length;
  *names = allocate(*size + 1);
  error = context_receive(*names, *size);
  if (!error && *size && (*names)[*size - 1])
    error = context_malformed("names");
  if (error)
    free(*names);
  return error;
}

static bool is_known(const struct registry_module *module, const char *name) {
  const struct registry_variable *variable = variables;
  while (variable && (variable->module != module || strcmp(variable->name, name) != 0))
    variable = variable->next;
  return variable;
}

/* Images do not register their managed variables. */
static cudaError_t register_managed(struct registry_module *module) {
  char *names = NULL;
  size_t size = 0;
  const cudaError_t error = list_names(module, SIM_LIST_MANAGED, &names, &size);
  if (error)
    return error;
  for (const char *name = names; name < names + size; name += strlen(name) + 1) {
    if (is_known(module, name))
      continue;
    struct registry_variable *variable = allocate(sizeof *variable);
    *variable = (struct registry_variable){.next = variables, .module = module, .host = variable};
    variable->managed = &variable->own;
    variable->name = strcpy(allocate(strlen(name) + 1), name);
    variables = variable;
  }
  free(names);
  return cudaSuccess;
}

/* From now on the program reaches the module's managed variables. */
static cudaError_t open_managed(const struct registry_module *module) {
  static bool reported, reported_devices;
  cudaError_t error = cudaSuccess;
  for (struct registry_variable *variable = variables; variable && !error; variable = variable->next) {
    const struct sim_range *range = &variable->on[device_current()].range;
    if (variable->module != module || !variable->managed)
      continue;
    if (*variable->managed && device_count() > 1)
      return unsupported("a __managed__ variable on a second device", &reported_devices);
    error = context_addresses_reserved()
                ? locate(variable)
                : unsupported("a __managed__ variable while other memory occupies the device's addresses",
                              &reported);
    if (!error)
      error = managed_adopt((void *)range->address, range->size);
    if (!error)
      *variable->managed = (void *)range->address;
  }
  return error;
}

/* Loads the module once for the current device. A failure is reported once and kept. */
static cudaError_t load(struct registry_module *module) {
  const int device = device_current();
  if (!module->on[device].loaded) {
    module->on[device].error = upload(module);
    module->on[device].loaded = true;
    if (!module->on[device].error && module->image)
      module->on[device].error = register_managed(module);
    if (!module->on[device].error)
      module->on[device].error = open_managed(module);
  }
  return module->on[device].error;
}

cudaError_t registry_load(struct registry_module *module) { return load(module); }

/* The parameter block must be able to hold every parameter. */
static bool params_fit(const struct sim_kernel_info *info, const struct sim_param *params) {
  for (uint32_t i = 0; i < info->param_count; i++)
    if (params[i].size > info->param_bytes || params[i].offset > info->param_bytes - params[i].size)
      return false;
  return true;
}

static cudaError_t receive_kernel(struct registry_kernel *kernel, uint64_t length) {
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

/* The device knows its own limit. */
static cudaError_t limit_shared(const struct registry_kernel *kernel, uint32_t bytes) {
  const struct sim_kernel_limit limit = {kernel->on[device_current()].number, bytes};
  return context_call(SIM_KERNEL_LIMIT, &limit, sizeof limit, NULL, 0);
}

static cudaError_t describe(struct registry_kernel *kernel) {
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
  const uint32_t shared = kernel->info.shared_static,
                 usual = shared < device->shared_per_block ? device->shared_per_block - shared : 0;
  bool is_first = true;
  for (int i = 0; i < DEVICES_MOST; i++)
    is_first &= !kernel->on[i].found;
  kernel->on[device_current()].number = kernel->info.kernel;
  kernel->on[device_current()].found = true;
  if (!is_first)
    return kernel->shared_dynamic > usual ? limit_shared(kernel, kernel->shared_dynamic) : cudaSuccess;
  kernel->shared_dynamic = usual;
  kernel->carveout = -1;
  return cudaSuccess;
}

cudaError_t registry_limit_shared(struct registry_kernel *kernel, uint32_t bytes) {
  const int device = device_current();
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < DEVICES_MOST && !error; i++)
    if (kernel->on[i].found) {
      device_select(i);
      error = limit_shared(kernel, bytes);
    }
  device_select(device);
  if (!error)
    kernel->shared_dynamic = bytes;
  return error;
}

static struct registry_kernel *recorded(const void *function) {
  for (struct registry_kernel *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->host && (kernel == function || kernel->host == function))
      return kernel;
  return NULL;
}

struct registry_kernel *registry_recorded(const void *function) {
  context_lock();
  struct registry_kernel *kernel = recorded(function);
  context_unlock();
  return kernel;
}

cudaError_t registry_find_kernel(const void *function, struct registry_kernel **kernel) {
  if (!function)
    return cudaErrorInvalidDeviceFunction;
  *kernel = recorded(function);
  if (!*kernel)
    return cudaErrorInvalidResourceHandle; /* as in CUDA 13, which takes an unknown address for a handle */
  const cudaError_t error = (*kernel)->on[device_current()].found ? cudaSuccess : describe(*kernel);
  (*kernel)->info.kernel = (*kernel)->on[device_current()].number;
  return error;
}

unsigned registry_kernel_arch(const struct registry_kernel *kernel) { return kernel->module->arch; }

/* The program names a managed variable by its address, and any other by its shadow. */
static bool is_variable(const struct registry_variable *variable, const void *symbol) {
  return symbol && variable->host && (variable->managed ? *variable->managed : variable->host) == symbol;
}

const char *registry_variable_name(const void *symbol) {
  for (struct registry_variable *variable = variables; variable; variable = variable->next)
    if (is_variable(variable, symbol))
      return variable->name;
  return NULL;
}

cudaError_t registry_find_variable(const void *symbol, struct sim_range *range) {
  for (struct registry_variable *variable = variables; variable; variable = variable->next) {
    if (!is_variable(variable, symbol))
      continue;
    cudaError_t error = load(variable->module);
    if (!error && !variable->on[device_current()].found)
      error = locate(variable);
    *range = variable->on[device_current()].range;
    return error;
  }
  return cudaErrorInvalidSymbol;
}

static bool is_elf(const void *image) { return memcmp(image, "\177ELF", 4) == 0; }

/* Whether an ELF file is for a GPU: others are no images at all. */
static bool is_machine_code(const void *image) {
  uint16_t machine;
  memcpy(&machine, (const char *)image + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
  return machine == EM_CUDA;
}

/* Whether the text begins as PTX does, after comments; errors behind that are the compiler's to find. */
static bool is_ptx(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "//", 2) == 0)
      text += strcspn(text, "\n");
    else if (strncmp(text, "/*", 2) == 0 && strstr(text + 2, "*/"))
      text = strstr(text + 2, "*/") + 2;
    else
      return strncmp(text, ".version", strlen(".version")) == 0;
  }
}

/* Copies an image: the program may free its own. */
static cudaError_t copy_image(const void *image, char **copy) {
  uint32_t magic;
  memcpy(&magic, image, sizeof magic);
  const struct fatbin_wrapper *wrapper = magic == FATBIN_WRAPPER_MAGIC ? image : NULL;
  const void *data = wrapper ? wrapper->data : image;
  if (is_elf(data) && is_machine_code(data)) {
    fprintf(stderr,
            "simgpu: a module contains no PTX but machine code: expected PTX or the output of nvcc -fatbin "
            "-gencode arch=compute_80,code=compute_80\n");
    return cudaErrorNoKernelImageForDevice;
  }
  const size_t container = is_elf(data) ? 0 : fatbin_size(data);
  if (!container && !is_ptx(data))
    return cudaErrorInvalidKernelImage;
  const size_t size = container ? container : strlen(data) + 1;
  *copy = memcpy(allocate(size), data, size);
  return cudaSuccess;
}

cudaError_t registry_open_image(const void *image, struct registry_module **opened) {
  char *copy;
  cudaError_t error = copy_image(image, &copy);
  if (error)
    return error;
  struct registry_module *module = allocate(sizeof *module);
  *module =
      (struct registry_module){.next = modules, .image = copy, .own = {FATBIN_WRAPPER_MAGIC, 1, copy, NULL}};
  module->wrapper = fatbin_size(copy) ? &module->own : NULL;
  modules = module;
  error = load(module);
  if (!error)
    *opened = module;
  return error;
}

cudaError_t registry_kernel_named(struct registry_module *module, const char *name,
                                  struct registry_kernel **found) {
  for (struct registry_kernel *kernel = kernels; kernel; kernel = kernel->next)
    if (kernel->module == module && kernel->host && strcmp(kernel->name, name) == 0)
      return registry_find_kernel(kernel, found);
  struct registry_kernel *kernel = allocate(sizeof *kernel);
  char *own_name = allocate(strlen(name) + 1);
  *kernel = (struct registry_kernel){.module = module, .host = kernel, .name = strcpy(own_name, name)};
  cudaError_t error = describe(kernel);
  if (error) {
    free(own_name);
    free(kernel);
    return error;
  }
  kernel->next = kernels;
  kernels = kernel;
  *found = kernel;
  return cudaSuccess;
}

cudaError_t registry_variable_named(struct registry_module *module, const char *name,
                                    struct sim_range *range) {
  struct registry_variable variable = {.module = module, .name = name};
  cudaError_t error = load(module);
  if (!error)
    error = locate(&variable);
  *range = variable.on[device_current()].range;
  return error;
}

cudaError_t registry_kernel_names(struct registry_module *module, char **names, size_t *size) {
  const cudaError_t error = load(module);
  return error ? error : list_names(module, SIM_LIST_KERNELS, names, size);
}

struct registry_module *registry_module_of(const struct registry_kernel *kernel) {
  return kernel->module;
}

void registry_forget(void) {
  for (struct registry_module *module = modules; module; module = module->next)
    memset(module->on, 0, sizeof module->on);
  for (struct registry_kernel *kernel = kernels; kernel; kernel = kernel->next)
    memset(kernel->on, 0, sizeof kernel->on);
  for (struct registry_variable *variable = variables; variable; variable = variable->next)
    memset(variable->on, 0, sizeof variable->on);
}
