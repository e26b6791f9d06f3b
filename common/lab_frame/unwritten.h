/* Parts of a lab that are not written yet. A function of a contract returns 0, or the number n of the TODO(n)
 * that the call needs; a program then reports this and exits with UNWRITTEN_STATUS. */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

enum { UNWRITTEN_STATUS = 3, UNWRITTEN_FAILED_STATUS = 1 };
enum { UNWRITTEN_MOST = 7 }; /* parts of a lab */

/* Ends the program with one line unless part is 0: with UNWRITTEN_FAILED_STATUS if no lab has that part.
 * function: the function that returned it. */
void unwritten_check(int part, const char *function);

C_LINKAGE_END
