/* PTX instructions to the device's own: operands become offsets, mnemonics become codes. */
#ifndef SIMGPU_DECODE_H
#define SIMGPU_DECODE_H

#include "decoder.h"

/* Decodes the body of a function to the end of the module's code. What cannot be done is refused, which
 * leaves through d->escape. */
void decode_function(struct decoder *d, const struct ptx_function *f, struct kernel *kernel);

#endif
