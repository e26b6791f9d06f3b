/* Names, places and source lines for messages and reports. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "device/machine.h"

/* The name as in the source, without parameters and result: "apply_naive", "scan<float>". Returns `name`. */
const char *report_name(const char *mangled, char *name, size_t size);
/* The source file of a place, or NULL if it is unknown: file numbers come from the PTX. */
const char *report_file(const struct ptx_module *module, struct ptx_location at);
/* The calls of inlined functions that lead to a place: ", called from a.cu:40, from a.cu:87". Code of a header
 * has the place of its caller, and begins with ", at x.h:12". "" if nothing is inlined. */
void report_calls(const struct ptx_module *module, struct ptx_location at, char *text, size_t size);
/* Writes a CSV field with any content, in quotes. */
void report_csv_text(FILE *to, const char *text);
/* "s" after a number that is not 1: "1 byte", "2 bytes". */
static inline const char *report_plural(uint64_t n) { return n == 1 ? "" : "s"; }
/* The path relative to the working directory, if the file lies below it. */
const char *report_path(const char *path);
/* Number of the kernel's parameter, from 1, that points into the allocation; 0 if none does. If several do,
 * the one nearest below `address` counts. `value` receives the pointer; may be NULL. */
int report_parameter(const struct launch *launch, const struct allocation *allocation, uint64_t address,
                     uint64_t *value);
/* Prints the line with its number, if the file can be read; report_source_line() does so on standard error. */
void report_line(FILE *to, const char *path, uint32_t line);
void report_source_line(const char *path, uint32_t line);
/* The same for the place, and for the lines of report_calls(). */
void report_source_lines(const struct ptx_module *module, struct ptx_location at);
/* "the array that parameter 2 points to (4000 bytes)", "'table' (64 bytes)" or "an allocation of 40 bytes" */
void report_array(const struct launch *launch, const struct allocation *allocation, uint64_t address,
                  char *text, size_t size);
/* "block (1,0,0)"; returns its length. */
int report_block(const struct launch *launch, uint64_t block, char *text, size_t size);
/* "block (1,0,0) thread (31,0,0)" */
void report_thread(const struct launch *launch, uint64_t block, uint32_t thread, char *text, size_t size);
/* Opens a source file that the program names. NULL: not a regular file, or not readable. With
 * SIMGPU_SOURCE_ROOT=FOLDER in the environment, only files below that folder are opened: the device must not
 * show a program's author a file that the program itself may not read. */
FILE *report_open(const char *path);
/* Prints why the kernel is refused, once. */
void report_refusal(struct kernel *kernel);
