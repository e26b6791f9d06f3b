/* Modules of kernels and functions: loading, decoding on demand, unloading. */
#pragma once

#include "device/machine.h"

/* Parses, checks and decodes a module's declarations and device functions, and places its variables in the
 * device's memory. `text` is from malloc() and ends with NUL; the module takes it over. On failure returns NULL
 * and writes one line to `error`. */
struct module *module_load(struct device *device, char *text, char *error, size_t error_size);
/* The module's kernel or function `index` < kernel_count. The first call parses and decodes a kernel's body.
 * Only that kernel is refused if it is malformed or unsupported, or calls such a function; `refusal` names the
 * instruction with its PTX line and source line. */
struct kernel *module_kernel(struct module *module, uint32_t index);
void module_unload(struct module *module);
