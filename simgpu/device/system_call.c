#include "system_call.h"

#include <string.h>

#include "call.h"
#include "checks.h"
#include "fault.h"
#include "operand.h"
#include "print.h"
#include "touched.h"

/* printf and assert */

static u64 argument(const struct frame *f, u32 offset, u32 lane, u32 bytes) {
  return operand_read((const u8 *)call_parameter(f, offset, lane), bytes);
}

void system_call_print(struct warp *w, const struct op *op, const struct frame *f, u32 m) {
  const struct block *block = w->block;
  FOR_ACTIVE(m, l) {
    const u8 *local = block->local + (w->index * LANES + l) * block->local_stride;
    const struct print_memory memory = {.global = &block->launch->module->device->memory,
                                        .local = local,
                                        .local_base = LOCAL_WINDOW,
                                        .local_bytes = block->local_stride,
                                        .shared = block->shared,
                                        .shared_base = SHARED_WINDOW,
                                        .shared_bytes = block->launch->shared_bytes};
    u64 at = argument(f, op->src[1], l, 8) - LOCAL_WINDOW;
    bool inside = at < block->local_stride;
    s32 result = print_formatted(&block->worker->text, &memory, argument(f, op->src[0], l, 8),
                                 local + (inside ? at : 0), inside ? block->local_stride - at : 0);
    memcpy(call_parameter(f, op->dst[0], l), &result, sizeof result);
  }
}

/* malloc, with an alignment if op->mode is 1, and free. The kernel runs on one host thread: see is_ordered. */

void system_call_malloc(struct warp *w, const struct op *op, const struct frame *f, u32 m) {
  struct memory *memory = &w->block->launch->module->device->memory;
  FOR_ACTIVE(m, l) {
    const u64 align = op->mode ? argument(f, op->src[1], l, 8) : 1;
    const bool possible = align && !(align & (align - 1)) && align <= MEMORY_ALIGN;
    struct allocation *a = possible ? memory_heap_allocate(memory, argument(f, op->src[0], l, 8)) : NULL;
    u64 address = a ? a->base : 0;
    checks_allocated(w->block->launch->checks, a);
    memcpy(call_parameter(f, op->dst[0], l), &address, sizeof address);
  }
  touched_reserve(w->block->worker, memory->slots);
}

bool system_call_free(struct warp *w, const struct op *op, const struct frame *f, u32 pc, u32 m) {
  struct memory *memory = &w->block->launch->module->device->memory;
  FOR_ACTIVE(m, l) {
    u64 address = argument(f, op->src[0], l, 8);
    struct allocation *a = memory_find(memory, address);
    if (!address)
      continue;
    if (!a || a->base != address || !a->is_heap)
      return fault_raise(w, FAULT_FREE, pc, l, (struct fault){.address = address});
    memory_heap_free(memory, a);
  }
  return true;
}

/* A number that no condition has does nothing. Calls by several threads may have any order. */
void system_call_condition(struct warp *w, const struct op *op, const struct frame *f, u32 m) {
  uint32_t *conditions = w->block->launch->module->device->conditions;
  FOR_ACTIVE(m, l) {
    const u64 i = argument(f, op->src[0], l, 8) - 1;
    if (i < SIM_CONDITIONS)
      __atomic_store_n(&conditions[i], (u32)argument(f, op->src[1], l, 4), __ATOMIC_RELAXED);
  }
}

bool system_call_assert(struct warp *w, const struct op *op, const struct frame *f, u32 pc, u32 m) {
  u32 l = (u32)__builtin_ctz(m);
  return fault_raise(
      w, FAULT_ASSERT, pc, l,
      (struct fault){.message = argument(f, op->src[0], l, 8), .function = argument(f, op->src[3], l, 8)});
}
