/* Faults of kernels: the interpreter records them, and the device reports one after the launch. */
#pragma once

#include "device/machine.h"
#include "protocol.h"

/* Records a fault of the warp's block at instruction `pc`; `detail` holds the fields of that kind. Returns false. */
bool fault_raise(struct warp *warp, enum fault_kind kind, uint32_t pc, uint32_t lane, struct fault detail);
/* Prints one line on standard error with place, fault, block and thread, like a compiler's message, then the
 * source line if it can be read. Returns the status that an H200 reports for the same fault. */
enum sim_status fault_report(const struct launch *launch, const struct fault *fault);
/* Prints the same line as a remark: the kernel has gone on. */
void fault_remark(const struct launch *launch, const struct fault *fault);
