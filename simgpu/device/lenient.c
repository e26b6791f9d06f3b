#include "lenient.h"

#include "barrier.h"
#include "subwarp.h"

static bool is_lenient(const struct block *block) { return block->launch->module->device->memory.lenient; }

/* Lets the lanes at warp-wide operations try again, each operation once: its first subwarp gathers the others. */
static bool retry_operations(struct warp *w) {
  bool any = false;
  for (uint32_t k = 0; k < w->subwarp_count; k++) {
    struct subwarp *s = &w->subwarps[k];
    bool first = s->waits;
    for (uint32_t i = 0; i < k && first; i++)
      first = w->subwarps[i].pc != s->pc || w->subwarps[i].frame != s->frame;
    if (first)
      s->waits = false;
    any |= first;
  }
  return any;
}

bool lenient_release(struct block *block) {
  uint32_t present = 0;
  bool released = false;
  if (!is_lenient(block))
    return false;
  for (uint32_t i = 0; i < block->launch->warps; i++) {
    struct warp *w = &block->warps[i];
    const uint32_t at_end = subwarp_lanes_at_end(w) & w->live;
    if (at_end & ~w->at_end) {
      w->at_end |= at_end;
      released |= retry_operations(w);
    }
    present += (uint32_t)__builtin_popcount(w->live & ~w->at_end);
  }
  return released || barrier_release(block, present);
}
