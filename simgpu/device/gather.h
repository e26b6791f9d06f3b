/* The results of a launch, put together from those of the workers. */
#ifndef SIMGPU_GATHER_H
#define SIMGPU_GATHER_H

#include "counters.h"
#include "machine.h"
#include "source_report.h"

/* Adds what all instructions did to the counters, and to the report unless it is NULL. */
void gather_counters(const struct launch *launch, struct worker *workers, unsigned count,
                     struct counters *counters, struct source_report *report);
/* Appends what the blocks printed, in the order of blocks, unless `printed` is NULL. */
void gather_text(struct worker *workers, unsigned count, struct text *printed);
/* Returns the fault in the lowest block; its kind may be FAULT_NONE. */
const struct fault *gather_fault(const struct worker *workers, unsigned count);

#endif
