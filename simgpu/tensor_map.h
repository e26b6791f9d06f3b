/* What a CUtensorMap holds here, written by cuTensorMapEncodeTiled and read by cp.async.bulk.tensor. NVIDIA's own is
 * opaque, so no program depends on its content. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
  TENSOR_MAP_BYTES = 128,
  TENSOR_DIMENSIONS = 5,
  TENSOR_MOST_BOX = 256,         /* elements of a box along a dimension */
  TENSOR_MOST_STRIDE = 8,        /* between the elements of a box, in elements */
  TENSOR_MOST_BYTES = 227 << 10, /* of a box: the shared memory of a block */
  TENSOR_NAN = 0x7ff77ff7,
  TENSOR_MAP_MARK = 0x7e05 /* a map that has been encoded */
};

/* The types of elements that reductions know. */
enum tensor_type {
  TENSOR_OTHER,
  TENSOR_U32,
  TENSOR_S32,
  TENSOR_U64,
  TENSOR_S64,
  TENSOR_F16,
  TENSOR_F32,
  TENSOR_F64,
  TENSOR_BF16
};

struct tensor_map {
  uint64_t address;
  uint64_t pitch
      [TENSOR_DIMENSIONS]; /* bytes between neighbours along a dimension; the first is an element's size */
  uint32_t size[TENSOR_DIMENSIONS];  /* elements; 0: 2^32 */
  uint16_t box[TENSOR_DIMENSIONS];   /* elements that a copy spans */
  uint8_t stride[TENSOR_DIMENSIONS]; /* a copy takes each such element of its box; the first is 1 */
  uint8_t dimensions;                /* 1 to 5 */
  uint8_t element;                   /* bytes: 1, 2, 4 or 8 */
  uint8_t type;                      /* enum tensor_type */
  bool rounds;                       /* singles to tf32, as they come to shared memory */
  uint8_t span; /* pieces of 16 bytes among which a copy swizzles: 1 (it does not), 2, 4 or 8 */
  uint16_t mark;
  uint32_t fill; /* of elements outside of the tensor: 0 or TENSOR_NAN */
};
