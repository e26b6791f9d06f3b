/* Instruction statistics of each source line, summed over the launches of a kernel. SIMGPU_REPORT is the
 * report for people, SIMGPU_LINES the one for programs. */
#pragma once

#include <stdio.h>

#include "device/machine.h"

struct source_report;

struct source_report *source_report_new(void);
/* Starts a launch of `kernel` (mangled name); later additions belong to it. */
void source_report_launch(struct source_report *report, const char *kernel);
/* Adds the statistics of one instruction at `line` of `file`; NULL and 0 if the line is unknown. */
void source_report_add(struct source_report *report, const char *file, uint32_t line, const struct op *op,
                       const struct instruction_statistics *stats);
/* Writes all kernels in the order of their first launch. */
void source_report_write(const struct source_report *report, FILE *to);
/* Writes a CSV row per kernel and source line; file "" and line 0 stand for an unknown line. */
void source_report_write_csv(const struct source_report *report, FILE *to);
void source_report_free(struct source_report *report);
