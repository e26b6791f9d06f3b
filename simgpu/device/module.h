/* Modules of kernels and functions: loading, decoding on demand, unloading. */
#ifndef SIMGPU_MODULE_H
#define SIMGPU_MODULE_H

#include "machine.h"

/* Parse, check and decode a module's declarations and device functions, and place its variables in the
 * device's memory. `text`, from malloc() and with NUL at its end, becomes the module's. On failure NULL, and
 * one line in `error`. */
struct module *module_load(struct device *device, char *text, char *error, size_t error_size);
/* The module's kernel or function `index` < kernel_count. The first call parses and decodes a kernel's body.
 * A malformed or unsupported kernel is refused alone, and so is one that calls such a function: `refusal`
 * names the instruction with its PTX line and source line. */
struct kernel *module_kernel(struct module *module, uint32_t index);
void module_unload(struct module *module);

#endif
