/* Host memory that a function of a contract leaves allocated. What it keeps for all calls is not meant. */
#pragma once

#include "options.h"

#include <stdbool.h>
#include <stddef.h>

struct heap {
  const char *function;
  size_t used, least; /* bytes in use after the last call; the least that a call has added */
  int calls, adding;  /* adding: calls after the first HEAP_FIRST that have added some */
};

extern bool heap_is_checked; /* --heap */
#define HEAP_OPTION                                                                                          \
  OPTIONS_FLAG("heap", &heap_is_checked,                                                                     \
               "end with status 1 if several of the last calls leave memory of the host allocated")

#define HEAP_WORDS "calls leave memory of the host allocated" /* of the message */

struct heap heap_watch(const char *function);

/* After each of at least HEAP_CALLS equal calls, when the program itself has freed what it allocated. The C library
 * keeps memory that the first ones free: seven blocks of each size. */
enum { HEAP_CALLS = 15, HEAP_FIRST = 7 };
void heap_note_call(struct heap *heap);

/* With --heap: ends the program with one line and exit status 1 if some calls have left some, each or each second one.
 * Sees nothing if the C library cannot tell. */
void heap_check(const struct heap *heap);
