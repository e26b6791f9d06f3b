#include "array.h"

#include "allocation.h"

#include <stdint.h>
#include <stdlib.h>

enum { PITCH_UNIT = 64, FLAGS = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather };
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

cudaError_t array_new(struct cudaArray **array, const struct cudaChannelFormatDesc *format,
                      struct cudaExtent extent, unsigned flags) {
  const size_t texel = array_texel_bytes(format);
  struct cudaArray layout = {.format = *format, .extent = extent, .flags = flags, .texel = texel};
  const struct cudaExtent size = array_size(&layout);
  size_t bytes;
  if (!texel)
    return cudaErrorInvalidChannelDescriptor;
  if (!extent.width || flags & ~(unsigned)FLAGS)
    return cudaErrorInvalidValue;
  if (__builtin_mul_overflow(size.width, texel, &layout.row) || layout.row > SIZE_MAX - PITCH_UNIT)
    return cudaErrorMemoryAllocation;
  layout.pitch = (layout.row + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
  if (__builtin_mul_overflow(layout.pitch, size.height, &layout.slice) ||
      __builtin_mul_overflow(layout.slice, size.depth, &bytes))
    return cudaErrorMemoryAllocation;
  struct cudaArray *new = malloc(sizeof *new);
  if (!new)
    return cudaErrorMemoryAllocation;
  *new = layout;
  cudaError_t error = allocation_new((void **)&new->address, bytes);
  if (error) {
    free(new);
    return error;
  }
  new->next = list;
  list = *array = new;
  return cudaSuccess;
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

cudaError_t array_release(struct cudaArray *array) {
  struct cudaArray **link = &list;
  while (*link && *link != array)
    link = &(*link)->next;
  if (!*link)
    return cudaErrorInvalidValue;
  void *address = array->address;
  forget(link);
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
