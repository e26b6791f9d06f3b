/* The state of the simulated GPU, grouped by owner: instruction, kernel, module, launch, worker, block, warp.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "children.h"
#include "memory.h"
#include "op.h"
#include "print.h"
#include "ptx.h"
#include "virtual.h"

enum {
  LANES = 32,
  MAX_BLOCK_THREADS = 1024,
  MAX_WARPS = MAX_BLOCK_THREADS / LANES,
  BARRIERS = 16,
  CLUSTER_BARRIER = BARRIERS, /* after those of the block */
  PATTERNS_LOG = 9,
  PATTERNS = 1 << PATTERNS_LOG,
  MAX_CALL_DEPTH = 512,
  MAX_STACK_BYTES = 32 << 20, /* of registers, per warp */
};
#define ALL_LANES UINT32_C(0xffffffff)

/* Generic addresses of shared, local and parameter memory; global memory starts at SIM_ADDRESS_FIRST. */
#define SHARED_WINDOW (UINT64_C(0x10) << 32)
#define LOCAL_WINDOW (UINT64_C(0x11) << 32)
#define PARAM_WINDOW (UINT64_C(0x12) << 32)
/* Addresses of functions, by number in the module; they refer to no memory. */
#define FUNCTION_WINDOW (UINT64_C(0x13) << 32)
enum { FUNCTION_BYTES = 128 };
/* Shared memory of the cluster's blocks: that of rank r starts at (r + 1) << CLUSTER_SHIFT, that of the thread's own
 * block also at 0. */
enum { CLUSTER_SHIFT = 24, CLUSTER_BLOCKS = 8, CLUSTER_BLOCKS_OPTIN = 16 };
#define ANY_FUNCTION UINT32_MAX /* the callee of an indirect call */

/* Shared memory of cooperative groups, zero when a block starts; they need 288 bytes. It is separate, so no
 * other access reaches it. */
enum { RESERVED_SHARED = 1 << 20, RESERVED_SHARED_BYTES = 288 };

/* Loops over the lanes of `mask`, lowest first. */
#define FOR_ACTIVE(mask, l)                                                                                  \
  for (uint32_t rest_##l = (mask), l; rest_##l && (l = (uint32_t)__builtin_ctz(rest_##l), 1);                \
       rest_##l &= rest_##l - 1)

struct instruction_statistics { /* of one instruction in one launch */
  uint64_t warps, threads;      /* executions, and active lanes in them */
  uint64_t requests, sectors, wavefronts, conflicts, bytes, divergent;
  uint64_t load_sectors; /* of copies to shared memory, as counted among those of loads */
  uint64_t shared,
      own; /* requests by generic addresses of shared memory; own: some lane's is of the own block's */
};

struct kernel { /* or device function */
  struct ptx_function *ptx;
  uint32_t entry, end;   /* instructions [entry, end) of the module's code */
  uint32_t frame_bytes;  /* registers, then parameters per thread */
  uint32_t param_offset; /* of the frame's parameter bytes: 32 lanes of frame_param_bytes each */
  uint32_t shared_static, shared_dynamic_base; /* the dynamic part starts there */
  uint32_t local_bytes;
  const uint32_t *offsets;    /* of its registers in the frame */
  uint32_t registers;         /* cached result of kernel_registers() */
  uint64_t last_instructions; /* of its last launch, 0: none */
  uint32_t shared_dynamic_max;
  bool calls;
  bool is_ordered;            /* has an atomic, or a malloc, whose result depends on the order of blocks */
  bool names_dynamic_shared;  /* in its own code, not in what it calls */
  bool is_decoded;            /* or was refused */
  _Atomic(uint32_t *) zeroed; /* of a function that has been called: native_zeroed() */
  const char *refusal;        /* one line that says why it cannot run, or NULL */
  bool refused_for_callee;    /* whose `refusal` it repeats */
  bool refusal_reported;
  struct native *native; /* for the shapes of its blocks so far, or NULL */
};

struct argument { /* of a call: bytes per thread, from the caller's parameters to the callee's or back */
  uint32_t own, theirs, size;
  bool is_result;
};

struct matrix;         /* of matrix.h */
struct tensor_copy;    /* of copy_tensor.h */
struct texture_detail; /* of texture.h */

struct target {
  uint32_t pc, reconverge;
  uint8_t depth;
};

struct call {
  uint32_t caller, callee; /* index of the kernel or function */
  struct argument *arguments;
  uint32_t count;
};

struct module {
  struct ptx_module *ptx;
  struct op *code;
  struct ptx_location *locations; /* by instruction */
  uint32_t *insts; /* by instruction: its number in the function's PTX; the end has inst_count */
  uint32_t code_count;
  char *constants; /* 32 lanes of each distinct constant */
  uint32_t constant_bytes, constant_room;
  struct constants *known_constants; /* their index: decoder.c */
  struct kernel *kernels;            /* in the order of ptx->functions */
  uint32_t kernel_count;
  struct call *calls;
  uint32_t call_count;
  struct matrix *matrices; /* matrix instructions */
  uint32_t matrix_count;
  struct tensor_copy *tensor_copies; /* cp.async.bulk.tensor */
  uint32_t tensor_copy_count;
  struct texture_detail *texture_details; /* levels and gradients of tex */
  uint32_t texture_detail_count;
  struct target *targets; /* of indexed branches */
  uint32_t target_count;
  uint64_t *addresses;     /* of ptx->variables; 0: declared elsewhere */
  uint32_t variable_count; /* those that have been placed */
  uint64_t constant_memory;
  const char **mnemonics; /* with all modifiers; by instruction */
  uint32_t late_count;    /* of struct op's `late` */
  struct device *device;
  bool launches; /* some of its code launches kernels, so all are decoded */
};

struct device {
  struct memory memory;
  struct virtual_memory virtual;
  struct textures *textures;
  struct module **modules;
  uint32_t module_count;
  bool remarked;         /* an overrun has been reported */
  bool reported_pending; /* and a launch by a kernel that the limit of pending launches forbids */
  struct children children;
  uint32_t conditions[SIM_CONDITIONS];
  uint64_t *error_texts; /* addresses of what kernels have asked for: device_runtime.c; or NULL */
};

enum fault_kind {
  FAULT_NONE,
  FAULT_BOUNDS,
  FAULT_ALIGNMENT,
  FAULT_SHARED,
  FAULT_CLUSTER_SHARED, /* of another block of the cluster: beyond it, or after the block's end */
  FAULT_LOCAL,
  FAULT_PARAM,
  FAULT_TRAP,
  FAULT_DIVERGENT_BARRIER,
  FAULT_EXITED_BARRIER,
  FAULT_DEADLOCK,
  FAULT_CLUSTER_DEADLOCK,
  FAULT_BUDGET,
  FAULT_LAUNCH_BUDGET,
  FAULT_POLLING,
  FAULT_CALL_DEPTH,
  FAULT_ASSERT,
  FAULT_SYNC,
  FAULT_READ_ONLY,
  FAULT_NOT_CONSTANT,
  FAULT_CALL_TARGET,
  FAULT_FREE,
  FAULT_TEXTURE,
  FAULT_SURFACE,
  FAULT_PARTIAL_WARP,
  FAULT_TENSOR_MAP,
};

struct stray { /* lanes that others wait for, and their place */
  uint32_t lanes, pc;
};
enum { MAX_STRAYS = 3 };

struct fault { /* the first fault of the lowest block */
  enum fault_kind kind;
  uint64_t block;
  uint32_t thread, pc;
  uint64_t address, bytes; /* of an access */
  uint32_t count;          /* threads that are missing at a barrier, or blocks that the device holds */
  uint64_t other; /* their block, if it is another one; or the block whose shared memory is accessed */
  bool exited;    /* that block */
  uint32_t lanes, missing; /* of a warp-wide operation: the waiting lanes, and the lanes that they wait for */
  struct stray strays[MAX_STRAYS];
  bool is_write;
  uint64_t message, function; /* of an assertion: device addresses of its text and of the function's name */
};

/* Special registers, by lane, in the order of enum ptx_special up to the first of the next owner. */
struct warp_specials {
  _Alignas(64) uint32_t value[PTX_CTAID_X][LANES];
};
struct block_specials {
  _Alignas(64) uint32_t value[PTX_CLOCK - PTX_CTAID_X][LANES];
};

/* Time slices of blocks that run side by side, in instructions of a warp: the first one after a barrier, and the
 * longest. A thread that polls uses up its slice, so they begin short. */
enum { FIRST_SLICE = 1 << 6, SHORT_SLICE = 1 << 9 };

struct launch {
  struct module *module;
  const struct kernel *kernel;
  uint32_t grid[3], block[3];
  uint32_t cluster[3], cluster_blocks; /* blocks of a cluster in each dimension, and in all */
  bool explicit_cluster;
  uint32_t threads, warps; /* per block */
  uint64_t blocks;
  uint32_t shared_bytes; /* static and dynamic */
  uint32_t shared_dynamic;
  const uint8_t *params;
  struct warp_specials *warp_specials; /* by warp */
  uint64_t budget;                     /* limit of instructions of one warp */
  uint64_t launch_budget;              /* limit of instructions of all warps */
  uint64_t every;                      /* runs one block of so many, and as large a part at the end */
  uint64_t model_seed;                 /* chooses the blocks that the time model samples; 0: fixed ones */
  bool cooperative;
  bool loses_copies;    /* cp.async writes zeros */
  uint64_t time_slice;  /* of a block that runs alone, see there */
  uint32_t turns;       /* of a warp between two barriers: turns.h */
  uint64_t workspace;   /* cooperative: device address of the grid-wide barriers' words */
  uint64_t run;         /* blocks handed out at a time */
  struct trace *traces; /* of the drawn blocks */
  uint32_t trace_count;
  struct trace **sampled; /* those that the time model replays */
  uint32_t sampled_count;
  uint32_t *work;              /* of each block: instructions of warps and what they move; NULL: not wanted */
  struct addresses *addresses; /* receives one warp's requests, or NULL */
  struct checks *checks;       /* or NULL */
  const struct order *order;   /* of blocks, and of warps in a block */
  uint64_t number;             /* of the launch */
  _Alignas(128) atomic_uint_fast64_t next; /* block to hand out */
  atomic_uint_fast64_t fault_block;        /* lowest faulting block so far; later ones stop */
  atomic_uint_fast64_t spent;              /* instructions so far that workers have added */
  atomic_int_fast64_t room;                /* for more blocks beside those that have started and not ended */
  uint64_t workers;
  atomic_uint_fast64_t idle_workers; /* that take no more blocks */
  atomic_uint_fast64_t changes;      /* seen by workers among blocks that wait for each other: residents.c */
  atomic_uint_fast64_t
      only_waiting;      /* 48 bits: value of `changes`; 16 bits: workers that have seen no change since */
  struct steps *steps;   /* receives one warp's instructions, or NULL */
  struct breaks *breaks; /* breakpoints that it may reach, or NULL */
  struct native *native; /* its native code, once that is ready, or NULL */
};

struct frame { /* one call; the entry's frame has no caller */
  struct frame *caller;
  const struct kernel *function;
  const struct op *call; /* in the caller */
  uint32_t return_pc;
  uint64_t local_base; /* offset of its local variables */
  char *registers;
  uint32_t depth;
  uint64_t stack_bytes; /* registers of all frames from the entry's to this one */
  struct frame *next;   /* of the warp's calls, or of the worker's spare ones */
};

/* Lanes of a warp that run together. When they diverge, a join records the lanes expected at the reconvergence point
 * (see ptx/flow.c); lanes there wait for the others. Lanes that leave a loop also leave its joins. */
struct subwarp {
  uint32_t mask, pc;
  int32_t join;    /* innermost, or -1 */
  int32_t barrier; /* waits there, or -1 */
  bool waits;      /* at a warp-wide operation, for the other lanes that it names */
  bool apart;      /* from other lanes that no longer meet it at a join, since one side may be polling */
  uint64_t taken;  /* instructions in full time slices while others wait for it at a join */
  struct frame *frame;
};
enum { MAX_JOINS = 64 };
struct join {
  uint32_t expected, arrived, pc;
  uint8_t depth; /* of the region that its lanes are in until they reconverge */
  int32_t outer;
  struct frame *frame;
};

/* Why a subwarp stops. */
enum outcome { OUTCOME_CONTINUES, OUTCOME_WAITS, OUTCOME_ENDED, OUTCOME_FAULT, OUTCOME_SLICE_OVER };

struct warp {
  struct block *block;
  uint32_t index;
  uint32_t live;       /* lanes that have not exited */
  uint32_t at_end;     /* those that count as exited, see lenient.h */
  uint32_t at_cluster; /* those that have arrived at the barrier of the cluster */
  uint32_t subwarp_count;
  struct subwarp subwarps[LANES];
  struct join joins[MAX_JOINS];
  uint64_t joins_used; /* bit set */
  uint64_t taken;      /* instructions so far, counted at backward branches and calls */
  uint64_t in_slice;   /* of the time slice, before the interpreter continues it */
  uint32_t turns;      /* that it still takes before the next barrier: turns.h */
  char *bases[BASES];
  struct frame entry, *frames;
  bool native_holds; /* registers of the kernel's frame may be complete for native code only */
  /* Classes of blocks of instructions (native_class_of()) that have written scalars of native code since these were
   * last complete in the frame, or as it expects. */
  uint32_t native_incomplete, native_changed;
};

struct barrier {
  uint32_t arrived, expected; /* threads */
  uint32_t votes;             /* bar.red: threads whose predicate held */
  bool all, any;
};

struct block {
  struct worker *worker;
  struct trace *trace;       /* or NULL: not sampled */
  struct check_block *check; /* or NULL: no checks */
  const struct launch *launch;
  uint64_t index;
  struct block *cluster; /* all its blocks by rank, which run in turns, or NULL: this block is alone */
  uint32_t id[3];
  uint32_t exited;          /* threads */
  uint64_t progress, taken; /* threads that have exited and barriers passed; instructions of all warps */
  uint64_t moved;           /* sectors of global and wavefronts of shared memory */
  uint64_t time_slice;      /* instructions until the next subwarp or warp gets a time slice */
  uint16_t *errors;         /* by thread: the last error of device_runtime.c; or NULL: no call of it so far */
  char *registers;          /* of all warps */
  uint8_t *shared;
  uint8_t *local;                                     /* by thread: local_stride bytes */
  uint64_t register_bytes, shared_bytes, local_bytes; /* capacity of each */
  uint64_t local_stride;
  uint64_t reserved[RESERVED_SHARED_BYTES / 8];
  struct barrier barriers[BARRIERS];
  struct warp warps[MAX_WARPS];
  struct block_specials specials;
  bool is_recorded;          /* by `steps` or a breakpoint */
  struct steps_block *steps; /* or NULL: no warp of it is recorded */
  bool has_breaks;           /* one of the launch's breakpoints is about this block */
  struct native *native;     /* runs its full warps, or NULL */
  struct native_state *native_state;
  bool native_prepared; /* native_state is that of this launch */
};

/* Of the block in its cluster. */
static inline uint32_t block_rank(const struct block *block) {
  return block->cluster ? (uint32_t)(block - block->cluster) : 0;
}

struct touched { /* sectors of one allocation, one bit each; NULL: none yet in this launch */
  uint64_t *read, *written;
  uint64_t words;
  struct touched_spare { /* zeroed, from earlier launches, or NULL */
    uint64_t *map, words;
  } spare[2];
};

struct printed { /* one block's output, in its worker's text */
  uint64_t block;
  size_t start, length;
};

/* The cost of an access whose lanes have these distances from the first lane's address. It is the same for
 * all first addresses of one alignment. */
enum { PATTERN_GROUPS = 4 };
struct pattern {
  _Alignas(64) uint64_t distance[LANES]; /* 0 for lanes that are not active */
  uint32_t mask, kind; /* active lanes, 0: none yet; alignment, bytes, use and space of the access */
  bool contiguous;     /* all 32 lanes are active and each starts where the lane before ends */
  uint64_t low, span;  /* distance of the lowest address, and from there to the highest */
  uint64_t bits;       /* sectors from the lowest one, if all are within 64, or 0 */
  uint32_t first;      /* otherwise, the first lane in each sector */
  uint32_t group
      [PATTERN_GROUPS]; /* lanes that share an address, inactive ones too; all 0 if there are more groups */
  uint32_t sectors, bytes, wavefronts, ideal;
};

struct last_access { /* of an instruction to global memory */
  const struct allocation *allocation;
  uint64_t at; /* where in it; only native code writes it */
};

struct worker { /* one host thread's blocks of a launch */
  struct launch *launch;
  struct instruction_statistics *statistics; /* by instruction of the module */
  struct touched *touched;                   /* by allocation slot */
  uint32_t *mapped, mapped_count; /* the slots of the maps that this launch has made, once for each map */
  struct last_access *last;       /* by instruction */
  struct pattern patterns[PATTERNS];
  uint32_t statistics_count, slot_count;
  struct fault fault, overrun; /* overrun: the first access past an allocation that overrun.h permits */
  uint64_t next, end;          /* blocks that it has taken and not started */
  uint64_t unspent;            /* instructions not yet added to those of the launch */
  uint64_t longest_warp;       /* instructions of the warp that executed most */
  uint64_t *native_counts[2];  /* of native code's variants, by block; or NULL */
  uint64_t trial_start;        /* CPU time in ns when the current trial of native code started, or 0 */
  uint64_t trial_interpreted;  /* CPU time of the trial's block without native code, or 0 */
  struct text text;            /* of the device's printf */
  struct printed *printed;
  uint32_t printed_count;
  struct block block;
  struct frame *spare_frames;                         /* of calls that have returned; until the launch ends */
  char *registers;                                    /* of all warps of a block */
  uint64_t register_bytes, shared_bytes, local_bytes; /* capacity of each */
};
