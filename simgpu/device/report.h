/* What went wrong in a kernel, told on standard error like a compiler's message. */
#ifndef SIMGPU_REPORT_H
#define SIMGPU_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "machine.h"

/* The name as in the source, without parameters and result: "apply_naive", "scan<float>". Returns `name`. */
const char *report_name(const char *mangled, char *name, size_t size);
/* The source file of a place, or NULL where none is known: file numbers come from the PTX. */
const char *report_file(const struct ptx_module *module, struct ptx_location at);
/* A field of CSV that may hold anything, in quotes. */
void report_csv_text(FILE *to, const char *text);
/* The path as seen from the working directory, if it lies below. */
const char *report_path(const char *path);
/* Number of the kernel's parameter, from 1, that points into the allocation, nearest below `address` if
 * several do; 0: none. `value`: where it points; may be NULL. */
int report_parameter(const struct launch *launch, const struct allocation *allocation, uint64_t address,
                     uint64_t *value);
/* The line with its number, on standard error, if it can be read. */
void report_source_line(const char *path, uint32_t line);
/* The module's variable that the allocation is, or NULL. */
const char *report_symbol(const struct launch *launch, const struct allocation *allocation);
/* A source file that the program names, or NULL: it may name a pipe, or a device without end. With
 * SIMGPU_SOURCE_ROOT=FOLDER in the environment only files below that folder are opened, so that the device
 * does not show a program's author what the program itself may not read. */
FILE *report_open(const char *path);

#endif
