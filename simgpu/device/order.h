/* The order of blocks, and of the warps of a block: SIMGPU_ORDER. A correct program has the same results
 * in every order. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum order_kind { ORDER_FORWARD, ORDER_REVERSE, ORDER_RANDOM };

struct order {
  enum order_kind kind;
  uint64_t seed;
};

/* Parses forward, reverse, random or random:SEED (default 1); NULL and "" mean forward. Returns false if malformed. */
bool order_parse(const char *text, struct order *order);
/* Returns whether only one host thread can keep the order. */
static inline bool order_is_chosen(const struct order *order) {
  return order && order->kind != ORDER_FORWARD;
}
uint64_t order_chosen_at(const struct order *order, uint64_t count, uint64_t i);
/* The i-th of `count`, each once; i < count. NULL: forward. */
static inline uint64_t order_at(const struct order *order, uint64_t count, uint64_t i) {
  return order_is_chosen(order) ? order_chosen_at(order, count, i) : i;
}
