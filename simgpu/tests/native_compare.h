/* Native code against the interpreter: the same kernel, once by each, must leave the same memory and the same counters,
 * and end with the same status and message. For test_native.c and test_native_random.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "op.h"

enum {
  COMPARE_WORDS = 1 << 16 /* of memory */,
  COMPARE_SURFACES = 128 << 10 /* bytes before them */,
  COMPARE_SURFACE_BYTES = 44160
};
enum { COMPARE_REGISTERS = 8, COMPARE_PREDICATES = 4 };

/* Returns false, after a line, if there is no compiler. */
bool native_compare_begin(void);
/* Runs the last kernel of the text, which has the parameters (u64 memory, u32 n). */
void native_compare(const char *text, uint32_t threads_x, uint32_t threads_y, uint32_t n);
/* The same with checks, which must find something. */
void native_compare_findings(const char *text, uint32_t threads_x, uint32_t threads_y, uint32_t n);

void native_seed(uint64_t seed);
uint32_t native_random(void);
/* Any bits, or values at which instructions change their behaviour. */
uint32_t native_random_word(void);
/* The start of a kernel: registers, %m (the memory), %n, %t (tid.x), %i (differs among the threads of two blocks). */
extern const char native_header[];
/* Writes an instruction with random registers, or constants. */
void native_write_random_row(FILE *out, const struct op_row *row);
