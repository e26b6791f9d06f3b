/* From a lab's submitted source to a program, in the current directory. */
#ifndef COMPILE_H
#define COMPILE_H

#include "installation.h"
#include "supervisor.h"
#include <stddef.h>

extern const struct supervisor_limits compile_limits;

/* Writes text to PROGRAM.cu (a fixed name: the submission's own is never used), compiles it and links it with
 * the lab's main.c and libraries, kit->libraries for the simulated GPU or kit->gpu_libraries for a real one,
 * to ./program. False with the compiler's first error, else why is its first warning, or empty; *fault when
 * the machine or the installation kept the compiler from judging the source. limits: of the compiler and of
 * the linker. */
bool compile_lab(const struct installation *kit, const struct installation_lab *lab, const char *text,
                 size_t size, const char *const *libraries, const struct supervisor_limits *limits,
                 struct error *why, bool *fault);

#endif
