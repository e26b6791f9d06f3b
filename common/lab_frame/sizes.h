/* The numbers of an option --sizes LIST, all checked before any is used. */
#pragma once

#include "c_linkage.h"

C_LINKAGE_BEGIN

struct sizes {
  int count, *n;
};

/* Each number is from min to max. A bad list ends the program with one line and ERROR_STATUS. The caller frees n. */
struct sizes sizes_read(const char *list, int min, int max);
struct sizes sizes_read_option(const char *option, const char *list, int min,
                               int max); /* the same of --OPTION */

C_LINKAGE_END
