/* cublasLtMatmul: D = alpha op(A) op(B) + beta C with bias and activation, for matrices by columns or by
 * rows, and the descriptors that say so. There is one algorithm, which needs no workspace. */
#include "../cublas/product.h"

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdlib.h>
#include <string.h>

/* --- descriptors --- */

struct layout {
  uint64_t rows, columns;
  int64_t ld, batch_offset;
  uint32_t type;
  int32_t order, batches;
  uint32_t batch_mode; /* at a distance, or an array of addresses */
};
static_assert(sizeof(layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "kept in the caller's descriptor");

struct matmul {
  const void *bias;
  void *aux;
  int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
  const void *scales[4]; /* of A, B, C and D; NULL: 1 */
  const void *emulation; /* kept, and without effect */
  int32_t compute, scale, pointer_mode, op_a, op_b, op_c, fill, sm_count, bias_type, aux_type;
  uint32_t epilogue;
  int8_t fast_accumulation;
};
static_assert(sizeof(matmul) <= sizeof(cublasLtMatmulDescOpaque_t), "kept in the caller's descriptor");

struct preference {
  uint64_t workspace;
  uint32_t search, reductions, alignment[4];
  float waves;
};
static_assert(sizeof(preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t),
              "kept in the caller's descriptor");

/* The settings of the algorithm are kept, and have no effect. */
struct configuration {
  int32_t id, splits;
  uint32_t tile, reduction, swizzling, option, stages;
  uint16_t inner_shape, cluster_shape;
};
static_assert(sizeof(configuration) <= sizeof(cublasLtMatmulAlgo_t), "kept in the caller's algorithm");

/* What the algorithm can do. */
struct capabilities {
  int32_t splits, strided_batches, out_of_place, triangles, most_options, other_orders, negative_ld,
      address_batches, emulation;
  uint32_t reductions, swizzling, pointer_modes, epilogues, alignment;
  uint64_t numerics;
};

/* A field of a descriptor. size 0 ends a list. */
struct field {
  int attribute;
  size_t offset, size;
};
#define FIELD(attribute, structure, member)                                                                  \
  { attribute, offsetof(structure, member), sizeof(((structure *)0)->member) }

static const field layout_fields[] = {
    FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, layout, type),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, layout, order),
    FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, layout, rows),
    FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, layout, columns),
    FIELD(CUBLASLT_MATRIX_LAYOUT_LD, layout, ld),
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, layout, batches),
    FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, layout, batch_offset),
#if CUBLAS_VER_MAJOR >= 13
    FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, layout, batch_mode),
#endif
    {}};
static const field matmul_fields[] = {
    FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, matmul, compute),
    FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, matmul, scale),
    FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, matmul, pointer_mode),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSA, matmul, op_a),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSB, matmul, op_b),
    FIELD(CUBLASLT_MATMUL_DESC_TRANSC, matmul, op_c),
    FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, matmul, fill),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, matmul, epilogue),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, matmul, bias),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, matmul, bias_stride),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, matmul, aux),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, matmul, aux_ld),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, matmul, aux_stride),
    FIELD(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, matmul, alpha_stride),
    FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, matmul, sm_count),
    FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, matmul, scales[0]),
    FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, matmul, scales[1]),
    FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, matmul, scales[2]),
    FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, matmul, scales[3]),
    FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, matmul, aux_type),
    FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, matmul, fast_accumulation),
    FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, matmul, bias_type),
#if CUBLAS_VER_MAJOR >= 13
    FIELD(CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, matmul, emulation),
#endif
    {}};
static const field preference_fields[] = {
    FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, preference, search),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, preference, workspace),
    FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, preference, reductions),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, preference, alignment[0]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, preference, alignment[1]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, preference, alignment[2]),
    FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, preference, alignment[3]),
    FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, preference, waves),
    {}};

static const field configuration_fields[] = {
    FIELD(CUBLASLT_ALGO_CONFIG_ID, configuration, id),
    FIELD(CUBLASLT_ALGO_CONFIG_TILE_ID, configuration, tile),
    FIELD(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, configuration, splits),
    FIELD(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, configuration, reduction),
    FIELD(CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, configuration, swizzling),
    FIELD(CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, configuration, option),
    FIELD(CUBLASLT_ALGO_CONFIG_STAGES_ID, configuration, stages),
    FIELD(CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, configuration, inner_shape),
    FIELD(CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, configuration, cluster_shape),
    {}};
static const field capability_fields[] = {
    FIELD(CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, capabilities, splits),
    FIELD(CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK, capabilities, reductions),
    FIELD(CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT, capabilities, swizzling),
    FIELD(CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT, capabilities, strided_batches),
    FIELD(CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, capabilities, out_of_place),
    FIELD(CUBLASLT_ALGO_CAP_UPLO_SUPPORT, capabilities, triangles),
    FIELD(CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX, capabilities, most_options),
    FIELD(CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER, capabilities, other_orders),
    FIELD(CUBLASLT_ALGO_CAP_POINTER_MODE_MASK, capabilities, pointer_modes),
    FIELD(CUBLASLT_ALGO_CAP_EPILOGUE_MASK, capabilities, epilogues),
    FIELD(CUBLASLT_ALGO_CAP_LD_NEGATIVE, capabilities, negative_ld),
    FIELD(CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS, capabilities, numerics),
    FIELD(CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES, capabilities, alignment),
    FIELD(CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES, capabilities, alignment),
    FIELD(CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES, capabilities, alignment),
    FIELD(CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES, capabilities, alignment),
#if CUBLAS_VER_MAJOR >= 13
    FIELD(CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT, capabilities, address_batches),
    FIELD(CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT, capabilities, emulation),
#endif
    {}};

static const field *field_find(const field *fields, int attribute) {
  while (fields->size && fields->attribute != attribute)
    fields++;
  return fields->size ? fields : nullptr;
}

static cublasStatus_t field_set(const field *fields, void *descriptor, int attribute, const void *from,
                                size_t size) {
  const field *f = field_find(fields, attribute);
  CHECK(descriptor && from && f && size == f->size);
  memcpy((char *)descriptor + f->offset, from, size);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t field_get(const field *fields, const void *descriptor, int attribute, void *to,
                                size_t size, size_t *written) {
  const field *f = field_find(fields, attribute);
  CHECK(descriptor && f && (size == 0 ? written != nullptr : to && size == f->size));
  if (written)
    *written = f->size;
  if (size)
    memcpy(to, (const char *)descriptor + f->offset, size);
  return CUBLAS_STATUS_SUCCESS;
}

/* Creates, and destroys, a descriptor of an opaque type. */
template <typename T> static cublasStatus_t create(T **descriptor) {
  CHECK(descriptor);
  *descriptor = (T *)calloc(1, sizeof **descriptor);
  return *descriptor ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
template <typename T> static cublasStatus_t destroy(T *descriptor) {
  CHECK(descriptor);
  free(descriptor);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t descriptor, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t ld) {
  CHECK(descriptor && size >= sizeof *descriptor);
  memset(descriptor, 0, sizeof *descriptor);
  *(layout *)descriptor = {rows, columns, ld, 0, (uint32_t)type, CUBLASLT_ORDER_COL, 1, 0};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *descriptor, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld) {
  const cublasStatus_t status = create(descriptor);
  return status
             ? status
             : cublasLtMatrixLayoutInit_internal(*descriptor, sizeof **descriptor, type, rows, columns, ld);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t descriptor, size_t size,
                                               cublasComputeType_t compute, cudaDataType_t scale) {
  CHECK(descriptor && size >= sizeof *descriptor);
  memset(descriptor, 0, sizeof *descriptor);
  matmul *d = (matmul *)descriptor;
  d->compute = compute;
  d->scale = scale;
  d->fill = CUBLAS_FILL_MODE_FULL;
  d->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  d->bias_type = d->aux_type = -1; /* that of D */
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *descriptor, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  const cublasStatus_t status = create(descriptor);
  return status ? status : cublasLtMatmulDescInit_internal(*descriptor, sizeof **descriptor, compute, scale);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t descriptor, size_t size) {
  CHECK(descriptor && size >= sizeof *descriptor);
  memset(descriptor, 0, sizeof *descriptor);
  preference *p = (preference *)descriptor;
  p->reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  for (uint32_t &alignment : p->alignment)
    alignment = 256;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *descriptor) {
  const cublasStatus_t status = create(descriptor);
  return status ? status : cublasLtMatmulPreferenceInit_internal(*descriptor, sizeof **descriptor);
}

#define DESCRIPTOR(NAME, ATTRIBUTES, fields)                                                                 \
  cublasStatus_t cublasLt##NAME##Destroy(cublasLt##NAME##_t descriptor) { return destroy(descriptor); }      \
  cublasStatus_t cublasLt##NAME##SetAttribute(cublasLt##NAME##_t descriptor, ATTRIBUTES attribute,           \
                                              const void *from, size_t size) {                               \
    return field_set(fields, descriptor, attribute, from, size);                                             \
  }                                                                                                          \
  cublasStatus_t cublasLt##NAME##GetAttribute(cublasLt##NAME##_t descriptor, ATTRIBUTES attribute, void *to, \
                                              size_t size, size_t *written) {                                \
    return field_get(fields, descriptor, attribute, to, size, written);                                      \
  }
DESCRIPTOR(MatrixLayout, cublasLtMatrixLayoutAttribute_t, layout_fields)
DESCRIPTOR(MatmulDesc, cublasLtMatmulDescAttributes_t, matmul_fields)
DESCRIPTOR(MatmulPreference, cublasLtMatmulPreferenceAttributes_t, preference_fields)

#if CUBLAS_VER_MAJOR >= 13
/* Settings of emulated products, which have the precision that is emulated. */
struct emulation {
  int32_t strategy, special_values, mantissa_control, most_bits, bit_offset;
  int32_t *bit_count;
};
static_assert(sizeof(emulation) <= sizeof(cublasLtEmulationDescOpaque_t), "kept in the caller's descriptor");
static const field emulation_fields[] = {
    FIELD(CUBLASLT_EMULATION_DESC_STRATEGY, emulation, strategy),
    FIELD(CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT, emulation, special_values),
    FIELD(CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_CONTROL, emulation, mantissa_control),
    FIELD(CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, emulation, most_bits),
    FIELD(CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_OFFSET, emulation, bit_offset),
    FIELD(CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER, emulation, bit_count),
    {}};

cublasStatus_t cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t descriptor, size_t size) {
  CHECK(descriptor && size >= sizeof *descriptor);
  memset(descriptor, 0, sizeof *descriptor);
  ((emulation *)descriptor)->special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtEmulationDescCreate(cublasLtEmulationDesc_t *descriptor) {
  const cublasStatus_t status = create(descriptor);
  return status ? status : cublasLtEmulationDescInit_internal(*descriptor, sizeof **descriptor);
}

DESCRIPTOR(EmulationDesc, cublasLtEmulationDescAttributes_t, emulation_fields)
static const int EMULATED_32F = CUBLAS_COMPUTE_32F_EMULATED_16BFX9,
                 EMULATED_64F = CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT;
#else
static const int EMULATED_32F = -1, EMULATED_64F = -1;
#endif

/* --- the handle: any address does, also that of a handle of cuBLAS --- */

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  CHECK(handle);
  *handle = (cublasLtHandle_t)malloc(1);
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  CHECK_HANDLE(handle);
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion(void) { return CUDART_VERSION; }
const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

/* --- the product --- */

/* Values of a type that is known at run time. */
struct typed {
  void *data;
  int type;
  __device__ float get(long long k) const {
    return type == CUDA_R_16F    ? __half2float(((const __half *)data)[k])
           : type == CUDA_R_16BF ? __bfloat162float(((const __nv_bfloat16 *)data)[k])
           : type == CUDA_R_64F  ? (float)((const double *)data)[k]
                                 : ((const float *)data)[k];
  }
  __device__ void put(long long k, float value) const {
    if (type == CUDA_R_16F)
      ((__half *)data)[k] = __float2half(value);
    else if (type == CUDA_R_16BF)
      ((__nv_bfloat16 *)data)[k] = __float2bfloat16(value);
    else
      ((float *)data)[k] = value;
  }
};

enum {
  RELU = CUBLASLT_EPILOGUE_RELU,
  BIAS = CUBLASLT_EPILOGUE_BIAS,
  GELU = CUBLASLT_EPILOGUE_GELU,
  AUX = 128,
  DGELU = 64
};

/* The approximation by tanh, of which cuBLASLt's is one, and its derivative. */
static __device__ float tanh_of(float x) { return tanhf(0.7978845608f * (x + 0.044715f * x * x * x)); }
static __device__ float gelu(float x) { return 0.5f * x * (1 + tanh_of(x)); }
static __device__ float gelu_slope(float x) {
  const float t = tanh_of(x);
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 3 * 0.044715f * x * x);
}

/* Where element (row, column) of a matrix is. */
struct place {
  long long ld, offset;     /* offset: from a matrix of the batch to the next */
  bool by_rows, by_address; /* by_address: the matrix is entry blockIdx.z of an array of addresses */
  template <typename P> __device__ P *first(P *data) const {
    return by_address ? ((P *const *)data)[blockIdx.z] : data;
  }
  __device__ long long of(int row, int column) const {
    return blockIdx.z * offset + (by_rows ? row * ld + column : row + column * ld);
  }
};

template <typename A, typename O> struct matmul_results {
  scalar<A> alpha, beta;
  const O *C;
  O *D;
  place in_C, in_D, in_aux;
  typed bias, aux;
  long long bias_stride;
  uint32_t epilogue;
  A a, b;
  __device__ bool skips(int, int, int) const { return false; }
  __device__ bool begin() {
    a = alpha.get();
    b = beta.get();
    C = in_C.first(C);
    D = in_D.first(D);
    return a != A();
  }
  __device__ A activate(int row, int column, A sum) const {
    float x = (float)sum;
    if (epilogue & BIAS)
      x += bias.get(row + blockIdx.z * bias_stride);
    const long long k = in_aux.of(row, column);
    if (epilogue & DGELU)
      return (A)(x * gelu_slope(aux.get(k)));
    if ((epilogue & GELU) && (epilogue & AUX))
      aux.put(k, x);
    return (A)(epilogue & GELU ? gelu(x) : (epilogue & RELU) && !(x > 0) ? 0 : x);
  }
  __device__ void put(int row, int column, A sum) const {
    sum = b == A() ? a * sum : a * sum + b * (A)C[in_C.of(row, column)];
    D[in_D.of(row, column)] = (O)(epilogue == CUBLASLT_EPILOGUE_DEFAULT ? sum : activate(row, column, sum));
  }
};

struct call {
  const matmul *desc;
  const layout *a, *b, *c, *d;
};

static bool is_operation_of(int op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }
static bool is_order(const layout *l) {
  return l->order == CUBLASLT_ORDER_COL || l->order == CUBLASLT_ORDER_ROW;
}
static bool has_room(const layout *l) {
  return l->ld >= (int64_t)(l->order == CUBLASLT_ORDER_COL ? l->rows : l->columns);
}
static uint64_t rows_of(const layout *l, int op) { return op == CUBLAS_OP_N ? l->rows : l->columns; }
static uint64_t columns_of(const layout *l, int op) { return op == CUBLAS_OP_N ? l->columns : l->rows; }

static bool is_float(int type) { return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF; }

static bool is_single(int compute) {
  return compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
         compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
         compute == CUBLAS_COMPUTE_32F_FAST_TF32 || compute == EMULATED_32F;
}

static const uint32_t epilogues[] = {
    CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_BIAS,
    CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU,          CUBLASLT_EPILOGUE_GELU_BIAS,
    CUBLASLT_EPILOGUE_GELU_AUX,  CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU};

/* Whether the types, the epilogue and the rest go together. */
static bool is_supported(const call &c) {
  const matmul *m = c.desc;
  bool known = false;
  for (uint32_t epilogue : epilogues)
    known |= m->epilogue == epilogue;
  for (const void *scale : m->scales)
    known &= !scale;
  known &= m->pointer_mode == CUBLASLT_POINTER_MODE_HOST || m->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  if (!known || m->op_c != CUBLAS_OP_N || m->fill != CUBLAS_FILL_MODE_FULL || c.c->type != c.d->type ||
      c.a->type != c.b->type || (m->bias_type != -1 && !is_float(m->bias_type)) ||
      (m->aux_type != -1 && !is_float(m->aux_type)))
    return false;
  for (const layout *l : {c.a, c.b, c.c, c.d})
    if (!is_order(l))
      return false;
  const int in = c.a->type, out = c.d->type;
  if (m->compute == CUBLAS_COMPUTE_64F || m->compute == CUBLAS_COMPUTE_64F_PEDANTIC ||
      m->compute == EMULATED_64F)
    return m->scale == CUDA_R_64F && in == CUDA_R_64F && out == CUDA_R_64F &&
           m->epilogue == CUBLASLT_EPILOGUE_DEFAULT;
  if (m->compute == CUBLAS_COMPUTE_32I || m->compute == CUBLAS_COMPUTE_32I_PEDANTIC)
    return m->scale == CUDA_R_32I && in == CUDA_R_8I && out == CUDA_R_32I &&
           m->epilogue == CUBLASLT_EPILOGUE_DEFAULT;
  if (m->compute == CUBLAS_COMPUTE_16F || m->compute == CUBLAS_COMPUTE_16F_PEDANTIC)
    return m->scale == CUDA_R_16F && in == CUDA_R_16F && out == CUDA_R_16F &&
           m->pointer_mode == CUBLASLT_POINTER_MODE_HOST;
  return is_single(m->compute) && m->scale == CUDA_R_32F && is_float(in) && (out == in || out == CUDA_R_32F);
}

static cublasStatus_t check(const call &c) {
  CHECK(c.desc && c.a && c.b && c.c && c.d);
  const matmul *m = c.desc;
  CHECK(is_operation_of(m->op_a) && is_operation_of(m->op_b));
  if (!is_supported(c))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  for (const layout *l : {c.a, c.b, c.c, c.d})
    CHECK(has_room(l) && l->batches == c.d->batches);
  CHECK(rows_of(c.a, m->op_a) == c.d->rows && columns_of(c.b, m->op_b) == c.d->columns &&
        columns_of(c.a, m->op_a) == rows_of(c.b, m->op_b) && c.c->rows == c.d->rows &&
        c.c->columns == c.d->columns);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename A, typename T> static operand<A, T> operand_of(const layout *l, int op, const void *data) {
  const bool transposed = (op != CUBLAS_OP_N) != (l->order == CUBLASLT_ORDER_ROW);
  const T *const *addresses = l->batch_mode ? (const T *const *)data : nullptr;
  return {batch<const T>{(const T *)data, addresses, l->batch_offset}, l->ld, transposed, false};
}

static place place_in(const layout *l) {
  return {l->ld, l->batch_mode ? 0 : l->batch_offset, l->order == CUBLASLT_ORDER_ROW, l->batch_mode != 0};
}

struct pointers {
  const void *alpha, *A, *B, *beta, *C;
  void *D;
};

/* S: the type of alpha and beta on the host. */
template <typename A, typename T, typename O, typename S = A>
static cublasStatus_t multiply(const call &c, const pointers &p, cudaStream_t stream) {
  const matmul *m = c.desc;
  const bool in_memory = m->pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  matmul_results<A, O> r = {};
  r.alpha = {in_memory ? (const A *)p.alpha : nullptr, in_memory ? A() : (A) * (const S *)p.alpha};
  r.beta = {in_memory ? (const A *)p.beta : nullptr, in_memory ? A() : (A) * (const S *)p.beta};
  r.C = (const O *)p.C;
  r.D = (O *)p.D;
  r.in_C = place_in(c.c);
  r.in_D = place_in(c.d);
  r.in_aux = {m->aux_ld, m->aux_stride, c.d->order == CUBLASLT_ORDER_ROW, false};
  r.bias = {(void *)m->bias, m->bias_type == -1 ? (int)c.d->type : m->bias_type};
  r.aux = {m->aux, m->aux_type == -1 ? (int)c.d->type : m->aux_type};
  r.bias_stride = m->bias_stride;
  r.epilogue = m->epilogue;
  return product_run<A>(stream, (int)c.d->rows, (int)c.d->columns, (int)columns_of(c.a, m->op_a),
                        operand_of<A, T>(c.a, m->op_a, p.A), operand_of<A, T>(c.b, m->op_b, p.B), r,
                        c.d->batches);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t layoutA, const void *B,
                              cublasLtMatrixLayout_t layoutB, const void *beta, const void *C,
                              cublasLtMatrixLayout_t layoutC, void *D, cublasLtMatrixLayout_t layoutD,
                              const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream) {
  CHECK_HANDLE(handle);
  const call c = {(const matmul *)desc, (const layout *)layoutA, (const layout *)layoutB,
                  (const layout *)layoutC, (const layout *)layoutD};
  const cublasStatus_t status = check(c);
  if (status)
    return status;
  const matmul *m = c.desc;
  CHECK(alpha && beta && A && B && C && D);
  CHECK((!(m->epilogue & BIAS) || m->bias) &&
        (!(m->epilogue & AUX) || (m->aux && m->aux_ld >= (int64_t)c.d->rows)));
  const pointers p = {alpha, A, B, beta, C, D};
  const int in = c.a->type, out = c.d->type;
  if (in == CUDA_R_64F)
    return multiply<double, double, double>(c, p, stream);
  if (in == CUDA_R_8I)
    return multiply<int, int8_t, int>(c, p, stream);
  if (m->scale == CUDA_R_16F)
    return multiply<float, __half, __half, __half>(c, p, stream);
  if (in == CUDA_R_32F)
    return multiply<float, float, float>(c, p, stream);
  if (in == CUDA_R_16F)
    return out == CUDA_R_32F ? multiply<float, __half, float>(c, p, stream)
                             : multiply<float, __half, __half>(c, p, stream);
  return out == CUDA_R_32F ? multiply<float, __nv_bfloat16, float>(c, p, stream)
                           : multiply<float, __nv_bfloat16, __nv_bfloat16>(c, p, stream);
}

/* --- the one algorithm, which all numbers and settings name --- */

static const int only_algorithm = 0;

static void start_algorithm(cublasLtMatmulAlgo_t *algorithm, int id) {
  memset(algorithm, 0, sizeof *algorithm);
  configuration *c = (configuration *)algorithm;
  c->id = id;
  c->splits = 1;
}

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void *from, size_t size) {
  CHECK(attribute != CUBLASLT_ALGO_CONFIG_ID);
  return field_set(configuration_fields, algorithm, attribute, from, size);
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute, void *to,
                                                    size_t size, size_t *written) {
  return field_get(configuration_fields, algorithm, attribute, to, size, written);
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algorithm,
                                                 cublasLtMatmulAlgoCapAttributes_t attribute, void *to,
                                                 size_t size, size_t *written) {
  CHECK(algorithm);
  if (attribute == CUBLASLT_ALGO_CAP_TILE_IDS || attribute == CUBLASLT_ALGO_CAP_STAGES_IDS) {
    CHECK(written); /* there is no choice of tiles and stages */
    *written = 0;
    return CUBLAS_STATUS_SUCCESS;
  }
  capabilities c = {};
  c.strided_batches = c.address_batches = c.out_of_place = c.emulation = 1;
  c.pointer_modes = CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE;
  for (uint32_t epilogue : epilogues)
    c.epilogues |= epilogue;
  c.alignment = 1;
  c.numerics = CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA;
  return field_get(capability_fields, &c, attribute, to, size, written);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t layoutA, cublasLtMatrixLayout_t layoutB,
                                              cublasLtMatrixLayout_t layoutC, cublasLtMatrixLayout_t layoutD,
                                              cublasLtMatmulPreference_t preferred, int room,
                                              cublasLtMatmulHeuristicResult_t *results, int *count) {
  CHECK_HANDLE(handle);
  CHECK(preferred && results && count && room > 0);
  const call c = {(const matmul *)desc, (const layout *)layoutA, (const layout *)layoutB,
                  (const layout *)layoutC, (const layout *)layoutD};
  *count = 0;
  const cublasStatus_t status = check(c);
  if (status)
    return status;
  memset(results, 0, sizeof *results);
  start_algorithm(&results->algo, only_algorithm);
  results->state = CUBLAS_STATUS_SUCCESS;
  results->wavesCount = 1;
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType_t,
                                        cudaDataType_t, cudaDataType_t, cudaDataType_t, cudaDataType_t,
                                        int room, int ids[], int *count) {
  CHECK_HANDLE(handle);
  CHECK(room > 0 && ids);
  ids[0] = only_algorithm;
  if (count)
    *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t, cudaDataType_t,
                                      cudaDataType_t, cudaDataType_t, cudaDataType_t, cudaDataType_t, int id,
                                      cublasLtMatmulAlgo_t *algorithm) {
  CHECK_HANDLE(handle);
  CHECK(algorithm);
  start_algorithm(algorithm, id);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t layoutA, cublasLtMatrixLayout_t layoutB,
                                       cublasLtMatrixLayout_t layoutC, cublasLtMatrixLayout_t layoutD,
                                       const cublasLtMatmulAlgo_t *algorithm,
                                       cublasLtMatmulHeuristicResult_t *result) {
  CHECK_HANDLE(handle);
  CHECK(algorithm && result);
  const call c = {(const matmul *)desc, (const layout *)layoutA, (const layout *)layoutB,
                  (const layout *)layoutC, (const layout *)layoutD};
  memset(result, 0, sizeof *result);
  result->algo = *algorithm;
  result->wavesCount = 1;
  return result->state = check(c);
}
