/* Explains why a host program that dereferences a device pointer dies. */
#pragma once

/* From now on, one line on standard error reports a host access to device memory before it ends the program.
 * Does nothing if the program handles SIGSEGV itself. */
void trespass_watch(void);
