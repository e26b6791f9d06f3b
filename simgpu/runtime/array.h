/* CUDA arrays: device memory in rows, whose layout the program does not see. */
#pragma once

#include <driver_types.h>
#include <stdbool.h>

struct cudaArray {
  struct cudaArray *next;
  char *address;
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent; /* as given: 0 for a dimension that it lacks */
  unsigned flags;
  size_t texel, row, pitch, slice; /* bytes of a texel and of a row; between rows, slices or layers */
  size_t bytes;
  bool is_level; /* of a mipmapped array, which frees it */
};

/* Part of an array; x and width in bytes. */
struct array_box {
  size_t x, y, z, width, height, depth;
};

/* Bytes of a texel; 0 if the format is not one of textures. */
size_t array_texel_bytes(const struct cudaChannelFormatDesc *format);

/* The number of texels, rows and slices, all at least 1. */
struct cudaExtent array_size(const struct cudaArray *array);

/* Completes format, extent and flags by the distances. */
cudaError_t array_lay_out(struct cudaArray *array);

/* Makes an array that the program can use from this description. */
cudaError_t array_add(struct cudaArray **array, const struct cudaArray *description);
void array_remove(struct cudaArray *array);

cudaError_t array_new(struct cudaArray **array, const struct cudaChannelFormatDesc *format,
                      struct cudaExtent extent, unsigned flags);
cudaError_t array_release(struct cudaArray *array);

/* Returns whether the program got this array and has not freed it. */
bool array_exists(const struct cudaArray *array);

/* The device memory of the first byte of the box; NULL if the box is not within the array. */
char *array_at(const struct cudaArray *array, const struct array_box *box);

/* Call this when the device has freed all memory. */
void array_forget(void);
