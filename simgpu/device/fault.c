#include "fault.h"

#include <inttypes.h>
#include <stdio.h>

#include "device/report.h"
#include "print.h"

enum { MANY_BLOCKS = 1024 }; /* as a launch has with a block for each point */

bool fault_raise(struct warp *warp, enum fault_kind kind, uint32_t pc, uint32_t lane, struct fault detail) {
  struct block *block = warp->block;
  struct launch *launch = block->worker->launch;
  detail.kind = kind;
  detail.block = block->index;
  detail.thread = warp->index * LANES + lane;
  detail.pc = pc;
  block->worker->fault = detail;
  uint64_t lowest = atomic_load(&launch->fault_block);
  while (block->index < lowest && !atomic_compare_exchange_weak(&launch->fault_block, &lowest, block->index))
    continue;
  return false;
}

/* Returns whether a program may have its own memory there. */
static bool may_be_host(uint64_t address) {
  return address < SIM_PROGRAM_LAST && (address < SIM_ADDRESS_FIRST || address >= SIM_ADDRESS_LAST);
}

static const char *guess_pointer(uint64_t address) {
  if (address >= UINT64_MAX << 20)
    return ": is the pointer uninitialised?";
  return may_be_host(address) ? ": is it a pointer to host memory?" : "";
}

static void describe_alignment(const struct launch *launch, const struct fault *fault, char *text,
                               size_t size) {
  const struct allocation *a = memory_find(&launch->module->device->memory, fault->address);
  char array[320] = "", where[384] = "";
  if (a) {
    report_array(launch, a, fault->address, array, sizeof array);
    snprintf(where, sizeof where, ": byte %" PRIu64 " of %s", fault->address - a->base, array);
  }
  snprintf(text, size,
           "misaligned %s of %" PRIu64 " bytes at 0x%" PRIx64 ", which is not a multiple of %" PRIu64 "%s",
           fault->is_write ? "write" : "read", fault->bytes, fault->address, fault->bytes, where);
}

static void describe_shared(const struct launch *launch, const struct fault *fault, char *text, size_t size) {
  const bool forgotten = !launch->shared_dynamic && launch->kernel->names_dynamic_shared;
  snprintf(text, size,
           "out-of-bounds %s of %" PRIu64 " byte%s at shared address %" PRIu64
           ": the block has %u byte%s of shared memory%s",
           fault->is_write ? "write" : "read", fault->bytes, report_plural(fault->bytes), fault->address,
           launch->shared_bytes, report_plural(launch->shared_bytes),
           forgotten ? ", and none of it is dynamic: the launch's third argument is 0" : "");
}

static void describe_cluster_shared(const struct launch *launch, const struct fault *fault, char *text,
                                    size_t size) {
  char block[64];
  report_block(launch, fault->other, block, sizeof block);
  int at = snprintf(text, size, "%s%s of %" PRIu64 " byte%s at shared address %" PRIu64 " of %s, which has ",
                    fault->exited ? "" : "out-of-bounds ", fault->is_write ? "write" : "read", fault->bytes,
                    report_plural(fault->bytes), fault->address, block);
  if (fault->exited)
    snprintf(text + at, size - (size_t)at, "exited: is a last barrier of the cluster missing?");
  else
    snprintf(text + at, size - (size_t)at, "%u byte%s of shared memory", launch->shared_bytes,
             report_plural(launch->shared_bytes));
}

/* An address that cuMemAddressReserve has given out. */
static void describe_reserved(const struct launch *launch, const struct fault *fault, char *text,
                              size_t size) {
  const bool is_mapped = virtual_find(&launch->module->device->virtual, fault->address);
  snprintf(text, size, "%s of %" PRIu64 " byte%s at 0x%" PRIx64 ", %s", fault->is_write ? "write" : "read",
           fault->bytes, report_plural(fault->bytes), fault->address,
           is_mapped ? "to which cuMemSetAccess has given no access"
                     : "which is reserved, but cuMemMap has mapped no memory there");
}

static void describe_bounds(const struct launch *launch, const struct fault *fault, char *text, size_t size) {
  const struct memory *memory = &launch->module->device->memory;
  const struct allocation *a = memory_nearest(memory, fault->address);
  const char *verb = fault->is_write ? "write" : "read";
  char where[320], place[64];
  if (fault->address < 4096) {
    snprintf(text, size, "%s of %" PRIu64 " byte%s through a null pointer (address 0x%" PRIx64 ")", verb,
             fault->bytes, report_plural(fault->bytes), fault->address);
    return;
  }
  if (virtual_is_reserved(&launch->module->device->virtual, fault->address)) {
    describe_reserved(launch, fault, text, size);
    return;
  }
  uint64_t end = a ? a->base + a->size : 0;
  bool before = a && fault->address < a->base, inside = !before && fault->address < end;
  uint64_t far = before ? a->base - fault->address : inside ? 0 : fault->address - end;
  const struct freed *freed = memory_freed(memory, fault->address);
  if (freed && !inside) {
    snprintf(text, size,
             "use after free: %s of %" PRIu64 " byte%s at byte %" PRIu64 " of a freed allocation of %" PRIu64
             " byte%s",
             verb, fault->bytes, report_plural(fault->bytes), fault->address - freed->base, freed->size,
             report_plural(freed->size));
    return;
  }
  if (!a || far > (UINT64_C(1) << 30)) {
    snprintf(text, size, "%s of %" PRIu64 " byte%s at 0x%" PRIx64 ", which is not device memory%s", verb,
             fault->bytes, report_plural(fault->bytes), fault->address, guess_pointer(fault->address));
    return;
  }
  report_array(launch, a, fault->address, where, sizeof where);
  if (inside)
    snprintf(place, sizeof place, "the last %" PRIu64 " of them past the end",
             fault->address + fault->bytes - end);
  else if (far == 0)
    snprintf(place, sizeof place, "directly past the end");
  else
    snprintf(place, sizeof place, "%" PRIu64 " byte%s %s", far, report_plural(far),
             before ? "before the start" : "past the end");
  snprintf(text, size, "out-of-bounds %s of %" PRIu64 " byte%s, %s of %s", verb, fault->bytes,
           report_plural(fault->bytes), place, where);
}

/* "lane 3", "lanes 0-15,20" */
static void describe_lanes(uint32_t lanes, char *text, size_t size) {
  int at = snprintf(text, size, lanes & (lanes - 1) ? "lanes " : "lane ");
  const char *comma = "";
  for (uint32_t first = 0; first < LANES; first++) {
    uint32_t last = first;
    if (!(lanes >> first & 1))
      continue;
    while (last + 1 < LANES && lanes >> (last + 1) & 1)
      last++;
    at += snprintf(text + at, size - (size_t)at, last > first ? "%s%u-%u" : "%s%u", comma, first, last);
    first = last;
    comma = ",";
  }
}

static void describe_partial(const struct fault *fault, char *text, size_t size) {
  const uint32_t absent = ~fault->lanes;
  char lanes[112];
  describe_lanes(absent, lanes, sizeof lanes);
  snprintf(text, size, "matrix instruction without all lanes of the warp: %s %s no part", lanes,
           absent & (absent - 1) ? "take" : "takes");
}

/* A warp that has executed few instructions is in no endless loop: there are many such warps. */
static void describe_launch_budget(const struct launch *launch, const struct fault *fault, char *text,
                                   size_t size) {
  enum { FEW = 1000 };
  const size_t used = (size_t)snprintf(
      text, size, "the launch executes more than %" PRIu64 " warp instructions: ", launch->launch_budget);
  if (launch->threads < LANES && launch->blocks >= MANY_BLOCKS)
    snprintf(text + used, size - used,
             "each of many blocks has fewer threads than a warp has lanes: would fewer, larger blocks do?");
  else if (launch->blocks >= MANY_BLOCKS && fault->count < FEW)
    snprintf(text + used, size - used,
             "it has %" PRIu64 " blocks of %" PRIu32 " threads: are so many needed?", launch->blocks,
             launch->threads);
  else
    snprintf(text + used, size - used, "does a loop never end?");
}

static void describe_free(const struct launch *launch, const struct fault *fault, char *text, size_t size) {
  const bool again = memory_freed(&launch->module->device->memory, fault->address);
  snprintf(text, size,
           again ? "double free of 0x%" PRIx64
                 : "free of 0x%" PRIx64 ", which malloc() in a kernel did not return",
           fault->address);
}

static void describe_tensor_map(const struct fault *fault, char *text, size_t size) {
  if (fault->bytes)
    snprintf(text, size,
             "a bulk copy of a tensor begins at byte %" PRId64 " of a row: expected a multiple of 16%s",
             (int64_t)fault->address, fault->is_write ? ", and no negative coordinate" : "");
  else if (fault->count)
    snprintf(text, size,
             "the tensor map has %u dimension%s, and the copy names another number of coordinates",
             fault->count, report_plural(fault->count));
  else
    snprintf(text, size,
             "no tensor map at 0x%" PRIx64 ": expected one that cuTensorMapEncodeTiled has filled",
             fault->address);
}

/* Constant memory, or memory that is mapped for reading. */
static enum sim_status describe_read_only(const struct launch *launch, const struct fault *fault, char *text,
                                          size_t size) {
  const struct allocation *a = memory_find(&launch->module->device->memory, fault->address);
  const bool is_mapped = a && a->physical;
  snprintf(text, size,
           is_mapped ? "write to memory for which cuMemSetAccess has given read access only"
                     : "write to constant memory");
  return is_mapped ? SIM_FAULT_ADDRESS : SIM_FAULT_LAUNCH;
}

static void describe_polling(const struct launch *launch, const struct fault *fault, char *text,
                             size_t size) {
  if (fault->count)
    snprintf(
        text, size,
        "no progress: all %u blocks of this kernel that the GPU holds at a time wait, and the others of its "
        "%" PRIu64 " start only when one of these ends",
        fault->count, launch->blocks);
  else
    snprintf(text, size,
             "no progress: no thread is left that changes what this one waits for: does a loop never end?");
}

static const char *waits(uint32_t lanes) { return lanes & (lanes - 1) ? "wait" : "waits"; }

/* Lanes that return wait for the rest of their warp at the kernel's end. */
static bool returns(const struct op *op) {
  while (op->code == OP_RECONVERGE)
    op++;
  return op->code == OP_EXIT || op->code == OP_RET;
}

/* The lanes that wait at a warp-wide operation, the lanes that they wait for, and the place of those. */
static void describe_waiting(const struct launch *launch, const struct fault *fault, char *text,
                             size_t size) {
  const struct module *m = launch->module;
  const struct op *op = &m->code[fault->pc];
  char lanes[112]; /* "lanes " and at most 16 times "30,"; ranges are longer but fewer */
  describe_lanes(fault->lanes, lanes, sizeof lanes);
  int at = snprintf(text, size, "no progress: %s %s here for ", lanes, waits(fault->lanes));
  describe_lanes(fault->missing, lanes, sizeof lanes);
  at += snprintf(text + at, size - (size_t)at, "%s, named in the mask", lanes);
  for (int i = 0; i < MAX_STRAYS && fault->strays[i].lanes; i++) {
    const struct stray *s = &fault->strays[i];
    const struct ptx_location there = m->locations[s->pc], here = m->locations[fault->pc];
    const bool copied = m->code[s->pc].code == op->code && there.line == here.line && there.file == here.file;
    describe_lanes(s->lanes, lanes, sizeof lanes);
    if (returns(&m->code[s->pc]))
      at += snprintf(text + at, size - (size_t)at, "; %s %s returned, at line %u or before", lanes,
                     s->lanes & (s->lanes - 1) ? "have" : "has", there.line);
    else
      at += snprintf(text + at, size - (size_t)at, "; %s %s at line %u%s", lanes, waits(s->lanes), there.line,
                     copied ? " too, but in the other branch" : "");
  }
}

/* The first threads that are missing at the cluster's barrier wait at the stray's line, if it is known. */
static void describe_cluster_deadlock(const struct launch *launch, const struct fault *fault, char *text,
                                      size_t size) {
  char block[64];
  report_block(launch, fault->other, block, sizeof block);
  int at = snprintf(text, size, "no progress: the cluster's barrier waits for %u thread%s of %s",
                    fault->count, report_plural(fault->count), block);
  if (fault->strays[0].lanes)
    snprintf(text + at, size - (size_t)at, ", some of them at line %u",
             launch->module->locations[fault->strays[0].pc].line);
}

/* Describes a fault of one access; returns SIM_OK for the other kinds. */
static enum sim_status describe_bad_access(const struct launch *launch, const struct fault *fault, char *text,
                                           size_t size) {
  const char *verb = fault->is_write ? "write" : "read";
  switch (fault->kind) {
  case FAULT_BOUNDS:
    describe_bounds(launch, fault, text, size);
    return SIM_FAULT_ADDRESS;
  case FAULT_ALIGNMENT:
    describe_alignment(launch, fault, text, size);
    return SIM_FAULT_MISALIGNED;
  case FAULT_SHARED:
    describe_shared(launch, fault, text, size);
    return SIM_FAULT_ADDRESS;
  case FAULT_CLUSTER_SHARED:
    describe_cluster_shared(launch, fault, text, size);
    return fault->exited ? SIM_FAULT_LAUNCH : SIM_FAULT_ADDRESS;
  case FAULT_LOCAL:
    snprintf(text, size, "%s%s of %" PRIu64 " byte%s beyond the thread's local memory, at offset %" PRIu64,
             launch->kernel->calls ? "stack overflow: " : "", verb, fault->bytes, report_plural(fault->bytes),
             fault->address);
    return SIM_FAULT_ADDRESS;
  case FAULT_PARAM:
    snprintf(text, size, "%s of %" PRIu64 " byte%s beyond the kernel's parameters, at offset %" PRIu64, verb,
             fault->bytes, report_plural(fault->bytes), fault->address);
    return SIM_FAULT_ADDRESS;
  case FAULT_TEXTURE:
    snprintf(text, size,
             "0x%" PRIx64 " is not a texture or surface object: was it destroyed, or never created?",
             fault->address);
    return SIM_FAULT_ADDRESS;
  case FAULT_SURFACE:
    snprintf(text, size, "surface %s outside the surface, at byte %" PRId64 " of row %" PRId64, verb,
             (int64_t)fault->address, (int64_t)fault->bytes);
    return SIM_FAULT_TRAP;
  case FAULT_NOT_CONSTANT:
    snprintf(text, size,
             "read of %" PRIu64 " byte%s of constant memory at 0x%" PRIx64 ", which is other memory",
             fault->bytes, report_plural(fault->bytes), fault->address);
    return SIM_FAULT_ADDRESS;
  case FAULT_READ_ONLY:
    return describe_read_only(launch, fault, text, size);
  default:
    return SIM_OK;
  }
}

/* Describes threads that never reach others; returns SIM_OK for the other kinds. */
static enum sim_status describe_deadlock(const struct launch *launch, const struct fault *fault, char *text,
                                         size_t size) {
  switch (fault->kind) {
  case FAULT_DIVERGENT_BARRIER:
    snprintf(text, size, "divergent barrier: %u thread%s of the warp %s not reach this barrier", fault->count,
             report_plural(fault->count), fault->count == 1 ? "does" : "do");
    return SIM_FAULT_LAUNCH;
  case FAULT_EXITED_BARRIER:
    snprintf(text, size,
             "barrier not reached by all threads: %u %s already returned, or passed it by in a branch",
             fault->count, fault->count == 1 ? "thread has" : "threads have");
    return SIM_FAULT_LAUNCH;
  case FAULT_DEADLOCK:
    snprintf(text, size, "no progress: the threads of the block wait at different barriers");
    return SIM_FAULT_NO_PROGRESS;
  case FAULT_CLUSTER_DEADLOCK:
    describe_cluster_deadlock(launch, fault, text, size);
    return SIM_FAULT_NO_PROGRESS;
  case FAULT_SYNC:
    describe_waiting(launch, fault, text, size);
    return SIM_FAULT_NO_PROGRESS;
  default:
    return SIM_OK;
  }
}

static bool synchronises_grid(const struct ptx_function *f) {
  for (uint32_t i = 0; i < f->inst_count; i++)
    for (uint32_t k = 0; k < f->insts[i].operand_count; k++)
      if (f->insts[i].operands[k].kind == PTX_OPERAND_SPECIAL && f->insts[i].operands[k].value == PTX_ENVREG1)
        return true;
  return false;
}

/* Returns the status that an H200 reports for the same fault. */
static enum sim_status describe_fault(const struct launch *launch, const struct fault *fault, char *text,
                                      size_t size) {
  enum sim_status status = describe_bad_access(launch, fault, text, size);
  if (status == SIM_OK)
    status = describe_deadlock(launch, fault, text, size);
  if (status != SIM_OK)
    return status;
  switch (fault->kind) {
  case FAULT_TRAP:
    snprintf(text, size, "trap%s",
             !launch->cooperative && synchronises_grid(launch->kernel->ptx)
                 ? ": grid.sync() needs cudaLaunchCooperativeKernel()"
                 : "");
    return SIM_FAULT_TRAP;
  case FAULT_PARTIAL_WARP:
    describe_partial(fault, text, size);
    return SIM_FAULT_LAUNCH;
  case FAULT_TENSOR_MAP:
    describe_tensor_map(fault, text, size);
    return SIM_FAULT_INSTRUCTION;
  case FAULT_FREE:
    describe_free(launch, fault, text, size);
    return SIM_FAULT_LAUNCH;
  case FAULT_BUDGET:
    snprintf(text, size, "no progress after %" PRIu64 " instructions of one warp: does a loop never end?",
             launch->budget);
    return SIM_FAULT_NO_PROGRESS;
  case FAULT_POLLING:
    describe_polling(launch, fault, text, size);
    return SIM_FAULT_NO_PROGRESS;
  case FAULT_LAUNCH_BUDGET:
    describe_launch_budget(launch, fault, text, size);
    return SIM_FAULT_NO_PROGRESS;
  case FAULT_CALL_DEPTH:
    snprintf(text, size, "stack overflow: more than %d nested calls", MAX_CALL_DEPTH);
    return SIM_FAULT_ADDRESS;
  case FAULT_CALL_TARGET:
    snprintf(text, size, "call of 0x%" PRIx64 ", which is not a function with these parameters",
             fault->address);
    return SIM_FAULT_ADDRESS;
  case FAULT_ASSERT: {
    const struct memory *memory = &launch->module->device->memory;
    const char *message = print_string(memory, fault->message),
               *function = print_string(memory, fault->function);
    snprintf(text, size, "%s: assertion `%s' failed", function ? function : "?", message ? message : "?");
    return SIM_FAULT_ASSERT;
  }
  default:
    break;
  }
  snprintf(text, size, "unknown fault");
  return SIM_FAULT_LAUNCH;
}

static enum sim_status print_fault(const struct launch *launch, const struct fault *fault, const char *kind,
                                   const char *hint) {
  const struct ptx_location at = launch->module->locations[fault->pc];
  const char *file = report_file(launch->module->ptx, at);
  char what[768], name[256], thread[96], calls[1280];
  enum sim_status status = describe_fault(launch, fault, what, sizeof what);
  if (file)
    fprintf(stderr, "%s:%u: %s", report_path(file), at.line, kind);
  else
    fprintf(stderr, "simgpu: %s", kind);
  report_thread(launch, fault->block, fault->thread, thread, sizeof thread);
  report_calls(launch->module->ptx, at, calls, sizeof calls);
  report_name(launch->kernel->ptx->name, name, sizeof name);
  fprintf(stderr, "%s, in %s, %s%s%s\n", what, name, thread, calls, hint);
  report_source_lines(launch->module->ptx, at);
  return status;
}

enum sim_status fault_report(const struct launch *launch, const struct fault *fault) {
  return print_fault(launch, fault, "", "");
}

void fault_remark(const struct launch *launch, const struct fault *fault) {
  print_fault(launch, fault, "remark: ", "; hardware can let this pass, SIMGPU_CHECKS=1 stops here");
}
