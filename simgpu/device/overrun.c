#include "overrun.h"

/* Notes the overrun if it is the first one of the block with the lowest index. */
static void note(struct warp *w, struct fault overrun) {
  struct fault *first = &w->block->worker->overrun;
  overrun.block = w->block->index;
  if (!first->kind || overrun.block < first->block)
    *first = overrun;
}

uint8_t *overrun_permit(struct warp *w, uint32_t pc, uint32_t lane, uint64_t address, uint32_t bytes,
                        bool is_write) {
  uint8_t *host = memory_past_end(&w->block->launch->module->device->memory, address, bytes);
  if (host)
    note(w, (struct fault){.kind = FAULT_BOUNDS,
                           .address = address,
                           .bytes = bytes,
                           .is_write = is_write,
                           .thread = w->index * LANES + lane,
                           .pc = pc});
  return host;
}

uint8_t *overrun_permit_shared(struct warp *w, uint32_t pc, uint32_t lane, uint64_t offset, uint32_t bytes,
                               bool is_write) {
  const struct launch *launch = w->block->launch;
  const uint64_t size = launch->shared_bytes, units = (size + SHARED_UNIT - 1) / SHARED_UNIT * SHARED_UNIT;
  if (bytes <= size && offset <= size - bytes)
    return w->block->shared + offset;
  if (!launch->module->device->memory.lenient || offset >= units || bytes > units - offset)
    return NULL;
  note(w, (struct fault){.kind = FAULT_SHARED,
                         .address = offset,
                         .bytes = bytes,
                         .is_write = is_write,
                         .thread = w->index * LANES + lane,
                         .pc = pc});
  return w->block->shared + offset;
}
