/* Which level of isolation holds on this machine: seen by a program that tries to get out of its jail. */
#pragma once

#include "jail.h"

struct self_test {
  enum isolation level; /* the highest that holds */
  bool namespaces;      /* as in struct jail */
  char missing[1024];   /* one line: what level full lacks here, and how to get it; "" at level full */
};

/* Tests the levels from the highest down to the first that holds. secrets: files that this process can read and a
 * program must not, NULL at the end. needed: files that programs and compilers must be able to read. slots: the number
 * of slots that will be used. It takes some 20 ms. */
struct self_test self_test_run(enum isolation highest, const char *const *secrets, const char *const *needed,
                               int slots);
