/* One decoded instruction, and the table of all of them (ops.def) as data. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ptx.h"

enum opcode {
#define OP1(id, D, A, expr, pipe, slots, forms) OP_##id,
#define OP2(id, D, A, B, expr, pipe, slots, forms) OP_##id,
#define OP3(id, D, A, B, C, expr, pipe, slots, forms) OP_##id,
#define SETP(id, A, expr, pipe, slots, forms) OP_##id,
#define CODE(id, pipe, memory, sources, way, note) OP_##id,
#include "ops.def"
  OP_COUNT
};

/* The pipe that a machine instruction occupies; replay.c has the times. */
enum pipe {
  PIPE_NONE,     /* ptxas renames it, folds it into operands or predicates it away */
  PIPE_SINGLE,   /* single precision */
  PIPE_MULTIPLY, /* integer products: the same pipe at half the rate */
  PIPE_INTEGER,
  PIPE_DOUBLE,
  PIPE_SPECIAL, /* approximations, conversions, counts of bits; further slots are other instructions */
  PIPE_DIVIDE,  /* the same pipe twice: an approximation, and the check that it suffices */
  PIPE_SHUFFLE, /* the same pipe at twice the rate */
  PIPE_TENSOR
};

/* What an instruction does with the elements in memory that it names. */
enum op_memory { MEMORY_NOTHING, MEMORY_READS, MEMORY_WRITES, MEMORY_UPDATES };

/* Returns whether the code is no instruction of the program; such codes are not counted. */
static inline bool op_is_marker(unsigned code) {
  return false
#define MARKER(id, sources, way, note) || code == OP_##id
#include "ops.def"
      ;
}

static inline bool op_is_matrix(unsigned code) {
  return code >= OP_MATRIX_MULTIPLY && code <= OP_MATRIX_MOVE;
}

/* An operand is a byte offset from one of the warp's bases, whose number is in the top bits. At that place
 * there is one value per lane, of 8 or 4 bytes (a 16-bit value is the low half of 4 bytes, the high half has
 * no meaning). A predicate is one 32-bit mask. */
enum base { BASE_FRAME, BASE_CONSTANT, BASE_WARP, BASE_BLOCK, BASES };
#define BASE_SHIFT 30
#define OFFSET_MASK ((UINT32_C(1) << BASE_SHIFT) - 1)
#define NO_OPERAND UINT32_MAX

enum guard { GUARD_NONE, GUARD_IF, GUARD_UNLESS };

/* The counters of an instruction, besides that of issued instructions. */
enum op_class {
  CLASS_OTHER,
  CLASS_FADD,
  CLASS_FMUL,
  CLASS_FFMA,
  CLASS_DADD,
  CLASS_DMUL,
  CLASS_DFMA,
  CLASS_GLOBAL_LOAD,
  CLASS_GLOBAL_STORE,
  CLASS_GLOBAL_RED,
  CLASS_GLOBAL_ATOM,
  CLASS_SHARED_LOAD,
  CLASS_SHARED_STORE,
  CLASS_SHARED_ATOM,
  CLASS_GLOBAL_ASYNC,
  CLASS_GLOBAL_BULK,
  CLASS_LOCAL_LOAD,
  CLASS_LOCAL_STORE,
  CLASS_BARRIER,
  CLASS_BRANCH,
  CLASSES
};

enum atomic { /* redux uses the operations up to ATOM_MAX */
              ATOM_ADD,
              ATOM_AND,
              ATOM_OR,
              ATOM_XOR,
              ATOM_MIN,
              ATOM_MAX,
              ATOM_EXCH,
              ATOM_CAS,
              ATOM_INC,
              ATOM_DEC
};

/* How an access orders others. Volatile accesses count as atomic. */
enum {
  SYNC_ATOMIC = 1,
  SYNC_RELEASE = 2,
  SYNC_FENCE = 4,
  SYNC_OF_BLOCK = 8, /* a fence for its block alone */
  SYNC_VOLATILE = 16
};

enum yield { YIELD_NEVER, YIELD_LATER /* nanosleep: at the next backward branch */, YIELD_NOW };
enum copies_action { COPIES_COMMIT, COPIES_WAIT, COPIES_WAIT_ALL };

enum mbarrier_action {
  MBARRIER_INIT,
  MBARRIER_INVAL,
  MBARRIER_ARRIVE,
  MBARRIER_TRACK, /* raises the pending count, then arrives: no net change */
  MBARRIER_DROP,
  MBARRIER_EXPECT,   /* bytes */
  MBARRIER_COMPLETE, /* bytes */
  MBARRIER_TEST,
  MBARRIER_TEST_PARITY,
  MBARRIER_PENDING
};

/* What txq and suq ask for. Sizes come first, in the order of the axes. */
enum texture_query { QUERY_WIDTH, QUERY_HEIGHT, QUERY_DEPTH, QUERY_LAYERS, QUERY_LEVELS };

/* How a texture instruction finds the level of a mipmapped texture, or that it gathers. */
enum texture_read { TEXTURE_BASE, TEXTURE_LEVEL, TEXTURE_GRADIENTS, TEXTURE_GATHER };

enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM, VOTE_BALLOT };
enum match_mode { MATCH_ANY, MATCH_ALL };
enum barrier_mode { BARRIER_SYNC, BARRIER_COUNT, BARRIER_AND, BARRIER_OR }; /* the latter three: bar.red */
enum property {                                                             /* testp */
                PROPERTY_FINITE,
                PROPERTY_INFINITE,
                PROPERTY_NUMBER,
                PROPERTY_NOT_A_NUMBER,
                PROPERTY_NORMAL,
                PROPERTY_SUBNORMAL,
                PROPERTIES
};
/* How a comparison is combined with a predicate. */
enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };
/* The possible outcomes of a comparison; an operator holds for some of them. */
enum {
  COMPARE_LESS = 1,
  COMPARE_EQUAL = 2,
  COMPARE_GREATER = 4,
  COMPARE_UNORDERED = 8,
};
/* Arithmetic with the carry flag. */
enum {
  CARRY_MULTIPLY = 1, /* mad: a * b + c, else a + b */
  CARRY_SUBTRACT = 2,
  CARRY_IN = 4,  /* the flag is read */
  CARRY_OUT = 8, /* the flag is written */
  CARRY_HIGH = 16,
  CARRY_SIGNED = 32,
};

enum rounding {
  ROUND_NEAREST,
  ROUND_ZERO,
  ROUND_DOWN,
  ROUND_UP,
  ROUND_INTEGRAL = 4 /* added for rni, rzi, rmi, rpi */
};
enum {
  CONVERT_SATURATE = 1,
  CONVERT_FTZ = 2,
  CONVERT_RELU = 4,
  CONVERT_FINITE = 8,
  CONVERT_AWAY = 16, /* ties away from zero */
  CONVERT_E4M3 = 32  /* floats of 8 bits: e4m3, else e5m2 */
};

enum { MOST_LATE = 63 }; /* loads of a module that OP_LATE_READ checks; others are checked where they stand */

struct op {
  uint16_t code;
  uint8_t guard; /* enum guard */
  uint8_t class; /* enum op_class */
  uint8_t type;  /* enum ptx_type: memory element, conversion target */
  union {
    uint8_t from;     /* enum ptx_type: source of a conversion or comparison */
    uint8_t atomic;   /* enum atomic */
    uint8_t mbarrier; /* enum mbarrier_action */
    uint8_t copies;   /* enum copies_action */
    bool past_l1;     /* cp.async.cg */
    bool read_only;   /* OP_LOAD: ld.global.nc, of data that no thread changes */
    bool unaligned;   /* barriers: the lanes of a warp need not arrive together */
  };
  union {
    uint8_t space; /* enum ptx_space: memory, atomics */
    /* Shuffles, votes, matches, barriers: their enum; malloc: aligned; redux: enum atomic; testp: enum property. */
    uint8_t mode;
    uint8_t rounding; /* enum rounding: conversions, OP_ROUND */
    uint8_t carry;    /* CARRY_… */
    uint8_t outcomes; /* COMPARE_…: those for which set or setp holds */
    uint8_t special;  /* enum ptx_special: clocks */
  };
  uint8_t count;           /* memory: elements of a vector */
  uint32_t predicate;      /* offset in the frame */
  uint32_t dst[4], src[5]; /* a store: address, then up to four values */
  uint32_t target;         /* branches: instruction */
  uint32_t reconverge;     /* branches, indirect calls: reconvergence point; OP_RECONVERGE: that of threads
                              that leave a loop here, or PTX_NO_FOLLOW */
  union {
    uint8_t depth; /* branches: of the region in which they reconverge; OP_RECONVERGE: of the region
                      that threads are in from here on */
    uint8_t late;  /* loads that the checks see at OP_LATE_READ: the number, from 1; 0: the others */
  };
  union {
    uint8_t combine; /* enum combine: comparisons */
    uint8_t
        element; /* enum ptx_type: bulk copies and asynchronous stores that reduce, by `atomic`; else PTX_NONE */
    uint8_t texture_read;  /* enum texture_read */
    uint8_t texture_query; /* enum texture_query */
  };
  int64_t target_offset; /* asynchronous copies: added to the shared address */
  union {
    int64_t offset;       /* memory: added to the address */
    int64_t target_count; /* indexed branches */
  };
  union {
    bool wide_address; /* memory: the address register has 64 bits */
    bool wide_source;  /* conversions: the source register has 64 bits */
  };
  bool wide; /* memory, pack, conversions: the register has 64 bits */
  union {
    bool has_result;   /* atomics */
    bool may_ignore;   /* asynchronous copies: src[3] is the mask of lanes that do not read the source */
    bool expects;      /* mbarriers: an arrival that expects src[2] bytes */
    bool wide_barrier; /* bulk copies: the address register of the mbarrier has 64 bits */
  };
  uint8_t sync;   /* memory, fences: SYNC_… */
  uint8_t negate; /* predicate sources: 1 << n negates src[n] */
  union {
    uint32_t table;          /* lop3: its truth table */
    uint32_t flags;          /* conversions, comparisons: CONVERT_… */
    uint32_t bytes;          /* asynchronous copies */
    uint32_t barrier_offset; /* bulk copies: added to the address of the mbarrier */
    uint32_t groups;         /* cp.async.wait_group: how many may still be in flight */
    uint32_t call;           /* index in the module's calls */
    uint32_t matrix;         /* index in the module's matrices */
    uint32_t tensor_copy;    /* index in the module's tensor copies */
    uint32_t texture_detail; /* index in the module's texture details */
    uint32_t component;      /* tld4 */
    uint32_t first_target;   /* indexed branches: index in the module's targets */
    uint8_t yields;          /* OP_FENCE: YIELD_… */
    bool of_copies;          /* mbarriers: the arrival of a thread's asynchronous copies */
  };
};

/* Returns whether an mbarrier instruction asks if a phase is complete. */
static inline bool op_tests_mbarrier(const struct op *op) {
  return op->mbarrier == MBARRIER_TEST || op->mbarrier == MBARRIER_TEST_PARITY;
}

/* A row of ops.def: the operands and the cost of the instruction. */
struct op_row {
  const char *name, *forms;
  uint8_t pipe, slots; /* enum pipe; instructions that ptxas makes of it */
  uint8_t memory;      /* enum op_memory */
  uint8_t sources,
      result;        /* number of operands; bytes per lane of the result, 0: a predicate; both 0 for CODE */
  uint8_t source[3]; /* bytes per lane */
};

const struct op_row *op_row(enum opcode code);
/* Returns the name of a code, e.g. "ADD_F32". */
const char *op_name(enum opcode code);
/* Returns the code that runs the PTX form `form` ("add.s32") by the table alone, or OP_COUNT. */
enum opcode op_of_form(const char *form);
