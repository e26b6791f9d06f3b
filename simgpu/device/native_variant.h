/* The native code of one kernel: for whole warps, and for some lanes of a warp. */
#pragma once

#include "native_plan.h"
#include "native_state.h"

enum { NATIVE_FULL, NATIVE_MASKED, NATIVE_VARIANTS };

struct native_variant {
  _Atomic(native_function *) run; /* or NULL */
  struct native_plan *plan;
};

struct native { /* for launches of one shape */
  struct native_shape shape;
  uint32_t block[3]; /* of the last launch */
  struct native_variant variants[NATIVE_VARIANTS];
  atomic_uint_fast64_t executed; /* warp instructions of earlier launches */
  atomic_bool looked_up, compiled;
  bool always;              /* SIMGPU_NATIVE=always */
  atomic_uint trials, wins; /* native_try(): pairs of blocks, and those in which native code was faster */
  struct native *next;      /* of the kernel, for another shape */
  struct native *earlier;   /* all of the process: a compilation may outlive the module */
};
