/* A PTX module in memory: the result of the parser and the input of the device. The module's arena owns
 * everything; registers are numbered per function, and names are resolved. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

// clang-format off
/* id, name, bytes */
#define PTX_TYPES(X)                                                                                         \
  X(PRED, "pred", 4)                                                                                         \
  X(B8, "b8", 1) X(U8, "u8", 1) X(S8, "s8", 1)                                                               \
  X(B16, "b16", 2) X(U16, "u16", 2) X(S16, "s16", 2) X(F16, "f16", 2) X(BF16, "bf16", 2)                     \
  X(B32, "b32", 4) X(U32, "u32", 4) X(S32, "s32", 4) X(F32, "f32", 4)                                        \
  X(F16X2, "f16x2", 4) X(BF16X2, "bf16x2", 4) X(TF32, "tf32", 4)                                             \
  X(B64, "b64", 8) X(U64, "u64", 8) X(S64, "s64", 8) X(F64, "f64", 8)                                        \
  X(B128, "b128", 16)
// clang-format on

enum ptx_type {
  PTX_NONE,
#define X(id, name, bytes) PTX_##id,
  PTX_TYPES(X)
#undef X
      PTX_TYPE_COUNT
};

/* The type named by the first `length` characters of `name` (no dot), or PTX_NONE. */
enum ptx_type ptx_type_of(const char *name, size_t length);
static inline unsigned ptx_type_bytes(enum ptx_type type) {
  switch (type) {
#define X(id, name, bytes)                                                                                   \
  case PTX_##id:                                                                                             \
    return bytes;
    PTX_TYPES(X)
#undef X
  default:
    return 0;
  }
}
bool ptx_type_is_float(enum ptx_type type);
bool ptx_type_is_signed(enum ptx_type type);

enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM };

// clang-format off
/* id, PTX word: those of a warp, of a block, of the clock. DYNAMIC_SMEM_BASE is not a PTX register: it is the
 * offset at which dynamic shared memory starts. */
#define PTX_SPECIALS(X)                                                                                      \
  X(TID_X, "%tid.x") X(TID_Y, "%tid.y") X(TID_Z, "%tid.z")                                                   \
  X(LANEID, "%laneid") X(WARPID, "%warpid")                                                                  \
  X(LANEMASK_EQ, "%lanemask_eq") X(LANEMASK_LT, "%lanemask_lt") X(LANEMASK_LE, "%lanemask_le")               \
  X(LANEMASK_GT, "%lanemask_gt") X(LANEMASK_GE, "%lanemask_ge")                                              \
  X(CTAID_X, "%ctaid.x") X(CTAID_Y, "%ctaid.y") X(CTAID_Z, "%ctaid.z") X(SMID, "%smid")                      \
  X(NTID_X, "%ntid.x") X(NTID_Y, "%ntid.y") X(NTID_Z, "%ntid.z")                                             \
  X(NCTAID_X, "%nctaid.x") X(NCTAID_Y, "%nctaid.y") X(NCTAID_Z, "%nctaid.z")                                 \
  X(NWARPID, "%nwarpid") X(NSMID, "%nsmid")                                                                  \
  X(DYNAMIC_SMEM_SIZE, "%dynamic_smem_size") X(TOTAL_SMEM_SIZE, "%total_smem_size")                          \
  X(ENVREG1, "%envreg1") X(ENVREG2, "%envreg2")                                                              \
  X(RESERVED_SMEM_OFFSET_1, "%reserved_smem_offset_1") X(DYNAMIC_SMEM_BASE, "")                              \
  X(CLUSTER_NCTAID_X, "%cluster_nctaid.x") X(CLUSTER_NCTAID_Y, "%cluster_nctaid.y")                          \
  X(CLUSTER_NCTAID_Z, "%cluster_nctaid.z") X(CLUSTER_NCTARANK, "%cluster_nctarank")                          \
  X(NCLUSTERID_X, "%nclusterid.x") X(NCLUSTERID_Y, "%nclusterid.y") X(NCLUSTERID_Z, "%nclusterid.z")         \
  X(IS_EXPLICIT_CLUSTER, "%is_explicit_cluster") X(AGGR_SMEM_SIZE, "%aggr_smem_size")                        \
  X(CLUSTERID_X, "%clusterid.x") X(CLUSTERID_Y, "%clusterid.y") X(CLUSTERID_Z, "%clusterid.z")               \
  X(CLUSTER_CTAID_X, "%cluster_ctaid.x") X(CLUSTER_CTAID_Y, "%cluster_ctaid.y")                              \
  X(CLUSTER_CTAID_Z, "%cluster_ctaid.z") X(CLUSTER_CTARANK, "%cluster_ctarank")                              \
  X(CLOCK, "%clock") X(CLOCK_HI, "%clock_hi") X(CLOCK64, "%clock64")                                         \
  X(GLOBALTIMER, "%globaltimer") X(GLOBALTIMER_LO, "%globaltimer_lo")
// clang-format on

enum ptx_special {
#define X(id, name) PTX_##id,
  PTX_SPECIALS(X)
#undef X
      PTX_SPECIAL_COUNT
};

struct ptx_function;

/* Initial value of part of a variable that is an address: 8 bytes at `offset` are the address of `target`. */
struct ptx_relocation {
  struct ptx_relocation *next;
  uint64_t offset, addend;
  const struct ptx_symbol *target;
};

enum ptx_symbol_kind { PTX_SYMBOL_REGISTER, PTX_SYMBOL_VARIABLE, PTX_SYMBOL_LABEL, PTX_SYMBOL_FUNCTION };

struct ptx_symbol {
  const char *name;
  enum ptx_symbol_kind kind;
  enum ptx_type type;   /* of a register, or of a variable's elements */
  enum ptx_space space; /* of a variable */
  uint32_t align;
  uint32_t first, count; /* registers: number of the first, and how many `%r<count>` declares (0: one, by
                            name); global and const variables: index in the module's list */
  uint64_t size;         /* variables: bytes; 0 for extern arrays */
  uint64_t offset; /* shared, local and param variables: place in their space; labels: instruction index */
  bool is_extern, is_defined, is_managed;
  uint8_t *data; /* global and const variables: `size` bytes of initial value, or NULL */
  struct ptx_relocation *relocations;
  struct ptx_function *function; /* shared variables: the kernel that they belong to, or NULL */
  bool at_module_scope,
      is_called; /* shared variables: declared there; used by a function that is no kernel */
  const struct ptx_symbol **targets; /* labels of .branchtargets, PTX_SYMBOL_LABEL only */
  uint32_t target_count;
  unsigned depth; /* labels: nesting of the block that they belong to */
  struct ptx_symbol
      *outer; /* labels, while parsing: the one of an outer block that this name stands for, or NULL */
};

enum ptx_operand_kind {
  PTX_OPERAND_REGISTER,
  PTX_OPERAND_SPECIAL, /* value: enum ptx_special */
  PTX_OPERAND_INTEGER, /* value: two's complement */
  PTX_OPERAND_FLOAT,   /* value: bits of a float */
  PTX_OPERAND_DOUBLE,  /* value: bits of a double */
  PTX_OPERAND_SYMBOL,  /* address of a variable or function, or a label; plus value */
  PTX_OPERAND_MEMORY,  /* [register or symbol + value]; elements: the other operands in the brackets */
  PTX_OPERAND_VECTOR,  /* {a, b, …} and the parenthesised lists of a call */
  PTX_OPERAND_SINK     /* _ */
};

struct ptx_operand {
  enum ptx_operand_kind kind;
  bool negated; /* !%p */
  int32_t reg;  /* register number; PTX_OPERAND_MEMORY: base, or -1; -1 for the others */
  int32_t pair; /* second destination in `a|p`, or -1 */
  uint64_t value;
  struct ptx_symbol *symbol;
  struct ptx_operand *elements;
  uint32_t count;
};

struct ptx_location { /* where in the source */
  uint32_t file, line;
  const struct ptx_location *caller; /* the line that calls the inlined function of this line, or NULL */
  const struct ptx_location *inner;  /* the line of a header that this line calls inline, or NULL */
};

struct ptx_reconvergence {
  uint32_t inst;
  uint8_t depth;
};
enum { PTX_NOT_LEFT = UINT8_MAX };
#define PTX_NO_FOLLOW UINT32_MAX

struct ptx_inst {
  const char *op; /* mnemonic with all modifiers */
  struct ptx_operand *operands;
  uint32_t operand_count;
  int32_t guard; /* predicate register, or -1 */
  bool guard_negated;
  uint32_t ptx_line;
  struct ptx_location location;
  uint32_t reconverge; /* branches: index of the instruction at the reconvergence point, or inst_count */
  uint8_t depth; /* of the region of that point: 0, the function; 1, without early returns; then loops */
  struct ptx_reconvergence
      *reconvergences; /* indexed branches: the same for each target, then for the next instruction */
  uint8_t leaves;      /* lanes that leave regions deeper than this one arrive here; or PTX_NOT_LEFT */
  uint32_t follow;     /* where those lanes reconverge, or PTX_NO_FOLLOW */
};

struct ptx_function {
  const char *name;
  struct ptx_function *next;
  bool is_entry, has_body;
  struct ptx_symbol **params, **returns; /* space PTX_PARAM */
  uint32_t param_count, return_count;
  uint32_t param_bytes; /* entry: size of the parameter block */
  enum ptx_type *reg_types;
  uint32_t reg_count;
  uint64_t shared_bytes;  /* of variables declared inside, whose offsets count from the first of them */
  uint32_t dynamic_align; /* the largest alignment of a dynamic shared array that it names, or 0 */
  uint64_t local_bytes;
  uint64_t frame_param_bytes; /* functions and calls: parameters as bytes per thread */
  uint32_t max_threads;       /* .maxntid product, or 0 */
  uint32_t least_blocks;      /* .minnctapersm: that a multiprocessor can hold, or 0 */
  uint32_t max_registers;     /* .maxnreg: of a thread, or 0 */
  uint32_t cluster[3];        /* .reqnctapercluster: blocks of a cluster; a number that is not given is 0 */
  struct ptx_inst *insts;
  uint32_t inst_count;
  uint32_t unit, file_base;  /* the translation unit of its definition, from 1, and that unit's first file */
  const struct token *start; /* of its declaration, while its body is yet to be parsed; or NULL */
  struct entry *names; /* of its body: registers, labels, variables; for ptx_register() and ptx_label() */
};

struct ptx_module {
  struct arena arena;
  char *text;                     /* from malloc() */
  struct ptx_function *functions; /* in order of appearance */
  struct ptx_symbol **variables;  /* global and const variables at module scope and hoisted statics */
  struct ptx_symbol **shared;     /* shared variables, at module scope or of a function */
  uint32_t variable_count, shared_count;
  uint64_t shared_bytes;  /* of the shared variables that all kernels have, since functions name them */
  uint32_t dynamic_align; /* as of a function, of all functions that are no kernels */
  const char **files;     /* by .file number; may hold NULL */
  uint32_t file_count;
  char error[512]; /* one line: the fault and its place in the PTX and the source; empty without a fault */
  struct parser *parser; /* knows the names that bodies may use */
};

/* Parses everything except the kernels' bodies, since a program does not run all kernels of a module. The text may
 * consist of several translation units, each from its ".version" on: they are linked, as by -rdc=true. The
 * module takes over `text`, which is from malloc() and ends with NUL. Errors are in module->error; free with
 * ptx_free in either case. */
struct ptx_module *ptx_parse(char *text);
/* Parses the function's body and computes its flow, once. On failure, returns false and sets module->error. */
bool ptx_parse_body(struct ptx_module *module, struct ptx_function *function);
void ptx_free(struct ptx_module *module);

/* The number of the register of this name in the function's body, or -1; the index of the instruction at this
 * label, or PTX_NO_LABEL. */
#define PTX_NO_LABEL UINT64_MAX
int32_t ptx_register(const struct ptx_function *function, const char *name, size_t length);
uint64_t ptx_label(const struct ptx_function *function, const char *name, size_t length);
/* The text of a translation unit, by its number from 1, or NULL. */
const char *ptx_unit(const struct ptx_module *module, uint32_t unit, size_t *length);

/* Sets the reconvergence point of every branch of the function: the first instruction of the immediate
 * post-dominator on the paths that stay in its loop, or, if a path leaves loops, of the first one outside
 * them. Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001). */
void ptx_flow(struct ptx_module *module, struct ptx_function *function);

/* FNV-1a, for tables of names and mnemonics. */
uint32_t ptx_hash(const char *text, size_t length);
/* Returns whether the instruction's mnemonic is `base`, with any modifiers. */
static inline bool ptx_is(const struct ptx_inst *inst, const char *base) {
  const char *op = inst->op;
  for (; *base && *op == *base; base++)
    op++;
  return !*base && (*op == '.' || *op == '\0');
}

/* The same for any mnemonic of a list that ends with NULL. */
bool ptx_is_any(const struct ptx_inst *inst, const char *const *bases);

/* The places that an instruction names by a label or by a table of labels: indices of instructions,
 * target_count of them. */
uint32_t ptx_target_count(const struct ptx_inst *inst);
uint64_t ptx_target(const struct ptx_inst *inst, uint32_t n);

/* Returns whether the mnemonic has the modifier `part`, e.g. ptx_has("ld.global.v4.f32", "v4"). */
bool ptx_has(const char *op, const char *part);
/* The n-th dotted part from the end (0: last) as a type, or PTX_NONE. */
enum ptx_type ptx_type_part(const char *op, unsigned n);
