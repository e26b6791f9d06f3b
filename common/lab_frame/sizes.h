/* The numbers of an option --sizes LIST, all checked before any is used. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct sizes {
  int count, *n;
};

/* Each number is from min to max. A bad list ends the program with one line and ERROR_STATUS. The caller frees
 * n. */
struct sizes sizes_read(const char *list, int min, int max);

#ifdef __cplusplus
}
#endif
