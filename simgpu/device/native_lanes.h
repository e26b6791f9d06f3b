/* Native code of instructions without memory. */
#pragma once

#include "native_writer.h"

/* NATIVE_LANE */
void native_write_lane(struct native_writer *w);
/* An instruction that native_is_rounded(): from the frame to the frame, with nothing else in its loop. */
void native_write_rounded(struct native_writer *w);
/* The result of the instruction before, limited to [0, 1]. */
void native_write_saturation(struct native_writer *w);
