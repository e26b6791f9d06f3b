/* The program that the linker made of a submission: its sections are the submission's, and so could be what the kernel
 * does with it before any of its instructions runs. */
#pragma once

#include <stdbool.h>

#include "error.h"

/* Whether its ELF headers are those of a program that is linked like the kit's own. is_static: it asks for
 * no interpreter and no libraries. Anything but an ELF file passes: the kernel does not start it. False
 * after a message. */
bool linked_program_check(const char *path, bool is_static, struct error *why);
