/* The container in which nvcc embeds device code. Its layout is not documented. nvcc 12 and 13 write a header
 * and then entries, each with a header and a payload; all numbers are little-endian.
 *
 * The parser accepts any bytes and reads nothing beyond `size`. */
#pragma once

#include <stddef.h>

/* The record through which the program's code refers to the container. With -rdc=true, the container of version 2 has
 * the linked machine code, and `parts` lists the containers of the objects that it was linked from. */
#define FATBIN_WRAPPER_MAGIC 0x466243B1u
#define FATBIN_WRAPPER_LINKED 2u
#define FATBIN_HEADER_SIZE 16u
struct fatbin_wrapper {
  unsigned magic, version;
  const void *data;
  const void *const *parts; /* NULL after the last one */
};

enum fatbin_status {
  FATBIN_OK,
  FATBIN_MALFORMED,
  FATBIN_COMPRESSED,        /* the PTX to use is compressed */
  FATBIN_MACHINE_CODE_ONLY, /* no PTX at all */
  FATBIN_TOO_NEW,           /* every PTX is for a newer architecture than the device's */
};

struct fatbin_ptx {
  const char *text; /* not NUL-terminated */
  size_t length;
  char *joined;  /* the text if it comes from several containers, to be freed; or NULL */
  unsigned arch; /* 80 for compute_80; that of the oldest PTX if the status is FATBIN_TOO_NEW */
};

/* Size of the container at `data` in bytes; 0 if there is none. FATBIN_HEADER_SIZE bytes must be readable. */
size_t fatbin_size(const void *data);

/* Picks the PTX of the highest architecture that is not above `arch`. */
enum fatbin_status fatbin_select(const void *data, size_t size, unsigned arch, struct fatbin_ptx *ptx);

/* The same for all containers of a wrapper: the texts that it finds stand one after another. Up to `newer_libraries`
 * containers may have PTX for newer devices only; they are left out. */
enum fatbin_status fatbin_collect(const struct fatbin_wrapper *wrapper, unsigned arch,
                                  unsigned newer_libraries, struct fatbin_ptx *ptx);
