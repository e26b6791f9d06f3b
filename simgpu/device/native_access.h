/* Native code of loads and stores. */
#pragma once

#include "native_writer.h"

/* NATIVE_ACCESS */
void native_write_access(struct native_writer *w);
