#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/room.h"
#include "fault.h"
#include "half.h"
#include "memory.h"
#include "operand.h"
#include "origin.h"
#include "texture_cube.h"
#include "texture_level.h"
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

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

static uint32_t size_of(const struct sim_texture *is, uint32_t level, int axis) {
  return axis == 0                         ? halved(is->width, level)
         : axis == 1                       ? halved(is->height, level)
         : is->flags & SIM_TEXTURE_LAYERED ? is->depth
                                           : halved(is->depth, level);
}

static bool sizes_make_sense(const struct sim_texture *d) {
  const bool is_cube = d->flags & SIM_TEXTURE_CUBE, is_layered = d->flags & SIM_TEXTURE_LAYERED;
  return d->width && d->height && d->depth && d->width <= MOST_TEXELS && d->height <= MOST_TEXELS &&
         d->depth <= MOST_TEXELS && d->levels && d->levels <= SIM_TEXTURE_LEVELS &&
         (!is_cube || (is_layered && d->width == d->height && d->depth % SIM_CUBE_FACES == 0));
}

/* The end of a level's last texel; 0 if it lies too far away. */
static uint64_t end_of_level(const struct texture *t, uint32_t level) {
  const struct sim_texture_level *l = &t->is.level[level];
  uint64_t rows, slices;
  if (__builtin_mul_overflow(l->pitch, size_of(&t->is, level, 1) - 1, &rows) ||
      __builtin_mul_overflow(l->slice, size_of(&t->is, level, 2) - 1, &slices) || rows > SIM_MAX_MESSAGE ||
      slices > SIM_MAX_MESSAGE || l->offset > SIM_MAX_MESSAGE)
    return 0;
  return l->offset + slices + rows + (uint64_t)size_of(&t->is, level, 0) * t->texel_bytes;
}

static bool makes_sense(const struct sim_texture *d, struct texture *t) {
  if (!sizes_make_sense(d) || d->kind > SIM_TEXEL_FLOAT || (d->bits != 8 && d->bits != 16 && d->bits != 32) ||
      (d->bits == 8 && d->kind == SIM_TEXEL_FLOAT) ||
      (d->channels != 1 && d->channels != 2 && d->channels != CHANNELS))
    return false;
  for (int axis = 0; axis < AXES; axis++)
    if (d->modes[axis] >= SIM_TEXTURE_MODES)
      return false;
  *t = (struct texture){.is = *d, .texel_bytes = d->bits / 8 * d->channels};
  for (uint32_t level = 0; level < d->levels; level++) {
    const uint64_t end = end_of_level(t, level);
    if (!end)
      return false;
    t->bytes = end > t->bytes ? end : t->bytes;
  }
  return true;
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

struct spot { /* what a lane reads */
  f64 at[AXES];
  s64 slice;   /* layer or face */
  bool slices; /* whether that is the third coordinate */
};

struct place { /* of the texels that a lane uses in one level, along each axis */
  u32 level;
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

/* Reads of a seamless cubemap: addresses beyond a face are those of its neighbour. */
static bool is_seamless(const struct fetch *f) {
  const u32 both = SIM_TEXTURE_CUBE | SIM_TEXTURE_SEAMLESS;
  return f->op->mode & GEOMETRY_CUBE && (f->t->is.flags & both) == both;
}

static bool is_normalised(const struct fetch *f) {
  return f->t->is.flags & SIM_TEXTURE_NORMALISED || f->op->mode & GEOMETRY_CUBE;
}

static bool clamps(const struct fetch *f, int axis) {
  const enum sim_texture_mode mode = (enum sim_texture_mode)f->t->is.modes[axis];
  return mode == SIM_TEXTURE_CLAMP || (mode != SIM_TEXTURE_BORDER && !is_normalised(f)) || is_seamless(f);
}

/* The texel that the address mode gives for index `i`, or -1 for the border. */
static s64 wrapped(const struct fetch *f, u32 level, int axis, s64 i) {
  const s64 n = size_of(&f->t->is, level, axis);
  const enum sim_texture_mode mode = (enum sim_texture_mode)f->t->is.modes[axis];
  if (i >= 0 && i < n)
    return i;
  if (clamps(f, axis))
    return i < 0 ? 0 : n - 1;
  if (mode == SIM_TEXTURE_BORDER)
    return -1;
  const s64 period = mode == SIM_TEXTURE_WRAP ? n : 2 * n, at = (i % period + period) % period;
  return at < n ? at : period - 1 - at;
}

static void locate(const struct fetch *f, int axis, f64 x, bool filters, struct place *place) {
  const f64 far = 0x1p40;
  if (f->op->from == PTX_F32 && is_normalised(f))
    x = floor(x * NORMALISED_ONE) / NORMALISED_ONE * size_of(&f->t->is, place->level, axis);
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
static u64 texel(const struct fetch *f, u32 level, const s64 *i, bool filters, u32 *value) {
  const struct texture *t = f->t;
  const struct sim_texture_level *l = &t->is.level[level];
  u64 at = f->offset + l->offset;
  const u64 distance[AXES] = {t->texel_bytes, l->pitch, l->slice};
  memset(value, 0, CHANNELS * sizeof *value);
  for (int axis = 0; axis < AXES; axis++) {
    const s64 k = wrapped(f, level, axis, i[axis]);
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
static void settle(const struct fetch *f, int axes, struct place *place) {
  for (int axis = 0; axis < axes; axis++) {
    const s64 last = size_of(&f->t->is, place->level, axis) - 1, first = place->first[axis];
    if (!clamps(f, axis) || is_seamless(f) || (first >= 0 && first < last))
      continue;
    place->first[axis] = first < 0 ? 0 : last;
    place->weight[axis] = 0;
  }
  if (axes == 1 && f->t->is.modes[1] == SIM_TEXTURE_BORDER) {
    place->first[1] = -1;
    place->weight[1] = ONE / 2;
  }
}

/* The weights of the eight corners, as an H200 rounds them: z divides the level's `share`, in 1/256, then x, then y. */
static void weigh(const struct place *place, u32 share, u32 *weight) {
  const u32 far = (share * place->weight[2] + ONE / 2) >> WEIGHT_BITS;
  for (u32 z = 0; z < 2; z++) {
    const u32 all = z ? far : share - far;
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

struct mean { /* of the texels that a lane uses */
  f64 sum[CHANNELS];
  u64 address; /* of the first one */
};

/* Fractions are filtered as integers of 16 bits, but signed bytes as such. */
static void add_texel(const struct fetch *f, u32 level, const s64 *i, f64 weight, struct mean *mean) {
  const f64 most = has_signed_bytes(f->t)              ? INT8_MAX
                   : f->t->is.kind == SIM_TEXEL_SIGNED ? INT16_MAX
                                                       : UINT16_MAX;
  u32 value[CHANNELS];
  const u64 at = texel(f, level, i, true, value);
  mean->address = mean->address ? mean->address : at;
  for (u32 c = 0; c < f->t->is.channels; c++) {
    const f64 channel = lane_f32(value[c]);
    mean->sum[c] += weight * (f->t->is.kind == SIM_TEXEL_FLOAT ? channel : rint(channel * most));
  }
}

/* Adds the texel at one corner of a place. Returns false beyond a corner of the cube. */
static bool add_corner(const struct fetch *f, const struct place *place, u32 corner, f64 weight,
                       struct mean *mean) {
  s64 i[AXES];
  for (int axis = 0; axis < AXES; axis++)
    i[axis] = place->first[axis] + (corner >> axis & 1);
  if (is_seamless(f)) {
    u32 face = (u32)(i[2] % SIM_CUBE_FACES);
    i[2] -= face;
    if (!cube_fold(size_of(&f->t->is, place->level, 0), i, &face))
      return false;
    i[2] += face;
  }
  add_texel(f, place->level, i, weight, mean);
  return true;
}

/* Where three faces meet, the other three texels share the weight of the fourth: two get the nearest whole third, and
 * the one on the face that the place is on gets the rest. */
static void add_level(const struct fetch *f, const struct place *place, u32 share, struct mean *mean) {
  u32 weight[1 << AXES];
  weigh(place, share, weight);
  for (u32 corner = 0; corner < 1 << AXES; corner++)
    if (weight[corner] && !add_corner(f, place, corner, weight[corner], mean)) {
      const u32 third = (weight[corner] + 1) / 3;
      for (u32 k = 1; k < 4; k++)
        add_corner(f, place, corner ^ k, k == 3 ? weight[corner] - 2 * third : third, mean);
    }
}

/* tld4: one channel of the four texels that a filter would use, from the lower left, counterclockwise. */
static u64 gather(const struct fetch *f, const struct place *place, u32 *value) {
  static const u8 corners[CHANNELS][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  u64 address = 0;
  for (u32 k = 0; k < CHANNELS; k++) {
    u32 part[CHANNELS];
    const s64 i[AXES] = {place->first[0] + corners[k][0], place->first[1] + corners[k][1], place->first[2]};
    address = texel(f, place->level, i, false, part);
    value[k] = part[f->op->component];
  }
  return address;
}

/* ptxas takes a layer as unsigned, so a negative one is the last. */
static s64 slice_of(const struct texture *t, bool on_cube, u32 layer, u32 face) {
  const s64 faces = on_cube ? SIM_CUBE_FACES : 1, layers = t->is.depth / faces;
  const s64 slice = (layer < layers ? layer : layers ? layers - 1 : 0) * faces + face;
  return slice < t->is.depth ? slice : t->is.depth - 1;
}

static f32 operand_f32(const struct fetch *f, u32 operand, u32 lane) {
  char **bases = f->bases;
  return lane_f32(((const u32 *)AT(operand))[lane]);
}

static void read_direction(const struct fetch *f, u32 lane, f32 *direction) {
  for (int axis = 0; axis < AXES; axis++)
    direction[axis] = operand_f32(f, f->op->src[1 + axis], lane);
}

static struct spot spot_of(const struct fetch *f, u32 lane) {
  const struct op *op = f->op;
  char **bases = f->bases;
  const bool on_cube = op->mode & GEOMETRY_CUBE;
  struct spot spot = {.slices = op->mode & (GEOMETRY_LAYERED | GEOMETRY_CUBE)};
  u32 face = 0;
  if (on_cube) {
    f32 direction[AXES];
    read_direction(f, lane, direction);
    const struct cube_place on_face = cube_project(direction);
    face = on_face.face;
    memcpy(spot.at, on_face.at, sizeof on_face.at);
  }
  for (int axis = 0; axis < (op->mode & GEOMETRY_AXES) && !on_cube; axis++) {
    const u32 bits = ((const u32 *)AT(op->src[1 + axis]))[lane];
    spot.at[axis] = op->from == PTX_F32 ? lane_f32(bits) : (s32)bits;
  }
  for (int axis = 0; axis < AXES; axis++)
    spot.at[axis] = spot.at[axis] == spot.at[axis] ? spot.at[axis] : 0;
  if (spot.slices)
    spot.slice =
        slice_of(f->t, on_cube, op->mode & GEOMETRY_LAYERED ? ((const u32 *)AT(op->src[4]))[lane] : 0, face);
  return spot;
}

/* The steps along x and y in texels of level 0. */
static f64 level_of_steps(const struct fetch *f, const struct texture_detail *detail, u32 lane) {
  const bool on_cube = f->op->mode & GEOMETRY_CUBE;
  f64 steps[2][AXES] = {{0}};
  for (int pixel = 0; pixel < 2; pixel++) {
    f32 step[AXES] = {0}, direction[AXES];
    for (int axis = 0; axis < (f->op->mode & GEOMETRY_AXES); axis++)
      steps[pixel][axis] = step[axis] = operand_f32(f, detail->steps[pixel][axis], lane);
    if (on_cube) {
      read_direction(f, lane, direction);
      cube_slope(direction, step, steps[pixel]);
      steps[pixel][2] = 0;
    }
    for (int axis = 0; axis < AXES && is_normalised(f); axis++)
      steps[pixel][axis] *= size_of(&f->t->is, 0, axis);
  }
  return texture_level_of_steps(steps[0], steps[1]);
}

/* The level in 1/256. Without one, ptxas asks for the level -32. A level of integers is not subject to
 * bias and limits. */
static u32 level_of(const struct fetch *f, u32 lane) {
  const struct op *op = f->op;
  char **bases = f->bases;
  const u32 last = f->t->is.levels - 1;
  if (last == 0)
    return 0;
  if (op->texture_read == TEXTURE_BASE || op->texture_read == TEXTURE_GATHER)
    return op->from == PTX_F32 ? texture_level(&f->t->is, -32) : 0;
  const struct texture_detail *detail = &f->w->block->launch->module->texture_details[op->texture_detail];
  if (op->texture_read == TEXTURE_GRADIENTS)
    return texture_level(&f->t->is, level_of_steps(f, detail, lane));
  const u32 bits = ((const u32 *)AT(detail->level))[lane];
  return op->from == PTX_F32 ? texture_level(&f->t->is, lane_f32(bits)) : (bits < last ? bits : last) * ONE;
}

static struct place place_of(const struct fetch *f, const struct spot *spot, u32 level, bool filters) {
  struct place place = {.level = level};
  const int axes = f->op->mode & GEOMETRY_CUBE ? 2 : f->op->mode & GEOMETRY_AXES;
  for (int axis = 0; axis < axes; axis++)
    locate(f, axis, spot->at[axis], filters, &place);
  if (spot->slices) {
    const s64 last = size_of(&f->t->is, level, 2) - 1;
    place.first[2] = spot->slice < last ? spot->slice : last;
  }
  return place;
}

static u64 fetch_lane(const struct fetch *f, u32 lane, u32 *value) {
  const struct op *op = f->op;
  if (f->t->is.flags & SIM_TEXTURE_CUBE && !(op->mode & GEOMETRY_CUBE)) { /* an H200 reads zeros */
    memset(value, 0, CHANNELS * sizeof *value);
    return f->a->base + f->offset;
  }
  const int axes = op->mode & GEOMETRY_CUBE ? 2 : op->mode & GEOMETRY_AXES;
  const bool floats = reads_floats(f->t) && op->from == PTX_F32, gathers = op->texture_read == TEXTURE_GATHER,
             filters = floats && f->t->is.flags & SIM_TEXTURE_LINEAR;
  const struct spot spot = spot_of(f, lane);
  const u32 level = level_of(f, lane), next = floats ? level % ONE : 0;
  const struct place place = place_of(f, &spot, level / ONE, filters || (gathers && op->from == PTX_F32));
  if (gathers)
    return gather(f, &place, value);
  if (!filters && !next)
    return texel(f, place.level, place.first, false, value);
  struct mean mean = {{0}, 0};
  for (u32 k = 0; k < 2; k++) {
    const u32 share = k ? next : ONE - next;
    if (!share)
      continue;
    struct place at = place_of(f, &spot, level / ONE + k, filters);
    if (filters)
      settle(f, axes, &at);
    add_level(f, &at, share, &mean);
  }
  for (u32 c = 0; c < CHANNELS; c++)
    value[c] = lane_bits(c < f->t->is.channels ? lane_nan(mean_of(f->t, mean.sum[c])) : 0);
  return mean.address;
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
  const struct sim_texture_level *l = &is->level[0];
  const s64 row = (s64)is->width * f->t->texel_bytes, given_x = x, given_y = y;
  if (x % bytes)
    return fault_at(f, FAULT_ALIGNMENT, lane, (u64)x, bytes);
  const bool in_x = within(op, &x, row - bytes), in_y = within(op, &y, is->height - 1),
             in_z = within(op, &z, is->depth - 1);
  *outside = !in_x || !in_y || !in_z;
  if (*outside && op->from == BOUNDARY_TRAP)
    return fault_at(f, FAULT_SURFACE, lane, (u64)given_x, (u64)given_y);
  *at = f->offset + l->offset + (u64)z * l->slice + (u64)y * l->pitch + (u64)x;
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

/* Layers have no depth, and other objects no layers. */
static u32 answer(const struct texture *t, enum texture_query query, u32 level) {
  const bool layered = t->is.flags & SIM_TEXTURE_LAYERED;
  if (query == QUERY_LEVELS)
    return t->is.levels;
  if (query == QUERY_LAYERS)
    return layered ? t->is.depth : 0;
  if (query == QUERY_DEPTH && layered)
    return 1;
  return size_of(&t->is, level < t->is.levels ? level : t->is.levels - 1, (int)query);
}

static bool answer_all(struct fetch *f, u32 m) {
  const struct op *op = f->op;
  char **bases = f->bases;
  FOR_ACTIVE(m, l) {
    if (!look_up(f, l, ((const u64 *)AT(op->src[0]))[l]))
      return false;
    ((u32 *)AT(op->dst[0]))[l] =
        answer(f->t, (enum texture_query)op->texture_query, ((const u32 *)AT(op->src[1]))[l]);
  }
  return true;
}

bool texture_run(struct warp *w, const struct op *op, char **bases, u32 pc, u32 m) {
  struct fetch f = {.w = w, .op = op, .bases = bases, .pc = pc};
  const u64 *handles = (const u64 *)AT(op->src[0]);
  const u32 bytes = ptx_type_bytes((enum ptx_type)op->type) * op->count;
  u64 addresses[LANES];
  u32 results[LANES][CHANNELS], traced = 0;
  if (op->code == OP_TEXTURE_QUERY)
    return answer_all(&f, m);
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
