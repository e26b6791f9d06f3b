#include "decode_texture.h"

#include "texture.h"

static enum geometry geometry_of(struct decoder *d) {
  static const struct {
    const char *name;
    int geometry;
  } names[] = {{"1d", GEOMETRY_1D},
               {"2d", GEOMETRY_2D},
               {"3d", GEOMETRY_3D},
               {"cube", GEOMETRY_3D | GEOMETRY_CUBE},
               {"a1d", GEOMETRY_1D | GEOMETRY_LAYERED},
               {"a2d", GEOMETRY_2D | GEOMETRY_LAYERED},
               {"acube", GEOMETRY_3D | GEOMETRY_CUBE | GEOMETRY_LAYERED}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (ptx_has(d->inst->op, names[i].name))
      return (enum geometry)names[i].geometry;
  decoder_refuse(d, "unsupported instruction");
}

/* [object, {layer, x, y, z}], without what the geometry lacks: the object to src[0], x, y and z behind it, and the
 * layer to `layer`. */
static void decode_place(struct decoder *d, struct op *op, const struct ptx_operand *o, uint32_t *layer) {
  const uint32_t axes = op->mode & GEOMETRY_AXES, layers = op->mode & GEOMETRY_LAYERED ? 1 : 0;
  if (o->kind != PTX_OPERAND_MEMORY || o->reg < 0 || o->value || o->count != 1 ||
      o->elements[0].kind != PTX_OPERAND_VECTOR || o->elements[0].count < axes + layers)
    decoder_refuse(d, "expected a texture or surface object and coordinates in []");
  const struct ptx_operand *coordinates = o->elements[0].elements;
  op->src[0] = decoder_register(d, o->reg, 8);
  if (layers)
    *layer = decoder_source(d, &coordinates[0], 4);
  for (uint32_t i = 0; i < axes; i++)
    op->src[1 + i] = decoder_source(d, &coordinates[layers + i], 4);
}

/* The operands behind the place: a level, or the steps of the coordinates along x and along y. */
static struct texture_detail detail_of(struct decoder *d, const struct op *op) {
  const uint32_t axes = op->mode & GEOMETRY_AXES;
  struct texture_detail detail = {.level = NO_OPERAND};
  if (op->texture_read == TEXTURE_LEVEL) {
    detail.level = decoder_source(d, decoder_operand(d, 2), 4);
    return detail;
  }
  for (uint32_t pixel = 0; pixel < 2; pixel++) {
    const struct ptx_operand *steps = decoder_operand(d, 2 + pixel);
    if ((steps->kind != PTX_OPERAND_VECTOR || steps->count < axes) && axes > 1)
      decoder_refuse(d, "expected a gradient of %u coordinates", axes);
    for (uint32_t i = 0; i < axes; i++)
      detail.steps[pixel][i] =
          decoder_source(d, steps->kind == PTX_OPERAND_VECTOR ? &steps->elements[i] : steps, 4);
  }
  return detail;
}

static void decode_detail(struct decoder *d, struct op *op) {
  struct module *m = d->module;
  const struct texture_detail detail = detail_of(d, op);
  op->texture_detail = m->texture_detail_count;
  m->texture_details =
      arena_grow(&m->ptx->arena, m->texture_details, m->texture_detail_count, sizeof *m->texture_details);
  m->texture_details[m->texture_detail_count++] = detail;
}

/* tex.geometry.v4.type.type {…}, [object, {…}]; tex.level and tex.grad name a level in further operands;
 * tld4.{r,g,b,a}.2d gathers a component. */
void decode_texture(struct decoder *d, struct op *op) {
  static const char *const components[] = {"r", "g", "b", "a"};
  const bool gathers = ptx_is(d->inst, "tld4");
  op->code = OP_TEXTURE;
  op->mode = (uint8_t)geometry_of(d);
  op->from = (uint8_t)ptx_type_part(d->inst->op, 0);
  op->type = (uint8_t)ptx_type_part(d->inst->op, 1);
  op->texture_read = gathers                         ? TEXTURE_GATHER
                     : ptx_has(d->inst->op, "level") ? TEXTURE_LEVEL
                     : ptx_has(d->inst->op, "grad")  ? TEXTURE_GRADIENTS
                                                     : TEXTURE_BASE;
  if ((op->from != PTX_F32 && op->from != PTX_S32) ||
      (op->from == PTX_S32 && (op->mode & GEOMETRY_CUBE || op->texture_read == TEXTURE_GRADIENTS)) ||
      (gathers && op->mode & GEOMETRY_CUBE) ||
      (op->type != PTX_F32 && op->type != PTX_S32 && op->type != PTX_U32) || decoder_operand(d, 0)->pair >= 0)
    decoder_refuse(d, "unsupported instruction");
  for (uint32_t c = 0; gathers && c < 4; c++)
    if (ptx_has(d->inst->op, components[c]))
      op->component = c;
  decoder_elements(d, op, decoder_operand(d, 0), op->dst, true);
  decode_place(d, op, decoder_operand(d, 1), &op->src[4]);
  if (op->texture_read == TEXTURE_LEVEL || op->texture_read == TEXTURE_GRADIENTS)
    decode_detail(d, op);
}

/* txq[.level].query.b32 result, [object] [, level]; suq.query.b32 result, [object] */
void decode_texture_query(struct decoder *d, struct op *op) {
  static const char *const names[] = {[QUERY_WIDTH] = "width",
                                      [QUERY_HEIGHT] = "height",
                                      [QUERY_DEPTH] = "depth",
                                      [QUERY_LAYERS] = "array_size",
                                      [QUERY_LEVELS] = "num_mipmap_levels"};
  const struct ptx_operand *object = decoder_operand(d, 1);
  const uint32_t count = sizeof names / sizeof *names;
  uint32_t query = 0;
  while (query < count && !ptx_has(d->inst->op, names[query]))
    query++;
  if (query == count || object->kind != PTX_OPERAND_MEMORY || object->reg < 0 || object->value ||
      object->count)
    decoder_refuse(d, "unsupported instruction");
  op->code = OP_TEXTURE_QUERY;
  op->texture_query = (uint8_t)query;
  op->dst[0] = decoder_result(d, 0, 4);
  op->src[0] = decoder_register(d, object->reg, 8);
  op->src[1] =
      ptx_has(d->inst->op, "level") ? decoder_source(d, decoder_operand(d, 2), 4) : decoder_constant(d, 0, 4);
}

/* suld.b.geometry{.vec}.type.boundary {…}, [object, {…}]; sust.b… [object, {…}], {…}. x counts bytes. */
void decode_surface(struct decoder *d, struct op *op) {
  const bool is_load = ptx_is(d->inst, "suld");
  op->code = is_load ? OP_SURFACE_LOAD : OP_SURFACE_STORE;
  op->mode = (uint8_t)geometry_of(d);
  op->type = (uint8_t)ptx_type_part(d->inst->op, 1);
  if (!ptx_has(d->inst->op, "b") || op->mode & GEOMETRY_CUBE)
    decoder_refuse(d, "unsupported instruction");
  op->from = ptx_has(d->inst->op, "clamp")  ? BOUNDARY_CLAMP
             : ptx_has(d->inst->op, "zero") ? BOUNDARY_ZERO
                                            : BOUNDARY_TRAP;
  op->src[2] = op->src[3] = decoder_constant(d, 0, 4);
  decoder_elements(d, op, decoder_operand(d, is_load ? 0 : 1), op->dst, is_load);
  decode_place(d, op, decoder_operand(d, is_load ? 1 : 0), &op->src[3]);
}
