/* Explains why a program dies that follows a device pointer. */
#ifndef SIMGPU_TRESPASS_H
#define SIMGPU_TRESPASS_H

/* From now on, one line on standard error reports a host access to device memory before it ends the program.
 * Does nothing if the program handles SIGSEGV itself. */
void trespass_watch(void);

#endif
