/* Combines the results of the workers into those of a launch. */
#pragma once

#include "device/counters.h"
#include "device/machine.h"
#include "source_report.h"

/* Adds the statistics of all instructions to the counters, and to the report unless it is NULL. */
void gather_counters(const struct launch *launch, struct worker *workers, unsigned count,
                     struct counters *counters, struct source_report *report);
/* Appends the blocks' output, in the order of blocks, unless `printed` is NULL. */
void gather_text(struct worker *workers, unsigned count, struct text *printed);
/* The fault of the lowest block, or its overrun (see overrun.h); its kind may be FAULT_NONE. */
const struct fault *gather_fault(const struct worker *workers, unsigned count, bool overrun);
