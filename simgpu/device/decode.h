/* Decodes PTX instructions: operands become offsets, mnemonics become codes. */
#pragma once

#include "decoder.h"

/* Decodes the body of a function and appends it to the module's code. An unsupported instruction
 * leaves through d->escape. */
void decode_function(struct decoder *d, const struct ptx_function *f, struct kernel *kernel);
