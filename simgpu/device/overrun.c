#include "overrun.h"

uint8_t *overrun_permit(struct warp *w, uint32_t pc, uint32_t lane, uint64_t address, uint32_t bytes,
                        bool is_write) {
  struct block *block = w->block;
  uint8_t *host = memory_past_end(&block->launch->module->device->memory, address, bytes);
  struct fault *overrun = &block->worker->overrun;
  if (host && (!overrun->kind || block->index < overrun->block))
    *overrun = (struct fault){.kind = FAULT_BOUNDS,
                              .address = address,
                              .bytes = bytes,
                              .is_write = is_write,
                              .block = block->index,
                              .thread = w->index * LANES + lane,
                              .pc = pc};
  return host;
}
