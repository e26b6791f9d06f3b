/* PTX instructions to the device's own: operands become offsets, mnemonics become codes. */
#ifndef SIMGPU_DECODE_H
#define SIMGPU_DECODE_H

#include "machine.h"

/* Parse, check and decode a module and place its variables in the device's memory. On failure NULL, and one
 * line in `error`.
 *
 * A kernel with something that the device does not do is refused by itself, and so is one whose calls lead to
 * such a function: `refusal` names the instruction with its PTX and source line. */
struct module *module_load(struct device *device, const char *text, size_t length, char *error,
                           size_t error_size);
void module_unload(struct module *module);

/* The name of a code, e.g. "ADD_F32". */
const char *op_name(enum opcode code);
/* The code that runs the PTX form `form` ("add.s32") by the table alone, or OP_COUNT. */
enum opcode op_of_form(const char *form);

#endif
