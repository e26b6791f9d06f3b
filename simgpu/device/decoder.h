/* The state of the decoder, and functions for all instructions: operands, constants, addresses, refusals. */
#pragma once

#include <setjmp.h>

#include "device/machine.h"

struct decoder {
  struct module *module;
  const struct ptx_function *function;
  struct kernel *kernel;
  const struct ptx_inst *inst;
  uint32_t *offsets;  /* of the function's registers in the frame */
  uint32_t *mentions; /* number of operands that name each register */
  uint32_t *labels;   /* by instruction of the function: index in the code */
  jmp_buf escape;     /* from the module's declarations, or from the function */
  const char *refusal;
};

/* Refuses the function, or the module, with a line that says why. decoder_refuse adds the instruction and its place. */
_Noreturn void decoder_stop(struct decoder *d, const char *format, ...);
_Noreturn void decoder_refuse(struct decoder *d, const char *format, ...);
/* Refuses from now on if the module needs too much memory. */
void decoder_watch_memory(struct decoder *d);

/* Bytes per lane of a register of this type. */
static inline unsigned decoder_lane_bytes(enum ptx_type type) {
  unsigned bytes = ptx_type_bytes(type);
  return bytes > 4 ? bytes : 4;
}

/* An empty table of the module's constants. */
void decoder_new_constants(struct module *m);

/* The instruction's operand `n`. */
const struct ptx_operand *decoder_operand(struct decoder *d, uint32_t n);

/* The following return operands of struct op; `bytes` per lane must be the register's width. */
uint32_t decoder_constant(struct decoder *d, uint64_t bits, unsigned bytes);
uint32_t decoder_register(struct decoder *d, int32_t number, unsigned bytes);
/* Registers of 128 bits are two arrays of 64: the low halves of all lanes, then the high ones. */
uint32_t decoder_half_register(struct decoder *d, const struct ptx_operand *o, uint32_t half);
uint32_t decoder_predicate(struct decoder *d, int32_t number);
uint32_t decoder_special(struct decoder *d, uint64_t which);
uint32_t decoder_source(struct decoder *d, const struct ptx_operand *o, unsigned bytes);
uint32_t decoder_predicate_source(struct decoder *d, const struct ptx_operand *o);
uint32_t decoder_result(struct decoder *d, uint32_t n, unsigned bytes);

/* The state space that a mnemonic names, or PTX_GENERIC. */
enum ptx_space decoder_space(const char *op);
/* [register + offset] or [symbol + offset]: the instruction's src[0] and offset. */
void decoder_address(struct decoder *d, struct op *op, const struct ptx_operand *o);
/* The registers of a load or store: one, or the elements of a vector. */
void decoder_elements(struct decoder *d, struct op *op, const struct ptx_operand *o, uint32_t *place,
                      bool is_result);

bool decoder_is_kernel_param(const struct decoder *d, const struct ptx_symbol *symbol);
/* Start of a kernel's own shared variables: after those of all kernels of the module. */
uint64_t decoder_own_shared(const struct ptx_module *m);
/* In a function, dynamic shared memory starts at the offset of the calling kernel. */
bool decoder_is_dynamic_of_caller(const struct decoder *d, const struct ptx_symbol *symbol);
uint64_t decoder_function_address(const struct module *m, const struct ptx_function *function);
