/* The text of a kernel's native code, in C, after that of native_code.h.
 *
 * Runs of arithmetic become one loop over the lanes; values within a run need no memory. Registers with one number for
 * all lanes (native_plan.h) become scalars. Everything that a later run, an access or the interpreter reads is stored
 * in the frame. */
#pragma once

#include "native_plan.h"

/* Returns a text from malloc(), without names or strings of the program. */
char *native_text(const struct native_plan *plan);
