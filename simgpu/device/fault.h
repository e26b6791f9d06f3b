/* Faults of kernels: noted by the interpreter, reported when the launch has ended. */
#ifndef SIMGPU_FAULT_H
#define SIMGPU_FAULT_H

#include "machine.h"
#include "protocol.h"

/* Notes a fault of the warp's block at instruction `pc`; `detail` holds what the kind needs. Always false. */
bool fault_raise(struct warp *warp, enum fault_kind kind, uint32_t pc, uint32_t lane, struct fault detail);
/* One line on standard error with place, fault, block and thread, like a compiler's message, then the source
 * line if it can be read. Returns the status that an H200 has for the same fault. */
enum sim_status fault_report(const struct launch *launch, const struct fault *fault);

#endif
