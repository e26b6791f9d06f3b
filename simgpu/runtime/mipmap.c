#include "mipmap.h"

#include "allocation.h"

#include <stdlib.h>

enum { MOST_SIZE = 1 << (MIPMAP_LEVELS - 1) };
static struct cudaMipmappedArray *list;

static bool shrinks_in_depth(unsigned flags) { return !(flags & (cudaArrayLayered | cudaArrayCubemap)); }

static size_t halved(size_t size, unsigned level) { return size >> level || !size ? size >> level : 1; }

/* Sizes of 0 are those of dimensions that the array lacks. */
static struct cudaExtent extent_of(struct cudaExtent all, unsigned flags, unsigned level) {
  return (struct cudaExtent){halved(all.width, level), halved(all.height, level),
                             shrinks_in_depth(flags) ? halved(all.depth, level) : all.depth};
}

static unsigned most_levels(struct cudaExtent extent, unsigned flags) {
  size_t size = extent.width | extent.height | (shrinks_in_depth(flags) ? extent.depth : 0);
  unsigned levels = 0;
  for (; size; size >>= 1)
    levels++;
  return levels;
}

/* Describes all levels, but not where they lie. */
static cudaError_t lay_out(struct cudaArray *levels, unsigned count, struct cudaExtent extent,
                           size_t *bytes) {
  const unsigned flags = levels[0].flags;
  *bytes = 0;
  for (unsigned k = 0; k < count; k++) {
    levels[k] = (struct cudaArray){
        .format = levels[0].format, .extent = extent_of(extent, flags, k), .flags = flags, .is_level = true};
    cudaError_t error = array_lay_out(&levels[k]);
    if (error)
      return error;
    if (__builtin_add_overflow(*bytes, levels[k].bytes, bytes))
      return cudaErrorMemoryAllocation;
  }
  return cudaSuccess;
}

static cudaError_t add_levels(struct cudaMipmappedArray *mipmap, struct cudaArray *levels, unsigned count) {
  char *address = mipmap->address;
  for (unsigned k = 0; k < count; k++) {
    levels[k].address = address;
    address += levels[k].bytes;
    cudaError_t error = array_add(&mipmap->level[k], &levels[k]);
    if (error)
      return error;
    mipmap->count++;
  }
  return cudaSuccess;
}

static cudaError_t dismantle(struct cudaMipmappedArray *mipmap) {
  for (unsigned k = 0; k < mipmap->count; k++)
    array_remove(mipmap->level[k]);
  cudaError_t error = allocation_release(mipmap->address);
  free(mipmap);
  return error;
}

cudaError_t mipmap_new(struct cudaMipmappedArray **mipmap, const struct cudaChannelFormatDesc *format,
                       struct cudaExtent extent, unsigned count, unsigned flags) {
  struct cudaArray levels[MIPMAP_LEVELS] = {{.format = *format, .flags = flags}};
  size_t bytes;
  if (extent.width > MOST_SIZE || extent.height > MOST_SIZE || extent.depth > MOST_SIZE)
    return cudaErrorInvalidValue;
  const unsigned most = most_levels(extent, flags);
  count = count > most ? most : count ? count : 1;
  cudaError_t error = lay_out(levels, count, extent, &bytes);
  struct cudaMipmappedArray *new = error ? NULL : calloc(1, sizeof *new);
  if (!new)
    return error ? error : cudaErrorMemoryAllocation;
  error = allocation_new((void **)&new->address, bytes);
  if (!error)
    error = add_levels(new, levels, count);
  if (error) {
    dismantle(new);
    return error;
  }
  new->next = list;
  list = *mipmap = new;
  return cudaSuccess;
}

bool mipmap_exists(const struct cudaMipmappedArray *mipmap) {
  const struct cudaMipmappedArray *known = list;
  while (known && known != mipmap)
    known = known->next;
  return known;
}

cudaError_t mipmap_release(struct cudaMipmappedArray *mipmap) {
  struct cudaMipmappedArray **link = &list;
  while (*link && *link != mipmap)
    link = &(*link)->next;
  if (!*link)
    return cudaErrorInvalidValue;
  *link = mipmap->next;
  return dismantle(mipmap);
}

void mipmap_forget(void) {
  while (list) {
    struct cudaMipmappedArray *mipmap = list;
    list = mipmap->next;
    free(mipmap);
  }
}
