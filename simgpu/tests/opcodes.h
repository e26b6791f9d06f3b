/* One small kernel for every PTX form that the device executes: the forms listed in ops.def, and hand-written ones for
 * operations implemented in code (conversions, memory, warp-wide operations …). The kernels run on fixed operands, on
 * the simulated device (test_opcodes.c) and on a GPU (opcodes_hardware.c), and their results must be equal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  OPCODES_LANES = 8192, /* threads of a kernel, and 64-bit slots of each operand and result */
  OPCODES_BLOCK = 256,  /* threads per block */
  OPCODES_OPERANDS = 4,
  OPCODES_RESULTS = 4,
  OPCODES_PARAM_BYTES = 32,
  OPCODES_PARAM_FIRST = 0x7c,
  OPCODES_FILL = 0xa5, /* every byte of the results before a launch */
  OPCODES_SEED = 20260101
};

/* Contents of an operand's slots, and the width of their register. Integers, singles and doubles have a
 * table of special values; two operands take all pairs of them. */
enum opcode_values {
  VALUES_NONE,
  VALUES_B16,
  VALUES_B32,
  VALUES_B64,
  VALUES_F32,
  VALUES_F64,
  VALUES_F16,
  VALUES_BF16,
  VALUES_F16X2,
  VALUES_BF16X2,
  VALUES_CANCEL_F32, /* about −a·b, for fused multiply-adds */
  VALUES_CANCEL_F64,
  VALUES_FEW_B32, /* few different values, so that lanes of a warp agree */
  VALUES_FEW_B64,
  VALUES_MEMBERS /* 32 bits, the same in a whole warp, not all 0 */
};

struct opcode_form {
  char name[96];                               /* unique: the form, and the special features of its use */
  enum opcode_values values[OPCODES_OPERANDS]; /* of the operands a, b, c, d */
  unsigned result_count;
  unsigned result_bytes[OPCODES_RESULTS]; /* 0: a predicate, stored as 32 bits */
  char *body; /* PTX: operands %a … %d to results %r0 …, or predicates %p0 … */
};

struct opcode_list {
  struct opcode_form *forms;
  size_t count, capacity;
};

/* All forms, in a fixed order. Ends the program if memory runs out or a name occurs twice. */
struct opcode_list opcodes_list(void);
void opcodes_free(struct opcode_list *list);

/* PTX: the shared part, and the kernel of one form with the name from opcodes_kernel_name.
 * Parameters: the addresses of a, b, c, d, of two slots per lane for the kernel's own use, of the results
 * (result_count slots per lane), and 32 bytes that count up from 0x7c. */
void opcodes_write_header(FILE *out);
void opcodes_write_kernel(FILE *out, const struct opcode_list *list, size_t form);
void opcodes_kernel_name(char name[32], size_t form);

/* Fills the operands of all lanes. */
void opcodes_operands(const struct opcode_form *form, uint64_t *operands[OPCODES_OPERANDS]);

uint64_t opcodes_hash(const uint64_t *results, size_t count); /* FNV-1a of the bytes */
bool opcodes_is_approximate(const struct opcode_form *form);

/* Compares results with a computation in plain C (opcodes_reference.c) that follows the PTX ISA 9.0. */
struct opcode_verdict {
  bool has_reference;
  size_t wrong; /* lanes */
  size_t first; /* of the wrong ones */
  uint64_t expected[OPCODES_RESULTS];
  double worst; /* approximations: largest error as a fraction of the ISA's bound; finite */
};
struct opcode_verdict opcodes_compare(const struct opcode_form *form, uint64_t *operands[OPCODES_OPERANDS],
                                      const uint64_t *results);
/* One line: the form, its first wrong lane, with operands. */
void opcodes_explain(FILE *out, const struct opcode_form *form, uint64_t *operands[OPCODES_OPERANDS],
                     const uint64_t *results, const struct opcode_verdict *verdict);
