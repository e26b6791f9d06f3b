/* The fat binaries, kernels and variables that the program's objects register before main. */
#pragma once

#include "../protocol.h"
#include "devices.h"

#include <driver_types.h>
#include <stdbool.h>

struct registry_module;

struct registry_kernel {
  struct registry_kernel *next;
  struct registry_module *module;
  const void *host; /* the stub in the program; NULL after its library was closed */
  const char *name;
  struct {
    bool found; /* the device has described the kernel */
    uint32_t number;
  } on[DEVICES_MOST];
  struct sim_kernel_info info; /* valid if found; `kernel` is that of the current device */
  struct sim_param *params;
  uint32_t shared_dynamic; /* bytes that a launch may ask for */
  int carveout;            /* as set by the program; -1: none */
  bool large_clusters;     /* cudaFuncAttributeNonPortableClusterSizeAllowed */
};

/* These take the lock themselves and do not use the device. */
struct registry_module *registry_add_module(const void *wrapper);
void registry_remove_module(struct registry_module *module);
void registry_add_kernel(struct registry_module *module, const void *host, const char *name);
/* `managed`: where the program keeps the address of a managed variable, or NULL. */
void registry_add_variable(struct registry_module *module, const void *host, void **managed,
                           const char *name);

/* The registered kernel with this stub or handle; NULL if there is none. */
struct registry_kernel *registry_recorded(const void *function);

/* The same, after the device has loaded and described it. */
cudaError_t registry_find_kernel(const void *function, struct registry_kernel **kernel);

/* The most dynamic shared memory that a launch may ask for, on all devices. */
cudaError_t registry_limit_shared(struct registry_kernel *kernel, uint32_t bytes);

/* Compute capability of the kernel's PTX: 80 for compute_80. */
unsigned registry_kernel_arch(const struct registry_kernel *kernel);

/* The device memory of the variable with this host shadow. */
cudaError_t registry_find_variable(const void *symbol, struct sim_range *range);

/* Its name; NULL if no variable has this shadow. */
const char *registry_variable_name(const void *symbol);

/* Loads the module, so that the program can use its managed variables. */
cudaError_t registry_load(struct registry_module *module);

/* Loads PTX text, or a container: the program's own, with or without its wrapper. */
cudaError_t registry_open_image(const void *image, struct registry_module **module);
cudaError_t registry_kernel_named(struct registry_module *module, const char *name,
                                  struct registry_kernel **kernel);
cudaError_t registry_variable_named(struct registry_module *module, const char *name,
                                    struct sim_range *range);

/* The names of the module's kernels, each with a NUL behind it, for free(); *size is their bytes. */
cudaError_t registry_kernel_names(struct registry_module *module, char **names, size_t *size);

/* The module of a kernel. */
struct registry_module *registry_module_of(const struct registry_kernel *kernel);

/* Call this when the device has unloaded all modules. */
void registry_forget(void);
