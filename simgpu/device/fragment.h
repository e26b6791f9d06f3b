/* Matrices in the registers of a warp, and matrix instructions as data. */
#pragma once

#include "device/machine.h"

enum matrix_type {
  MATRIX_F16,
  MATRIX_BF16,
  MATRIX_TF32,
  MATRIX_E4M3,
  MATRIX_E5M2,
  MATRIX_F32,
  MATRIX_F64,
  MATRIX_S8,
  MATRIX_U8,
  MATRIX_S4,
  MATRIX_U4,
  MATRIX_B1,
  MATRIX_S32,
  MATRIX_TYPES
};

enum matrix_action {
  MATRIX_LOAD,     /* wmma.load */
  MATRIX_STORE,    /* wmma.store */
  MATRIX_MULTIPLY, /* wmma.mma, mma */
  MATRIX_GROUP,    /* wgmma.mma_async */
  MATRIX_READ,     /* ldmatrix */
  MATRIX_WRITE,    /* stmatrix */
  MATRIX_MOVE      /* movmatrix */
};

enum { MOST_LINES = 32, MOST_LENGTH = 64, MOST_ELEMENTS = 1024, FRAGMENT_REGISTERS = 8 };

/* A matrix in the registers of a warp. Lines are the rows of A, C and D, and the columns of B. Four neighbouring lanes
 * hold a line, each a unit of `unit` neighbouring elements, then again from 4 * unit on. */
struct fragment {
  uint8_t type;          /* enum matrix_type; MATRIX_B1: the elements are words of 32 bits */
  uint8_t lines, length; /* of the matrix */
  uint8_t unit, tile;    /* lines of a tile: 8 or 16; tiles lie one after another */
  uint8_t registers;     /* those beyond the matrix's size repeat the first ones */
  uint8_t per_register;  /* elements */
  bool along;            /* in memory, the elements of a line are neighbours */
  uint32_t place[FRAGMENT_REGISTERS];
};

/* Of wgmma: matrices in shared memory, and the registers of the sums. Operands are those of struct op. */
struct warpgroup {
  uint32_t descriptor[2]; /* of A, or NO_OPERAND if registers hold it, and of B */
  uint32_t *sums;         /* registers, in the order of columns */
  bool across[2];         /* in memory, neighbours along M or N are adjacent, not those along K */
  bool negates[2];
};

struct matrix { /* a matrix instruction */
  uint8_t action;
  uint8_t m, k; /* of bits: k counts words */
  uint16_t n;
  bool saturates;             /* integers: clamped instead of wrapped */
  bool transposes;            /* ldmatrix, stmatrix */
  bool ands;                  /* of bits: and instead of xor */
  struct fragment a, b, c, d; /* load, store, read, write and move use d */
  struct warpgroup *group;    /* wgmma: c and d describe eight columns */
};

/* The line and the position in it of element `i` of unit `u` in lane `l`. */
struct element {
  uint32_t line, at;
};
static inline struct element fragment_element(const struct fragment *f, uint32_t u, uint32_t i, uint32_t l) {
  const uint32_t halves = f->tile / 8u, of_tile = halves * f->length / (4u * f->unit);
  const uint32_t tile = u / of_tile, v = u % of_tile;
  return (struct element){tile * f->tile + l / 4 + 8 * (v % halves),
                          l % 4 * f->unit + v / halves * 4 * f->unit + i};
}
static inline uint32_t fragment_units(const struct fragment *f) {
  return (uint32_t)f->lines * f->length / LANES / f->unit;
}

/* Bits of an element in memory. */
static inline uint32_t fragment_bits(enum matrix_type type) {
  static const uint8_t bits[MATRIX_TYPES] = {
      [MATRIX_F16] = 16, [MATRIX_BF16] = 16, [MATRIX_TF32] = 32, [MATRIX_E4M3] = 8, [MATRIX_E5M2] = 8,
      [MATRIX_F32] = 32, [MATRIX_F64] = 64,  [MATRIX_S8] = 8,    [MATRIX_U8] = 8,   [MATRIX_S4] = 4,
      [MATRIX_U4] = 4,   [MATRIX_B1] = 32,   [MATRIX_S32] = 32};
  return bits[type];
}

/* Where element `i` of unit `u` is in the lanes' registers: an operand, and its bits in a register. */
struct fragment_part {
  uint32_t place, shift, mask;
};
struct fragment_part fragment_part_of(const struct fragment *f, uint32_t u, uint32_t i);

/* The elements of a fragment, in registers, to an array, and back. The element at `at` of `line` has index line *
 * step.line + at * step.at. Those of 64 bits are in `wide`. */
struct fragment_steps {
  uint32_t line, at;
};
void fragment_gather(const struct fragment *f, char **bases, struct fragment_steps step, uint32_t *narrow,
                     uint64_t *wide);
void fragment_scatter(const struct fragment *f, char **bases, struct fragment_steps step,
                      const uint32_t *narrow, const uint64_t *wide);
