/* Textures of one level as the rows of a table. */
#pragma once

#include "protocol.h"

struct texture_row {
  uint64_t address, pitch, slice;
  uint32_t width, height, depth, kind, bits, channels, flags, modes[3];
  float border[4];
};

static inline struct sim_texture texture_of_row(const struct texture_row *r) {
  return (struct sim_texture){.address = r->address,
                              .width = r->width,
                              .height = r->height,
                              .depth = r->depth,
                              .kind = r->kind,
                              .bits = r->bits,
                              .channels = r->channels,
                              .flags = r->flags,
                              .modes = {r->modes[0], r->modes[1], r->modes[2]},
                              .border = {r->border[0], r->border[1], r->border[2], r->border[3]},
                              .levels = 1,
                              .level = {{0, r->pitch, r->slice}}};
}
