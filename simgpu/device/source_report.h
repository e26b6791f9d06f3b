/* What the instructions of each source line did, launches of a kernel added up: SIMGPU_REPORT for people,
 * SIMGPU_LINES for programs. */
#ifndef SIMGPU_SOURCE_REPORT_H
#define SIMGPU_SOURCE_REPORT_H

#include <stdio.h>

#include "machine.h"

struct source_report;

struct source_report *source_report_new(void);
/* One more launch of `kernel` (mangled); what is added next belongs to it. */
void source_report_launch(struct source_report *report, const char *kernel);
/* What one instruction at line `line` of `file` did; NULL and 0: no source line is known. */
void source_report_add(struct source_report *report, const char *file, uint32_t line, const struct op *op,
                       const struct instruction_statistics *stats);
/* All kernels in the order of their first launch. */
void source_report_write(const struct source_report *report, FILE *to);
/* The same as CSV, a row for each kernel and source line; file: "" and line 0 where none is known. */
void source_report_write_csv(const struct source_report *report, FILE *to);
void source_report_free(struct source_report *report);

#endif
