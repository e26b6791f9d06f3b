/* The order in which blocks run, and the warps of a block: SIMGPU_ORDER. A program that is right gives the
 * same in every order. */
#ifndef SIMGPU_ORDER_H
#define SIMGPU_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum order_kind { ORDER_FORWARD, ORDER_REVERSE, ORDER_RANDOM };

struct order {
  enum order_kind kind;
  uint64_t seed;
};

/* NULL or "": forward; else forward, reverse, random or random:SEED (default 1). False: malformed. */
bool order_parse(const char *text, struct order *order);
/* The i-th of `count`, each once; i < count. NULL: forward. */
uint64_t order_at(const struct order *order, uint64_t count, uint64_t i);
/* Whether the order is one that only one host thread can keep. */
static inline bool order_is_chosen(const struct order *order) {
  return order && order->kind != ORDER_FORWARD;
}

#endif
