/* Makes a program from a lab's submitted source, in the current directory. */
#pragma once

#include "installation.h"
#include "jail.h"
#include "supervisor.h"
#include <stddef.h>

extern const struct supervisor_limits compile_limits;

struct compile_order {
  const struct installation *kit;
  const struct installation_lab *lab;
  const char *text;
  size_t size;
  const char *const
      *libraries; /* kit->libraries for the simulated GPU or kit->gpu_libraries for a real one */
  const struct supervisor_limits *limits; /* of the compiler and of the linker */
  struct jail jail;                       /* level, namespaces and slot */
};

/* Compiles the text under a fixed name (the submission's own is never used) and links it with the lab's main.c and
 * libraries to ./program, in a folder and a jail of its own. If it returns true, why holds the compiler's first
 * warning, or nothing; else its first error. *fault: the machine or the installation kept the compiler from
 * judging the source. */
bool compile_lab(const struct compile_order *order, struct error *why, bool *fault);
