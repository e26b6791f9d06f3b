/* What the compiler, or a look at the source, warns of: often the cause of a failure. */
#pragma once

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/* Chooses the warning that most likely explains a failure; "" if there is none. said: what the compiler printed. A
 * warning that names a cause begins with its place, "stencil.cu:42: ", and any other with "the compiler warns: ".
 * Warnings about unused names do not count. */
void warnings_choose(const char *said, const char *text, size_t size, const char *program,
                     struct error *warning);

/* Whether it names a cause. */
bool warnings_names_a_cause(const char *warning);

/* The number of its line in the source; 0 if it has none. */
int warnings_line(const char *warning);

/* A line whose operators bind otherwise than it looks: "stencil.cu:12: % binds more tightly than +: ..." False: none.
 * first, last: the lines to look at. */
bool warnings_of_precedence(const char *text, size_t size, const char *program, int first, int last,
                            struct error *warning);
