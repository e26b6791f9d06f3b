#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "half.h"
#include "memory.h"
#include "operand.h"
#include "origin.h"
#include "room.h"
#include "touched.h"
#include "trace.h"

enum { SECTOR_SHIFT = 5, AXES = 3, CHANNELS = 4, WEIGHT_BITS = 8, ONE = 1 << WEIGHT_BITS };
enum { NORMALISED_ONE = 1 << 21 };      /* an H200 cuts normalised coordinates to 21 bits */
#define MOST_TEXELS (UINT32_C(1) << 28) /* in a row */

struct texture {
  struct sim_texture is;
  uint32_t texel_bytes;
  uint64_t bytes; /* from the first texel to the end of the last; 0: the object is free */
};

/* Objects */

static bool makes_sense(const struct sim_texture *d, struct texture *t) {
  uint64_t rows, slices;
  if (!d->width || !d->height || !d->depth || d->width > MOST_TEXELS || d->height > MOST_TEXELS ||
      d->depth > MOST_TEXELS || d->kind > SIM_TEXEL_FLOAT ||
      (d->bits != 8 && d->bits != 16 && d->bits != 32) || (d->bits == 8 && d->kind == SIM_TEXEL_FLOAT) ||
      (d->channels != 1 && d->channels != 2 && d->channels != CHANNELS))
    return false;
  for (int axis = 0; axis < AXES; axis++)
    if (d->modes[axis] >= SIM_TEXTURE_MODES)
      return false;
  *t = (struct texture){.is = *d, .texel_bytes = d->bits / 8 * d->channels};
  const uint64_t row = (uint64_t)d->width * t->texel_bytes;
  return !__builtin_mul_overflow(d->pitch, d->height - 1, &rows) &&
         !__builtin_mul_overflow(d->slice, d->depth - 1, &slices) && rows <= SIM_MAX_MESSAGE &&
         slices <= SIM_MAX_MESSAGE && (t->bytes = slices + rows + row) > 0;
}

uint32_t texture_new(struct textures *textures, const struct sim_texture *description) {
  struct texture texture;
  if (!makes_sense(description, &texture))
    return 0;
  uint32_t i = 0;
  while (i < textures->count && textures->list[i].bytes)
    i++;
  if (i == textures->count) {
    textures->list = room_grown(textures->list, textures->count, sizeof *textures->list);
    textures->count++;
  }
  textures->list[i] = texture;
  return i + 1;
}

bool texture_free(struct textures *textures, uint32_t number) {
  if (number == 0 || number > textures->count || !textures->list[number - 1].bytes)
    return false;
  textures->list[number - 1].bytes = 0;
  return true;
}

void texture_free_all(struct textures *textures) {
  free(textures->list);
  *textures = (struct textures){0};
}

/* An instruction */

struct place { /* of the texels that a lane uses, along each axis */
  s64 first[AXES];
  u32 weight[AXES]; /* of the next one, in 1/256 */
};

struct fetch { /* one warp's instruction */
  struct warp *w;
  const struct op *op;
  char **bases;
  u32 pc;
  u64 handle; /* of the following */
  const struct texture *t;
  const struct allocation *a;
  u64 offset; /* of the texture in the allocation */
};

static bool fault_at(const struct fetch *f, enum fault_kind kind, u32 lane, u64 address, u64 bytes) {
  return fault_raise(
      f->w, kind, f->pc, lane,
      (struct fault){.address = address, .bytes = bytes, .is_write = f->op->code == OP_SURFACE_STORE});
}

/* As on hardware, a texture of plain memory may be larger than its array, if no kernel reads beyond the end. */
static bool may_be_large(const struct fetch *f) {
  return f->w->block->launch->module->device->memory.lenient && f->op->code != OP_SURFACE_LOAD &&
         f->op->code != OP_SURFACE_STORE;
}

/* A texture may lie in several mappings side by side; a surface is an array, which is in one allocation. */
static bool is_in_mappings(const struct fetch *f) {
  return f->a->physical && f->op->code == OP_TEXTURE &&
         memory_at(&f->w->block->launch->module->device->memory, f->t->is.address, f->t->bytes);
}

/* Finds the lane's object and its memory. */
static bool look_up(struct fetch *f, u32 lane, u64 handle) {
  const struct device *device = f->w->block->launch->module->device;
  const struct textures *textures = device->textures;
  if (f->t && f->handle == handle)
    return true;
  f->t = handle && handle <= textures->count ? &textures->list[handle - 1] : NULL;
  if (!f->t || !f->t->bytes)
    return fault_at(f, FAULT_TEXTURE, lane, handle, 0);
  f->handle = handle;
  f->a = memory_find(&device->memory, f->t->is.address);
  const bool is_large = f->a && f->t->bytes > f->a->size - (f->t->is.address - f->a->base);
  if (!f->a || (is_large && !may_be_large(f) && !is_in_mappings(f)))
    return fault_at(f, FAULT_BOUNDS, lane, f->t->is.address, f->t->bytes);
  f->offset = f->t->is.address - f->a->base;
  return f->op->code != OP_SURFACE_STORE || !f->a->is_constant ||
         fault_at(f, FAULT_READ_ONLY, lane, f->t->is.address, f->t->bytes);
}

/* Textures */

static u32 size_of(const struct texture *t, int axis) {
  return axis == 0 ? t->is.width : axis == 1 ? t->is.height : t->is.depth;
}

static bool clamps(const struct texture *t, int axis) {
  const enum sim_texture_mode mode = (enum sim_texture_mode)t->is.modes[axis];
  return mode == SIM_TEXTURE_CLAMP || (mode != SIM_TEXTURE_BORDER && !(t->is.flags & SIM_TEXTURE_NORMALISED));
}

/* The texel that the address mode gives for index `i`, or -1 for the border. */
static s64 wrapped(const struct texture *t, int axis, s64 i) {
  const s64 n = size_of(t, axis);
  enum sim_texture_mode mode = (enum sim_texture_mode)t->is.modes[axis];
  if (i >= 0 && i < n)
    return i;
  if (mode == SIM_TEXTURE_BORDER)
    return -1;
  if (clamps(t, axis))
    return i < 0 ? 0 : n - 1;
  const s64 period = mode == SIM_TEXTURE_WRAP ? n : 2 * n, at = (i % period + period) % period;
  return at < n ? at : period - 1 - at;
}

static void locate(const struct texture *t, int axis, f32 coordinate, bool filters, struct place *place) {
  const f64 far = 0x1p40;
  f64 x = coordinate == coordinate ? coordinate : 0;
  if (t->is.flags & SIM_TEXTURE_NORMALISED)
    x = floor(x * NORMALISED_ONE) / NORMALISED_ONE * size_of(t, axis);
  x = x > far ? far : x < -far ? -far : x;
  const s64 fixed = (s64)floor(filters ? (x - 0.5) * ONE + 0.5 : x * ONE);
  place->first[axis] = fixed >> WEIGHT_BITS;
  place->weight[axis] = filters ? (u32)(fixed & (ONE - 1)) : 0;
}

static bool has_signed_bytes(const struct texture *t) {
  return t->is.kind == SIM_TEXEL_SIGNED && t->is.bits == 8;
}

/* −128 and −32768 remain below −1 in a filter. */
static u32 fraction(const struct texture *t, u32 bits, bool filters) {
  const bool is_signed = t->is.kind == SIM_TEXEL_SIGNED;
  const f32 most = (f32)((1u << (t->is.bits - is_signed)) - 1);
  const f32 value = is_signed ? (f32)(s32)bits / most : (f32)bits / most;
  return lane_bits(value < -1 && !filters ? -1 : value);
}

static u32 channel(const struct texture *t, const u8 *at, bool filters) {
  const bool is_signed = t->is.kind == SIM_TEXEL_SIGNED;
  const u32 raw = (u32)operand_read(at, t->is.bits / 8);
  if (t->is.kind == SIM_TEXEL_FLOAT)
    return t->is.bits == 16 ? lane_bits((f32)half_value(F16, raw)) : raw;
  const u32 value = t->is.bits == 32 ? raw : lane_part(raw, 0, t->is.bits, is_signed);
  return t->is.flags & SIM_TEXTURE_FRACTIONS && t->is.bits < 32 ? fraction(t, value, filters) : value;
}

static bool reads_floats(const struct texture *t) {
  return t->is.kind == SIM_TEXEL_FLOAT || (t->is.flags & SIM_TEXTURE_FRACTIONS && t->is.bits < 32);
}

static void border(const struct texture *t, u32 *value) {
  for (u32 c = 0; c < t->is.channels; c++)
    value[c] = reads_floats(t)                  ? lane_bits(t->is.border[c])
               : t->is.kind == SIM_TEXEL_SIGNED ? (u32)(s32)t->is.border[c]
                                                : (u32)t->is.border[c];
}

/* Notes the use of a texel for the time model. */
static u64 used(const struct fetch *f, const struct allocation *a, u64 at, u32 bytes, bool written) {
  touched_mark(f->w->block->worker, a, written, at >> SECTOR_SHIFT, 1);
  if (written && a->by_kernel)
    origin_by_kernel(a, at, bytes);
  return a->base + at;
}

/* The allocation of a texel at byte *at after the texture's own, and its place there; NULL: it is beyond the memory. */
static const struct allocation *allocation_of_texel(const struct fetch *f, u64 *at) {
  const struct allocation *a = f->a;
  if (*at >= a->size && a->physical) {
    const u64 address = a->base + *at;
    a = memory_find(&f->w->block->launch->module->device->memory, address);
    *at = a ? address - a->base : 0;
  }
  return a && *at + f->t->texel_bytes <= a->size ? a : NULL;
}

/* The texel `i`, of which a filter makes a mean, and its address for the trace. */
static u64 texel(const struct fetch *f, const s64 *i, bool filters, u32 *value) {
  const struct texture *t = f->t;
  u64 at = f->offset;
  const u64 distance[AXES] = {t->texel_bytes, t->is.pitch, t->is.slice};
  memset(value, 0, CHANNELS * sizeof *value);
  for (int axis = 0; axis < AXES; axis++) {
    const s64 k = wrapped(t, axis, i[axis]);
    if (k < 0) {
      border(t, value);
      return 0;
    }
    at += (u64)k * distance[axis];
  }
  const struct allocation *a = allocation_of_texel(f, &at);
  if (!a)
    return 0; /* beyond the end of a large one */
  for (u32 c = 0; c < t->is.channels; c++)
    value[c] = channel(t, a->host + at + c * (t->is.bits / 8), filters);
  return used(f, a, at, t->texel_bytes, false);
}

/* Outside, a clamped place has no second texel. A row has one: with the border's mode, it lies between row 0 and the
 * border, because its y is 0. */
static void settle(const struct texture *t, int axes, struct place *place) {
  for (int axis = 0; axis < axes; axis++) {
    const s64 last = size_of(t, axis) - 1, first = place->first[axis];
    if (!clamps(t, axis) || (first >= 0 && first < last))
      continue;
    place->first[axis] = first < 0 ? 0 : last;
    place->weight[axis] = 0;
  }
  if (axes == 1 && t->is.modes[1] == SIM_TEXTURE_BORDER) {
    place->first[1] = -1;
    place->weight[1] = ONE / 2;
  }
}

/* The weights of the eight corners in 1/256, as an H200 rounds them: z is divided first, then x, then y. */
static void weigh(const struct place *place, u32 *weight) {
  for (u32 z = 0; z < 2; z++) {
    const u32 all = z ? place->weight[2] : ONE - place->weight[2];
    const u32 right = (all * place->weight[0] + ONE / 2) >> WEIGHT_BITS;
    for (u32 x = 0; x < 2; x++) {
      const u32 part = x ? right : all - right;
      const u32 upper = (part * place->weight[1] + ONE / 2 - !x) >> WEIGHT_BITS;
      weight[4 * z + x] = part - upper;
      weight[4 * z + 2 + x] = upper;
    }
  }
}

/* To the nearest float; halfway cases away from zero. */
static f32 nearest_away(f64 sum) {
  const f32 nearest = (f32)sum;
  const f64 other = 2 * sum - nearest; /* a float only if the sum lies halfway */
  return (f32)other == other && fabs(other) > fabs((f64)nearest) ? (f32)other : nearest;
}

/* A mean of signed bytes in 1/256, as 16 bits: times 32767/32512, with a factor of few bits. */
static s32 widened(s32 mean) { return mean + ((mean + 16 * (mean >> 12) + 64) >> 7); }

static f32 fraction_of_signed(s32 integer) {
  return (f32)((f64)(integer < -INT16_MAX ? -INT16_MAX : integer) / INT16_MAX);
}

static f32 mean_of(const struct texture *t, f64 sum) {
  if (t->is.kind == SIM_TEXEL_FLOAT)
    return nearest_away(sum / ONE);
  const f64 rounded = floor(sum / ONE + 0.5);
  if (t->is.kind == SIM_TEXEL_SIGNED)
    return fraction_of_signed(has_signed_bytes(t) ? widened((s32)sum) : (s32)rounded);
  return (f32)(rounded / UINT16_MAX);
}

/* Fractions are filtered as integers of 16 bits, but signed bytes as such. */
static u64 filter(const struct fetch *f, const struct place *place, u32 *value) {
  const bool fractions = f->t->is.kind != SIM_TEXEL_FLOAT;
  const f64 most = has_signed_bytes(f->t)              ? INT8_MAX
                   : f->t->is.kind == SIM_TEXEL_SIGNED ? INT16_MAX
                                                       : UINT16_MAX;
  u32 weight[1 << AXES];
  f64 sum[CHANNELS] = {0};
  u64 address = 0;
  weigh(place, weight);
  for (u32 corner = 0; corner < 1 << AXES; corner++) {
    u32 part[CHANNELS];
    s64 i[AXES];
    if (!weight[corner])
      continue;
    for (int axis = 0; axis < AXES; axis++)
      i[axis] = place->first[axis] + (corner >> axis & 1);
    const u64 at = texel(f, i, true, part);
    address = address ? address : at;
    for (u32 c = 0; c < f->t->is.channels; c++)
      sum[c] += weight[corner] * (fractions ? rint(lane_f32(part[c]) * most) : lane_f32(part[c]));
  }
  for (u32 c = 0; c < CHANNELS; c++)
    value[c] = lane_bits(c < f->t->is.channels ? lane_nan(mean_of(f->t, sum[c])) : 0);
  return address;
}

/* tld4: one channel of the four texels that a filter would use, from the lower left, counterclockwise. */
static u64 gather(const struct fetch *f, const struct place *place, u32 *value) {
  static const u8 corners[CHANNELS][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  u64 address = 0;
  for (u32 k = 0; k < CHANNELS; k++) {
    u32 part[CHANNELS];
    const s64 i[AXES] = {place->first[0] + corners[k][0], place->first[1] + corners[k][1], place->first[2]};
    address = texel(f, i, false, part);
    value[k] = part[f->op->table - 1];
  }
  return address;
}

static u64 fetch_lane(const struct fetch *f, u32 lane, u32 *value) {
  const struct op *op = f->op;
  char **bases = f->bases;
  const int axes = op->mode & ~GEOMETRY_LAYERED;
  const bool gathers = op->table, filters = f->t->is.flags & SIM_TEXTURE_LINEAR && reads_floats(f->t);
  struct place place = {0};
  for (int axis = 0; axis < axes; axis++) {
    const u32 bits = ((const u32 *)AT(op->src[1 + axis]))[lane];
    if (op->from == PTX_F32)
      locate(f->t, axis, lane_f32(bits), filters || gathers, &place);
    else
      place.first[axis] = (s32)bits;
  }
  if (op->mode & GEOMETRY_LAYERED) {
    const s64 layer = (s32)((const u32 *)AT(op->src[4]))[lane], last = f->t->is.depth - 1;
    place.first[2] = layer < 0 ? 0 : layer > last ? last : layer;
  }
  if (gathers)
    return gather(f, &place, value);
  if (!filters || op->from != PTX_F32)
    return texel(f, place.first, false, value);
  settle(f->t, axes, &place);
  return filter(f, &place, value);
}

/* Surfaces */

/* Clamps one coordinate into [0, most], or returns false outside. most < 0: the surface is smaller than the access. */
static bool within(const struct op *op, s64 *i, s64 most) {
  if (*i >= 0 && *i <= most)
    return true;
  *i = *i < 0 || most < 0 ? 0 : most;
  return op->from == BOUNDARY_CLAMP && most >= 0;
}

/* Where the lane's bytes are; sets `outside` if it has none. */
static bool surface_place(const struct fetch *f, u32 lane, u32 bytes, u64 *at, bool *outside) {
  const struct op *op = f->op;
  char **bases = f->bases;
  const struct sim_texture *is = &f->t->is;
  s64 x = ((const s32 *)AT(op->src[1]))[lane], y = ((const s32 *)AT(op->src[2]))[lane],
      z = ((const s32 *)AT(op->src[3]))[lane];
  const s64 row = (s64)is->width * f->t->texel_bytes, given_x = x, given_y = y;
  if (x % bytes)
    return fault_at(f, FAULT_ALIGNMENT, lane, (u64)x, bytes);
  const bool in_x = within(op, &x, row - bytes), in_y = within(op, &y, is->height - 1),
             in_z = within(op, &z, is->depth - 1);
  *outside = !in_x || !in_y || !in_z;
  if (*outside && op->from == BOUNDARY_TRAP)
    return fault_at(f, FAULT_SURFACE, lane, (u64)given_x, (u64)given_y);
  *at = f->offset + (u64)z * is->slice + (u64)y * is->pitch + (u64)x;
  return true;
}

static u64 surface_lane(const struct fetch *f, u32 lane, u64 at, bool outside) {
  const struct op *op = f->op;
  char **bases = f->bases;
  const bool is_load = op->code == OP_SURFACE_LOAD;
  const u32 bytes = ptx_type_bytes((enum ptx_type)op->type), lane_bytes = op->wide ? 8 : 4;
  for (u32 e = 0; e < op->count; e++) {
    char *value = op->dst[e] == NO_OPERAND ? NULL : AT(op->dst[e]) + lane * lane_bytes;
    u8 *memory = f->a->host + at + e * bytes;
    if (is_load && value) {
      memset(value, 0, lane_bytes);
      if (!outside)
        memcpy(value, memory, bytes);
    } else if (!is_load && !outside) {
      memcpy(memory, value, bytes);
    }
  }
  return outside ? 0 : used(f, f->a, at, bytes * op->count, !is_load);
}

bool texture_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m) {
  struct fetch f = {.w = w, .op = op, .bases = bases, .pc = pc};
  const u64 *handles = (const u64 *)AT(op->src[0]);
  const u32 bytes = ptx_type_bytes((enum ptx_type)op->type) * op->count;
  u64 addresses[LANES];
  u32 results[LANES][CHANNELS], traced = 0;
  FOR_ACTIVE(m, l) {
    bool outside = false;
    u64 at = 0;
    if (!look_up(&f, l, handles[l]))
      return false;
    if (op->code != OP_TEXTURE && !surface_place(&f, l, bytes, &at, &outside))
      return false;
    addresses[l] = op->code == OP_TEXTURE ? fetch_lane(&f, l, results[l]) : surface_lane(&f, l, at, outside);
    traced |= (u32)(addresses[l] != 0) << l;
  }
  for (u32 e = 0; e < op->count && op->code == OP_TEXTURE; e++)
    if (op->dst[e] != NO_OPERAND)
      FOR_ACTIVE(m, l)
        ((u32 *)AT(op->dst[e]))[l] = results[l][e];
  if (traced && trace_is_on(w))
    trace_global(w->block->trace, w, pc, addresses, traced, op->code == OP_TEXTURE ? f.t->texel_bytes : bytes,
                 op->code != OP_SURFACE_STORE);
  return true;
}
