/* Mipmapped arrays: their levels are arrays, which lie one behind the other in one allocation. */
#pragma once

#include "array.h"

enum { MIPMAP_LEVELS = 16 }; /* of 32768 texels in a row */

struct cudaMipmappedArray {
  struct cudaMipmappedArray *next;
  char *address;
  unsigned count;
  struct cudaArray *level[MIPMAP_LEVELS];
};

/* `count` is cut to the number of levels that the extent has. */
cudaError_t mipmap_new(struct cudaMipmappedArray **mipmap, const struct cudaChannelFormatDesc *format,
                       struct cudaExtent extent, unsigned count, unsigned flags);
cudaError_t mipmap_release(struct cudaMipmappedArray *mipmap);

/* Returns whether the program got this mipmapped array and has not freed it. */
bool mipmap_exists(const struct cudaMipmappedArray *mipmap);

/* Call this when the device has freed all memory, before array_forget. */
void mipmap_forget(void);
