/* Decodes video instructions (vadd, vset4, …). */
#pragma once

#include "decoder.h"

void decode_video(struct decoder *d, struct op *op);
