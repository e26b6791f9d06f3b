/* The line of a .cu file that an instruction of this program belongs to, from the tables of DWARF 4 that the compiler
 * writes with -g1 -gdwarf-4. Calls only functions that are safe in a signal handler. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct source_line {
  const char *file; /* its name without a folder */
  unsigned line;
};

/* Maps the program's own file; the lines live as long as it. False: it cannot be read. */
bool source_line_open(void);
/* False: no line is known. */
bool source_line_find(uintptr_t instruction, struct source_line *found);
