/* Modules of kernels and functions: loading, decoding when it is needed, unloading. */
#ifndef SIMGPU_MODULE_H
#define SIMGPU_MODULE_H

#include "machine.h"

/* Parse, check and decode a module's declarations and device functions, and place its variables in the
 * device's memory. `text`, from malloc() and with NUL at its end, becomes the module's. On failure NULL, and
 * one line in `error`. */
struct module *module_load(struct device *device, char *text, char *error, size_t error_size);
/* The module's kernel or function of that number, below kernel_count: a kernel's body is parsed and decoded
 * when it is first asked for.
 *
 * A kernel that is malformed, or holds something that the device does not do, is refused by itself, and so is
 * one whose calls lead to such a function: `refusal` names the instruction with its PTX and source line. */
struct kernel *module_kernel(struct module *module, uint32_t index);
void module_unload(struct module *module);

#endif
