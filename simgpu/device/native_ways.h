/* A kernel's instructions as native code sees them, and what it must know of the kernel: the blocks, which
 * registers hold one number (or numbers that differ by known offsets) in all lanes of a full warp, and where each
 * register is live. */
#pragma once

#include "device/machine.h"

/* Who runs an instruction when native code reaches it. */
enum native_way {
  NATIVE_UNKNOWN, /* no native code for this kernel */
  NATIVE_LANE,    /* text of its own: a function of lanes or predicates */
  NATIVE_ACCESS,  /* a load or store */
  NATIVE_RARE,    /* a call of the interpreter's function */
  NATIVE_TOGETHER, /* the same, for all lanes that it names: a shuffle, a vote, …; native_way_of() is NATIVE_RARE */
  NATIVE_BRANCH,     /* bra */
  NATIVE_RECONVERGE, /* continues if it has no effect */
  NATIVE_TURN,       /* as NATIVE_RECONVERGE */
  NATIVE_NOTHING,    /* has no effect */
  NATIVE_STOP        /* the interpreter */
};

enum native_kind {
  NATIVE_UNSET,
  NATIVE_SCALAR, /* lane l holds that of lane 0, plus offset[l]; the frame holds lane 0 */
  NATIVE_LANES   /* the frame holds all lanes */
};

enum native_leader { LEADER_NONE, LEADER_STOPS, LEADER_RUNS };

struct native_register {
  uint8_t kind, bytes; /* enum native_kind; per lane */
  bool aligned;        /* lane 0 holds a multiple of LANES, and the others at most LANES - 1 more */
  int32_t offset[LANES];
};

struct
    native_shape { /* of a block, as far as native code depends on it: tid.x, tid.y, tid.z within each warp */
  struct native_register thread[3];
};

struct native_block { /* of instructions [first, end): entered at the first only */
  uint32_t first, end;
  uint64_t *live_in, *live_out; /* sets of registers, by slot */
  bool writes_scalar;           /* a register that is a scalar for whole warps */
};

/* Blocks by class: what a warp has run is a word with one bit for each. */
enum { NATIVE_CLASSES = 32 };
static inline uint32_t native_class_of(uint32_t block) { return block % NATIVE_CLASSES; }

struct native_plan {
  const struct module *module; /* while the text is written */
  const struct op *code;
  uint32_t entry, end, first_register; /* offset in the frame; below are predicates */
  bool masked;                         /* for some lanes of a warp: every register is NATIVE_LANES */
  struct native_shape shape;
  uint32_t slots, words;             /* registers start at multiples of NATIVE_SLOT bytes; words of a set */
  struct native_register *registers; /* by slot */
  uint64_t *scalars;                 /* set of those that are NATIVE_SCALAR */
  uint64_t *written[NATIVE_CLASSES]; /* sets of those that blocks write, by native_class_of() */
  uint64_t *exchanged;               /* set of those that other lanes may read, at any time */
  uint8_t *leaders;                  /* by instruction from `entry`: starts a block, enum native_leader */
  uint32_t *block_of;                /* by instruction from `entry` */
  struct native_block *blocks;
  uint32_t block_count;
};
enum { NATIVE_SLOT = 64, NO_SLOT = -1 };

struct native_operands { /* registers, by slot */
  uint32_t source_count, result_count;
  int32_t source[15], result[4];
  bool keeps; /* results that are also sources: some lanes keep their old value */
};

/* Returns whether the instruction is NATIVE_TOGETHER. */
bool native_is_collective(const struct op *op);
/* Returns whether the instruction rounds otherwise than to the nearest: its way is NATIVE_RARE or NATIVE_STOP. */
bool native_is_rounded(const struct native_plan *plan, uint32_t pc);
enum native_way native_way_of(const struct native_plan *plan, uint32_t pc);
/* Returns the set of the elements of op->src that the instruction reads and that are no predicates. */
uint32_t native_sources(const struct native_plan *plan, const struct op *op);
struct native_operands native_operands_of(const struct native_plan *plan, uint32_t pc);
/* The register that an operand names, or NO_SLOT. */
int32_t native_slot(const struct native_plan *plan, uint32_t operand);
static inline bool native_has(const uint64_t *set, int32_t slot) { return set[slot / 64] >> (slot % 64) & 1; }
