/* The driver API: tensor maps, for cp.async.bulk.tensor. */
#include "driver.h"

#include <string.h>

#include "../tensor_map.h"

enum { ALIGNMENT = 16 /* bytes, of the tensor and of its strides */, MOST_PITCH_BITS = 40 };

/* Bytes of an element; 0 for types that need a newer GPU. */
static uint8_t bytes_of(CUtensorMapDataType type) {
  switch (type) {
  case CU_TENSOR_MAP_DATA_TYPE_UINT8:
    return 1;
  case CU_TENSOR_MAP_DATA_TYPE_UINT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
    return 2;
  case CU_TENSOR_MAP_DATA_TYPE_UINT32:
  case CU_TENSOR_MAP_DATA_TYPE_INT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
    return 4;
  case CU_TENSOR_MAP_DATA_TYPE_UINT64:
  case CU_TENSOR_MAP_DATA_TYPE_INT64:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return 8;
  default:
    return 0;
  }
}

static bool is_floating(CUtensorMapDataType type) {
  switch (type) {
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
  case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
  case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
    return true;
  default:
    return false;
  }
}

static uint8_t type_of(CUtensorMapDataType type) {
  static const uint8_t types[] = {
      [CU_TENSOR_MAP_DATA_TYPE_UINT32] = TENSOR_U32,      [CU_TENSOR_MAP_DATA_TYPE_INT32] = TENSOR_S32,
      [CU_TENSOR_MAP_DATA_TYPE_UINT64] = TENSOR_U64,      [CU_TENSOR_MAP_DATA_TYPE_INT64] = TENSOR_S64,
      [CU_TENSOR_MAP_DATA_TYPE_FLOAT16] = TENSOR_F16,     [CU_TENSOR_MAP_DATA_TYPE_FLOAT32] = TENSOR_F32,
      [CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ] = TENSOR_F32, [CU_TENSOR_MAP_DATA_TYPE_FLOAT64] = TENSOR_F64,
      [CU_TENSOR_MAP_DATA_TYPE_BFLOAT16] = TENSOR_BF16};
  return (unsigned)type < sizeof types ? types[type] : TENSOR_OTHER;
}

static uint8_t span_of(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
  case CU_TENSOR_MAP_SWIZZLE_NONE:
    return 1;
  case CU_TENSOR_MAP_SWIZZLE_32B:
    return 2;
  case CU_TENSOR_MAP_SWIZZLE_64B:
    return 4;
  case CU_TENSOR_MAP_SWIZZLE_128B:
    return 8;
  default:
    return 0;
  }
}

static bool fill_dimension(struct tensor_map *map, uint32_t d, cuuint64_t size, cuuint64_t pitch,
                           cuuint32_t box, cuuint32_t stride) {
  if (size == 0 || size > UINT64_C(1) << 32 || box == 0 || box > TENSOR_MOST_BOX || stride == 0 ||
      stride > TENSOR_MOST_STRIDE || (d > 0 && (pitch % ALIGNMENT || pitch >> MOST_PITCH_BITS)))
    return false;
  map->size[d] = (uint32_t)size;
  map->pitch[d] = pitch;
  map->box[d] = (uint16_t)box;
  map->stride[d] = (uint8_t)(d ? stride : 1);
  return true;
}

CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *result, CUtensorMapDataType type, cuuint32_t dimensions,
                                        void *address, const cuuint64_t *sizes, const cuuint64_t *pitches,
                                        const cuuint32_t *box, const cuuint32_t *strides,
                                        CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                        CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  _Static_assert(sizeof(CUtensorMap) == TENSOR_MAP_BYTES && sizeof(struct tensor_map) <= TENSOR_MAP_BYTES,
                 "a tensor map has room for ours");
  const bool wants_nan = fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  (void)promotion; /* a hint */
  struct tensor_map map = {.address = (uintptr_t)address,
                           .dimensions = (uint8_t)dimensions,
                           .element = bytes_of(type),
                           .type = type_of(type),
                           .span = span_of(swizzle),
                           .mark = TENSOR_MAP_MARK,
                           .rounds = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 ||
                                     type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
                           .fill = wants_nan ? TENSOR_NAN : 0};
  if (!result || !sizes || !box || !strides || dimensions == 0 || dimensions > TENSOR_DIMENSIONS ||
      (dimensions > 1 && !pitches) || map.address % ALIGNMENT || !map.element || !map.span)
    return CUDA_ERROR_INVALID_VALUE;
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
    return dimensions < 3 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
  for (uint32_t d = 0; d < dimensions; d++)
    if (!fill_dimension(&map, d, sizes[d], d ? pitches[d - 1] : map.element, box[d], strides[d]))
      return CUDA_ERROR_INVALID_VALUE;
  const uint32_t row = map.box[0] * map.element;
  uint64_t bytes = map.element;
  for (uint32_t d = 0; d < dimensions; d++)
    bytes *= map.box[d];
  if (row % ALIGNMENT || (map.span > 1 && row > map.span * 16u) || (wants_nan && !is_floating(type)) ||
      bytes > TENSOR_MOST_BYTES)
    return CUDA_ERROR_INVALID_VALUE;
  memset(result, 0, sizeof *result);
  memcpy(result, &map, sizeof map);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap *result, void *address) {
  struct tensor_map map;
  if (!result || !address || (uintptr_t)address % ALIGNMENT)
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(&map, result, sizeof map);
  map.address = (uintptr_t)address;
  memcpy(result, &map, sizeof map);
  return map.mark == TENSOR_MAP_MARK ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
