/* Writes a kernel's native code: the variables of a block, and the loop over the lanes that is being collected. */
#pragma once

#include <stdio.h>

#include "native_plan.h"

enum { NATIVE_RUN = 96 }; /* instructions in a loop; longer ones need more registers than the host has */

struct native_value {  /* of a register, in the block being written */
  uint32_t run, pc;    /* the run that computes it and the instruction, from 1; run 0: it is in the frame */
  uint32_t touched;    /* the last run that reads or writes the register's lanes */
  const char *type;    /* of its variable */
  bool known, unsaved; /* scalars: there is a variable; it is newer than the frame */
};

struct native_writer {
  const struct native_plan *plan;
  FILE *out;
  char *lanes, *after; /* the loop being collected, and what follows it */
  size_t lanes_length, after_length;
  FILE *lanes_out, *after_out;
  uint32_t run;                /* number of the run being collected */
  uint32_t block, pc;          /* being written */
  int32_t defined[NATIVE_RUN]; /* registers that the run computes */
  uint32_t defined_count;
  uint64_t predicates; /* that the run sets: bits by hash of their offset */
  struct native_value *values;
  struct native_register *tables; /* offsets that have a table, by its number */
  uint32_t table_count;
};

struct native_string {
  char text[160];
};

/* The tables of the lanes' offsets, before the function. */
void native_write_tables(struct native_writer *w);
/* An operand as a value of type `want` ("u32", "s32", "f32", "u64", "s64", "f64"): of lane l, or of lane 0. */
struct native_string native_source(struct native_writer *w, uint32_t operand, const char *want,
                                   bool first_lane);
/* Ends the loop being collected. */
void native_flush(struct native_writer *w);
/* The loop is ended if it sets the predicate. */
void native_read_predicate(struct native_writer *w, uint32_t operand);
/* Names the variable of the result, and returns its declaration's start. */
struct native_string native_define(struct native_writer *w, uint32_t operand, const char *type);
/* Writes the variables of scalars that are newer than the frame. */
void native_save(struct native_writer *w, const uint64_t *only);
/* Makes the operand's lanes complete in the frame, for the interpreter's functions. */
void native_complete(struct native_writer *w, FILE *out, uint32_t operand);
/* The end of the block, counted from the kernel's entry. */
uint32_t native_end(const struct native_writer *w);
static inline uint32_t native_place(const struct native_writer *w) { return w->pc - w->plan->entry; }

struct native_writer *native_writer_new(const struct native_plan *plan, FILE *out);
void native_writer_free(struct native_writer *w);
