/* The file of SIMGPU_ADDRESSES: the loads and stores of one warp of each launch, CSV, a row per lane of a
 * request. Numbers count from 1. */
#pragma once

#include "csv.h"

enum { REQUEST_LANES = 32, REQUEST_SECTOR = 32, REQUEST_WORD = 4, REQUEST_BANKS = 32 };
enum { REQUEST_BANK_ROW = REQUEST_BANKS * REQUEST_WORD }; /* bytes */

struct request {
  double launch, number, instruction, line;
  double copying; /* earlier copies by cp.async that the warp has not waited for, in requests */
  double cost;    /* sectors of global memory, or wavefronts of shared memory */
  bool is_shared;
  char kernel[128], file[256], operation[16];
  int bytes; /* of each lane */
  int lanes; /* active lanes, ascending: */
  int lane[REQUEST_LANES];
  long long address[REQUEST_LANES];
};

struct request_file {
  struct csv csv;
  bool has_row; /* the first row of the next request is read */
};

/* False when the file cannot be read or is empty; call request_file_close in any case. */
bool request_file_open(struct request_file *file, const char *path);
bool request_file_next(struct request_file *file, struct request *request); /* false after the last */
void request_file_close(struct request_file *file);

/* True if it costs more than its bytes need, by the factor WASTE_LIMITS_ACCESS. */
bool request_is_wasteful(const struct request *request);
