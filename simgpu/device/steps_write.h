/* The recording of a warp, and its form as a file: docs/execution.md, "Recording one warp". */
#pragma once

#include <stdio.h>

#include "device/machine.h"

enum { STEPS_VALUE = 16 /* bytes of a lane's access */ };

struct steps_access {
  uint8_t use, space, type, count; /* enum use, ptx_space, ptx_type; elements of a vector */
  uint32_t mask, bytes;            /* of a lane */
  uint32_t cost, ideal;            /* sectors; wavefronts of shared memory, and without bank conflicts */
  uint64_t address[LANES];
  uint8_t value[LANES][STEPS_VALUE];
};

struct steps_instruction {
  uint32_t pc, mask, accesses; /* those of this instruction end before this index */
};

struct steps_warp {
  struct steps_instruction *instructions;
  struct steps_access *accesses;
  uint32_t count, access_count;
  uint64_t executed;  /* recorded or not */
  uint64_t *seen;     /* one bit per instruction of the module */
  uint32_t different; /* bits that are set */
};

struct steps_place {
  const struct launch *launch;
  uint64_t number, block;
  uint32_t warp;
};
/* A value of `size` bytes, as a number. */
void steps_write_value(FILE *to, enum ptx_type type, const uint8_t *bytes, uint32_t size);
void steps_write(FILE *to, const struct steps_place *place, const struct steps_warp *warp);
