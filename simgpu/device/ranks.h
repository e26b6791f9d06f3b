/* How often lanes have equal keys. */
#pragma once

#include "lane.h"

enum { RANKS = 32 }; /* lanes of a warp */
#define RANKS_NO_KEY UINT32_MAX

/* rank[l] becomes the number of lanes before l that have its key; no key is RANKS_NO_KEY. */
void ranks_of(const u32 key[RANKS], u32 rank[RANKS]);
