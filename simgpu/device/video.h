/* Video instructions: arithmetic on words, and on the halves and bytes of a word, whose results can be clamped and
 * combined with a third operand. PTX ISA 9.0, Video Instructions, without selected parts of operands. */
#pragma once

#include "device/machine.h"

enum video_kind {
  VIDEO_ADD,
  VIDEO_SUB,
  VIDEO_DISTANCE,
  VIDEO_MIN,
  VIDEO_MAX,
  VIDEO_AVERAGE,
  VIDEO_LEFT,
  VIDEO_RIGHT,
  VIDEO_MULTIPLY,
  VIDEO_COMPARE,
  VIDEO_KINDS
};
enum video_then { VIDEO_ALONE, VIDEO_THEN_ADD, VIDEO_THEN_MIN, VIDEO_THEN_MAX };

struct video {            /* in op->table */
  unsigned kind : 4;      /* enum video_kind */
  unsigned parts : 3;     /* 1, 2 or 4 of a word */
  unsigned then : 2;      /* enum video_then: with operand c */
  unsigned is_signed : 1; /* the result */
  unsigned a_signed : 1;
  unsigned b_signed : 1;
  unsigned saturates : 1;
  unsigned wraps : 1;    /* shifts: by the amount modulo 32; else at most by 32 */
  unsigned plus_one : 1; /* products */
  unsigned shift : 4;    /* products: 0, 7 or 15 bits to the right */
  unsigned outcomes : 3; /* comparisons: COMPARE_… */
};

void video_run(const struct op *op, char **bases, uint32_t m);
