#include "call.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/room.h"
#include "native_plan.h"
#include "operand.h"

static const uint32_t *places_to_zero(const struct module *module, const struct kernel *function) {
  struct kernel *k = (struct kernel *)(uintptr_t)function; /* the module owns it */
  uint32_t *known = atomic_load_explicit(&k->zeroed, memory_order_acquire), *none = NULL;
  if (known)
    return known;
  known = native_zeroed(module, k);
  if (atomic_compare_exchange_strong(&k->zeroed, &none, known))
    return known;
  free(known); /* another worker was first */
  return none;
}

void call_forget(struct kernel *function) { free(atomic_load(&function->zeroed)); }

/* A program that reads what nothing has written gets the same in every run. */
static void zero(const struct module *module, struct frame *f) {
  const uint32_t size = f->function->frame_bytes;
  for (const uint32_t *place = places_to_zero(module, f->function); *place != NO_OPERAND; place++)
    memset(f->registers + *place, 0, NATIVE_ZEROED < size - *place ? NATIVE_ZEROED : size - *place);
}

/* Moves the frame at `place` of one list to the front of another one. */
static struct frame *move(struct frame **place, struct frame **to) {
  struct frame *f = *place;
  *place = f->next;
  f->next = *to;
  return *to = f;
}

static struct frame *new_frame(struct warp *w, const struct kernel *function) {
  struct frame **spare = &w->block->worker->spare_frames, *f;
  while (*spare && (*spare)->function != function)
    spare = &(*spare)->next;
  if (*spare) {
    f = move(spare, &w->frames);
  } else {
    f = room_zeroed(1, sizeof *f);
    *f = (struct frame){
        .function = function, .registers = room_aligned(function->frame_bytes), .next = w->frames};
    w->frames = f;
  }
  zero(w->block->launch->module, f);
  return f;
}

void call_leave_all(struct warp *w) {
  while (w->frames)
    move(&w->frames, &w->block->worker->spare_frames);
}

void call_free_frames(struct worker *worker) {
  for (struct frame *f = worker->spare_frames, *next; f; f = next) {
    next = f->next;
    free(f->registers);
    free(f);
  }
  worker->spare_frames = NULL;
}

/* Copies the arguments of a call to the callee, or its results back. */
static void pass_arguments(const struct call *call, const struct frame *caller, const struct frame *callee,
                           u32 m, bool results) {
  const struct ptx_function *f = callee->function->ptx;
  for (u32 i = 0; i < call->count; i++) {
    const struct argument *a = &call->arguments[i];
    if (a->is_result != results)
      continue;
    u32 place = a->theirs;
    if (call->callee == ANY_FUNCTION)
      place = (u32)(results ? f->returns[i] : f->params[i - f->return_count])->offset;
    FOR_ACTIVE(m, l) {
      char *own = call_parameter(caller, a->own, l), *theirs = call_parameter(callee, place, l);
      memcpy(results ? own : theirs, results ? theirs : own, a->size);
    }
  }
}

bool call_enter(struct warp *w, struct subwarp *s, const struct op *op, u32 callee) {
  const struct module *module = w->block->launch->module;
  uint64_t stack_bytes = s->frame->stack_bytes + module->kernels[callee].frame_bytes;
  if (s->frame->depth == MAX_CALL_DEPTH || stack_bytes > MAX_STACK_BYTES)
    return false;
  struct frame *f = new_frame(w, &module->kernels[callee]);
  f->stack_bytes = stack_bytes;
  f->caller = s->frame;
  f->depth = s->frame->depth + 1;
  f->call = op;
  f->return_pc = s->pc;
  f->local_base = s->frame->local_base + (s->frame->function->local_bytes + 15) / 16 * 16;
  pass_arguments(&module->calls[op->call], s->frame, f, s->mask, false);
  s->frame = f;
  s->pc = f->function->entry;
  return true;
}

u32 call_target(const struct module *module, const struct call *call, u64 address) {
  u64 number = (address - FUNCTION_WINDOW) / FUNCTION_BYTES;
  if (address < FUNCTION_WINDOW || address % FUNCTION_BYTES || number >= module->kernel_count)
    return ANY_FUNCTION;
  const struct ptx_function *f = module->kernels[number].ptx;
  bool fits = f->has_body && !f->is_entry && !module->kernels[number].refusal &&
              f->return_count + f->param_count == call->count;
  for (u32 i = 0; fits && i < call->count; i++) {
    bool is_result = i < f->return_count;
    const struct ptx_symbol *theirs = is_result ? f->returns[i] : f->params[i - f->return_count];
    fits = call->arguments[i].is_result == is_result && call->arguments[i].size == theirs->size;
  }
  return fits ? (u32)number : ANY_FUNCTION;
}

/* Returns whether lanes are still in the call: some that diverged may not reconverge at its end. */
static bool is_in_use(const struct warp *w, const struct frame *f) {
  if (w->subwarp_count == 1 && !w->joins_used)
    return false;
  for (u32 i = 0; i < w->subwarp_count; i++)
    if (w->subwarps[i].frame == f)
      return true;
  for (u64 used = w->joins_used; used; used &= used - 1)
    if (w->joins[__builtin_ctzll(used)].frame == f)
      return true;
  for (const struct frame *other = w->frames; other; other = other->next)
    if (other->caller == f)
      return true;
  return false;
}

void call_leave(struct warp *w, struct subwarp *s) {
  struct frame *f = s->frame;
  pass_arguments(&w->block->launch->module->calls[f->call->call], f->caller, f, s->mask, true);
  s->pc = f->return_pc;
  s->frame = f->caller;
  if (is_in_use(w, f))
    return;
  struct frame **place = &w->frames;
  while (*place != f)
    place = &(*place)->next;
  move(place, &w->block->worker->spare_frames);
}

void call_move_parameters(const struct op *op, char **bases, const struct frame *f, u32 m) {
  u32 bytes = ptx_type_bytes((enum ptx_type)op->type), lane_bytes = op->wide ? 8 : 4;
  bool is_load = op->code == OP_LOAD_PARAM;
  for (u32 e = 0; e < op->count; e++) {
    u32 operand = is_load ? op->dst[e] : op->src[e];
    if (operand == NO_OPERAND)
      continue;
    FOR_ACTIVE(m, l) {
      char *param = call_parameter(f, (u32)op->offset + e * bytes, l), *lane = AT(operand) + l * lane_bytes;
      u64 value = is_load ? operand_extend(operand_read((u8 *)param, bytes), (enum ptx_type)op->type) : 0;
      if (is_load)
        memcpy(lane, &value, lane_bytes);
      else
        memcpy(param, lane, bytes);
    }
  }
}
