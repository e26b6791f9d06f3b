#include "matrix_product.h"

#include <math.h>
#include <string.h>

#include "half.h"

/* How tensor cores add the products of a row and a column, by type of A and B. Products are exact. Those of `block`
 * neighbours, and the sum so far, are cut off after `fraction` bits below the largest of their exponents, towards
 * zero, and added exactly; the sum is then rounded to the type of the result: to a single, towards zero; to a half, to
 * nearest. Source: P. Xie, Y. Wang, F. Yang and M. Yang, "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and
 * Matrix Cores", arXiv:2511.10909, 2025, for Hopper: every mma instruction is one block. Not recorded on an H200 by
 * this project: validation/kernels/tensors.cu has cases that decide it. */
static const struct rounding_model {
  uint8_t block, fraction;
  uint8_t kept; /* bits of the fraction of a result that is a single */
} models[] = {[MATRIX_F16] = {16, 25, 23},
              [MATRIX_BF16] = {16, 25, 23},
              [MATRIX_TF32] = {8, 25, 23},
              [MATRIX_E4M3] = {32, 13, 13},
              [MATRIX_E5M2] = {32, 13, 13}};

enum {
  WIDTH = 8,             /* columns at a time */
  LEAST_EXPONENT = -126, /* of an addend, and of the sum */
  OF_ZERO = -10000,      /* smaller than any other exponent */
  GONE = -100,           /* shifts every addend to zero */
  PART = 8               /* addends of less than 2^27 that fit in 31 bits */
};

/* Numbers as significand times a power of two: 1 <= |significand| < 2, or smaller if it is subnormal in its type. */
struct numbers {
  _Alignas(64) float value[MOST_ELEMENTS], significand[MOST_ELEMENTS];
  _Alignas(64) s32 exponent[MOST_ELEMENTS];
};

static inline f32 power_of_two(s32 exponent) { return lane_f32((u32)(exponent + 127) << 23); }

/* f16 without branches: the exponent's offset differs by 112, and multiplication makes subnormals normal. */
static inline f32 value_of_f16(u32 bits) {
  f32 size = lane_f32((bits & 0x7fff) << 13) * 0x1p112f;
  u32 special = (bits & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
  return lane_f32(lane_bits(size) | special | (bits & 0x8000) << 16);
}

/* There are no infinities. */
static inline f32 value_of_e4m3(u32 bits) {
  if ((bits & 0x7f) == 0x7f)
    return lane_f32(0x7fffffff);
  return lane_f32(lane_bits(lane_f32((bits & 0x7f) << 20) * 0x1p120f) | (bits & 0x80) << 24);
}

static inline f32 value_of(enum matrix_type type, u32 bits) {
  switch (type) {
  case MATRIX_E4M3:
    return value_of_e4m3(bits);
  case MATRIX_E5M2:
    return value_of_f16(bits << 8);
  case MATRIX_F16:
    return value_of_f16(bits);
  case MATRIX_BF16:
    return lane_f32(bits << 16);
  case MATRIX_TF32:
    return lane_f32(bits & ~UINT32_C(0x1fff)); /* the other bits are ignored */
  default:
    return lane_f32(bits);
  }
}

/* Splits count numbers; returns whether one of them is infinite or no number. */
static inline bool split(struct numbers *x, u32 count, s32 lowest) {
  const f32 up = power_of_two(-lowest);
  u32 special = 0;
  for (u32 i = 0; i < count; i++) {
    u32 bits = lane_bits(x->value[i]);
    s32 exponent = (s32)(bits >> 23 & 255) - 127;
    bool small = exponent < lowest;
    f32 one = lane_f32((bits & 0x807fffff) | 0x3f800000), less = x->value[i] * up;
    x->significand[i] = small ? less : one;
    x->exponent[i] = (bits & 0x7fffffff) == 0 ? OF_ZERO : small ? lowest : exponent;
    special |= exponent == 128;
  }
  return special;
}

static bool read_numbers(struct numbers *x, enum matrix_type type, const u32 *bits, u32 count) {
  switch (type) { /* a loop for each */
  case MATRIX_F16:
    for (u32 i = 0; i < count; i++)
      x->value[i] = value_of_f16(bits[i]);
    return split(x, count, -14);
  case MATRIX_E4M3:
  case MATRIX_E5M2:
    for (u32 i = 0; i < count; i++)
      x->value[i] = value_of(type, bits[i]);
    return split(x, count, type == MATRIX_E4M3 ? -6 : -14);
  default:
    for (u32 i = 0; i < count; i++)
      x->value[i] = value_of(type, bits[i]);
    return split(x, count, LEAST_EXPONENT);
  }
}

/* WIDTH columns at once; passed by address, since processors differ in how they pass vectors. */
typedef f32 floats __attribute__((vector_size(4 * WIDTH)));
typedef s32 ints __attribute__((vector_size(4 * WIDTH)));
typedef f64 doubles __attribute__((vector_size(8 * WIDTH)));
typedef s64 longs __attribute__((vector_size(8 * WIDTH)));

static inline void keep_larger(ints *a, const ints *b) {
  const ints mask = *a > *b;
  *a = (*a & mask) | (*b & ~mask);
}

/* The addends cut off: significands times 2^shift as integers. */
static inline void cut_off(const floats *significand, ints *shift, ints *sum) {
  const ints least = {GONE, GONE, GONE, GONE, GONE, GONE, GONE, GONE};
  keep_larger(shift, &least);
  *sum += __builtin_convertvector(*significand * (floats)((*shift + 127) << 23), ints);
}

/* A row of A, and WIDTH columns of B. */
struct products {
  const f32 *a, *b; /* significands */
  const s32 *exponent_a, *exponent_b;
  u32 pitch, count; /* of the rows of B; products per sum */
};

/* The sums so far, then the exact sums of the addends after they are cut off, in units of 2^unit. */
struct sums {
  floats significand;
  ints exponent, unit;
  doubles exact;
};

static inline void add_block(const struct products *x, s32 fraction, struct sums *s) {
  floats product[MOST_LENGTH];
  ints exponent[MOST_LENGTH], largest = (ints){0} + LEAST_EXPONENT, part = {0}, shift;
  keep_larger(&largest, &s->exponent);
  for (u32 k = 0; k < x->count; k++) {
    product[k] = *(const floats *)(x->b + k * x->pitch) * x->a[k];
    exponent[k] = *(const ints *)(x->exponent_b + k * x->pitch) + x->exponent_a[k];
    keep_larger(&largest, &exponent[k]);
  }
  s->unit = largest - fraction;
  shift = s->exponent - s->unit;
  cut_off(&s->significand, &shift, &part);
  s->exact = __builtin_convertvector(part, doubles);
  for (u32 first = 0; first < x->count; first += PART) {
    const u32 end = first + PART < x->count ? first + PART : x->count;
    part = (ints){0};
    for (u32 k = first; k < end; k++) {
      shift = exponent[k] - s->unit;
      cut_off(&product[k], &shift, &part);
    }
    s->exact += __builtin_convertvector(part, doubles);
  }
}

/* Towards zero; above all singles, infinite. */
static f32 cut_to_single(f64 x) {
  f64 size = __builtin_fabs(x);
  if (size < 0x1p-126)
    return (f32)(trunc(x * 0x1p149) * 0x1p-149);
  return (f32)lane_f64(lane_bits_f64(x) & ~UINT64_C(0x1fffffff));
}

static inline void round_sums(enum matrix_type type, u32 kept, const struct sums *s, u32 *result) {
  const doubles exact = s->exact * (doubles)((__builtin_convertvector(s->unit, longs) + 1023) << 52);
  const longs size = (longs)exact & INT64_MAX;
  const longs small = (size != 0) & (size < (longs){0} + ((s64)(1023 - 126) << 52));
  s64 any = 0;
  *(floats *)result = __builtin_convertvector((doubles)((longs)exact & ~INT64_C(0x1fffffff)), floats);
  for (u32 q = 0; q < WIDTH; q++)
    any |= small[q];
  for (u32 q = 0; q < WIDTH && (any || type == MATRIX_F16); q++)
    result[q] =
        type == MATRIX_F16 ? half_narrow(F16, exact[q], ROUND_NEAREST) : lane_bits(cut_to_single(exact[q]));
  for (u32 q = 0; q < WIDTH && type != MATRIX_F16; q++)
    result[q] &= ~0u << (23 - kept);
}

/* Row `i`, columns from `j` on. */
static void sum_row(const struct matrix *x, const struct rounding_model *model, const struct numbers *n,
                    u32 i, u32 j, u32 *result) {
  const u32 at = i * x->n + j;
  struct sums sums = {.significand = *(const floats *)(n[2].significand + at),
                      .exponent = *(const ints *)(n[2].exponent + at)};
  for (u32 k = 0; k < x->k; k += model->block) {
    const u32 row = i * x->k + k, column = k * x->n + j;
    const struct products products = {.a = n[0].significand + row,
                                      .exponent_a = n[0].exponent + row,
                                      .b = n[1].significand + column,
                                      .exponent_b = n[1].exponent + column,
                                      .pitch = x->n,
                                      .count = x->k - k < model->block ? x->k - k : model->block};
    struct numbers next;
    add_block(&products, model->fraction, &sums);
    round_sums((enum matrix_type)x->d.type, model->kept, &sums, result);
    if (k + model->block >= x->k)
      return;
    read_numbers(&next, (enum matrix_type)x->d.type, result, WIDTH);
    sums.significand = *(const floats *)next.significand;
    sums.exponent = *(const ints *)next.exponent;
  }
}

/* The result if an operand of the sum is infinite or no number; otherwise `result`. */
static u32 special_sum(const struct matrix *x, const struct numbers *n, u32 i, u32 j, u32 result) {
  f64 sum = n[2].value[i * x->n + j];
  for (u32 k = 0; k < x->k; k++)
    sum += (f64)n[0].value[i * x->k + k] * (f64)n[1].value[k * x->n + j];
  bool is_half = x->d.type == MATRIX_F16;
  if (sum != sum)
    return is_half ? HALF_NAN : 0x7fffffff;
  if (__builtin_fabs(sum) < __builtin_inf())
    return result;
  return is_half ? 0x7c00 | (u32)(sum < 0) << 15 : 0x7f800000 | (u32)(sum < 0) << 31;
}

static void multiply_floats(const struct matrix *x, struct operands *o) {
  struct numbers n[3];
  const enum matrix_type type = (enum matrix_type)x->a.type;
  const u32 outputs = (u32)x->m * x->n;
  /* wmma may add to a half and return a single, or the reverse: such sums are singles. */
  struct matrix inner = *x;
  inner.d.type = x->c.type == MATRIX_F16 && x->d.type == MATRIX_F16 ? MATRIX_F16 : MATRIX_F32;
  bool special = read_numbers(&n[0], type, o->a, (u32)x->m * x->k);
  special |= read_numbers(&n[1], (enum matrix_type)x->b.type, o->b, (u32)x->k * x->n);
  special |= read_numbers(&n[2], (enum matrix_type)x->c.type, o->c, outputs);
  if (x->c.type != inner.d.type)
    split(&n[2], outputs, LEAST_EXPONENT);
  for (u32 i = 0; i < x->m; i++)
    for (u32 j = 0; j < x->n; j += WIDTH)
      sum_row(&inner, &models[type], n, i, j, o->c + i * x->n + j);
  for (u32 i = 0; special && i < outputs; i++)
    o->c[i] = special_sum(&inner, n, i / x->n, i % x->n, o->c[i]);
  for (u32 i = 0; x->d.type != inner.d.type && i < outputs; i++)
    o->c[i] = half_narrow(F16, lane_f32(o->c[i]), ROUND_NEAREST);
}

/* mma of floats of 8 bits: the first two, then the last two of each four neighbours along K as halves, and the sum of
 * both is added to C as singles are. Recorded on an H100: validation/kernels/eights.cu. */
static void multiply_eights(const struct matrix *x, struct operands *o) {
  struct operands halves;
  struct matrix inner = *x;
  inner.a.type = inner.b.type = MATRIX_F16;
  for (u32 k = 0; k < x->k; k++) {
    const u32 from = k % (x->k / 2u) / 2 * 4 + k % 2 + k / (x->k / 2u) * 2;
    for (u32 i = 0; i < x->m; i++)
      halves.a[i * x->k + k] = half_of_eight(x->a.type == MATRIX_E4M3, o->a[i * x->k + from]);
    for (u32 j = 0; j < x->n; j++)
      halves.b[k * x->n + j] = half_of_eight(x->b.type == MATRIX_E4M3, o->b[from * x->n + j]);
  }
  memset(halves.c, 0, sizeof halves.c);
  multiply_floats(&inner, &halves);
  for (u32 i = 0; i < (u32)x->m * x->n; i++)
    o->c[i] = lane_bits(lane_nan(lane_f32(halves.c[i]) + lane_f32(o->c[i])));
}

/* One fused multiply-add after another, in the order of k: each rounds to nearest. */
static void multiply_doubles(const struct matrix *x, struct operands *o) {
  for (u32 i = 0; i < x->m; i++)
    for (u32 j = 0; j < x->n; j++) {
      f64 sum = lane_f64(o->wide_c[i * x->n + j]);
      for (u32 k = 0; k < x->k; k++) {
        f64 a = lane_f64(o->wide_a[i * x->k + k]), b = lane_f64(o->wide_b[k * x->n + j]);
        sum = lane_nan_f64(__builtin_fma(a, b, sum), b, lane_nan_f64(sum + a, sum, a)); /* as fma.rn.f64 */
      }
      o->wide_c[i * x->n + j] = lane_bits_f64(sum);
    }
}

static void extend(u32 *bits, u32 count, enum matrix_type type) {
  const u32 width = type == MATRIX_S8 ? 8 : 4;
  if (type == MATRIX_S8 || type == MATRIX_S4)
    for (u32 i = 0; i < count; i++)
      bits[i] = (u32)((s32)(bits[i] << (32 - width)) >> (32 - width));
}

static void multiply_integers(const struct matrix *x, struct operands *o) {
  extend(o->a, (u32)x->m * x->k, (enum matrix_type)x->a.type);
  extend(o->b, (u32)x->k * x->n, (enum matrix_type)x->b.type);
  for (u32 i = 0; i < x->m; i++)
    for (u32 j = 0; j < x->n; j += WIDTH) {
      s32 sum[WIDTH] = {0}; /* of at most 64 products of 16 bits */
      u32 *c = o->c + i * x->n + j;
      for (u32 k = 0; k < x->k; k++)
        for (u32 q = 0; q < WIDTH; q++)
          sum[q] += (s32)o->a[i * x->k + k] * (s32)o->b[k * x->n + j + q];
      for (u32 q = 0; q < WIDTH; q++)
        c[q] = x->saturates ? (u32)lane_clamp_s32((s64)(s32)c[q] + sum[q]) : c[q] + (u32)sum[q];
    }
}

static void multiply_bits(const struct matrix *x, struct operands *o) {
  for (u32 i = 0; i < x->m; i++)
    for (u32 j = 0; j < x->n; j++)
      for (u32 k = 0; k < x->k; k++) {
        u32 a = o->a[i * x->k + k], b = o->b[k * x->n + j];
        o->c[i * x->n + j] += (u32)__builtin_popcount(x->ands ? a & b : a ^ b);
      }
}

void matrix_product(const struct matrix *x, struct operands *o) {
  switch ((enum matrix_type)x->a.type) {
  case MATRIX_F64:
    multiply_doubles(x, o);
    return;
  case MATRIX_B1:
    multiply_bits(x, o);
    return;
  case MATRIX_F16:
  case MATRIX_BF16:
  case MATRIX_TF32:
    multiply_floats(x, o);
    return;
  case MATRIX_E4M3:
  case MATRIX_E5M2:
    (x->action == MATRIX_GROUP ? multiply_floats : multiply_eights)(x, o);
    return;
  default:
    multiply_integers(x, o);
  }
}
