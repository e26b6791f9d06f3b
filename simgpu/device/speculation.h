/* Loads that the compiler has moved ahead of a condition. `thread == 0 && partial[0] != 0` becomes a load by all
 * threads, whose value only the first one uses. Such a load races with nothing: the checks see it where its value is
 * used, for the lanes that use it. */
#pragma once

#include "arena.h"
#include "ptx.h"

#include <stdbool.h>

/* An instruction uses a value that an earlier load has read. */
struct speculation_use {
  struct speculation_use *next; /* of this instruction */
  uint32_t load;                /* the instruction that loads */
  const struct ptx_operand
      *choice;    /* a predicate: the lanes for which it holds use the value; NULL: all lanes */
  bool otherwise; /* the lanes for which it does not hold */
  bool is_guard;  /* the value decides which lanes execute the instruction */
};

/* By instruction: its uses of values that were loaded ahead of a condition, or NULL. The array has f->inst_count + 1
 * elements, from the arena. */
struct speculation_use **speculation_uses(const struct ptx_function *f, struct arena *arena);
