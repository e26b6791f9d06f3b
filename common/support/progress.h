/* Progress of long work: one line on standard error, rewritten a few times per second, if that is a
 * terminal. Otherwise nothing is printed, so logs and error messages stay clean. */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

/* Cheap enough for every step of a loop: most calls only read the clock. */
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Erases the line; call it before other output. */
void progress_clear(void);

C_LINKAGE_END
