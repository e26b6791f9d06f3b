/* Texture and surface objects. */
#include "api.h"

#include "../mipmap.h"

#include <stdint.h>
#include <stdlib.h>

struct object {
  struct object *next;
  uint32_t number;
  bool is_surface;
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  bool has_view;
  struct cudaResourceViewDesc view;
};
static struct object *objects;

static struct object **find(unsigned long long number, bool is_surface) {
  struct object **link = &objects;
  while (*link && ((*link)->number != number || (*link)->is_surface != is_surface))
    link = &(*link)->next;
  return link;
}

static bool describe_format(const struct cudaChannelFormatDesc *format, struct sim_texture *texture) {
  static const uint32_t kinds[] = {[cudaChannelFormatKindSigned] = SIM_TEXEL_SIGNED,
                                   [cudaChannelFormatKindUnsigned] = SIM_TEXEL_UNSIGNED,
                                   [cudaChannelFormatKindFloat] = SIM_TEXEL_FLOAT};
  const size_t bytes = array_texel_bytes(format);
  if (!bytes)
    return false;
  texture->kind = kinds[format->f];
  texture->bits = (uint32_t)format->x;
  texture->channels = (uint32_t)(bytes * 8 / texture->bits);
  return true;
}

/* Sizes beyond 32 bits give a description that the device refuses. */
static uint32_t count(size_t texels) { return texels > UINT32_MAX ? UINT32_MAX : (uint32_t)texels; }

static void describe_array(const struct cudaArray *array, struct sim_texture *texture) {
  const struct cudaExtent size = array_size(array);
  describe_format(&array->format, texture);
  texture->address = (uintptr_t)array->address;
  texture->level[0] = (struct sim_texture_level){0, array->pitch, array->slice};
  texture->width = count(size.width);
  texture->height = count(size.height);
  texture->depth = count(size.depth);
  if (array->flags & (cudaArrayLayered | cudaArrayCubemap))
    texture->flags |= SIM_TEXTURE_LAYERED;
  if (array->flags & cudaArrayCubemap)
    texture->flags |= SIM_TEXTURE_CUBE;
}

static cudaError_t describe_mipmap(const struct cudaMipmappedArray *mipmap, struct sim_texture *texture) {
  if (!mipmap_exists(mipmap))
    return cudaErrorInvalidResourceHandle;
  describe_array(mipmap->level[0], texture);
  texture->levels = mipmap->count;
  for (unsigned k = 1; k < mipmap->count; k++) {
    const struct cudaArray *level = mipmap->level[k];
    texture->level[k] =
        (struct sim_texture_level){(uint64_t)(level->address - mipmap->address), level->pitch, level->slice};
  }
  return cudaSuccess;
}

static cudaError_t describe_memory(const struct cudaResourceDesc *resource, struct sim_texture *texture) {
  texture->height = texture->depth = texture->levels = 1;
  if (resource->resType == cudaResourceTypeMipmappedArray)
    return describe_mipmap(resource->res.mipmap.mipmap, texture);
  if (resource->resType == cudaResourceTypeArray) {
    const struct cudaArray *array = resource->res.array.array;
    if (!array_exists(array))
      return cudaErrorInvalidResourceHandle;
    describe_array(array, texture);
    return cudaSuccess;
  }
  const bool linear = resource->resType == cudaResourceTypeLinear;
  if (!linear && resource->resType != cudaResourceTypePitch2D)
    return cudaErrorInvalidValue;
  /* both have the address first, then the format */
  if (!describe_format(&resource->res.linear.desc, texture) || !resource->res.linear.devPtr)
    return cudaErrorInvalidValue;
  texture->address = (uintptr_t)resource->res.linear.devPtr;
  texture->width = linear ? count(resource->res.linear.sizeInBytes * 8 / texture->bits / texture->channels)
                          : count(resource->res.pitch2D.width);
  if (!linear) {
    texture->height = count(resource->res.pitch2D.height);
    texture->level[0].pitch = resource->res.pitch2D.pitchInBytes;
  }
  return cudaSuccess;
}

static void describe_levels(const struct cudaTextureDesc *reads, struct sim_texture *texture) {
  texture->bias = reads->mipmapLevelBias;
  texture->least_level = reads->minMipmapLevelClamp;
  texture->most_level = reads->maxMipmapLevelClamp;
  if (reads->mipmapFilterMode == cudaFilterModeLinear)
    texture->flags |= SIM_TEXTURE_BETWEEN_LEVELS;
}

static cudaError_t describe_reads(const struct cudaTextureDesc *reads, bool linear_memory,
                                  struct sim_texture *texture) {
  static bool reported;
  if (reads->sRGB)
    return unsupported("a texture object with sRGB", &reported);
  if ((texture->levels > 1 && !reads->normalizedCoords) ||
      (reads->seamlessCubemap && !(texture->flags & SIM_TEXTURE_CUBE)))
    return cudaErrorInvalidValue;
  if (linear_memory) { /* has no filter, and is zero outside */
    for (int axis = 0; axis < 3; axis++)
      texture->modes[axis] = SIM_TEXTURE_BORDER;
  } else {
    for (int axis = 0; axis < 3; axis++)
      texture->modes[axis] = (uint32_t)reads->addressMode[axis]; /* in the same order */
    for (int c = 0; c < 4; c++)
      texture->border[c] = reads->borderColor[c];
    texture->flags |= (reads->normalizedCoords ? SIM_TEXTURE_NORMALISED : 0) |
                      (reads->filterMode == cudaFilterModeLinear ? SIM_TEXTURE_LINEAR : 0) |
                      (reads->seamlessCubemap ? SIM_TEXTURE_SEAMLESS : 0);
    describe_levels(reads, texture);
  }
  texture->flags |= reads->readMode == cudaReadModeNormalizedFloat ? SIM_TEXTURE_FRACTIONS : 0;
  return cudaSuccess;
}

static cudaError_t create(const struct sim_texture *texture, const struct object *description,
                          unsigned long long *number) {
  struct sim_id id;
  struct object *object = malloc(sizeof *object);
  if (!object)
    return cudaErrorMemoryAllocation;
  cudaError_t error = context_call(SIM_TEXTURE_NEW, texture, sizeof *texture, &id, sizeof id);
  if (error) {
    free(object);
    return error;
  }
  *object = *description;
  object->number = id.id;
  object->next = objects;
  objects = object;
  *number = id.id;
  return cudaSuccess;
}

/* As on hardware, a number that belongs to no object is no error. */
static cudaError_t destroy(unsigned long long number, bool is_surface) {
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  struct object **link = find(number, is_surface), *object = *link;
  if (!error && object) {
    *link = object->next;
    free(object);
    error = context_call(SIM_TEXTURE_FREE, &(struct sim_id){.id = (uint32_t)number}, sizeof(struct sim_id),
                         NULL, 0);
  }
  return context_leave(error);
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *number, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *reads,
                                    const struct cudaResourceViewDesc *view) {
  static bool reported;
  struct sim_texture texture = {.address = 0};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!number || !resource))
    error = cudaErrorInvalidValue;
  if (!error && !reads)
    error = cudaErrorInvalidResourceHandle;
  if (!error && view && view->format != cudaResViewFormatNone)
    error = unsupported("a texture object with another view of its resource", &reported);
  if (!error)
    error = describe_memory(resource, &texture);
  if (!error)
    error = describe_reads(reads, resource->resType == cudaResourceTypeLinear, &texture);
  if (!error)
    error = create(&texture,
                   &(struct object){.resource = *resource,
                                    .texture = *reads,
                                    .has_view = view,
                                    .view = view ? *view : (struct cudaResourceViewDesc){.width = 0}},
                   number);
  return context_leave(error);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t number) { return destroy(number, false); }

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *number, const struct cudaResourceDesc *resource) {
  struct sim_texture texture = {.address = 0};
  cudaError_t error = context_enter(CONTEXT_QUEUES);
  if (!error && (!number || !resource || resource->resType != cudaResourceTypeArray))
    error = cudaErrorInvalidValue;
  if (!error)
    error = describe_memory(resource, &texture);
  if (!error)
    error = create(&texture, &(struct object){.is_surface = true, .resource = *resource}, number);
  return context_leave(error);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t number) { return destroy(number, true); }

/* Copies what the object was created with. */
static cudaError_t look_up(unsigned long long number, bool is_surface, struct object *into) {
  context_lock();
  const struct object *object = *find(number, is_surface);
  *into = object ? *object : (struct object){0};
  context_unlock();
  return last_error_record(object ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t number) {
  struct object object;
  cudaError_t error = look_up(number, false, &object);
  if (!error)
    *resource = object.resource;
  return error;
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture, cudaTextureObject_t number) {
  struct object object;
  cudaError_t error = look_up(number, false, &object);
  if (!error)
    *texture = object.texture;
  return error;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
                                                 cudaTextureObject_t number) {
  struct object object;
  cudaError_t error = look_up(number, false, &object);
  if (!error && !object.has_view)
    error = last_error_record(cudaErrorInvalidValue);
  if (!error)
    *view = object.view;
  return error;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t number) {
  struct object object;
  cudaError_t error = look_up(number, true, &object);
  if (!error)
    *resource = object.resource;
  return error;
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const struct cudaChannelFormatDesc *format,
                                                 int device) {
  int most;
  cudaError_t error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxTexture1DLinearWidth, device);
  if (!error && (!width || !format || !array_texel_bytes(format)))
    error = last_error_record(cudaErrorInvalidValue);
  if (!error)
    *width = (size_t)most;
  return error;
}
