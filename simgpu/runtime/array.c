#include "array.h"

#include "allocation.h"

#include <stdint.h>
#include <stdlib.h>

enum {
  PITCH_UNIT = 64,
  FACES = 6,
  MOST_CUBE_WIDTH = 32768,
  MOST_CUBE_LAYERS = 2046,
  FLAGS = cudaArrayLayered | cudaArrayCubemap | cudaArraySurfaceLoadStore | cudaArrayTextureGather
};
static struct cudaArray *list;

size_t array_texel_bytes(const struct cudaChannelFormatDesc *format) {
  const int bits[] = {format->x, format->y, format->z, format->w};
  int channels = 1;
  if (bits[0] != 8 && bits[0] != 16 && bits[0] != 32)
    return 0;
  while (channels < 4 && bits[channels] == bits[0])
    channels++;
  for (int i = channels; i < 4; i++)
    if (bits[i])
      return 0;
  if (channels == 3 || (unsigned)format->f > cudaChannelFormatKindFloat ||
      (format->f == cudaChannelFormatKindFloat && bits[0] == 8))
    return 0;
  return (size_t)(channels * bits[0] / 8);
}

static size_t at_least_one(size_t count) { return count ? count : 1; }

struct cudaExtent array_size(const struct cudaArray *array) {
  return (struct cudaExtent){array->extent.width, at_least_one(array->extent.height),
                             at_least_one(array->extent.depth)};
}

static bool is_cube(struct cudaExtent extent, bool layered) {
  return extent.width == extent.height && extent.width <= MOST_CUBE_WIDTH &&
         (layered ? extent.depth && extent.depth % FACES == 0 && extent.depth <= MOST_CUBE_LAYERS
                  : extent.depth == FACES);
}

cudaError_t array_lay_out(struct cudaArray *array) {
  array->texel = array_texel_bytes(&array->format);
  const struct cudaExtent size = array_size(array);
  if (!array->texel)
    return cudaErrorInvalidChannelDescriptor;
  if (!array->extent.width || array->flags & ~(unsigned)FLAGS ||
      (array->flags & cudaArrayCubemap && !is_cube(array->extent, array->flags & cudaArrayLayered)))
    return cudaErrorInvalidValue;
  if (__builtin_mul_overflow(size.width, array->texel, &array->row) || array->row > SIZE_MAX - PITCH_UNIT)
    return cudaErrorMemoryAllocation;
  array->pitch = (array->row + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
  if (__builtin_mul_overflow(array->pitch, size.height, &array->slice) ||
      __builtin_mul_overflow(array->slice, size.depth, &array->bytes))
    return cudaErrorMemoryAllocation;
  return cudaSuccess;
}

cudaError_t array_add(struct cudaArray **array, const struct cudaArray *description) {
  struct cudaArray *new = malloc(sizeof *new);
  if (!new)
    return cudaErrorMemoryAllocation;
  *new = *description;
  new->next = list;
  list = *array = new;
  return cudaSuccess;
}

cudaError_t array_new(struct cudaArray **array, const struct cudaChannelFormatDesc *format,
                      struct cudaExtent extent, unsigned flags) {
  struct cudaArray new = {.format = *format, .extent = extent, .flags = flags};
  cudaError_t error = array_lay_out(&new);
  if (!error)
    error = allocation_new((void **)&new.address, new.bytes);
  if (error)
    return error;
  error = array_add(array, &new);
  if (error)
    allocation_release(new.address);
  return error;
}

bool array_exists(const struct cudaArray *array) {
  const struct cudaArray *known = list;
  while (known && known != array)
    known = known->next;
  return known;
}

static void forget(struct cudaArray **link) {
  struct cudaArray *array = *link;
  *link = array->next;
  free(array);
}

void array_remove(struct cudaArray *array) {
  struct cudaArray **link = &list;
  while (*link && *link != array)
    link = &(*link)->next;
  if (*link)
    forget(link);
}

cudaError_t array_release(struct cudaArray *array) {
  if (!array_exists(array) || array->is_level)
    return cudaErrorInvalidValue;
  void *address = array->address;
  array_remove(array);
  return allocation_release(address);
}

static bool within(size_t first, size_t count, size_t all) { return first <= all && count <= all - first; }

char *array_at(const struct cudaArray *array, const struct array_box *box) {
  const struct cudaExtent size = array_size(array);
  if (!within(box->x, box->width, array->row) || !within(box->y, box->height, size.height) ||
      !within(box->z, box->depth, size.depth))
    return NULL;
  return array->address + box->z * array->slice + box->y * array->pitch + box->x;
}

void array_forget(void) {
  while (list)
    forget(&list);
}
