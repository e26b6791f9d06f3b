/* What a breakpoint prints: variables, or the registers of instructions. */
#pragma once

#include <stdio.h>

#include "device/machine.h"
#include "dwarf.h"

struct break_view {
  FILE *to;
  const struct module *module;
  const struct warp *warp;
  const struct frame *frame;
  uint32_t pc, lanes;
  bool is_row;               /* prints all lanes of the warp */
  const struct dwarf *dwarf; /* of the function's translation unit, or NULL */
};

/* The function whose code this is, which may be inlined, or NULL: no debug information has it. */
const struct dwarf_entry *break_function(const struct break_view *view);
/* The first instruction of the function, by its number there, that has its arguments; 0: unknown. */
uint32_t break_prologue(const struct break_view *view);
/* The variables in scope at this line. */
void break_variables(const struct break_view *view, const struct ptx_location *at);
/* blockIdx and threadIdx. */
void break_thread(const struct break_view *view);
/* The instruction and what it reads, before it is executed; then what it has written. */
void break_reads(const struct break_view *view);
void break_writes(const struct break_view *view);
