/* Native code of instructions without memory. */
#pragma once

#include "native_writer.h"

/* NATIVE_LANE */
void native_write_lane(struct native_writer *w);
