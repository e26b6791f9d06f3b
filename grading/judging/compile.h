/* Makes a program from a lab's submitted source, in the current directory. */
#pragma once

#include "installation.h"
#include "supervisor.h"
#include <stddef.h>

extern const struct supervisor_limits compile_limits;

/* Writes text to PROGRAM.cu (a fixed name: the submission's own is never used), compiles it and links it with
 * the lab's main.c and libraries, kit->libraries for the simulated GPU or kit->gpu_libraries for a real one,
 * to ./program. If it returns true, why holds the compiler's first warning, or nothing; else its first error.
 * *fault: the machine or the installation kept the compiler from judging the source. limits: of the compiler
 * and of the linker. */
bool compile_lab(const struct installation *kit, const struct installation_lab *lab, const char *text,
                 size_t size, const char *const *libraries, const struct supervisor_limits *limits,
                 struct error *why, bool *fault);
